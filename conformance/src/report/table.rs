//! The report for terminals.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use comfy_table::{Cell, CellAlignment, Table, presets};
use exactum_vectors::Level;

use super::{Outline, Reviewed, Tally, level_name};
use crate::verdict::Verdict;

/// The content of a cell for a clause for which nothing was asked.
const NOTHING: &str = "-";

/// Returns the table of implementations by clauses. In a cell, a plain number counts the cases that pass, `!n` the
/// known failures, `✗n` the unexpected failures and `?n` the open cases; `-` means that the implementation offers
/// nothing. A clause for which no implementation offers anything is left out.
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
    let mut not_asked = 0;
    for clause in clauses {
        let mut asked = tallies.iter().filter_map(|tallies| tallies.get(clause));
        if asked.all(|tally| cell(tally) == NOTHING) {
            not_asked += 1;
            continue;
        }
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
            None => right(NOTHING.into()),
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
    if not_asked > 0 {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{not_asked} clauses without a request are omitted");
    }
    text.push_str("pass  !known failure  ✗unexpected failure  ?open  - not offered\n");
    text
}

/// Returns the level of each clause: the most binding level of the cases that cite it.
pub(super) fn levels(outline: &Outline) -> BTreeMap<&str, Level> {
    let mut levels = BTreeMap::new();
    for (level, clauses) in outline.cases.values() {
        for clause in clauses.iter() {
            let known = levels.entry(clause.as_str()).or_insert(*level);
            *known = (*known).min(*level);
        }
    }
    levels
}

pub(crate) fn right(text: String) -> Cell {
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
        NOTHING.into()
    } else {
        parts.join(" ")
    }
}
