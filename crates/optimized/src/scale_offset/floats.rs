//! Kernels for floats: every step is rounded to nearest-even in the data type itself
//! (scale_offset.arithmetic.rounding). No operations are contracted into a fused multiply-add, and division
//! is not replaced.

use exactum_model::{DataType, Direction, ScaleOffset};

use crate::arch::{Flags, INVALID, Kernel, NO_FLAGS, SimdLevel};
use crate::cast_value::float16::{float32_of_float16, narrow_to_float16, widen_float16};
use crate::cast_value::mode::NEAREST_EVEN;
use crate::cast_value::scaled::Scaling;
use crate::lanes::map_lanes;

/// Returns the scale and the offset as numbers. Those of a skipped step leave every number unchanged,
/// including the sign of zero: x * 1, x / 1, x - 0, and x + -0. Returns `None` if a parameter is not finite,
/// the scale is zero, or the data type has no kernels: such elements are left to the path for single
/// elements.
pub(crate) fn scaling(codec: &ScaleOffset, direction: Direction) -> Option<Scaling> {
    let format = codec.data_type.format().float()?;
    let usable = |bits: u64| !format.is_nan(bits) && !format.is_infinite(bits);
    if codec
        .scale
        .is_some_and(|bits| format.is_zero(bits) || !usable(bits))
        || codec.offset.is_some_and(|bits| !usable(bits))
    {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the bits of a float32 or float16 parameter"
    )]
    let number = |bits: u64| match codec.data_type {
        DataType::Float64 => Some(f64::from_bits(bits)),
        DataType::Float32 => Some(f32::from_bits(bits as u32).into()),
        DataType::Float16 => Some(f32::from_bits(float32_of_float16(bits as u16)).into()),
        _ => None,
    };
    let skipped = match direction {
        Direction::Encode => 0.0,
        Direction::Decode => -0.0,
    };
    Some(Scaling {
        offset: codec.offset.map_or(Some(skipped), number)?,
        scale: codec.scale.map_or(Some(1.0), number)?,
    })
}

/// Runs a kernel. Returns `None` if parameters are not finite or the scale is zero: such elements are left to
/// the path for single elements.
pub(super) fn run(
    level: SimdLevel,
    codec: &ScaleOffset,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Option<Flags> {
    let Scaling { offset, scale } = scaling(codec, direction)?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "parameters of float32 or float16 data"
    )]
    let narrow = (offset as f32, scale as f32);
    macro_rules! kernels {
        ($name:ident, $numbers:expr) => {{
            let (offset, scale) = $numbers;
            match direction {
                Direction::Encode => level.run(&$name::<true> { offset, scale }, input, output),
                Direction::Decode => level.run(&$name::<false> { offset, scale }, input, output),
            }
        }};
    }
    Some(match codec.data_type {
        DataType::Float64 => kernels!(Float64, (offset, scale)),
        DataType::Float32 => kernels!(Float32, narrow),
        DataType::Float16 => float16(level, direction, narrow, input, output),
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
                    // With finite parameters and a scale that is not zero, an infinity stays one, and a NaN
                    // arises only from NaN. A finite number must stay in range (scale_offset.range.overflow),
                    // and the second step does not undo an overflow of the first.
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

/// The number of float16 elements that are widened at a time.
const HALVES: usize = 512;

/// Computes float16 in float32 arithmetic. Each operation is rounded twice, to 24 digits and to 11, which is
/// the same as rounding once for `+ - * /` because 24 >= 2 * 11 + 2 (Figueroa 1995). That also holds for
/// subnormal results: sums and all products are exact in float32, and for quotients fewer digits in the
/// result only help. In float32 no step overflows, so a result out of the range of float16 is found, and
/// flagged, where it is rounded.
fn float16(
    level: SimdLevel,
    direction: Direction,
    (offset, scale): (f32, f32),
    input: &[u8],
    output: &mut [u8],
) -> Flags {
    let (mut wide, mut between) = ([[0; 4 * HALVES]; 2], [0; 2 * HALVES]);
    let mut flags = NO_FLAGS;
    for (input, output) in input.chunks(2 * HALVES).zip(output.chunks_mut(2 * HALVES)) {
        let [numbers, results] = wide.each_mut().map(|wide| &mut wide[..2 * input.len()]);
        let between = &mut between[..input.len()];
        let mut step = |is_first: bool, input: &[u8], output: &mut [u8]| {
            widen_float16(level, 0x7fc0_0000, input, numbers);
            match (direction, is_first) {
                (Direction::Encode, true) => level.run(&Subtract(offset), numbers, results),
                (Direction::Encode, false) => level.run(&Multiply(scale), numbers, results),
                (Direction::Decode, true) => level.run(&Divide(scale), numbers, results),
                (Direction::Decode, false) => level.run(&Add(offset), numbers, results),
            };
            flags |= narrow_to_float16::<NEAREST_EVEN>(level, 0x7e00, results, output);
        };
        step(true, input, between);
        step(false, between, output);
    }
    if flags == NO_FLAGS { NO_FLAGS } else { INVALID }
}

macro_rules! steps {
    ($($step:ident $operator:tt;)*) => {$(
        struct $step(f32);

        impl Kernel for $step {
            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                map_lanes(source, target, |value: f32| value $operator self.0);
                NO_FLAGS
            }
        }
    )*};
}
steps! {
    Subtract -;
    Multiply *;
    Divide /;
    Add +;
}
