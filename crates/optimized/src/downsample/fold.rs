//! Methods that process a block element by element: mean, min and max.

use core::hint::select_unpredictable as select;
use core::marker::PhantomData;

use exactum_model::{DataType, Format};

use super::blocks::{Blocks, Strip};
use super::keys::{Extreme, Keys, Unsigned, Whole};
use super::pairs::{self, CHUNK, Halving};
use crate::arch::{Flags, Kernel, NO_FLAGS, SimdLevel};
use crate::lanes::Lane;

/// The number of elements of a strip that are reduced at a time, so that their sums stay in the first-level
/// cache.
const TILE: usize = 512;

/// One step in the reduction of a block.
pub(super) trait Fold: Copy {
    /// The types of elements and results.
    type Element: Lane;
    /// The state after the elements so far.
    type Sum: Copy;

    /// Returns the state before the first element.
    fn start(&self) -> Self::Sum;

    /// Returns the state after one more element.
    fn step(&self, sum: Self::Sum, element: Self::Element) -> Self::Sum;

    /// Returns the result of `count` elements.
    fn finish(&self, sum: Self::Sum, count: u64) -> Self::Element;

    /// Halves blocks like [`Halving::halve`].
    #[inline(always)]
    fn halve<const ROWS: usize>(
        &self,
        rows: [&[u8]; ROWS],
        results: &mut [<Self::Element as Lane>::Bytes],
    ) {
        halve(self, rows, results);
    }
}

/// Reduces blocks of two elements in each row, step by step.
#[inline(always)]
pub(super) fn halve<F: Fold, const ROWS: usize>(
    fold: &F,
    rows: [&[u8]; ROWS],
    results: &mut [<F::Element as Lane>::Bytes],
) {
    let rows = rows.map(|row| &F::Element::split(row).as_chunks::<2>().0[..results.len()]);
    for (index, result) in results.iter_mut().enumerate() {
        let mut sum = fold.start();
        for row in rows {
            let pair = row[index];
            sum = fold.step(sum, F::Element::load(pair[0]));
            sum = fold.step(sum, F::Element::load(pair[1]));
        }
        *result = fold.finish(sum, 2 * ROWS as u64).store();
    }
}

/// A fold of blocks of two.
struct Pairs<F>(F);

impl<F: Fold> Halving for Pairs<F> {
    type Element = F::Element;

    #[inline(always)]
    fn halve<const ROWS: usize>(
        &self,
        rows: [&[u8]; ROWS],
        results: &mut [<F::Element as Lane>::Bytes],
    ) {
        self.0.halve(rows, results);
    }
}

/// Reduces blocks in `data` to `output`.
pub(super) fn fold<F: Fold>(
    level: SimdLevel,
    fold: F,
    blocks: &Blocks,
    data: &[u8],
    output: &mut [u8],
) {
    let pairs = Pairs(fold);
    blocks.strips(TILE, output, &mut |strip, target| {
        if !pairs::halve(level, &pairs, strip, data, target) {
            strip.each_line(target, &mut |strip, target| {
                level.run(&Tile { fold, strip }, data, target);
            });
        }
    });
}

/// Reduces a strip of at most [`TILE`] elements.
struct Tile<'a, F> {
    fold: F,
    strip: &'a Strip<'a>,
}

impl<F: Fold> Kernel for Tile<'_, F> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let strip = self.strip;
        let target = F::Element::split_mut(target);
        let mut sums = [self.fold.start(); TILE];
        let sums = &mut sums[..target.len()];
        let dense = strip.is_dense(size_of::<<F::Element as Lane>::Bytes>());
        strip.each_row(|start| {
            let row = &source[start..];
            match (dense, strip.width) {
                (true, 1) => self.dense::<1>(row, sums),
                (true, 2) => self.dense::<2>(row, sums),
                (true, 3) => self.dense::<3>(row, sums),
                (true, 4) => self.dense::<4>(row, sums),
                (true, width) => {
                    let blocks = F::Element::split(row).chunks_exact(width);
                    for (sum, block) in sums.iter_mut().zip(blocks) {
                        self.add(sum, block);
                    }
                }
                (false, _) => self.runs(row, sums),
            }
        });
        for (result, sum) in target.iter_mut().zip(sums) {
            *result = self.fold.finish(*sum, strip.elements()).store();
        }
        NO_FLAGS
    }
}

