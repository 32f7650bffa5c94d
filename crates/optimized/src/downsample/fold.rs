//! Methods that go through a block element by element: mean, min and max.

use exactum_model::Format;

use super::blocks::{Blocks, Strip};
use super::keys::{Extreme, Keys, Unsigned, Whole};
use crate::arch::{Flags, Kernel, Level, NO_FLAGS};
use crate::lanes::Lane;

/// Elements of a strip that are reduced at a time: their sums stay in the nearest cache.
const TILE: usize = 512;

/// One step of the way through a block.
pub(super) trait Fold: Copy {
    /// What a block holds, and what is made of it.
    type Element: Lane;
    /// What is known of the elements so far.
    type Sum: Copy;

    /// What is known of no element.
    fn start(&self) -> Self::Sum;

    /// What is known with one more.
    fn step(&self, sum: Self::Sum, element: Self::Element) -> Self::Sum;

    /// The result of `count` elements.
    fn finish(&self, sum: Self::Sum, count: u64) -> Self::Element;
}

/// Reduces blocks in `data` to `output`.
pub(super) fn fold<F: Fold>(
    level: Level,
    fold: F,
    blocks: &Blocks,
    data: &[u8],
    output: &mut [u8],
) {
    let size = size_of::<<F::Element as Lane>::Bytes>();
    blocks.strips(TILE, output, |strip, target| {
        if strip.is_dense(size) && strip.width == 2 {
            if let Some(starts) = strip.starts::<4>() {
                level.run(&Pairs { fold, starts }, data, target);
                return;
            }
            if let Some(starts) = strip.starts::<2>() {
                level.run(&Pairs { fold, starts }, data, target);
                return;
            }
        }
        level.run(&Tile { fold, strip }, data, target);
    });
}

/// Blocks of two elements in each of some rows, without gaps.
struct Pairs<F, const ROWS: usize> {
    fold: F,
    starts: [usize; ROWS],
}

impl<F: Fold, const ROWS: usize> Kernel for Pairs<F, ROWS> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let target = F::Element::split_mut(target);
        let count = target.len();
        let rows = self.starts.map(|start| {
            let pairs = F::Element::split(&source[start..]).as_chunks::<2>().0;
            &pairs[..count]
        });
        for (index, result) in target.iter_mut().enumerate() {
            let mut sum = self.fold.start();
            for row in rows {
                sum = self.fold.step(sum, F::Element::load(row[index][0]));
                sum = self.fold.step(sum, F::Element::load(row[index][1]));
            }
            *result = self.fold.finish(sum, 2 * ROWS as u64).store();
        }
        NO_FLAGS
    }
}

/// Any strip of no more than [`TILE`] elements.
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

    /// Runs of elements, each of a block of its own.
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
struct Least<K>(K);

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
}

/// The smallest element of each block, or the largest one.
pub(super) fn extreme(
    level: Level,
    blocks: &Blocks,
    largest: bool,
    data: &[u8],
    output: &mut [u8],
) {
    fn of<U: Unsigned>(
        level: Level,
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
    match blocks.data_type.format().component_bytes() {
        1 => of::<u8>(level, blocks, largest, data, output),
        2 => of::<u16>(level, blocks, largest, data, output),
        4 => of::<u32>(level, blocks, largest, data, output),
        _ => of::<u64>(level, blocks, largest, data, output),
    }
}
