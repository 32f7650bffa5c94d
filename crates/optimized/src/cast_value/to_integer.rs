//! Kernels from float32 and float64 to integers.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    clippy::manual_range_contains,
    clippy::eq_op,
    reason = "conversions are the subject, each with its range check; x - x detects NaN and infinities"
)]

use core::marker::PhantomData;
use core::ops::BitOrAssign;

use crate::arch::{Flags, INVALID, Kernel, RANGE, clamp_f32, clamp_f32_to_i32, clamp_f64};
use crate::cast_value::mode;
use crate::lanes::{Lane, map_lanes};
use crate::math::Whole;

/// A float that can be rounded to an integral value.
pub(super) trait Float: Lane {
    /// The integer type of the float's width.
    type Bits: Copy + Default + PartialEq + BitOrAssign;

    /// Rounds to an integral value, on a machine with instructions for that (`ROUNDS`) or without.
    fn rounded<const MODE: u8, const ROUNDS: bool>(self) -> Self;

    /// Rounds like [`rounded`](Self::rounded), except that a value beyond 2^51 in float64, or 2^22 in float32, may
    /// become another value beyond half of that.
    fn rounded_common<const MODE: u8, const ROUNDS: bool>(self) -> Self;
}

macro_rules! float {
    ($float:ty, $bits:ty, $below_half:expr, $units:expr) => {
        impl Float for $float {
            type Bits = $bits;

            #[inline(always)]
            fn rounded<const MODE: u8, const ROUNDS: bool>(self) -> Self {
                let trunc = |number: Self| match ROUNDS {
                    true => number.trunc(),
                    false => Whole::trunc(number),
                };
                match MODE {
                    mode::TOWARDS_ZERO => trunc(self),
                    mode::TOWARDS_POSITIVE if ROUNDS => self.ceil(),
                    mode::TOWARDS_POSITIVE => Whole::ceil(self),
                    mode::TOWARDS_NEGATIVE if ROUNDS => self.floor(),
                    mode::TOWARDS_NEGATIVE => Whole::floor(self),
                    mode::NEAREST_AWAY => {
                        // With the largest number below a half, the sum passes the next integer
                        // exactly for fractions of a half and more; 0.5 itself would carry the
                        // number below it to 1.
                        let half: $float = $below_half;
                        trunc(self + half.copysign(self))
                    }
                    _ if ROUNDS => self.round_ties_even(),
                    _ => Whole::round_ties_even(self),
                }
            }

            #[inline(always)]
            fn rounded_common<const MODE: u8, const ROUNDS: bool>(self) -> Self {
                if ROUNDS {
                    return self.rounded::<MODE, ROUNDS>();
                }
                let nearest = |number: Self| (number + $units) - $units;
                let one_if = |condition| if condition { 1.0 } else { 0.0 };
                match MODE {
                    mode::TOWARDS_POSITIVE => {
                        let whole = nearest(self);
                        whole + one_if(whole < self)
                    }
                    mode::TOWARDS_NEGATIVE => {
                        let whole = nearest(self);
                        whole - one_if(whole > self)
                    }
                    mode::TOWARDS_ZERO => {
                        let magnitude = self.abs();
                        let whole = nearest(magnitude);
                        (whole - one_if(whole > magnitude)).copysign(self)
                    }
                    mode::NEAREST_AWAY => {
                        let magnitude = self.abs();
                        let whole = nearest(magnitude);
                        // The difference is exact; it is a half where a tie went to the even number below.
                        (whole + one_if(magnitude - whole == 0.5)).copysign(self)
                    }
                    _ => nearest(self),
                }
            }
        }
    };
}

/// 1.5 * 2^23: for a float32 of up to 2^22, the last digit of the sum is a unit.
pub(super) const UNITS_F32: f32 = 12_582_912.0;
/// 1.5 * 2^52, for a float64 of up to 2^51.
const UNITS_F64: f64 = 6_755_399_441_055_744.0;

float!(f32, u32, 0.5f32.next_down(), UNITS_F32);
float!(f64, u64, 0.5f64.next_down(), UNITS_F64);

