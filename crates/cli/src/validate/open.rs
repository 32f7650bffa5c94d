//! The one array document that another command works on.

use super::*;

/// Why there is none.
#[derive(Debug)]
pub(crate) enum Closed {
    /// The document is rejected.
    Rejected {
        /// The findings for people.
        words: String,
        /// The findings as `validate --format json` prints them.
        document: serde_json::Value,
    },
    /// It cannot be read, or is no array whose numbers are known.
    Other(String),
}

/// Opens the array document of a file, a folder, or the standard input.
///
/// # Errors
/// When there is none, or it is rejected. What only a ruling forbids passes.
pub(crate) fn open_array(path: &Path) -> Result<Box<ArrayDocument>, Closed> {
    let name = name_of(path);
    let other = |why: &str| Closed::Other(format!("{name}: {why}"));
    if store::version_2(path).is_some() {
        return Err(other("this is a document of Zarr v2; convert it to v3"));
    }
    let bytes = read(path, MAX_MIB).map_err(|error| other(&error.to_string()))?;
    match kind_of(&bytes) {
        Kind::Array => {}
        Kind::Group => {
            return Err(other(
                "this is the document of a group; name one of its arrays",
            ));
        }
        Kind::Downsample => return Err(other("this is the document of a view, not of an array")),
        Kind::Sds => return Err(other("this is a document of data sets, not of an array")),
        Kind::Cf => {
            return Err(other(
                "these are the attributes of a variable, not an array",
            ));
        }
    }
    match exactum_metadata::judge_whole_array(&bytes) {
        Ok(Judged::Known(document)) => Ok(document),
        Ok(_) => Err(other(
            "its data type or its chunk grid is not known here; `exactum validate` says more",
        )),
        Err(faults) => {
            let judgement = rejected(*faults, Vec::new(), false);
            let text = Text::new(&bytes);
            let words = report::words(&name, &text, &judgement, false, render::use_color());
            let document = report::document(&name, &text, &judgement, false);
            Err(Closed::Rejected { words, document })
        }
    }
}

/// Has a command work on the array document of a file, a folder, or the standard input. What is said of one that is
/// rejected is printed, and the exit code is 1.
///
/// # Errors
/// When there is no such document, or its numbers are not known; what the command says.
pub(crate) fn with_array(
    path: &Path,
    work: impl FnOnce(&ArrayDocument) -> Result<ExitCode, String>,
) -> Result<ExitCode, String> {
    match open_array(path) {
        Ok(document) => work(&document),
        Err(Closed::Other(why)) => Err(why),
        Err(Closed::Rejected { words, .. }) => {
            output::print(&words)?;
            Ok(ExitCode::FAILURE)
        }
    }
}
