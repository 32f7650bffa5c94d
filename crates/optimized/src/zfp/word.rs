//! The types that zfp itself compresses, as words of 32 and 64 bits.

use super::bits::low;
use crate::arch::{Lanes, Lift, Order, Transpose};

/// A word: an element of a block, regardless of the meaning of its bits.
pub(super) trait Word: Lanes + Default + Eq + Send + Sync {
    const BITS: u32;
    const BYTES: usize = Self::BITS as usize / 8;
    /// Planes of 64 words each.
    type Planes: Copy + AsRef<[u64]> + AsMut<[u64]>;
    const NO_PLANES: Self::Planes;

    fn load(bytes: &[u8]) -> Self;
    fn store(self, bytes: &mut [u8]);
    fn wide(self) -> u64;
    /// Returns the lowest bits.
    fn narrow(wide: u64) -> Self;
    fn or(self, other: Self) -> Self;

    /// Converts the bits of a float to an integer with the same order as the floats, and back.
    fn ordered(self) -> Self;

    /// Calls the operations of [`Transpose`] for words of this width.
    fn planes<T: Transpose, const SLABS: usize>(
        arch: T,
        words: &[[Self; 64]; SLABS],
        order: &Order<SLABS>,
        lowest: usize,
        planes: &mut [Self::Planes; SLABS],
    );
    fn words<T: Transpose, const SLABS: usize>(
        arch: T,
        planes: &[Self::Planes; SLABS],
        order: &Order<SLABS>,
        words: &mut [[Self; 64]; SLABS],
    );
    fn forward<T: Transpose, const D: usize>(arch: T, slab: &mut [Self; 64], lift: impl Lift);
    fn inverse<T: Transpose, const D: usize>(arch: T, slab: &mut [Self; 64], lift: impl Lift);
}

macro_rules! word {
    ($word:ty, $bits:literal, $planes:ident, $words:ident, $forward:ident, $inverse:ident) => {
        impl Word for $word {
            const BITS: u32 = $bits;
            type Planes = [u64; $bits];
            const NO_PLANES: Self::Planes = [0; $bits];

            #[inline(always)]
            fn load(bytes: &[u8]) -> Self {
                let mut own = [0; $bits / 8];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }

            #[inline(always)]
            fn store(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline(always)]
            fn wide(self) -> u64 {
                u64::from(self)
            }

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "truncation is intended")]
            fn narrow(wide: u64) -> Self {
                wide as $word
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn ordered(self) -> Self {
                let sign = (self.cast_signed() >> ($bits - 1)).cast_unsigned();
                self ^ (sign >> 1)
            }

            #[inline(always)]
            fn planes<T: Transpose, const SLABS: usize>(
                arch: T,
                words: &[[Self; 64]; SLABS],
                order: &Order<SLABS>,
                lowest: usize,
                planes: &mut [Self::Planes; SLABS],
            ) {
                arch.$planes(words, order, lowest, planes);
            }

            #[inline(always)]
            fn words<T: Transpose, const SLABS: usize>(
                arch: T,
                planes: &[Self::Planes; SLABS],
                order: &Order<SLABS>,
                words: &mut [[Self; 64]; SLABS],
            ) {
                arch.$words(planes, order, words);
            }

            #[inline(always)]
            fn forward<T: Transpose, const D: usize>(
                arch: T,
                slab: &mut [Self; 64],
                lift: impl Lift,
            ) {
                arch.$forward::<D>(slab, lift);
            }

            #[inline(always)]
            fn inverse<T: Transpose, const D: usize>(
                arch: T,
                slab: &mut [Self; 64],
                lift: impl Lift,
            ) {
                arch.$inverse::<D>(slab, lift);
            }
        }
    };
}

word!(u32, 32, planes_32, words_32, forward_32, inverse_32);
word!(u64, 64, planes_64, words_64, forward_64, inverse_64);

/// One of the types of zfp.
pub(super) trait Scalar: Copy + Send + Sync + 'static {
    type Word: Word;
    /// The number of bits of a block's exponent; 0 for integers.
    const EXPONENT_BITS: u32;
    /// The bias added to an exponent before it is written.
    const BIAS: i32 = (1 << (Self::EXPONENT_BITS.saturating_sub(1))) - 1;
    /// The number of bits of the precision of a reversible block.
    const PRECISION_BITS: u32 = Self::Word::BITS.trailing_zeros();

    /// Returns at least [`NOT_FINITE`](Self::NOT_FINITE) if a lossy mode cannot hold one of the words. For
    /// floats, returns the largest magnitude as a number with the same order.
    fn largest(words: &[Self::Word]) -> u64;
    const NOT_FINITE: u64;
    /// Converts floats to integers: multiplied by a power of two and truncated.
    fn truncated(words: &mut [Self::Word], exponent: i32);
    /// Converts integers to floats: multiplied by a power of two.
    fn scaled(words: &mut [Self::Word], exponent: i32);
}

