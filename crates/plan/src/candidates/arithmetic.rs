//! Arithmetic on exact numbers that a search needs in addition to that of `exactum-exact`.

use std::cmp::Ordering;

use exactum_exact::Exact;

/// Returns a number without its sign.
pub(super) fn magnitude(value: &Exact) -> Exact {
    match value.is_negative() {
        true => value.negate(),
        false => value.clone(),
    }
}

/// Returns the lesser of two numbers.
pub(super) fn less(a: Exact, b: Exact) -> Exact {
    match a.compare(&b) {
        Some(Ordering::Greater) => b,
        _ => a,
    }
}

/// Returns the greater of two numbers.
pub(super) fn more(a: Exact, b: Exact) -> Exact {
    match a.compare(&b) {
        Some(Ordering::Less) => b,
        _ => a,
    }
}

/// Returns the nearest integer, rounding halves away from zero, or `None` if it has more than 126 bits.
pub(super) fn near(value: &Exact) -> Option<i128> {
    let finite = match value {
        Exact::Zero { .. } => return Some(0),
        Exact::Finite(finite) if finite.floor_log2() < 126 => finite,
        _ => return None,
    };
    let (quotient, remainder, divisor) = finite.in_quanta(0);
    let up = i128::from((remainder << 1u32) >= divisor);
    let number = i128::try_from(quotient).ok()? + up;
    Some(if finite.negative { -number } else { number })
}

/// Returns the nearest integer for numbers below 2^52; greater doubles are integers.
pub(super) fn whole(offset: Exact) -> Exact {
    match &offset {
        Exact::Finite(finite) if finite.floor_log2() < 52 => {
            near(&offset).map_or(offset, Exact::integer)
        }
        _ => offset,
    }
}
