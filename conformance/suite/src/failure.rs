//! The report of a failing test: the case, the element with its bits, and the clause.

use std::fmt::Write as _;

use exactum_conformance::report::level_name;
use exactum_conformance::run::Judged;
use exactum_vectors::spec::Clause;
use exactum_vectors::{Case, Group};

/// A verdict compared with the file of expectations.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Comparison<'a> {
    /// The case passes, or fails as the file says.
    AsExpected,
    /// The case fails unexpectedly.
    Fails,
    /// The case fails, but not with the answer of this digest that the file lists.
    FailsDifferently(&'a str),
    /// The case passes, although the file lists it.
    Passes,
}

/// Compares a verdict with the digest of the expected wrong answer.
pub(crate) fn compare<'a>(judged: &Judged, expected: Option<&'a str>) -> Comparison<'a> {
    match (judged.verdict.is_failure(), expected) {
        (false, None) => Comparison::AsExpected,
        (false, Some(_)) => Comparison::Passes,
        (true, None) => Comparison::Fails,
        (true, Some(digest)) if digest == judged.digest => Comparison::AsExpected,
        (true, Some(digest)) => Comparison::FailsDifferently(digest),
    }
}

/// Returns the report of a case whose outcome was unexpected.
pub(crate) fn describe(
    comparison: &Comparison<'_>,
    file: &str,
    (group, case): (&Group, &Case),
    judged: &Judged,
    clauses: &[Clause],
) -> String {
    let level = level_name(group.level);
    let mut text = format!("{} ({level}): {}", judged.case, judged.verdict);
    // Writing to a String cannot fail.
    let _ = match comparison {
        Comparison::AsExpected | Comparison::Fails => Ok(()),
        Comparison::FailsDifferently(digest) => write!(
            text,
            "\n  {file} expects the wrong answer {digest}, but this one is {}",
            judged.digest
        ),
        Comparison::Passes => write!(text, "\n  {file} expects it to fail: remove the entry"),
    };
    if let Some(difference) = &judged.difference {
        let _ = write!(text, "\n  {difference}");
    }
    for id in group.case_clauses(case) {
        let clause = clauses.iter().find(|clause| clause.id == id);
        let sentence = clause.map_or("", |clause| &clause.text);
        let _ = write!(text, "\n  clause {id}: {sentence}");
        if let Some(quote) = upstream_sentence(clauses, id) {
            let _ = write!(text, "\n    upstream: {quote}");
        }
    }
    text
}

/// Returns the sentence of the upstream text that a clause quotes.
fn upstream_sentence<'a>(clauses: &'a [Clause], id: &str) -> Option<&'a str> {
    let clause = clauses.iter().find(|clause| clause.id == id)?;
    Some(clause.quote.as_str()).filter(|quote| !quote.is_empty())
}
