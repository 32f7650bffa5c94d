//! Reports of the results, for terminals, machines, browsers and continuous integration.

mod badge;
mod derive;
mod explain;
mod failures;
mod html;
mod json;
mod junit;
mod overview;
mod summary;
mod table;

use std::collections::BTreeMap;

use exactum_vectors::Level;

use crate::expectations::{Entry, Expectations, Review};
use crate::run::{Judged, Report};
use crate::verdict::Verdict;

pub use crate::outline::Outline;
pub use badge::badge;
pub use derive::{Step, derivation};
pub use explain::{Answered, explain};
pub(crate) use failures::command_by_name;
pub use failures::{failures, new_faults};
pub use html::html;
pub use json::json;
pub use junit::junit;
pub use overview::overview;
pub use summary::{cut, summary};
pub(crate) use table::right;
pub use table::table;

/// An implementation's report with its name on the command line and its review.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// The name by which the command refers to it.
    pub name: String,
    /// The command line that starts it, if it has no such name.
    pub command: Option<String>,
    /// The report.
    pub report: Report,
    /// The expectations that the review used.
    pub expectations: Expectations,
    /// The expected and the unexpected results.
    pub review: Review,
}

/// An implementation that should have been judged but is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// The name by which the command refers to it.
    pub name: String,
    /// The reason why it is missing.
    pub why: String,
    /// What to do about it.
    pub remedy: String,
}

/// Counts by verdict, with failures split into expected and unexpected ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The counts of all verdicts.
    pub verdicts: BTreeMap<Verdict, usize>,
    /// The number of expected failures.
    pub known: usize,
    /// The number of unexpected failures.
    pub unknown: usize,
}

impl Tally {
    /// Adds a case.
    pub fn add(&mut self, judged: &Judged, expected: bool) {
        *self.verdicts.entry(judged.verdict).or_default() += 1;
        if judged.verdict.is_failure() {
            if expected {
                self.known += 1;
            } else {
                self.unknown += 1;
            }
        }
    }

    /// Returns the number of cases with a verdict.
    #[must_use]
    pub fn of(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or_default()
    }
}

impl Reviewed {
    /// Returns whether a failing case is expected.
    #[must_use]
    pub fn expects(&self, case: &str) -> bool {
        self.review.expected.contains_key(case)
    }

    /// Counts the cases that ran and that the implementation offers.
    #[must_use]
    pub fn asked(&self) -> usize {
        let cases = self.report.cases.iter();
        cases.filter(|judged| judged.verdict.is_judged()).count()
    }

    /// Returns whether nothing was sent to it, because the vectors cover nothing that it offers.
    #[must_use]
    pub fn has_nothing_to_judge(&self) -> bool {
        let mut verdicts = self.report.cases.iter().map(|judged| judged.verdict);
        verdicts.all(|verdict| verdict == Verdict::Unsupported)
    }

    /// Returns the entry that expects a failing case.
    #[must_use]
    pub fn entry(&self, case: &str) -> Option<&Entry> {
        let place = self.review.expected.get(case)?;
        self.expectations.entries.get(*place)
    }

    /// Returns whether a failing case is expected and accuses the implementation of nothing ([`Entry::accuses`]).
    #[must_use]
    pub fn is_excused(&self, case: &str) -> bool {
        self.entry(case).is_some_and(|entry| !entry.accuses())
    }

    /// Returns the counts of all cases.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for judged in &self.report.cases {
            tally.add(judged, self.expects(&judged.case));
        }
        tally
    }
}

impl Outline {
    /// Returns an implementation's counts by clause.
    #[must_use]
    pub fn by_clause(&self, reviewed: &Reviewed) -> BTreeMap<String, Tally> {
        let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
        for judged in &reviewed.report.cases {
            let expected = reviewed.expects(&judged.case);
            for clause in self.clauses(&judged.case) {
                match tallies.get_mut(clause) {
                    Some(tally) => tally.add(judged, expected),
                    None => tallies
                        .entry(clause.clone())
                        .or_default()
                        .add(judged, expected),
                }
            }
        }
        tallies
    }
}

/// Returns the name of a level in reports.
#[must_use]
pub const fn level_name(level: Level) -> &'static str {
    match level {
        Level::Must => "must",
        Level::Ruling => "ruling",
        Level::May => "may",
    }
}

/// Wraps a text into lines of at most `width` characters after `indent`.
#[must_use]
pub fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let mut lines = vec![indent.to_owned()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().map_or(0, |line| line.chars().count());
        if line > indent.len() && line + 1 + word.chars().count() > width {
            lines.push(indent.to_owned());
        }
        if let Some(line) = lines.last_mut() {
            if line.len() > indent.len() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}
