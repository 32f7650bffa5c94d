//! `scalar_map` beside the kernels: mapped elements are replaced by zeros, which every kernel accepts without
//! a flag, before a block is cast, and their outputs are inserted afterwards.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_lossless,
    reason = "keys and outputs are truncated to the width of their lanes, which they fit"
)]

use alloc::boxed::Box;
#[cfg(not(feature = "std"))]
use alloc::collections::BTreeMap as Outputs;
#[cfg(feature = "std")]
use std::collections::HashMap as Outputs;

use exactum_model::{CastSpec, DataType, Format, MapEntry};

use crate::arch::{Flags, Kernel, NO_FLAGS, SimdLevel};
use crate::lanes::{Lane, map_lanes};
use crate::{element_bits, set_element_bits};

/// The elements with `(bits & mask) - low <= span`, which expresses a key as a comparison of bits.
#[derive(Clone, Copy)]
struct Key {
    mask: u64,
    low: u64,
    span: u64,
}

impl Key {
    /// Returns the elements with the entry's value: any NaN matches a NaN, and the zeros match each other.
    fn of(format: &Format, entry: &MapEntry) -> Self {
        let exact = Self {
            mask: u64::MAX,
            low: entry.input,
            span: 0,
        };
        let Some(float) = format.float() else {
            return exact;
        };
        let mask = float.mask() ^ float.sign_mask();
        if float.is_nan(entry.input) {
            // In an IEEE format, the NaNs follow infinity.
            let low = float.infinity_bits().unwrap_or(mask) + 1;
            return Self {
                mask,
                low,
                span: mask - low,
            };
        }
        if float.is_zero(entry.input) {
            return Self {
                mask,
                low: 0,
                span: 0,
            };
        }
        exact
    }

    /// Returns whether the key is NaN and has several bit patterns under the mask. Every other key has one.
    fn is_nan(&self) -> bool {
        self.span > 0
    }
}

/// The number of entries that are compared with every element of a block.
const COMPARED: usize = 8;

/// The scalar map of a cast.
#[derive(Clone)]
pub(crate) struct Map {
    from: DataType,
    to: DataType,
    lookup: Lookup,
}

#[derive(Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "most maps have few entries, which then need no allocation"
)]
enum Lookup {
    /// Few entries, compared one by one; `count` of the keys and outputs are used.
    Compare {
        keys: [Key; COMPARED],
        outputs: [u64; COMPARED],
        count: usize,
    },
    /// Many entries, in a table.
    Table(Box<Table>),
}

impl Map {
    /// Returns the map of a cast, or `None` if it is empty.
    pub(super) fn of(cast: &CastSpec<'_>) -> Option<Self> {
        let first = cast.map.first()?;
        let format = cast.from.format();
        let lookup = if cast.map.len() <= COMPARED {
            let mut keys = [Key::of(&format, first); COMPARED];
            let mut outputs = [0; COMPARED];
            for ((key, output), entry) in keys.iter_mut().zip(&mut outputs).zip(cast.map) {
                *key = Key::of(&format, entry);
                *output = entry.output;
            }
            Lookup::Compare {
                keys,
                outputs,
                count: cast.map.len(),
            }
        } else {
            Lookup::Table(Table::of(format, cast.map))
        };
        Some(Self {
            from: cast.from,
            to: cast.to,
            lookup,
        })
    }

    /// Returns whether there is only one entry.
    pub(super) fn is_single(&self) -> bool {
        matches!(self.lookup, Lookup::Compare { count: 1, .. })
    }

