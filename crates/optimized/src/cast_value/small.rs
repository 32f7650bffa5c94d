//! Kernels into and out of the small floats and the integers of less than a byte.
//!
//! The small floats differ only in data, which is a [`Small`]: separate kernels would repeat the same
//! instructions many times. All conversions use float32 as an intermediate type, which holds bfloat16 and
//! float16 exactly, and which is rounded to odd if it does not hold a source exactly ([`mode::ODD`]).

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    clippy::cast_precision_loss,
    reason = "conversions are the subject; the bits are laid out in the comments"
)]

use core::marker::PhantomData;

use exactum_model::{FloatFormat, Nan};

use super::mode;
use super::rounder::{MANTISSA, Rounder, carry};
use crate::arch::{Flags, INVALID, Kernel, NO_FLAGS, RANGE};
use crate::lanes::map_lanes;

/// Bias of a float32.
const BIAS: u32 = 127;
/// The bits of 2^-127 as a float32, as a signed number that vectors can compare.
const LOWEST_POWER: i32 = 1 << (MANTISSA - 1);

/// The constants of a small float type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Small {
    /// How a float32 is rounded to it.
    rounder: Rounder,
    /// The code of the largest finite value.
    largest: u32,
    /// The largest magnitude of a float32 that rounds to the largest finite value with nearest-even.
    reach: u32,
    /// The magnitude of a float32 that rounds to the code for values out of range.
    top: u32,
    /// The code for values out of range: infinity, or the largest value if there is none.
    beyond: u32,
    /// The code of NaN, or 0 if there is none.
    nan: u32,
    /// The position of the sign bit.
    sign: u32,
    /// All ones if there is a negative zero.
    negative_zero: u32,
    /// The flags raised by an infinity and by a NaN, which are empty if the type has them.
    of_infinity: u32,
    of_nan: u32,
    /// The magnitude of infinity, or an unused one.
    infinity: u32,
    /// The magnitude above which all codes are NaN, or an unused one.
    last: u32,
    /// The only NaN, or an unused code.
    only_nan: u32,
    /// The unit of the subnormals as a float32, 2^-k.
    unit: f32,
}

impl Small {
    /// Returns the constants of a format of at most 8 bits, or `None` for a format without zero or sign,
    /// whose codes are not magnitudes.
    pub(super) fn of(format: &FloatFormat) -> Option<Self> {
        if !format.zero || !format.signed || format.bits() > 8 {
            return None;
        }
        let code = |bits: u64| bits as u32;
        let lacks = |there: bool| if there { 0 } else { u32::from(INVALID) };
        let bias = u32::try_from(format.bias).ok()?;
        let unit = (BIAS + 1 - bias).saturating_sub(format.mantissa_bits);
        let shift = MANTISSA - format.mantissa_bits;
        let rebias = (BIAS - bias) << format.mantissa_bits;
        let largest = code(format.max_finite_bits());
        // The largest value is normal. A tie half a unit above it rounds up if the value is odd.
        let float32 = (largest + rebias) << shift;
        let reach = float32 + (1 << shift >> 1) - (largest & 1);
        // Infinity has the next code.
        let top = (largest + u32::from(format.infinity) + rebias) << shift;
        Some(Self {
            rounder: Rounder {
                shift,
                rebias,
                normal: (BIAS + 1 - bias) << MANTISSA,
                counts: f32::from_bits((unit + MANTISSA) << MANTISSA),
            },
            largest,
            reach,
            top,
            beyond: code(format.infinity_bits().unwrap_or(format.max_finite_bits())),
            nan: code(format.nan_bits().unwrap_or(0)),
            sign: format.bits() - 1,
            negative_zero: if format.negative_zero { u32::MAX } else { 0 },
            of_infinity: lacks(format.infinity),
            of_nan: lacks(format.nan_bits().is_some()),
            infinity: format.infinity_bits().map_or(u32::MAX, code),
            last: match format.nan {
                Nan::Ieee => code(format.max_exponent_field() << format.mantissa_bits),
                Nan::AllOnes => code(format.max_finite_bits()),
                Nan::None | Nan::Only(_) => u32::MAX,
            },
            only_nan: match format.nan {
                Nan::Only(bits) => code(bits),
                Nan::None | Nan::Ieee | Nan::AllOnes => u32::MAX,
            },
            unit: f32::from_bits(unit << MANTISSA),
        })
    }
}

/// Returns the code of a float32 in a small float, and its flags.
#[inline(always)]
fn small_of_float32<const MODE: u8>(to: &Small, bits: u32) -> (u32, u32) {
    let magnitude = bits & 0x7fff_ffff;
    let rounded = to.rounder.round::<MODE>(magnitude, bits >> 31 != 0);
    let outside = rounded > to.largest;
    let code = if outside { to.beyond } else { rounded };
    let keeps_sign = if code == 0 {
        to.negative_zero
    } else {
        u32::MAX
    };
    let code = code | ((bits >> 31 << to.sign) & keeps_sign);
    let infinite = magnitude == 0x7f80_0000;
    let nan = magnitude > 0x7f80_0000;
    let of_finite = if outside { u32::from(RANGE) } else { 0 };
    let of_number = if infinite { to.of_infinity } else { of_finite };
    if nan {
        (to.nan, to.of_nan)
    } else {
        (code, of_number)
    }
}

