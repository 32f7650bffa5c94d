//! Explains a row of the grid or an implementation in some 20 lines, from the committed results and
//! expectations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use comfy_table::{Cell, CellAlignment, Table, presets};
use exactum_conformance::expectations::Entry;
use exactum_conformance::findings::Known;
use exactum_conformance::report::{Outline, cut, level_name};
use exactum_conformance::results::Results;
use exactum_peers::is_ours;
use exactum_vectors::spec::Clause;
use exactum_vectors::{Level, Suite};

use crate::source::Source;

/// The number of lines of an explanation.
const LINES: usize = 20;

/// The contents of the vectors and the committed results.
pub(super) struct Grid {
    pub(super) clauses: Vec<Clause>,
    pub(super) outline: Outline,
    pub(super) known: Vec<Known>,
}

/// The committed results of one implementation, in one row or in all rows.
#[derive(Default)]
struct Standing<'a> {
    /// The number of clauses that the implementation was tested on, and the number of those for which no case failed.
    clauses: usize,
    kept: usize,
    /// The cases that failed.
    failed: BTreeSet<&'a str>,
    /// The number of failed cases whose results are determined by a sentence of the specification.
    must: usize,
    /// The faults that expectations name, each with the number of its cases.
    faults: BTreeMap<&'a str, usize>,
}

impl Grid {
    pub(super) fn read(source: &Source, suite: &Suite) -> Result<Self, String> {
        Ok(Self {
            clauses: source.clauses()?,
            outline: Outline::of(suite),
            known: source.known()?,
        })
    }

    /// Returns the ids of the clauses.
    pub(super) fn clauses(&self) -> impl Iterator<Item = &str> + Clone {
        self.clauses.iter().map(|clause| clause.id.as_str())
    }

    /// Returns the names of the implementations that have results.
    pub(super) fn implementations(&self) -> impl Iterator<Item = &str> + Clone {
        self.known.iter().map(|known| known.name.as_str())
    }

    /// Explains a row, a prefix of the ids of several clauses, or an implementation. Returns nothing if the
    /// name is none of these. Tables have lines of at most `width` characters.
    pub(super) fn explain(&self, name: &str, width: usize) -> Option<String> {
        let mut clauses = self.clauses();
        if !name.contains('.') && clauses.clone().any(|id| row_of(id) == name) {
            return Some(self.row(name, width));
        }
        if clauses.any(|id| is_below(id, name)) {
            return Some(self.below(name, width));
        }
        if let Some(known) = self.known.iter().find(|known| known.name == name) {
            return known
                .results
                .as_ref()
                .map(|results| self.implementation(known, results, width));
        }
        is_ours(name).then(|| {
            format!(
                "{name} is part of Exactum and must not fail any case.\n\
                 `exactum run --implementation {name}` judges it now.\n"
            )
        })
    }

