//! Converts elements to streams.

use exactum_model::Zfp;

use super::bits::{BitWriter, Cursor};
use super::layout::Layout;
use super::planes::{self, Encoder};
use super::transform::{self, Decorrelate, Difference};
use super::word::{Scalar, Word};
use super::{Limits, ORDER_4, order, per_pass};
use crate::arch::{Lanes, Transpose};

/// Writes blocks of elements of zfp's own types. Returns whether the codec can hold all of them.
///
/// Must be `#[inline(always)]`, so that it is compiled with the caller's target features.
#[inline(always)]
pub(super) fn blocks<S: Scalar, const D: usize, T: Transpose>(
    arch: T,
    codec: &Zfp,
    checked: bool,
    layout: &Layout,
    elements: &[u8],
    out: &mut BitWriter,
) -> bool {
    let limits = Limits::of::<S, D>(codec);
    let mut places = layout.places();
    let mut left = layout.blocks();
    let mut words = [[S::Word::default(); 64]; 4];
    let mut planes = [S::Word::NO_PLANES; 4];
    while left > 0 {
        let count = left.min(per_pass::<D>());
        left -= count;
        for block in pass::<S::Word, D>(&mut words)
            .as_flattened_mut()
            .chunks_exact_mut(1 << (2 * D))
            .take(count)
        {
            let place = places
                .next()
                .unwrap_or_else(|| unreachable!("the iterator never ends"));
            layout.gather::<S::Word, D>(&place, elements, block);
        }
        let pass = pass::<S::Word, D>(&mut words);
        let mut heads = [Head::default(); 16];
        let heads = &mut heads[..count];
        if codec.is_reversible() {
            reversible::<S, D, T>(arch, &limits, pass, heads);
        } else if !lossy::<S, D, T>(arch, &limits, pass, heads) && checked {
            return false;
        }
        code::<S, D, T>(arch, &limits, (&mut words, &mut planes), heads, out);
    }
    true
}

/// Returns the words of a pass.
#[inline(always)]
fn pass<W, const D: usize>(words: &mut [[W; 64]; 4]) -> &mut [[W; 64]] {
    &mut words[..if D > 3 { 4 } else { 1 }]
}

/// The words of a pass, and the memory for its planes.
type Slabs<'a, W> = (&'a mut [[W; 64]; 4], &'a mut [<W as Word>::Planes; 4]);

/// The header of a block, and the number of planes after it.
#[derive(Clone, Copy, Default)]
struct Head {
    code: u64,
    length: u32,
    precision: u32,
}

/// Transforms blocks, and makes a head for each. Returns whether all elements are finite.
#[inline(always)]
fn lossy<S: Scalar, const D: usize, T: Transpose>(
    arch: T,
    limits: &Limits,
    words: &mut [[S::Word; 64]],
    heads: &mut [Head],
) -> bool {
    let mut fine = true;
    for (block, head) in words
        .as_flattened_mut()
        .chunks_exact_mut(1 << (2 * D))
        .zip(heads)
    {
        let largest = S::largest(block);
        fine &= largest < S::NOT_FINITE;
        if S::EXPONENT_BITS == 0 {
            head.precision = limits.precision;
            continue;
        }
        let field = largest >> (S::Word::BITS - 1 - S::EXPONENT_BITS);
        let exponent = exponent::<S>(field);
        let precision = limits.float_precision::<D>(exponent);
        if largest != 0 && precision > 0 {
            *head = Head {
                code: 1 | (field + 1) << 1,
                length: 1 + S::EXPONENT_BITS,
                precision,
            };
        } else {
            head.length = 1;
        }
        S::truncated(block, exponent);
    }
    transform::forward::<S::Word, D, T>(arch, words, Decorrelate);
    fine
}

