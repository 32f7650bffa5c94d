//! Opens the one array document that another command works on.

use super::*;

/// The reason why there is no document.
#[derive(Debug)]
pub(crate) enum Closed {
    /// The document is rejected.
    Rejected {
        /// The findings as text.
        words: String,
        /// The findings as `validate --format json` prints them.
        document: serde_json::Value,
    },
    /// The document cannot be read, or is not an array whose numbers are known.
    Other(String),
}

/// Reads the document of a file, a folder, or the standard input. It must not be a Zarr v2 document.
///
/// # Errors
/// If there is none.
pub(super) fn read_array(path: &Path) -> Result<Vec<u8>, Closed> {
    let other = |why: &str| Closed::Other(format!("{}: {why}", name_of(path)));
    if store::version_2(path).is_some() {
        return Err(other(
            "this is a Zarr v2 document; `exactum validate --modernize` prints the Zarr v3 document",
        ));
    }
    read(path, MAX_MIB).map_err(|error| other(&error.to_string()))
}

/// Judges the bytes of an array document.
///
/// # Errors
/// If it is not an array document, its numbers are not known, or it is rejected. A document that breaks only
/// rulings passes.
pub(super) fn judge_array(name: &str, bytes: &[u8]) -> Result<Box<ArrayDocument>, Closed> {
    let other = |why: &str| Closed::Other(format!("{name}: {why}"));
    match kind_of(bytes) {
        Kind::Array => {}
        Kind::Group => {
            return Err(other(
                "this is the document of a group; give the path of one of its arrays",
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
    match exactum_metadata::judge_whole_array(bytes) {
        Ok(Judged::Known(document)) => Ok(document),
        Ok(Judged::NotNumbers(_)) => Err(other("the elements are not numbers")),
        Ok(_) => Err(other(
            "the data type or the chunk grid is not known to Exactum; `exactum validate` gives the details",
        )),
        Err(faults) => Err(Closed::rejected(
            name,
            bytes,
            &rejected(*faults, Vec::new(), false),
        )),
    }
}

impl Closed {
    /// Returns the error for a document that is rejected.
    pub(super) fn rejected(name: &str, bytes: &[u8], judgement: &Judgement) -> Self {
        let text = Text::new(bytes);
        Closed::Rejected {
            words: report::words(name, &text, judgement, false, style::use_color()),
            document: report::document(name, &text, judgement, false),
        }
    }
}