/// The conversion of a rounded float to an integer.
pub(super) trait Into_<T>: Float {
    /// The integer type of the float's width.
    type Doubt;

    /// Whether the values that [`Float::rounded_common`] may change, and those into which it changes them, are all
    /// out of the range of `T`.
    const COMMON: bool = false;

    /// Rounds to an integral value, except that a value far out of the range of `T` may become another such value.
    #[inline(always)]
    fn rounded_into<const MODE: u8, const ROUNDS: bool>(self) -> Self {
        if Self::COMMON {
            self.rounded_common::<MODE, ROUNDS>()
        } else {
            self.rounded::<MODE, ROUNDS>()
        }
    }

    /// Returns the clamped value, and a word that has a set bit if clamping changed it. Usually the word is
    /// the difference, which costs less to collect than comparisons: +0 if both are equal (including zeros of
    /// both signs), and NaN if the float is NaN.
    fn clamped(self) -> (T, Self::Doubt);
}

// Integers within 2^31, both limits exact in f64.
macro_rules! f64_within_i32 {
    ($($target:ty)*) => {$(
        impl Into_<$target> for f64 {
            type Doubt = u64;
            const COMMON: bool = true;

            #[inline(always)]
            fn clamped(self) -> ($target, u64) {
                let (min, max) = (<$target>::MIN as i32, <$target>::MAX as i32);
                let (value, integer) = clamp_f64(self, min, max);
                (integer as $target, (value - self).to_bits())
            }
        }
    )*};
}
f64_within_i32!(i8 i16 i32 u8 u16);

impl Into_<u32> for f64 {
    type Doubt = u64;
    const COMMON: bool = true;

    #[inline(always)]
    fn clamped(self) -> (u32, u64) {
        // After subtracting half the range, the value fits an i32. The difference is exact or, for a value
        // far outside, clamped anyway.
        let moved = 2_147_483_648.0;
        let (value, integer) = clamp_f64(self - moved, i32::MIN, i32::MAX);
        (
            integer as u32 ^ 0x8000_0000,
            (value - (self - moved)).to_bits(),
        )
    }
}

impl Into_<i64> for f64 {
    type Doubt = u64;

    #[inline(always)]
    fn clamped(self) -> (i64, u64) {
        // The upper limit 2^63 - 1 is not a float64 value: compare with 2^63.
        let inside = self >= -9_223_372_036_854_775_808.0 && self < 9_223_372_036_854_775_808.0;
        let limit = if self < 0.0 { i64::MIN } else { i64::MAX };
        let value = if inside { residue(self) as i64 } else { limit };
        (value, u64::from(!inside))
    }
}

impl Into_<u64> for f64 {
    type Doubt = u64;

    #[inline(always)]
    fn clamped(self) -> (u64, u64) {
        let inside = self >= 0.0 && self < 18_446_744_073_709_551_616.0;
        let limit = if self < 0.0 { u64::MIN } else { u64::MAX };
        let value = if inside { residue(self) } else { limit };
        (value, u64::from(!inside))
    }
}

macro_rules! f32_within_i24 {
    ($($target:ty)*) => {$(
        impl Into_<$target> for f32 {
            type Doubt = u32;
            const COMMON: bool = true;

            #[inline(always)]
            fn clamped(self) -> ($target, u32) {
                let (min, max) = (<$target>::MIN as i32, <$target>::MAX as i32);
                let (value, integer) = clamp_f32(self, min, max);
                // This changes nothing, but lets the compiler narrow with unsigned saturation; for signed
                // types, the same hint prevents vector code (LLVM 22).
                let integer = if min == 0 { integer.clamp(0, max) } else { integer };
                (integer as $target, (value - self).to_bits())
            }
        }
    )*};
}
f32_within_i24!(i8 i16 u8 u16);

impl Into_<i32> for f32 {
    type Doubt = u32;

    #[inline(always)]
    fn clamped(self) -> (i32, u32) {
        let (value, integer) = clamp_f32_to_i32(self);
        (integer, (value - self).to_bits())
    }
}

impl Into_<u32> for f32 {
    type Doubt = u32;

