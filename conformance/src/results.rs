//! Results: an implementation's answers to the suite, as stored in `conformance/results/<name>.json`.
//!
//! They are committed, so that every change of an answer is visible, including answers to open cases. They omit what an
//! implementation does not offer, so a new vector changes only the results of the implementations that answer it.

mod known;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::expectations::{ANY, Finding, FindingKind};
use crate::hello::Domain;
use crate::report::{Outline, Reviewed, Tally};
use crate::verdict::Verdict;

/// What to do about outdated results.
pub(crate) const UPDATE: &str = "`exactum run --peers --update-expectations` writes them";

/// The name of the file format.
const FORMAT: &str = "exactum-results";

/// The version of the format. Since version 2, each failure has its answer instead of the kind of its expectation.
const VERSION: u64 = 2;

/// The results of one implementation. They do not depend on when or how fast it ran.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    format: String,
    /// The version of the format.
    version: u64,
    /// The implementation that answered.
    pub implementation: Who,
    /// The arrays that it reads, as its introduction describes them for `chain.decode`, or `None` if it does not read
    /// whole chunks.
    #[serde(default)]
    pub arrays: Option<Domain>,
    /// Those conditions of its expectations that depend on the machine, and whether they held.
    pub conditions: BTreeMap<String, bool>,
    /// Counts by verdict.
    pub verdicts: Counts,
    /// Counts by clause and verdict.
    pub clauses: BTreeMap<String, Counts>,
    /// The cases that failed.
    pub failures: Vec<Failed>,
    /// The answers to open cases.
    pub observed: Vec<Observed>,
    /// The cases that were rejected by accident.
    #[serde(default)]
    pub accidents: Vec<Accident>,
}

/// The number of cases by name of their verdict.
pub type Counts = BTreeMap<String, usize>;

/// The implementation that answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Who {
    /// The name on the command line.
    pub name: String,
    /// The version that it reports.
    pub version: String,
    /// The language that it reports.
    pub language: String,
}

/// A case that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// The full case id.
    pub case: String,
    /// The verdict.
    pub verdict: String,
    /// The digest of the wrong answer, or `any` if it differs from run to run.
    pub answer: String,
}

/// The answer to an open case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Observed {
    /// The full case id.
    pub case: String,
    /// The digest of the answer.
    pub answer: String,
}

/// A case that was rejected by an exception that is not a deliberate refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accident {
    /// The full case id.
    pub case: String,
    /// The exception's name.
    pub exception: String,
}

impl Results {
    /// Returns the results of a run of the whole suite.
    #[must_use]
    pub fn of(outline: &Outline, reviewed: &Reviewed) -> Self {
        let hello = &reviewed.report.hello;
        let clauses = outline.by_clause(reviewed).into_iter();
        let cases = &reviewed.report.cases;
        Self {
            format: FORMAT.into(),
            version: VERSION,
            implementation: Who {
                name: reviewed.name.clone(),
                version: hello.version.clone(),
                language: hello.language.clone(),
            },
            arrays: hello.operations.get("chain.decode").cloned(),
            conditions: reviewed.expectations.conditions(&hello.version),
            verdicts: counts(&reviewed.tally()),
            clauses: clauses
                .map(|(clause, tally)| (clause, counts(&tally)))
                .filter(|(_, counts)| !counts.is_empty())
                .collect(),
            failures: cases
                .iter()
                .filter(|judged| judged.verdict.is_failure())
                .map(|judged| Failed {
                    case: judged.case.clone(),
                    verdict: judged.verdict.name().into(),
                    answer: reviewed
                        .entry(&judged.case)
                        .and_then(|entry| entry.answers.get(&judged.case))
                        .filter(|answer| *answer == ANY)
                        .unwrap_or(&judged.digest)
                        .clone(),
                })
                .collect(),
            observed: cases
                .iter()
                .filter(|judged| judged.verdict == Verdict::Observed)
                .map(|judged| Observed {
                    case: judged.case.clone(),
                    answer: judged.digest.clone(),
                })
                .collect(),
            accidents: cases
                .iter()
                .filter_map(|judged| {
                    Some(Accident {
                        case: judged.case.clone(),
                        exception: judged.accident.clone()?,
                    })
                })
                .collect(),
        }
        .sorted()
    }

    fn sorted(mut self) -> Self {
        self.failures.sort_by(|a, b| a.case.cmp(&b.case));
        self.observed.sort_by(|a, b| a.case.cmp(&b.case));
        self.accidents.sort_by(|a, b| a.case.cmp(&b.case));
        self
    }

    /// Returns the file that holds the results of an implementation.
    #[must_use]
    pub fn path(folder: &Path, name: &str) -> PathBuf {
        folder.join(format!("{name}.json"))
    }

