//! Packing in one kernel: a scale and an offset, the code of NaN, rounding and the range check while an
//! element is in a register, and the inverse.
//!
//! These are the codecs `scale_offset` and `cast_value` in the form in which packed data is usually written:
//! real numbers of 32 or 64 bits become integers of up to 32 bits, clamped or checked for their range, and at
//! most one entry maps NaN to a code or a code to a number. A cast with such a map and without a scale uses
//! the same kernel with a scale of 1.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    clippy::cast_lossless,
    clippy::float_cmp,
    clippy::unnecessary_cast,
    reason = "conversions are the subject: each is exact or rounds as intended"
)]

use core::marker::PhantomData;
use core::ops::BitOrAssign;

use exactum_model::{CastSpec, DataType, OutOfRange, Rounding};

use super::mode;
use super::to_integer::{Float, Into_};
use crate::arch::{Flags, INVALID, Kernel, NO_FLAGS, RANGE, SimdLevel};
use crate::lanes::{Lane, map_lanes};

/// A scale and an offset as numbers of the float type, both finite and the scale not zero: encoding is
/// `(x - offset) * scale`, decoding `x / scale + offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaling {
    pub(crate) offset: f64,
    pub(crate) scale: f64,
}

/// The parameters of a kernel, which are exact in its float type.
#[derive(Clone, Copy, Debug)]
struct Numbers {
    scaling: Scaling,
    /// The number that the map writes: the code of NaN (NaN itself without a map), or the number for the code
    /// `key`.
    output: f64,
    /// The code that is mapped; `None` without a map.
    key: Option<i64>,
}

/// A kernel with its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    kernel: fn(SimdLevel, &Numbers, &[u8], &mut [u8]) -> Flags,
    numbers: Numbers,
}

/// Selects the kernel of an integer type of up to 32 bits.
macro_rules! with_code {
    ($data_type:expr, $name:ident => $body:expr) => {
        with_code!($data_type, $name => $body;
            Int8 i8, Int16 i16, Int32 i32, Uint8 u8, Uint16 u16, Uint32 u32)
    };
    ($data_type:expr, $name:ident => $body:expr; $($variant:ident $type:ident),*) => {
        match $data_type {
            $(DataType::$variant => {
                type $name = $type;
                $body
            })*
            _ => return None,
        }
    };
}

/// Selects the kernel of a float type and a rounding.
macro_rules! packing {
    ($float:ty, $to:expr, $cast:expr; $($variant:ident)*) => {
        match ($cast.rounding, $cast.out_of_range) {
            $((Rounding::$variant, Some(OutOfRange::Clamp)) => with_code!($to, T =>
                pack::<$float, T, { mode::of(Rounding::$variant) }, false>
                    as fn(SimdLevel, &Numbers, &[u8], &mut [u8]) -> Flags),
            (Rounding::$variant, None) => with_code!($to, T =>
                pack::<$float, T, { mode::of(Rounding::$variant) }, true>),)*
            (_, Some(OutOfRange::Wrap)) => return None,
        }
    };
    ($float:ty, $to:expr, $cast:expr) => {
        packing!($float, $to, $cast;
            NearestEven TowardsZero TowardsPositive TowardsNegative NearestAway)
    };
}

impl Scaled {
    /// Returns the kernel of a scaling followed by a cast into an integer, or of a cast into a float followed
    /// by a scaling. Returns `None` if the cast is not one that packing uses.
    pub(crate) fn of(cast: &CastSpec<'_>, scaling: Option<Scaling>) -> Option<Self> {
        match (cast.from, cast.to) {
            (DataType::Float32 | DataType::Float64, _) => Self::into_integer(cast, scaling),
            (_, DataType::Float32 | DataType::Float64) => Self::from_integer(cast, scaling),
            _ => None,
        }
    }

    fn into_integer(cast: &CastSpec<'_>, scaling: Option<Scaling>) -> Option<Self> {
        let (from, to) = (cast.from, cast.to);
        let kernel = match from {
            DataType::Float32 => packing!(f32, to, cast),
            _ => packing!(f64, to, cast),
        };
        let code = match cast.map {
            [] => None,
            [entry] if from.format().float()?.is_nan(entry.input) => Some(entry.output),
            _ => return None,
        };
        let output = match code {
            Some(bits) => number_of_code(from, to, bits)?,
            None => f64::NAN,
        };
        Some(Self {
            kernel,
            numbers: Numbers {
                scaling: scaling.unwrap_or(Scaling {
                    offset: 0.0,
                    scale: 1.0,
                }),
                output,
                key: None,
            },
        })
    }

