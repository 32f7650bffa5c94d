//! The reduction of a block to one element.

use std::cmp::Ordering;

use exactum_exact::Exact;
use exactum_model::{Array, DataType, Level, Method, NanPolicy, Omission, Scalar};

use super::element::Element;
use super::order::{compare, compare_parts, representative};
use super::{Downsampling, mean};

/// Reduces a block of at least one element with the method of a level.
pub(super) fn reduce(by: &(impl Downsampling + ?Sized), level: &Level, block: &Array) -> Scalar {
    let elements = elements(block);
    let data_type = block.data_type();
    let elements = match left(level.omission(), data_type, elements) {
        Left::Elements(elements) => elements,
        Left::Result(result) => return result,
    };
    let format = data_type.format();
    let order = |a: &&Element, b: &&Element| by.order(&format, a, b);
    let sorted = || {
        let mut sorted: Vec<&Element> = elements.iter().collect();
        sorted.sort_by(order);
        sorted
    };
    let value_of = |chosen: &Element| representative(block, chosen, &elements);
    let method = level.method();
    let bits = match method {
        // A strided block is a single element, which keeps all its bits (downsample.stride).
        Method::Stride => elements[0].bits.clone(),
        Method::Mean => mean::mean(by, &format, &elements),
        Method::Min | Method::Max => value_of(extreme(method, &elements, order)),
        Method::Median => value_of(sorted()[by.middle(level, elements.len())]),
        Method::Mode => value_of(mode(by, &sorted())),
    };
    match bits[..] {
        [real, imaginary] => Scalar::complex(data_type, real, imaginary),
        _ => Scalar::new(data_type, bits[0].into()),
    }
}

/// The part of a block that remains after elements have been skipped.
enum Left {
    /// At least one element.
    Elements(Vec<Element>),
    /// The result of the block, if it is known without applying the method.
    Result(Scalar),
}

/// Removes the elements to be skipped. If NaN is to propagate and the block contains NaN, the result of the block is
/// NaN (downsample.omission.value, downsample.omission.nan).
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
    let components: Vec<u64> = block.components().collect();
    let value = |bits: &u64| Exact::from_bits(&format, *bits);
    let element = |bits: &[u64]| Element {
        values: bits.iter().map(value).collect(),
        bits: bits.to_vec(),
    };
    let elements = components.chunks(format.components());
    elements.map(element).collect()
}

/// Returns the smallest or largest element. NaN is ignored if there is any other element
/// (downsample.special.nan).
fn extreme(
    method: Method,
    elements: &[Element],
    order: impl Fn(&&Element, &&Element) -> Ordering,
) -> &Element {
    let numbers = elements
        .iter()
        .filter(|element| element.values[0] != Exact::Nan);
    let chosen = match method {
        Method::Min => numbers.min_by(order),
        _ => numbers.max_by(order),
    };
    chosen.unwrap_or(&elements[0])
}

/// Returns the most frequent of the sorted elements (downsample.mode).
fn mode<'a>(by: &(impl Downsampling + ?Sized), sorted: &[&'a Element]) -> &'a Element {
    let runs = sorted.chunk_by(|a, b| compare_parts(a, b) == Ordering::Equal);
    let best = runs.reduce(|best, run| if by.is_mode(run, best) { run } else { best });
    best.map_or(sorted[0], |run| run[0])
}
