//! Elements: smooth ones with a little noise, for which zfp is designed, and powers of two.

use exactum_model::{Array, DataType, Format};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

use crate::vectors::bytes_codecs::{array, noise};

/// Returns the bits of `integer * 2^exponent` in a float type.
pub(super) fn float(data_type: DataType, integer: i64, exponent: i32) -> u64 {
    fn of<F: Float>(integer: i64, exponent: i32) -> u64
    where
        Double: FloatConvert<F>,
    {
        let double = Double::from_i128(integer.into()).value.scalbn(exponent);
        let float: F = double.convert(&mut false).value;
        u64::try_from(float.to_bits()).unwrap_or_default()
    }
    match data_type {
        DataType::Float16 => of::<Half>(integer, exponent),
        DataType::Bfloat16 => of::<BFloat>(integer, exponent),
        DataType::Float32 => of::<Single>(integer, exponent),
        _ => of::<Double>(integer, exponent),
    }
}

/// Returns the bits of an integer in two's complement.
pub(super) fn integer(data_type: DataType, integer: i64) -> u64 {
    integer.cast_unsigned() & data_type.format().component_mask()
}

/// Returns the element for a number below 2^20 in magnitude. A float is 1/1024 of the number; an integer fills all bits
/// except the two that lossy modes do not have.
fn element(data_type: DataType, number: i64) -> u64 {
    match data_type.format() {
        Format::Integer(format) => {
            let steps = match format.bits {
                64 => number << 40,
                32 => number << 9,
                bits => number >> (21 - bits),
            };
            let steps = match (format.signed, format.bits) {
                (true, _) => steps,
                (false, 32 | 64) => steps.abs(),
                (false, bits) => steps + (1 << (bits - 1)),
            };
            integer(data_type, steps)
        }
        _ => float(data_type, number, -10),
    }
}

/// Returns a chunk that changes smoothly along every dimension, and differently along each.
pub(super) fn smooth(data_type: DataType, shape: &[u64]) -> Array {
    let count = shape.iter().product();
    let mut rough = noise(DataType::Uint8);
    let elements: Vec<u64> = (0..count)
        .map(|index: u64| {
            let mut rest = index;
            let mut number = 90_007_i64;
            let slopes = [61_027, -87_013, 41_011, 127_031].into_iter().zip(1..);
            for (&extent, (slope, bend)) in shape.iter().rev().zip(slopes) {
                let place = i64::try_from(rest % extent).unwrap_or(0);
                rest /= extent;
                number += slope * place + bend * 3_001 * place * (place - 2);
            }
            let noise = i64::try_from(rough.next().unwrap_or(0)).unwrap_or(0);
            element(data_type, (number + noise) % (1 << 20))
        })
        .collect();
    array(data_type, shape, &elements)
}

/// Returns a number with many digits as an array without dimensions. It is negative if the type has negative numbers,
/// and lossy modes can represent it.
pub(super) fn dense(data_type: DataType) -> Array {
    let format = data_type.format();
    let mask = format.component_mask();
    let bits = match format {
        Format::Integer(integer) => {
            0xabab_abab_abab_abab
                & match (integer.bits, integer.signed) {
                    (32.., _) => mask >> 3,
                    (_, true) => mask,
                    // This value lies below the middle, which becomes 0.
                    (_, false) => mask >> 1,
                }
        }
        _ => format.float().map_or(0, |float| {
            let one = u64::from(float.bias.unsigned_abs()) << float.mantissa_bits;
            float.sign_mask() | one | (0xa5a5_a5a5_a5a5_a5a7 & float.mantissa_mask())
        }),
    };
    array(data_type, &[], &[bits])
}
