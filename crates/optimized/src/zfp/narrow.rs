//! Elements of types that zfp lacks (zfp.promotion), and elements that a codec cannot hold.

use alloc::vec::Vec;

use exactum_model::{FloatFormat, Format, Nan, Reason, Zfp};

use crate::cast_value::small::float32_of_power;
use crate::fault::{Fault, Message, ZfpMessage};
use crate::{element_bits, set_element_bits};

/// Converts elements of fewer than 32 bits to zfp's own types of 32 bits, in memory that is reused.
pub(super) fn promote(codec: &Zfp, elements: &[u8], wide: &mut Vec<u8>) {
    let data_type = codec.data_type;
    let count = elements.len() / data_type.element_bytes();
    wide.resize(4 * count, 0);
    let bits = (0..count).map(|index| element_bits(data_type, elements, index));
    for (word, bits) in wide.as_chunks_mut::<4>().0.iter_mut().zip(bits) {
        #[expect(clippy::cast_possible_truncation, reason = "at most 16 bits")]
        let bits = bits as u32;
        let value = match data_type.format() {
            // A signed integer has its sign two bits below the highest bit, to which the shift moves it.
            Format::Integer(format) if format.signed => {
                let sign = 1 << (format.bits - 1);
                (bits ^ sign).wrapping_sub(sign) << (31 - format.bits)
            }
            Format::Integer(format) => {
                bits.wrapping_sub(1 << (format.bits - 1)) << (31 - format.bits)
            }
            Format::Float(format) if !format.zero => float32_of_power(bits),
            Format::Float(format) => widened(&format, bits),
            Format::Bool | Format::Complex(_) => bits,
        };
        *word = value.to_le_bytes();
    }
}

/// Converts elements of zfp's own types to ones with fewer bits.
pub(super) fn demote(codec: &Zfp, wide: &[u8], elements: &mut [u8]) {
    let data_type = codec.data_type;
    for (index, word) in wide.as_chunks::<4>().0.iter().enumerate() {
        let bits = u32::from_le_bytes(*word);
        let bits = match data_type.format() {
            Format::Integer(format) => {
                let value = i64::from(bits.cast_signed() >> (31 - format.bits));
                let half = 1i64 << (format.bits - 1);
                let value = value.clamp(-half, half - 1);
                let value = if format.signed { value } else { value + half };
                value.cast_unsigned() & format.mask()
            }
            Format::Float(format) if !format.zero => power_narrowed(bits).into(),
            Format::Float(format) => narrowed(&format, bits).into(),
            Format::Bool | Format::Complex(_) => bits.into(),
        };
        set_element_bits(data_type, elements, index, bits);
    }
}

const MANTISSA: u32 = 23;
const INFINITY: u32 = 0x7f80_0000;

/// The highest bit of a payload.
const QUIET: u32 = 1 << (MANTISSA - 1);

/// Returns the nearest power of two of `float8_e8m0fnu`, or the larger one of two equally near ones. A number
/// below all of them becomes the lowest, and a number above all of them becomes NaN
/// (zfp.demotion.floats.small).
fn power_narrowed(bits: u32) -> u32 {
    let (negative, magnitude) = (bits >> 31 == 1, bits & (u32::MAX >> 1));
    let (field, mantissa) = (magnitude >> MANTISSA, magnitude & ((1 << MANTISSA) - 1));
    match field {
        _ if magnitude > INFINITY => 0xff,
        _ if negative => 0,
        // Between 2^-127, which is half of the least normal number, and 2^-126.
        0 => u32::from(mantissa >= 3 << (MANTISSA - 2)),
        _ => (field + u32::from(mantissa >= QUIET)).min(0xff),
    }
}

/// Returns a float of at most 16 bits as a `float32`. The payload of a NaN keeps its place below the
/// exponent; if there are no payloads, its highest bit is set.
#[expect(
    clippy::cast_possible_truncation,
    reason = "masks and fields of 16 bits"
)]
fn widened(format: &FloatFormat, bits: u32) -> u32 {
    let sign = (bits & format.sign_mask() as u32) << (32 - format.bits());
    let magnitude = bits & !(format.sign_mask() as u32);
    let up = MANTISSA - format.mantissa_bits;
    let mantissa = magnitude & format.mantissa_mask() as u32;
    let field = magnitude >> format.mantissa_bits;
    let rebias = (127 - format.bias).cast_unsigned();
    match format.nan {
        Nan::Ieee if u64::from(field) == format.max_exponent_field() => {
            return sign | INFINITY | mantissa << up;
        }
        Nan::AllOnes if format.is_nan(bits.into()) => return sign | INFINITY | QUIET,
        Nan::Only(nan) if nan == u64::from(bits) => return INFINITY | QUIET,
        _ => {}
    }
    if field > 0 || mantissa == 0 || rebias == 0 {
        let exponent = if magnitude == 0 { 0 } else { rebias };
        return sign | ((magnitude << up) + (exponent << MANTISSA));
    }
    // A subnormal number becomes a normal float32.
    let top = mantissa.ilog2();
    let exponent = top + rebias + 1 - format.mantissa_bits;
    sign | exponent << MANTISSA | (mantissa << (MANTISSA - top) & ((1 << MANTISSA) - 1))
}

