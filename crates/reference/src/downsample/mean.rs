//! The mean of a block.

use exactum_exact::{Exact, Rounded, clamp, round};
use exactum_model::{FloatFormat, Format, Rounding};

use super::Downsampling;
use super::element::Element;

/// Returns the mean of elements. The sum is divided once and converted once (downsample.mean.float). Complex
/// numbers are averaged part by part (downsample.mean.complex).
pub(super) fn mean(
    by: &(impl Downsampling + ?Sized),
    format: &Format,
    elements: &[Element],
) -> Vec<u64> {
    let count = Exact::integer(i128::try_from(elements.len()).unwrap_or(i128::MAX));
    let parts = 0..format.components();
    parts
        .map(|part| {
            let values = elements.iter().map(|element| &element.values[part]);
            let sum = by.sum(format, &values.collect::<Vec<_>>());
            let mean = by.quotient(format, &sum, &count);
            into(&mean, format, by.rounding(format))
        })
        .collect()
}

/// Rounds a value to a float format and returns the exact value of the result.
pub(super) fn rounded(value: &Exact, format: FloatFormat) -> Exact {
    let format = Format::Float(format);
    Exact::from_bits(&format, into(value, &format, Rounding::NearestEven))
}

/// Converts a value to a format. A value out of range becomes an infinity. If the format has no infinities, it
/// becomes NaN; if the format has neither, it becomes the largest value (downsample.mean.overflow).
fn into(value: &Exact, format: &Format, rounding: Rounding) -> u64 {
    let beyond = |above: bool| match format.float() {
        // In an unsigned format, a value below the range becomes the smallest value.
        Some(float) if !float.infinity && (above || float.signed) => {
            float.nan_bits().unwrap_or(clamp(format, above))
        }
        _ => clamp(format, above),
    };
    match round(value, format, rounding) {
        Rounded::Bits(bits) => bits,
        Rounded::OutOfRange { above, .. } => beyond(above),
        Rounded::NotFinite | Rounded::NotANumber => beyond(!value.is_negative()),
    }
}
