//! The relation between the input folder and the output folder, which does not depend on their absolute paths on this
//! machine.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

use crate::budget::DOCUMENT_BYTES;
use crate::error::Error;
use crate::input::DOCUMENT;
use crate::record::{Record, Times};
use crate::regular;
use crate::store::StoredArray;

/// Returns a path without symbolic links and dots. Parts that do not exist yet are kept as they are written.
fn resolved(path: &Path) -> Result<PathBuf, Error> {
    let at = |fault| Error::of_io(path, fault);
    let whole = std::path::absolute(path).map_err(at)?;
    let mut rest = Vec::new();
    for ancestor in whole.ancestors() {
        match fs::canonicalize(ancestor) {
            Ok(mut found) => {
                for part in rest.iter().rev() {
                    match part {
                        Component::ParentDir => drop(found.pop()),
                        other => found.push(other),
                    }
                }
                return Ok(found);
            }
            Err(fault) if fault.kind() == ErrorKind::NotFound => {
                rest.extend(ancestor.components().next_back());
            }
            Err(fault) => return Err(at(fault)),
        }
    }
    Ok(whole)
}

/// Returns the relative path from one folder to another. It is the same on every machine that sees both below
/// a common folder.
fn way(from: &Path, to: &Path) -> Result<String, Error> {
    let (from, to) = (resolved(from)?, resolved(to)?);
    let common = std::iter::zip(from.components(), to.components())
        .take_while(|(one, other)| one == other)
        .count();
    let up = from.components().skip(common).map(|_| "..".into());
    let down = to.components().skip(common);
    let parts: Vec<String> = up
        .chain(down.map(|part| part.as_os_str().to_string_lossy().into_owned()))
        .collect();
    Ok(parts.join("/"))
}

/// Refuses to write to a folder that contains the input, or is inside it.
pub(crate) fn require_apart(input: &Path, output: &Path) -> Result<(), Error> {
    let (from, to) = (resolved(input)?, resolved(output)?);
    let how = if from == to {
        "is the input itself"
    } else if to.starts_with(&from) {
        "is inside the input"
    } else if from.starts_with(&to) {
        "contains the input"
    } else {
        return Ok(());
    };
    Err(Error::Output(format!(
        "{} {how}, {}; choose another folder",
        output.display(),
        input.display()
    )))
}

/// Returns the current state of an array: its path relative to the output folder, its document, and its chunk
/// files.
pub(crate) fn source(output: &Path, folder: &Path, array: &StoredArray) -> Result<Value, Error> {
    let path = folder.join(DOCUMENT);
    let text = regular::text(&path, DOCUMENT_BYTES).map_err(|fault| Error::of_io(&path, fault))?;
    let text = text.ok_or_else(|| Error::of_file(&path, &"it no longer exists"))?;
    Ok(json!({
        "path": way(output, folder)?,
        "document": serde_json::from_str::<Value>(&text).unwrap_or_default(),
        "chunks": Record::of(folder, array, array.grid(), Times::Count)?.document(),
    }))
}
