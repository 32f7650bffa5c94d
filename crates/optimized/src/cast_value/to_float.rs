//! Kernels between floats.
//!
//! A conversion instruction rounds to nearest-even; the other modes are derived from the remainder of that
//! rounding. A pair without a separate kernel is converted by exact kernels followed by one that rounds.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::cast_lossless,
    reason = "conversions are the subject; the bits are laid out in the comments"
)]

use core::marker::PhantomData;

use crate::arch::{Flags, INVALID, Kernel, LOST, NO_FLAGS, RANGE, SimdLevel};
use crate::cast_value::mode;
use crate::cast_value::rounder::{Rounder, carry};
use crate::lanes::{Lane, map_lanes};

/// 2^128, the first power of two above the range of float32.
const BEYOND: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;

/// Returns the distance by which the bits of a nearest-even result must move for a mode, given the exact
/// value: `beyond` if it is larger in magnitude, `within` if it is smaller, `tie` if it lies half-way to the
/// next larger magnitude. Neighbouring magnitudes are neighbours in bits.
macro_rules! adjust {
    ($bits:expr, $mode:expr, $negative:expr, $beyond:expr, $within:expr, $tie:expr, $lane:ty) => {{
        let (bits, up, down): ($lane, bool, bool) = match $mode {
            mode::TOWARDS_ZERO => ($bits, false, $within),
            mode::TOWARDS_POSITIVE => ($bits, $beyond && !$negative, $within && $negative),
            mode::TOWARDS_NEGATIVE => ($bits, $beyond && $negative, $within && !$negative),
            mode::NEAREST_AWAY => ($bits, $beyond && $tie, false),
            mode::ODD => ($bits, false, $within),
            _ => ($bits, false, false),
        };
        let moved = bits.wrapping_add(up as $lane).wrapping_sub(down as $lane);
        if $mode == mode::ODD {
            moved | ($beyond || $within) as $lane
        } else {
            moved
        }
    }};
}

/// Converts float64 to float32. A value out of range becomes an infinity; with `CHECK`, it is flagged. When
/// rounding to odd, it becomes the largest float32 instead. A type with the exponents of float32 cannot
/// distinguish it from that number, for which `CHECK` flags it as [`INVALID`].
pub(super) struct Float64ToFloat32<const MODE: u8, const CHECK: bool>;

impl<const MODE: u8, const CHECK: bool> Kernel for Float64ToFloat32<MODE, CHECK> {
    const WIDE: bool = MODE != mode::NEAREST_EVEN || CHECK;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut outside = 0u32;
        map_lanes(source, target, |value: f64| {
            let nearest = value as f32;
            let bits = if MODE == mode::NEAREST_EVEN {
                if CHECK {
                    let overflow = nearest.is_infinite() & (value.abs() < f64::INFINITY);
                    outside |= u32::from(overflow);
                }
                nearest.to_bits()
            } else {
                let (magnitude, back) = (value.abs(), f64::from(nearest).abs());
                let (beyond, within) = (magnitude > back, magnitude < back);
                let tie = MODE == mode::NEAREST_AWAY && {
                    let next = f32::from_bits((nearest.to_bits() & 0x7fff_ffff) + 1);
                    // Both differences are exact: the numbers are neighbours.
                    (magnitude - back) * 2.0 == f64::from(next) - back
                };
                let negative = nearest.is_sign_negative();
                let bits = adjust!(nearest.to_bits(), MODE, negative, beyond, within, tie, u32);
                if MODE == mode::ODD {
                    if CHECK {
                        outside |= u32::from((BEYOND..f64::INFINITY).contains(&magnitude));
                    }
                    bits
                } else {
                    // Directed rounding returns values above 2^128 to the largest float32, but with unbounded
                    // exponent they are out of range (ruling 1).
                    let huge = magnitude >= BEYOND;
                    if CHECK {
                        let overflow = (bits & 0x7fff_ffff == 0x7f80_0000) | huge;
                        outside |= u32::from(overflow & (magnitude < f64::INFINITY));
                    }
                    if huge {
                        bits & 0x8000_0000 | 0x7f80_0000
                    } else {
                        bits
                    }
                }
            };
            if nearest.is_nan() { 0x7fc0_0000 } else { bits }
        });
        let flag = if MODE == mode::ODD { INVALID } else { RANGE };
        Flags::from(outside != 0) * flag
    }
}

/// Converts float64 to float32 with nearest-even, and flags every infinite result, including those of
/// infinite inputs.
pub(super) struct Float64ToFloat32Fast;

impl Kernel for Float64ToFloat32Fast {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut infinite = 0u32;
        map_lanes(source, target, |value: f64| {
            let nearest = value as f32;
            infinite |= u32::from(nearest.is_infinite());
            if nearest.is_nan() {
                0x7fc0_0000
            } else {
                nearest.to_bits()
            }
        });
        Flags::from(infinite != 0) * RANGE
    }
}

