//! Reduces a block to one element by each method.

use std::cmp::Ordering;

use exactum_exact::Exact;
use exactum_model::{Array, DataType, Level, Method, NanPolicy, Omission, Scalar};

use super::element::Element;
use super::mean;
use super::order::{compare, compare_parts, representative};

/// Returns the element to which a method reduces the elements of a block, of which there is at least one.
pub(super) fn reduce(level: &Level, block: &Array) -> Scalar {
    let elements = elements(block);
    let data_type = block.data_type();
    let elements = match left(level.omission(), data_type, elements) {
        Left::Elements(elements) => elements,
        Left::Result(result) => return result,
    };
    let method = level.method();
    let bits = match method {
        // A strided block is a single element, which keeps all its bits (downsample.stride).
        Method::Stride => elements[0].bits.clone(),
        Method::Mean => mean::mean(&data_type.format(), &elements),
        Method::Min | Method::Max => extreme(method, block, &elements),
        Method::Median => {
            let sorted = sorted(&elements);
            // The lower of the two in the middle (downsample.median.even).
            representative(block, sorted[(sorted.len() - 1) / 2], &elements)
        }
        Method::Mode => representative(block, mode(&elements), &elements),
    };
    match bits[..] {
        [real, imaginary] => Scalar::complex(data_type, real, imaginary),
        _ => Scalar::new(data_type, bits[0].into()),
    }
}

/// The part of a block that remains after omission.
enum Left {
    /// At least one element.
    Elements(Vec<Element>),
    /// The result, for which no method is needed.
    Result(Scalar),
}

/// Leaves out the skipped value, and leaves out NaN or returns NaN for the whole block, as requested
/// (downsample.omission.value, downsample.omission.nan).
fn left(omission: &Omission, data_type: DataType, mut elements: Vec<Element>) -> Left {
    let format = data_type.format();
    let is_nan = |element: &Element| element.values[0] == Exact::Nan;
    let nan = |bits: u64| {
        format
            .float()
            .and_then(|float| float.nan_bits())
            .unwrap_or(bits)
    };
    let first = elements[0].bits[0];
    if omission.nan == Some(NanPolicy::Propagate) && elements.iter().any(is_nan) {
        return Left::Result(Scalar::new(data_type, nan(first).into()));
    }
    let skipped = omission.skip_value.map(|value| {
        let exact = Exact::from_bits(&format, value.component(0));
        (value, exact)
    });
    let before = elements.len();
    elements.retain(|element| {
        let same =
            |(_, value): &(Scalar, Exact)| compare(&element.values[0], value) == Ordering::Equal;
        !skipped.as_ref().is_some_and(same)
    });
    let had_value = elements.len() < before;
    if omission.nan == Some(NanPolicy::Skip) {
        elements.retain(|element| !is_nan(element));
    }
    match (elements.is_empty(), skipped) {
        (false, _) => Left::Elements(elements),
        (true, Some((value, Exact::Nan))) => {
            Left::Result(Scalar::new(data_type, nan(value.component(0)).into()))
        }
        (true, Some((value, _))) if had_value => Left::Result(value),
        (true, _) => Left::Result(Scalar::new(data_type, nan(first).into())),
    }
}

fn elements(block: &Array) -> Vec<Element> {
    let format = block.data_type().format();
    let scalars = (0..block.len()).map(|index| block.element(index));
    scalars
        .map(|scalar| {
            let parts = 0..format.components();
            let bits: Vec<u64> = parts.map(|part| scalar.component(part)).collect();
            let values = bits.iter().map(|&bits| Exact::from_bits(&format, bits));
            Element {
                values: values.collect(),
                bits,
            }
        })
        .collect()
}

/// Returns the smallest or largest element; NaN is ignored if there is any other element
/// (downsample.special.nan).
fn extreme(method: Method, block: &Array, elements: &[Element]) -> Vec<u64> {
    let numbers = elements
        .iter()
        .filter(|element| element.values[0] != Exact::Nan);
    let by_value = |a: &&Element, b: &&Element| compare(&a.values[0], &b.values[0]);
    let chosen = if method == Method::Min {
        numbers.min_by(by_value)
    } else {
        numbers.max_by(by_value)
    };
    representative(block, chosen.unwrap_or(&elements[0]), elements)
}

fn sorted(elements: &[Element]) -> Vec<&Element> {
    let mut sorted: Vec<&Element> = elements.iter().collect();
    sorted.sort_by(|a, b| compare_parts(a, b));
    sorted
}

/// Returns the most frequent element, or the smallest of several, which comes first in sorted order
/// (downsample.mode.tie).
fn mode(elements: &[Element]) -> &Element {
    let sorted = sorted(elements);
    let mut best = &sorted[..1];
    for run in sorted.chunk_by(|a, b| compare_parts(a, b) == Ordering::Equal) {
        if run.len() > best.len() {
            best = run;
        }
    }
    best[0]
}
