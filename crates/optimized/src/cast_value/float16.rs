//! Kernels from and to float16. The hardware has instructions for conversions from and to float32. Without them, kernels for
//! common elements come first.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "conversions are the subject; the bits are laid out in the comments"
)]

use core::marker::PhantomData;

use crate::arch::{Flags, Kernel, NO_FLAGS, RANGE, SimdLevel};
use crate::cast_value::entry::Entry;
use crate::cast_value::mode;
use crate::cast_value::rounder::{Rounder, carry};
use crate::cast_value::to_float::Float64ToFloat32Odd;
use crate::lanes::{Lane, map_lanes};

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

/// The number of elements in a short block. A flag wastes the time for one, and a block of the outlet may have no more than
/// 256 elements.
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
            // Elements are compared as float32, which holds them exactly: vectors would have to widen a narrower mask.
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
