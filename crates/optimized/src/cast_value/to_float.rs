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
use crate::cast_value::entry::Entry;
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

/// Converts float32 to float16. A value out of range becomes an infinity, and is flagged. NaN becomes the given bits.
struct Float32ToFloat16<const MODE: u8>(u16);

impl<const MODE: u8> Kernel for Float32ToFloat16<MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut outside = 0u32;
        map_lanes(source, target, |bits: u32| {
            let (half, overflow) = float16_or::<MODE>(bits, self.0);
            outside |= u32::from(overflow);
            half
        });
        Flags::from(outside != 0) * RANGE
    }
}

/// The difference of the exponent biases of float32 and float16, in the exponent field of a float32.
const REBIAS: u32 = (127 - 15) << 23;

/// Converts float32 to float16. Infinite results and NaN are flagged, and so are numbers below the normal ones of float16
/// that are not zero.
struct Float32ToFloat16Common<const MODE: u8>;

impl<const MODE: u8> Kernel for Float32ToFloat16Common<MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let (mut lost, mut large) = (0, 0u32);
        map_lanes(source, target, |bits: u32| {
            let magnitude = bits & 0x7fff_ffff;
            let carry = carry::<MODE>(magnitude, bits >> 31 != 0, 13);
            let rounded = magnitude.wrapping_add(carry.wrapping_sub(REBIAS)) as i32 >> 13;
            let is_small = (magnitude as i32) < (REBIAS + (1 << 23)) as i32;
            lost |= if is_small { magnitude } else { 0 };
            large |= u32::from(rounded > 0x7bff);
            let number = if is_small { 0 } else { rounded };
            saturated(number | (bits as i32) >> 31 << 15)
        });
        Flags::from(lost != 0 || large != 0) * RANGE
    }
}

/// Rounds float64 to float16 in a mode in which tiny numbers become zeros, with the hardware instructions if there are
/// any. A value out of range becomes an infinity, and is flagged, as are infinities. NaN becomes the given bits.
pub(super) fn float16_of_float64<const MODE: u8>(
    level: SimdLevel,
    nan: u16,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    /// The number of elements between the two kernels.
    const SOME: usize = 256;
    let wide = float32_of_float16(nan);
    let (done, mut flags) = level.float16_of_float64(mode::rounding(MODE), wide, source, target);
    let sources = source[8 * done..].chunks(8 * SOME);
    for (source, target) in sources.zip(target[2 * done..].chunks_mut(2 * SOME)) {
        let mut between = [0; 4 * SOME];
        let between = &mut between[..source.len() / 2];
        flags |= level.run(&Float64ToFloat32Odd, source, between);
        flags |= narrow_to_float16::<MODE>(level, nan, between, target);
    }
    flags
}

/// The number of elements in a short block. A block of the outlet may have no more than 256.
const SHORT: usize = 64;

/// Runs a kernel for common elements on short blocks until it flags one. Another kernel converts that block and all later
/// ones. `from` and `to` are the bytes of an element.
fn common_first(
    (common, all): (&impl Kernel, &impl Kernel),
    (from, to): (usize, usize),
    level: SimdLevel,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    let sources = source.chunks(SHORT * from);
    let blocks = sources.zip(target.chunks_mut(SHORT * to));
    let done = blocks
        .map(|(source, target)| level.run(common, source, target))
        .take_while(|flags| *flags == NO_FLAGS)
        .count();
    let source = source.get(done * SHORT * from..).unwrap_or_default();
    let target = target.get_mut(done * SHORT * to..).unwrap_or_default();
    level.run(all, source, target)
}

/// Rounds float32 to float16 with the hardware instruction if there is one, as [`Float32ToFloat16`] does. If the given
/// bits are those of a NaN, it must be the default NaN.
pub(crate) fn narrow_to_float16<const MODE: u8>(
    level: SimdLevel,
    nan: u16,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    let wide = float32_of_float16(nan);
    let (done, flags) = level.float16_of_float32(mode::rounding(MODE), wide, source, target);
    if 2 * done == target.len() {
        return flags;
    }
    let kernels = (
        &Float32ToFloat16Common::<MODE>,
        &Float32ToFloat16::<MODE>(nan),
    );
    let (source, target) = (&source[4 * done..], &mut target[2 * done..]);
    flags | common_first(kernels, (4, 2), level, source, target)
}

/// Rounds a float32 that is an integer of at most 2^16, the next number, or a normal float16, to float16, with the
/// hardware instruction if there is one. A value out of range becomes an infinity, and is flagged.
pub(super) fn narrow_integer_to_float16<const MODE: u8>(
    level: SimdLevel,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    let (done, flags) = level.float16_of_float32(mode::rounding(MODE), 0, source, target);
    if 2 * done == target.len() {
        return flags;
    }
    let kernel = IntegerToFloat16::<f32, MODE, false>::new(Entry {
        key: 0.0,
        output: 0.0,
    });
    flags | level.run(&kernel, &source[4 * done..], &mut target[2 * done..])
}

/// Rounds an integer of at most 16 bits, or a float32 of [`narrow_integer_to_float16`], to float16. A value out of range
/// becomes an infinity, and is flagged. With `KEYED`, an entry of a map applies, whose output is zero or a normal float16.
pub(super) struct IntegerToFloat16<S, const MODE: u8, const KEYED: bool> {
    entry: Entry<f32, f32>,
    source: PhantomData<S>,
}

