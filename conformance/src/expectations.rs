//! Expectations: the known failures of a peer, each with a reason and the answer it gives.

mod reported;
mod update;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::digest::ends_program;
use crate::machine;
use crate::outline::Outline;
use crate::pattern::Pattern;
use crate::run::{Judged, Report, Selection};

pub use reported::Reported;

/// The expectations for one peer: the file `conformance/expectations/<peer>.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectations {
    /// The entries.
    #[serde(default, rename = "expect")]
    pub entries: Vec<Entry>,
}

/// One known fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The pattern for the cases in which the fault shows.
    pub case: String,
    /// Further patterns for cases in which the same fault shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The kind of fault.
    pub kind: Kind,
    /// A short description of the fault, as listed in `docs/findings.md`: "rounds twice". Entries of one peer with the
    /// same description share one line there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fault: String,
    /// The clauses that it breaks, if the cases cite more than one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// What the peer does, and what the clause demands instead.
    #[serde(default)]
    pub reason: String,
    /// A link to the discussion or to the evidence.
    #[serde(default)]
    pub link: String,
    /// A link to the statement in which the authors decline to change it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// The place in the library's own documentation that the fault contradicts, if the library does not claim to
    /// implement the text of the cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promise: Option<String>,
    /// The ruling that the difference is about, if the cases have level `must` for another reason. Such an entry does
    /// not accuse the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<u32>,
    /// Whether the fault is reported upstream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<Reported>,
    /// The program below `conformance/reports` that shows the fault without an adapter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The condition under which the fault appears. If absent, it always appears.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// Whether the wrong answers differ from run to run, for example because they contain uninitialised memory.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub varies: bool,
    /// The failing cases, each with the digest of the wrong answer, or with [`ANY`]. A separate file of expectations
    /// lists them; in a checkout they are kept in the results only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, String>,
}

impl Entry {
    fn patterns(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.case).chain(&self.also)
    }

    /// Returns whether the cases of level `must` that it expects to fail are faults by the text of the case. They are
    /// not if the library does not claim the text, or if the difference is about a ruling.
    #[must_use]
    pub fn accuses(&self) -> bool {
        let is_other = self.kind == Kind::OtherText || self.promise.is_some();
        !is_other && self.ruling.is_none()
    }

    pub(crate) fn compiled(&self) -> Result<Vec<Pattern>, String> {
        self.patterns().map(|text| Pattern::new(text)).collect()
    }

    /// Returns an entry for failures that have not been reviewed.
    fn unreviewed(case: String, clause: Option<String>) -> Self {
        Self {
            case,
            kind: Kind::Unreviewed,
            clauses: clause.into_iter().collect(),
            ..Self::default()
        }
    }
}

/// Unexpected failures that probably have one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFault {
    /// A pattern that matches the cases.
    pub pattern: String,
    /// The clause that they have in common.
    pub clause: Option<String>,
    /// The cases.
    pub cases: Vec<String>,
}

/// The digest of a wrong answer that differs from run to run, for example because it contains uninitialised memory.
pub const ANY: &str = "any";

/// The names of branches, as opposed to versions.
const BRANCHES: &[&str] = &["main", "master", "develop", "HEAD"];

/// Returns whether the target of a link may change: a file on a branch, or a repository as a whole.
fn is_branch(link: &str) -> bool {
    let Some(path) = link.strip_prefix("https://github.com/") else {
        return false;
    };
    let parts: Vec<&str> = path.split(['/', '#']).collect();
    match parts[..] {
        [_, _, "blob" | "tree" | "raw", branch, ..] => BRANCHES.contains(&branch),
        [
            _,
            _,
            "issues" | "pull" | "releases" | "commit" | "discussions",
            ..,
        ] => false,
        _ => true,
    }
}

/// The kind of fault that an entry describes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A fault.
    Bug,
    /// A fault that its authors decline to fix; `decision` links to their statement.
    WontFix,
    /// A feature that the peer does not have.
    Unsupported,
    /// Another interpretation of the text.
    SpecDispute,
    /// A difference from a text that the library does not claim to implement. It is not a fault and is never counted at
    /// level `must`.
    OtherText,
    /// Not reviewed yet: `exactum check` refuses it.
    #[default]
    Unreviewed,
}

impl Kind {
    /// Returns the name in the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Bug => "bug",
            Kind::WontFix => "wont_fix",
            Kind::Unsupported => "unsupported",
            Kind::SpecDispute => "spec_dispute",
            Kind::OtherText => "other_text",
            Kind::Unreviewed => "unreviewed",
        }
    }
}

