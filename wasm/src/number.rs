//! Numbers of arrays as people write and read them.

use exactum_exact::Exact;
use exactum_exact::typed;
pub(crate) use exactum_exact::typed::{saturated as rounded, shown};
use exactum_model::{DataType, Rounding};

/// Digits of an exact value that are shown; a longer one is cut.
const DIGITS: usize = 60;

/// Reads a value of a data type: a number, `NaN`, `Infinity`, `-Infinity`, or the bits in hex.
///
/// # Errors
/// If the text is not a value of the data type, with an explanation.
pub(crate) fn read(data_type: DataType, text: &str) -> Result<u64, String> {
    typed::read(data_type, text).map_err(|rejection| rejection.message)
}

/// The bits of a value in hex, the most significant digit first.
pub(crate) fn hex(data_type: DataType, bits: u64) -> String {
    let digits = 2 * data_type.format().component_bytes();
    format!("0x{bits:0digits$x}")
}

/// The binary64 number nearest to an exact one.
pub(crate) fn nearest(value: &Exact) -> f64 {
    f64::from_bits(rounded(value, DataType::Float64, Rounding::NearestEven))
}

/// The exact value of a number's bits in decimal digits, or the first of very many.
pub(crate) fn exact(data_type: DataType, bits: u64) -> String {
    Exact::from_bits(&data_type.format(), bits).to_decimal(DIGITS)
}
