//! The promotion of elements to zfp's own types, its inverse (zfp.promotion), and the conversion between the
//! floats and the integers of a block.

use exactum_exact::{Exact, Finite, Rounded, clamp, round};
use exactum_model::{
    DataType, FloatFormat, FloatValue, Format, Nan, Reason, Rejection, Rounding, Zfp, ZfpScalar,
};

use super::{Coding, Width};

/// Returns the format of one of zfp's own float types, or `None` for an integer type.
pub(super) fn float_format(scalar: ZfpScalar) -> Option<FloatFormat> {
    match scalar {
        ZfpScalar::Int32 | ZfpScalar::Int64 => None,
        ZfpScalar::Float32 => Some(FloatFormat::FLOAT32),
        ZfpScalar::Float64 => Some(FloatFormat::FLOAT64),
    }
}

/// Returns the number that is added to the common exponent before it is written (zfp.float.exponent).
pub(super) fn bias(scalar: ZfpScalar) -> i64 {
    float_format(scalar).map_or(0, |format| i64::from(format.bias))
}

/// Inverts the bits of a negative number except for its sign. The function is its own inverse.
pub(super) fn ordered(width: Width, value: i128) -> i128 {
    if value < 0 {
        value ^ ((1 << (width.0 - 1)) - 1)
    } else {
        value
    }
}

/// Returns the signed integer with these bits in two's complement.
pub(super) fn signed(bits: u64, width: u32) -> i128 {
    let value = i128::from(bits);
    if value >> (width - 1) & 1 == 1 {
        value - (1 << width)
    } else {
        value
    }
}

/// Returns the bits of an integer in two's complement.
pub(super) fn bits_of(value: i128, width: u32) -> u64 {
    u64::try_from(value & ((1 << width) - 1)).unwrap_or_default()
}

/// Requires that a codec can hold an element.
///
/// # Errors
/// If the element is out of range (zfp.unsigned.range, zfp.lossy.range) or not finite (zfp.lossy.finite).
pub(super) fn check(codec: &Zfp, bits: u64) -> Result<(), Rejection> {
    match codec.data_type.format() {
        Format::Integer(format) if format.bits >= 32 => {
            let value = if format.signed {
                signed(bits, format.bits)
            } else {
                i128::from(bits)
            };
            let limit = 1 << (format.bits - 2);
            if !codec.is_reversible() && value.abs() >= limit {
                return Err(out_of_range(codec, value, limit, "zfp.lossy.range").help(
                    "the lossy modes of zfp need smaller magnitudes: use the reversible mode, or scale \
                     the values down first",
                ));
            }
            let limit = 1 << (format.bits - 1);
            if value >= limit {
                return Err(out_of_range(codec, value, limit, "zfp.unsigned.range"));
            }
        }
        Format::Float(format) if !codec.is_reversible() => {
            let what = if format.is_nan(bits) {
                "NaN"
            } else if format.is_infinite(bits) {
                "an infinity"
            } else {
                return Ok(());
            };
            return Err(Rejection::new(
                Reason::NotFinite,
                "zfp.lossy.finite",
                format!("the lossy modes of zfp cannot encode {what}"),
            )
            .help("use the reversible mode"));
        }
        _ => {}
    }
    Ok(())
}

/// Converts the bits of an element to zfp's own type (zfp.promotion.integers, zfp.promotion.floats).
pub(super) fn promote<C: Coding + ?Sized>(
    by: &C,
    data_type: DataType,
    scalar: ZfpScalar,
    bits: u64,
) -> u64 {
    match data_type.format() {
        Format::Integer(format) if format.bits < 32 => {
            let value = if format.signed {
                signed(bits, format.bits)
            } else {
                i128::from(bits) - (1 << (format.bits - 1))
            };
            bits_of(value << by.promotion_shift(&format), 32)
        }
        Format::Float(format) => match float_format(scalar) {
            Some(wide) if wide != format => widen(&format, &wide, bits),
            _ => bits,
        },
        _ => bits,
    }
}

