//! The page of findings: the faults that the vectors find in implementations, a line each, made of
//! the committed expectations and results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use exactum_vectors::Level;

use crate::expectations::{Entry, Expectations, Kind};
use crate::report::{Outline, command_by_name};
use crate::results::{Results, UPDATE};

/// What is known of one implementation.
#[derive(Clone, Debug)]
pub struct Known {
    /// The name in the command.
    pub name: String,
    /// Its expectations.
    pub expectations: Expectations,
    /// Its committed results; none where it was never judged.
    pub results: Option<Results>,
}

/// The tables of the page: which kinds of entries are in them, the heading, and what it is about.
const TABLES: &[(&[Kind], &str, &str)] = &[
    (
        &[Kind::Bug, Kind::WontFix],
        "Faults",
        "The specification, or a ruling where its text is open, requires something else.",
    ),
    (
        &[Kind::SpecDispute],
        "Other readings",
        "The text contradicts itself or can be read the way these implementations read it.",
    ),
    (
        &[Kind::Unsupported],
        "Not supported",
        "The implementation says that it lacks something, or has it only in part.",
    ),
];

/// One line: what entries of one fault of one implementation have in common.
struct Fault<'a> {
    known: &'a Known,
    version: &'a str,
    entry: &'a Entry,
    cases: BTreeSet<&'a str>,
}