/// Transforms blocks so that they can be restored exactly, and makes a head for each.
#[inline(always)]
fn reversible<S: Scalar, const D: usize, T: Transpose>(
    arch: T,
    limits: &Limits,
    words: &mut [[S::Word; 64]],
    heads: &mut [Head],
) {
    // Whether each block has any coefficients.
    let mut coded = [true; 16];
    let blocks = words
        .as_flattened_mut()
        .chunks_exact_mut(1 << (2 * D))
        .zip(&mut *heads)
        .zip(&mut coded);
    for ((block, head), coded) in blocks {
        if S::EXPONENT_BITS == 0 {
            continue;
        }
        let any = block
            .iter()
            .fold(S::Word::default(), |any, &word| any.or(word));
        if any == S::Word::default() {
            head.length = 1;
            *coded = false;
            continue;
        }
        let field = S::largest(block) >> (S::Word::BITS - 1 - S::EXPONENT_BITS);
        if exactly::<S>(block, exponent::<S>(field)) {
            head.code = 0b01 | (field + 1) << 2;
            head.length = 2 + S::EXPONENT_BITS;
        } else {
            for word in &mut *block {
                *word = word.ordered();
            }
            head.code = 0b11;
            head.length = 2;
        }
    }
    transform::forward::<S::Word, D, T>(arch, words, Difference);
    let blocks = words
        .as_flattened()
        .chunks_exact(1 << (2 * D))
        .zip(heads)
        .zip(coded);
    for ((block, head), coded) in blocks {
        if !coded {
            continue;
        }
        let any = block
            .iter()
            .fold(S::Word::default(), |any, word| any.or(word.to_negabinary()));
        let used = S::Word::BITS - any.wide().trailing_zeros().min(S::Word::BITS);
        head.precision = used.clamp(1, limits.precision);
        head.code |= u64::from(head.precision - 1) << head.length;
        head.length += S::PRECISION_BITS;
    }
}

/// Returns the exponent of a block, given the exponent field of its largest magnitude: that of the least
/// power of two above it, but at least that of the smallest normal float.
#[inline(always)]
fn exponent<S: Scalar>(field: u64) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a field has at most 11 bits"
    )]
    let field = field as i32;
    field - S::BIAS + 1
}

/// Converts the floats of a block to integers if they can be restored exactly from these
/// (zfp.reversible.exact). Otherwise leaves them unchanged.
#[inline(always)]
fn exactly<S: Scalar>(block: &mut [S::Word], exponent: i32) -> bool {
    let scale = S::Word::BITS.cast_signed() - 2 - exponent;
    if scale > S::BIAS || exponent > S::BIAS + 1 {
        return false;
    }
    for some in block.chunks(16) {
        let mut back = [S::Word::default(); 16];
        let back = &mut back[..some.len()];
        back.copy_from_slice(some);
        S::truncated(back, exponent);
        S::scaled(back, exponent);
        let pairs = back.iter().zip(some);
        if !pairs.fold(true, |same, (a, b)| same & (a == b)) {
            return false;
        }
    }
    S::truncated(block, exponent);
    true
}

/// Writes blocks of coefficients.
#[inline(always)]
fn code<S: Scalar, const D: usize, T: Transpose>(
    arch: T,
    limits: &Limits,
    (words, planes): Slabs<'_, S::Word>,
    heads: &[Head],
    out: &mut BitWriter,
) {
    let most = heads.iter().map(|head| head.precision).max().unwrap_or(0);
    let lowest = S::Word::BITS.saturating_sub(most) as usize;
    let [first, ..] = words;
    let mut line = *first;
    if D == 1 {
        line.iter_mut()
            .for_each(|word| *word = word.to_negabinary());
    } else if D > 3 {
        S::Word::planes(arch, words, ORDER_4, lowest, planes);
    } else {
        let planes = planes.first_chunk_mut().expect("one of four");
        S::Word::planes(arch, &[*first], order::<D>(), lowest, planes);
    }
    let parts = planes.each_ref().map(AsRef::as_ref);
    let [planes, ..] = parts;
    for (index, head) in heads.iter().enumerate() {
        let mut cursor = out.cursor(limits.room);
        let start = cursor.len();
        cursor.put(head.code, head.length);
        let end = start + u64::from(limits.max_bits);
        let count = head.precision.min(S::Word::BITS);
        if D == 1 {
            let block = &line[4 * index..4 * index + 4];
            self::one::<S::Word, T>(arch, block, count, end, &mut cursor);
        } else if D == 2 {
            two(arch, planes, index, count, end, &mut cursor);
        } else if D == 3 {
            three(arch, planes, count, end, &mut cursor);
        } else {
            four(arch, parts, count, end, &mut cursor);
        }
        if cursor.len() > end {
            cursor.truncate(end);
        }
        let least = start + u64::from(limits.min_bits);
        if cursor.len() < least {
            cursor.zeros(least - cursor.len());
        }
        let end = cursor.end();
        out.keep(end);
    }
}

