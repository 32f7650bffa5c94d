//! The mean.

use exactum_exact::{Exact, Rounded, clamp, round};
use exactum_model::{FloatFormat, Format, Rounding};

use super::element::Element;

/// Returns the mean of elements; for complex ones, part by part (downsample.mean.complex).
pub(super) fn mean(format: &Format, elements: &[Element]) -> Vec<u64> {
    let parts = 0..format.components();
    parts
        .map(|part| {
            let values = elements.iter().map(|element| &element.values[part]);
            match format {
                Format::Bool | Format::Integer(_) => exact(format, values),
                Format::Float(float) | Format::Complex(float) => sequential(float, values),
            }
        })
        .collect()
}

/// Returns the mean of integers: the exact mean, rounded once, half to even (downsample.mean.integer). A bool
/// is 0 or 1, so that a tie is false (downsample.mean.bool).
fn exact<'a>(format: &Format, values: impl ExactSizeIterator<Item = &'a Exact>) -> u64 {
    let count = count(values.len());
    let sum = values.fold(Exact::integer(0), |sum, value| sum.add(value));
    match round(&sum.divide(&count), format, Rounding::NearestEven) {
        Rounded::Bits(bits) => bits,
        _ => unreachable!("a mean of integers is between the smallest and the largest"),
    }
}

/// Returns the mean of floats: the sum in the order of the positions, from +0, with each step rounded to the
/// accumulator's format, divided once, and converted once (downsample.mean.float).
fn sequential<'a>(format: &FloatFormat, values: impl ExactSizeIterator<Item = &'a Exact>) -> u64 {
    let accumulator = if *format == FloatFormat::FLOAT64 {
        FloatFormat::FLOAT64
    } else {
        FloatFormat::FLOAT32
    };
    let count = rounded(&count(values.len()), &accumulator);
    let sum = values.fold(Exact::integer(0), |sum, value| {
        rounded(&sum.add(value), &accumulator)
    });
    into(&rounded(&sum.divide(&count), &accumulator), format)
}

fn count(count: usize) -> Exact {
    Exact::integer(i128::try_from(count).unwrap_or(i128::MAX))
}

/// Returns a value rounded to a format, as a value again.
fn rounded(value: &Exact, format: &FloatFormat) -> Exact {
    Exact::from_bits(&Format::Float(*format), into(value, format))
}

/// Converts a value to a format, nearest-even. A value out of its range becomes an infinity; without
/// infinities, NaN; without either, the largest value (downsample.mean.overflow).
fn into(value: &Exact, format: &FloatFormat) -> u64 {
    let beyond = |above: bool| {
        // An unsigned format has only its smallest value at the lower end.
        let low = !above && !format.signed;
        match format.nan_bits() {
            Some(nan) if !format.infinity && !low => nan,
            _ => clamp(&Format::Float(*format), above),
        }
    };
    match round(value, &Format::Float(*format), Rounding::NearestEven) {
        Rounded::Bits(bits) => bits,
        Rounded::OutOfRange { above, .. } => beyond(above),
        Rounded::NotFinite => beyond(!value.is_negative()),
        Rounded::NotANumber => unreachable!("elements without a NaN do not result in one"),
    }
}
