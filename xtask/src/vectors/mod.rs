//! The golden vectors: each topic is made by a function, and every expected value has been
//! computed twice.

mod builder;
mod bytes;
mod cast_value;
mod chain;
mod coded;
mod data_type;
mod documents;
mod fill_value;
mod packbits;
mod scale_offset;

use exactum_vectors::{File, Manifest};
use rayon::prelude::*;

use crate::generated::Files;

/// The files of a maker, or the cases on which the reference and the second oracle disagree.
pub(crate) type Topics = Result<Vec<File>, Vec<String>>;

/// Every maker of topics.
const MAKERS: &[fn() -> Topics] = &[
    bytes::topics,
    cast_value::topics,
    chain::topics,
    data_type::topics,
    documents::topics,
    fill_value::topics,
    packbits::topics,
    scale_offset::topics,
];

/// Makes the content of `vectors/`: all topics, the manifest, the tables and the schemas.
pub(crate) fn make() -> Result<Files, Vec<String>> {
    let made: Vec<Topics> = MAKERS.par_iter().map(|maker| maker()).collect();
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
    let files: Vec<(File, String)> = files
        .into_par_iter()
        .map(|file| {
            let text = exactum_vectors::render(&file);
            (file, text)
        })
        .collect();
    let mut generated = Files::default();
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