/// The condition under which a fault appears. All given members must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// The peer's version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The machine's architecture in Rust's spelling (`x86_64`, `aarch64`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// A required feature of the processor (`f16c`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
}

impl When {
    /// Returns a description of the condition on the machine, or `None` if there is no such condition.
    #[must_use]
    pub fn machine(&self) -> Option<String> {
        let parts: Vec<String> = [("architecture", &self.architecture), ("cpu", &self.cpu)]
            .into_iter()
            .filter_map(|(key, value)| Some(format!("{key} {}", value.as_ref()?)))
            .collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn holds(&self, version: &str) -> bool {
        self.version.as_ref().is_none_or(|only| only == version)
            && self
                .architecture
                .as_ref()
                .is_none_or(|only| only == std::env::consts::ARCH)
            && self
                .cpu
                .as_ref()
                .is_none_or(|feature| machine::has(feature) == Some(true))
    }
}

/// An unexpected result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The case or the pattern concerned.
    pub case: String,
    /// The kind of finding.
    pub kind: FindingKind,
    /// Further explanation; may be empty.
    pub detail: String,
}

/// The ways in which a result can be unexpected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// A failure that no entry expects.
    UnexpectedFailure,
    /// A case passes although an entry expects it to fail.
    UnexpectedPass,
    /// A case fails as expected, but with another answer.
    DifferentAnswer,
    /// An entry matches no case of the suite.
    Stale,
    /// All failures are as expected, but the results differ from the committed ones.
    Results,
}

impl FindingKind {
    /// Returns the name for several findings.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            FindingKind::UnexpectedFailure => "unexpected failures",
            FindingKind::UnexpectedPass => "unexpected passes",
            FindingKind::DifferentAnswer => "different wrong answers",
            FindingKind::Stale => "stale expectations",
            FindingKind::Results => "different from the committed results",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            FindingKind::UnexpectedFailure => "unexpected failure",
            FindingKind::UnexpectedPass => "unexpected pass",
            FindingKind::DifferentAnswer => "different wrong answer",
            FindingKind::Stale => "stale expectation",
            FindingKind::Results => "different from the committed results",
        };
        write!(f, "{kind}: {}", self.case)?;
        if self.detail.is_empty() {
            Ok(())
        } else {
            write!(f, ": {}", self.detail)
        }
    }
}

/// A report compared with expectations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Review {
    /// The failing cases whose answer is expected, each with the index of its entry.
    pub expected: BTreeMap<String, usize>,
    /// The unexpected results.
    pub findings: Vec<Finding>,
}

impl Expectations {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// If the text is not such a file, a pattern is invalid, a condition cannot be tested, or a case does not match its
    /// entry's patterns.
    pub fn parse(text: &str) -> Result<Self, String> {
        let expectations: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut seen = BTreeSet::new();
        for entry in &expectations.entries {
            let patterns = entry.compiled()?;
            for case in entry.answers.keys() {
                if !patterns.iter().any(|pattern| pattern.matches(case)) {
                    return Err(format!("{case} does not match {}", entry.case));
                }
                if entry.when.is_none() && !seen.insert(case) {
                    return Err(format!("{case} is listed in two entries"));
                }
            }
            if let Some(feature) = entry.when.as_ref().and_then(|when| when.cpu.as_ref())
                && machine::has(feature).is_none()
            {
                return Err(format!("{}: unknown feature {feature:?}", entry.case));
            }
        }
        Ok(expectations)
    }