/// Converts float64 to float32 with a rounding other than nearest-even. Infinite results are flagged, including those
/// of infinite inputs, and so are subnormal results, and zeros that come from other numbers.
pub(super) struct Float64ToFloat32Common<const MODE: u8>;

impl<const MODE: u8> Kernel for Float64ToFloat32Common<MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let (mut infinite, mut tiny) = (0, 0);
        map_lanes(source, target, |value: f64| {
            let magnitude = value.abs();
            tiny |= u64::from(magnitude > 0.0 && magnitude < f32::MIN_POSITIVE.into());
            let rounded = f64::from_bits(shortened::<MODE>(value.to_bits())) as f32;
            infinite |= u32::from(rounded.is_infinite());
            if value.is_nan() {
                0x7fc0_0000
            } else {
                rounded.to_bits()
            }
        });
        Flags::from(infinite != 0 || tiny != 0) * RANGE
    }
}

/// Rounds a float64 to the digits of float32. Its lost bits are zeros then. A NaN may become a number.
#[inline(always)]
pub(super) fn shortened<const MODE: u8>(bits: u64) -> u64 {
    let negative = bits >> 63 != 0;
    let more = match MODE {
        mode::ODD => return odd(bits),
        mode::TOWARDS_POSITIVE if !negative => LOST,
        mode::TOWARDS_NEGATIVE if negative => LOST,
        mode::NEAREST_AWAY => LOST / 2 + 1,
        _ => 0,
    };
    bits.wrapping_add(more) & !LOST
}

/// Converts float64 to float32, rounded to odd, for a target with a smaller range and a mode in which numbers below
/// that range become zeros: those below the range of float32 may become any tiny number of their sign. Infinite
/// results are flagged, including those of infinite inputs.
pub(super) struct Float64ToFloat32Odd;

/// Returns a float64 whose lost bits are zeros, with the last one before them set if any of them was.
#[inline(always)]
pub(super) fn odd(bits: u64) -> u64 {
    (((bits & LOST) + LOST) | bits) & !LOST
}

impl Kernel for Float64ToFloat32Odd {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut infinite = 0u32;
        map_lanes(source, target, |bits: u64| {
            let rounded = f64::from_bits(odd(bits)) as f32;
            infinite |= u32::from(rounded.is_infinite());
            rounded
        });
        Flags::from(infinite != 0) * RANGE
    }
}

/// Converts float32 to float16. A value out of range becomes an infinity, and is flagged.
struct Float32ToFloat16<const MODE: u8>;

impl<const MODE: u8> Kernel for Float32ToFloat16<MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut outside = 0u32;
        map_lanes(source, target, |bits: u32| {
            let (half, overflow) = float16_of_float32::<MODE>(bits);
            outside |= u32::from(overflow);
            half
        });
        Flags::from(outside != 0) * RANGE
    }
}

/// Rounds float64 to float16 in a mode in which tiny numbers become zeros, with the hardware instructions if there are
/// any. A value out of range becomes an infinity, and is flagged, as are infinities.
pub(super) fn float16_of_float64<const MODE: u8>(
    level: SimdLevel,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    /// The number of elements between the two kernels.
    const SOME: usize = 256;
    let (done, mut flags) = level.float16_of_float64(mode::rounding(MODE), source, target);
    let sources = source[8 * done..].chunks(8 * SOME);
    for (source, target) in sources.zip(target[2 * done..].chunks_mut(2 * SOME)) {
        let mut between = [0; 4 * SOME];
        let between = &mut between[..source.len() / 2];
        flags |= level.run(&Float64ToFloat32Odd, source, between);
        flags |= narrow_to_float16::<MODE>(level, between, target);
    }
    flags
}

/// Rounds float32 to float16 with the hardware instruction if there is one, as [`Float32ToFloat16`] does.
pub(crate) fn narrow_to_float16<const MODE: u8>(
    level: SimdLevel,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    narrow_or::<_, MODE>(&Float32ToFloat16::<MODE>, level, source, target)
}

/// Rounds a float32 that is an integer of at most 2^16, or the next number, to float16, with the hardware instruction
/// if there is one. A value out of range becomes an infinity, and is flagged.
pub(super) fn narrow_integer_to_float16<const MODE: u8>(
    level: SimdLevel,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    narrow_or::<_, MODE>(&IntegerToFloat16::<f32, MODE>::NEW, level, source, target)
}

/// Rounds float32 to float16 with the hardware instruction, or with a kernel if there is none.
fn narrow_or<K: Kernel, const MODE: u8>(
    kernel: &K,
    level: SimdLevel,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    let (done, flags) = level.float16_of_float32(mode::rounding(MODE), source, target);
    if 2 * done == target.len() {
        return flags;
    }
    flags | level.run(kernel, &source[4 * done..], &mut target[2 * done..])
}

/// Rounds an integer of at most 16 bits, or a float32 of [`narrow_integer_to_float16`], to float16. A value out of range
/// becomes an infinity, and is flagged.
pub(super) struct IntegerToFloat16<S, const MODE: u8>(PhantomData<S>);

