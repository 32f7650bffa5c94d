//! The implementations that have to read an array (`--require`).

use exactum_metadata::DocumentKind;

use super::readers::{Reader, Readers, Subject};
use super::{Judgement, Verdict};

/// Rejects names for which no results are committed.
pub(super) fn check(names: &[String], readers: &Readers) -> Result<(), String> {
    let unknown = names
        .iter()
        .find(|name| !readers.names().any(|known| known == name.as_str()));
    match unknown {
        None => Ok(()),
        Some(name) => Err(format!(
            "--require: there are no results for {name:?}; there are results for {}",
            readers.names().collect::<Vec<_>>().join(", ")
        )),
    }
}

/// Returns the readers of the array in a document that is not rejected.
pub(super) fn readers_of(
    readers: &Readers,
    bytes: &[u8],
    judgement: &Judgement,
) -> Option<Vec<Reader>> {
    if judgement.kind != DocumentKind::Array || judgement.verdict == Verdict::Rejected {
        return None;
    }
    let document = judgement
        .stages
        .as_ref()
        .map(|(document, _)| document.as_ref());
    let subject = Subject::of(bytes, document)?;
    Some(readers.of(&subject))
}

/// Returns the reasons why required implementations do not read an array.
pub(super) fn objections<'r>(
    judgement: &Judgement,
    required: &'r [String],
) -> Vec<(&'r str, String)> {
    if judgement.kind != DocumentKind::Array || judgement.verdict == Verdict::Rejected {
        return Vec::new();
    }
    let readers = judgement.readers.as_deref().unwrap_or_default();
    let objection = |name: &'r String| {
        let why = match readers.iter().find(|reader| reader.name() == name) {
            Some(reader) => reader.objection()?,
            None => "not known: no case was run for such codecs".into(),
        };
        Some((name.as_str(), why))
    };
    required.iter().filter_map(objection).collect()
}
