//! The rows: what is encoded and decoded, by clause.

mod casts;
mod decoding;
mod rounding;
mod steps;

use exactum_vectors::Level;

use super::Row;

/// What most rows have none of.
const NONE: Row = Row {
    name: "",
    level: Level::Must,
    encodes: &[],
    decodes: &[],
    types: ("", "", ""),
    parameters: ("0", "1"),
    encode: &[],
    decode: &[],
    refused: &[],
    undecodable: &[],
};

/// All rows.
pub(super) fn all() -> impl Iterator<Item = &'static Row> {
    [rounding::ROWS, casts::ROWS, steps::ROWS, decoding::ROWS]
        .into_iter()
        .flatten()
}
