//! Kernels between integers.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    reason = "conversions are the subject; each is preceded by its range check"
)]

use core::marker::PhantomData;

use crate::arch::{Flags, Kernel, RANGE};
use crate::lanes::{Lane, map_lanes};

/// A conversion between two integer types.
pub(super) trait Into_<T>: Lane {
    /// Returns the low bits, which are the value modulo `2^N`.
    fn wrapped(self) -> T;

    fn clamped(self) -> T;

    /// The bits that [`above_least`](Self::above_least) has only outside the target's range.
    const OUTSIDE: Self;

    /// Returns the distance from the least value that both types have, modulo `2^N`.
    fn above_least(self) -> Self;
}

/// The limits of the target that the source can represent.
macro_rules! limits {
    ($source:ty, $target:ty) => {{
        const MIN: $source = if (<$target>::MIN as i128) < (<$source>::MIN as i128) {
            <$source>::MIN
        } else {
            <$target>::MIN as $source
        };
        const MAX: $source = if (<$target>::MAX as i128) > (<$source>::MAX as i128) {
            <$source>::MAX
        } else {
            <$target>::MAX as $source
        };
        (MIN, MAX)
    }};
}

macro_rules! pairs {
    ($($source:ty => $($target:ty)*;)*) => {$($(
        impl Into_<$target> for $source {
            #[inline(always)]
            fn wrapped(self) -> $target {
                self as $target
            }

            #[inline(always)]
            fn clamped(self) -> $target {
                let (min, max) = limits!($source, $target);
                self.clamp(min, max) as $target
            }

            // The number of values in range is a power of two.
            const OUTSIDE: Self = {
                let (min, max) = limits!($source, $target);
                !max.wrapping_sub(min)
            };

            #[inline(always)]
            fn above_least(self) -> Self {
                let (min, _) = limits!($source, $target);
                self.wrapping_sub(min)
            }
        }
    )*)*};
}

pairs! {
    i8 => i8 i16 i32 i64 u8 u16 u32 u64;
    i16 => i8 i16 i32 i64 u8 u16 u32 u64;
    i32 => i8 i16 i32 i64 u8 u16 u32 u64;
    i64 => i8 i16 i32 i64 u8 u16 u32 u64;
    u8 => i8 i16 i32 i64 u8 u16 u32 u64;
    u16 => i8 i16 i32 i64 u8 u16 u32 u64;
    u32 => i8 i16 i32 i64 u8 u16 u32 u64;
    u64 => i8 i16 i32 i64 u8 u16 u32 u64;
}

/// Keeps the low bits and flags values outside the target's range.
pub(super) struct Narrow<S, T>(PhantomData<(S, T)>);

impl<S, T> Narrow<S, T> {
    pub(super) const NEW: Self = Self(PhantomData);
}

macro_rules! narrow {
    ($($source:ty)*) => {$(
        impl<T: Lane> Kernel for Narrow<$source, T>
        where
            $source: Into_<T>,
        {
            const WIDE: bool = size_of::<$source>() == 8;

            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                // One addition and one or for each value, because vectors before AVX-512 do not compare
                // 64-bit numbers well.
                let mut all: $source = 0;
                map_lanes(source, target, |value: $source| {
                    all |= Into_::<T>::above_least(value);
                    Into_::<T>::wrapped(value)
                });
                Flags::from(all & <$source as Into_<T>>::OUTSIDE != 0) * RANGE
            }
        }
    )*};
}
narrow!(i8 i16 i32 i64 u8 u16 u32 u64);

/// Keeps the low bits without checking the range.
pub(super) struct Wrap<S, T>(PhantomData<(S, T)>);

impl<S, T> Wrap<S, T> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<S: Into_<T>, T: Lane> Kernel for Wrap<S, T> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, S::wrapped);
        crate::arch::NO_FLAGS
    }
}

/// Copies the bits.
pub(super) struct Same;

impl Kernel for Same {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        target.copy_from_slice(source);
        crate::arch::NO_FLAGS
    }
}

/// Clamps to the nearest value of the target.
pub(super) struct Clamp<S, T>(PhantomData<(S, T)>);

impl<S, T> Clamp<S, T> {
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<S: Into_<T>, T: Lane> Kernel for Clamp<S, T> {
    // AVX2 does not compare 64-bit numbers well.
    const WIDE: bool = size_of::<S>() == 8;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, S::clamped);
        crate::arch::NO_FLAGS
    }
}
