//! Kernels to integers from floats with at most the range and the digits of float16. All their integers are int32.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::eq_op,
    reason = "conversions are the subject; x - x detects NaN and infinities"
)]

use super::mode;
use super::to_float::widen_or;
use super::to_integer::{Float, UNITS_F32};
use crate::arch::{Flags, INVALID, Kernel, SimdLevel, clamp_f32};
use crate::lanes::map_lanes;

/// The first power of two above the range of float16.
const BEYOND_FLOAT16: i32 = 1 << 16;

/// Rounds a number within the range of float16 that has at most its digits.
#[inline(always)]
fn short_integer<const MODE: u8, const ROUNDS: bool>(number: f32) -> i32 {
    let truncated = |number| clamp_f32(number, -BEYOND_FLOAT16, BEYOND_FLOAT16).1;
    let nearest = |number: f32| {
        (number + UNITS_F32)
            .to_bits()
            .wrapping_sub(UNITS_F32.to_bits()) as i32
    };
    match MODE {
        mode::TOWARDS_ZERO => truncated(number),
        // A number below a half is so far below it that the sum is not rounded to 1.
        mode::NEAREST_AWAY => truncated(number + 0.5f32.copysign(number)),
        mode::NEAREST_EVEN => nearest(number),
        _ if ROUNDS => nearest(number.rounded::<MODE, ROUNDS>()),
        _ => {
            let integer = truncated(number);
            let whole = integer as f32;
            match MODE {
                mode::TOWARDS_POSITIVE => integer + i32::from(whole < number),
                _ => integer - i32::from(whole > number),
            }
        }
    }
}

/// Rounds a float32 that comes from a type with at most the range and the digits of float16 to int32. NaN and
/// infinity are flagged.
pub(super) struct ShortToInt32<const MODE: u8>;

impl<const MODE: u8> Kernel for ShortToInt32<MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        self.run_on::<true>(source, target)
    }

    #[inline(always)]
    fn run_on<const ROUNDS: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut invalid = 0u32;
        map_lanes(source, target, |value: f32| {
            invalid |= (value - value).to_bits();
            short_integer::<MODE, ROUNDS>(value)
        });
        Flags::from(invalid != 0) * INVALID
    }
}

/// Returns a float32 that rounds to the same integer in a mode as a finite float16.
#[inline(always)]
fn float32_to_round<const MODE: u8>(bits: i16) -> f32 {
    let magnitude = bits & 0x7fff;
    // The exponent moves from the bias of float16 to that of float32. A subnormal number becomes another one between
    // 0 and 1/2, which rounds in the same way, but 0 must remain 0 where such a number rounds to 1.
    let number = (i32::from(magnitude) << 13) + ((127 - 15) << 23);
    let number = match MODE {
        mode::TOWARDS_POSITIVE | mode::TOWARDS_NEGATIVE if magnitude == 0 => 0,
        _ => number,
    };
    let sign = i32::from(bits) & i32::MIN;
    f32::from_bits((number | sign) as u32)
}

/// Rounds float16 to int32. NaN and infinity are flagged.
pub(super) struct Float16ToInt32<const MODE: u8>;

impl<const MODE: u8> Kernel for Float16ToInt32<MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        self.run_on::<true>(source, target)
    }

    #[inline(always)]
    fn run_on<const ROUNDS: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut largest = 0;
        map_lanes(source, target, |bits: i16| {
            largest = largest.max(bits & 0x7fff);
            short_integer::<MODE, ROUNDS>(float32_to_round::<MODE>(bits))
        });
        Flags::from(largest > 0x7bff) * INVALID
    }
}

/// Converts float16 to a float32 that rounds to the same integer. NaN and infinity are flagged.
struct Float16ToRound<const MODE: u8>;

impl<const MODE: u8> Kernel for Float16ToRound<MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut largest = 0;
        map_lanes(source, target, |bits: i16| {
            largest = largest.max(bits & 0x7fff);
            float32_to_round::<MODE>(bits)
        });
        Flags::from(largest > 0x7bff) * INVALID
    }
}

/// Converts float16 to a float32 that rounds to the same integer, with the hardware instruction if there is one. If
/// there is none, NaN and infinity are flagged.
pub(super) fn float16_to_round<const MODE: u8>(
    level: SimdLevel,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    widen_or(&Float16ToRound::<MODE>, level, source, target)
}
