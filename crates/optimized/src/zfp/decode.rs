//! Converts streams to elements.

use exactum_model::Zfp;

use super::bits::BitReader;
use super::layout::Layout;
use super::planes;
use super::transform::{self, Accumulate, Recorrelate};
use super::word::{Scalar, Word};
use super::{Limits, ORDER_4, order, per_pass};
use crate::arch::Transpose;

/// The interpretation of the integers of a block.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    /// All of them are zeros.
    #[default]
    Zeros,
    /// The integers are the elements.
    Integers,
    /// The integers are the bits of floats, in order.
    Bits,
    /// The integers are multiplied by a power of two.
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
    let reversible = codec.is_reversible();
    let mut places = layout.places();
    let mut left = layout.blocks();
    let mut pass = Pass::<S::Word> {
        all: [[S::Word::default(); 64]; 4],
        one: [S::Word::NO_PLANES],
        four: [S::Word::NO_PLANES; 4],
    };
    while left > 0 {
        let count = left.min(per_pass::<D>());
        left -= count;
        if D > 3 {
            pass.four = [S::Word::NO_PLANES; 4];
        } else {
            pass.one = [S::Word::NO_PLANES];
        }
        let mut kinds = [Kind::Zeros; 16];
        for (kind, shift) in kinds
            .iter_mut()
            .zip((0..64u32).step_by(1 << (2 * D.min(3))))
            .take(count)
        {
            let start = bits.position();
            let end = start + u64::from(limits.max_bits);
            let precision;
            (*kind, precision) = head::<S, D>(&limits, reversible, &mut bits);
            if *kind != Kind::Zeros {
                let lowest = S::Word::BITS.saturating_sub(precision);
                pass.block::<D, T>(arch, shift, lowest, end, &mut bits);
            } else if D == 1 {
                pass.all[0][shift as usize..shift as usize + 4].fill(S::Word::default());
            }
            let least = start + u64::from(limits.min_bits);
            if bits.position() < least {
                bits.seek(least);
            }
        }
        let words = pass.words::<D, T>(arch);
        if reversible {
            transform::inverse::<S::Word, D, T>(arch, words, Accumulate);
        } else {
            transform::inverse::<S::Word, D, T>(arch, words, Recorrelate);
        }
        let blocks = words.as_flattened_mut().chunks_exact_mut(1 << (2 * D));
        for (block, kind) in blocks.zip(kinds).take(count) {
            match kind {
                Kind::Integers => {}
                Kind::Zeros => block.fill(S::Word::default()),
                Kind::Bits => block.iter_mut().for_each(|word| *word = word.ordered()),
                // No encoder writes this exponent; zfp reads zeros without a sign (zfp.reversible.float).
                Kind::Scaled(exponent) if reversible && exponent == -S::BIAS => {
                    block.fill(S::Word::default());
                }
                Kind::Scaled(exponent) => S::scaled(block, exponent),
            }
            let place = places
                .next()
                .unwrap_or_else(|| unreachable!("the iterator never ends"));
            layout.scatter::<S::Word, D>(&place, block, elements);
        }
    }
}

/// The blocks that are read together.
struct Pass<W: Word> {
    /// The words, 64 for each part. Those of one-dimensional blocks are computed block by block.
    all: [[W; 64]; 4],
    /// The planes of two- and three-dimensional blocks.
    one: [W::Planes; 1],
    /// The planes of four-dimensional blocks.
    four: [W::Planes; 4],
}

impl<W: Word> Pass<W> {
    /// Reads the planes of a block, whose first coefficient is at `shift`, down to the lowest one.
    #[inline(always)]
    fn block<const D: usize, T: Transpose>(
        &mut self,
        arch: T,
        shift: u32,
        lowest: u32,
        end: u64,
        bits: &mut BitReader<'_>,
    ) {
        let one = self.one[0].as_mut();
        match D {
            1 => {
                let line = planes::decode_line(arch, W::BITS - lowest, end, bits);
                let block = &mut self.all[0][shift as usize..shift as usize + 4];
                four::<W, T>(arch, &line, block);
            }
            2 => planes::decode::<16, T>(arch, one, shift, lowest, end, bits),
            3 => planes::decode::<64, T>(arch, one, 0, lowest, end, bits),
            _ => {
                let parts = self.four.each_mut().map(AsMut::as_mut);
                planes::decode_four(arch, parts, lowest, end, bits);
            }
        }
    }

    /// Returns the words of all blocks.
    #[inline(always)]
    fn words<const D: usize, T: Transpose>(&mut self, arch: T) -> &mut [[W; 64]] {
        if D > 3 {
            W::words(arch, &self.four, ORDER_4, &mut self.all);
            return &mut self.all;
        }
        let slab = &mut self.all[..1];
        if D > 1 {
            let slab = slab.first_chunk_mut::<1>().expect("a slab");
            W::words(arch, &self.one, order::<D>(), slab);
        } else {
            let words = slab.as_flattened_mut().iter_mut();
            words.for_each(|word| *word = word.of_negabinary());
        }
        slab
    }
}

/// Reads the kind of a block, and the number of its planes.
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
            #[expect(clippy::cast_possible_truncation, reason = "at most 11 bits")]
            let exponent = bits.take(S::EXPONENT_BITS) as i32 - S::BIAS;
            precision = limits.float_precision::<D>(exponent);
            kind = Kind::Scaled(exponent);
        }
    }
    if reversible {
        #[expect(clippy::cast_possible_truncation, reason = "at most 6 bits")]
        let planes = bits.take(S::PRECISION_BITS) as u32 + 1;
        precision = planes;
    }
    (kind, precision)
}

/// Moves the bits at every fourth position next to each other.
#[inline(always)]
fn together(bits: u64) -> u64 {
    let bits = bits & 0x1111_1111_1111_1111;
    let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    let bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) & 0xffff
}

/// Converts the planes of four words to coefficients.
#[inline(always)]
fn four<W: Word, T: Transpose>(arch: T, planes: &[u64; 4], block: &mut [W]) {
    let mut words = [0; 4];
    for (index, planes) in planes.iter().take(W::BITS as usize / 16).enumerate() {
        // Puts the lowest plane first.
        let planes = planes.swap_bytes();
        let planes = planes >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (planes & 0x0f0f_0f0f_0f0f_0f0f) << 4;
        for (coefficient, word) in words.iter_mut().enumerate() {
            let bits = match T::MOVES_BITS {
                true => arch.extract(planes, 0x1111_1111_1111_1111 << coefficient),
                false => together(planes >> coefficient),
            };
            *word |= bits << (W::BITS as usize - 16 - 16 * index);
        }
    }
    for (to, word) in block.iter_mut().zip(words) {
        *to = W::narrow(word);
    }
}
