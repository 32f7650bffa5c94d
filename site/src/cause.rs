//! The causes of an implementation's failures.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use exactum_conformance::expectations::{Entry, Kind, Reported};
use exactum_conformance::fairness::PROGRAMS;
use exactum_conformance::findings;
use exactum_conformance::results::Results;
use exactum_vectors::Level;
use serde_json::{Value, json};

use crate::entries::{Vectors, answer_of, entry_of, row_of};
use crate::example::example;

use crate::text::named;

/// Verdicts, the worst first: a wrong value is the worst, because a reader does not notice it.
const WORST: [&str; 7] = [
    "wrong value",
    "crash",
    "timeout",
    "accepted but must reject",
    "rejected but must accept",
    "protocol violation",
    "skipped although declared",
];

/// A cause of failures of one implementation.
pub(crate) struct Cause {
    /// A stable name, which changes only if the text of the fault changes.
    pub(crate) id: String,
    pub(crate) fault: String,
    /// The clauses that the cause breaks.
    pub(crate) clauses: BTreeSet<String>,
    /// The section of the findings to which it belongs: fault, own-words, reading, other-text or unsupported.
    pub(crate) section: &'static str,
    /// The index of its worst verdict in [`WORST`].
    pub(crate) severity: usize,
    /// The data that the pages show.
    pub(crate) shown: Value,
    /// The ids of its cases.
    pub(crate) cases: BTreeSet<String>,
    /// The data types and codecs of its cases.
    pub(crate) data_types: BTreeSet<String>,
    pub(crate) codecs: BTreeSet<String>,
}

/// The cases of one fault.
struct Gathered<'a> {
    entry: Option<&'a Entry>,
    cases: Vec<&'a str>,
    verdicts: BTreeMap<&'a str, usize>,
}

/// Collects the causes of an implementation's failures, the worst first.
pub(crate) fn causes(
    known: &Vectors<'_>,
    one: &findings::Known,
    results: &Results,
    root: &Path,
) -> Vec<Cause> {
    let mut gathered: BTreeMap<(&str, &str), Gathered<'_>> = BTreeMap::new();
    for failed in &results.failures {
        let entry = entry_of(one, &failed.case);
        let key = entry.map_or(("not reviewed yet", ""), |entry| {
            (entry.fault.as_str(), entry.reason.as_str())
        });
        let cause = gathered.entry(key).or_insert_with(|| Gathered {
            entry,
            cases: Vec::new(),
            verdicts: BTreeMap::new(),
        });
        cause.cases.push(&failed.case);
        *cause.verdicts.entry(&failed.verdict).or_default() += 1;
    }
    let mut causes: Vec<Cause> = Vec::new();
    for ((fault, _), gathered) in gathered {
        let mut id = slug(fault);
        while causes.iter().any(|cause| cause.id == id) {
            id.push_str("-2");
        }
        causes.push(cause(known, one, root, (id, fault), &gathered));
    }
    causes.sort_by_key(|cause| {
        let cases = cause.shown["cases"].as_u64().unwrap_or_default();
        (
            section_order(cause.section),
            cause.severity,
            u64::MAX - cases,
        )
    });
    causes
}

fn is_must(known: &Vectors<'_>, case: &str) -> bool {
    known.outline.level(case) == Some(Level::Must)
}

/// Returns the clauses that a cause breaks: those named by its entry, or otherwise those of its first case.
fn clauses(known: &Vectors<'_>, gathered: &Gathered<'_>, must: usize) -> BTreeSet<String> {
    let entry = gathered.entry.map(|entry| entry.clauses.as_slice());
    let own = entry.filter(|clauses| !clauses.is_empty());
    let mut cases = gathered.cases.iter();
    let mut first = || cases.find(|case| is_must(known, case) || must == 0);
    let clauses = own.or_else(|| first().map(|case| known.outline.clauses(case)));
    clauses.unwrap_or_default().iter().cloned().collect()
}

