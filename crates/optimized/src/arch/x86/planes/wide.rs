//! Slabs of one block or more in 512-bit vectors. The transforms along all dimensions stay in registers, the
//! order of coefficients is a byte shuffle, and a single instruction transposes squares of eight by eight
//! bits.
//!
//! A slab becomes vectors of 64 bytes of the same weight, in the order of the lanes: words of 32 bits are at
//! `lane * 16 + vector * 4 + word`, and words of 64 bits at `lane * 16 + vector * 2 + word`.

use core::arch::x86_64::{
    __m512i, _mm_setr_epi8, _mm512_add_epi32, _mm512_add_epi64, _mm512_broadcast_i32x4,
    _mm512_gf2p8affine_epi64_epi8, _mm512_loadu_si512, _mm512_mask_blend_epi8, _mm512_movepi8_mask,
    _mm512_permutex2var_epi8, _mm512_permutex2var_epi64, _mm512_permutexvar_epi8,
    _mm512_set1_epi32, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512,
    _mm512_shuffle_epi8, _mm512_shuffle_i32x4, _mm512_shuffle_i64x2, _mm512_srai_epi32,
    _mm512_srai_epi64, _mm512_storeu_si512, _mm512_sub_epi32, _mm512_sub_epi64,
    _mm512_unpackhi_epi16, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi16,
    _mm512_unpacklo_epi32, _mm512_unpacklo_epi64, _mm512_xor_si512,
};

use crate::arch::planes::{Lanes, Lift, Order};

/// Lanes of 32 bits. Only the functions of this file construct them.
#[derive(Clone, Copy)]
struct Words32(__m512i);
/// Lanes of 64 bits. Only the functions of this file construct them.
#[derive(Clone, Copy)]
struct Words64(__m512i);

macro_rules! lanes {
    ($lanes:ident, $set:ident($mask:literal), $add:ident, $sub:ident, $sra:ident) => {
        impl Lanes for $lanes {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                // SAFETY: `self` is only constructed on a machine with AVX-512.
                Self(unsafe { $add(self.0, other.0) })
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sub(self.0, other.0) })
            }

            #[inline(always)]
            fn half(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sra::<1>(self.0) })
            }

            #[inline(always)]
            fn to_negabinary(self) -> Self {
                // SAFETY: as above.
                unsafe {
                    let mask = $set($mask);
                    Self(_mm512_xor_si512($add(self.0, mask), mask))
                }
            }

            #[inline(always)]
            fn of_negabinary(self) -> Self {
                // SAFETY: as above.
                unsafe {
                    let mask = $set($mask);
                    Self($sub(_mm512_xor_si512(self.0, mask), mask))
                }
            }
        }
    };
}

lanes!(
    Words32,
    _mm512_set1_epi32(-0x5555_5556),
    _mm512_add_epi32,
    _mm512_sub_epi32,
    _mm512_srai_epi32
);
lanes!(
    Words64,
    _mm512_set1_epi64(-0x5555_5555_5555_5556),
    _mm512_add_epi64,
    _mm512_sub_epi64,
    _mm512_srai_epi64
);

