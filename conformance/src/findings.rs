//! The page of findings: the faults that the vectors find in implementations, one per line, generated from the
//! committed expectations and results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use exactum_vectors::Level;

use crate::expectations::{Entry, Expectations, Kind, Reported};
use crate::fairness::{self, Claims};
use crate::report::{Outline, command_by_name};
use crate::results::{Results, UPDATE};

/// The known facts about one implementation.
#[derive(Clone, Debug)]
pub struct Known {
    /// The name on the command line.
    pub name: String,
    /// Its expectations.
    pub expectations: Expectations,
    /// Its committed results, or `None` if it was never judged.
    pub results: Option<Results>,
}

/// A table of the page.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Table {
    Faults,
    OwnWords,
    Readings,
    OtherText,
    Unsupported,
}

impl Table {
    /// The tables in their order, each with its heading and introduction.
    const ALL: [(Self, &'static str, &'static str); 5] = [
        (
            Self::Faults,
            "Faults",
            "The specification requires different behaviour.",
        ),
        (
            Self::OwnWords,
            "Faults by the library's own documentation",
            "These libraries do not claim to implement the text that the vectors test, but their behaviour contradicts \
             their own documentation, to which the line links, under any reading of it.",
        ),
        (
            Self::Readings,
            "Other readings",
            "The text is open, or can be read in the way in which these implementations read it: `spec/rulings.md` lists \
             the questions.",
        ),
        (
            Self::OtherText,
            "Measured against a text that they do not claim",
            "These libraries differ from the text, but they never claimed to implement it, so these differences are not \
             faults, whatever the level of the cases. They are listed because users move data between such libraries.",
        ),
        (
            Self::Unsupported,
            "Not supported",
            "The implementation says that it does not support something, or supports it only in part.",
        ),
    ];

    /// Returns the table that an entry belongs to. A difference from rulings alone is not a fault.
    fn of(entry: &Entry, has_must: bool) -> Self {
        match entry.kind {
            Kind::OtherText => Self::OtherText,
            Kind::Bug | Kind::WontFix if entry.promise.is_some() => Self::OwnWords,
            Kind::Bug | Kind::WontFix | Kind::Unreviewed if has_must && entry.accuses() => {
                Self::Faults
            }
            Kind::Unsupported => Self::Unsupported,
            _ => Self::Readings,
        }
    }
}

/// The common part of all entries, across implementations, for one fault with one cause.
struct KnownFault<'a> {
    entry: &'a Entry,
    /// The clauses that its entries name.
    clauses: BTreeSet<&'a str>,
    /// The implementations that have the fault: name and version.
    who: BTreeMap<&'a str, &'a str>,
    cases: BTreeSet<&'a str>,
}

/// The key by which entries are merged: fault, reason, link and kind.
type Cause<'a> = (&'a str, &'a str, &'a str, Kind);

/// Returns the page in Markdown. `claims` lists, by name, the texts that each implementation claims to implement.
///
/// # Errors
/// If expectations and results contradict each other, or an accusation is unfair. The message has a line for each
/// problem.
pub fn page(
    outline: &Outline,
    claims: &BTreeMap<String, Claims>,
    all: &[Known],
) -> Result<String, Vec<String>> {
    let mut problems = Vec::new();
    let mut faults: BTreeMap<Cause<'_>, KnownFault<'_>> = BTreeMap::new();
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
        problems.extend(fairness::problems(
            outline,
            &known.name,
            &known.expectations,
            claims.get(&known.name),
        ));
        for failed in &results.failures {
            let entries = known.expectations.entries.iter();
            let entry = entries
                .filter(|entry| applies(entry, results))
                .find(|entry| entry.answers.contains_key(&failed.case));
            if let Some(entry) = entry {
                let cause = (
                    entry.fault.as_str(),
                    entry.reason.as_str(),
                    entry.link.as_str(),
                    entry.kind,
                );
                let fault = faults.entry(cause).or_insert_with(|| KnownFault {
                    entry,
                    clauses: BTreeSet::new(),
                    who: BTreeMap::new(),
                    cases: BTreeSet::new(),
                });
                fault
                    .clauses
                    .extend(entry.clauses.iter().map(String::as_str));
                fault.who.insert(&known.name, &who.version);
                fault.cases.insert(&failed.case);
            }
        }
    }
    let mut lines = Vec::new();
    for fault in faults.into_values() {
        match Line::of(outline, fault) {
            Ok(line) => lines.push(line),
            Err(problem) => problems.push(problem),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    // Faults of one clause are listed together, across implementations.
    lines.sort_by(|a, b| a.order().cmp(&b.order()));
    Ok(write(outline, &judged, &lines, &accidents(all)))
}

/// A line of a table.
struct Line<'a> {
    table: Table,
    clauses: Vec<&'a str>,
    /// The case that is shown as an example.
    shown: &'a str,
    fault: KnownFault<'a>,
}

