//! Elements as zfp's own types and floats as integers, with one fault, in the machine's arithmetic.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "conversions of the machine are what implementations use"
)]

use exactum_conformance::model::{Format, IntegerFormat, Zfp, ZfpScalar};

use super::fault::Fault::{self, *};

/// The value of a float of zfp's own types.
fn value(scalar: ZfpScalar, bits: u64) -> f64 {
    match (scalar, u32::try_from(bits)) {
        (ZfpScalar::Float32, Ok(bits)) => f32::from_bits(bits).into(),
        _ => f64::from_bits(bits),
    }
}

/// Two to this power; below the subnormals zero.
fn power(exponent: i64) -> f64 {
    match exponent {
        -1022..=1023 => f64::from_bits((exponent + 1023).cast_unsigned() << 52),
        -1074..=-1023 => f64::from_bits(1 << (exponent + 1074)),
        _ => 0.0,
    }
}

/// Times a power of two that may be none.
fn scaled(value: f64, exponent: i64) -> f64 {
    let half = exponent / 2;
    value * power(half) * power(exponent - half)
}

/// The exponent of the largest magnitude as `frexp` gives it.
pub(super) fn common_exponent(fault: Fault, scalar: ZfpScalar, values: &[u64]) -> Option<i64> {
    let least = match scalar {
        ZfpScalar::Float32 => -126,
        _ => -1022,
    };
    let magnitudes = values.iter().map(|&bits| value(scalar, bits).abs());
    let largest = magnitudes.filter(|it| it.is_finite()).fold(0.0, f64::max);
    if largest == 0.0 {
        return None;
    }
    let normal = scaled(largest, 100).to_bits() >> 52;
    let exponent = normal.cast_signed() - 1022 - 100;
    let exponent = match scaled(largest, 100).is_finite() {
        true => exponent,
        false => (largest.to_bits() >> 52).cast_signed() - 1022,
    };
    let exponent = exponent.max(least);
    Some(match fault {
        // A fraction of at least 1, not of at least a half, with a place more in front.
        FractionExponent => exponent + 1,
        _ => exponent,
    })
}

pub(super) fn integers(fault: Fault, scalar: ZfpScalar, values: &[u64], exponent: i64) -> Vec<i64> {
    let scale = i64::from(scalar.bits()) - 2 - exponent;
    let integers = values.iter().map(|&bits| {
        let scaled = scaled(value(scalar, bits), scale);
        match fault {
            RoundedFloats => scaled.round() as i64,
            // What x86 makes of anything that is no integer of the type.
            Garbage if !scaled.is_finite() => i64::MIN >> (64 - scalar.bits()),
            _ => scaled as i64,
        }
    });
    integers.collect()
}

/// The float of an integer of a block.
pub(super) fn float(fault: Fault, scalar: ZfpScalar, integer: i64, exponent: i64) -> u64 {
    let exponent = exponent - i64::from(scalar.bits()) + 2;
    match scalar {
        ZfpScalar::Float32 if fault == SingleStep => {
            ((integer as f64 * power(exponent)) as f32).to_bits().into()
        }
        ZfpScalar::Float32 => (integer as f32 * power(exponent) as f32).to_bits().into(),
        _ if fault == SingleStep => scaled(integer as f64, exponent).to_bits(),
        _ => (integer as f64 * power(exponent)).to_bits(),
    }
}

fn signed(bits: u64, width: u32) -> i64 {
    (bits << (64 - width)).cast_signed() >> (64 - width)
}