impl<F: Fold> Tile<'_, F> {
    #[inline(always)]
    fn add(&self, sum: &mut F::Sum, block: &[<F::Element as Lane>::Bytes]) {
        let mut total = *sum;
        for element in block {
            total = self.fold.step(total, F::Element::load(*element));
        }
        *sum = total;
    }

    #[inline(always)]
    fn dense<const WIDTH: usize>(&self, row: &[u8], sums: &mut [F::Sum]) {
        let blocks = F::Element::split(row).as_chunks::<WIDTH>().0;
        for (sum, block) in sums.iter_mut().zip(blocks) {
            self.add(sum, block);
        }
    }

    /// Reduces runs of elements, each of which belongs to a different block.
    #[inline(always)]
    fn runs(&self, row: &[u8], sums: &mut [F::Sum]) {
        let (width, step) = (self.strip.width, self.strip.step);
        for (block, sums) in sums.chunks_exact_mut(self.strip.run).enumerate() {
            for index in block * width..(block + 1) * width {
                let elements = F::Element::split(&row[index * step..]);
                for (sum, element) in sums.iter_mut().zip(elements) {
                    *sum = self.fold.step(*sum, F::Element::load(*element));
                }
            }
        }
    }
}

/// The smallest key.
#[derive(Clone, Copy)]
pub(super) struct Least<K>(pub(super) K);

impl<K: Keys> Fold for Least<K> {
    type Element = K::Key;
    type Sum = K::Key;

    #[inline(always)]
    fn start(&self) -> K::Key {
        K::Key::MAX
    }

    #[inline(always)]
    fn step(&self, sum: K::Key, element: K::Key) -> K::Key {
        sum.min(self.0.key(element))
    }

    #[inline(always)]
    fn finish(&self, sum: K::Key, _: u64) -> K::Key {
        self.0.element(sum)
    }

    /// Combines the rows first, because neighbouring elements then stay in their lanes.
    #[inline(always)]
    fn halve<const ROWS: usize>(
        &self,
        rows: [&[u8]; ROWS],
        results: &mut [<K::Key as Lane>::Bytes],
    ) {
        let mut least = [K::Key::MAX; 2 * CHUNK];
        let least = &mut least[..2 * results.len()];
        let rows = rows.map(|row| &K::Key::split(row)[..least.len()]);
        for (index, least) in least.iter_mut().enumerate() {
            for row in rows {
                *least = self.step(*least, K::Key::load(row[index]));
            }
        }
        for (result, pair) in results.iter_mut().zip(least.as_chunks::<2>().0) {
            *result = self.0.element(pair[0].min(pair[1])).store();
        }
    }
}

/// The smallest number, or the largest one, by the processor's comparisons.
#[derive(Clone, Copy)]
struct Bounds<T>(bool, PhantomData<T>);

/// The smallest and the largest number so far, ignoring NaN, and the smallest bits.
#[derive(Clone, Copy)]
struct Seen<T, U> {
    low: T,
    high: T,
    bits: U,
}

