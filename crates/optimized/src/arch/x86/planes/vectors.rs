//! Conversions of 64 words to planes and back. Bytes of the same weight are first brought together. Then a
//! mask of their highest bits is a plane, and planes are transposed in squares of eight by eight bits.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm_storeu_si128, _mm256_add_epi8, _mm256_and_si256,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_permutevar8x32_epi32, _mm256_set_m128i, _mm256_set1_epi64x, _mm256_setr_epi8,
    _mm256_setr_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi64,
    _mm256_srli_epi64, _mm256_testz_si256, _mm256_unpackhi_epi8, _mm256_unpackhi_epi16,
    _mm256_unpackhi_epi32, _mm256_unpackhi_epi64, _mm256_unpacklo_epi8, _mm256_unpacklo_epi16,
    _mm256_unpacklo_epi32, _mm256_unpacklo_epi64, _mm256_xor_si256,
};

/// 32 bytes of the same weight: of words 0 to 31, or 32 to 63.
type Bytes = __m256i;

// This file uses no closures over arrays: `map` of an array may become a function without the caller's target
// features.

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn planes_32(words: &[u32; 64], lowest: usize, planes: &mut [u64; 32]) {
    let ([low, high], _) = words.as_chunks::<32>() else {
        return;
    };
    masks([weights_32(low), weights_32(high)], lowest, planes);
}

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn planes_64(words: &[u64; 64], lowest: usize, planes: &mut [u64; 64]) {
    let ([low, high], _) = words.as_chunks::<32>() else {
        return;
    };
    masks([weights_64(low), weights_64(high)], lowest, planes);
}

/// Returns the bytes of the words by weight, least significant first.
#[target_feature(enable = "avx2")]
#[inline]
fn weights_32(words: &[u32; 32]) -> [Bytes; 4] {
    let (fours, _) = words.as_chunks::<4>();
    let mut rows = [_mm256_setzero_si256(); 4];
    for (four, row) in rows.iter_mut().enumerate() {
        let together = _mm256_set_m128i(load_32(&fours[4 + four]), load_32(&fours[four]));
        *row = _mm256_shuffle_epi8(together, bytes_of_32());
    }
    squares_of_four(rows)
}

/// Like [`weights_32`].
#[target_feature(enable = "avx2")]
#[inline]
fn weights_64(words: &[u64; 32]) -> [Bytes; 8] {
    let (twos, _) = words.as_chunks::<2>();
    let mut rows = [_mm256_setzero_si256(); 8];
    for (two, row) in rows.iter_mut().enumerate() {
        let together = _mm256_set_m128i(load_64(&twos[8 + two]), load_64(&twos[two]));
        *row = _mm256_shuffle_epi8(together, bytes_of_64());
    }
    let [a, b, c, d, e, f, g, h] = rows;
    squares_of_eight([a, b, c, d], [e, f, g, h])
}

