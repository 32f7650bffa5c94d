//! The report for terminals with too many implementations for a table of clauses.

use std::collections::BTreeSet;

use comfy_table::{Cell, Table, presets};

use super::table::{cell, right};
use super::{Reviewed, Tally};

/// Returns the table of implementations by rows of the grid. Its cells have the same meaning as in the table of
/// clauses.
#[must_use]
pub fn overview(all: &[Reviewed]) -> String {
    let row = |case: &str| case.split('/').next().unwrap_or_default().to_owned();
    let rows: BTreeSet<String> = all
        .iter()
        .flat_map(|reviewed| &reviewed.report.cases)
        .map(|judged| row(&judged.case))
        .collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let fixed = ["implementation", "version"].map(str::to_owned);
    let header = fixed.into_iter().chain(rows.iter().cloned());
    table.set_header(header.chain(["all cases".to_owned()]).map(Cell::new));
    for reviewed in all {
        let mut cells = vec![
            Cell::new(&reviewed.name),
            Cell::new(&reviewed.report.hello.version),
        ];
        for of in &rows {
            let mut tally = Tally::default();
            for judged in &reviewed.report.cases {
                if row(&judged.case) == *of {
                    tally.add(judged, reviewed.expects(&judged.case));
                }
            }
            cells.push(right(cell(&tally)));
        }
        cells.push(right(cell(&reviewed.tally())));
        table.add_row(cells);
    }
    let lines: String = table
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect();
    format!(
        "{lines}pass  !known failure  ✗unexpected failure  ?open  - not offered\n\
         By clause: --html FILE, or --implementation NAME.\n"
    )
}
