//! Kernels to integers from floats with at most the range and the digits of float16. All their integers are int32.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::eq_op,
    reason = "conversions are the subject; x - x detects NaN and infinities"
)]

use core::marker::PhantomData;

use super::from_integer::AWAY_FROM_ZERO;
use super::integers::Into_;
use super::mode;
use super::small::{CHECKED, CLAMPED};
use super::to_integer::{Float, UNITS_F32};
use crate::arch::{Flags, INVALID, Kernel, RANGE, clamp_f32};
use crate::lanes::{Lane, map_lanes};

/// The first power of two above the range of float16.
const BEYOND_FLOAT16: i32 = 1 << 16;

/// Rounds a number within the range of float16 that has at most its digits.
#[inline(always)]
fn short_integer<const MODE: u8, const ROUNDS: bool>(number: f32) -> i32 {
    let number = match MODE {
        mode::TOWARDS_POSITIVE | mode::TOWARDS_NEGATIVE if ROUNDS => {
            number.rounded::<MODE, ROUNDS>()
        }
        // Ties are less than 2^10, and integers are moved by less than a half.
        mode::NEAREST_AWAY => number * AWAY_FROM_ZERO,
        _ => number,
    };
    let sum = number + UNITS_F32;
    let whole = sum - UNITS_F32;
    let nearest = sum.to_bits().wrapping_sub(UNITS_F32.to_bits()) as i32;
    match MODE {
        mode::TOWARDS_ZERO => clamp_f32(number, -BEYOND_FLOAT16, BEYOND_FLOAT16).1,
        mode::TOWARDS_POSITIVE if !ROUNDS => nearest + i32::from(whole < number),
        mode::TOWARDS_NEGATIVE if !ROUNDS => nearest - i32::from(whole > number),
        _ => nearest,
    }
}

/// Rounds a float32 that comes from a type with at most the range and the digits of float16 to int32. NaN and
/// infinity are flagged.
pub(super) struct ShortToInt32<const MODE: u8>;

impl<const MODE: u8> Kernel for ShortToInt32<MODE> {
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
    // The sign, and the other bits in the fields of float32. The baseline of x86-64 has no vector instruction that extends
    // a sign. For a conversion to i32, compilers use two shifts in a register that each iteration takes over from the
    // previous one, for which it then waits.
    let high = (u32::from(bits as u16) << 16) as i32;
    let fields = high >> 3 & (i32::MIN | 0x7fff << 13);
    // The exponent moves from the bias of float16 to that of float32. A subnormal number becomes another one between
    // 0 and 1/2, which rounds in the same way, but 0 must remain 0 where such a number rounds to 1.
    let moved = fields + ((127 - 15) << 23);
    f32::from_bits(match MODE {
        mode::TOWARDS_POSITIVE | mode::TOWARDS_NEGATIVE if bits & 0x7fff == 0 => 0,
        _ => moved as u32,
    })
}

/// Rounds float16 to an integer. NaN and infinity are flagged, as are, with the rule [`CHECKED`], values out of range.
pub(super) struct Float16ToInteger<T, const MODE: u8, const RULE: u8>(PhantomData<T>);

impl<T, const MODE: u8, const RULE: u8> Float16ToInteger<T, MODE, RULE> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<T: Lane, const MODE: u8, const RULE: u8> Kernel for Float16ToInteger<T, MODE, RULE>
where
    i32: Into_<T>,
{
    #[inline(always)]
    fn run_on<const ROUNDS: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let (mut largest, mut all) = (0, 0);
        map_lanes(source, target, |bits: i16| {
            largest = largest.max(bits & 0x7fff);
            let integer = short_integer::<MODE, ROUNDS>(float32_to_round::<MODE>(bits));
            if RULE == CHECKED {
                all |= Into_::<T>::above_least(integer);
            }
            match RULE {
                CLAMPED => integer.clamped(),
                _ => integer.wrapped(),
            }
        });
        let invalid = Flags::from(largest > 0x7bff) * INVALID;
        let outside = Flags::from(all & <i32 as Into_<T>>::OUTSIDE != 0) * RANGE;
        invalid | outside
    }
}
