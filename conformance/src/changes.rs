//! Differences from the committed results, for newest releases, whose results are not expected to be the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use comfy_table::{Cell, Table, presets};

use crate::expectations::FindingKind;
use crate::report::{Outline, Reviewed, right};
use crate::results::Results;

/// The number of cases of one kind that are listed.
const NAMED: usize = 5;

/// Describes how implementations differ from their committed results: a line for each, with the cases below it.
#[must_use]
pub fn render(
    outline: &Outline,
    all: &[Reviewed],
    committed: &BTreeMap<String, Results>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        "implementation",
        "committed",
        "newest",
        "pass",
        "fails now",
        "passes now",
        "fails differently",
        "open: changed",
    ]);
    let mut cases = String::new();
    for reviewed in all {
        let Some(then) = committed.get(&reviewed.name) else {
            continue;
        };
        let now = Results::of(outline, reviewed);
        let kinds = [
            ("fails now", found(reviewed, FindingKind::UnexpectedFailure)),
            ("passes now", found(reviewed, FindingKind::UnexpectedPass)),
            (
                "fails differently",
                found(reviewed, FindingKind::DifferentAnswer),
            ),
            ("open: changed", then.answered_otherwise(&now)),
        ];
        let passed = |results: &Results| results.verdicts.get("pass").copied().unwrap_or_default();
        let mut cells = vec![
            Cell::new(&reviewed.name),
            Cell::new(&then.implementation.version),
            Cell::new(&now.implementation.version),
            right(format!("{} -> {}", passed(then), passed(&now))),
        ];
        let counts = kinds.iter().map(|(_, found)| match found.len() {
            0 => String::new(),
            count => count.to_string(),
        });
        cells.extend(counts.map(right));
        table.add_row(cells);
        for (what, found) in kinds.iter().filter(|(_, found)| !found.is_empty()) {
            // Writing to a String cannot fail.
            let _ = writeln!(cases, "{} {what}:", reviewed.name);
            for case in found.iter().take(NAMED) {
                let _ = writeln!(cases, "  {case}");
            }
            if let Some(more) = found.len().checked_sub(NAMED).filter(|&more| more > 0) {
                let _ = writeln!(cases, "  and {more} more");
            }
        }
    }
    let lines: String = table
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect();
    format!("\nSince the committed results:\n{lines}{cases}")
}

/// Returns the cases that have findings of this kind.
fn found(reviewed: &Reviewed, kind: FindingKind) -> BTreeSet<String> {
    let findings = reviewed.review.findings.iter();
    findings
        .filter(|finding| finding.kind == kind)
        .map(|finding| finding.case.clone())
        .collect()
}