/// Returns the case with the shortest readable answer, because it is the most instructive one.
fn shown_case<'a>(
    known: &Vectors<'_>,
    one: &findings::Known,
    gathered: &Gathered<'a>,
    clauses: &BTreeSet<String>,
    (must, severity): (usize, usize),
) -> Option<&'a str> {
    let cases = gathered.cases.iter().copied();
    cases.min_by_key(|case| {
        let answer = answer_of(one, case).unwrap_or_default();
        let mut cited = known.outline.clauses(case).iter();
        let length = known.cases.get(*case).map_or(usize::MAX, |(group, of)| {
            json!([of.request, of.expect, group.request])
                .to_string()
                .len()
        });
        (
            is_must(known, case) != (must > 0),
            !cited.any(|it| clauses.contains(it)),
            answer.contains("sha256:"),
            !answer.contains("ok") && severity == 0,
            length,
        )
    })
}

fn cause(
    known: &Vectors<'_>,
    one: &findings::Known,
    root: &Path,
    (id, fault): (String, &str),
    gathered: &Gathered<'_>,
) -> Cause {
    let must = gathered.cases.iter();
    let must = must.filter(|case| is_must(known, case)).count();
    let severity = WORST
        .iter()
        .position(|verdict| gathered.verdicts.contains_key(verdict))
        .unwrap_or(WORST.len());
    let (mut data_types, mut codecs) = (BTreeSet::new(), BTreeSet::new());
    let mut rows = BTreeSet::new();
    for case in &gathered.cases {
        rows.insert(row_of(case));
        if let Some((group, of)) = known.cases.get(*case) {
            for request in [&group.request, &of.request] {
                let text = json!(request).to_string().replace('\\', "");
                data_types.extend(named(&text, "\"data_type\":\"").map(str::to_owned));
                codecs.extend(named(&text, "\"name\":\"").map(str::to_owned));
            }
        }
    }
    let clauses = clauses(known, gathered, must);
    let shown_case = shown_case(known, one, gathered, &clauses, (must, severity));
    let section = section(gathered.entry, must);
    let mut shown = json!({
        "id": id, "implementation": one.name, "fault": fault, "section": section,
        "severity": WORST.get(severity), "clauses": clauses, "rows": rows,
        "cases": gathered.cases.len(), "must": must, "verdicts": gathered.verdicts,
    });
    let library = known.history.of(&one.name);
    if let Some(library) = library
        && let Some([first, last]) = library.faults.get(fault)
    {
        shown["seen"] = json!({ "first": first, "last": last });
    }
    if let Some(entry) = gathered.entry {
        shown["reason"] = entry.reason.as_str().into();
        shown["link"] = entry.link.as_str().into();
        shown["decision"] = json!(entry.decision);
        shown["promise"] = json!(entry.promise);
        shown["ruling"] = json!(entry.ruling);
        shown["machine"] = json!(entry.when.as_ref().and_then(|when| when.machine()));
        shown["reported"] = match &entry.reported {
            Some(Reported::At(link)) => json!(link),
            Some(Reported::No) => json!(false),
            None => Value::Null,
        };
        if let Some(program) = &entry.program {
            let text = fs::read_to_string(root.join(PROGRAMS).join(program));
            shown["program"] = json!({ "path": program, "text": text.unwrap_or_default() });
        }
    }
    if let Some(case) = shown_case
        && let Some((group, of)) = known.cases.get(case)
    {
        shown["example"] = example(group, of, answer_of(one, case));
    }
    Cause {
        id,
        fault: fault.to_owned(),
        clauses,
        section,
        severity,
        shown,
        cases: gathered.cases.iter().map(ToString::to_string).collect(),
        data_types,
        codecs,
    }
}

/// Returns the section to which a cause belongs, with the same rules as the page of findings.
fn section(entry: Option<&Entry>, must: usize) -> &'static str {
    let Some(entry) = entry else { return "fault" };
    match entry.kind {
        Kind::OtherText => "other-text",
        Kind::Bug | Kind::WontFix if entry.promise.is_some() => "own-words",
        Kind::Bug | Kind::WontFix | Kind::Unreviewed if must > 0 && entry.accuses() => "fault",
        Kind::Unsupported => "unsupported",
        _ => "reading",
    }
}

fn section_order(section: &str) -> usize {
    ["fault", "own-words", "unsupported", "reading", "other-text"]
        .iter()
        .position(|it| *it == section)
        .unwrap_or_default()
}

/// Turns a text into a part of a URL.
fn slug(words: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let made: String = words.chars().map(plain).collect();
    let parts: Vec<&str> = made.split('-').filter(|part| !part.is_empty()).collect();
    parts.join("-")
}
