//! Computes `stored = value * SCALE + OFFSET` and its inverse, correctly rounded (sds.2.6, sds.5.16).
//!
//! A fused multiply-add rounds once, and rounding is monotonic: the result shows on which side of a
//! half-integer the exact number is, unless the result *is* that half-integer. Only then is the exact number
//! computed.

use core::cmp::Ordering;

use exactum_model::sds::Scaling;

use super::dyadic::{DOUBLE, Dyadic, Real, SINGLE};
#[cfg(not(feature = "std"))]
use crate::math::Whole as _;

/// Codes are below this magnitude; larger values lack one.
const CODES: f64 = 4_503_599_627_370_496.0;

/// Magnitudes between which products and quotients neither overflow nor lose low bits.
pub(super) const SAFE: core::ops::Range<f64> = 1e-250..1e250;

/// SCALE and OFFSET, prepared for computations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) scale: f64,
    pub(super) offset: f64,
}

impl Line {
    pub(super) fn new(scaling: Scaling) -> Self {
        let (scale, offset) = scaling.effective();
        Self {
            scale: f64::from_bits(scale),
            offset: f64::from_bits(offset),
        }
    }

    /// Returns the code of a finite value: the nearest integer, ties away from zero.
    #[inline]
    pub(super) fn code(self, value: f64) -> Option<i64> {
        let result = fused(value, self.scale, self.offset);
        nearest(result, || self.compare(value, result))
    }

    /// Compares the exact `value * SCALE + OFFSET` with a number.
    #[cold]
    fn compare(self, value: f64, with: f64) -> Ordering {
        let exact = Dyadic::of(value).multiply(&Dyadic::of(self.scale));
        exact
            .add(&Dyadic::of(self.offset))
            .subtract(&Dyadic::of(with))
            .sign()
    }

    /// Returns the value of a code, rounded once to a double, or an infinity if it overflows.
    #[inline]
    pub(super) fn value(self, code: i64) -> f64 {
        match self.quotient(code) {
            Some((value, rest)) if value + rest * (1.0 + 1e-9) == value => value,
            _ => self.exact_value(code, DOUBLE),
        }
    }

    /// Returns the value of a code, rounded once to a single, or an infinity if it overflows.
    #[inline]
    pub(super) fn single(self, code: i64) -> f64 {
        match self.quotient(code) {
            Some((value, 0.0)) => f64::from(narrow(value)),
            // Rounded to odd, a double has enough more bits than a single to be rounded again.
            Some((value, rest)) if rest.abs() > value.abs() * 1e-25 => {
                let towards_zero = (rest < 0.0) != (value < 0.0);
                let bits = value.to_bits() - u64::from(towards_zero);
                f64::from(narrow(f64::from_bits(bits | 1)))
            }
            _ => self.exact_value(code, SINGLE),
        }
    }

    /// Returns `(code - OFFSET) / SCALE` as a double, and the remainder to the exact number, with an error
    /// far below the last place. A remainder of 0 is exact. Returns `None` if the machine's range is
    /// exceeded.
    #[inline]
    fn quotient(self, code: i64) -> Option<(f64, f64)> {
        let code = double(code);
        // The exact difference is `high + low`.
        let high = code - self.offset;
        let back = high - code;
        let low = (code - (high - back)) + (-self.offset - back);
        let first = high / self.scale;
        if high == 0.0 && low == 0.0 {
            return Some((first, 0.0));
        }
        let safe = |magnitude: f64| SAFE.contains(&magnitude.abs());
        if !safe(high) || !safe(self.scale) || !safe(first) {
            return None;
        }
        let rest = fused(-first, self.scale, high);
        if rest == 0.0 && low == 0.0 {
            return Some((first, 0.0));
        }
        let second = (rest + low) / self.scale;
        let value = first + second;
        let rest = (first - value) + second;
        // A remainder of 0 would claim that the value is exact.
        (rest != 0.0).then_some((value, rest))
    }

    #[cold]
    fn exact_value(self, code: i64, format: Real) -> f64 {
        let difference = Dyadic::integer(code).subtract(&Dyadic::of(self.offset));
        difference.divided_by(&Dyadic::of(self.scale), format)
    }

    /// Returns the code on another line for the value of a code on this one.
    pub(super) fn recode(self, code: i64, to: Line) -> Option<i64> {
        let value = (double(code) - self.offset) / self.scale;
        let scaled = value * to.scale;
        let result = scaled + to.offset;
        // Four roundings, each at most 2^-53 of a number not above these.
        let error = ((double(code).abs() + self.offset.abs()) / self.scale.abs() * to.scale.abs()
            + scaled.abs()
            + to.offset.abs())
            * 1e-15;
        let fraction = (result.abs() - result.abs().trunc() - 0.5).abs();
        if error < fraction && result.abs() < CODES && error > 0.0 {
            return nearest(result, || Ordering::Equal);
        }
        self.exact_recode(code, to)
    }

    #[cold]
    fn exact_recode(self, code: i64, to: Line) -> Option<i64> {
        // ((code - O) * S' + O' * S) / S
        let moved = Dyadic::integer(code).subtract(&Dyadic::of(self.offset));
        let scale = Dyadic::of(self.scale);
        let numerator = moved
            .multiply(&Dyadic::of(to.scale))
            .add(&Dyadic::of(to.offset).multiply(&scale));
        let rounded = numerator.divided_by(&scale, DOUBLE);
        nearest(rounded, || {
            let rest = numerator.subtract(&Dyadic::of(rounded).multiply(&scale));
            let sign = rest.sign();
            if self.scale < 0.0 {
                sign.reverse()
            } else {
                sign
            }
        })
    }
}

/// Returns the integer nearest to an exact number, ties away from zero, given the number rounded to a double;
/// `exact` compares the exact number with that double.
#[inline]
pub(super) fn nearest(rounded: f64, exact: impl FnOnce() -> Ordering) -> Option<i64> {
    // This also excludes NaN.
    if !matches!(rounded.abs().partial_cmp(&CODES), Some(Ordering::Less)) {
        return None;
    }
    let whole = rounded.trunc();
    let fraction = rounded - whole;
    let step = match fraction.abs().partial_cmp(&0.5) {
        Some(Ordering::Greater) => true,
        Some(Ordering::Equal) => {
            let towards = if rounded > 0.0 {
                Ordering::Less
            } else {
                Ordering::Greater
            };
            exact() != towards
        }
        _ => false,
    };
    let away = if step { 1.0f64.copysign(rounded) } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, reason = "an integer below 2^52")]
    Some((whole + away) as i64)
}

#[expect(clippy::cast_possible_truncation, reason = "the rounding is intended")]
fn narrow(value: f64) -> f32 {
    value as f32
}

/// Returns a code as a double; codes have at most 32 bits.
#[expect(clippy::cast_precision_loss, reason = "codes have at most 32 bits")]
pub(super) fn double(code: i64) -> f64 {
    code as f64
}

/// Returns `a * b + c`, rounded once.
#[cfg(feature = "std")]
#[inline]
fn fused(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

/// Returns `a * b + c`, rounded once; `core` does not have such an instruction.
#[cfg(not(feature = "std"))]
fn fused(a: f64, b: f64, c: f64) -> f64 {
    if !(a.is_finite() && b.is_finite() && c.is_finite()) {
        return a * b + c;
    }
    let exact = Dyadic::of(a).multiply(&Dyadic::of(b)).add(&Dyadic::of(c));
    exact.divided_by(&Dyadic::integer(1), DOUBLE)
}