/// Writes the planes of bytes, least significant first.
#[target_feature(enable = "avx2")]
#[inline]
fn masks<const WEIGHTS: usize, const PLANES: usize>(
    [low, high]: [[Bytes; WEIGHTS]; 2],
    lowest: usize,
    planes: &mut [u64; PLANES],
) {
    let weights = low.into_iter().zip(high).zip(planes.as_chunks_mut::<8>().0);
    for ((mut low, mut high), planes) in weights.skip(lowest / 8) {
        for plane in planes.iter_mut().rev() {
            let lower = _mm256_movemask_epi8(low).cast_unsigned();
            let upper = _mm256_movemask_epi8(high).cast_unsigned();
            *plane = u64::from(lower) | u64::from(upper) << 32;
            low = _mm256_add_epi8(low, low);
            high = _mm256_add_epi8(high, high);
        }
    }
}

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn words_32(planes: &[u64; 32], words: &mut [u32; 64]) {
    let weights: [[Bytes; 2]; 4] = bytes_of_planes(planes);
    for (half, words) in words.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let [a, b, c, d] = weights.map(|weight| weight[half]);
        let low = [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)];
        let high = [_mm256_unpacklo_epi8(c, d), _mm256_unpackhi_epi8(c, d)];
        for (index, (low, high)) in low.into_iter().zip(high).enumerate() {
            let fours = [
                _mm256_unpacklo_epi16(low, high),
                _mm256_unpackhi_epi16(low, high),
            ];
            for (four, at) in fours.into_iter().zip([8 * index, 8 * index + 4]) {
                store_32(_mm256_castsi256_si128(four), &mut words[at..at + 4]);
                let upper = _mm256_extracti128_si256::<1>(four);
                store_32(upper, &mut words[at + 16..at + 20]);
            }
        }
    }
}

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn words_64(planes: &[u64; 64], words: &mut [u64; 64]) {
    let weights: [[Bytes; 2]; 8] = bytes_of_planes(planes);
    for (half, words) in words.as_chunks_mut::<32>().0.iter_mut().enumerate() {
        let [a, b, c, d, e, f, g, h] = weights.map(|weight| weight[half]);
        let eights = |x, y| [_mm256_unpacklo_epi8(x, y), _mm256_unpackhi_epi8(x, y)];
        let [ab, cd, ef, gh] = [eights(a, b), eights(c, d), eights(e, f), eights(g, h)];
        for index in 0..2 {
            let (ab, cd, ef, gh) = (ab[index], cd[index], ef[index], gh[index]);
            let lower = [_mm256_unpacklo_epi16(ab, cd), _mm256_unpackhi_epi16(ab, cd)];
            let upper = [_mm256_unpacklo_epi16(ef, gh), _mm256_unpackhi_epi16(ef, gh)];
            for four in 0..2 {
                let (lower, upper) = (lower[four], upper[four]);
                let twos = [
                    _mm256_unpacklo_epi32(lower, upper),
                    _mm256_unpackhi_epi32(lower, upper),
                ];
                let at = 8 * index + 4 * four;
                for (two, at) in twos.into_iter().zip([at, at + 2]) {
                    store_64(_mm256_castsi256_si128(two), &mut words[at..at + 2]);
                    let upper = _mm256_extracti128_si256::<1>(two);
                    store_64(upper, &mut words[at + 16..at + 18]);
                }
            }
        }
    }
}

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn turn_32(squares: &mut [[u32; 16]]) {
    for two in squares.chunks_mut(2) {
        let load = |row: usize| {
            let half = |square: usize| {
                let mut own = [0; 4];
                own.copy_from_slice(&two[square][4 * row..4 * row + 4]);
                load_32(&own)
            };
            _mm256_set_m128i(half(two.len() - 1), half(0))
        };
        let lines = squares_of_four([load(0), load(1), load(2), load(3)]);
        let last = two.len() - 1;
        for (row, line) in lines.into_iter().enumerate() {
            let upper = _mm256_extracti128_si256::<1>(line);
            store_32(upper, &mut two[last][4 * row..4 * row + 4]);
            store_32(
                _mm256_castsi256_si128(line),
                &mut two[0][4 * row..4 * row + 4],
            );
        }
    }
}

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) unsafe fn turn_64(squares: &mut [[u64; 16]]) {
    for square in squares {
        // Loads half of two rows: their first two columns, or their last two.
        let load = |row: usize, column: usize| {
            let half =
                |row: usize| load_64(&[square[4 * row + column], square[4 * row + column + 1]]);
            _mm256_set_m128i(half(row + 2), half(row))
        };
        let mut lines = [_mm256_setzero_si256(); 4];
        for column in [0, 2] {
            let (first, second) = (load(0, column), load(1, column));
            lines[column] = _mm256_unpacklo_epi64(first, second);
            lines[column + 1] = _mm256_unpackhi_epi64(first, second);
        }
        for (line, row) in lines.into_iter().zip(square.as_chunks_mut::<4>().0) {
            store_64(_mm256_castsi256_si128(line), &mut row[..2]);
            store_64(_mm256_extracti128_si256::<1>(line), &mut row[2..]);
        }
    }
}

