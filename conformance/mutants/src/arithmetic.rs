//! Arithmetic that several mutants share: exact values, and the detours through binary64 that real implementations
//! take.

use exactum_conformance::model::{FloatFormat, Format, IntegerFormat, Rounding};
use exactum_exact::{Exact, Finite, Rounded, round};

/// binary64, the most common detour.
pub(super) const BINARY64: Format = Format::Float(FloatFormat::FLOAT64);

/// binary32, the other detour.
pub(super) const BINARY32: Format = Format::Float(FloatFormat::FLOAT32);

/// Returns the value after a detour through a format, rounded to nearest-even; an overflow becomes infinite.
pub(super) fn through(value: &Exact, format: &Format) -> Exact {
    match round(value, format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Exact::from_bits(format, bits),
        Rounded::OutOfRange { above, .. } => Exact::Infinite { negative: !above },
        Rounded::NotANumber | Rounded::NotFinite => value.clone(),
    }
}

/// Returns the bits after a detour through binary64 and back, as in a program that keeps all numbers in doubles. An
/// integer that leaves its type's range on the way is saturated.
pub(super) fn bits_through_binary64(format: &Format, bits: u64) -> u64 {
    saturated(&through(&Exact::from_bits(format, bits), &BINARY64), format)
}

/// Returns the bits nearest to a value, regardless of its range; NaN becomes 0 if the format has none.
pub(super) fn saturated(value: &Exact, format: &Format) -> u64 {
    match (round(value, format, Rounding::TowardsZero), format) {
        (Rounded::Bits(bits), _) => bits,
        (Rounded::OutOfRange { above, .. }, _) => largest(format, above),
        (Rounded::NotFinite, _) => largest(format, !value.is_negative()),
        (Rounded::NotANumber, _) => 0,
    }
}

/// Returns the bits of the largest finite value, or of the smallest.
pub(super) fn largest(format: &Format, above: bool) -> u64 {
    match (format, above) {
        (Format::Float(format) | Format::Complex(format), true) => format.max_finite_bits(),
        (Format::Float(format) | Format::Complex(format), false) => {
            format.max_finite_bits() | format.sign_mask()
        }
        _ => exactum_exact::clamp(format, above),
    }
}

/// Returns whether a value lies beyond the largest finite value (`true`) or the smallest (`false`).
pub(super) fn beyond(value: &Exact, format: &Format) -> Option<bool> {
    use std::cmp::Ordering;
    let bound = |above| Exact::from_bits(format, largest(format, above));
    if value.compare(&bound(true)) == Some(Ordering::Greater) {
        Some(true)
    } else if value.compare(&bound(false)) == Some(Ordering::Less) {
        Some(false)
    } else {
        None
    }
}

/// Returns the greatest integer that is not above the value.
pub(super) fn floor(value: &Exact) -> Exact {
    let Exact::Finite(finite) = value else {
        return value.clone();
    };
    let (quotient, remainder, _) = finite.in_quanta(0);
    let numerator = if finite.negative && remainder.bits() != 0 {
        quotient + 1u32
    } else {
        quotient
    };
    if numerator.bits() == 0 {
        return Exact::Zero {
            negative: finite.negative,
        };
    }
    Exact::Finite(Finite {
        negative: finite.negative,
        numerator,
        denominator: 1u32.into(),
        exponent: 0,
    })
}

/// Returns whether a value is an integer.
pub(super) fn is_integer(value: &Exact) -> bool {
    match value {
        Exact::Finite(finite) => finite.in_quanta(0).1.bits() == 0,
        Exact::Zero { .. } => true,
        Exact::Nan | Exact::Infinite { .. } => false,
    }
}

/// Returns `2^N` for an integer of N bits.
pub(super) fn modulus(format: &IntegerFormat) -> Exact {
    Exact::integer(1 << format.bits)
}

/// Returns whether two values are the same number.
pub(super) fn same(a: &Exact, b: &Exact) -> bool {
    a.compare(b) == Some(std::cmp::Ordering::Equal)
}

/// Returns the integer format, if the format is one.
pub(super) fn integer(format: &Format) -> Option<IntegerFormat> {
    match format {
        Format::Integer(format) => Some(*format),
        _ => None,
    }
}

/// Returns whether bits are zero or subnormal in a format that has such numbers.
pub(super) fn is_subnormal(format: &FloatFormat, bits: u64) -> bool {
    let exponent = bits >> format.mantissa_bits & format.max_exponent_field();
    format.zero && exponent == 0 && !format.is_nan(bits)
}

/// Returns one half.
pub(super) fn half() -> Exact {
    Exact::integer(1).divide(&Exact::integer(2))
}

/// Returns the magnitude.
pub(super) fn magnitude(value: &Exact) -> Exact {
    if value.is_negative() {
        value.negate()
    } else {
        value.clone()
    }
}