/// Writes the planes of four coefficients.
#[inline(always)]
fn one<W: Word, T: Transpose>(arch: T, block: &[W], count: u32, end: u64, out: &mut Cursor<'_>) {
    const FOURTHS: u64 = 0x1111_1111_1111_1111;
    if !T::MOVES_BITS {
        let reversed = |at: usize| (block[at].wide() << (64 - W::BITS)).reverse_bits();
        planes::put_line([0, 1, 2, 3].map(reversed), count, end, out);
        return;
    }
    let mut encoder = Encoder::<4>::new();
    for done in (0..count).step_by(16) {
        let lowest = W::BITS - 16 - done;
        let mut planes = 0;
        for (coefficient, word) in block.iter().enumerate() {
            planes |= arch.deposit(word.wide() >> lowest, FOURTHS << coefficient);
        }
        // Puts the highest plane first.
        let planes = planes.swap_bytes();
        let planes = planes >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (planes & 0x0f0f_0f0f_0f0f_0f0f) << 4;
        encoder.put(arch, planes, (count - done).min(16), out);
        if out.len() >= end {
            break;
        }
    }
}

/// Writes the planes of a block of 16 coefficients.
#[inline(always)]
fn two<T: Transpose>(
    arch: T,
    planes: &[u64],
    block: usize,
    count: u32,
    end: u64,
    out: &mut Cursor<'_>,
) {
    let mut encoder = Encoder::<16>::new();
    let mut left = count;
    for four in planes.rchunks_exact(4) {
        if left == 0 || out.len() >= end {
            break;
        }
        let lane = |plane: usize| four[plane] >> (16 * block) & 0xffff;
        let lanes = lane(3) | lane(2) << 16 | lane(1) << 32 | lane(0) << 48;
        encoder.put(arch, lanes, left.min(4), out);
        left -= left.min(4);
    }
}

/// Writes the planes of a block of 64 coefficients.
#[inline(always)]
fn three<T: Transpose>(arch: T, planes: &[u64], count: u32, end: u64, out: &mut Cursor<'_>) {
    let mut encoder = Encoder::<64>::new();
    let lowest = planes.len() - count as usize;
    let highest = without_empty(lowest, planes.len(), |plane| planes[plane] == 0, out);
    for plane in planes[lowest..highest].iter().rev() {
        if out.len() >= end {
            break;
        }
        encoder.put(arch, *plane, 1, out);
    }
}

/// Writes the planes of a block of 256 coefficients, 64 of them in each part.
#[inline(always)]
fn four<T: Transpose>(arch: T, parts: [&[u64]; 4], count: u32, end: u64, out: &mut Cursor<'_>) {
    let [a, b, c, d] = parts;
    let lowest = a.len() - count as usize;
    let is_empty = |plane: usize| a[plane] | b[plane] | c[plane] | d[plane] == 0;
    let highest = without_empty(lowest, a.len(), is_empty, out);
    let mut significant = [0; 4];
    for plane in (lowest..highest).rev() {
        if out.len() >= end {
            break;
        }
        let plane = [a[plane], b[plane], c[plane], d[plane]];
        planes::put_four(arch, plane, &mut significant, out);
    }
}

/// Writes a zero for each empty plane at the top, and returns the number of planes below them, counted from
/// the lowest plane of the word.
#[inline(always)]
fn without_empty(
    lowest: usize,
    all: usize,
    is_empty: impl Fn(usize) -> bool,
    out: &mut Cursor<'_>,
) -> usize {
    let mut highest = all;
    while highest > lowest && is_empty(highest - 1) {
        highest -= 1;
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most 64 planes")]
    out.put(0, (all - highest) as u32);
    highest
}
