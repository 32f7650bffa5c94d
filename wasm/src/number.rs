//! Numbers of arrays, in the form in which the page shows them.

use exactum_exact::Exact;
use exactum_model::DataType;
pub(crate) use exactum_plan::number::{read, shown};

/// The number of digits of an exact value that are shown; longer values are truncated.
const DIGITS: usize = 60;

/// Returns the bits of a value in hex, with the most significant digit first.
pub(crate) fn hex(data_type: DataType, bits: u64) -> String {
    let digits = 2 * data_type.format().component_bytes();
    format!("0x{bits:0digits$x}")
}

/// Returns the binary64 number nearest to an exact number.
pub(crate) fn nearest(value: &Exact) -> f64 {
    f64::from_bits(exactum_plan::number::nearest(value))
}

/// Returns the exact value of a number's bits in decimal, truncated if it has too many digits.
pub(crate) fn exact(data_type: DataType, bits: u64) -> String {
    Exact::from_bits(&data_type.format(), bits).to_decimal(DIGITS)
}
