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
    /// It cannot be read, or is not an array whose numbers are known.
    Other(String),
}

/// Reads the document of a file, a folder, or the standard input, which is not one of Zarr v2.
///
/// # Errors
/// If there is none.
pub(super) fn read_array(path: &Path) -> Result<Vec<u8>, Closed> {
    let other = |why: &str| Closed::Other(format!("{}: {why}", name_of(path)));
    if store::version_2(path).is_some() {
        return Err(other(
            "this is a document of Zarr v2; `exactum validate --modernize` prints the one of Zarr v3",
        ));
    }
    read(path, MAX_MIB).map_err(|error| other(&error.to_string()))
}

/// Judges the bytes of an array document.
///
/// # Errors
/// If it is not one, its numbers are not known, or it is rejected. What only a ruling forbids passes.
pub(super) fn judge_array(name: &str, bytes: &[u8]) -> Result<Box<ArrayDocument>, Closed> {
    let other = |why: &str| Closed::Other(format!("{name}: {why}"));
    match kind_of(bytes) {
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
    match exactum_metadata::judge_whole_array(bytes) {
        Ok(Judged::Known(document)) => Ok(document),
        Ok(Judged::NotNumbers(_)) => Err(other("its elements are not numbers")),
        Ok(_) => Err(other(
            "its data type or its chunk grid is not known here; `exactum validate` says more",
        )),
        Err(faults) => Err(Closed::rejected(
            name,
            bytes,
            &rejected(*faults, Vec::new(), false),
        )),
    }
}

impl Closed {
    /// A document that is rejected.
    pub(super) fn rejected(name: &str, bytes: &[u8], judgement: &Judgement) -> Self {
        let text = Text::new(bytes);
        Closed::Rejected {
            words: report::words(name, &text, judgement, false, style::use_color()),
            document: report::document(name, &text, judgement, false),
        }
    }
}
