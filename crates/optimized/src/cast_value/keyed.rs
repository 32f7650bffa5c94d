//! Integers into types that hold all of them, with a map of one entry, in one kernel.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_lossless,
    clippy::unnecessary_cast,
    reason = "every conversion is exact, and the bits of the entry fit their types"
)]

use exactum_model::{CastSpec, DataType};

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

/// A conversion that loses nothing.
trait Widen<T>: Lane + PartialEq {
    fn widened(self) -> T;
}

/// Converts all elements, and those that equal the key to the output.
struct Entry<S, T> {
    key: S,
    output: T,
}

impl<S: Widen<T>, T: Lane> Kernel for Entry<S, T> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |value: S| {
            if value == self.key {
                self.output
            } else {
                value.widened()
            }
        });
        NO_FLAGS
    }
}

/// An element made of its bits.
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

macro_rules! widen {
    ($($from:ident $source:ident => $($to:ident $target:ident),*;)*) => {
        $($(
            impl Widen<$target> for $source {
                #[inline(always)]
                fn widened(self) -> $target {
                    self as $target
                }
            }
        )*)*

        /// Returns the kernel of two data types.
        fn kernel(from: DataType, to: DataType) -> Option<KernelOfEntry> {
            Some(match (from, to) {
                $($((DataType::$from, DataType::$to) => convert::<$source, $target>,)*)*
                _ => return None,
            })
        }
    };
}
widen! {
    Int8 i8 => Int16 i16, Int32 i32, Int64 i64, Float32 f32, Float64 f64;
    Int16 i16 => Int32 i32, Int64 i64, Float32 f32, Float64 f64;
    Int32 i32 => Int32 i32, Int64 i64, Float64 f64;
    Int64 i64 => Int64 i64;
    Uint8 u8 => Int16 i16, Int32 i32, Int64 i64, Uint16 u16, Uint32 u32, Uint64 u64, Float32 f32, Float64 f64;
    Uint16 u16 => Int32 i32, Int64 i64, Uint32 u32, Uint64 u64, Float32 f32, Float64 f64;
    Uint32 u32 => Int64 i64, Uint32 u32, Uint64 u64, Float64 f64;
    Uint64 u64 => Uint64 u64;
}

fn convert<S: Widen<T> + OfBits, T: OfBits>(
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

impl Keyed {
    /// Returns the kernel of a cast; `None` if the target does not hold every value of the source, or if the map does not
    /// have exactly one entry.
    pub(super) fn of(cast: &CastSpec<'_>) -> Option<Self> {
        let [entry] = cast.map else {
            return None;
        };
        Some(Self {
            kernel: kernel(cast.from, cast.to)?,
            entry: (entry.input, entry.output),
        })
    }

    /// Converts a block.
    pub(super) fn run(&self, level: SimdLevel, source: &[u8], target: &mut [u8]) {
        (self.kernel)(level, self.entry, source, target);
    }
}
