//! Elements to streams.

use exactum_model::Zfp;

use super::bits::BitWriter;
use super::layout::Layout;
use super::planes;
use super::transform;
use super::word::{Scalar, Word};
use super::{Limits, per_pass, table};
use crate::arch::Transpose;

/// Writes blocks of elements that zfp itself has; whether all of them could be held.
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
    let order = table::<D>();
    let mut places = layout.places();
    let mut left = layout.blocks();
    let mut words = [S::Word::default(); 256];
    let words = &mut words[..(1 << (2 * D)).max(64)];
    while left > 0 {
        let count = left.min(per_pass::<D>());
        left -= count;
        for block in words.chunks_exact_mut(1 << (2 * D)).take(count) {
            let place = places
                .next()
                .unwrap_or_else(|| unreachable!("there is no end of them"));
            layout.gather::<S::Word, D>(&place, elements, block);
        }
        if codec.is_reversible() {
            reversible::<S, D, T>(arch, &limits, order, words, count, out);
        } else {
            if !lossy::<S, D, T>(arch, &limits, order, checked, words, count, out) {
                return false;
            }
        }
    }
    true
}

/// What a block begins with, and how many of its planes follow.
#[derive(Clone, Copy, Default)]
struct Head {
    code: u64,
    length: u32,
    precision: u32,
}

#[inline(always)]
fn lossy<S: Scalar, const D: usize, T: Transpose>(
    arch: T,
    limits: &Limits,
    order: &[u8],
    checked: bool,
    words: &mut [S::Word],
    count: usize,
    out: &mut BitWriter,
) -> bool {
    let mut heads = [Head::default(); 16];
    let mut fine = true;
    for (block, head) in words
        .chunks_exact_mut(1 << (2 * D))
        .zip(&mut heads)
        .take(count)
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
    if checked && !fine {
        return false;
    }
    transform::forward::<S::Word, D>(words, S::Word::lift);
    code::<S, D, T>(arch, limits, order, words, &heads[..count], out);
    true
}

#[inline(always)]
fn reversible<S: Scalar, const D: usize, T: Transpose>(
    arch: T,
    limits: &Limits,
    order: &[u8],
    words: &mut [S::Word],
    count: usize,
    out: &mut BitWriter,
) {
    let mut heads = [Head::default(); 16];
    // Whether a block has coefficients at all.
    let mut coded = [true; 16];
    let blocks = words
        .chunks_exact_mut(1 << (2 * D))
        .zip(&mut heads)
        .zip(&mut coded);
    for ((block, head), coded) in blocks.take(count) {
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
        if exactly::<S, D>(block, exponent::<S>(field)) {
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
    transform::forward::<S::Word, D>(words, S::Word::difference);
    let blocks = words.chunks_exact(1 << (2 * D)).zip(&mut heads).zip(coded);
    for ((block, head), coded) in blocks.take(count) {
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
    code::<S, D, T>(arch, limits, order, words, &heads[..count], out);
}

/// The exponent of a block whose largest magnitude has this field of its exponent: that of the least
/// power of two above it, but at least that of the smallest normal float.
#[inline(always)]
fn exponent<S: Scalar>(field: u64) -> i32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a field has 11 bits at most"
    )]
    let field = field as i32;
    field - S::BIAS + 1
}

/// Makes integers of the floats of a block, if they give them back to the last bit
/// (zfp.reversible.exact); else it leaves them as they are.
#[inline(always)]
fn exactly<S: Scalar, const D: usize>(block: &mut [S::Word], exponent: i32) -> bool {
    let scale = S::Word::BITS.cast_signed() - 2 - exponent;
    if scale > S::BIAS || exponent > S::BIAS + 1 {
        return false;
    }
    let mut integers = [S::Word::default(); 256];
    let integers = &mut integers[..1 << (2 * D)];
    integers.copy_from_slice(block);
    S::truncated(integers, exponent);
    let mut back = [S::Word::default(); 256];
    let back = &mut back[..1 << (2 * D)];
    back.copy_from_slice(integers);
    S::scaled(back, exponent);
    let same = back
        .iter()
        .zip(&*block)
        .fold(true, |same, (a, b)| same & (a == b));
    if same {
        block.copy_from_slice(integers);
    }
    same
}

/// Writes blocks of coefficients.
#[inline(always)]
fn code<S: Scalar, const D: usize, T: Transpose>(
    arch: T,
    limits: &Limits,
    order: &[u8],
    words: &[S::Word],
    heads: &[Head],
    out: &mut BitWriter,
) {
    let planes = |part: usize| {
        let mut ordered = [S::Word::default(); 64];
        for (word, &index) in ordered.iter_mut().zip(&order[64 * part..]) {
            *word = words[usize::from(index)].to_negabinary();
        }
        S::Word::planes(arch, &ordered)
    };
    let first = planes(0);
    let first = first.as_ref();
    for (head, shift) in heads.iter().zip((0..64).step_by(1 << (2 * D.min(3)))) {
        out.reserve(limits.room);
        let start = out.len();
        out.put(head.code, head.length);
        let end = start + u64::from(limits.max_bits);
        if head.precision > 0 {
            let lowest = S::Word::BITS.saturating_sub(head.precision);
            match D {
                1 => planes::encode::<4>(first, shift, lowest, end, out),
                2 => planes::encode::<16>(first, shift, lowest, end, out),
                3 => planes::encode::<64>(first, shift, lowest, end, out),
                _ => {
                    let others = [planes(1), planes(2), planes(3)];
                    let [second, third, fourth] = &others;
                    let parts = [first, second.as_ref(), third.as_ref(), fourth.as_ref()];
                    planes::encode_four(parts, lowest, end, out);
                }
            }
        }
        let least = start + u64::from(limits.min_bits);
        if out.len() < least {
            out.zeros(least - out.len());
        }
    }
}
