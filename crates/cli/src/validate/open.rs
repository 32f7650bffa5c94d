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
/// If there is no such document.
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
pub(super) fn open_array(name: &str, bytes: &[u8]) -> Result<Box<ArrayDocument>, Closed> {
    let other = |why: &str| Closed::Other(format!("{name}: {why}"));
    let closed = |judgement: Judgement| Closed::rejected(name, bytes, &judgement);
    let document = Document::scan(bytes)
        .map_err(|report| closed(rejected(report, Vec::new(), false)))?
        .all_errors();
    let kind = match document.kind() {
        DocumentKind::Array => None,
        DocumentKind::Group => {
            Some("this is the document of a group; give the path of one of its arrays")
        }
        DocumentKind::Downsample => Some("this is the document of a view, not of an array"),
        DocumentKind::Sds => Some("this is a document of data sets, not of an array"),
        DocumentKind::Cf => Some("these are the attributes of a variable, not an array"),
    };
    if let Some(why) = kind {
        return Err(other(why));
    }
    let judged = document.array(Accepted::All).map_err(|report| {
        closed(Judgement {
            shape: shape_of(&document),
            ..rejected(report, Vec::new(), false)
        })
    })?;
    judged.array.ok_or_else(|| {
        other(match judged.warnings.foreign {
            true => {
                "the data type or the chunk grid is not known to Exactum; `exactum validate` gives the details"
            }
            false => "the elements are not numbers",
        })
    })
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
