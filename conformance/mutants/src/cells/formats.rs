//! Facts about casts between two formats that follow from the formats alone.

use exactum_conformance::model::{Format, Rounding};
use exactum_exact::{Exact, Rounded, round};

use crate::arithmetic::largest;

/// The values of a format, described as multiples of powers of two: they have at most this number of digits, with the
/// last digit not below `2^quantum` and the first not above `2^top`.
struct Digits {
    most: i64,
    quantum: i64,
    top: i64,
}

impl Digits {
    fn of(format: &Format) -> Self {
        match format {
            Format::Float(float) | Format::Complex(float) => {
                let mantissa = i64::from(float.mantissa_bits);
                let bias = i64::from(float.bias);
                let smallest = if float.zero { 1 - bias } else { -bias };
                let field = float.max_finite_bits() >> float.mantissa_bits;
                Self {
                    most: mantissa + 1,
                    quantum: smallest - mantissa,
                    top: i64::try_from(field).unwrap_or(i64::MAX) - bias,
                }
            }
            Format::Integer(integer) => {
                // The smallest value of a signed type is a power of two, which has a single digit.
                let bits = i64::from(integer.bits) - i64::from(integer.signed);
                Self {
                    most: bits,
                    quantum: 0,
                    top: i64::from(integer.bits) - 1,
                }
            }
            Format::Bool => Self {
                most: 1,
                quantum: 0,
                top: 0,
            },
        }
    }
}

/// Returns whether a format has a NaN.
pub(crate) fn has_nan(format: &Format) -> bool {
    format.float().is_some_and(|it| it.nan_bits().is_some())
}

/// Returns whether a format has two zeros.
pub(crate) fn has_negative_zero(format: &Format) -> bool {
    format.float().is_some_and(|it| it.negative_zero)
}

/// Returns whether every finite value of one format is a value of the other or beyond its range, so that the rounding
/// mode has no effect.
pub(crate) fn is_exact_in_range(from: &Format, to: &Format) -> bool {
    if from == to {
        return true;
    }
    let (source, target) = (Digits::of(from), Digits::of(to));
    let within = source.top.min(target.top) - source.quantum + 1;
    match to {
        Format::Float(float) if !float.zero => false,
        Format::Float(_) => {
            source.quantum >= target.quantum && source.most.min(within) <= target.most
        }
        _ => source.quantum >= 0,
    }
}

/// Returns whether a mode rounds every finite value of one format into the range of the other. It is enough to test the
/// largest and the smallest value.
pub(crate) fn is_always_in_range(from: &Format, to: &Format, rounding: Rounding) -> bool {
    let no_zero = to.float().is_some_and(|float| !float.zero);
    let reaches = |above| {
        let limit = Exact::from_bits(from, largest(from, above));
        matches!(round(&limit, to, rounding), Rounded::Bits(_))
    };
    from == to || (!no_zero && reaches(true) && reaches(false))
}
