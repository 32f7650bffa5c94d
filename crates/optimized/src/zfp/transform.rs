//! The transforms of blocks: a function of four words in a row, along every dimension.

use super::word::Word;

/// Applies a function to every four words in a row along x; whole squares of 4 by 4 at a time where
/// there are such, so that the four are lanes side by side.
#[inline(always)]
fn along_x<W: Word>(words: &mut [W], transform: impl Fn([W; 4]) -> [W; 4] + Copy) {
    for square in words.as_chunks_mut::<16>().0 {
        let mut lines: [[W; 4]; 4] = turned(&rows(square));
        lines = lanes(lines, transform);
        let lines = turned(&lines);
        for (row, line) in square.as_chunks_mut::<4>().0.iter_mut().zip(lines) {
            *row = line;
        }
    }
}

fn rows<W: Word>(square: &[W; 16]) -> [[W; 4]; 4] {
    std::array::from_fn(|row| std::array::from_fn(|column| square[4 * row + column]))
}

#[inline(always)]
fn turned<W: Word>(square: &[[W; 4]; 4]) -> [[W; 4]; 4] {
    std::array::from_fn(|row| std::array::from_fn(|column| square[column][row]))
}

#[inline(always)]
fn lanes<W: Word>([x, y, z, w]: [[W; 4]; 4], transform: impl Fn([W; 4]) -> [W; 4]) -> [[W; 4]; 4] {
    let mut out = [[W::default(); 4]; 4];
    for lane in 0..4 {
        let line = transform([x[lane], y[lane], z[lane], w[lane]]);
        for (row, value) in out.iter_mut().zip(line) {
            row[lane] = value;
        }
    }
    out
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
pub(super) fn forward<W: Word, const D: usize>(
    words: &mut [W],
    transform: impl Fn([W; 4]) -> [W; 4] + Copy,
) {
    along_x(words, transform);
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
pub(super) fn inverse<W: Word, const D: usize>(
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
    along_x(words, transform);
}
