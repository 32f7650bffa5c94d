//! The stages that also apply a map of one entry, from integers into types that hold, clamp or round all of them.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    clippy::unnecessary_cast,
    clippy::cast_precision_loss,
    reason = "every conversion is exact or rounds as intended"
)]

use exactum_model::{CastSpec, DataType, OutOfRange, Rounding};

use super::Stage;
use crate::arch::{Flags, Kernel, NO_FLAGS};
use crate::cast_value::entry::{Entry, OfBits};
use crate::cast_value::from_integer::{nearest_float32, nearest_float64};
use crate::cast_value::integers::Into_;
use crate::lanes::{Lane, map_lanes};

/// A conversion that accepts every element.
trait Convert<T>: Lane + PartialEq {
    fn converted(self) -> T;
}

/// Converts all elements. An element that equals the key becomes the output instead.
struct Keyed<S, T>(Entry<S, T>);

impl<S: Convert<T>, T: Lane> Kernel for Keyed<S, T> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |value: S| {
            self.0.or::<true>(value, S::converted)
        });
        NO_FLAGS
    }
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

        /// Returns the stage of a cast with a map of one entry, if there is one for it.
        pub(super) fn keyed(cast: &CastSpec<'_>) -> Option<Stage> {
            Some(match (cast.from, cast.to) {
                $($($((DataType::$from, DataType::$to) if $condition(cast) => {
                    stage!(size_of::<$target>(), stage => Keyed(Entry::<$source, $target> {
                        key: OfBits::of(stage.key),
                        output: OfBits::of(stage.output),
                    }))
                })*)*)*
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