/// `int32`.
#[derive(Clone, Copy)]
pub(super) struct Int32;
/// `int64`.
#[derive(Clone, Copy)]
pub(super) struct Int64;
/// `float32`.
#[derive(Clone, Copy)]
pub(super) struct Float32;
/// `float64`.
#[derive(Clone, Copy)]
pub(super) struct Float64;

macro_rules! integer {
    ($scalar:ty, $word:ty) => {
        impl Scalar for $scalar {
            type Word = $word;
            const EXPONENT_BITS: u32 = 0;

            #[inline(always)]
            fn largest(words: &[Self::Word]) -> u64 {
                // -2^(N-2) does not fit either, although it may be an element.
                let magnitude = |word: $word| word.cast_signed().unsigned_abs();
                words
                    .iter()
                    .fold(0, |all, &word| all | magnitude(word))
                    .into()
            }

            const NOT_FINITE: u64 = 1 << (<$word>::BITS - 2);

            #[inline(always)]
            fn truncated(_: &mut [Self::Word], _: i32) {}

            #[inline(always)]
            fn scaled(_: &mut [Self::Word], _: i32) {}
        }
    };
}

integer!(Int32, u32);
integer!(Int64, u64);

macro_rules! float {
    ($scalar:ty, $word:ty, $float:ty, $exponent:literal, $nearest:ident) => {
        impl Scalar for $scalar {
            type Word = $word;
            const EXPONENT_BITS: u32 = $exponent;

            #[inline(always)]
            fn largest(words: &[Self::Word]) -> u64 {
                // Vector units can compare signed numbers.
                let magnitude = |word: $word| (word & (<$word>::MAX >> 1)).cast_signed();
                let largest = words.iter().fold(0, |largest, &word| largest.max(magnitude(word)));
                largest.cast_unsigned().into()
            }

            const NOT_FINITE: u64 = low($exponent) << (<$word>::BITS - 1 - $exponent);

            #[inline(always)]
            fn truncated(words: &mut [Self::Word], exponent: i32) {
                const MANTISSA: u32 = <$word>::BITS - 1 - $exponent;
                // The exponent fields of the largest exponent and of a word's own; subnormal numbers have
                // that of the smallest normal ones.
                let largest = (exponent + Self::BIAS - 1).cast_unsigned();
                let up = <$word>::BITS - 3 - MANTISSA + u32::from(largest == 0);
                let largest = <$word>::from(largest.max(1));
                for word in words {
                    let field = *word >> MANTISSA & ((1 << $exponent) - 1);
                    let normal = <$word>::from(field > 0);
                    let mantissa = *word & ((1 << MANTISSA) - 1) | normal << MANTISSA;
                    let down = largest.wrapping_sub(field + 1 - normal);
                    // Numbers that are shifted further become zero.
                    let down = down.min((<$word>::BITS - 1).into());
                    let magnitude = mantissa << up >> down;
                    let sign = (word.cast_signed() >> (<$word>::BITS - 1)).cast_unsigned();
                    *word = (magnitude ^ sign).wrapping_sub(sign);
                }
            }

            #[inline(always)]
            fn scaled(words: &mut [Self::Word], exponent: i32) {
                let exponent = exponent - (<$word>::BITS.cast_signed() - 2);
                const MANTISSA: u32 = <$word>::BITS - 1 - $exponent;
                // The power of two, which may be subnormal or zero.
                let field = exponent + Self::BIAS;
                let bits = if field > 0 {
                    <$word>::from(field.cast_unsigned()) << MANTISSA
                } else {
                    let below = (1 - field).cast_unsigned();
                    (1 as $word << MANTISSA).checked_shr(below).unwrap_or(0)
                };
                let scale = <$float>::from_bits(bits);
                for word in words {
                    let value: $float = $nearest(word.cast_signed());
                    *word = (value * scale).to_bits();
                }
            }
        }
    };
}

float!(Float32, u32, f32, 8, nearest_32);
float!(Float64, u64, f64, 11, nearest_64);

#[expect(clippy::cast_precision_loss, reason = "zfp rounds here")]
#[inline(always)]
fn nearest_32(integer: i32) -> f32 {
    integer as f32
}

/// Returns the nearest float, as `as` does, with operations that vector units have: the two halves are
/// separate floats, and only their sum is rounded.
#[inline(always)]
fn nearest_64(integer: i64) -> f64 {
    // As floats, 2^52 and 2^84 plus 2^63, whose last places are 1 and 2^32.
    const LOW: u64 = 0x4330_0000_0000_0000;
    const HIGH: u64 = 0x4530_0000_8000_0000;
    const BOTH: u64 = 0x4530_0000_8010_0000;
    let bits = integer.cast_unsigned();
    let low = f64::from_bits(bits & 0xffff_ffff | LOW);
    let high = f64::from_bits(bits >> 32 ^ HIGH);
    high - f64::from_bits(BOTH) + low
}
