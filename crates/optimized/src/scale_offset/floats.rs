//! Kernels for floats: every step rounded to nearest-even in the data type itself
//! (scale_offset.arithmetic.rounding). Nothing here is contracted into a fused multiply-add, and
//! division stays division.

use exactum_model::{DataType, Direction, ScaleOffset};

use crate::arch::{Flags, INVALID, Kernel, NO_FLAGS, SimdLevel};
use crate::cast_value::to_float::{float16_of_float32, float32_of_float16};
use crate::lanes::map_lanes;

/// Runs a kernel; `None` where parameters are not finite or the scale is zero: what then happens
/// to an element is for the path by elements.
pub(super) fn run(
    level: SimdLevel,
    codec: &ScaleOffset,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Option<Flags> {
    let format = codec.data_type.format().float()?;
    let usable = |bits: u64| !format.is_nan(bits) && !format.is_infinite(bits);
    if codec
        .scale
        .is_some_and(|bits| format.is_zero(bits) || !usable(bits))
        || codec.offset.is_some_and(|bits| !usable(bits))
    {
        return None;
    }
    macro_rules! kernels {
        ($name:ident, $type:ty, $number:expr) => {{
            let number = $number;
            // A skipped step leaves every number as it is, the sign of zero included: x * 1,
            // x / 1, x - 0, and x + -0.
            let scale: $type = codec.scale.map_or(1.0, &number);
            match direction {
                Direction::Encode => {
                    let offset = codec.offset.map_or(0.0, &number);
                    level.run(&$name::<true> { offset, scale }, input, output)
                }
                Direction::Decode => {
                    let offset = codec.offset.map_or(-0.0, &number);
                    level.run(&$name::<false> { offset, scale }, input, output)
                }
            }
        }};
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the bits of a float32 or float16 parameter"
    )]
    Some(match codec.data_type {
        DataType::Float64 => kernels!(Float64, f64, f64::from_bits),
        DataType::Float32 => kernels!(Float32, f32, |bits: u64| f32::from_bits(bits as u32)),
        DataType::Float16 => kernels!(Float16, f32, |bits: u64| f32::from_bits(
            float32_of_float16(bits as u16)
        )),
        _ => return None,
    })
}

macro_rules! native {
    ($name:ident, $type:ty, $lane:ty, $nan:literal) => {
        struct $name<const ENCODE: bool> {
            offset: $type,
            scale: $type,
        }

        impl<const ENCODE: bool> Kernel for $name<ENCODE> {
            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                let (offset, scale) = (self.offset, self.scale);
                let mut doubtful: $lane = 0;
                map_lanes(source, target, |value: $type| {
                    let result = if ENCODE {
                        (value - offset) * scale
                    } else {
                        value / scale + offset
                    };
                    // With finite parameters and a scale that is not zero, an infinity stays one
                    // and a NaN arises from nothing but NaN; a finite number may not leave the
                    // range (scale_offset.range.overflow), and an overflow of the first step is
                    // not undone by the second.
                    let finite = value.abs() < <$type>::INFINITY;
                    let stayed = result.abs() < <$type>::INFINITY;
                    doubtful |= <$lane>::from(finite & !stayed);
                    if result.is_nan() {
                        $nan
                    } else {
                        result.to_bits()
                    }
                });
                if doubtful == 0 { NO_FLAGS } else { INVALID }
            }
        }
    };
}
native!(Float32, f32, u32, 0x7fc0_0000);
native!(Float64, f64, u64, 0x7ff8_0000_0000_0000);

/// float16 in float32 arithmetic. Each operation is rounded twice, to 24 digits and to 11, which
/// is the same as rounding once for `+ - * /` where 24 >= 2 * 11 + 2 (Figueroa 1995). That holds
/// for subnormal results too: sums there and all products are exact in float32, and for quotients
/// fewer digits in the result only help.
struct Float16<const ENCODE: bool> {
    offset: f32,
    scale: f32,
}

impl<const ENCODE: bool> Kernel for Float16<ENCODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let (offset, scale) = (self.offset, self.scale);
        let mut doubtful = 0u16;
        map_lanes(source, target, |bits: u16| {
            let number = |bits| f32::from_bits(float32_of_float16(bits));
            let rounded = |value: f32| float16_of_float32::<0>(value.to_bits()).0;
            let value = number(bits);
            let result = if ENCODE {
                rounded(number(rounded(value - offset)) * scale)
            } else {
                rounded(number(rounded(value / scale)) + offset)
            };
            let finite = bits & 0x7fff < 0x7c00;
            let stayed = result & 0x7fff < 0x7c00;
            doubtful |= u16::from(finite & !stayed);
            result
        });
        if doubtful == 0 { NO_FLAGS } else { INVALID }
    }
}