/// The bits of an element as those of the type that it is compressed as.
pub(super) fn promote(fault: Fault, codec: &Zfp, bits: u64) -> u64 {
    match codec.data_type.format() {
        Format::Integer(format) if format.bits < 32 => {
            let value = match (format.signed, fault) {
                (true, _) => signed(bits, format.bits),
                (false, Uncentred) => bits.cast_signed() / 2,
                (false, _) => bits.cast_signed() - (1 << (format.bits - 1)),
            };
            let shift = match fault {
                Unshifted => 0,
                _ => 31 - format.bits,
            };
            (value << shift).cast_unsigned() & 0xffff_ffff
        }
        Format::Integer(format) => unsigned(fault, format, bits),
        Format::Float(format) if format.bits() == 16 => {
            if fault == SixteenBitsAsIntegers {
                return (signed(bits, 16) << 15).cast_unsigned() & 0xffff_ffff;
            }
            let mantissa = format.mantissa_bits;
            let sign = bits >> 15 << 31;
            let payload = (bits & format.mantissa_mask()) << (23 - mantissa);
            if format.is_nan(bits) {
                let payload = match fault {
                    PayloadLost => 1 << 22,
                    QuietNans => payload | 1 << 22,
                    _ => payload,
                };
                return sign | 0x7f80_0000 | payload;
            }
            let field = bits >> mantissa & format.max_exponent_field();
            if field == format.max_exponent_field() {
                return sign | 0x7f80_0000;
            }
            let least = 1 - i64::from(format.bias) - i64::from(mantissa);
            let significand = match field {
                0 => bits & format.mantissa_mask(),
                _ => bits & format.mantissa_mask() | 1 << mantissa,
            };
            let exponent = least + field.max(1).cast_signed() - 1;
            let value = scaled(significand as f64, exponent) as f32;
            sign | u64::from(value.to_bits())
        }
        Format::Float(format) if fault == QuietNans && format.is_nan(bits) => {
            bits | 1 << (format.mantissa_bits - 1)
        }
        _ => bits,
    }
}

/// What is done with integers that have no type of their own.
fn unsigned(fault: Fault, format: IntegerFormat, bits: u64) -> u64 {
    let middle = 1 << (format.bits - 1);
    match fault {
        Clamped if !format.signed => bits.min(middle - 1),
        CentredUnsigned if !format.signed => bits ^ middle,
        _ => bits,
    }
}

/// The bits of an element out of those that were decoded.
pub(super) fn demote(fault: Fault, codec: &Zfp, bits: u64) -> u64 {
    match codec.data_type.format() {
        Format::Integer(format) if format.bits < 32 => {
            let shift = match fault {
                Unshifted => 0,
                _ => 31 - format.bits,
            };
            let half = match fault {
                RoundedDemotion => 1_i64 << shift >> 1,
                _ => 0,
            };
            let steps = (signed(bits, 32) + half) >> shift;
            let value = match (format.signed, fault) {
                (true, _) => steps,
                (false, Uncentred) => steps * 2,
                (false, _) => steps + (1 << (format.bits - 1)),
            };
            let (least, most) = (format.min() as i64, format.max() as i64);
            let value = match fault {
                UnclampedDemotion => value,
                SwappedLimits if format.signed => value.max(1 << (format.bits - 1)).min(most),
                _ => value.clamp(least, most),
            };
            value.cast_unsigned() & format.mask()
        }
        Format::Integer(format) if !format.signed => match fault {
            CentredUnsigned => bits ^ 1 << (format.bits - 1),
            _ => signed(bits, format.bits).max(0).cast_unsigned(),
        },
        Format::Float(format) if format.bits() == 16 => {
            if fault == SixteenBitsAsIntegers {
                return (signed(bits, 32) >> 15).cast_unsigned() & 0xffff;
            }
            let mantissa = format.mantissa_bits;
            let sign = bits >> 31 << 15;
            let infinity = format.max_exponent_field() << mantissa;
            let own = bits & 0x7fff_ffff;
            if own > 0x7f80_0000 {
                let payload = (own & 0x007f_ffff) >> (23 - mantissa);
                let quiet = 1 << (mantissa - 1);
                let payload = match fault {
                    PayloadLost => quiet,
                    _ if payload == 0 => quiet,
                    _ => payload,
                };
                return sign | infinity | payload;
            }
            let value = value(ZfpScalar::Float32, own);
            // In units of the last place, down to the subnormals.
            let exponent = (value.to_bits() >> 52).cast_signed() - 1023;
            let least = 1 - i64::from(format.bias);
            let unit = exponent.max(least) - i64::from(mantissa);
            let units = scaled(value, -unit);
            let units = match fault {
                CutFloats => units.trunc(),
                _ => units.round_ties_even(),
            };
            if own == 0x7f80_0000 {
                return sign | infinity;
            }
            let field = (exponent.max(least) - least).cast_unsigned() << mantissa;
            let code = field + (units as i64).cast_unsigned();
            if code >= infinity {
                return match fault {
                    LargestForInfinity => sign | (infinity - 1),
                    _ => sign | infinity,
                };
            }
            sign | code
        }
        _ => bits,
    }
}