fn out_of_range(codec: &Zfp, value: i128, limit: i128, clause: &'static str) -> Rejection {
    Rejection::new(
        Reason::OutOfRange,
        clause,
        format!(
            "{value} of {} is not below {limit} in magnitude",
            codec.data_type
        ),
    )
}

/// Converts the bits of an element from zfp's own type (zfp.demotion).
pub(super) fn demote<C: Coding + ?Sized>(
    by: &C,
    data_type: DataType,
    scalar: ZfpScalar,
    bits: u64,
) -> u64 {
    match data_type.format() {
        Format::Integer(format) if format.bits < 32 => {
            let value = by.shifted_down(signed(bits, 32), by.promotion_shift(&format));
            let value = if format.signed {
                value
            } else {
                value + (1 << (format.bits - 1))
            };
            bits_of(by.clamped(&format, value), format.bits)
        }
        Format::Integer(format) if !format.signed && signed(bits, format.bits) < 0 => 0,
        Format::Float(format) => match float_format(scalar) {
            Some(wide) if wide != format => narrow(by.narrowing(), &wide, &format, bits),
            _ => bits,
        },
        _ => bits,
    }
}

/// Converts a float to a wider format. The payload of a NaN keeps its place below the exponent. If the narrow
/// format has no payloads, only the highest bit of the new payload is set (zfp.promotion.floats).
fn widen(from: &FloatFormat, to: &FloatFormat, bits: u64) -> u64 {
    if from.is_nan(bits) {
        let payload = match from.nan {
            Nan::Ieee => (bits & from.mantissa_mask()) << (to.mantissa_bits - from.mantissa_bits),
            Nan::None | Nan::Only(_) | Nan::AllOnes => 1 << (to.mantissa_bits - 1),
        };
        // The only NaN of such a format has no sign, although its sign bit may be set.
        let bits = if matches!(from.nan, Nan::Only(_)) {
            0
        } else {
            bits
        };
        return nan(from, to, bits, payload);
    }
    let value = Exact::from_bits(&Format::Float(*from), bits);
    rounded(&value, to, Rounding::NearestEven)
}

/// Converts a float to a narrower format. A value out of range becomes an infinity. A NaN keeps the upper part
/// of its payload. If that part is zero, its highest bit is set, so that the result is still a NaN.
fn narrow(mode: Rounding, from: &FloatFormat, to: &FloatFormat, bits: u64) -> u64 {
    if to.nan != Nan::Ieee {
        return narrow_to_small(from, to, bits);
    }
    if from.is_nan(bits) {
        let payload = (bits & from.mantissa_mask()) >> (from.mantissa_bits - to.mantissa_bits);
        let payload = if payload == 0 {
            1 << (to.mantissa_bits - 1)
        } else {
            payload
        };
        return nan(from, to, bits, payload);
    }
    rounded(&Exact::from_bits(&Format::Float(*from), bits), to, mode)
}

/// Converts a float to a format without payloads. A value that is too large becomes NaN, if the format has a NaN
/// (zfp.demotion.floats.small).
fn narrow_to_small(from: &FloatFormat, to: &FloatFormat, bits: u64) -> u64 {
    let negative = bits & from.sign_mask() != 0;
    let not_a_number = to.nan_bits().map(|nan| match to.nan {
        Nan::AllOnes if negative => nan | to.sign_mask(),
        _ => nan,
    });
    if from.is_nan(bits) {
        return not_a_number.unwrap_or(0);
    }
    let format = Format::Float(*to);
    if from.is_infinite(bits) {
        let largest = clamp(&format, !negative);
        return match not_a_number {
            Some(nan) if to.signed || !negative => nan,
            _ => largest,
        };
    }
    match round(
        &Exact::from_bits(&Format::Float(*from), bits),
        &format,
        Rounding::NearestEven,
    ) {
        Rounded::Bits(bits) => bits,
        // Only in a format without a sign is the lower end of the range not the negative of the upper end.
        Rounded::OutOfRange { above: false, .. } if !to.signed => clamp(&format, false),
        Rounded::OutOfRange { above, .. } => not_a_number.unwrap_or(clamp(&format, above)),
        Rounded::NotANumber | Rounded::NotFinite => 0,
    }
}

