//! The mean.

use exactum_exact::{Exact, Rounded, clamp, round};
use exactum_model::{FloatFormat, Format, Rounding};

use super::Downsampling;
use super::element::Element;

/// The mean of elements, of complex ones part by part (downsample.mean.complex): the sum is divided once,
/// and converted once (downsample.mean.float).
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

/// A value rounded to a float format, as a value again.
pub(super) fn rounded(value: &Exact, format: FloatFormat) -> Exact {
    let format = Format::Float(format);
    Exact::from_bits(&format, into(value, &format, Rounding::NearestEven))
}

/// A value converted to a format. What is beyond its range becomes an infinity; where it has none,
/// NaN; where it has neither, its largest value (downsample.mean.overflow).
fn into(value: &Exact, format: &Format, rounding: Rounding) -> u64 {
    let beyond = |above: bool| match format.float() {
        // An unsigned format has nothing below but its smallest value.
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