/// Converts float32 to a small float of one byte. A value out of range becomes infinity or the largest value,
/// and is flagged.
pub(super) struct Float32ToSmall<const MODE: u8>(pub(super) Small);

impl<const MODE: u8> Kernel for Float32ToSmall<MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let to = self.0;
        let mut all = 0;
        map_lanes(source, target, |bits: u32| {
            let (code, flags) = small_of_float32::<MODE>(&to, bits);
            all |= flags;
            code as u8
        });
        all as Flags
    }
}

/// Converts float32 to a small float of one byte that has a negative zero, with nearest-even and without
/// handling rare cases. A value out of range becomes infinity or the largest value; with `CHECK` it is
/// flagged. NaN and infinity are always flagged.
pub(super) struct Float32ToSmallFast<const CHECK: bool>(pub(super) Small);

impl Small {
    /// Returns whether [`Float32ToSmallFast`] supports the type.
    pub(super) fn is_fast(&self) -> bool {
        self.negative_zero == u32::MAX
    }
}

impl<const CHECK: bool> Kernel for Float32ToSmallFast<CHECK> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let to = self.0;
        // Magnitudes are positive numbers, which vectors can compare as signed numbers.
        let limit = if CHECK { to.reach } else { 0x7f7f_ffff } as i32;
        let mut rare = 0u32;
        map_lanes(source, target, |bits: u32| {
            let magnitude = (bits & 0x7fff_ffff) as i32;
            rare |= u32::from(magnitude > limit);
            let magnitude = magnitude.min(to.top as i32);
            let code = to
                .rounder
                .round::<{ mode::NEAREST_EVEN }>(magnitude as u32, false);
            (code | bits >> 31 << to.sign) as u8
        });
        Flags::from(rare != 0) * RANGE
    }
}

/// Returns a small float of one byte as the bits of a float32, which are exact.
#[inline(always)]
fn float32_of_small(from: &Small, code: u8) -> u32 {
    let code = u32::from(code) & ((2 << from.sign) - 1);
    let magnitude = code & ((1 << from.sign) - 1);
    let sign = code >> from.sign << 31;
    let Rounder { shift, rebias, .. } = from.rounder;
    let subnormal = magnitude << shift < 1 << MANTISSA;
    // The product is exact.
    let of_subnormal = (magnitude as f32 * from.unit).to_bits();
    let of_normal = (magnitude + rebias) << shift;
    let of_finite = if subnormal { of_subnormal } else { of_normal };
    let value = if magnitude == from.infinity {
        0x7f80_0000
    } else {
        of_finite
    };
    if (magnitude > from.last) | (code == from.only_nan) {
        0x7fc0_0000
    } else {
        value | sign
    }
}

/// Converts a small float of one byte to float32 exactly.
pub(super) struct SmallToFloat32(pub(super) Small);

impl Kernel for SmallToFloat32 {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let from = self.0;
        map_lanes(source, target, |code: u8| float32_of_small(&from, code));
        NO_FLAGS
    }
}

/// Converts float32 to `float8_e8m0fnu`, whose code is the exponent field of a float32, except that code 0 is
/// 2^-127. A value out of range becomes the nearest power of two, and is flagged, as are infinities.
pub(super) struct Float32ToPower<const MODE: u8>;

impl<const MODE: u8> Kernel for Float32ToPower<MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        // The least number that rounds to 2^-127, and the amount that carries into the exponent if the mode
        // rounds up. Ties go to the larger power (cast_value.rounding.no-zero).
        let (least, carry) = match MODE {
            mode::TOWARDS_ZERO | mode::TOWARDS_NEGATIVE => (LOWEST_POWER, 0),
            mode::TOWARDS_POSITIVE => (1, (1 << MANTISSA) - 1),
            _ => (LOWEST_POWER / 2, 1 << MANTISSA >> 1),
        };
        let mut all = 0;
        map_lanes(source, target, |bits: u32| {
            let magnitude = bits & 0x7fff_ffff;
            // Zero and all negative numbers are below the least number.
            let below = (bits as i32) < least;
            let value = (bits as i32).max(LOWEST_POWER) as u32;
            // Between 2^-127 and 2^-126 a float32 is subnormal, with one bit less than in other octaves.
            let value = if value >> MANTISSA == 0 {
                (value - LOWEST_POWER as u32) << 1
            } else {
                value
            };
            let code = (value + carry) >> MANTISSA;
            let outside = below | (code > 0xfe);
            let of_finite = if outside { u32::from(RANGE) } else { 0 };
            let infinite = magnitude == 0x7f80_0000;
            let of_number = if infinite {
                u32::from(INVALID)
            } else {
                of_finite
            };
            let nan = magnitude > 0x7f80_0000;
            all |= if nan { 0 } else { of_number };
            (if nan { 0xff } else { code.min(0xfe) }) as u8
        });
        all as Flags
    }
}