    /// Returns the standing of an implementation in a row, or in all rows if none is given.
    fn standing<'a>(
        &self,
        known: &'a Known,
        results: &'a Results,
        row: Option<&str>,
    ) -> Standing<'a> {
        let is_of = |of: &str| row.is_none_or(|row| row == of);
        let mut standing = Standing::default();
        for (_, counts) in results.clauses.iter().filter(|(id, _)| is_of(row_of(id))) {
            standing.clauses += 1;
            let fine = |verdict: &String| verdict == "pass" || verdict.starts_with("observed");
            standing.kept += usize::from(counts.keys().all(fine));
        }
        let entries: BTreeMap<&str, &Entry> = known
            .expectations
            .entries
            .iter()
            .flat_map(|entry| entry.answers.keys().map(move |case| (case.as_str(), entry)))
            .collect();
        for failed in &results.failures {
            let case = failed.case.as_str();
            if is_of(case.split('/').next().unwrap_or_default()) && standing.failed.insert(case) {
                let entry = entries.get(case);
                // Failures against a text that the library does not claim to implement, or against a ruling,
                // do not count here.
                let accuses = entry.is_none_or(|entry| entry.accuses());
                standing.must +=
                    usize::from(accuses && self.outline.level(case) == Some(Level::Must));
                let fault = entry.map_or("", |entry| entry.fault.as_str());
                *standing.faults.entry(fault).or_default() += 1;
            }
        }
        standing
    }

    fn row(&self, row: &str, width: usize) -> String {
        let clauses = self.clauses().filter(|id| row_of(id) == row).count();
        let cases = self.outline.cases.keys();
        let cases = cases.filter(|id| id.split('/').next() == Some(row)).count();
        let mut asked: Vec<(&Known, &Results, Standing<'_>)> = self
            .known
            .iter()
            .filter_map(|known| {
                let results = known.results.as_ref()?;
                let standing = self.standing(known, results, Some(row));
                (standing.clauses > 0).then_some((known, results, standing))
            })
            .collect();
        asked.sort_by_key(|(.., standing)| {
            (standing.failed.len(), standing.clauses - standing.kept)
        });
        let mut text = format!(
            "{row}: {clauses} clauses, {cases} cases; according to the committed results:\n"
        );
        let mut table = table([
            "implementation",
            "clauses",
            "kept",
            "failed",
            "must",
            "most often",
        ]);
        let shown = if asked.len() > LINES - 4 {
            LINES - 5
        } else {
            asked.len()
        };
        for (known, results, standing) in asked.iter().take(shown) {
            let most = standing.faults.iter().max_by_key(|(_, count)| **count);
            table.add_row([
                Cell::new(format!("{} {}", known.name, results.implementation.version)),
                number(standing.clauses),
                number(standing.kept),
                number(standing.failed.len()),
                number(standing.must),
                Cell::new(most.map_or("", |(fault, _)| fault)),
            ]);
        }
        print(&mut text, &table, width);
        if shown < asked.len() {
            let _ = writeln!(text, "and {} more", asked.len() - shown);
        }
        text.push_str(
            "kept: clauses for which no case fails; must: failures that the text decides\n",
        );
        let _ = writeln!(
            text,
            "`exactum explain {}` prints the text of a clause",
            self.clauses()
                .find(|id| row_of(id) == row)
                .unwrap_or_default()
        );
        text
    }

    /// Lists the clauses whose ids begin with the given segments.
    fn below(&self, name: &str, width: usize) -> String {
        let mut text = String::new();
        let below: Vec<&Clause> = self
            .clauses
            .iter()
            .filter(|clause| is_below(&clause.id, name))
            .collect();
        for clause in &below {
            let line = format!(
                "{} ({}): {}",
                clause.id,
                level_name(clause.level),
                clause.text
            );
            let words: Vec<&str> = line.split_whitespace().collect();
            let _ = writeln!(text, "{}", cut(&words.join(" "), width));
        }
        let _ = writeln!(
            text,
            "{} clauses; `exactum explain ID` prints the whole text",
            below.len()
        );
        text
    }

    fn implementation(&self, known: &Known, results: &Results, width: usize) -> String {
        let who = &results.implementation;
        let standing = self.standing(known, results, None);
        let count = |verdict: &str| results.verdicts.get(verdict).copied().unwrap_or_default();
        let asked: usize = results.verdicts.values().sum();
        let mut text = format!(
            "{} {} ({}), according to the committed results\n{asked} cases run: {} pass, {} fail \
             ({} of level must), {} open\n",
            who.name,
            who.version,
            who.language,
            count("pass"),
            standing.failed.len(),
            standing.must,
            count("observed (open)"),
        );
        let mut table = table(["row", "clauses", "kept", "failed", "must"]);
        let rows: BTreeSet<&str> = results.clauses.keys().map(|id| row_of(id)).collect();
        for row in rows {
            let standing = self.standing(known, results, Some(row));
            table.add_row([
                Cell::new(row),
                number(standing.clauses),
                number(standing.kept),
                number(standing.failed.len()),
                number(standing.must),
            ]);
        }
        print(&mut text, &table, width);
        let mut faults: Vec<_> = standing.faults.iter().collect();
        faults.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        if !faults.is_empty() {
            let _ = writeln!(text, "{} faults, the most frequent first:", faults.len());
        }
        let left = LINES.saturating_sub(text.lines().count() + 1);
        let shown = if faults.len() > left {
            left.saturating_sub(1)
        } else {
            left
        };
        for (fault, count) in faults.iter().take(shown) {
            let fault = if fault.is_empty() {
                "not described"
            } else {
                fault
            };
            let _ = writeln!(text, "{}", cut(&format!("  {count:5}  {fault}"), width));
        }
        if shown < faults.len() {
            let _ = writeln!(text, "  and {} more", faults.len() - shown);
        }
        let _ = writeln!(
            text,
            "`exactum run --implementation {} --all` lists all reasons",
            known.name
        );
        text
    }
}

/// Returns the row of the grid with which the id of a clause begins.
fn row_of(id: &str) -> &str {
    id.split('.').next().unwrap_or_default()
}

/// Returns whether an id continues a name with further segments.
fn is_below(id: &str, name: &str) -> bool {
    id.strip_prefix(name)
        .is_some_and(|rest| rest.starts_with('.'))
}

fn table<const N: usize>(head: [&str; N]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(head);
    table
}

fn number(count: usize) -> Cell {
    Cell::new(count).set_alignment(CellAlignment::Right)
}

fn print(text: &mut String, table: &Table, width: usize) {
    for line in table.lines() {
        let _ = writeln!(text, "{}", cut(line.trim_end(), width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let source = Source::find(None);
        let suite = source.suite().expect("the vectors");
        Grid::read(&source, &suite).expect("results")
    }

    #[test]
    fn rows_and_implementations_fit_a_screen() {
        let grid = grid();
        let check = |name: &str, parts: &[&str]| {
            let text = grid.explain(name, 80).expect("an explanation");
            for part in parts {
                assert!(text.contains(part), "{name} does not say {part}:\n{text}");
            }
            assert!(text.lines().count() <= LINES, "{name}:\n{text}");
            for line in text.lines() {
                assert!(line.chars().count() <= 80, "{name}: {line}");
            }
        };
        check("cast_value", &["clauses, ", "zarrita 0.7.5", "most often"]);
        check("packbits", &["packbits: ", "kept"]);
        let below = ["cast_value", "rounding"].join(".");
        check(&below, &["cast_value.rounding.once (must)"]);
        check(
            "zarrita",
            &["(javascript)", "scale_offset", "faults, the most", "and "],
        );
        check("zarrs-exactum", &["zarrs-exactum 0.23.14 (rust)"]);
        check("reference", &["part of Exactum"]);
    }

    #[test]
    fn every_implementation_with_results_is_explained() {
        let grid = grid();
        for known in grid.known.iter().filter(|known| known.results.is_some()) {
            let text = grid.explain(&known.name, 80).expect("an explanation");
            assert!(text.lines().count() <= LINES, "{text}");
        }
        assert_eq!(grid.explain("unheard-of", 80), None);
    }
}
