//! Measurements as text.

use std::fmt::Write;

use serde_json::{Value, json as value};

use super::Row;

/// Whether the machine was quiet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Noise {
    /// The copies took nearly the same time.
    Quiet,
    /// They did not, by this part of their time in the typical case: small differences say nothing.
    Noisy(f64),
}

/// A spread of the copy's times, relative to their median, that leaves ratios of some ten percent
/// readable.
const TOLERABLE: f64 = 0.10;

/// Judges the machine by the median over all cases of how far the copy's times lay apart.
#[must_use]
pub fn noise(rows: &[Row]) -> Noise {
    let mut spreads: Vec<f64> = rows.iter().map(|row| row.copy_spread).collect();
    spreads.sort_by(f64::total_cmp);
    match spreads.get(spreads.len() / 2) {
        Some(&spread) if spread > TOLERABLE => Noise::Noisy(spread),
        _ => Noise::Quiet,
    }
}

/// Every measurement as a JSON object, in an array.
#[must_use]
pub fn json(rows: &[Row]) -> String {
    let rows = rows.iter().map(|row| {
        value!({
            "row": row.row,
            "case": row.case,
            "implementation": row.implementation,
            "seconds": row.seconds,
            "copy_seconds": row.copy_seconds,
            "x_copy": row.x_copy,
            "gigabytes_per_second": row.gigabytes_per_second,
        })
    });
    format!("{:#}\n", Value::Array(rows.collect()))
}

/// A table with a line for each case: x copy of each implementation, and how many times the time
/// of ours the peer takes.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:<52} {:>9} {:>9} {:>9} {:>7}\n",
        "case", "GB/s", "x copy", "peer", "ratio"
    );
    for group in rows.chunk_by(|a, b| (a.row, &a.case) == (b.row, &b.case)) {
        let [ours, peers @ ..] = group else { continue };
        let peer = peers.first();
        let of_peer = |number: fn(&Row, &Row) -> f64| {
            peer.map_or_else(String::new, |peer| format!("{:.2}", number(ours, peer)))
        };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{:<52} {:>9.1} {:>9.2} {:>9} {:>7}",
            format!("{} {}", ours.row, ours.case),
            ours.gigabytes_per_second,
            ours.x_copy,
            of_peer(|_, peer| peer.x_copy),
            of_peer(|ours, peer| peer.seconds / ours.seconds),
        );
    }
    if let Noise::Noisy(spread) = noise(rows) {
        let _ = writeln!(
            text,
            "\nThis machine is too noisy to tell: the times of the same copy lie {:.0} % apart.",
            100.0 * spread
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(implementation: &'static str, seconds: f64, copy_spread: f64) -> Row {
        Row {
            row: "cast_value",
            case: "float64->uint8 nearest-even clamp".to_owned(),
            implementation,
            seconds,
            copy_seconds: 0.5,
            x_copy: seconds / 0.5,
            gigabytes_per_second: 1.0 / seconds,
            copy_spread,
        }
    }

    #[test]
    fn the_table_compares_and_warns() {
        let quiet = [
            row("optimized", 0.5, 0.01),
            row("zarr-cast-value", 2.0, 0.01),
        ];
        insta::assert_snapshot!(table(&quiet), @r"
        case                                                      GB/s    x copy      peer   ratio
        cast_value float64->uint8 nearest-even clamp               2.0      1.00      4.00    4.00
        ");
        let noisy = [row("optimized", 0.5, 0.4)];
        insta::assert_snapshot!(table(&noisy), @r"
        case                                                      GB/s    x copy      peer   ratio
        cast_value float64->uint8 nearest-even clamp               2.0      1.00                  

        This machine is too noisy to tell: the times of the same copy lie 40 % apart.
        ");
    }

    #[test]
    fn json_has_the_members_of_the_design() {
        let rows: Value = serde_json::from_str(&json(&[row("optimized", 0.5, 0.0)])).expect("JSON");
        assert_eq!(
            rows,
            value!([{
                "row": "cast_value",
                "case": "float64->uint8 nearest-even clamp",
                "implementation": "optimized",
                "seconds": 0.5,
                "copy_seconds": 0.5,
                "x_copy": 1.0,
                "gigabytes_per_second": 2.0,
            }])
        );
    }
}