    #[inline(always)]
    fn clamped(self) -> (u32, u32) {
        // From half the range upwards, that half is subtracted, which is exact, and returned as a bit.
        let is_upper = self >= HALF_OF_U32;
        let half = if is_upper { HALF_OF_U32 } else { 0.0 };
        let positive = if self > 0.0 { self } else { 0.0 };
        let rest = positive - half;
        let (value, integer) = clamp_f32_to_i32(rest);
        let doubt = (positive - self).to_bits() | (value - rest).to_bits();
        (integer as u32 ^ u32::from(is_upper) << 31, doubt)
    }
}

/// Half the number of the values of uint32.
const HALF_OF_U32: f32 = 2_147_483_648.0;

// The limits of the types of 64 bits are not float32 values; all of float32 is in float64.
macro_rules! f32_through_f64 {
    ($($target:ty)*) => {$(
        impl Into_<$target> for f32 {
            type Doubt = u64;

            #[inline(always)]
            fn clamped(self) -> ($target, u64) {
                f64::from(self).clamped()
            }
        }
    )*};
}
f32_through_f64!(i64 u64);

/// Returns the integer in a float modulo 2^64, exact for every finite magnitude (cast_value.range.wrap).
#[inline(always)]
fn residue(value: f64) -> u64 {
    let bits = value.to_bits();
    let field = (bits >> 52) & 0x7ff;
    let significand = (bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    // value = significand * 2^(field - 1075). An integer has no digits below 1, so the right shift drops only
    // zeros; 0 itself (field 0) is shifted out completely.
    let left = field.wrapping_sub(1075);
    let right = 1075u64.wrapping_sub(field);
    let large = if left < 64 {
        significand << (left & 63)
    } else {
        0
    };
    let small = if right < 64 {
        significand >> (right & 63)
    } else {
        0
    };
    let magnitude = if field >= 1075 { large } else { small };
    if (bits as i64) < 0 {
        magnitude.wrapping_neg()
    } else {
        magnitude
    }
}

/// Rounds and clamps. With `CHECK`, it flags values out of the target's range, including NaN and infinity;
/// without, only NaN and infinity, which no clamping turns into an integer.
pub(super) struct ToInteger<S, T, const MODE: u8, const CHECK: bool>(PhantomData<(S, T)>);

impl<S, T, const MODE: u8, const CHECK: bool> ToInteger<S, T, MODE, CHECK> {
    pub(super) const NEW: Self = Self(PhantomData);
}

macro_rules! to_integer_kernel {
    ($source:ty, $lane:ty) => {
        impl<T: Lane, const MODE: u8, const CHECK: bool> Kernel
            for ToInteger<$source, T, MODE, CHECK>
        where
            $source: Into_<T>,
            u64: From<<$source as Into_<T>>::Doubt>,
            <$source as Into_<T>>::Doubt: Default + Copy + BitOrAssign,
        {
            #[inline(always)]
            fn run_on<const ROUNDS: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
                let mut outside = <$source as Into_<T>>::Doubt::default();
                let mut invalid: $lane = 0;
                map_lanes(source, target, |value: $source| {
                    let (integer, doubt) = value.rounded_into::<MODE, ROUNDS>().clamped();
                    if CHECK {
                        outside |= doubt;
                    } else {
                        // +0 for a number; NaN for NaN and the infinities.
                        invalid |= (value - value).to_bits();
                    }
                    integer
                });
                Flags::from(u64::from(outside) != 0) * RANGE | Flags::from(invalid != 0) * INVALID
            }
        }
    };
}
to_integer_kernel!(f32, u32);
to_integer_kernel!(f64, u64);

/// Rounds a float64 to an integer, which is in two's complement. A value beyond 2^51 becomes an integer beyond 2^50.
#[inline(always)]
fn common_integer<const MODE: u8, const ROUNDS: bool>(value: f64) -> u64 {
    let whole = match MODE {
        mode::NEAREST_EVEN => value,
        _ => value.rounded_common::<MODE, ROUNDS>(),
    };
    (whole + UNITS_F64)
        .to_bits()
        .wrapping_sub(UNITS_F64.to_bits())
}

