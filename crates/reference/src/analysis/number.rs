//! Arithmetic on exact numbers that only the analysis needs.

use std::cmp::Ordering;

use exactum_exact::{Exact, Finite};

/// The number zero.
pub(super) const ZERO: Exact = Exact::Zero { negative: false };

/// Returns two to the power of `exponent`.
pub(super) fn power(exponent: i64) -> Exact {
    Exact::Finite(Finite {
        negative: false,
        numerator: 1u32.into(),
        denominator: 1u32.into(),
        exponent,
    })
}

/// Returns half of a number.
pub(super) fn half(value: &Exact) -> Exact {
    value.multiply(&power(-1))
}

/// Returns the magnitude of a number.
pub(super) fn magnitude(value: &Exact) -> Exact {
    match value.is_negative() {
        true => value.negate(),
        false => value.clone(),
    }
}

/// Returns the distance between two numbers.
pub(super) fn distance(a: &Exact, b: &Exact) -> Exact {
    magnitude(&a.subtract(b))
}

/// Returns the larger of two numbers.
pub(super) fn larger(a: Exact, b: Exact) -> Exact {
    match a.compare(&b) {
        Some(Ordering::Less) => b,
        _ => a,
    }
}

/// Returns the largest of some numbers that are not negative, or zero if there are none.
pub(super) fn largest(all: impl IntoIterator<Item = Exact>) -> Exact {
    all.into_iter().fold(ZERO, larger)
}

/// Returns whether a number is neither NaN nor infinite.
pub(super) fn is_finite(value: &Exact) -> bool {
    matches!(value, Exact::Zero { .. } | Exact::Finite(_))
}
