//! Streams to elements.

use exactum_model::Zfp;

use super::bits::BitReader;
use super::layout::Layout;
use super::planes;
use super::transform;
use super::word::{Scalar, Word};
use super::{Limits, per_pass, table};
use crate::arch::Transpose;

/// How the integers of a block become its elements.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    /// All of them are zeros.
    #[default]
    Zeros,
    /// They are the elements.
    Integers,
    /// They are the bits of floats, in order.
    Bits,
    /// They are multiplied by a power of two.
    Scaled(i32),
}

/// Reads blocks into elements.
///
/// Must be `#[inline(always)]`, so that it is compiled with the caller's target features.
#[inline(always)]
pub(super) fn blocks<S: Scalar, const D: usize, T: Transpose>(
    arch: T,
    codec: &Zfp,
    layout: &Layout,
    mut bits: BitReader<'_>,
    elements: &mut [u8],
) {
    let limits = Limits::of::<S, D>(codec);
    let order = table::<D>();
    let reversible = codec.is_reversible();
    let mut places = layout.places();
    let mut left = layout.blocks();
    let mut words = [S::Word::default(); 256];
    let words = &mut words[..(1 << (2 * D)).max(64)];
    while left > 0 {
        let count = left.min(per_pass::<D>());
        left -= count;
        let mut parts = [S::Word::NO_PLANES; 4];
        let mut kinds = [Kind::Zeros; 16];
        for (kind, shift) in kinds
            .iter_mut()
            .zip((0..64).step_by(1 << (2 * D.min(3))))
            .take(count)
        {
            let start = bits.position();
            let end = start + u64::from(limits.max_bits);
            let precision;
            (*kind, precision) = head::<S, D>(&limits, reversible, &mut bits);
            if *kind != Kind::Zeros {
                let lowest = S::Word::BITS.saturating_sub(precision);
                match D {
                    1 => planes::decode::<4>(parts[0].as_mut(), shift, lowest, end, &mut bits),
                    2 => planes::decode::<16>(parts[0].as_mut(), shift, lowest, end, &mut bits),
                    3 => planes::decode::<64>(parts[0].as_mut(), shift, lowest, end, &mut bits),
                    _ => {
                        let parts = parts.each_mut().map(AsMut::as_mut);
                        planes::decode_four(parts, lowest, end, &mut bits);
                    }
                }
            }
            bits.skip_to(start + u64::from(limits.min_bits));
        }
        for (part, indices) in parts.iter().zip(order.chunks_exact(64)) {
            let mut ordered = [S::Word::default(); 64];
            S::Word::words(arch, part, &mut ordered);
            for (word, &index) in ordered.iter().zip(indices) {
                words[usize::from(index)] = word.of_negabinary();
            }
        }
        if reversible {
            transform::inverse::<S::Word, D>(words, S::Word::accumulate);
        } else {
            transform::inverse::<S::Word, D>(words, S::Word::unlift);
        }
        for (block, kind) in words.chunks_exact_mut(1 << (2 * D)).zip(kinds).take(count) {
            match kind {
                Kind::Integers => {}
                Kind::Zeros => block.fill(S::Word::default()),
                Kind::Bits => block.iter_mut().for_each(|word| *word = word.ordered()),
                Kind::Scaled(exponent) => S::scaled(block, exponent),
            }
            let place = places
                .next()
                .unwrap_or_else(|| unreachable!("there is no end of them"));
            layout.scatter::<S::Word, D>(&place, block, elements);
        }
    }
}

/// What a block is, and how many planes of it follow.
#[inline(always)]
fn head<S: Scalar, const D: usize>(
    limits: &Limits,
    reversible: bool,
    bits: &mut BitReader<'_>,
) -> (Kind, u32) {
    let mut kind = Kind::Integers;
    let mut precision = limits.precision;
    if S::EXPONENT_BITS > 0 {
        if bits.take(1) == 0 {
            return (Kind::Zeros, 0);
        }
        if reversible && bits.take(1) == 1 {
            kind = Kind::Bits;
        } else {
            #[expect(clippy::cast_possible_truncation, reason = "11 bits at most")]
            let exponent = bits.take(S::EXPONENT_BITS) as i32 - S::BIAS;
            precision = limits.float_precision::<D>(exponent);
            kind = Kind::Scaled(exponent);
        }
    }
    if reversible {
        #[expect(clippy::cast_possible_truncation, reason = "6 bits at most")]
        let planes = bits.take(S::PRECISION_BITS) as u32 + 1;
        precision = planes;
    }
    (kind, precision)
}