fn nan(from: &FloatFormat, to: &FloatFormat, bits: u64, payload: u64) -> u64 {
    let sign = if bits & from.sign_mask() == 0 {
        0
    } else {
        to.sign_mask()
    };
    sign | to.max_exponent_field() << to.mantissa_bits | payload
}

/// Rounds a value to a float and returns its bits. A value out of range becomes an infinity.
fn rounded(value: &Exact, format: &FloatFormat, mode: Rounding) -> u64 {
    let format = Format::Float(*format);
    match round(value, &format, mode) {
        Rounded::Bits(bits) => bits,
        Rounded::OutOfRange { above, .. } => clamp(&format, above),
        Rounded::NotANumber | Rounded::NotFinite => 0,
    }
}

/// Returns `integer * 2^exponent` as zfp computes it: the integer and the power of two are converted to floats,
/// which are then multiplied, and each of these three steps rounds. A power of two that is too small for a float
/// becomes zero (zfp.float.decode).
pub(super) fn scaled(integer: i128, exponent: i64, format: &FloatFormat) -> u64 {
    let scale = Exact::Finite(Finite {
        negative: false,
        numerator: 1u32.into(),
        denominator: 1u32.into(),
        exponent,
    });
    let float = |value: &Exact| {
        let bits = rounded(value, format, Rounding::NearestEven);
        Exact::from_bits(&Format::Float(*format), bits)
    };
    rounded(
        &float(&Exact::integer(integer)).multiply(&float(&scale)),
        format,
        Rounding::NearestEven,
    )
}

/// A finite float as `± significand * 2^exponent`.
#[derive(Clone, Copy, Debug)]
pub struct Float {
    /// Whether the sign is set.
    pub negative: bool,
    /// The significand, as an integer.
    pub significand: u64,
    /// The exponent of the last bit of the significand.
    pub exponent: i64,
}

impl Float {
    /// Decodes a float. Returns `None` for NaN and the infinities.
    pub(super) fn of(format: &FloatFormat, bits: u64) -> Option<Self> {
        let (negative, significand, exponent) = match format.decode(bits) {
            FloatValue::Nan | FloatValue::Infinite { .. } => return None,
            FloatValue::Zero { negative } => {
                let subnormal = 1 - format.bias - format.mantissa_bits.cast_signed();
                (negative, 0, subnormal)
            }
            FloatValue::Finite {
                negative,
                significand,
                exponent,
            } => (negative, significand, exponent),
        };
        Some(Self {
            negative,
            significand,
            exponent: exponent.into(),
        })
    }

    /// Returns the exponent of the smallest power of two above the magnitude, or `None` for a zero.
    pub(super) fn magnitude(&self) -> Option<i64> {
        let bits = self.significand.checked_ilog2()? + 1;
        Some(self.exponent + i64::from(bits))
    }

    /// Multiplies the value by `2^scale` and truncates the product to an integer. Also returns whether the result
    /// is exact (zfp.float.truncation).
    #[must_use]
    pub fn truncated(&self, scale: i64) -> (i128, bool) {
        let significand = i128::from(self.significand);
        let (magnitude, exact) = match u32::try_from(self.exponent + scale) {
            Ok(up) => (significand << up, true),
            Err(_) => {
                // A shift by 64 bits or more leaves nothing of the significand.
                let down = u32::try_from(-(self.exponent + scale))
                    .unwrap_or(u32::MAX)
                    .min(64);
                let magnitude = significand >> down;
                (magnitude, magnitude << down == significand)
            }
        };
        (if self.negative { -magnitude } else { magnitude }, exact)
    }
}