    /// Copies a block, replacing mapped elements by zeros; returns whether there were any.
    pub(super) fn take_out(&self, level: SimdLevel, source: &[u8], target: &mut [u8]) -> bool {
        match &self.lookup {
            Lookup::Compare { keys, count, .. } => {
                let width = self.from.element_bytes();
                // A count without a separate kernel uses the next one: the array is padded with the first
                // key.
                let flags = match count {
                    1 if keys[0].is_nan() => take_out::<1, NAN>(level, width, keys, source, target),
                    1 => take_out::<1, ONE>(level, width, keys, source, target),
                    2..=4 => take_out::<4, ANY>(level, width, keys, source, target),
                    _ => take_out::<8, ANY>(level, width, keys, source, target),
                };
                flags != NO_FLAGS
            }
            Lookup::Table(table) => {
                target.copy_from_slice(source);
                let mut any = false;
                for index in 0..source.len() / self.from.element_bytes() {
                    let bits = element_bits(self.from, source, index);
                    if table.output(bits).is_some() {
                        any = true;
                        set_element_bits(self.from, target, index, 0);
                    }
                }
                any
            }
        }
    }

    /// Writes the outputs of the mapped elements of `source`.
    pub(super) fn put_in(&self, level: SimdLevel, source: &[u8], target: &mut [u8]) {
        match &self.lookup {
            Lookup::Compare {
                keys,
                outputs,
                count,
            } => {
                let widths = (self.from.element_bytes(), self.to.element_bytes());
                // The first of equal keys wins: it is written last.
                for (key, output) in keys.iter().zip(outputs).take(*count).rev() {
                    if key.is_nan() {
                        put_in::<NAN>(level, widths, *key, *output, source, target);
                    } else {
                        put_in::<ONE>(level, widths, *key, *output, source, target);
                    }
                }
            }
            Lookup::Table(table) => {
                for index in 0..source.len() / self.from.element_bytes() {
                    let bits = element_bits(self.from, source, index);
                    if let Some(output) = table.output(bits) {
                        set_element_bits(self.to, target, index, output);
                    }
                }
            }
        }
    }
}

/// A table of many entries by key. The cost of an element does not depend on their number, or on
/// their keys: the hash of the map is keyed at random. Without `std` no randomness is available, and keys are
/// ordered instead.
#[derive(Clone)]
struct Table {
    format: Format,
    /// A bit for every key, selected by the highest bits of a product: it excludes most elements that are not
    /// keys, unless there are too many keys.
    filter: [u64; 64],
    /// The outputs by key; equal keys are one entry.
    outputs: Outputs<u64, u64>,
}

impl Table {
    fn of(format: Format, entries: &[MapEntry]) -> Box<Self> {
        let mut table = Self {
            format,
            filter: [0; 64],
            outputs: Outputs::new(),
        };
        for entry in entries {
            let key = table.key(entry.input);
            let (word, bit) = slot(key);
            table.filter[word] |= bit;
            // The first of equal keys wins.
            table.outputs.entry(key).or_insert(entry.output);
        }
        Box::new(table)
    }

    /// Returns the bits of a value; equal values have the same.
    fn key(&self, bits: u64) -> u64 {
        match self.format.float() {
            Some(float) if float.is_nan(bits) => u64::MAX,
            Some(float) if float.is_zero(bits) => 0,
            _ => bits,
        }
    }

    fn output(&self, bits: u64) -> Option<u64> {
        let key = self.key(bits);
        let (word, bit) = slot(key);
        if self.filter[word] & bit == 0 {
            return None;
        }
        self.outputs.get(&key).copied()
    }
}

/// Returns the place of a key in the filter.
fn slot(key: u64) -> (usize, u64) {
    let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    // The highest bits are the best mixed.
    ((hash >> 58) as usize, 1 << ((hash >> 52) & 63))
}

/// A key in a lane.
#[derive(Clone, Copy)]
struct LaneKey<L> {
    mask: L,
    low: L,
    span: L,
}

/// Any key.
const ANY: u8 = 0;
/// A key that is one bit pattern under its mask.
const ONE: u8 = 1;
/// NaN, the largest bit patterns under its mask.
const NAN: u8 = 2;

/// Replaces elements that match one of the keys by zeros, and flags them. A single key is of a known kind.
struct TakeOut<L, const COUNT: usize, const KIND: u8>([LaneKey<L>; COUNT]);