/// The page in Markdown.
///
/// # Errors
/// Where expectations and results do not fit together: each a line.
pub fn page(outline: &Outline, all: &[Known]) -> Result<String, Vec<String>> {
    let mut problems = Vec::new();
    let mut faults: BTreeMap<(&str, &str, Kind), Fault<'_>> = BTreeMap::new();
    let mut judged = BTreeSet::new();
    for known in all {
        let Some(results) = &known.results else {
            problems.push(format!(
                "{}: there are expectations, but no results; {UPDATE}",
                known.name
            ));
            continue;
        };
        let who = &results.implementation;
        judged.insert(format!("{} {}", who.name, who.version));
        problems.extend(disagreements(known, results));
        for failed in &results.failures {
            let entries = known.expectations.entries.iter();
            let entry = entries
                .filter(|entry| entry.kind.name() == failed.kind)
                .find(|entry| entry.answers.contains_key(&failed.case));
            if let Some(entry) = entry {
                faults
                    .entry((&entry.fault, &known.name, entry.kind))
                    .or_insert_with(|| Fault {
                        known,
                        version: &who.version,
                        entry,
                        cases: BTreeSet::new(),
                    })
                    .cases
                    .insert(&failed.case);
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut faults: Vec<(String, Fault<'_>)> = faults
        .into_values()
        .map(|fault| (clauses(outline, &fault), fault))
        .collect();
    // Faults of one clause stand together, whoever has them.
    faults.sort_by(|(a, x), (b, y)| {
        (a, &x.entry.fault, &x.known.name).cmp(&(b, &y.entry.fault, &y.known.name))
    });
    Ok(write(outline, &judged, &faults))
}

/// Where the expectations of an implementation and its results do not fit together.
fn disagreements(known: &Known, results: &Results) -> Vec<String> {
    let mut found = Vec::new();
    let failed: BTreeSet<&str> = results
        .failures
        .iter()
        .map(|failed| failed.case.as_str())
        .collect();
    let mut expected = BTreeSet::new();
    for entry in &known.expectations.entries {
        if applies(entry, results) {
            expected.extend(entry.answers.keys().map(String::as_str));
        }
    }
    for case in expected.difference(&failed) {
        found.push(format!(
            "{}: its results do not have {case}; {UPDATE}",
            known.name
        ));
    }
    for case in failed.difference(&expected) {
        found.push(format!(
            "{}: no expectation has {case}; {UPDATE}",
            known.name
        ));
    }
    found
}

/// Whether an entry was about the run that gave these results.
fn applies(entry: &Entry, results: &Results) -> bool {
    let Some(when) = &entry.when else {
        return true;
    };
    let version = &results.implementation.version;
    when.version.as_ref().is_none_or(|only| only == version)
        && when
            .machine()
            .is_none_or(|machine| results.conditions.get(&machine) == Some(&true))
}

fn write(outline: &Outline, judged: &BTreeSet<String>, faults: &[(String, Fault<'_>)]) -> String {
    let mut text = String::from(
        "# Findings\n\n\
         The faults that the vectors find in implementations, one per line. `cargo xtask findings` generates this page\n\
         from `conformance/expectations/` and `conformance/results/`.\n\n\
         *Cases* counts vectors, those of level *must* first, which test what a specification states explicitly.\n\
         The others are of level *ruling*, our reading where the text is open, or of level *may*, for what is\n\
         optional. The command shows one case with its input, the expected result and the actual answer;\n\
         `exactum` stands for `cargo run --release --`, and `cargo xtask peers` sets up the implementations.\n",
    );
    let judged: Vec<&str> = judged.iter().map(String::as_str).collect();
    // Writing to a String cannot fail.
    let _ = write!(text, "\nJudged: {}.\n", judged.join(", "));
    for (kinds, heading, about) in TABLES {
        let rows: Vec<&(String, Fault<'_>)> = faults
            .iter()
            .filter(|(_, fault)| kinds.contains(&fault.entry.kind))
            .collect();
        if rows.is_empty() {
            continue;
        }
        let _ = write!(
            text,
            "\n## {heading}\n\n{about}\n\n| clause | who | what | cases | shown by |\n|---|---|---|---|---|\n"
        );
        for (clauses, fault) in rows {
            let _ = writeln!(text, "{}", row(outline, clauses, fault));
        }
    }
    text
}

fn row(outline: &Outline, clauses: &str, fault: &Fault<'_>) -> String {
    let entry = fault.entry;
    let must: Vec<&&str> = fault
        .cases
        .iter()
        .filter(|case| outline.level(case) == Some(Level::Must))
        .collect();
    let others = fault.cases.len() - must.len();
    let counted = match (must.len(), others) {
        (must, 0) => must.to_string(),
        (must, others) => format!("{must} + {others}"),
    };
    let shown = must.first().copied().or(fault.cases.iter().next());
    let shown = shown.map(|case| command_by_name(case, &fault.known.name));
    let mut what = format!("**{}.** {}", cell(&entry.fault), cell(&entry.reason));
    if let Some(machine) = entry.when.as_ref().and_then(|when| when.machine()) {
        let _ = write!(what, " Seen with {}.", cell(&machine));
    }
    if entry.kind == Kind::WontFix {
        what.push_str(" Its authors have decided to keep it.");
    }
    if entry.link.starts_with("https://") {
        let _ = write!(what, " [source]({})", entry.link);
    } else if !entry.link.is_empty() {
        let _ = write!(what, " ({})", cell(&entry.link));
    }
    format!(
        "| {clauses} | {} {} | {what} | {counted} | `{}` |",
        fault.known.name,
        fault.version,
        shown.unwrap_or_default()
    )
}

/// The clause that an entry names, or those that most of its cases cite: all of them, where there
/// are such clauses.
fn clauses(outline: &Outline, fault: &Fault<'_>) -> String {
    if let Some(clause) = &fault.entry.clause {
        return format!("`{clause}`");
    }
    let mut cited: BTreeMap<&str, usize> = BTreeMap::new();
    for case in &fault.cases {
        for clause in outline.clauses(case) {
            *cited.entry(clause).or_default() += 1;
        }
    }
    let most = cited.values().copied().max().unwrap_or_default();
    let named: Vec<String> = cited
        .iter()
        .filter(|(_, count)| **count == most)
        .map(|(clause, _)| format!("`{clause}`"))
        .collect();
    named.join(", ")
}

/// Words that stand in a cell of a table.
fn cell(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    words.join(" ").replace('|', "\\|").replace('<', "&lt;")
}