/// Conversions of words to planes and back, and the transforms, for words of one width. A slab takes a fixed
/// number of vectors.
macro_rules! width {
    (
        $word:ty, $lanes:ident, $bits:literal, $vectors:literal,
        $planes:ident, $words:ident, $forward:ident, $inverse:ident, $load:ident, $store:ident,
        $weights:ident, $to_bytes:ident, $of_bytes:ident, $place:ident, $along_x:ident, $along_y:ident, $along_z:ident
    ) => {
        /// # Safety
        /// The machine must have the features that [`has_wide`](super::super::has_wide) detects.
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
        #[inline]
        pub(super) unsafe fn $planes<const SLABS: usize>(
            words: &[[$word; 64]; SLABS],
            order: &Order<SLABS>,
            lowest: usize,
            planes: &mut [[u64; $bits]; SLABS],
        ) {
            let bytes = words.each_ref().map(|slab| {
                let vectors = $load(slab).map(|it| it.to_negabinary().0);
                $weights(vectors.map(|it| _mm512_shuffle_epi8(it, $to_bytes())))
            });
            for (part, planes) in planes.iter_mut().enumerate() {
                let places: [u8; 64] = core::array::from_fn(|at| {
                    // The instruction that transposes the squares expects the bytes of each square in reverse
                    // order.
                    let word = order.words[part][at ^ 7];
                    word & 0xc0 | $place(word & 0x3f)
                });
                let places = load(&places);
                for (weight, planes) in planes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                    if weight < lowest / 8 {
                        continue;
                    }
                    let own = pick(bytes.each_ref().map(|slab| slab[weight]), places);
                    store_planes(turned(own), planes);
                }
            }
        }

        /// # Safety
        /// The machine must have the features that [`has_wide`](super::super::has_wide) detects.
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
        #[inline]
        pub(super) unsafe fn $words<const SLABS: usize>(
            planes: &[[u64; $bits]; SLABS],
            order: &Order<SLABS>,
            words: &mut [[$word; 64]; SLABS],
        ) {
            let mut bytes = [[_mm512_setzero_si512(); SLABS]; $bits / 8];
            for (weight, bytes) in bytes.iter_mut().enumerate() {
                for (part, bytes) in bytes.iter_mut().enumerate() {
                    let (planes, _) = planes[part].as_chunks::<8>();
                    *bytes = turned_back(load_planes(&planes[weight]));
                }
            }
            for (slab, words) in words.iter_mut().enumerate() {
                let mut places = [0; 64];
                for (word, &coefficient) in order.coefficients[slab].iter().enumerate() {
                    #[expect(clippy::cast_possible_truncation, reason = "64 words")]
                    let place = $place(word as u8);
                    places[usize::from(place)] = coefficient;
                }
                let places = load(&places);
                let own = bytes.map(|parts| pick(parts, places));
                let vectors = $weights(own).map(|it| _mm512_shuffle_epi8(it, $of_bytes()));
                $store(vectors.map(|it| $lanes(it).of_negabinary()), words);
            }
        }

        /// # Safety
        /// The machine must have the features that [`has_wide`](super::super::has_wide) detects.
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
        #[inline]
        pub(super) unsafe fn $forward<const D: usize>(slab: &mut [$word; 64], lift: impl Lift) {
            let mut vectors = $along_x($load(slab), lift);
            if D > 1 {
                vectors = $along_y(vectors, lift);
            }
            if D > 2 {
                vectors = $along_z(vectors, lift);
            }
            $store(vectors, slab);
        }

        /// # Safety
        /// The machine must have the features that [`has_wide`](super::super::has_wide) detects.
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
        #[inline]
        pub(super) unsafe fn $inverse<const D: usize>(slab: &mut [$word; 64], lift: impl Lift) {
            let mut vectors = $load(slab);
            if D > 2 {
                vectors = $along_z(vectors, lift);
            }
            if D > 1 {
                vectors = $along_y(vectors, lift);
            }
            $store($along_x(vectors, lift), slab);
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
        #[inline]
        fn $load(slab: &[$word; 64]) -> [$lanes; $vectors] {
            let (vectors, _) = slab.as_chunks::<{ 64 / $vectors }>();
            core::array::from_fn(|index| {
                // SAFETY: the slice has 64 bytes, and they may have any alignment.
                $lanes(unsafe { _mm512_loadu_si512(vectors[index].as_ptr().cast()) })
            })
        }

        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
        #[inline]
        fn $store(vectors: [$lanes; $vectors], slab: &mut [$word; 64]) {
            let (own, _) = slab.as_chunks_mut::<{ 64 / $vectors }>();
            for (vector, own) in vectors.into_iter().zip(own) {
                // SAFETY: the slice has 64 bytes, and they may have any alignment.
                unsafe { _mm512_storeu_si512(own.as_mut_ptr().cast(), vector.0) }
            }
        }
    };
}

width!(
    u32,
    Words32,
    32,
    4,
    planes_32,
    words_32,
    forward_32,
    inverse_32,
    load_32,
    store_32,
    squares_of_four,
    bytes_of_32,
    bytes_of_32,
    place_32,
    along_x_32,
    along_y_32,
    along_z_32
);
width!(
    u64,
    Words64,
    64,
    8,
    planes_64,
    words_64,
    forward_64,
    inverse_64,
    load_64,
    store_64,
    squares_of_eight,
    bytes_of_64,
    words_of_bytes,
    place_64,
    along_x_64,
    along_y_64,
    along_z_64
);

/// Returns the position of a word's bytes in a slab.
#[inline(always)]
const fn place_32(word: u8) -> u8 {
    word >> 2 << 4 & 0x30 | word >> 4 << 2 | word & 3
}

