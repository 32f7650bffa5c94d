//! Measurements as text.

use std::fmt::Write;

use serde_json::{Value, json as value};

use super::options::Row;
use super::time::quantile;

/// Whether the machine was quiet during the measurements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// The times of the copy hardly varied, and neither did those of Exactum.
    Quiet,
    /// They varied, so that small differences mean nothing.
    Noisy {
        /// The spread of the copy's times relative to their median: the upper quartile over all cases.
        copies: f64,
        /// The same for the rounds of Exactum.
        rounds: f64,
    },
}

/// The largest spread of times, as the width of their middle half relative to their median, at which figures are still
/// meaningful: with eight rounds the median is then accurate to about four percent.
const TOLERABLE: f64 = 0.10;

/// Judges the machine by the spread of the copy's times and of Exactum's, using the upper quartile over all cases, so
/// that at most a quarter of the cases is worse. Exactum stands for all implementations: others may vary by themselves,
/// for example because of garbage collection.
#[must_use]
pub fn noise(rows: &[Row]) -> Noise {
    let worst = |spread: fn(&Row) -> f64| {
        let mut spreads: Vec<f64> = cases(rows).map(|case| spread(&case[0])).collect();
        spreads.sort_by(f64::total_cmp);
        match spreads.len() {
            0 => 0.0,
            _ => quantile(&spreads, 3),
        }
    };
    let (copies, rounds) = (worst(|row| row.copy_spread), worst(|row| row.spread));
    if copies.max(rounds) > TOLERABLE {
        Noise::Noisy { copies, rounds }
    } else {
        Noise::Quiet
    }
}

/// Returns the rows of each case, with Exactum's first.
fn cases(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    rows.chunk_by(|a, b| (a.row, &a.case) == (b.row, &b.case))
}

/// Returns every measurement as a JSON object, in an array. Marks are members if they are set.
#[must_use]
pub fn json(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| {
        let mut object = value!({
            "row": row.row,
            "case": row.case,
            "implementation": row.implementation,
            "seconds": row.seconds,
            "copy_seconds": row.copy_seconds,
            "x_copy": row.x_copy,
            "gigabytes_per_second": row.gigabytes_per_second,
        });
        for (name, mark) in [
            ("allocates", row.marks.allocates),
            ("differs", row.marks.differs),
        ] {
            if mark {
                object[name] = true.into();
            }
        }
        object
    });
    format!("{:#}\n", Value::Array(rows.collect()))
}

/// Returns a table with a line for each case: the rate of Exactum, x copy for every implementation, and how many times
/// as long as Exactum the fastest equivalent contestant takes.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.implementation.as_str()) {
            names.push(&row.implementation);
        }
    }
    let mut text = format!("{:<52} {:>6}", "x copy", "GB/s");
    for name in &names {
        let _ = write!(text, " {name:>width$}", width = width(name));
    }
    text.push_str("    best\n");
    for case in cases(rows) {
        let ours = &case[0];
        let mut line = format!(
            "{:<52} {:>6.1}",
            format!("{} {}", ours.row, ours.case),
            ours.gigabytes_per_second,
        );
        for name in &names {
            let row = case.iter().find(|row| row.implementation == *name);
            let cell = row.map_or_else(String::new, cell);
            // Writing to a String cannot fail.
            let _ = write!(line, " {cell:>width$}", width = width(name));
        }
        let rivals = case[1..].iter().filter(|row| !row.marks.differs);
        let best = rivals
            .map(|row| row.seconds / ours.seconds)
            .min_by(f64::total_cmp)
            .map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let _ = write!(line, " {best:>7}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    let legend: Vec<&str> = [
        (
            rows.iter().any(|row| row.marks.allocates),
            "+ each run allocates its output",
        ),
        (
            rows.iter().any(|row| row.marks.differs),
            "* computes other numbers, or accepts what the case rejects",
        ),
        (
            rows.iter().any(|row| row.spread > TOLERABLE),
            "~ its rounds vary by more than 10 %",
        ),
    ]
    .into_iter()
    .filter_map(|(used, words)| used.then_some(words))
    .collect();
    if !legend.is_empty() {
        let _ = writeln!(text, "\n{}", legend.join("; "));
    }
    if let Noise::Noisy { copies, rounds } = noise(rows) {
        let _ = writeln!(
            text,
            "\nThis machine is too noisy for a comparison: in a quarter of the cases the times of \
             the same copy\nvary by {:.0} % or more, and those of Exactum's rounds by {:.0} %.",
            100.0 * copies,
            100.0 * rounds
        );
    }
    text
}

