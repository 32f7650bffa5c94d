//! Cases of the vectors, and the entries of the committed files about their failures.

use std::collections::BTreeMap;

use exactum_conformance::expectations::Entry;
use exactum_conformance::findings;
use exactum_conformance::history::History;
use exactum_conformance::report::Outline;
use exactum_vectors::{Case, Group};

/// The cases, with their levels and clauses, and the versions that have failed them.
pub(crate) struct Vectors<'a> {
    pub(crate) outline: &'a Outline,
    pub(crate) cases: &'a BTreeMap<String, (&'a Group, &'a Case)>,
    pub(crate) history: &'a History,
}

/// Returns the row of the grid to which a clause or a case belongs.
pub(crate) fn row_of(id: &str) -> &str {
    id.split(['.', '/']).next().unwrap_or_default()
}

/// Returns the entry that expects a case to fail.
pub(crate) fn entry_of<'a>(one: &'a findings::Known, case: &str) -> Option<&'a Entry> {
    let mut entries = one.expectations.entries.iter();
    entries.find(|entry| entry.answers.contains_key(case))
}

/// Returns the digest of an implementation's answer to a case that it fails.
pub(crate) fn answer_of<'a>(one: &'a findings::Known, case: &str) -> Option<&'a str> {
    entry_of(one, case).and_then(|entry| entry.answers.get(case).map(String::as_str))
}
