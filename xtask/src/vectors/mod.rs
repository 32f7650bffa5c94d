//! The golden vectors: chosen elements are [`recipes`], the rest is computed, and every expected value
//! has been computed twice.

pub(crate) mod builder;
mod bytes;
mod bytes_codecs;
mod cast_value;
mod data_type;
mod downsample;
mod fill_value;
mod opinions;
mod packbits;
mod readme;
mod recipes;
mod scale_offset;
mod sds;
mod shorthand;
mod zfp;

use std::path::Path;

use exactum_vectors::{File, Manifest};
use rayon::prelude::*;

use crate::generated::Files;

/// The files of a maker, or the cases on which the reference and the second oracle disagree.
pub(crate) type Topics = Result<Vec<File>, Vec<String>>;

/// A row and what makes topics of it.
type Maker = (&'static str, fn() -> Topics);

/// What is computed whole, without a recipe.
const MAKERS: [Maker; 5] = [
    ("bytes", bytes::topics),
    ("cast_value", cast_value::topics),
    ("data_type", data_type::topics),
    ("packbits", packbits::topics),
    ("zfp", zfp::topics),
];

/// Makes the content of `vectors/`: all topics, the manifest, the tables and the schemas. Of some rows
/// only the topics are made. The recipes are read from below `root`.
pub(crate) fn make(root: &Path, rows: &[String]) -> Result<Files, Vec<String>> {
    let computed = [
        &data_type::COMPUTED[..],
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