/// Converts `float8_e8m0fnu` to float32 exactly.
pub(super) struct PowerToFloat32;

impl Kernel for PowerToFloat32 {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |code: u8| float32_of_power(code.into()));
        NO_FLAGS
    }
}

/// Returns a power of two of `float8_e8m0fnu` as the bits of a float32; the lowest one is subnormal.
#[inline(always)]
pub(crate) fn float32_of_power(code: u32) -> u32 {
    match code {
        0 => LOWEST_POWER as u32,
        0xff => 0x7fc0_0000,
        field => field << MANTISSA,
    }
}

/// Converts float32 to bfloat16, whose bits are the upper half of a float32.
pub(super) struct Float32ToBfloat16<const MODE: u8>;

impl<const MODE: u8> Kernel for Float32ToBfloat16<MODE> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let mut outside = 0;
        map_lanes(source, target, |bits: u32| {
            let magnitude = bits & 0x7fff_ffff;
            let carry = carry::<MODE>(magnitude, bits >> 31 != 0, 16);
            let rounded = (magnitude + carry) >> 16;
            outside |= u32::from((rounded >= 0x7f80) & (magnitude < 0x7f80_0000));
            let rounded = if magnitude >= 0x7f80_0000 {
                0x7f80
            } else {
                rounded
            };
            if magnitude > 0x7f80_0000 {
                0x7fc0
            } else {
                (rounded | bits >> 31 << 15) as u16
            }
        });
        Flags::from(outside != 0) * RANGE
    }
}

/// Converts float32 to bfloat16 with nearest-even. NaN is flagged and, with `CHECK`, so are infinities and
/// values out of range.
pub(super) struct Float32ToBfloat16Fast<const CHECK: bool>;

impl<const CHECK: bool> Kernel for Float32ToBfloat16Fast<CHECK> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        // The largest magnitude that rounds to a finite number, or infinity. Vectors compare signed numbers.
        let limit = if CHECK { 0x7f7f_7fff } else { 0x7f80_0000 };
        let mut rare = false;
        map_lanes(source, target, |bits: u32| {
            rare |= (bits & 0x7fff_ffff) as i32 > limit;
            // Except for NaN, which is flagged, the sum does not carry into the sign.
            (bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16) as u16
        });
        Flags::from(rare) * RANGE
    }
}

/// Converts bfloat16 to float32 exactly.
pub(super) struct Bfloat16ToFloat32;

impl Kernel for Bfloat16ToFloat32 {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |bits: u16| {
            let value = f32::from_bits(u32::from(bits) << 16);
            if value.is_nan() {
                0x7fc0_0000
            } else {
                value.to_bits()
            }
        });
        NO_FLAGS
    }
}

/// Converts an integer of `BITS` bits to a byte (`i8` or `u8`).
pub(super) struct WidenSubByte<T, const BITS: u32>(PhantomData<T>);

impl<T, const BITS: u32> WidenSubByte<T, BITS> {
    pub(super) const NEW: Self = Self(PhantomData);
}

macro_rules! lengthen {
    ($($target:ty)*) => {$(
        impl<const BITS: u32> Kernel for WidenSubByte<$target, BITS> {
            const WIDE: bool = false;

            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                map_lanes(source, target, |bits: u8| {
                    (bits << (8 - BITS)) as $target >> (8 - BITS)
                });
                NO_FLAGS
            }
        }
    )*};
}
lengthen! { i8 u8 }

/// Converts a byte (`i8` or `u8`) to an integer of `BITS` bits.
pub(super) struct NarrowSubByte<S, const BITS: u32, const RULE: u8>(PhantomData<S>);

impl<S, const BITS: u32, const RULE: u8> NarrowSubByte<S, BITS, RULE> {
    pub(super) const NEW: Self = Self(PhantomData);
}

/// Flags values out of range.
pub(super) const CHECKED: u8 = 0;
/// Clamps values out of range to the nearest value.
pub(super) const CLAMPED: u8 = 1;
/// Wraps values out of range.
pub(super) const WRAPPED: u8 = 2;

macro_rules! shorten {
    ($($source:ty)*) => {$(
        impl<const BITS: u32, const RULE: u8> Kernel for NarrowSubByte<$source, BITS, RULE> {
            const WIDE: bool = false;

            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                let (min, max) = (<$source>::MIN >> (8 - BITS), <$source>::MAX >> (8 - BITS));
                let mask = u8::MAX >> (8 - BITS);
                let mut outside = 0u8;
                map_lanes(source, target, |value: $source| {
                    let clamped = value.clamp(min, max);
                    if RULE == CHECKED {
                        outside |= u8::from(clamped != value);
                    }
                    let value = if RULE == WRAPPED { value } else { clamped };
                    value as u8 & mask
                });
                Flags::from(outside != 0) * RANGE
            }
        }
    )*};
}
shorten! { i8 u8 }
