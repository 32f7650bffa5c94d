//! The report for terminals.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use comfy_table::{Cell, CellAlignment, Table, presets};
use exactum_vectors::Level;

use super::{Outline, Reviewed, Tally, level_name, wrapped};
use crate::expectations::{Finding, FindingKind};
use crate::verdict::Verdict;

/// Failures shown of one kind before the rest is only counted.
const SHOWN: usize = 10;

/// The table implementations x clauses. A cell is the number of cases that pass, `!n` the number
/// of known failures, `✗n` that of failures that nobody expected, `?n` what is open, `-` nothing
/// that the implementation offers.
#[must_use]
pub fn table(outline: &Outline, all: &[Reviewed]) -> String {
    let tallies: Vec<BTreeMap<String, Tally>> = all
        .iter()
        .map(|reviewed| outline.by_clause(reviewed))
        .collect();
    let clauses: BTreeSet<&String> = tallies.iter().flat_map(BTreeMap::keys).collect();
    let levels = levels(outline);

    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let names = all.iter().map(|reviewed| {
        let hello = &reviewed.report.hello;
        if hello.version.is_empty() {
            reviewed.name.clone()
        } else {
            format!("{}\n{}", reviewed.name, hello.version)
        }
    });
    table.set_header(
        ["clause".to_owned(), "level".to_owned()]
            .into_iter()
            .chain(names)
            .map(Cell::new),
    );
    let mut row = "";
    for clause in clauses {
        let of = clause.split('.').next().unwrap_or_default();
        if of != row {
            row = of;
            table.add_row(vec![Cell::new(row)]);
        }
        let level = levels.get(clause.as_str()).copied();
        let mut cells = vec![
            Cell::new(format!("  {}", clause.strip_prefix(row).unwrap_or(clause))),
            Cell::new(level.map(level_name).unwrap_or_default()),
        ];
        cells.extend(tallies.iter().map(|tallies| match tallies.get(clause) {
            Some(tally) => right(cell(tally)),
            None => right("-".into()),
        }));
        table.add_row(cells);
    }
    let mut total = vec![Cell::new("all cases"), Cell::new("")];
    total.extend(all.iter().map(|reviewed| right(cell(&reviewed.tally()))));
    table.add_row(total);
    let mut text: String = table
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect();
    text.push_str("pass  !known failure  ✗unexpected failure  ?open  - not offered\n");
    text
}

/// The level of a clause: the most binding of the cases that cite it.
fn levels(outline: &Outline) -> BTreeMap<&str, Level> {
    let mut levels = BTreeMap::new();
    for (level, clauses) in outline.cases.values() {
        for clause in clauses {
            let known = levels.entry(clause.as_str()).or_insert(*level);
            *known = (*known).min(*level);
        }
    }
    levels
}

pub(super) fn right(text: String) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

pub(super) fn cell(tally: &Tally) -> String {
    let mut parts = Vec::new();
    let pass = tally.of(Verdict::Pass);
    if pass > 0 || tally.known + tally.unknown > 0 {
        parts.push(pass.to_string());
    }
    for (mark, count) in [
        ("!", tally.known),
        ("✗", tally.unknown),
        ("?", tally.of(Verdict::Observed)),
    ] {
        if count > 0 {
            parts.push(format!("{mark}{count}"));
        }
    }
    if parts.is_empty() {
        "-".into()
    } else {
        parts.join(" ")
    }
}

/// What failed, known faults by entry and everything unexpected by case, and how to look closer.
/// Cases at level `ruling` or `may` are told apart: they are no non-conformance.
#[must_use]
pub fn failures(outline: &Outline, all: &[Reviewed]) -> String {
    let mut text = String::new();
    for reviewed in all {
        known(&mut text, outline, reviewed);
        unknown(&mut text, outline, reviewed);
        notices(&mut text, reviewed);
    }
    text
}

/// Faults that are no verdict, since they did not repeat: they are told all the same.
fn notices(text: &mut String, reviewed: &Reviewed) {
    let notices = &reviewed.report.notices;
    if notices.is_empty() {
        return;
    }
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "\n{}: {} that did not repeat when the request was sent alone",
        reviewed.name,
        counted(notices.len(), "fault")
    );
    for notice in notices {
        let _ = writeln!(text, "  {notice}");
    }
}

fn known(text: &mut String, outline: &Outline, reviewed: &Reviewed) {
    let mut by_entry: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for (case, &place) in &reviewed.review.expected {
        by_entry.entry(place).or_default().push(case);
    }
    for (place, cases) in by_entry {
        let entry = &reviewed.expectations.entries[place];
        let must = cases
            .iter()
            .filter(|case| outline.level(case) == Some(Level::Must))
            .count();
        let first = cases.first().copied().unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "\n{}: known {}: {}\n  {} ({must} must, {} ruling or may)\n",
            reviewed.name,
            entry.kind.name(),
            entry.case,
            counted(cases.len(), "case"),
            cases.len() - must,
        );
        for line in [&entry.reason, &entry.link] {
            if !line.is_empty() {
                let _ = writeln!(text, "{}", wrapped(line, 98, "  "));
            }
        }
        let _ = writeln!(text, "  {}", command(first, reviewed));
    }
}

fn unknown(text: &mut String, outline: &Outline, reviewed: &Reviewed) {
    let findings = &reviewed.review.findings;
    if findings.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n{}: {} not as expected",
        reviewed.name,
        counted(findings.len(), "finding")
    );
    let (not_run, findings) = not_run(reviewed);
    for (words, count) in not_run {
        let cases = counted(count, "case");
        let _ = writeln!(text, "  not run: {cases}: {words}");
    }
    for finding in findings.iter().take(SHOWN) {
        let level = match outline.level(&finding.case) {
            Some(level @ (Level::Ruling | Level::May)) => format!(" [{}]", level_name(level)),
            _ => String::new(),
        };
        let _ = writeln!(text, "  {finding}{level}");
        if !matches!(finding.kind, FindingKind::Stale | FindingKind::Results) {
            let _ = writeln!(text, "    {}", command(&finding.case, reviewed));
        }
    }
    if findings.len() > SHOWN {
        let _ = writeln!(
            text,
            "  and {} more (--json or --html lists all)",
            findings.len() - SHOWN
        );
    }
}

/// The findings, but of cases that did not run only how many there are of each cause.
fn not_run(reviewed: &Reviewed) -> (BTreeMap<&str, usize>, Vec<&Finding>) {
    let causes: BTreeMap<&str, &str> = reviewed
        .report
        .cases
        .iter()
        .filter(|judged| judged.verdict == Verdict::NotRun)
        .filter_map(|judged| Some((judged.case.as_str(), judged.difference.as_ref()?)))
        .map(|(case, difference)| (case, difference.got.value.as_str()))
        .collect();
    let mut counts = BTreeMap::new();
    let mut others = Vec::new();
    for finding in &reviewed.review.findings {
        match causes.get(finding.case.as_str()) {
            Some(cause) => *counts.entry(*cause).or_default() += 1,
            None => others.push(finding),
        }
    }
    (counts, others)
}

/// The command that shows a case again.
pub(super) fn command(case: &str, reviewed: &Reviewed) -> String {
    match &reviewed.command {
        Some(program) => format!(
            "exactum explain {case} --command {} -- {program}",
            reviewed.name
        ),
        None => command_by_name(case, &reviewed.name),
    }
}

/// The command that shows a case again, of an implementation that is known by its name.
pub(crate) fn command_by_name(case: &str, implementation: &str) -> String {
    format!("exactum explain {case} --implementation {implementation}")
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
