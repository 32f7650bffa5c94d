//! The order of elements, and the choice among equal elements.

use std::cmp::Ordering;

use exactum_exact::Exact;
use exactum_model::Array;

use super::element::Element;

/// Compares two numbers by value. The zeros are equal, and NaN equals itself and comes last
/// (downsample.special.nan, downsample.special.zero).
pub(super) fn compare(a: &Exact, b: &Exact) -> Ordering {
    match (a, b) {
        (Exact::Nan, Exact::Nan) => Ordering::Equal,
        (Exact::Nan, _) => Ordering::Greater,
        (_, Exact::Nan) => Ordering::Less,
        _ => a.compare(b).unwrap_or(Ordering::Equal),
    }
}

/// Compares two elements. Complex numbers are compared by their real parts, then by their imaginary parts
/// (downsample.mode.complex).
pub(super) fn compare_parts(a: &Element, b: &Element) -> Ordering {
    let parts = a.values.iter().zip(&b.values);
    parts.fold(Ordering::Equal, |order, (a, b)| order.then(compare(a, b)))
}

/// Returns the bits that represent all elements equal to the chosen one. NaN is represented by the default NaN, and
/// zeros by +0 if there is a +0 among them (downsample.special.nan, downsample.special.zero).
pub(super) fn representative(block: &Array, chosen: &Element, all: &[Element]) -> Vec<u64> {
    let format = block.data_type().format();
    let equal = || {
        all.iter()
            .filter(|element| compare_parts(element, chosen) == Ordering::Equal)
    };
    let part = |part: usize| match &chosen.values[part] {
        Exact::Nan => format
            .float()
            .and_then(|format| format.nan_bits())
            .unwrap_or(chosen.bits[part]),
        Exact::Zero { .. } => {
            equal()
                .find(|element| !element.values[part].is_negative())
                .unwrap_or(chosen)
                .bits[part]
        }
        _ => chosen.bits[part],
    };
    (0..chosen.bits.len()).map(part).collect()
}
