//! The short report for terminals: how many cases each implementation passes, which clauses have unexpected failures,
//! and how many failures are known.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use comfy_table::{Cell, Table, presets};

use super::failures::{Unexpected, counted, notices};
use super::table::{cell, right};
use super::{Outline, Reviewed, Tally, level_name};
use crate::verdict::Verdict;

/// The number of lines of the whole report, except for missing implementations.
const LINES: usize = 40;

/// The largest number of lines for clauses with unexpected failures.
const CLAUSES: usize = 6;

/// The largest number of lines for known faults.
const KNOWN: usize = 9;

/// The largest number of implementations for which a table of rows has enough columns.
const MANY: usize = 6;

/// The content of a cell for which nothing was asked.
const NOTHING: &str = "-";

/// Returns a report of about 40 lines of at most `width` characters: a table of the rows of the grid, the clauses with
/// unexpected failures, some of these failures by cause, and the known faults, each counted once.
#[must_use]
pub fn summary(outline: &Outline, all: &[Reviewed], width: usize) -> String {
    let mut text = rows(all, width);
    text.push_str(&clauses(outline, all, width));
    let unexpected: Vec<(&Reviewed, Unexpected)> = all
        .iter()
        .filter_map(|reviewed| Some((reviewed, Unexpected::of(outline, reviewed)?)))
        .collect();
    let known = known(all, width, if unexpected.is_empty() { KNOWN } else { 1 });
    // The last line, and the empty line before it, are written elsewhere.
    let mut left = LINES.saturating_sub(2 + height(&text) + height(&known));
    for (reviewed, unexpected) in &unexpected {
        text.push_str(&unexpected.heading);
        left = left.saturating_sub(height(&unexpected.heading) + 1);
        let mut shown = 0;
        for (_, cause) in &unexpected.causes {
            // The terminal wraps long lines of prose; each counts as the number of lines that it takes there.
            let taken: usize = cause
                .lines()
                .map(|line| line.chars().count().div_ceil(width.max(1)))
                .sum();
            if shown > 0 && taken > left {
                break;
            }
            left = left.saturating_sub(taken);
            text.push_str(cause);
            shown += 1;
        }
        text.push_str(&unexpected.rest(shown, "--all lists more"));
        notices(&mut text, reviewed);
    }
    text + &known
}

fn height(text: &str) -> usize {
    text.lines().count()
}

/// Returns the table of rows and implementations in the most detailed form that fits: counts with rows as lines,
/// counts with implementations as lines, or shares of the cases that pass.
fn rows(all: &[Reviewed], width: usize) -> String {
    let tallies: Vec<BTreeMap<&str, Tally>> = all.iter().map(by_row).collect();
    let rows: BTreeSet<&str> = tallies
        .iter()
        .flat_map(|tallies| tallies.iter())
        .filter(|(_, tally)| is_asked(tally))
        .map(|(row, _)| *row)
        .collect();
    let counts = |tally: &Tally| cell(tally);
    let fits = |text: &String| text.lines().all(|line| line.chars().count() <= width);
    let legend = "pass  !known failure  ✗unexpected failure  ?open  - not offered\n";
    if all.len() <= MANY {
        let text = render(by_lines_of_rows(all, &tallies, &rows), 2);
        if fits(&text) {
            return text + legend;
        }
    }
    let text = render(
        by_implementation(all, &tallies, &rows, counts, str::to_owned),
        2,
    );
    if fits(&text) {
        return text + legend;
    }
    let text = render(by_implementation(all, &tallies, &rows, share, broken), 1);
    text + "% of the cases that pass  ✗ with unexpected failures  ? open only  - not offered\n"
}

/// Returns the counts of an implementation by row of the grid.
fn by_row(reviewed: &Reviewed) -> BTreeMap<&str, Tally> {
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for judged in &reviewed.report.cases {
        let row = judged.case.split('/').next().unwrap_or_default();
        let tally = tallies.entry(row).or_default();
        tally.add(judged, reviewed.expects(&judged.case));
    }
    tallies
}

/// Returns whether anything in a tally was asked.
fn is_asked(tally: &Tally) -> bool {
    cell(tally) != NOTHING
}

fn by_lines_of_rows(
    all: &[Reviewed],
    tallies: &[BTreeMap<&str, Tally>],
    rows: &BTreeSet<&str>,
) -> Table {
    let mut table = Table::new();
    let names = all.iter().map(|reviewed| {
        let version = &reviewed.report.hello.version;
        Cell::new(format!("{}\n{version}", reviewed.name).trim_end())
    });
    table.set_header(std::iter::once(Cell::new("row")).chain(names));
    for row in rows {
        let cells = tallies.iter().map(|tallies| of_row(tallies, row, &cell));
        table.add_row(std::iter::once(Cell::new(row)).chain(cells));
    }
    let total = all.iter().map(|reviewed| right(cell(&reviewed.tally())));
    table.add_row(std::iter::once(Cell::new("all cases")).chain(total));
    table
}

