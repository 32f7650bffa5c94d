//! AVX2: as much of a slice as goes in whole vectors. Every function tells how far it came, in bytes
//! of bits or in words.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_storeu_si128, _mm256_and_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_set_m128i, _mm256_set1_epi8, _mm256_set1_epi32,
    _mm256_set1_epi64x, _mm256_shuffle_epi8, _mm256_sll_epi64, _mm256_storeu_si256,
};

/// A place that a shuffle fills with zeros.
const NOTHING: u8 = 0x80;

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
pub(in crate::arch) unsafe fn pack_bits(place: u32, source: &[u8], target: &mut [u8]) -> usize {
    // What comes out of a neighbour stays below the highest bit.
    let up = _mm_cvtsi32_si128(7 - place.cast_signed());
    let (source, target) = (source.as_chunks().0, target.as_chunks_mut().0);
    for (bytes, bits) in source.iter().zip(target.iter_mut()) {
        let highest = _mm256_sll_epi64(load(bytes), up);
        *bits = _mm256_movemask_epi8(highest).to_le_bytes();
    }
    4 * source.len().min(target.len())
}

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
pub(in crate::arch) unsafe fn unpack_bits(one: u8, source: &[u8], target: &mut [u8]) -> usize {
    // Every place of a vector gets the byte that has its bit, and of that the bit alone.
    let byte = load(&std::array::from_fn(|place| (place / 8).to_le_bytes()[0]));
    let own = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
    let one = _mm256_set1_epi8(one.cast_signed());
    let (source, target) = (source.as_chunks().0, target.as_chunks_mut().0);
    for (bits, bytes) in source.iter().zip(target.iter_mut()) {
        let copies = _mm256_shuffle_epi8(_mm256_set1_epi32(i32::from_le_bytes(*bits)), byte);
        let set = _mm256_cmpeq_epi8(_mm256_and_si256(copies, own), own);
        store(_mm256_and_si256(set, one), bytes);
    }
    4 * source.len().min(target.len())
}

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
pub(in crate::arch) unsafe fn squeeze(bytes: usize, words: &[u8], target: &mut [u8]) -> usize {
    // Two words go to the start of a half.
    let shuffle = in_halves(|place| match place / bytes {
        word @ 0..2 => Some(8 * word + place % bytes),
        _ => None,
    });
    let mut done = 0;
    for four in words.as_chunks().0 {
        let window = target.get_mut(done * bytes..(done + 2) * bytes + 16);
        let Some(window) = window else { break };
        let squeezed = _mm256_shuffle_epi8(load(four), shuffle);
        // Zeros behind the first two words are written over by the next two.
        if let Some(half) = window.first_chunk_mut() {
            store_half(_mm256_castsi256_si128(squeezed), half);
        }
        if let Some(half) = window.last_chunk_mut() {
            store_half(_mm256_extracti128_si256::<1>(squeezed), half);
        }
        done += 4;
    }
    done
}

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
pub(in crate::arch) unsafe fn spread(bytes: usize, source: &[u8], words: &mut [u8]) -> usize {
    let shuffle = in_halves(|place| match place % 8 {
        byte if byte < bytes => Some(place / 8 * bytes + byte),
        _ => None,
    });
    let mut done = 0;
    for four in words.as_chunks_mut().0 {
        let window = source.get(done * bytes..(done + 2) * bytes + 16);
        let Some(window) = window else { break };
        let (Some(low), Some(high)) = (window.first_chunk(), window.last_chunk()) else {
            break;
        };
        let halves = _mm256_set_m128i(load_half(high), load_half(low));
        store(_mm256_shuffle_epi8(halves, shuffle), four);
        done += 4;
    }
    done
}

/// A shuffle of both halves of a vector: which byte a place of a half gets.
#[target_feature(enable = "avx2")]
fn in_halves(from: impl Fn(usize) -> Option<usize>) -> __m256i {
    load(&std::array::from_fn(|place| {
        from(place % 16).map_or(NOTHING, |byte| byte.to_le_bytes()[0])
    }))
}

#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: there are as many bytes, and they may have any alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
fn store(vector: __m256i, bytes: &mut [u8; 32]) {
    // SAFETY: as in `load`.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector) }
}

#[target_feature(enable = "avx2")]
fn load_half(bytes: &[u8; 16]) -> __m128i {
    // SAFETY: as in `load`.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
fn store_half(half: __m128i, bytes: &mut [u8; 16]) {
    // SAFETY: as in `load`.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), half) }
}