impl<'a> Line<'a> {
    /// Returns the line of a fault. Its clauses are those that its entries name or, failing that, those that most of
    /// its cases cite; only cases of level must count, if there are any. The example is a case that cites these
    /// clauses.
    fn of(outline: &'a Outline, fault: KnownFault<'a>) -> Result<Self, String> {
        let is_must = |case: &str| outline.level(case) == Some(Level::Must);
        let has_must = fault.cases.iter().any(|case| is_must(case));
        let of_level = fault.cases.iter().copied();
        let cases: Vec<&str> = of_level.filter(|case| is_must(case) == has_must).collect();
        let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
        for clause in cases.iter().flat_map(|case| outline.clauses(case)) {
            *counted.entry(clause).or_default() += 1;
        }
        let most = counted.values().copied().max().unwrap_or_default();
        let is_named = |(clause, count): &(&str, usize)| {
            if fault.clauses.is_empty() {
                *count == most
            } else {
                fault.clauses.contains(clause)
            }
        };
        let named: Vec<&str> = counted
            .into_iter()
            .filter(is_named)
            .map(|(clause, _)| clause)
            .collect();
        let cited = |case: &str| -> Vec<&'a str> {
            let cited = outline.clauses(case).iter().map(String::as_str);
            cited.filter(|clause| named.contains(clause)).collect()
        };
        // The first of the cases that cite the most of these clauses.
        let mut shown: Option<(&'a str, Vec<&'a str>)> = None;
        for case in cases {
            let clauses = cited(case);
            let fewer = shown.as_ref().map_or(0, |(_, clauses)| clauses.len());
            if clauses.len() > fewer {
                shown = Some((case, clauses));
            }
        }
        let Some((shown, clauses)) = shown else {
            let who: Vec<&str> = fault.who.keys().copied().collect();
            let clauses: Vec<&str> = fault.clauses.iter().copied().collect();
            return Err(format!(
                "{}: {}: no case of its level cites {}",
                who.join(", "),
                fault.entry.fault,
                clauses.join(" or ")
            ));
        };
        Ok(Self {
            table: Table::of(fault.entry, has_must),
            clauses,
            shown,
            fault,
        })
    }

    fn order(&self) -> impl Ord {
        let who: Vec<String> = self.fault.who.keys().map(|&name| name.to_owned()).collect();
        let clauses: Vec<String> = self.clauses.iter().map(|&it| it.to_owned()).collect();
        (clauses, self.fault.entry.fault.clone(), who)
    }

    fn write(&self, outline: &Outline) -> String {
        let fault = &self.fault;
        let entry = fault.entry;
        let levels = fault.cases.iter().map(|case| outline.level(case));
        let must = levels.filter(|level| *level == Some(Level::Must)).count();
        let counted = match (self.table, must, fault.cases.len() - must) {
            (Table::OwnWords | Table::OtherText, must, others) => (must + others).to_string(),
            (_, must, others) if !entry.accuses() => format!("0 + {}", must + others),
            (_, must, 0) => must.to_string(),
            (_, must, others) => format!("{must} + {others}"),
        };
        let mut what = format!("**{}.** {}", cell(&entry.fault), cell(&entry.reason));
        if let Some(machine) = entry.when.as_ref().and_then(|when| when.machine()) {
            let _ = write!(what, " Seen with {}.", cell(&machine));
        }
        if let Some(decision) = &entry.decision {
            let _ = write!(what, " Its authors have [decided to keep it]({decision}).");
        }
        if let Some(promise) = &entry.promise {
            let _ = write!(what, " The library [documents]({promise}) otherwise.");
        }
        what.push_str(&match &entry.reported {
            Some(Reported::At(link)) => format!(" [Reported]({link})."),
            Some(Reported::No) => " Not reported.".to_owned(),
            None => String::new(),
        });
        if let Some(program) = &entry.program {
            let _ = write!(what, " [Program](../{}/{program}).", fairness::PROGRAMS);
        }
        if entry.link.starts_with("https://") {
            let _ = write!(what, " [source]({})", entry.link);
        } else if !entry.link.is_empty() {
            let _ = write!(what, " ({})", cell(&entry.link));
        }
        let clauses: Vec<String> = self.clauses.iter().map(|it| format!("`{it}`")).collect();
        let versions = fault.who.iter();
        let who: Vec<String> = versions
            .map(|(name, version)| format!("{name} {version}"))
            .collect();
        let first = fault.who.keys().next().copied().unwrap_or_default();
        format!(
            "| {} | {} | {what} | {counted} | `{}` |",
            clauses.join(", "),
            who.join(", "),
            command_by_name(self.shown, first),
        )
    }
}

