//! Blocks of two elements in each of one, two or four rows, without gaps: what halves an image or a
//! volume.

use super::blocks::Strip;
use crate::arch::{Flags, Kernel, Level, NO_FLAGS, prefetch};
use crate::lanes::Lane;

/// Blocks that are made at a time. Their number is known to the compiler, so that it makes whole
/// vectors of them and nothing remains.
pub(super) const CHUNK: usize = 64;

/// How far ahead memory is asked for, in bytes: rows of two planes are more than the processor
/// foresees by itself.
const AHEAD: usize = 4096;

/// What makes results of such blocks.
pub(super) trait Halving {
    /// The elements.
    type Element: Lane;

    /// Makes the results of no more than [`CHUNK`] blocks: the first of the first two elements of
    /// every row, and so on. Must be `#[inline(always)]`, so that it is compiled with the caller's
    /// target features.
    fn halve<const ROWS: usize>(
        &self,
        rows: [&[u8]; ROWS],
        results: &mut [<Self::Element as Lane>::Bytes],
    );
}

/// Reduces a strip of such blocks; says whether it is one.
pub(super) fn halve<H: Halving>(
    level: Level,
    halving: &H,
    strip: &Strip<'_>,
    data: &[u8],
    target: &mut [u8],
) -> bool {
    fn lines<H: Halving, const ROWS: usize>(
        level: Level,
        halving: &H,
        strip: &Strip<'_>,
        data: &[u8],
        target: &mut [u8],
    ) -> bool {
        let starts = strip.starts::<ROWS>();
        let lines = starts.map(|starts| Lines {
            halving,
            strip,
            starts,
        });
        lines.is_some_and(|lines| level.run(&lines, data, target) == NO_FLAGS)
    }
    let size = size_of::<<H::Element as Lane>::Bytes>();
    strip.is_dense(size)
        && strip.width == 2
        && (lines::<H, 4>(level, halving, strip, data, target)
            || lines::<H, 2>(level, halving, strip, data, target)
            || lines::<H, 1>(level, halving, strip, data, target))
}

/// All lines of a strip, with the places of the rows of the first.
struct Lines<'a, H, const ROWS: usize> {
    halving: &'a H,
    strip: &'a Strip<'a>,
    starts: [usize; ROWS],
}

impl<H: Halving, const ROWS: usize> Kernel for Lines<'_, H, ROWS> {
    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        let size = size_of::<<H::Element as Lane>::Bytes>();
        let bytes = target.len() / self.strip.lines;
        for (line, target) in target.chunks_exact_mut(bytes).enumerate() {
            let mut rows: [&[u8]; ROWS] = [&[]; ROWS];
            let mut next: [&[u8]; ROWS] = [&[]; ROWS];
            for ((row, next), start) in rows.iter_mut().zip(&mut next).zip(self.starts) {
                let from = &source[start + line * self.strip.apart..];
                *row = &from[..2 * bytes];
                *next = from.get(AHEAD..AHEAD + 2 * bytes).unwrap_or_default();
            }
            let (chunks, rest) = H::Element::split_mut(target).as_chunks_mut::<CHUNK>();
            for chunk in chunks {
                let mut some: [&[u8]; ROWS] = [&[]; ROWS];
                for ((some, row), next) in some.iter_mut().zip(&mut rows).zip(&mut next) {
                    (*some, *row) = row.split_at(2 * CHUNK * size);
                    if let Some((soon, later)) = next.split_at_checked(2 * CHUNK * size) {
                        prefetch(soon);
                        *next = later;
                    }
                }
                self.halving.halve(some, chunk);
            }
            if !rest.is_empty() {
                self.halving.halve(rows, rest);
            }
        }
        NO_FLAGS
    }
}
