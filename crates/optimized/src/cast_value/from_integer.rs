//! Kernels from integers to floats.
//!
//! AVX2 cannot convert 64-bit integers. Their halves become two float64 values, whose sum is rounded once. A
//! float64 that is exact or rounded to odd is then rounded to float32 in any mode by changing the bits that
//! float32 lacks.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::cast_lossless,
    clippy::float_cmp,
    clippy::unnecessary_cast,
    reason = "conversions are the subject; the bits are laid out in the comments"
)]

use core::marker::PhantomData;

use crate::arch::{Flags, Kernel, NO_FLAGS, RANGE};
use crate::cast_value::entry::Entry;
use crate::cast_value::mode;
use crate::cast_value::to_float::shortened;
use crate::lanes::{Lane, map_lanes};

/// Converts an integer to a float that holds it exactly, or rounds it to nearest-even.
pub(super) struct Direct<S, T>(PhantomData<(S, T)>);

impl<S, T> Direct<S, T> {
    pub(super) const NEW: Self = Self(PhantomData);
}

macro_rules! direct {
    ($($target:ty: $($source:ty)*;)*) => {$($(
        impl Kernel for Direct<$source, $target> {
            const WIDE: bool = false;

            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                map_lanes(source, target, |value: $source| value as $target);
                NO_FLAGS
            }
        }
    )*)*};
}
direct! {
    f32: i8 i16 i32 i64 u8 u16 u32;
    f64: i8 i16 i32 u8 u16 u32;
}

impl Kernel for Direct<u64, f32> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, nearest_float32);
        NO_FLAGS
    }
}

/// Returns the nearest float32, with ties to even.
#[inline(always)]
pub(super) fn nearest_float32(value: u64) -> f32 {
    // The value is converted as a signed number. From 2^63 upwards, it is halved first, with the lost bit
    // kept in the last one (which is so low that rounding only depends on whether it is zero), and doubled
    // afterwards.
    let large = (value as i64) < 0;
    let halved = if large { value >> 1 | value & 1 } else { value };
    let nearest = halved as i64 as f32;
    if large { nearest + nearest } else { nearest }
}

/// Converts an integer to a float32 as an intermediate for float16. The float32 is exact up to 2^16. A larger
/// value becomes 2^16, which is out of float16's range as well. Rounding the float32 to nearest-even then
/// rounds the integer to nearest-even or, with `AWAY`, to nearest-away: its factor, slightly more than 1,
/// moves ties away from zero, and no other value crosses a tie. With `KEYED`, an entry of a map applies.
pub(super) struct Saturate<S, const AWAY: bool, const KEYED: bool>(pub(super) Entry<S, f32>);

/// The factor that moves ties away from zero. An integer of 17 bits that is not a tie differs from every tie by at least
/// 2^-17 of its value.
pub(super) const AWAY_FROM_ZERO: f32 = 1.0 + 8.0 * f32::EPSILON;

#[inline(always)]
fn factor<const AWAY: bool>() -> f32 {
    if AWAY { AWAY_FROM_ZERO } else { 1.0 }
}

macro_rules! saturate {
    ($($source:ty, $min:expr, $max:expr;)*) => {$(
        impl<const AWAY: bool, const KEYED: bool> Kernel for Saturate<$source, AWAY, KEYED> {
            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                map_lanes(source, target, |value: $source| {
                    let convert =
                        |value: $source| value.clamp($min, $max) as i32 as f32 * factor::<AWAY>();
                    self.0.or::<KEYED>(value, convert)
                });
                NO_FLAGS
            }
        }
    )*};
}
saturate! {
    i32, -(1 << 16), 1 << 16;
    i64, -(1 << 16), 1 << 16;
    u32, 0, 1 << 16;
    u64, 0, 1 << 16;
}

/// Converts an integer of 64 bits from -2^16, or from 0, to below 2^16 as [`Saturate`] does. Others are flagged, because
/// vectors before AVX-512 do not compare 64-bit numbers well.
pub(super) struct CommonToFloat32<S, const AWAY: bool, const KEYED: bool>(pub(super) Entry<S, f32>);

macro_rules! common {
    ($($source:ty, $below:expr;)*) => {$(
        impl<const AWAY: bool, const KEYED: bool> Kernel
            for CommonToFloat32<$source, AWAY, KEYED>
        {
            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                let mut all = 0;
                map_lanes(source, target, |value: $source| {
                    let moved = value.wrapping_add($below);
                    all |= if KEYED && value == self.0.key { 0 } else { moved };
                    let convert = |value| value as i32 as f32 * factor::<AWAY>();
                    self.0.or::<KEYED>(value, convert)
                });
                Flags::from(all & !($below + 0xffff) != 0) * RANGE
            }
        }
    )*};
}
common! {
    i64, 1 << 16;
    u64, 0;
}

/// The bits of 2^52: its last digit is 1, so that the low half of its bits counts integers.
const COUNTS_1: u64 = 0x4330_0000_0000_0000;
/// The bits of 2^84: the low half counts multiples of 2^32.
const COUNTS_2_32: u64 = 0x4530_0000_0000_0000;