/// Returns the bytes of 64 words by weight, least significant first.
#[target_feature(enable = "avx2")]
#[inline]
fn bytes_of_planes<const WEIGHTS: usize>(planes: &[u64]) -> [[Bytes; 2]; WEIGHTS] {
    let mut weights = [[_mm256_setzero_si256(); 2]; WEIGHTS];
    for (weight, planes) in weights.iter_mut().zip(planes.as_chunks::<8>().0) {
        let [a, b, c, d, e, f, g, h] = *planes;
        let first = _mm256_set_m128i(load_64(&[e, f]), load_64(&[a, b]));
        let second = _mm256_set_m128i(load_64(&[g, h]), load_64(&[c, d]));
        let any = _mm256_or_si256(first, second);
        if _mm256_testz_si256(any, any) == 1 {
            continue;
        }
        // Puts the bytes of two planes side by side, then those of four, then those of all eight.
        let first = _mm256_shuffle_epi8(first, bytes_of_64());
        let second = _mm256_shuffle_epi8(second, bytes_of_64());
        let fours = [
            _mm256_unpacklo_epi16(first, second),
            _mm256_unpackhi_epi16(first, second),
        ];
        let halves = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        *weight = fours.map(|four| turned(_mm256_permutevar8x32_epi32(four, halves)));
    }
    weights
}

/// Transposes squares of eight by eight bits.
#[target_feature(enable = "avx2")]
#[inline]
fn turned(mut squares: __m256i) -> __m256i {
    macro_rules! exchange {
        ($distance:literal, $mask:literal) => {
            let mask = _mm256_set1_epi64x($mask);
            let moved = _mm256_srli_epi64::<$distance>(squares);
            let crossed = _mm256_and_si256(_mm256_xor_si256(squares, moved), mask);
            let back = _mm256_slli_epi64::<$distance>(crossed);
            squares = _mm256_xor_si256(_mm256_xor_si256(squares, crossed), back);
        };
    }
    exchange!(7, 0x00aa_00aa_00aa_00aa);
    exchange!(14, 0x0000_cccc_0000_cccc);
    exchange!(28, 0x0000_0000_f0f0_f0f0);
    squares
}

/// Returns the shuffle that gathers the bytes of two words, or of two planes, by weight.
#[target_feature(enable = "avx2")]
#[inline]
fn bytes_of_64() -> __m256i {
    _mm256_setr_epi8(
        0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5,
        13, 6, 14, 7, 15,
    )
}

/// Like [`bytes_of_64`], for four words.
#[target_feature(enable = "avx2")]
#[inline]
fn bytes_of_32() -> __m256i {
    _mm256_setr_epi8(
        0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10,
        14, 3, 7, 11, 15,
    )
}

/// Transposes squares of 32-bit lanes.
#[target_feature(enable = "avx2")]
#[inline]
fn squares_of_four([a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
    let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
    let (ab2, cd2) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
    [
        _mm256_unpacklo_epi64(ab, cd),
        _mm256_unpackhi_epi64(ab, cd),
        _mm256_unpacklo_epi64(ab2, cd2),
        _mm256_unpackhi_epi64(ab2, cd2),
    ]
}

/// Transposes squares of 16-bit lanes.
#[target_feature(enable = "avx2")]
#[inline]
fn squares_of_eight([a, b, c, d]: [__m256i; 4], [e, f, g, h]: [__m256i; 4]) -> [__m256i; 8] {
    let low = squares_of_four([
        _mm256_unpacklo_epi16(a, b),
        _mm256_unpacklo_epi16(c, d),
        _mm256_unpacklo_epi16(e, f),
        _mm256_unpacklo_epi16(g, h),
    ]);
    let high = squares_of_four([
        _mm256_unpackhi_epi16(a, b),
        _mm256_unpackhi_epi16(c, d),
        _mm256_unpackhi_epi16(e, f),
        _mm256_unpackhi_epi16(g, h),
    ]);
    let [l0, l1, l2, l3] = low;
    let [h0, h1, h2, h3] = high;
    [l0, l1, l2, l3, h0, h1, h2, h3]
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_32(words: &[u32; 4]) -> __m128i {
    // SAFETY: the slice has 16 bytes, and they may have any alignment.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_64(words: &[u64; 2]) -> __m128i {
    // SAFETY: as in `load_32`.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store_32(vector: __m128i, words: &mut [u32]) {
    if let Some(four) = words.first_chunk_mut::<4>() {
        // SAFETY: as in `load_32`.
        unsafe { _mm_storeu_si128(four.as_mut_ptr().cast(), vector) }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store_64(vector: __m128i, words: &mut [u64]) {
    if let Some(two) = words.first_chunk_mut::<2>() {
        // SAFETY: as in `load_32`.
        unsafe { _mm_storeu_si128(two.as_mut_ptr().cast(), vector) }
    }
}
