//! Kernels for integers. The elements that have a result form an interval (and, for decoding, satisfy a
//! divisibility condition), which is found once for a codec in exact arithmetic. The loops then only compare,
//! and compute modulo `2^N`.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    reason = "bits of the element type, and bounds clamped to its range"
)]

use exactum_model::{DataType, Direction, Format, ScaleOffset};

use crate::arch::{Flags, Kernel, NO_FLAGS, RANGE, SimdLevel};
use crate::lanes::map_lanes;

/// Runs a kernel, or returns `None` if the data type has none.
pub(super) fn run(
    level: SimdLevel,
    codec: &ScaleOffset,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Option<Flags> {
    let Format::Integer(format) = codec.data_type.format() else {
        return None;
    };
    let limits = Interval {
        min: format.min(),
        max: format.max(),
    };
    let offset = codec.offset.map_or(0, |bits| format.value(bits));
    let scale = codec.scale.map_or(1, |bits| format.value(bits));
    if scale == 0 {
        return None;
    }
    macro_rules! kernels {
        ($type:ty) => {
            match direction {
                Direction::Encode => {
                    // scale * (x - offset) in range, and x - offset in range.
                    let differences = limits.divided(scale).and(limits);
                    let inputs = differences.moved(offset).and(limits);
                    let kernel = Encode::<$type> {
                        min: inputs.min_or(limits.max) as $type,
                        max: inputs.max_or(limits.min) as $type,
                        offset: offset as $type,
                        scale: scale as $type,
                    };
                    level.run(&kernel, input, output)
                }
                Direction::Decode => {
                    // scale = odd * 2^shift: a number divisible by 2^shift is shifted, exactly, and then
                    // divided by the odd part by multiplication with its inverse modulo 2^N. If the product
                    // with the inverse is between the possible quotients, it is the quotient.
                    let shift = scale.trailing_zeros();
                    let odd = scale >> shift;
                    let shifted = Interval {
                        min: limits.min >> shift,
                        max: limits.max >> shift,
                    };
                    let quotients = shifted.divided(odd).and(limits);
                    let quotients = quotients.and(limits.moved(-offset));
                    let kernel = Decode::<$type> {
                        min: quotients.min_or(limits.max) as $type,
                        max: quotients.max_or(limits.min) as $type,
                        offset: offset as $type,
                        inverse: inverse(odd as u64) as $type,
                        shift,
                        remainder: ((1u64 << shift) - 1) as $type,
                    };
                    level.run(&kernel, input, output)
                }
            }
        };
    }
    Some(match codec.data_type {
        DataType::Int8 => kernels!(i8),
        DataType::Int16 => kernels!(i16),
        DataType::Int32 => kernels!(i32),
        DataType::Int64 => kernels!(i64),
        DataType::Uint8 => kernels!(u8),
        DataType::Uint16 => kernels!(u16),
        DataType::Uint32 => kernels!(u32),
        DataType::Uint64 => kernels!(u64),
        _ => return None,
    })
}

/// The integers from `min` to `max`, both included. There are none if `min > max`.
#[derive(Clone, Copy)]
struct Interval {
    min: i128,
    max: i128,
}

impl Interval {
    /// Returns the integers whose product with `by` (not zero) is in the interval.
    fn divided(self, by: i128) -> Self {
        let (low, high) = if by > 0 {
            (self.min, self.max)
        } else {
            (self.max, self.min)
        };
        Self {
            min: -floor_divided(-low, by),
            max: floor_divided(high, by),
        }
    }

    fn moved(self, by: i128) -> Self {
        Self {
            min: self.min + by,
            max: self.max + by,
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        }
    }

    fn is_empty(self) -> bool {
        self.min > self.max
    }

    /// Returns the lower bound or, for an empty interval, another one that makes it empty in the data type.
    fn min_or(self, other: i128) -> i128 {
        if self.is_empty() { other } else { self.min }
    }

    fn max_or(self, other: i128) -> i128 {
        if self.is_empty() { other } else { self.max }
    }
}

fn floor_divided(value: i128, by: i128) -> i128 {
    let quotient = value / by;
    let inexact = value % by != 0;
    quotient - i128::from(inexact && (value < 0) != (by < 0))
}

/// Returns the inverse of an odd number modulo 2^64, and hence modulo every smaller power of two.
fn inverse(odd: u64) -> u64 {
    // The lowest 3 digits are right, and each Newton step doubles them: 3, 6, 12, 24, 48, 96.
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

struct Encode<T> {
    min: T,
    max: T,
    offset: T,
    scale: T,
}

struct Decode<T> {
    min: T,
    max: T,
    offset: T,
    inverse: T,
    shift: u32,
    remainder: T,
}

macro_rules! kernels {
    ($($type:ty)*) => {$(
        impl Kernel for Encode<$type> {
            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                let Self { min, max, offset, scale } = *self;
                let mut doubtful: $type = 0;
                map_lanes(source, target, |value: $type| {
                    doubtful |= <$type>::from((value < min) | (value > max));
                    value.wrapping_sub(offset).wrapping_mul(scale)
                });
                if doubtful == 0 { NO_FLAGS } else { RANGE }
            }
        }

        impl Kernel for Decode<$type> {
            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                let Self { min, max, offset, inverse, shift, remainder } = *self;
                let mut doubtful: $type = 0;
                map_lanes(source, target, |value: $type| {
                    let quotient = (value >> shift).wrapping_mul(inverse);
                    let outside = (quotient < min) | (quotient > max);
                    doubtful |= <$type>::from(outside) | (value & remainder);
                    quotient.wrapping_add(offset)
                });
                if doubtful == 0 { NO_FLAGS } else { RANGE }
            }
        }
    )*};
}
kernels!(i8 i16 i32 i64 u8 u16 u32 u64);