macro_rules! bounds {
    ($($lane:ident: $bits:ident, $nan:literal;)*) => {$(
        impl Fold for Bounds<$lane> {
            type Element = $lane;
            type Sum = Seen<$lane, $bits>;

            #[inline(always)]
            fn start(&self) -> Self::Sum {
                Seen {
                    low: $lane::INFINITY,
                    high: $lane::NEG_INFINITY,
                    bits: $bits::MAX,
                }
            }

            #[inline(always)]
            fn step(&self, seen: Self::Sum, element: $lane) -> Self::Sum {
                Seen {
                    low: if element < seen.low { element } else { seen.low },
                    high: if element > seen.high { element } else { seen.high },
                    bits: seen.bits.min(element.to_bits()),
                }
            }

            #[inline(always)]
            fn finish(&self, seen: Self::Sum, _: u64) -> $lane {
                let result = select(self.0, seen.high, seen.low);
                let result = signed(result, seen.bits == 0);
                // All elements were NaN.
                select(seen.low > seen.high, $lane::from_bits($nan), result)
            }

            /// Folds only one end. If the result equals the start value, all elements may have been NaN.
            /// Because this is rare, all elements are then examined again.
            #[inline(always)]
            fn halve<const ROWS: usize>(
                &self,
                rows: [&[u8]; ROWS],
                results: &mut [<$lane as Lane>::Bytes],
            ) {
                let start = self.start();
                let unclear = if self.0 {
                    Self::end(start.high, |element, far| element > far, rows, results)
                } else {
                    Self::end(start.low, |element, far| element < far, rows, results)
                };
                if unclear {
                    halve(self, rows, results);
                }
            }
        }

        impl Bounds<$lane> {
            /// Combines the rows first, as for keys. Returns whether any block lacks a result.
            #[inline(always)]
            fn end<const ROWS: usize>(
                nothing: $lane,
                beyond: impl Fn($lane, $lane) -> bool,
                rows: [&[u8]; ROWS],
                results: &mut [<$lane as Lane>::Bytes],
            ) -> bool {
                let (mut ends, mut least) = ([nothing; 2 * CHUNK], [$bits::MAX; 2 * CHUNK]);
                let count = 2 * results.len();
                let (ends, least) = (&mut ends[..count], &mut least[..count]);
                let rows = rows.map(|row| &$lane::split(row)[..count]);
                // A comparison with NaN is false.
                let further = |element, far| if beyond(element, far) { element } else { far };
                for index in 0..count {
                    let (mut far, mut bits) = (nothing, $bits::MAX);
                    for row in rows {
                        let element = $lane::load(row[index]);
                        far = further(element, far);
                        bits = bits.min(element.to_bits());
                    }
                    (ends[index], least[index]) = (far, bits);
                }
                let pairs = ends.as_chunks::<2>().0.iter().zip(least.as_chunks::<2>().0);
                let mut unclear = 0;
                for (result, (end, bits)) in results.iter_mut().zip(pairs) {
                    let far = further(end[1], end[0]);
                    unclear |= $bits::from(far == nothing);
                    *result = signed(far, bits[0].min(bits[1]) == 0).store();
                }
                unclear != 0
            }
        }
    )*};
}

/// Returns a result. If it is zero, it is -0, unless one of the zeros is +0.
#[inline(always)]
fn signed<T: Copy + Default + PartialEq + core::ops::Neg<Output = T>>(result: T, plain: bool) -> T {
    let zero = select(plain, T::default(), -T::default());
    select(result == T::default(), zero, result)
}

bounds! {
    f32: u32, 0x7fc0_0000;
    f64: u64, 0x7ff8_0000_0000_0000;
}

/// Computes the smallest or the largest element of each block.
pub(super) fn extreme(
    level: SimdLevel,
    blocks: &Blocks,
    largest: bool,
    data: &[u8],
    output: &mut [u8],
) {
    fn of<U: Unsigned>(
        level: SimdLevel,
        blocks: &Blocks,
        largest: bool,
        data: &[u8],
        output: &mut [u8],
    ) {
        match blocks.data_type.format() {
            Format::Float(format) | Format::Complex(format) => {
                let keys = Extreme::<U>::new(&format, largest);
                fold(level, Least(keys), blocks, data, output);
            }
            format => {
                let keys = Whole::<U>::new(&format, largest);
                fold(level, Least(keys), blocks, data, output);
            }
        }
    }
    match blocks.data_type {
        DataType::Float32 => {
            let bounds = Bounds::<f32>(largest, PhantomData);
            return fold(level, bounds, blocks, data, output);
        }
        DataType::Float64 => {
            let bounds = Bounds::<f64>(largest, PhantomData);
            return fold(level, bounds, blocks, data, output);
        }
        _ => {}
    }
    match blocks.data_type.format().component_bytes() {
        1 => of::<u8>(level, blocks, largest, data, output),
        2 => of::<u16>(level, blocks, largest, data, output),
        4 => of::<u32>(level, blocks, largest, data, output),
        _ => of::<u64>(level, blocks, largest, data, output),
    }
}
