//! What a failing test says: the case, the element with its bits, and the clause.

use std::fmt::Write as _;

use exactum_conformance::report::level_name;
use exactum_conformance::run::Judged;
use exactum_vectors::spec::Clause;
use exactum_vectors::{Case, Group};

/// Whether a case came out as it is expected to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Kept<'a> {
    /// It passes, or fails as the file of expectations says.
    Yes,
    /// It fails, and nobody expects that.
    Fails,
    /// It fails in another way than the file says, which has this digest.
    FailsOtherwise(&'a str),
    /// It passes, and the file says that it fails.
    Passes,
}

/// Holds a verdict against the digest of the answer that is expected to be wrong.
pub(crate) fn kept<'a>(judged: &Judged, expected: Option<&'a str>) -> Kept<'a> {
    match (judged.verdict.is_failure(), expected) {
        (false, None) => Kept::Yes,
        (false, Some(_)) => Kept::Passes,
        (true, None) => Kept::Fails,
        (true, Some(digest)) if digest == judged.digest => Kept::Yes,
        (true, Some(digest)) => Kept::FailsOtherwise(digest),
    }
}

/// What is told of a case that did not come out as expected.
pub(crate) fn tell(
    kept: &Kept<'_>,
    file: &str,
    (group, case): (&Group, &Case),
    judged: &Judged,
    clauses: &[Clause],
) -> String {
    let level = level_name(group.level);
    let mut text = format!("{} ({level}): {}", judged.case, judged.verdict);
    // Writing to a String cannot fail.
    let _ = match kept {
        Kept::Yes | Kept::Fails => Ok(()),
        Kept::FailsOtherwise(digest) => write!(
            text,
            "\n  {file} expects the wrong answer {digest}, and this one is {}",
            judged.digest
        ),
        Kept::Passes => write!(text, "\n  {file} expects it to fail: take it out"),
    };
    if let Some(difference) = &judged.difference {
        let _ = write!(text, "\n  {difference}");
    }
    for id in group.case_clauses(case) {
        let said = clauses.iter().find(|clause| clause.id == id);
        let said = said.map_or("", |clause| &clause.text);
        let _ = write!(text, "\n  clause {id}: {said}");
        if let Some(quote) = said_upstream(clauses, id) {
            let _ = write!(text, "\n    upstream: {quote}");
        }
    }
    text
}

/// The sentence of the upstream text that a clause quotes.
fn said_upstream<'a>(clauses: &'a [Clause], id: &str) -> Option<&'a str> {
    let clause = clauses.iter().find(|clause| clause.id == id)?;
    Some(clause.quote.as_str()).filter(|quote| !quote.is_empty())
}