/// Like [`place_32`], for words of 64 bits.
#[inline(always)]
const fn place_64(word: u8) -> u8 {
    word >> 1 << 4 & 0x30 | word >> 3 << 1 | word & 1
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn along_x_32([a, b, c, d]: [Words32; 4], lift: impl Lift) -> [Words32; 4] {
    let columns = squares_of_four([a.0, b.0, c.0, d.0]);
    let lifted = lift.apply(columns.map(Words32));
    squares_of_four(lifted.map(|it| it.0)).map(Words32)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn along_y_32(vectors: [Words32; 4], lift: impl Lift) -> [Words32; 4] {
    let rows = squares_of_lanes(vectors.map(|it| it.0));
    let lifted = lift.apply(rows.map(Words32));
    squares_of_lanes(lifted.map(|it| it.0)).map(Words32)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn along_z_32(vectors: [Words32; 4], lift: impl Lift) -> [Words32; 4] {
    lift.apply(vectors)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn along_x_64(vectors: [Words64; 8], lift: impl Lift) -> [Words64; 8] {
    let [a, b, c, d, e, f, g, h] = vectors;
    let [[a, b, c, d], [e, f, g, h]] = [[a, b, c, d], [e, f, g, h]].map(|four| {
        let columns = squares_in_halves(four.map(|it| it.0));
        let lifted = lift.apply(columns.map(Words64));
        squares_in_halves(lifted.map(|it| it.0)).map(Words64)
    });
    [a, b, c, d, e, f, g, h]
}

/// Transforms along y. A vector holds two rows along x, and two vectors hold four.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn along_y_64(vectors: [Words64; 8], lift: impl Lift) -> [Words64; 8] {
    let [a, b, c, d, e, f, g, h] = vectors;
    let [[a, b, c, d], [e, f, g, h]] = [[a, b, c, d], [e, f, g, h]].map(|[a, b, c, d]| {
        let (a, b, c, d) = (a.0, b.0, c.0, d.0);
        let rows = [
            _mm512_shuffle_i64x2::<0x44>(a, c),
            _mm512_shuffle_i64x2::<0xee>(a, c),
            _mm512_shuffle_i64x2::<0x44>(b, d),
            _mm512_shuffle_i64x2::<0xee>(b, d),
        ];
        let [x, y, z, w] = lift.apply(rows.map(Words64)).map(|it| it.0);
        [
            _mm512_shuffle_i64x2::<0x44>(x, y),
            _mm512_shuffle_i64x2::<0x44>(z, w),
            _mm512_shuffle_i64x2::<0xee>(x, y),
            _mm512_shuffle_i64x2::<0xee>(z, w),
        ]
        .map(Words64)
    });
    [a, b, c, d, e, f, g, h]
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn along_z_64([a, b, c, d, e, f, g, h]: [Words64; 8], lift: impl Lift) -> [Words64; 8] {
    let [a, c, e, g] = lift.apply([a, c, e, g]);
    let [b, d, f, h] = lift.apply([b, d, f, h]);
    [a, b, c, d, e, f, g, h]
}

/// Returns the bytes at the given places of one vector, or of four; the two highest bits of a place select
/// the vector.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn pick<const SLABS: usize>(slabs: [__m512i; SLABS], places: __m512i) -> __m512i {
    if SLABS == 1 {
        return _mm512_permutexvar_epi8(places, slabs[0]);
    }
    // The instruction ignores the highest bit.
    let lower = _mm512_permutex2var_epi8(slabs[0], places, slabs[1]);
    let upper = _mm512_permutex2var_epi8(slabs[2], places, slabs[3]);
    _mm512_mask_blend_epi8(_mm512_movepi8_mask(places), lower, upper)
}

/// Returns eight planes of 64 bits from 64 bytes, of which every eight must be in reverse order.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn turned(bytes: __m512i) -> __m512i {
    let squares = _mm512_gf2p8affine_epi64_epi8::<0>(one_bit_each(), bytes);
    // Byte `8 i + k` belongs to plane `k`.
    const PLACES: [u8; 64] = square(0);
    _mm512_permutexvar_epi8(load(&PLACES), squares)
}

/// Returns the 64 bytes of eight planes.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn turned_back(planes: __m512i) -> __m512i {
    const PLACES: [u8; 64] = square(7);
    let squares = _mm512_permutexvar_epi8(load(&PLACES), planes);
    _mm512_gf2p8affine_epi64_epi8::<0>(one_bit_each(), squares)
}

/// Returns the shuffle that transposes eight by eight bytes. If `last` is 7, the rows of the result are
/// reversed.
#[expect(clippy::cast_possible_truncation, reason = "below 64")]
const fn square(last: usize) -> [u8; 64] {
    let mut places = [0; 64];
    let mut at = 0;
    while at < 64 {
        places[at] = (((at % 8) ^ last) * 8 + at / 8) as u8;
        at += 1;
    }
    places
}

/// Returns the matrix with which a multiplication transposes squares of bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn one_bit_each() -> __m512i {
    _mm512_set1_epi64(0x8040_2010_0804_0201_u64.cast_signed())
}

