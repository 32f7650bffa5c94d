//! Numbers of arrays as the page shows them.

use exactum_exact::Exact;
use exactum_model::DataType;
pub(crate) use exactum_plan::number::{read, shown};

/// Digits of an exact value that are shown; a longer one is cut.
const DIGITS: usize = 60;

/// The bits of a value in hex, the most significant digit first.
pub(crate) fn hex(data_type: DataType, bits: u64) -> String {
    let digits = 2 * data_type.format().component_bytes();
    format!("0x{bits:0digits$x}")
}

/// The binary64 number nearest to an exact one.
pub(crate) fn nearest(value: &Exact) -> f64 {
    f64::from_bits(exactum_plan::number::nearest(value))
}

/// The exact value of a number's bits in decimal digits, or the first of very many.
pub(crate) fn exact(data_type: DataType, bits: u64) -> String {
    Exact::from_bits(&data_type.format(), bits).to_decimal(DIGITS)
}