fn by_implementation(
    all: &[Reviewed],
    tallies: &[BTreeMap<&str, Tally>],
    rows: &BTreeSet<&str>,
    show: impl Fn(&Tally) -> String,
    heading: impl Fn(&str) -> String,
) -> Table {
    let mut table = Table::new();
    let headings = rows.iter().map(|row| Cell::new(heading(row)));
    table.set_header(std::iter::once(Cell::new("")).chain(headings));
    for (reviewed, tallies) in all.iter().zip(tallies) {
        let cells = rows.iter().map(|row| of_row(tallies, row, &show));
        table.add_row(std::iter::once(Cell::new(&reviewed.name)).chain(cells));
    }
    table
}

fn of_row(tallies: &BTreeMap<&str, Tally>, row: &str, show: &dyn Fn(&Tally) -> String) -> Cell {
    right(tallies.get(row).map_or_else(|| NOTHING.into(), show))
}

/// Renders a table without borders, with this number of spaces between columns.
fn render(mut table: Table, space: u16) -> String {
    table.load_style(presets::NOTHING);
    for column in table.column_iter_mut() {
        column.set_padding((0, space));
    }
    let lines = table.lines();
    lines.map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Returns the percentage of judged cases that pass, rounded down, so that 100 means all of them.
fn share(tally: &Tally) -> String {
    let pass = tally.of(Verdict::Pass);
    let judged = pass + tally.known + tally.unknown;
    let mark = if tally.unknown > 0 { "✗" } else { "" };
    match (pass * 100).checked_div(judged) {
        Some(percent) => format!("{percent}{mark}"),
        None if is_asked(tally) => "?".into(),
        None => NOTHING.into(),
    }
}

/// Returns the name of a row, split into two lines if it is long.
fn broken(row: &str) -> String {
    const LONG: usize = 6;
    if row.len() <= LONG {
        return row.to_owned();
    }
    match row.split_once('_') {
        Some((before, after)) => format!("{before}_\n{after}"),
        None => {
            let (before, after) = row.split_at(row.floor_char_boundary(row.len() / 2));
            format!("{before}-\n{after}")
        }
    }
}

/// Returns the clauses with unexpected failures, most failures first.
fn clauses(outline: &Outline, all: &[Reviewed], width: usize) -> String {
    let mut failing: BTreeMap<String, (usize, Vec<String>)> = BTreeMap::new();
    for reviewed in all {
        for (clause, tally) in outline.by_clause(reviewed) {
            if tally.unknown > 0 {
                let judged = tally.of(Verdict::Pass) + tally.known + tally.unknown;
                let (count, who) = failing.entry(clause).or_default();
                *count += tally.unknown;
                who.push(format!("{} {} of {judged}", reviewed.name, tally.unknown));
            }
        }
    }
    if failing.is_empty() {
        return String::new();
    }
    let mut failing: Vec<_> = failing.into_iter().collect();
    failing.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    let mut text = String::from("\nClauses with unexpected failures\n");
    let longest = failing.iter().take(CLAUSES).map(|(clause, _)| clause.len());
    let longest = longest.max().unwrap_or_default();
    let levels = super::table::levels(outline);
    for (clause, (_, who)) in failing.iter().take(CLAUSES) {
        let level = levels
            .get(clause.as_str())
            .map_or("", |level| level_name(*level));
        let line = format!("  {clause:longest$}  {level:6}  {}", who.join(", "));
        let _ = writeln!(text, "{}", cut(&line, width));
    }
    if failing.len() > CLAUSES {
        let _ = writeln!(
            text,
            "  and {} (--all lists them)",
            counted(failing.len() - CLAUSES, "more clause")
        );
    }
    text
}

/// Returns the known failures, each cause once for all implementations that show it, in at most this number of lines.
fn known(all: &[Reviewed], width: usize, lines: usize) -> String {
    let mut causes: BTreeMap<(&str, &str), (usize, BTreeSet<&str>)> = BTreeMap::new();
    for reviewed in all {
        for &place in reviewed.review.expected.values() {
            let entry = &reviewed.expectations.entries[place];
            // A fault without a description is shown by its pattern.
            let fault = match entry.fault.as_str() {
                "" => entry.case.as_str(),
                fault => fault,
            };
            let cause = (fault, entry.link.as_str());
            let (count, who) = causes.entry(cause).or_default();
            *count += 1;
            who.insert(&reviewed.name);
        }
    }
    let failures: usize = causes.values().map(|(count, _)| count).sum();
    if failures == 0 {
        return String::new();
    }
    let mut text = format!(
        "\n{} of {} (--all gives the reasons)\n",
        counted(failures, "known failure"),
        counted(causes.len(), "cause"),
    );
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    let shown = if causes.len() < lines {
        causes.len()
    } else {
        lines.saturating_sub(2)
    };
    for ((fault, _), (count, who)) in causes.iter().take(shown) {
        let who: Vec<&str> = who.iter().copied().collect();
        let line = format!("  {count:5}  {fault} ({})", who.join(", "));
        let _ = writeln!(text, "{}", cut(&line, width));
    }
    if 0 < shown && shown < causes.len() {
        let _ = writeln!(
            text,
            "  and {}",
            counted(causes.len() - shown, "more cause")
        );
    }
    text
}

/// Shortens a line to at most this number of characters.
#[must_use]
pub fn cut(line: &str, width: usize) -> String {
    match line.char_indices().nth(width) {
        None => line.to_owned(),
        Some(_) => {
            let kept: String = line.chars().take(width.saturating_sub(1)).collect();
            format!("{}…", kept.trim_end())
        }
    }
}