/// Lists the rejections by accidental exceptions, a line for each exception of an implementation.
fn accidents(all: &[Known]) -> Vec<String> {
    let mut found: BTreeMap<(&str, &str, &str), BTreeSet<&str>> = BTreeMap::new();
    for known in all {
        if let Some(results) = &known.results {
            for accident in &results.accidents {
                let version = results.implementation.version.as_str();
                found
                    .entry((&known.name, version, &accident.exception))
                    .or_default()
                    .insert(&accident.case);
            }
        }
    }
    let lines = found
        .into_iter()
        .map(|((name, version, exception), cases)| {
            let shown = cases.first().copied().unwrap_or_default();
            format!(
                "| {name} {version} | {} | {} | `{}` |",
                cell(exception),
                cases.len(),
                command_by_name(shown, name)
            )
        });
    lines.collect()
}

/// Returns the contradictions between the expectations of an implementation and its results.
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
            "{}: its results do not list {case}; {UPDATE}",
            known.name
        ));
    }
    for case in failed.difference(&expected) {
        found.push(format!(
            "{}: no expectation lists {case}; {UPDATE}",
            known.name
        ));
    }
    found
}

/// Returns whether an entry applied in the run that produced these results.
fn applies(entry: &Entry, results: &Results) -> bool {
    entry.when.as_ref().is_none_or(|when| when.held(results))
}

fn write(
    outline: &Outline,
    judged: &BTreeSet<String>,
    lines: &[Line<'_>],
    accidents: &[String],
) -> String {
    let mut text = String::from(
        "# Findings\n\n\
         This page lists what the vectors have found in implementations, with one line for each cause. `cargo xtask findings`\n\
         generates it from `conformance/expectations/` and `conformance/results/`.\n\n\
         *Cases* counts vectors. Those of level *must*, which test a sentence of the specification, come first. The others\n\
         have the level *ruling*, which is Exactum's reading where the text is open, or the level *may*, which is for\n\
         optional behaviour; a difference in those cases alone is not a fault. *Not reported* means that Exactum has not\n\
         reported the fault and does not know of any report; *Program* links to a program that shows it without an adapter.\n\
         [Fairness](fairness.md) states the rules.\n\n\
         The command shows one case with its input, the expected result and the actual answer. `exactum` stands for\n\
         `cargo run --release --`, and `cargo xtask peers` sets up the implementations.\n",
    );
    let judged: Vec<&str> = judged.iter().map(String::as_str).collect();
    // Writing to a String cannot fail.
    let _ = write!(text, "\nJudged: {}.\n", judged.join(", "));
    for (table, heading, about) in Table::ALL {
        let rows: Vec<&Line<'_>> = lines.iter().filter(|line| line.table == table).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = write!(
            text,
            "\n## {heading}\n\n{about}\n\n| clause | who | what | cases | shown by |\n|---|---|---|---|---|\n"
        );
        for line in rows {
            let _ = writeln!(text, "{}", line.write(outline));
        }
    }
    if !accidents.is_empty() {
        text.push_str(
            "\n## Refused by accident\n\n\
             In these cases, the library stopped with an exception that it did not raise on purpose. Such an exception counts as a\n\
             rejection; the tables above show whether a rejection was right.\n\n\
             | who | exception | cases | shown by |\n|---|---|---|---|\n",
        );
        for line in accidents {
            let _ = writeln!(text, "{line}");
        }
    }
    text
}

/// Escapes a text for a table cell.
fn cell(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    words.join(" ").replace('|', "\\|").replace('<', "&lt;")
}