/// Rounds to int64, or to uint64, integers that lie far within the range of both. Others are flagged.
pub(super) struct ToCommon64<S, const MODE: u8> {
    /// The amount that a sum with the integer must not make negative.
    below: u64,
    from: PhantomData<S>,
}

/// Half the number of the integers that [`ToCommon64`] converts.
const COMMON_INTEGERS: u64 = 1 << 49;

impl<S, const MODE: u8> ToCommon64<S, MODE> {
    /// The conversion to int64.
    pub(super) const SIGNED: Self = Self {
        below: COMMON_INTEGERS,
        from: PhantomData,
    };
    /// The conversion to uint64.
    pub(super) const UNSIGNED: Self = Self {
        below: 0,
        from: PhantomData,
    };
}

impl<S: Lane, const MODE: u8> Kernel for ToCommon64<S, MODE>
where
    f64: From<S>,
{
    #[inline(always)]
    fn run_on<const ROUNDS: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut all = 0;
        map_lanes(source, target, |value: S| {
            let integer = common_integer::<MODE, ROUNDS>(value.into());
            all |= integer.wrapping_add(self.below);
            integer
        });
        Flags::from(all >= 2 * COMMON_INTEGERS) * RANGE
    }
}

/// The conversion of a rounded float to an int32.
trait Within: Float {
    /// The integer type of the float's width.
    type Doubt: Default + Copy + BitOrAssign + PartialEq;

    /// Returns the integer, and a word that has a set bit if the integer differs from the float, as
    /// [`Into_::clamped`] does.
    fn within<const ROUNDS: bool>(self) -> (i32, Self::Doubt);
}

impl Within for f64 {
    type Doubt = u64;

    #[inline(always)]
    fn within<const ROUNDS: bool>(self) -> (i32, u64) {
        self.clamped()
    }
}

impl Within for f32 {
    type Doubt = u32;

    #[inline(always)]
    fn within<const ROUNDS: bool>(self) -> (i32, u32) {
        // The limits up to which float32 holds every integer, and [`Float::rounded_common`] rounds correctly.
        let limit = if ROUNDS { 1 << 24 } else { 1 << 21 };
        let (value, integer) = clamp_f32(self, -limit, limit);
        (integer, (value - self).to_bits())
    }
}

/// Rounds to an integer and keeps its low bits. An integer that [`Within`] does not hold is flagged, as are NaN and
/// infinity.
pub(super) struct LowBits<S, T, const MODE: u8>(PhantomData<(S, T)>);

impl<S, T, const MODE: u8> LowBits<S, T, MODE> {
    pub(super) const NEW: Self = Self(PhantomData);
}

macro_rules! low_bits {
    ($($target:ty)*) => {$(
        impl<S: Within, const MODE: u8> Kernel for LowBits<S, $target, MODE> {
            #[inline(always)]
            fn run_on<const ROUNDS: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
                let mut outside = S::Doubt::default();
                map_lanes(source, target, |value: S| {
                    let (integer, doubt) = value.rounded_common::<MODE, ROUNDS>().within::<ROUNDS>();
                    outside |= doubt;
                    integer as $target
                });
                Flags::from(outside != S::Doubt::default()) * RANGE
            }
        }
    )*};
}
low_bits!(u8 u16);

/// Rounds to an integer modulo 2^64.
pub(super) struct ToResidue<S, const MODE: u8>(PhantomData<S>);

impl<S, const MODE: u8> ToResidue<S, MODE> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<const MODE: u8> Kernel for ToResidue<f32, MODE> {
    #[inline(always)]
    fn run_on<const ROUNDS: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut invalid = 0u32;
        map_lanes(source, target, |value: f32| {
            invalid |= (value - value).to_bits();
            residue(f64::from(value.rounded::<MODE, ROUNDS>()))
        });
        Flags::from(invalid != 0) * INVALID
    }
}

impl<const MODE: u8> Kernel for ToResidue<f64, MODE> {
    #[inline(always)]
    fn run_on<const ROUNDS: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut invalid = 0u64;
        map_lanes(source, target, |value: f64| {
            invalid |= (value - value).to_bits();
            residue(value.rounded::<MODE, ROUNDS>())
        });
        Flags::from(invalid != 0) * INVALID
    }
}