impl<S: Lane, const MODE: u8, const KEYED: bool> IntegerToFloat16<S, MODE, KEYED>
where
    f32: From<S>,
{
    pub(super) fn new(entry: Entry<S, f32>) -> Self {
        Self {
            entry: Entry {
                key: entry.key.into(),
                output: entry.output,
            },
            source: PhantomData,
        }
    }
}

impl<S: Lane, const MODE: u8, const KEYED: bool> Kernel for IntegerToFloat16<S, MODE, KEYED>
where
    f32: From<S>,
{
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        // The product has the exponent field of a float16. 0 and 1 remain zero and normal.
        let unit = f32::from_bits(15 << 23);
        let mut largest = 0;
        map_lanes(source, target, |integer: S| {
            // Elements are compared as float32, which is exact, because masks for wider elements would have to be widened.
            let number = f32::from(integer);
            let number = self.entry.or::<KEYED>(number, |number| number);
            let magnitude = (number.abs() * unit).to_bits();
            let sign = (number.to_bits() as i32) >> 31 << 15;
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
pub(crate) fn widen_float16(level: SimdLevel, nan: u32, source: &[u8], target: &mut [u8]) -> Flags {
    let done = level.float32_of_float16(nan, source, target);
    if 4 * done == target.len() {
        return NO_FLAGS;
    }
    let kernels = (&Float16ToFloat32Common, &Float16ToFloat32(nan));
    let (source, target) = (&source[2 * done..], &mut target[4 * done..]);
    common_first(kernels, (2, 4), level, source, target)
}

/// Returns the bits of a float32 rounded to float16, and whether a finite number became an infinity.
#[inline(always)]
pub(crate) fn float16_of_float32<const MODE: u8>(bits: u32) -> (u16, bool) {
    float16_or::<MODE>(bits, 0x7e00)
}

/// Does the same as [`float16_of_float32`], except for NaN, which becomes the given bits.
#[inline(always)]
fn float16_or<const MODE: u8>(bits: u32, nan: u16) -> (u16, bool) {
    let magnitude = bits & 0x7fff_ffff;
    let rounded = Rounder::FLOAT16.round::<MODE>(magnitude, bits >> 31 != 0);
    let (magnitude, rounded) = (magnitude as i32, rounded as i32);
    let overflow = (magnitude < 0x7f80_0000) & (rounded > 0x7bff);
    let finite = if rounded > 0x7bff { 0x7c00 } else { rounded };
    let signed = finite | (bits as i32) >> 31 << 15;
    let half = saturated(signed) as u16;
    (if magnitude > 0x7f80_0000 { nan } else { half }, overflow)
}

/// Converts float16 to float32 exactly. NaN becomes the given bits.
struct Float16ToFloat32(u32);

impl Kernel for Float16ToFloat32 {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |bits| float32_or(bits, self.0));
        NO_FLAGS
    }
}

/// Converts float16 to float32 exactly. Subnormal numbers, infinities and NaN are flagged.
struct Float16ToFloat32Common;

impl Kernel for Float16ToFloat32Common {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let (mut lost, mut special) = (0, 0u32);
        map_lanes(source, target, |bits| {
            let (sign, fields) = in_float32(bits);
            let is_small = fields < SMALLEST_NORMAL;
            lost |= if is_small { fields } else { 0 };
            special |= u32::from(fields >= INFINITY);
            let number = if is_small { 0 } else { fields + REBIAS as i32 };
            sign | number as u32
        });
        Flags::from(lost != 0 || special != 0) * RANGE
    }
}

/// The other bits of the smallest normal float16, and of infinity, in the fields of float32.
const SMALLEST_NORMAL: i32 = 1 << 23;
const INFINITY: i32 = 0x7c00 << 13;

/// Returns the sign of a float16, and its other bits, in the fields of float32.
#[inline(always)]
fn in_float32(bits: u16) -> (u32, i32) {
    let high = u32::from(bits) << 16;
    (high & 1 << 31, ((high & 0x7fff << 16) >> 3) as i32)
}

/// Returns the bits of a float16 as those of a float32.
#[inline(always)]
pub(crate) fn float32_of_float16(bits: u16) -> u32 {
    float32_or(bits, 0x7fc0_0000)
}

/// Does the same as [`float32_of_float16`], except for NaN, which becomes the given bits.
#[inline(always)]
fn float32_or(bits: u16, nan: u32) -> u32 {
    let (sign, fields) = in_float32(bits);
    // The highest exponent field of float16 becomes the highest one of float32.
    let again = if fields >= INFINITY { REBIAS as i32 } else { 0 };
    let normal = fields + REBIAS as i32 + again;
    // The field of a subnormal number counts units of 2^-24, as the mantissa field of a float32 from 2^-14 does above its
    // first 13 bits.
    let counts = REBIAS as i32 + SMALLEST_NORMAL;
    let subnormal = f32::from_bits((fields + counts) as u32) - f32::from_bits(counts as u32);
    let number = if fields < SMALLEST_NORMAL {
        subnormal.to_bits()
    } else {
        normal as u32
    };
    if fields > INFINITY {
        nan
    } else {
        number | sign
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
