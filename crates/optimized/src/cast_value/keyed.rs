//! Kernels that also apply a map of one entry: from integers into types that hold, clamp or round all of
//! them, and from floats into their own type.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    clippy::unnecessary_cast,
    clippy::cast_precision_loss,
    reason = "every conversion is exact or rounds as intended, and the bits of an entry fit their types"
)]

use exactum_model::{CastSpec, DataType, OutOfRange, Rounding};

use super::from_integer::{nearest_float32, nearest_float64};
use super::integers::Into_;
use super::to_float::Canonical;
use crate::arch::{Flags, Kernel, NO_FLAGS, SimdLevel};
use crate::lanes::{Lane, map_lanes};

/// Converts a block, given the bits of the entry: its key, and the output that the key becomes.
type KernelOfEntry = fn(SimdLevel, (u64, u64), &[u8], &mut [u8]);

/// A kernel and the bits of the entry.
#[derive(Clone, Copy)]
pub(super) struct Keyed {
    kernel: KernelOfEntry,
    entry: (u64, u64),
}

/// A conversion that accepts every element.
trait Convert<T>: Lane + PartialEq {
    fn converted(self) -> T;
}

/// Converts all elements. An element that equals the key becomes the output instead.
struct Entry<S, T> {
    key: S,
    output: T,
}

impl<S: Convert<T>, T: Lane> Kernel for Entry<S, T> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |value: S| {
            if value == self.key {
                self.output
            } else {
                value.converted()
            }
        });
        NO_FLAGS
    }
}

/// An element that can be made from its bits.
trait OfBits: Lane {
    fn of(bits: u64) -> Self;
}

macro_rules! of_bits {
    ($($lane:ty: $of:expr;)*) => {$(
        impl OfBits for $lane {
            #[inline(always)]
            fn of(bits: u64) -> Self {
                $of(bits)
            }
        }
    )*};
}
of_bits! {
    i8: |bits| bits as i8;
    i16: |bits| bits as i16;
    i32: |bits| bits as i32;
    i64: |bits| bits as i64;
    u8: |bits| bits as u8;
    u16: |bits| bits as u16;
    u32: |bits| bits as u32;
    u64: |bits| bits;
    f32: |bits| f32::from_bits(bits as u32);
    f64: f64::from_bits;
}

/// Returns `true`: the target holds every number of the source, so that the rules do not matter.
fn holds(_: &CastSpec<'_>) -> bool {
    true
}

fn clamps(cast: &CastSpec<'_>) -> bool {
    cast.out_of_range == Some(OutOfRange::Clamp)
}

fn rounds_to_nearest_even(cast: &CastSpec<'_>) -> bool {
    cast.rounding == Rounding::NearestEven
}

macro_rules! conversions {
    ($($condition:ident, |$value:ident| $body:expr => {
        $($from:ident $source:ident => $($to:ident $target:ident),*;)*
    })*) => {
        $($($(
            impl Convert<$target> for $source {
                #[inline(always)]
                fn converted(self) -> $target {
                    let $value = self;
                    $body
                }
            }
        )*)*)*

        /// Returns the kernel of a cast.
        fn kernel(cast: &CastSpec<'_>) -> Option<KernelOfEntry> {
            Some(match (cast.from, cast.to) {
                $($($((DataType::$from, DataType::$to) if $condition(cast) => convert::<$source, $target>,)*)*)*
                _ => return None,
            })
        }
    };
}
conversions! {
    holds, |value| value as _ => {
        Int8 i8 => Int16 i16, Int32 i32, Int64 i64, Float32 f32, Float64 f64;
        Int16 i16 => Int32 i32, Int64 i64, Float32 f32, Float64 f64;
        Int32 i32 => Int32 i32, Int64 i64, Float64 f64;
        Int64 i64 => Int64 i64;
        Uint8 u8 => Int16 i16, Int32 i32, Int64 i64, Uint16 u16, Uint32 u32, Uint64 u64, Float32 f32, Float64 f64;
        Uint16 u16 => Int32 i32, Int64 i64, Uint32 u32, Uint64 u64, Float32 f32, Float64 f64;
        Uint32 u32 => Int64 i64, Uint32 u32, Uint64 u64, Float64 f64;
        Uint64 u64 => Uint64 u64;
    }
    clamps, |value| Into_::clamped(value) => {
        Int8 i8 => Uint64 u64;
        Int16 i16 => Uint64 u64;
        Int32 i32 => Uint32 u32, Uint64 u64;
        Int64 i64 => Int32 i32, Uint32 u32, Uint64 u64;
        Uint32 u32 => Int32 i32;
        Uint64 u64 => Int32 i32, Int64 i64, Uint32 u32;
    }
    rounds_to_nearest_even, |value| value as _ => {
        Int32 i32 => Float32 f32;
        Uint32 u32 => Float32 f32;
        Int64 i64 => Float32 f32;
    }
    rounds_to_nearest_even, |value| nearest_float32(value) => {
        Uint64 u64 => Float32 f32;
    }
    rounds_to_nearest_even, |value| nearest_float64(value) => {
        Int64 i64 => Float64 f64;
        Uint64 u64 => Float64 f64;
    }
}

fn convert<S: Convert<T> + OfBits, T: OfBits>(
    level: SimdLevel,
    entry: (u64, u64),
    source: &[u8],
    target: &mut [u8],
) {
    let entry = Entry {
        key: S::of(entry.0),
        output: T::of(entry.1),
    };
    level.run(&entry, source, target);
}

/// Copies floats, and replaces every NaN by the output of the entry.
fn without_nan<T: OfBits>(level: SimdLevel, entry: (u64, u64), source: &[u8], target: &mut [u8])
where
    Canonical<T>: Kernel,
{
    level.run(&Canonical(T::of(entry.1)), source, target);
}

impl Keyed {
    /// Returns the kernel of a cast; `None` if it has none, or if the map does not have exactly one entry.
    pub(super) fn of(cast: &CastSpec<'_>) -> Option<Self> {
        let [entry] = cast.map else {
            return None;
        };
        let from = cast.from.format();
        let is_nan = from.float().is_some_and(|float| float.is_nan(entry.input));
        Some(Self {
            kernel: match (cast.from, cast.to) {
                (DataType::Float32, DataType::Float32) if is_nan => without_nan::<f32>,
                (DataType::Float64, DataType::Float64) if is_nan => without_nan::<f64>,
                _ => kernel(cast)?,
            },
            entry: (entry.input, entry.output),
        })
    }

    /// Converts a block.
    pub(super) fn run(&self, level: SimdLevel, source: &[u8], target: &mut [u8]) {
        (self.kernel)(level, self.entry, source, target);
    }
}
