//! Stores: the documents below a folder, and the documents that groups repeat.

use std::collections::HashSet;
use std::fs;
use std::path::Component;

use exactum_metadata::{Consolidated, Copies};
use exactum_model::At;
use serde_json::Value;

use super::*;

/// The greatest depth of nested folders. Real stores are not nested as deeply.
const MAX_DEPTH: usize = 128;

/// The file names of Zarr v2 documents, and the kind of node that each describes.
const V2: [(&str, &str); 2] = [(".zarray", "an array"), (".zgroup", "a group")];

/// The result of searching a folder.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The documents, in the order of their paths. Folders of arrays are not searched, because they contain
    /// only chunks.
    pub(super) documents: Vec<PathBuf>,
    /// The paths that could not be examined, and the reasons.
    pub(super) unread: Vec<(PathBuf, io::Error)>,
}

/// Searches a folder for documents.
pub(super) fn search(folder: &Path) -> Search {
    let mut search = Search::default();
    search.enter(folder, MAX_DEPTH);
    search
}

impl Search {
    fn enter(&mut self, folder: &Path, depth: usize) {
        let mut is_array = false;
        for (name, _) in V2 {
            let document = folder.join(name);
            if self.is_file(&document) {
                is_array |= name == ".zarray";
                self.documents.push(document);
            }
        }
        let document = folder.join("zarr.json");
        if self.is_file(&document) {
            // A document that cannot be read is reported when it is judged.
            let bytes = fs::read(&document);
            is_array |= bytes.is_ok_and(|bytes| DocumentKind::of(&bytes) != DocumentKind::Group);
            self.documents.push(document);
        }
        if is_array {
            return;
        }
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(error) => return self.leave_out(folder, error),
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_symlink() && path.is_dir() => {
                    self.leave_out(&path, io::Error::other(LINK));
                }
                Ok(kind) if !kind.is_dir() => {}
                Ok(_) if depth == 0 => self.leave_out(&path, io::Error::other(DEEP)),
                Ok(_) => self.enter(&path, depth - 1),
                Err(error) => self.leave_out(&path, error),
            }
        }
    }

    /// Returns whether a file exists, and records a path for which that cannot be determined.
    fn is_file(&mut self, path: &Path) -> bool {
        match fs::metadata(path) {
            Ok(metadata) => metadata.is_file(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => {
                // If the folder cannot be entered, nothing else in it can be found either.
                self.leave_out(path.parent().unwrap_or(path), error);
                false
            }
        }
    }

    /// Records once that a path is not examined.
    fn leave_out(&mut self, path: &Path, error: io::Error) {
        if self.unread.iter().all(|(known, _)| known != path) {
            self.unread.push((path.to_owned(), error));
        }
    }
}

/// The reason for not following links: a link may lead back to a folder above it.
const LINK: &str = "a link to a folder is not followed; give it as a separate path to validate the documents below it";

const DEEP: &str = "more than 128 nested folders are not searched";

/// Returns the fault in the name of the node whose document this is (chain.node.name).
pub(super) fn misnamed(document: &Path) -> Option<Finding> {
    let name = document.parent()?.file_name()?.to_string_lossy();
    let why = exactum_metadata::misnamed(&name)?;
    let rejection = Rejection::new(Reason::Metadata, "chain.node.name", why)
        .help("rename the folder, and consolidate the metadata of its parent groups again");
    Some(Finding::new(Diagnostic::new(rejection, 0..1)))
}

/// Returns a finding if the name of a file is that of a Zarr v2 document.
pub(super) fn version_2(path: &Path) -> Option<Finding> {
    let name = path.file_name()?;
    let (_, what) = V2.iter().find(|(known, _)| name == *known)?;
    Some(Finding::warning(
        "chain.members",
        format!("this is the Zarr v2 document of {what}"),
        "only Zarr v3 documents are validated; for an array, `exactum validate --modernize` prints the \
         Zarr v3 document that reads the same chunks",
        "",
        0..1,
    ))
}