/// Inserts the output for a key.
struct PutIn<L, T, const KIND: u8> {
    key: LaneKey<L>,
    output: T,
}

trait Bits: Lane {
    fn cut(bits: u64) -> Self;
}

// Vectors before AVX-512 compare signed numbers, and those of the baseline of x86-64 no integers of 64 bits at all.
macro_rules! bits {
    ($($lane:ty, |$key:ident, $bits:ident| $is_nan:expr;)*) => {$(
        impl Bits for $lane {
            #[inline(always)]
            fn cut(bits: u64) -> Self {
                bits as $lane
            }
        }

        impl LaneKey<$lane> {
            #[inline(always)]
            fn matches<const KIND: u8>(self, bits: $lane) -> bool {
                let ($key, $bits) = (self, bits);
                match KIND {
                    ONE => bits & self.mask == self.low,
                    NAN => $is_nan,
                    _ => (bits & self.mask).wrapping_sub(self.low) <= self.span,
                }
            }
        }

        impl<const COUNT: usize, const KIND: u8> Kernel for TakeOut<$lane, COUNT, KIND> {
            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                let keys = self.0;
                let mut any: $lane = 0;
                map_lanes(source, target, |bits: $lane| {
                    let mut hit = false;
                    for key in keys {
                        hit |= key.matches::<KIND>(bits);
                    }
                    any |= <$lane>::from(hit);
                    if hit { 0 } else { bits }
                });
                Flags::from(any != 0)
            }
        }

        impl<T: Bits, const KIND: u8> Kernel for PutIn<$lane, T, KIND> {
            #[inline(always)]
            fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
                let (key, output) = (self.key, self.output.store());
                for (to, from) in T::split_mut(target).iter_mut().zip(<$lane>::split(source)) {
                    let hit = key.matches::<KIND>(<$lane>::load(*from));
                    *to = if hit { output } else { *to };
                }
                NO_FLAGS
            }
        }
    )*};
}
bits! {
    u8, |key, bits| (bits & key.mask).cast_signed() >= key.low.cast_signed();
    u16, |key, bits| (bits & key.mask).cast_signed() >= key.low.cast_signed();
    u32, |key, bits| (bits & key.mask).cast_signed() >= key.low.cast_signed();
    u64, |_key, bits| f64::from_bits(bits).is_nan();
}

fn lane_key<L: Bits>(key: &Key) -> LaneKey<L> {
    LaneKey {
        mask: L::cut(key.mask),
        low: L::cut(key.low),
        span: L::cut(key.span),
    }
}

fn take_out<const COUNT: usize, const KIND: u8>(
    level: SimdLevel,
    width: usize,
    keys: &[Key; COMPARED],
    source: &[u8],
    target: &mut [u8],
) -> Flags {
    macro_rules! lane {
        ($lane:ty) => {{
            let keys = core::array::from_fn(|i| lane_key(&keys[i]));
            level.run(&TakeOut::<$lane, COUNT, KIND>(keys), source, target)
        }};
    }
    match width {
        1 => lane!(u8),
        2 => lane!(u16),
        4 => lane!(u32),
        _ => lane!(u64),
    }
}

fn put_in<const KIND: u8>(
    level: SimdLevel,
    widths: (usize, usize),
    key: Key,
    output: u64,
    source: &[u8],
    target: &mut [u8],
) {
    macro_rules! lanes {
        ($from:ty, $to:ty) => {{
            let kernel = PutIn::<$from, $to, KIND> {
                key: lane_key(&key),
                output: Bits::cut(output),
            };
            level.run(&kernel, source, target)
        }};
    }
    macro_rules! to {
        ($from:ty) => {
            match widths.1 {
                1 => lanes!($from, u8),
                2 => lanes!($from, u16),
                4 => lanes!($from, u32),
                _ => lanes!($from, u64),
            }
        };
    }
    match widths.0 {
        1 => to!(u8),
        2 => to!(u16),
        4 => to!(u32),
        _ => to!(u64),
    };
}