/// Returns the width of an implementation's column.
fn width(name: &str) -> usize {
    name.len().max(8)
}

/// Returns x copy, with its remarks.
fn cell(row: &Row) -> String {
    let marks = [
        (row.marks.allocates, "+"),
        (row.marks.differs, "*"),
        (row.spread > TOLERABLE, "~"),
    ];
    let marks: String = marks
        .into_iter()
        .filter_map(|(holds, mark)| holds.then_some(mark))
        .collect();
    format!("{marks}{:.2}", row.x_copy)
}

#[cfg(test)]
mod tests {
    use super::super::Marks;
    use super::*;

    const CASE: &str = "float64->uint8 nearest-even clamp";

    fn row(case: &str, implementation: &str, seconds: f64, copy_spread: f64) -> Row {
        Row {
            row: "cast_value",
            case: case.to_owned(),
            implementation: implementation.to_owned(),
            marks: Marks::default(),
            seconds,
            copy_seconds: 0.5,
            x_copy: seconds / 0.5,
            gigabytes_per_second: 1.0 / seconds,
            copy_spread,
            spread: 0.02,
        }
    }

    #[test]
    fn the_table_compares_and_warns() {
        let marks = Marks {
            allocates: true,
            differs: true,
        };
        let quiet = [
            row(CASE, "optimized", 0.5, 0.01),
            row(CASE, "zarr-cast-value", 2.0, 0.01),
            Row {
                marks,
                spread: 0.3,
                ..row(CASE, "numpy", 0.25, 0.01)
            },
            row("int8->int8", "optimized", 0.5, 0.01),
        ];
        insta::assert_snapshot!(table(&quiet));
        let noisy = [row(CASE, "optimized", 0.5, 0.4)];
        insta::assert_snapshot!(table(&noisy));
    }

    #[test]
    fn a_quarter_of_the_cases_decides_on_noise() {
        let quiet = |case| row(case, "optimized", 0.5, 0.05);
        let noisy = |case| row(case, "optimized", 0.5, 0.2);
        let one = [quiet("a"), quiet("b"), quiet("c"), quiet("d"), noisy("e")];
        assert_eq!(noise(&one), Noise::Quiet);
        let two = [quiet("a"), quiet("b"), quiet("c"), noisy("d"), noisy("e")];
        let expected = Noise::Noisy {
            copies: 0.2,
            rounds: 0.02,
        };
        assert_eq!(noise(&two), expected);
        // Variation between the rounds of Exactum counts as noise; variation in other implementations does not.
        let uneven = |implementation| Row {
            spread: 0.5,
            ..row(CASE, implementation, 0.5, 0.0)
        };
        let others = [row(CASE, "optimized", 0.5, 0.0), uneven("zarrita")];
        assert_eq!(noise(&others), Noise::Quiet);
        let expected = Noise::Noisy {
            copies: 0.0,
            rounds: 0.5,
        };
        assert_eq!(noise(&[uneven("optimized")]), expected);
        assert_eq!(noise(&[]), Noise::Quiet);
    }

    #[test]
    fn json_has_the_members_of_the_design() {
        let rows = [row(CASE, "optimized", 0.5, 0.0)];
        let rows: Value = serde_json::from_str(&json(&rows)).expect("JSON");
        assert_eq!(
            rows,
            value!([{
                "row": "cast_value",
                "case": CASE,
                "implementation": "optimized",
                "seconds": 0.5,
                "copy_seconds": 0.5,
                "x_copy": 1.0,
                "gigabytes_per_second": 2.0,
            }])
        );
    }
}
