//! Kernels between floats, except for those that convert from or to float16.
//!
//! A conversion instruction rounds to nearest-even; the other modes are derived from the remainder of that
//! rounding. A pair without a separate kernel is converted by exact kernels followed by one that rounds.

#![allow(
    clippy::cast_possible_truncation,
    reason = "conversions are the subject; the bits are laid out in the comments"
)]

use crate::arch::{Flags, INVALID, Kernel, LOST, NO_FLAGS, RANGE};
use crate::cast_value::mode;
use crate::lanes::map_lanes;

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
/// distinguish it from that number, for which `CHECK` flags it as [`INVALID`]. NaN becomes the given bits.
pub(super) struct Float64ToFloat32<const MODE: u8, const CHECK: bool>(pub(super) u32);

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
            if nearest.is_nan() { self.0 } else { bits }
        });
        let flag = if MODE == mode::ODD { INVALID } else { RANGE };
        Flags::from(outside != 0) * flag
    }
}

/// Converts float64 to float32 with nearest-even, and flags every infinite result, including those of
/// infinite inputs. NaN becomes the given bits.
pub(super) struct Float64ToFloat32Fast(pub(super) u32);

impl Kernel for Float64ToFloat32Fast {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut infinite = 0u32;
        map_lanes(source, target, |value: f64| {
            let nearest = value as f32;
            infinite |= u32::from(nearest.is_infinite());
            if nearest.is_nan() {
                self.0
            } else {
                nearest.to_bits()
            }
        });
        Flags::from(infinite != 0) * RANGE
    }
}

/// Converts float64 to float32 with a rounding other than nearest-even. Infinite results are flagged, including those
/// of infinite inputs, and so are subnormal results, and zeros that come from other numbers. NaN becomes the given bits.
pub(super) struct Float64ToFloat32Common<const MODE: u8>(pub(super) u32);

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
                self.0
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

/// Converts float32 to float64 exactly. NaN becomes the given bits.
pub(super) struct Float32ToFloat64(pub(super) u64);

impl Kernel for Float32ToFloat64 {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |value: f32| {
            if value.is_nan() {
                self.0
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