    /// Reads the results of an implementation. Returns `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read or does not hold the results of this implementation.
    pub fn load(folder: &Path, name: &str) -> Result<Option<Self>, String> {
        let path = Self::path(folder, name);
        let at = |error: &dyn Display| format!("{}: {error}", path.display());
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(at(&error)),
        };
        Self::parse(&text, name)
            .map(Some)
            .map_err(|error| at(&error))
    }

    /// Parses the results of an implementation.
    ///
    /// # Errors
    /// If the text does not hold the results of this implementation in the current format.
    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let results: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if results.format != FORMAT
            || results.version != VERSION
            || results.implementation.name != name
        {
            return Err(
                "these are the results of another implementation or in another format".into(),
            );
        }
        if results.render() != text || !results.adds_up() {
            return Err(format!(
                "the file differs from what Exactum writes; {UPDATE}"
            ));
        }
        Ok(results)
    }

    /// Returns whether the counts match the cases that are listed.
    fn adds_up(&self) -> bool {
        let mut listed = Counts::new();
        let observed = self.observed.iter().map(|_| Verdict::Observed.name());
        let failures = self.failures.iter().map(|failed| failed.verdict.as_str());
        for verdict in failures.chain(observed) {
            *listed.entry(verdict.to_owned()).or_default() += 1;
        }
        let mut counted = self.verdicts.clone();
        counted.remove(Verdict::Pass.name());
        listed == counted
    }

    /// Returns the text of the file, with one clause or case per line.
    #[must_use]
    pub fn render(&self) -> String {
        let arrays = self.arrays.as_ref();
        let arrays = arrays.map(|arrays| format!("\n \"arrays\": {},", json!(arrays)));
        let mut text = format!(
            "{{\"format\": \"{FORMAT}\", \"version\": {VERSION},\n \"implementation\": {},{}\n \
             \"conditions\": {},\n \"verdicts\": {},\n \"clauses\": {{",
            json!(self.implementation),
            arrays.unwrap_or_default(),
            json!(self.conditions),
            json!(self.verdicts),
        );
        let clauses = self.clauses.iter();
        lines(
            &mut text,
            clauses.map(|(clause, counts)| format!("{}: {}", json!(clause), json!(counts))),
        );
        text.push_str("},\n \"failures\": [");
        lines(&mut text, self.failures.iter().map(|it| json!(it)));
        text.push_str("],\n \"observed\": [");
        lines(&mut text, self.observed.iter().map(|it| json!(it)));
        if !self.accidents.is_empty() {
            text.push_str("],\n \"accidents\": [");
            lines(&mut text, self.accidents.iter().map(|it| json!(it)));
        }
        text.push_str("]}\n");
        text
    }

    /// Compares the current results with the committed ones. If those were made on a machine of another kind, on which
    /// other known faults show, there is nothing to compare.
    #[must_use]
    pub fn findings(&self, committed: Option<&Self>) -> Vec<Finding> {
        let find = |(case, detail)| Finding {
            case,
            kind: FindingKind::Results,
            detail,
        };
        match committed {
            None => vec![find((
                self.implementation.name.clone(),
                format!("there are no committed results yet; {UPDATE}"),
            ))],
            Some(committed) if committed.conditions != self.conditions => Vec::new(),
            Some(committed) => committed.differences(self).into_iter().map(find).collect(),
        }
    }

    /// Returns the open cases that both runs answered, but differently.
    #[must_use]
    pub fn answered_otherwise(&self, now: &Self) -> BTreeSet<String> {
        let answers = |results: &Self| -> BTreeMap<String, String> {
            let observed = results.observed.iter();
            observed
                .map(|it| (it.case.clone(), it.answer.clone()))
                .collect()
        };
        let then = answers(self);
        answers(now)
            .into_iter()
            .filter(|(case, answer)| then.get(case).is_some_and(|then| then != answer))
            .map(|(case, _)| case)
            .collect()
    }

    /// Returns the differences as pairs of subject and description: first cases, then counts.
    fn differences(&self, now: &Self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        if self.implementation != now.implementation {
            found.push((
                self.implementation.name.clone(),
                format!(
                    "{} became {}",
                    json!(self.implementation),
                    json!(now.implementation)
                ),
            ));
        }
        if self.arrays != now.arrays {
            let words = format!("{} became {}", json!(self.arrays), json!(now.arrays));
            found.push(("chain.decode".into(), words));
        }
        let said = |results: &Self| -> [BTreeMap<String, String>; 4] {
            let failures = results.failures.iter();
            let failures =
                failures.map(|it| (it.case.clone(), format!("{} ({})", it.verdict, it.answer)));
            let observed = results.observed.iter();
            let observed = observed.map(|it| (it.case.clone(), format!("observed {}", it.answer)));
            let accidents = results.accidents.iter();
            let accidents =
                accidents.map(|it| (it.case.clone(), format!("refused by {}", it.exception)));
            let clauses = results.clauses.iter();
            let counted = clauses
                .map(|(clause, counts)| (clause.clone(), json!(counts).to_string()))
                .chain([("all cases".into(), json!(results.verdicts).to_string())]);
            [
                failures.collect(),
                observed.collect(),
                accidents.collect(),
                counted.collect(),
            ]
        };
        for (then, now) in said(self).iter().zip(&said(now)) {
            compare(&mut found, then, now);
        }
        found
    }
}

fn counts(tally: &Tally) -> Counts {
    tally
        .verdicts
        .iter()
        .filter(|(verdict, _)| **verdict != Verdict::Unsupported)
        .map(|(verdict, count)| (verdict.name().to_owned(), *count))
        .collect()
}

fn lines(text: &mut String, items: impl Iterator<Item = impl Display>) {
    let mut before = "\n  ";
    for item in items {
        // Writing to a String cannot fail.
        let _ = write!(text, "{before}{item}");
        before = ",\n  ";
    }
}

fn compare(
    found: &mut Vec<(String, String)>,
    then: &BTreeMap<String, String>,
    now: &BTreeMap<String, String>,
) {
    let keys: BTreeSet<&String> = then.keys().chain(now.keys()).collect();
    for key in keys {
        let (then, now) = (then.get(key), now.get(key));
        if then != now {
            let none = "nothing".to_owned();
            let words = format!("{} became {}", then.unwrap_or(&none), now.unwrap_or(&none));
            found.push((key.clone(), words));
        }
    }
}