    /// Returns the text of the file.
    ///
    /// # Errors
    /// If it cannot be written as TOML.
    pub fn render(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|error| error.to_string())
    }

    /// Returns the findings of `exactum check`: entries without a review, fault, reason or link; entries that expect
    /// nothing; links whose target may change; and claims that authors declined a change, without a link.
    #[must_use]
    pub fn lint(&self) -> Vec<String> {
        let mut findings = Vec::new();
        for entry in &self.entries {
            let mut find = |what: &str| findings.push(format!("{}: {what}", entry.case));
            if entry.kind == Kind::Unreviewed {
                find("unreviewed");
                continue;
            }
            if entry.fault.is_empty() {
                find("no fault");
            }
            if entry.reason.is_empty() {
                find("no reason");
            }
            if entry.link.is_empty() {
                find("no link");
            }
            if entry.answers.is_empty() {
                find("no answer");
            }
            let links = entry.decision.iter().chain(&entry.promise);
            for link in links.chain([&entry.link]) {
                if is_branch(link) {
                    find("the link points to a branch: use the tag or the commit that was judged");
                }
            }
            if (entry.kind == Kind::WontFix) != entry.decision.is_some() {
                find("the kind wont_fix requires `decision`, and only this kind may have it");
            }
        }
        findings
    }

    fn applying(&self, version: &str) -> impl Iterator<Item = (usize, &Entry)> {
        self.entries
            .iter()
            .enumerate()
            .filter(move |(_, entry)| entry.when.as_ref().is_none_or(|when| when.holds(version)))
    }

    /// Compares a report with the expectations. Cases outside the selection are not judged.
    #[must_use]
    pub fn review(&self, report: &Report, outline: &Outline, selection: &Selection) -> Review {
        let mut review = Review::default();
        let mut expected: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for (place, entry) in self.applying(&report.hello.version) {
            for (case, digest) in &entry.answers {
                expected.insert(case, (place, digest));
            }
        }
        for judged in &report.cases {
            let entry = expected.get(judged.case.as_str());
            match (judged.verdict.is_failure(), entry) {
                (false, None) => {}
                (true, Some((place, digest))) if [ANY, &judged.digest].contains(digest) => {
                    review.expected.insert(judged.case.clone(), *place);
                }
                (true, Some((_, digest))) => review.findings.push(Finding {
                    case: judged.case.clone(),
                    kind: FindingKind::DifferentAnswer,
                    detail: format!("{} instead of {digest}", judged.digest),
                }),
                (true, None) => review.findings.push(Finding {
                    case: judged.case.clone(),
                    kind: FindingKind::UnexpectedFailure,
                    detail: describe(judged),
                }),
                (false, Some(_)) => review.findings.push(Finding {
                    case: judged.case.clone(),
                    kind: FindingKind::UnexpectedPass,
                    detail: judged.verdict.to_string(),
                }),
            }
        }
        review.findings.extend(self.stale(outline, selection));
        review
    }

    /// Returns descriptions of the conditions on the machine in the entries that apply to a version, and whether they
    /// hold here.
    #[must_use]
    pub fn conditions(&self, version: &str) -> BTreeMap<String, bool> {
        let conditions = self.entries.iter().filter_map(|entry| entry.when.as_ref());
        conditions
            .filter(|when| when.version.as_ref().is_none_or(|only| only == version))
            .filter_map(|when| Some((when.machine()?, when.holds(version))))
            .collect()
    }

    /// Returns the entry that expects a case of this version of the peer to fail on this machine.
    #[must_use]
    pub fn entry_of(&self, case: &str, version: &str) -> Option<&Entry> {
        self.applying(version)
            .map(|(_, entry)| entry)
            .find(|entry| entry.answers.contains_key(case))
    }

    /// Returns whether a fault is known here in the topic of a case, `row/topic`. This serves generated cases, which no
    /// entry can name.
    #[must_use]
    pub fn knows_topic_of(&self, case: &str, version: &str) -> bool {
        let topic = |id: &str| -> Option<String> {
            let mut segments = id.splitn(3, '/');
            Some(format!("{}/{}", segments.next()?, segments.next()?))
        };
        let wanted = topic(case);
        self.applying(version)
            .flat_map(|(_, entry)| entry.answers.keys())
            .any(|known| topic(known) == wanted)
    }

    /// Returns the cases that are known to end the program, by a crash, a timeout or a malformed line, and the digest of
    /// each.
    pub fn known_faults(&self) -> impl Iterator<Item = (&String, &String)> {
        let answers = self.entries.iter().flat_map(|entry| &entry.answers);
        answers.filter(|(_, digest)| ends_program(digest))
    }

    /// Returns the entries that match no case of the suite, whether or not they apply here.
    #[must_use]
    pub fn stale(&self, outline: &Outline, selection: &Selection) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut find = |case: &str, detail: &str| {
            findings.push(Finding {
                case: case.to_owned(),
                kind: FindingKind::Stale,
                detail: detail.to_owned(),
            });
        };
        for entry in &self.entries {
            for text in entry.patterns().filter(|_| selection.is_all()) {
                if !Pattern::new(text).is_ok_and(|pattern| outline.has(&pattern)) {
                    find(text, "no case of the suite matches");
                }
            }
            for case in entry.answers.keys() {
                if selection.takes(case) && !outline.cases.contains_key(case) {
                    find(case, "the suite has no such case");
                }
            }
            for clause in entry.clauses.iter().filter(|_| selection.is_all()) {
                let mut cases = entry.answers.keys();
                if !cases.any(|case| outline.clauses(case).contains(clause)) {
                    find(&entry.case, &format!("none of its cases cites {clause}"));
                }
            }
        }
        findings
    }
}

/// Describes a failing case in one line.
#[must_use]
pub fn describe(judged: &Judged) -> String {
    match &judged.difference {
        Some(difference) => format!("{}: {difference}", judged.verdict),
        None => judged.verdict.to_string(),
    }
}
