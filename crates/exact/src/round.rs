//! The only rounding function.

use std::cmp::Ordering;

use exactum_model::{FloatFormat, Format, IntegerFormat, Rounding};
use num_bigint::BigUint;

use crate::value::{Exact, Finite, signed};

/// The result of rounding an exact value into a format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Rounded {
    /// The bits of a value of the format.
    Bits(u64),
    /// The value, rounded as if the exponent were unbounded, lies outside the format's finite range.
    OutOfRange {
        /// The rounded value.
        rounded: Exact,
        /// Whether the rounded value lies above the range. Otherwise, it lies below the range.
        above: bool,
    },
    /// The value is NaN, and the format has no NaN.
    NotANumber,
    /// The value is an infinity, and the format has no infinities.
    NotFinite,
}

/// Rounds an exact value into a format. The value is rounded once, as if the exponent were unbounded, and then
/// compared with the range of the format (cast_value.rounding.before-range).
///
/// NaN becomes the format's default NaN. A zero, or a value that rounds to zero, keeps its sign if the format
/// has a negative zero, and becomes positive zero otherwise. Rounding into a bool is rounding into an unsigned
/// integer of one bit, and rounding into a complex format is rounding into the float format of its components.
pub fn round(value: &Exact, format: &Format, mode: Rounding) -> Rounded {
    match format {
        Format::Bool => round_integer(
            value,
            &IntegerFormat {
                bits: 1,
                signed: false,
            },
            mode,
        ),
        Format::Integer(format) => round_integer(value, format, mode),
        Format::Float(format) | Format::Complex(format) => round_float(value, format, mode),
    }
}

/// Returns the bits to which `clamp` maps a value above or below the range of a format
/// (cast_value.range.clamp): the infinity of that sign if the format has infinities, and the largest or smallest
/// value otherwise.
#[must_use]
pub fn clamp(format: &Format, above: bool) -> u64 {
    match format {
        Format::Bool => u64::from(above),
        Format::Integer(format) => {
            let bound = if above { format.max() } else { format.min() };
            integer_bits(bound < 0, &bound.unsigned_abs().into(), format)
        }
        Format::Float(format) | Format::Complex(format) => {
            let largest = format
                .infinity_bits()
                .unwrap_or_else(|| format.max_finite_bits());
            match (above, format.signed) {
                (true, _) => largest,
                (false, true) => largest | format.sign_mask(),
                (false, false) => 0,
            }
        }
    }
}

/// Returns the bits of the value that is congruent to a rounded value modulo `2^N` (cast_value.range.wrap). The
/// rounded value must be an integer, as the results of [`round`] for an integer format are.
#[must_use]
pub fn wrap(format: &IntegerFormat, rounded: &Exact) -> u64 {
    match rounded {
        Exact::Finite(finite) => {
            let (magnitude, ..) = finite.in_quanta(0);
            integer_bits(finite.negative, &magnitude, format)
        }
        _ => 0,
    }
}

fn round_integer(value: &Exact, format: &IntegerFormat, mode: Rounding) -> Rounded {
    let finite = match value {
        Exact::Nan => return Rounded::NotANumber,
        Exact::Infinite { .. } => return Rounded::NotFinite,
        Exact::Zero { .. } => return Rounded::Bits(0),
        Exact::Finite(finite) => finite,
    };
    let magnitude = round_magnitude(finite, 0, mode);
    let farthest = if finite.negative {
        format.min()
    } else {
        format.max()
    };
    let is_in_range =
        u64::try_from(&magnitude).is_ok_and(|it| u128::from(it) <= farthest.unsigned_abs());
    if !is_in_range {
        let rounded = Exact::Finite(Finite {
            negative: finite.negative,
            numerator: magnitude,
            denominator: 1u32.into(),
            exponent: 0,
        });
        return Rounded::OutOfRange {
            rounded,
            above: !finite.negative,
        };
    }
    Rounded::Bits(integer_bits(finite.negative, &magnitude, format))
}

