//! The types that zfp itself compresses, as words of 32 and 64 bits.

use super::bits::low;
use crate::arch::Transpose;

/// A word: an element of a block, whatever its bits mean.
pub(super) trait Word: Copy + Default + Eq + Send + Sync {
    const BITS: u32;
    const BYTES: usize = Self::BITS as usize / 8;
    /// Planes of 64 words each.
    type Planes: Copy + AsRef<[u64]> + AsMut<[u64]>;
    const NO_PLANES: Self::Planes;

    fn load(bytes: &[u8]) -> Self;
    fn store(self, bytes: &mut [u8]);
    fn wide(self) -> u64;
    fn or(self, other: Self) -> Self;

    fn lift(line: [Self; 4]) -> [Self; 4];
    fn unlift(line: [Self; 4]) -> [Self; 4];
    fn difference(line: [Self; 4]) -> [Self; 4];
    fn accumulate(line: [Self; 4]) -> [Self; 4];
    fn to_negabinary(self) -> Self;
    fn of_negabinary(self) -> Self;
    /// The bits of a float as an integer that goes up as floats do, and back.
    fn ordered(self) -> Self;

    /// Bit `i` of plane `k` is bit `k` of word `i`.
    fn planes<T: Transpose>(arch: T, words: &[Self; 64]) -> Self::Planes;
    fn words<T: Transpose>(arch: T, planes: &Self::Planes, words: &mut [Self; 64]);
}

macro_rules! word {
    ($word:ty, $int:ty, $bits:literal, $planes:ident, $words:ident) => {
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
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn lift(line: [Self; 4]) -> [Self; 4] {
                let [mut x, mut y, mut z, mut w] = line.map(<$word>::cast_signed);
                x = x.wrapping_add(w) >> 1;
                w = w.wrapping_sub(x);
                z = z.wrapping_add(y) >> 1;
                y = y.wrapping_sub(z);
                x = x.wrapping_add(z) >> 1;
                z = z.wrapping_sub(x);
                w = w.wrapping_add(y) >> 1;
                y = y.wrapping_sub(w);
                w = w.wrapping_add(y >> 1);
                y = y.wrapping_sub(w >> 1);
                [x, y, z, w].map(<$int>::cast_unsigned)
            }

            #[inline(always)]
            fn unlift(line: [Self; 4]) -> [Self; 4] {
                let [mut x, mut y, mut z, mut w] = line.map(<$word>::cast_signed);
                y = y.wrapping_add(w >> 1);
                w = w.wrapping_sub(y >> 1);
                y = y.wrapping_add(w);
                w = w.wrapping_shl(1).wrapping_sub(y);
                z = z.wrapping_add(x);
                x = x.wrapping_shl(1).wrapping_sub(z);
                y = y.wrapping_add(z);
                z = z.wrapping_shl(1).wrapping_sub(y);
                w = w.wrapping_add(x);
                x = x.wrapping_shl(1).wrapping_sub(w);
                [x, y, z, w].map(<$int>::cast_unsigned)
            }

            #[inline(always)]
            fn difference([x, mut y, mut z, mut w]: [Self; 4]) -> [Self; 4] {
                (w, z, y) = (w.wrapping_sub(z), z.wrapping_sub(y), y.wrapping_sub(x));
                (w, z) = (w.wrapping_sub(z), z.wrapping_sub(y));
                w = w.wrapping_sub(z);
                [x, y, z, w]
            }

            #[inline(always)]
            fn accumulate([x, mut y, mut z, mut w]: [Self; 4]) -> [Self; 4] {
                w = w.wrapping_add(z);
                z = z.wrapping_add(y);
                w = w.wrapping_add(z);
                y = y.wrapping_add(x);
                z = z.wrapping_add(y);
                w = w.wrapping_add(z);
                [x, y, z, w]
            }

            #[inline(always)]
            fn to_negabinary(self) -> Self {
                const MASK: $word = <$word>::MAX / 3 * 2;
                self.wrapping_add(MASK) ^ MASK
            }

            #[inline(always)]
            fn of_negabinary(self) -> Self {
                const MASK: $word = <$word>::MAX / 3 * 2;
                (self ^ MASK).wrapping_sub(MASK)
            }

            #[inline(always)]
            fn ordered(self) -> Self {
                let sign = (self.cast_signed() >> ($bits - 1)).cast_unsigned();
                self ^ (sign >> 1)
            }

            #[inline(always)]
            fn planes<T: Transpose>(arch: T, words: &[Self; 64]) -> Self::Planes {
                arch.$planes(words)
            }

            #[inline(always)]
            fn words<T: Transpose>(arch: T, planes: &Self::Planes, words: &mut [Self; 64]) {
                arch.$words(planes, words);
            }
        }
    };
}

