//! The transforms of blocks: a function of four words in a row, along every dimension.

use super::word::Word;
use crate::arch::Transpose;

/// Applies a function to every four words in a row along x: squares of 4 by 4 words are turned, so that
/// the four are lanes side by side.
#[inline(always)]
fn along_x<W: Word, T: Transpose>(
    arch: T,
    words: &mut [W],
    transform: impl Fn([W; 4]) -> [W; 4] + Copy,
) {
    W::turn(arch, words.as_chunks_mut().0);
    along::<W, 4>(words, transform);
    W::turn(arch, words.as_chunks_mut().0);
}

/// Applies a function to every four words that lie `STRIDE` apart.
#[inline(always)]
fn along<W: Word, const STRIDE: usize>(
    words: &mut [W],
    transform: impl Fn([W; 4]) -> [W; 4] + Copy,
) {
    for group in words.chunks_exact_mut(4 * STRIDE) {
        let (x, rest) = group.split_at_mut(STRIDE);
        let (y, rest) = rest.split_at_mut(STRIDE);
        let (z, w) = rest.split_at_mut(STRIDE);
        for (((x, y), z), w) in x.iter_mut().zip(y).zip(z).zip(w) {
            [*x, *y, *z, *w] = transform([*x, *y, *z, *w]);
        }
    }
}

/// From integers to coefficients, along x first.
#[inline(always)]
pub(super) fn forward<W: Word, const D: usize, T: Transpose>(
    arch: T,
    words: &mut [W],
    transform: impl Fn([W; 4]) -> [W; 4] + Copy,
) {
    along_x(arch, words, transform);
    if D > 1 {
        along::<W, 4>(words, transform);
    }
    if D > 2 {
        along::<W, 16>(words, transform);
    }
    if D > 3 {
        along::<W, 64>(words, transform);
    }
}

/// From coefficients to integers, along x last.
#[inline(always)]
pub(super) fn inverse<W: Word, const D: usize, T: Transpose>(
    arch: T,
    words: &mut [W],
    transform: impl Fn([W; 4]) -> [W; 4] + Copy,
) {
    if D > 3 {
        along::<W, 64>(words, transform);
    }
    if D > 2 {
        along::<W, 16>(words, transform);
    }
    if D > 1 {
        along::<W, 4>(words, transform);
    }
    along_x(arch, words, transform);
}