/// Judges the documents that a group repeats, and compares them with those in its folder, if there is a folder. `below`
/// holds the documents in the folder, if the folder has already been searched.
pub(super) fn judge_copies(
    folder: Option<&Path>,
    below: Option<&[PathBuf]>,
    bytes: &[u8],
    copies: &Copies,
    mib: u64,
) -> (Vec<Finding>, u64) {
    let errors = copies.listed.iter().flat_map(|copy| errors(bytes, copy));
    // Each item is the fault, the advice on how to fix it, and the clause that it breaks.
    let different = folder.into_iter().flat_map(|folder| {
        copies.listed.iter().filter_map(move |copy| {
            let (message, help) = difference(folder, bytes, copy, mib)?;
            Some((message, help, copy.pointer.as_str(), &copy.place))
        })
    });
    let left_out = folder.into_iter().flat_map(|folder| {
        left_out(folder, below, copies).into_iter().map(|path| {
            let message = format!("{path} is not in consolidated_metadata");
            let help = "zarr-python, xarray and zarrs list a group from these copies, and do not see \
                        this node; consolidate the metadata again";
            let pointer = "/consolidated_metadata/metadata";
            (message, help, pointer, &copies.place)
        })
    });
    let warnings = different.chain(left_out);
    let warnings = warnings.map(|(message, help, pointer, place)| {
        // Only the first byte is marked, because a copy takes many lines.
        let place = place.start..place.start + 1;
        Finding::warning("chain.consolidated.same", message, help, pointer, place)
    });
    // Errors come first, so that they are not among the findings that are only counted.
    let mut all = errors.chain(warnings);
    let findings = all.by_ref().take(Report::MAX_LISTED).collect();
    (findings, all.count() as u64)
}

/// Returns the errors in a copy at their places in the document of the group. Other findings are reported for
/// the document that is copied.
fn errors(bytes: &[u8], copy: &Consolidated) -> impl Iterator<Item = Finding> {
    let text = bytes.get(copy.place.clone()).unwrap_or_default();
    let judgement = match Document::scan(text).map(Document::all_errors) {
        Ok(document) if document.kind() == DocumentKind::Group => match document.group() {
            Ok(_) => Judgement::new(Vec::new(), 0, true, false),
            Err(report) => rejected(report, Vec::new(), false),
        },
        _ => judge(text, false),
    };
    let (start, pointer) = (copy.place.start, copy.pointer.clone());
    let moved = move |place: &mut Range<usize>| *place = place.start + start..place.end + start;
    let problems = judgement.problems.into_iter();
    let errors = problems.filter(|problem| problem.diagnostic.severity == Severity::Error);
    errors.map(move |mut problem| {
        let error = &mut problem.diagnostic;
        error.rejection.at = Some(At::Pointer(format!("{pointer}{}", error.pointer())));
        moved(&mut error.place);
        for related in &mut error.related {
            moved(&mut related.place);
        }
        problem
    })
}

/// Returns the documents below a group of which the group has no copy, without those below another such
/// document.
fn left_out(folder: &Path, below: Option<&[PathBuf]>, copies: &Copies) -> Vec<String> {
    let copied: HashSet<&Path> = copies.listed.iter().map(|it| Path::new(&it.path)).collect();
    let searched;
    let found = match below {
        Some(found) => found,
        None => {
            // A document that cannot be read is reported when it is judged.
            searched = search(folder).documents;
            &searched
        }
    };
    // The documents below a folder are consecutive.
    let below = found
        .iter()
        .map_while(|path| path.strip_prefix(folder).ok());
    let mut left_out: Vec<&Path> = Vec::new();
    for path in below.filter(|path| path.ends_with("zarr.json")) {
        let node = path.parent().unwrap_or(path);
        let is_known = node == Path::new("") || copied.contains(node);
        // The document of a node comes before those below the node.
        if !is_known && left_out.last().is_none_or(|last| !node.starts_with(last)) {
            left_out.push(node);
        }
    }
    let documents = left_out.iter().map(|node| node.join("zarr.json"));
    documents.map(|path| name_of(&path)).collect()
}

/// Returns the fault of a copy, and advice on how to fix it.
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
            "use the paths of the nodes below the group as names",
        ));
    }
    let Ok(original) = read(&folder.join(below).join("zarr.json"), mib) else {
        return Some((
            format!("consolidated_metadata has {path}, but {path}/zarr.json cannot be read"),
            "consolidate the metadata again",
        ));
    };
    let copied = bytes.get(copy.place.clone()).unwrap_or_default();
    (document(&original) != document(copied)).then(|| {
        (
            format!(
                "the document of {path} in consolidated_metadata differs from {path}/zarr.json"
            ),
            "zarr-python and xarray read the copy when they open the group, and zarrs when it \
             lists the group; a program that opens the node by its own path, as TensorStore does, \
             reads the document; consolidate the metadata again",
        )
    })
}

/// Returns a document without the documents that it repeats.
fn document(bytes: &[u8]) -> Option<Value> {
    let mut value: Value = serde_json::from_slice(bytes).ok()?;
    if let Some(members) = value.as_object_mut() {
        members.remove("consolidated_metadata");
    }
    Some(value)
}