word!(u32, i32, 32, planes_32, words_32);
word!(u64, i64, 64, planes_64, words_64);

/// One of the types of zfp.
pub(super) trait Scalar: Copy + Send + Sync + 'static {
    type Word: Word;
    /// Bits of the exponent of a block; 0 for integers.
    const EXPONENT_BITS: u32;
    /// What is added to an exponent before it is written.
    const BIAS: i32 = (1 << (Self::EXPONENT_BITS.saturating_sub(1))) - 1;
    /// Bits of the precision of a reversible block.
    const PRECISION_BITS: u32 = Self::Word::BITS.trailing_zeros();

    /// The largest magnitude of the words, as a number that goes up with it; at least
    /// [`NOT_FINITE`](Self::NOT_FINITE) if a lossy mode cannot hold one of them.
    fn largest(words: &[Self::Word]) -> u64;
    const NOT_FINITE: u64;
    /// Floats as integers: multiplied by a power of two and truncated.
    fn truncated(words: &mut [Self::Word], exponent: i32);
    /// Integers as floats: multiplied by a power of two.
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
                // -2^(N-2) has no place either, where it is an element of its own.
                let magnitude = |word: $word| word.cast_signed().unsigned_abs();
                words
                    .iter()
                    .fold(0, |largest, &word| largest.max(magnitude(word)))
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
    ($scalar:ty, $word:ty, $int:ty, $float:ty, $exponent:literal) => {
        impl Scalar for $scalar {
            type Word = $word;
            const EXPONENT_BITS: u32 = $exponent;

            #[inline(always)]
            fn largest(words: &[Self::Word]) -> u64 {
                let magnitude = |word: $word| word & (<$word>::MAX >> 1);
                words.iter().fold(0, |largest, &word| largest.max(magnitude(word))).into()
            }

            const NOT_FINITE: u64 = low($exponent) << (<$word>::BITS - 1 - $exponent);

            #[inline(always)]
            fn truncated(words: &mut [Self::Word], exponent: i32) {
                let scale = <$word>::BITS.cast_signed() - 2 - exponent;
                // The power of two may be more than a float holds; what is multiplied by it is
                // small then, and multiplied in two steps.
                let (first, second) = if scale > Self::BIAS {
                    (scale - Self::BIAS, Self::BIAS)
                } else {
                    (0, scale)
                };
                let (first, second) = (power(first), power(second));
                for word in words {
                    let value = <$float>::from_bits(*word) * first * second;
                    #[expect(clippy::cast_possible_truncation, reason = "zfp truncates")]
                    let integer = value as $int;
                    *word = integer.cast_unsigned();
                }

                #[inline(always)]
                fn power(exponent: i32) -> $float {
                    let field = (exponent + <$scalar>::BIAS).cast_unsigned();
                    <$float>::from_bits(<$word>::from(field) << (<$word>::BITS - 1 - $exponent))
                }
            }

            #[inline(always)]
            fn scaled(words: &mut [Self::Word], exponent: i32) {
                let exponent = exponent - (<$word>::BITS.cast_signed() - 2);
                const MANTISSA: u32 = <$word>::BITS - 1 - $exponent;
                // The power of two, which may be subnormal, or nothing.
                let field = exponent + Self::BIAS;
                let bits = if field > 0 {
                    <$word>::from(field.cast_unsigned()) << MANTISSA
                } else {
                    let below = (1 - field).cast_unsigned();
                    (1 as $word << MANTISSA).checked_shr(below).unwrap_or(0)
                };
                let scale = <$float>::from_bits(bits);
                for word in words {
                    #[expect(clippy::cast_precision_loss, reason = "zfp rounds here")]
                    let value = word.cast_signed() as $float;
                    *word = (value * scale).to_bits();
                }
            }
        }
    };
}

float!(Float32, u32, i32, f32, 8);
float!(Float64, u64, i64, f64, 11);