    fn from_integer(cast: &CastSpec<'_>, scaling: Option<Scaling>) -> Option<Self> {
        let (from, to) = (cast.from, cast.to);
        // Kernels without a scale have nothing to gain.
        let scaling = scaling?;
        let kernel: fn(SimdLevel, &Numbers, &[u8], &mut [u8]) -> Flags = match to {
            DataType::Float32 => {
                // float32 holds integers of 16 bits; larger ones are rounded as the machine does.
                let is_exact = from.format().component_bits() <= 16;
                if !is_exact && cast.rounding != Rounding::NearestEven {
                    return None;
                }
                with_code!(from, S => unpack::<S, f32>)
            }
            _ => with_code!(from, S => unpack::<S, f64>),
        };
        let (key, output) = match cast.map {
            [] => (None, 0.0),
            [entry] => {
                let bits = entry.output;
                let output = match to {
                    DataType::Float32 => f32::from_bits(bits as u32).into(),
                    _ => f64::from_bits(bits),
                };
                (Some(code_of_bits(from, entry.input)?), output)
            }
            _ => return None,
        };
        // If a finite output overflows when it is scaled back, every element with its code must be rejected,
        // which the kernel does not do.
        let leaves = match to {
            DataType::Float32 => !(output as f32)
                .decoded(scaling.offset as f32, scaling.scale as f32)
                .is_finite(),
            _ => !output.decoded(scaling.offset, scaling.scale).is_finite(),
        };
        if output.is_finite() && leaves {
            return None;
        }
        Some(Self {
            kernel,
            numbers: Numbers {
                scaling,
                output,
                key,
            },
        })
    }

    /// Runs the kernel on a block and returns whether an element may be rejected.
    pub(super) fn run(&self, level: SimdLevel, source: &[u8], target: &mut [u8]) -> bool {
        (self.kernel)(level, &self.numbers, source, target) != NO_FLAGS
    }
}

/// Returns the value of a code of up to 32 bits.
fn code_of_bits(data_type: DataType, bits: u64) -> Option<i64> {
    Some(match data_type {
        DataType::Int8 => (bits as i8).into(),
        DataType::Int16 => (bits as i16).into(),
        DataType::Int32 => (bits as i32).into(),
        DataType::Uint8 => (bits as u8).into(),
        DataType::Uint16 => (bits as u16).into(),
        DataType::Uint32 => (bits as u32).into(),
        _ => return None,
    })
}

/// Returns the value of a code as a number of a float type, or `None` if the type does not hold it.
fn number_of_code(float: DataType, data_type: DataType, bits: u64) -> Option<f64> {
    let code = code_of_bits(data_type, bits)?;
    let number = match float {
        DataType::Float32 => f64::from(code as f32),
        _ => code as f64,
    };
    (number as i64 == code).then_some(number)
}

/// A float type of the kernels.
trait Number: Float {
    const NAN: Self;

    /// Returns a number that the type holds exactly.
    fn of(number: f64) -> Self;

    /// Returns `(self - offset) * scale`, rounded after each operation (scale_offset.arithmetic.rounding).
    fn encoded(self, offset: Self, scale: Self) -> Self;

    /// Returns `self / scale + offset`, rounded after each operation.
    fn decoded(self, offset: Self, scale: Self) -> Self;

    fn is_nan(self) -> bool;

    /// Returns zero for a number, and a non-zero value for NaN and the infinities.
    fn doubt(self) -> Self::Bits;
}

macro_rules! numbers {
    ($($float:ty: $nan:literal;)*) => {$(
        impl Number for $float {
            const NAN: Self = <$float>::from_bits($nan);

            #[inline(always)]
            fn of(number: f64) -> Self {
                number as $float
            }

            #[inline(always)]
            fn encoded(self, offset: Self, scale: Self) -> Self {
                (self - offset) * scale
            }

            #[inline(always)]
            fn decoded(self, offset: Self, scale: Self) -> Self {
                self / scale + offset
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                <$float>::is_nan(self)
            }

            #[inline(always)]
            fn doubt(self) -> Self::Bits {
                (self - self).to_bits()
            }
        }
    )*};
}
numbers! {
    f32: 0x7fc0_0000;
    f64: 0x7ff8_0000_0000_0000;
}