/// Returns the nearest float of at most 16 bits, or the even one of two equally near ones. A number out of
/// range becomes infinity, NaN in a format without it, and the largest number in one without either. A NaN
/// keeps the upper part of its payload; if nothing is left of that, the highest bit is set; in a format
/// without NaN, it becomes zero.
#[expect(
    clippy::cast_possible_truncation,
    reason = "masks and fields of 16 bits"
)]
fn narrowed(format: &FloatFormat, bits: u32) -> u32 {
    let sign = bits >> 31 << (format.exponent_bits + format.mantissa_bits);
    let magnitude = bits & (u32::MAX >> 1);
    let down = MANTISSA - format.mantissa_bits;
    let largest = format.max_finite_bits() as u32;
    let beyond = match (format.infinity_bits(), format.nan, format.nan_bits()) {
        (Some(infinity), _, _) => sign | infinity as u32,
        (None, Nan::Only(_), Some(nan)) => nan as u32,
        (None, _, Some(nan)) => sign | nan as u32,
        (None, _, None) => sign | largest,
    };
    let mantissa = magnitude & ((1 << MANTISSA) - 1);
    if magnitude > INFINITY {
        match format.nan {
            Nan::Ieee => {}
            Nan::None => return 0,
            Nan::Only(_) | Nan::AllOnes => return beyond,
        }
        let infinity = (format.max_exponent_field() as u32) << format.mantissa_bits;
        let payload = mantissa >> down;
        let payload = if payload == 0 {
            1 << (format.mantissa_bits - 1)
        } else {
            payload
        };
        return sign | infinity | payload;
    }
    let field = magnitude >> MANTISSA;
    let significand = if field > 0 {
        mantissa | 1 << MANTISSA
    } else {
        mantissa
    };
    // The exponent field of the result; a field below 1 makes it subnormal.
    let exponent = field.max(1).cast_signed() - 127 + format.bias;
    let below = (1 - exponent).max(0).cast_unsigned();
    let drop = (down + below).min(31);
    let (quotient, rest, half) = (
        significand >> drop,
        significand & ((1 << drop) - 1),
        1 << (drop - 1),
    );
    let up = rest > half || (rest == half && quotient & 1 == 1);
    let base = ((exponent.max(1) - 1).cast_unsigned()) << format.mantissa_bits;
    match base + quotient + u32::from(up) {
        0 if !format.negative_zero => 0,
        code if code > largest => beyond,
        code => sign | code,
    }
}

/// Replaces negative numbers of an unsigned type by zeros.
pub(super) fn without_negatives<const BYTES: usize>(elements: &mut [u8]) {
    for element in elements.as_chunks_mut::<BYTES>().0 {
        if element[BYTES - 1] >= 0x80 {
            *element = [0; BYTES];
        }
    }
}

/// Returns the first element that a codec cannot hold.
pub(super) fn fault(codec: &Zfp, elements: &[u8]) -> Option<Fault> {
    let count = elements.len() / codec.data_type.element_bytes();
    (0..count).find_map(|index| {
        let bits = element_bits(codec.data_type, elements, index);
        Some(fault_of(codec, bits)?.at_element(index))
    })
}

fn fault_of(codec: &Zfp, bits: u64) -> Option<Fault> {
    let lossy = !codec.is_reversible();
    match codec.data_type.format() {
        Format::Integer(format) if format.bits >= 32 => {
            let value = if format.signed && bits >> (format.bits - 1) == 1 {
                i128::from(bits) - (1 << format.bits)
            } else {
                i128::from(bits)
            };
            let out_of_range = |clause, places, lossy| {
                let words = Message::Zfp(ZfpMessage::Range {
                    bits,
                    data_type: codec.data_type,
                    places,
                    lossy,
                });
                Some(Fault::new(Reason::OutOfRange, clause, words))
            };
            if lossy && value.unsigned_abs() >> (format.bits - 2) > 0 {
                return out_of_range("zfp.lossy.range", format.bits - 2, true);
            }
            if value >> (format.bits - 1) > 0 {
                return out_of_range("zfp.unsigned.range", format.bits - 1, false);
            }
            None
        }
        Format::Float(format) if lossy && (format.is_nan(bits) || format.is_infinite(bits)) => {
            let what = if format.is_nan(bits) {
                "NaN"
            } else {
                "an infinity"
            };
            Some(Fault::new(
                Reason::NotFinite,
                "zfp.lossy.finite",
                Message::Zfp(ZfpMessage::Lossy(what)),
            ))
        }
        _ => None,
    }
}