fn round_float(value: &Exact, format: &FloatFormat, mode: Rounding) -> Rounded {
    let sign = |negative: bool| if negative { format.sign_mask() } else { 0 };
    let zero = |negative: bool| {
        if !format.zero {
            Rounded::OutOfRange {
                rounded: Exact::Zero { negative },
                above: false,
            }
        } else if format.negative_zero {
            Rounded::Bits(sign(negative))
        } else {
            Rounded::Bits(0)
        }
    };
    let finite = match value {
        Exact::Nan => return format.nan_bits().map_or(Rounded::NotANumber, Rounded::Bits),
        Exact::Infinite { negative } => {
            return format.infinity_bits().map_or(Rounded::NotFinite, |bits| {
                Rounded::Bits(bits | sign(*negative))
            });
        }
        Exact::Zero { negative } => return zero(*negative),
        Exact::Finite(finite) => finite,
    };

    // The leading bit determines the distance between neighbouring values, except in the subnormal range, where
    // the distance is constant.
    let mantissa_bits = i64::from(format.mantissa_bits);
    let bias = i64::from(format.bias);
    let mut quantum = finite.floor_log2() - mantissa_bits;
    if format.zero {
        quantum = quantum.max(1 - bias - mantissa_bits);
    }
    let mut significand = round_magnitude(finite, quantum, mode);
    if significand.bits() == 0 {
        return zero(finite.negative);
    }
    if signed(significand.bits()) > mantissa_bits + 1 {
        // A carry has turned the significand into a power of two.
        significand >>= 1u32;
        quantum += 1;
    }

    let subnormal = signed(significand.bits()) <= mantissa_bits;
    let field = if subnormal {
        0
    } else {
        quantum + mantissa_bits + bias
    };
    let out_of_range = |above| Rounded::OutOfRange {
        rounded: Exact::Finite(Finite {
            negative: finite.negative,
            numerator: significand.clone(),
            denominator: 1u32.into(),
            exponent: quantum,
        }),
        above,
    };
    if finite.negative && !format.signed {
        return out_of_range(false);
    }
    let Ok(field) = u64::try_from(field) else {
        return round_below_smallest(finite, format, mode).unwrap_or_else(|| out_of_range(false));
    };
    if field > format.max_exponent_field() {
        return out_of_range(!finite.negative);
    }
    let mantissa = low_bits(&significand) & format.mantissa_mask();
    let magnitude = field << format.mantissa_bits | mantissa;
    if magnitude > format.max_finite_bits() {
        return out_of_range(!finite.negative);
    }
    Rounded::Bits(magnitude | sign(finite.negative))
}

/// Rounds a positive value below the smallest value of a format without zero (cast_value.rounding.no-zero). The
/// nearest modes return the smallest value if the value is at least half of it, towards-positive always returns
/// the smallest value, and the other modes never do.
fn round_below_smallest(finite: &Finite, format: &FloatFormat, mode: Rounding) -> Option<Rounded> {
    let half_of_smallest = -i64::from(format.bias) - 1;
    let taken = match mode {
        Rounding::NearestEven | Rounding::NearestAway => finite.floor_log2() >= half_of_smallest,
        Rounding::TowardsPositive => true,
        Rounding::TowardsZero | Rounding::TowardsNegative => false,
    };
    taken.then_some(Rounded::Bits(0))
}

/// Returns `|value| / 2^quantum` rounded to an integer. The directed modes take the sign of the value into
/// account.
fn round_magnitude(finite: &Finite, quantum: i64, mode: Rounding) -> BigUint {
    let (quotient, rest) = finite.quotient(quantum);
    let up = match mode {
        Rounding::NearestEven => match rest.to_half {
            Ordering::Less => false,
            Ordering::Equal => quotient.bit(0),
            Ordering::Greater => true,
        },
        Rounding::NearestAway => rest.to_half.is_ge(),
        Rounding::TowardsZero => false,
        Rounding::TowardsPositive => rest.some && !finite.negative,
        Rounding::TowardsNegative => rest.some && finite.negative,
    };
    if up { quotient + 1u32 } else { quotient }
}

/// Returns the bits of an integer in two's complement, modulo `2^N`.
fn integer_bits(negative: bool, magnitude: &BigUint, format: &IntegerFormat) -> u64 {
    let low = low_bits(magnitude);
    let low = if negative { low.wrapping_neg() } else { low };
    low & format.mask()
}

fn low_bits(value: &BigUint) -> u64 {
    value.iter_u64_digits().next().unwrap_or(0)
}