/// A 64-bit integer.
pub(super) trait Wide: Lane {
    const IS_SIGNED: bool;

    /// Returns two floats whose exact sum is the integer: 0 or a multiple of 2^32, and a number from 0 to below 2^32.
    fn halves(self) -> (f64, f64);
}

/// Returns the low half of an integer.
#[inline(always)]
fn low_half(value: u64) -> f64 {
    f64::from_bits(COUNTS_1 | value & 0xffff_ffff) - f64::from_bits(COUNTS_1)
}

impl Wide for u64 {
    const IS_SIGNED: bool = false;

    #[inline(always)]
    fn halves(self) -> (f64, f64) {
        let high = f64::from_bits(COUNTS_2_32 | self >> 32) - f64::from_bits(COUNTS_2_32);
        (high, low_half(self))
    }
}

impl Wide for i64 {
    const IS_SIGNED: bool = true;

    #[inline(always)]
    fn halves(self) -> (f64, f64) {
        // The high half, moved by 2^31 to be unsigned.
        let moved = (self as u64 ^ 1 << 63) >> 32;
        let high = f64::from_bits(COUNTS_2_32 | moved) - f64::from_bits(COUNTS_2_32 | 1 << 31);
        (high, low_half(self as u64))
    }
}

/// The power of two from which on a float64 holds only even integers.
const EVEN_FROM: f64 = 9_007_199_254_740_992.0;

/// Returns the nearest float64, with ties to even.
#[inline(always)]
pub(super) fn nearest_float64(value: impl Wide) -> f64 {
    f64::from_bits(rounded::<_, { mode::NEAREST_EVEN }>(value))
}

/// Returns the bits of an integer rounded in a mode.
#[inline(always)]
fn rounded<S: Wide, const MODE: u8>(value: S) -> u64 {
    let (high, low) = value.halves();
    if MODE == mode::NEAREST_AWAY {
        // Adding a quarter moves a tie, which is an integer, away from zero, and moves no other integer onto
        // a tie.
        let quarter: f64 = if high.abs() >= EVEN_FROM { 0.25 } else { 0.0 };
        return (high + (low + quarter.copysign(high))).to_bits();
    }
    // This is the only rounding of nearest-even.
    let nearest = high + low;
    let bits = nearest.to_bits();
    if MODE == mode::NEAREST_EVEN {
        return bits;
    }
    // The exact remainder of that rounding, because |high| >= low, or high is 0.
    let rest = low - (nearest - high);
    let negative = S::IS_SIGNED && nearest < 0.0;
    // Positive if the integer is larger in magnitude than the rounded value, and negative if it is smaller.
    let side = if S::IS_SIGNED { rest * nearest } else { rest };
    let (beyond, within) = (side > 0.0, side < 0.0);
    let (up, down) = match MODE {
        mode::TOWARDS_POSITIVE => (beyond & !negative, within & negative),
        mode::TOWARDS_NEGATIVE => (beyond & negative, within & !negative),
        _ => (false, within),
    };
    let moved = bits.wrapping_add(up as u64).wrapping_sub(down as u64);
    if MODE == mode::ODD {
        moved | (rest != 0.0) as u64
    } else {
        moved
    }
}

/// Converts a 64-bit integer to float64.
pub(super) struct WideToFloat64<S, const MODE: u8>(PhantomData<S>);

impl<S, const MODE: u8> WideToFloat64<S, MODE> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<S: Wide, const MODE: u8> Kernel for WideToFloat64<S, MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, rounded::<S, MODE>);
        NO_FLAGS
    }
}

/// An integer of at least 32 bits.
pub(super) trait Long: Lane {
    /// Returns the bits of the integer as a float64, rounded in a mode if it is not exact.
    fn float64<const MODE: u8>(self) -> u64;
}

macro_rules! long {
    ($($exact:ty)*; $($wide:ty)*) => {
        $(
            impl Long for $exact {
                #[inline(always)]
                fn float64<const MODE: u8>(self) -> u64 {
                    (self as f64).to_bits()
                }
            }
        )*
        $(
            impl Long for $wide {
                #[inline(always)]
                fn float64<const MODE: u8>(self) -> u64 {
                    rounded::<_, MODE>(self)
                }
            }
        )*
    };
}
long!(i32 u32; i64 u64);

/// Converts an integer to float32, whose range contains every 64-bit integer.
pub(super) struct LongToFloat32<S, const MODE: u8>(PhantomData<S>);

impl<S, const MODE: u8> LongToFloat32<S, MODE> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<S: Long, const MODE: u8> Kernel for LongToFloat32<S, MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |value: S| {
            let bits = match MODE {
                // The bits that a float32 keeps, and the next one, determine the result.
                mode::TOWARDS_ZERO | mode::NEAREST_AWAY => {
                    value.float64::<{ mode::TOWARDS_ZERO }>()
                }
                _ => value.float64::<{ mode::ODD }>(),
            };
            f64::from_bits(shortened::<MODE>(bits)) as f32
        });
        NO_FLAGS
    }
}
