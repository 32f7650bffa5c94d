//! The golden vectors: hand-picked elements are [`recipes`], the others are computed, and every expected value has been
//! computed twice.

mod bitround;
pub(crate) mod builder;
mod bundles;
mod bytes;
mod bytes_codecs;
mod cast_value;
mod data_type;
mod downsample;
mod fill_value;
pub(crate) mod opinions;
mod packbits;
mod readme;
mod recipes;
mod scale_offset;
mod sds;
mod shorthand;
mod zfp;

use std::path::Path;

use exactum_vectors::{File, Group, Manifest, Withdrawn};
use rayon::prelude::*;

use crate::generated::Files;

/// The files of a maker, or the cases on which the reference and the second oracle disagree.
pub(crate) type Topics = Result<Vec<File>, Vec<String>>;

/// A row, and the function that builds its topics.
type Maker = (&'static str, fn() -> Topics);

/// The rows that are computed completely, without recipes.
const MAKERS: [Maker; 5] = [
    ("bytes", bytes::topics),
    ("cast_value", cast_value::topics),
    ("data_type", data_type::topics),
    ("packbits", packbits::topics),
    ("zfp", zfp::topics),
];

/// Generates the contents of `vectors/`: all topics, the manifest, the tables and the schemas. If `rows` is not empty,
/// only the topics of these rows are generated. The recipes are read from below `root`.
pub(crate) fn make(root: &Path, rows: &[String]) -> Result<Files, Vec<String>> {
    let computed = [
        &bitround::COMPUTED[..],
        &data_type::COMPUTED,
        &downsample::COMPUTED,
        &fill_value::COMPUTED,
        &scale_offset::COMPUTED,
        &sds::COMPUTED,
    ]
    .concat();
    let wanted = |row: &str| rows.is_empty() || rows.iter().any(|it| it == row);
    let makers: Vec<_> = MAKERS.iter().filter(|(row, _)| wanted(row)).collect();
    let (mut made, recipes): (Vec<Topics>, Topics) = rayon::join(
        || makers.par_iter().map(|(_, maker)| maker()).collect(),
        || recipes::topics(&root.join("xtask/src/vectors"), rows, &computed),
    );
    made.push(recipes);
    let mut files = Vec::new();
    let mut disagreements = Vec::new();
    for topics in made {
        match topics {
            Ok(topics) => files.extend(topics),
            Err(found) => disagreements.extend(found),
        }
    }
    if !disagreements.is_empty() {
        return Err(disagreements);
    }
    let withdrawn = withdrawn(root).map_err(|fault| vec![fault])?;
    for file in &mut files {
        leave_out(file, &withdrawn);
        file.groups.iter_mut().for_each(share);
    }
    files.retain(|file| !file.groups.is_empty());
    let files: Vec<(File, String)> = files
        .into_par_iter()
        .map(|file| {
            let text = exactum_vectors::render(&file);
            (file, text)
        })
        .collect();
    let mut generated = Files::default();
    if !rows.is_empty() {
        for (file, text) in files {
            generated.add(file.path(), text)?;
        }
        return Ok(generated);
    }
    let page = std::fs::read_to_string(root.join("vectors/README.md"));
    let page = page.map_err(|fault| vec![format!("vectors/README.md: {fault}")])?;
    let page = readme::with_operations(&page).map_err(|fault| vec![fault])?;
    generated.add("README.md".into(), page)?;
    generated.add("manifest.json".into(), Manifest::of(&files).render())?;
    generated.add("data_types.json".into(), exactum_vectors::data_types())?;
    generated.add("reasons.json".into(), exactum_vectors::reasons())?;
    for (name, schema) in [
        ("file", schemars::schema_for!(exactum_vectors::File)),
        ("manifest", schemars::schema_for!(exactum_vectors::Manifest)),
        (
            "withdrawn",
            schemars::schema_for!(exactum_vectors::Withdrawn),
        ),
    ] {
        let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
        text.push('\n');
        generated.add(format!("schema/{name}.json"), text)?;
    }
    for (file, text) in files {
        generated.add(file.path(), text)?;
    }
    Ok(generated)
}

fn withdrawn(root: &Path) -> Result<Withdrawn, String> {
    let path = "vectors/withdrawn.json";
    let text = std::fs::read_to_string(root.join(path));
    let read = text.map_err(|error| error.to_string());
    let read = read.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
    read.map_err(|fault| format!("{path}: {fault}"))
}

/// Leaves out the withdrawn cases. Some of them are still generated but redundant: no mutant, no lie by cell, no clause
/// and no fault of a peer needs them in addition to the other cases that show the same.
fn leave_out(file: &mut File, withdrawn: &Withdrawn) {
    for group in &mut file.groups {
        let front = group.id.clone();
        group
            .cases
            .retain(|case| !withdrawn.has(&format!("{front}/{}", case.id)));
    }
    file.groups.retain(|group| !group.cases.is_empty());
}

/// Moves the members of the request and the clauses that all cases of a group share to the group.
fn share(group: &mut Group) {
    let Some((first, others)) = group.cases.split_first() else {
        return;
    };
    let mut members = first.request.clone();
    members.retain(|key, value| {
        !others.is_empty()
            && others
                .iter()
                .all(|case| case.request.get(key) == Some(&*value))
    });
    let mut clauses = first.clauses.clone();
    clauses.retain(|clause| others.iter().all(|case| case.clauses.contains(clause)));
    for case in &mut group.cases {
        case.request.retain(|key, _| !members.contains_key(key));
        case.clauses.retain(|clause| !clauses.contains(clause));
    }
    group.request.extend(members);
    group.clauses.extend(clauses);
}
