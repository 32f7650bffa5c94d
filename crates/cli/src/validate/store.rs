//! Stores: the documents below a folder, and what groups repeat of them.

use std::collections::HashSet;
use std::fs;
use std::path::Component;

use exactum_metadata::{Consolidated, Copies};
use serde_json::Value;

use super::*;

/// Folders below each other; no store nests as deep.
const MAX_DEPTH: usize = 128;

/// The documents of Zarr v2, and what they are.
const V2: [(&str, &str); 2] = [(".zarray", "an array"), (".zgroup", "a group")];

/// The documents below a folder, in the order of their paths. Below an array there are chunks and
/// nothing else, so they are not looked at.
///
/// # Errors
/// When a folder cannot be read.
pub(super) fn documents(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    walk(folder, MAX_DEPTH, &mut found)?;
    Ok(found)
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut is_array = false;
    for (name, _) in V2 {
        let document = folder.join(name);
        if document.is_file() {
            is_array |= name == ".zarray";
            found.push(document);
        }
    }
    let document = folder.join("zarr.json");
    if document.is_file() {
        // What cannot be read is said when the document is judged.
        let bytes = fs::read(&document).unwrap_or_default();
        is_array |= !exactum_metadata::is_group(&bytes);
        found.push(document);
    }
    if is_array || depth == 0 {
        return Ok(());
    }
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // Links may lead back.
        if entry.file_type()?.is_dir() {
            folders.push(entry.path());
        }
    }
    folders.sort();
    folders
        .iter()
        .try_for_each(|folder| walk(folder, depth - 1, found))
}

/// What a file is by its name, where it is a document of Zarr v2.
pub(super) fn version_2(path: &Path) -> Option<Finding> {
    let name = path.file_name()?;
    let (_, what) = V2.iter().find(|(known, _)| name == *known)?;
    Some(Finding {
        severity: Severity::Warning,
        clause: "chain.members",
        level: None,
        message: format!("this is the document of {what} of Zarr v2"),
        help: Some(
            "Exactum knows the codecs of Zarr v3; convert it to v3 to have it judged".into(),
        ),
        pointer: String::new(),
        place: 0..1,
        related: Vec::new(),
    })
}

/// Judges the documents that a group repeats, and compares them with those beside it, where there is a folder.
/// `below` are the documents in it, if they were looked for already.
pub(super) fn judge_copies(
    folder: Option<&Path>,
    below: Option<&[PathBuf]>,
    bytes: &[u8],
    copies: &Copies,
    mib: u64,
) -> (Vec<Finding>, u64) {
    let errors = copies.listed.iter().flat_map(|copy| errors(bytes, copy));
    // What is wrong, how to mend it, and where it is said.
    let different = folder.into_iter().flat_map(|folder| {
        copies.listed.iter().filter_map(move |copy| {
            let (message, help) = difference(folder, bytes, copy, mib)?;
            Some((message, help, copy.pointer.as_str(), &copy.place))
        })
    });
    let left_out = folder.into_iter().flat_map(|folder| {
        left_out(folder, below, copies).into_iter().map(|path| {
            let message = format!("{path} is not in consolidated_metadata");
            let help = "readers of the copies do not see it; consolidate the metadata anew";
            let pointer = "/consolidated_metadata/metadata";
            (message, help, pointer, &copies.place)
        })
    });
    let warnings = different.chain(left_out);
    let warnings = warnings.map(|(message, help, pointer, place)| Finding {
        severity: Severity::Warning,
        clause: "chain.members.unknown",
        level: None,
        message,
        help: Some(help.into()),
        pointer: pointer.to_owned(),
        // Copies take many lines.
        place: place.start..place.start + 1,
        related: Vec::new(),
    });
    // Errors first: they are not among those that are merely counted.
    let mut all = errors.chain(warnings);
    let findings = all.by_ref().take(Warnings::MAX_LISTED).collect();
    (findings, all.count() as u64)
}

/// The errors in a copy, where they stand in the document of the group. What else there is to say of it is said of the
/// document that it copies.
fn errors(bytes: &[u8], copy: &Consolidated) -> impl Iterator<Item = Finding> {
    let text = bytes.get(copy.place.clone()).unwrap_or_default();
    let judgement = match exactum_metadata::is_group(text) {
        true => {
            let faults = exactum_metadata::judge_group(text).err();
            of_kind(Kind::Group, faults, false)
        }
        false => judge(text, false),
    };
    let (start, pointer) = (copy.place.start, copy.pointer.clone());
    let moved = move |place: Range<usize>| place.start + start..place.end + start;
    let problems = judgement.problems.into_iter();
    let errors = problems.filter(|problem| problem.severity == Severity::Error);
    errors.map(move |mut problem| {
        problem.pointer.insert_str(0, &pointer);
        problem.place = moved(problem.place);
        for (place, _) in &mut problem.related {
            *place = moved(place.clone());
        }
        problem
    })
}

/// The documents below a group of which it has no copy; not those below one of them.
fn left_out(folder: &Path, below: Option<&[PathBuf]>, copies: &Copies) -> Vec<String> {
    let copied: HashSet<&Path> = copies.listed.iter().map(|it| Path::new(&it.path)).collect();
    let searched;
    let found = match below {
        Some(found) => found,
        None => {
            // What cannot be read is said where it is judged.
            searched = documents(folder).unwrap_or_default();
            &searched
        }
    };
    // Those below a folder stand together.
    let below = found
        .iter()
        .map_while(|path| path.strip_prefix(folder).ok());
    let mut left_out: Vec<&Path> = Vec::new();
    for path in below.filter(|path| path.ends_with("zarr.json")) {
        let node = path.parent().unwrap_or(path);
        let is_known = node == Path::new("") || copied.contains(node);
        // A node's document comes before those below it.
        if !is_known && left_out.last().is_none_or(|last| !node.starts_with(last)) {
            left_out.push(node);
        }
    }
    let documents = left_out.iter().map(|node| node.join("zarr.json"));
    documents.map(|path| name_of(&path)).collect()
}

/// What is wrong with a copy, and how to mend it.
fn difference(
    folder: &Path,
    bytes: &[u8],
    copy: &Consolidated,
    mib: u64,
) -> Option<(String, &'static str)> {
    let path = clean(&copy.path);
    let below = Path::new(&copy.path);
    let is_below = below
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    if !is_below {
        return Some((
            format!("consolidated_metadata names {path}, which is not below the group"),
            "name the nodes by their paths below the group",
        ));
    }
    let Ok(original) = read(&folder.join(below).join("zarr.json"), mib) else {
        return Some((
            format!("consolidated_metadata has {path}, and {path}/zarr.json cannot be read"),
            "consolidate the metadata anew",
        ));
    };
    let copied = bytes.get(copy.place.clone()).unwrap_or_default();
    (document(&original) != document(copied)).then(|| {
        (
            format!(
                "the document of {path} in consolidated_metadata is not that of {path}/zarr.json"
            ),
            "readers of either see another array; consolidate the metadata anew",
        )
    })
}

/// A document without what it repeats itself.
fn document(bytes: &[u8]) -> Option<Value> {
    let mut value: Value = serde_json::from_slice(bytes).ok()?;
    if let Some(members) = value.as_object_mut() {
        members.remove("consolidated_metadata");
    }
    Some(value)
}