impl<S, const MODE: u8> IntegerToFloat16<S, MODE> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<S: Lane, const MODE: u8> Kernel for IntegerToFloat16<S, MODE>
where
    f32: From<S>,
{
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        // The product has the exponent field of a float16. 0 and 1 remain zero and normal.
        let unit = f32::from_bits(15 << 23);
        let mut largest = 0;
        map_lanes(source, target, |integer: S| {
            let integer = f32::from(integer);
            let magnitude = (integer.abs() * unit).to_bits();
            let sign = (integer.to_bits() as i32) >> 31 << 15;
            let carry = carry::<MODE>(magnitude, sign != 0, 13);
            let rounded = ((magnitude + carry) >> 13) as i32;
            // Integers of 8 bits are all in range.
            if size_of::<S>() > 1 {
                largest = largest.max(rounded);
            }
            saturated(rounded | sign)
        });
        Flags::from(largest > 0x7bff) * RANGE
    }
}

/// Narrows an integer that 16 bits hold. The limits change nothing, but let the compiler narrow vectors by saturation,
/// for which alone the baseline of x86-64 has an instruction.
#[inline(always)]
fn saturated(integer: i32) -> i16 {
    integer.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Widens float16 to float32 with the hardware instruction if there is one, as [`Float16ToFloat32`] does.
pub(crate) fn widen_float16(level: SimdLevel, source: &[u8], target: &mut [u8]) -> Flags {
    widen_or(&Float16ToFloat32, level, source, target)
}

/// Widens float16 to float32 with the hardware instruction, or with a kernel if there is none.
pub(super) fn widen_or(
    kernel: &impl Kernel,
    level: SimdLevel,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    let done = level.float32_of_float16(source, target);
    if 4 * done == target.len() {
        return NO_FLAGS;
    }
    level.run(kernel, &source[2 * done..], &mut target[4 * done..])
}

/// Returns the bits of a float32 rounded to float16, and whether a finite number became an infinity.
#[inline(always)]
pub(crate) fn float16_of_float32<const MODE: u8>(bits: u32) -> (u16, bool) {
    let magnitude = bits & 0x7fff_ffff;
    let rounded = Rounder::FLOAT16.round::<MODE>(magnitude, bits >> 31 != 0);
    let (magnitude, rounded) = (magnitude as i32, rounded as i32);
    let overflow = (magnitude < 0x7f80_0000) & (rounded > 0x7bff);
    let finite = if rounded > 0x7bff { 0x7c00 } else { rounded };
    let signed = finite | (bits as i32) >> 31 << 15;
    let all = if magnitude > 0x7f80_0000 {
        0x7e00
    } else {
        signed
    };
    (saturated(all) as u16, overflow)
}

/// Converts float16 to float32 exactly.
struct Float16ToFloat32;

impl Kernel for Float16ToFloat32 {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, float32_of_float16);
        NO_FLAGS
    }
}

/// Returns the bits of a float16 as those of a float32.
#[inline(always)]
pub(crate) fn float32_of_float16(bits: u16) -> u32 {
    let magnitude = u32::from(bits & 0x7fff);
    let sign = u32::from(bits >> 15) << 31;
    let shifted = magnitude << 13;
    let normal = shifted + ((127 - 15) << 23);
    // The highest exponent field of float16 becomes the highest one of float32.
    let special = shifted | 0x7f80_0000;
    // 2^-24 is the unit of the subnormals; the product is exact. The baseline of x86-64 converts only signed integers.
    let unit = f32::from_bits((127 - 24) << 23);
    let subnormal = (magnitude.cast_signed() as f32 * unit).to_bits();
    let value = if magnitude < 0x0400 {
        subnormal
    } else if magnitude < 0x7c00 {
        normal
    } else {
        special
    };
    if magnitude > 0x7c00 {
        0x7fc0_0000
    } else {
        value | sign
    }
}

/// Converts float32 to float64 exactly.
pub(super) struct Float32ToFloat64;

impl Kernel for Float32ToFloat64 {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |value: f32| {
            if value.is_nan() {
                0x7ff8_0000_0000_0000
            } else {
                f64::from(value).to_bits()
            }
        });
        NO_FLAGS
    }
}

/// Copies floats to their own type. Every NaN becomes the given value: the default NaN, or the map's output
/// for NaN.
pub(super) struct Canonical<T>(pub(super) T);

macro_rules! canonical {
    ($($lane:ty, $is_nan:expr;)*) => {$(
        impl Kernel for Canonical<$lane> {
            const WIDE: bool = false;

            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                map_lanes(source, target, |value: $lane| {
                    if $is_nan(value) { self.0 } else { value }
                });
                NO_FLAGS
            }
        }
    )*};
}
canonical! {
    u16, |bits| bits & 0x7fff > 0x7c00;
    f32, f32::is_nan;
    f64, f64::is_nan;
}
