//! Numbers of arrays in the notation that people write and read.

use exactum_exact::Exact;
pub use exactum_exact::typed::shown;
use exactum_exact::typed::{self, saturated};
use exactum_model::{DataType, Rounding};

/// Reads a value of a data type: a number, `NaN`, `Infinity`, `-Infinity`, or the bits in hex.
///
/// # Errors
/// If the text is not a value of the data type, with an explanation and advice.
pub fn read(data_type: DataType, text: &str) -> Result<u64, String> {
    typed::read(data_type, text).map_err(|rejection| match rejection.help {
        Some(help) => format!("{}; {help}", rejection.message),
        None => rejection.message,
    })
}

/// Returns the least binary64 number that is not below an exact one.
pub fn above(value: &Exact) -> u64 {
    saturated(value, DataType::Float64, Rounding::TowardsPositive)
}

/// Returns the greatest binary64 number that is not above an exact one.
pub fn below(value: &Exact) -> u64 {
    saturated(value, DataType::Float64, Rounding::TowardsNegative)
}

/// Returns the binary64 number that is nearest to an exact one.
pub fn nearest(value: &Exact) -> u64 {
    saturated(value, DataType::Float64, Rounding::NearestEven)
}

/// Returns a number in few digits, for a sentence.
pub fn brief(value: &Exact) -> String {
    let text = shown(
        DataType::Float32,
        saturated(value, DataType::Float32, Rounding::NearestEven),
    );
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Reads a positive number.
///
/// # Errors
/// If the text is not a positive number.
pub fn positive(text: &str) -> Result<Exact, String> {
    Exact::decimal(text)
        .filter(|number| matches!(number, Exact::Finite(finite) if !finite.negative))
        .ok_or_else(|| format!("{text:?} is not a positive number"))
}

/// Reads a number that is not negative.
///
/// # Errors
/// If it is negative, not finite, or not a number.
pub fn not_negative(text: &str) -> Result<Exact, String> {
    Exact::decimal(text)
        .filter(|number| match number {
            Exact::Zero { .. } => true,
            Exact::Finite(finite) => !finite.negative,
            _ => false,
        })
        .ok_or_else(|| format!("{text:?} is not a finite number of at least 0"))
}

/// Returns the binary64 number nearest to an exact one, as a text.
pub fn figure(value: &Exact) -> String {
    let text = shown(DataType::Float64, nearest(value));
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// Returns the least positive number of a data type that uses all digits of its mantissa, which is 1 for
/// integers.
pub fn least_normal(data_type: DataType) -> Exact {
    let Some(format) = data_type.format().float() else {
        return Exact::integer(1);
    };
    // A type without a mantissa has no subnormal numbers.
    let bits = 1 << format.mantissa_bits;
    Exact::from_bits(&data_type.format(), bits)
}