/// Returns the shuffle that gathers the bytes of four words by weight. It is its own inverse.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn bytes_of_32() -> __m512i {
    let lane = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm512_broadcast_i32x4(lane)
}

/// Returns the shuffle that gathers the bytes of two words by weight.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn bytes_of_64() -> __m512i {
    let lane = _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    _mm512_broadcast_i32x4(lane)
}

/// Returns the inverse of [`bytes_of_64`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn words_of_bytes() -> __m512i {
    let lane = _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
    _mm512_broadcast_i32x4(lane)
}

/// Transposes squares of 32-bit words, one in every lane of 128 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn squares_of_four([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
    let (ab2, cd2) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
    [
        _mm512_unpacklo_epi64(ab, cd),
        _mm512_unpackhi_epi64(ab, cd),
        _mm512_unpacklo_epi64(ab2, cd2),
        _mm512_unpackhi_epi64(ab2, cd2),
    ]
}

/// Transposes squares of 16-bit words, one in every lane of 128 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn squares_of_eight([a, b, c, d, e, f, g, h]: [__m512i; 8]) -> [__m512i; 8] {
    let [l0, l1, l2, l3] = squares_of_four([
        _mm512_unpacklo_epi16(a, b),
        _mm512_unpacklo_epi16(c, d),
        _mm512_unpacklo_epi16(e, f),
        _mm512_unpacklo_epi16(g, h),
    ]);
    let [h0, h1, h2, h3] = squares_of_four([
        _mm512_unpackhi_epi16(a, b),
        _mm512_unpackhi_epi16(c, d),
        _mm512_unpackhi_epi16(e, f),
        _mm512_unpackhi_epi16(g, h),
    ]);
    [l0, l1, l2, l3, h0, h1, h2, h3]
}

/// Transposes a square whose rows are vectors and whose columns are lanes of 128 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn squares_of_lanes([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let ab = _mm512_shuffle_i32x4::<0x44>(a, b);
    let cd = _mm512_shuffle_i32x4::<0x44>(c, d);
    let ab2 = _mm512_shuffle_i32x4::<0xee>(a, b);
    let cd2 = _mm512_shuffle_i32x4::<0xee>(c, d);
    [
        _mm512_shuffle_i32x4::<0x88>(ab, cd),
        _mm512_shuffle_i32x4::<0xdd>(ab, cd),
        _mm512_shuffle_i32x4::<0x88>(ab2, cd2),
        _mm512_shuffle_i32x4::<0xdd>(ab2, cd2),
    ]
}

/// Transposes squares of 64-bit words, one in every half of a vector.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn squares_in_halves([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let (ab, cd) = (_mm512_unpacklo_epi64(a, b), _mm512_unpacklo_epi64(c, d));
    let (ab2, cd2) = (_mm512_unpackhi_epi64(a, b), _mm512_unpackhi_epi64(c, d));
    let lower = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    let upper = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    [
        _mm512_permutex2var_epi64(ab, lower, cd),
        _mm512_permutex2var_epi64(ab2, lower, cd2),
        _mm512_permutex2var_epi64(ab, upper, cd),
        _mm512_permutex2var_epi64(ab2, upper, cd2),
    ]
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: the slice has 64 bytes, and they may have any alignment.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn load_planes(planes: &[u64; 8]) -> __m512i {
    // SAFETY: as in `load`.
    unsafe { _mm512_loadu_si512(planes.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
#[inline]
fn store_planes(vector: __m512i, planes: &mut [u64; 8]) {
    // SAFETY: as in `load`.
    unsafe { _mm512_storeu_si512(planes.as_mut_ptr().cast(), vector) }
}