fn pack<S, T, const MODE: u8, const CHECK: bool>(
    level: SimdLevel,
    numbers: &Numbers,
    source: &[u8],
    target: &mut [u8],
) -> Flags
where
    S: Number + Into_<T>,
    T: Lane,
    <S as Into_<T>>::Doubt: Default + PartialEq + BitOrAssign,
{
    let kernel = Packing::<S, T, MODE, CHECK> {
        offset: S::of(numbers.scaling.offset),
        scale: S::of(numbers.scaling.scale),
        code: S::of(numbers.output),
        to: PhantomData,
    };
    level.run(&kernel, source, target)
}

/// Scales, rounds and clamps. NaN becomes a code, or stays NaN if there is none. With `CHECK`, it flags
/// values out of range, including NaN and infinity; without, only NaN and infinity, which no clamping turns
/// into an integer.
struct Packing<S, T, const MODE: u8, const CHECK: bool> {
    offset: S,
    scale: S,
    code: S,
    to: PhantomData<T>,
}

impl<S, T, const MODE: u8, const CHECK: bool> Kernel for Packing<S, T, MODE, CHECK>
where
    S: Number + Into_<T>,
    T: Lane,
    <S as Into_<T>>::Doubt: Default + PartialEq + BitOrAssign,
{
    #[inline(always)]
    fn run_on<const ROUNDS: bool>(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let (offset, scale, code) = (self.offset, self.scale, self.code);
        let mut outside = <S as Into_<T>>::Doubt::default();
        let mut invalid = S::Bits::default();
        map_lanes(source, target, |value: S| {
            // With finite parameters and a scale that is not zero, NaN arises only from NaN, and a step that
            // overflows leaves an infinity, which no integer represents.
            let scaled = value.encoded(offset, scale);
            let rounded = scaled.rounded_into::<MODE, ROUNDS>();
            let rounded = if scaled.is_nan() { code } else { rounded };
            let (integer, doubt) = rounded.clamped();
            if CHECK {
                outside |= doubt;
            } else {
                invalid |= rounded.doubt();
            }
            integer
        });
        let flag = |is_there: bool, flag: Flags| if is_there { flag } else { NO_FLAGS };
        flag(outside != Default::default(), RANGE) | flag(invalid != S::Bits::default(), INVALID)
    }
}

fn unpack<S: Code<T>, T: Number>(
    level: SimdLevel,
    numbers: &Numbers,
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    let Scaling { offset, scale } = numbers.scaling;
    let (offset, scale) = (T::of(offset), T::of(scale));
    let Some(key) = numbers.key else {
        let kernel = Unpacking::<S, T, false> {
            key: S::of(0),
            mapped: T::NAN,
            offset,
            scale,
        };
        return level.run(&kernel, source, target);
    };
    let mapped = T::of(numbers.output).decoded(offset, scale);
    let kernel = Unpacking::<S, T, true> {
        key: S::of(key),
        mapped: if mapped.is_nan() { T::NAN } else { mapped },
        offset,
        scale,
    };
    level.run(&kernel, source, target)
}

/// An integer type of the kernels.
trait Code<T>: Lane + PartialEq {
    /// Returns a code, which must be in the range of the type.
    fn of(code: i64) -> Self;

    /// Returns the number, rounded to nearest-even.
    fn number(self) -> T;
}

macro_rules! codes {
    ($($float:ty: $($code:ty)*;)*) => {$($(
        impl Code<$float> for $code {
            #[inline(always)]
            fn of(code: i64) -> Self {
                code as $code
            }

            #[inline(always)]
            fn number(self) -> $float {
                self as $float
            }
        }
    )*)*};
}
codes! {
    f32: i8 i16 i32 u8 u16 u32;
    f64: i8 i16 i32 u8 u16 u32;
}

/// Converts codes to numbers and scales them back. The key becomes a number computed beforehand: its mapped
/// number, scaled back. A number out of range is flagged.
struct Unpacking<S, T, const KEYED: bool> {
    key: S,
    mapped: T,
    offset: T,
    scale: T,
}

impl<S: Code<T>, T: Number, const KEYED: bool> Kernel for Unpacking<S, T, KEYED> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let (offset, scale, mapped) = (self.offset, self.scale, self.mapped);
        let mut invalid = T::Bits::default();
        map_lanes(source, target, |code: S| {
            let result = code.number().decoded(offset, scale);
            invalid |= result.doubt();
            if KEYED && code == self.key {
                mapped
            } else {
                result
            }
        });
        if invalid == T::Bits::default() {
            NO_FLAGS
        } else {
            INVALID
        }
    }
}
