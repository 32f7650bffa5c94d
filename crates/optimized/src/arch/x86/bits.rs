//! AVX2: as much of a slice as goes in whole vectors. Every function tells how far it came, in bytes
//! of bits or in words.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_storeu_si128, _mm256_and_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_m128i, _mm256_set1_epi8, _mm256_set1_epi32,
    _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_shuffle_epi8, _mm256_sll_epi64,
    _mm256_sllv_epi64, _mm256_srlv_epi64, _mm256_storeu_si256, _mm256_unpackhi_epi64,
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

/// Of a multiple of four bits, so that two words end with a byte.
///
/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
pub(in crate::arch) unsafe fn squeeze(bits: usize, words: &[u8], target: &mut [u8]) -> usize {
    let bytes = bits / 4;
    let up = i64::from(bits.to_le_bytes()[0]);
    // Shifts by 64 leave nothing.
    let ups = _mm256_setr_epi64x(up, 64, up, 64);
    let downs = _mm256_setr_epi64x(64, 64 - up, 64, 64 - up);
    let firsts = _mm256_setr_epi64x(-1, 0, -1, 0);
    let mut done = 0;
    for four in words.as_chunks().0 {
        let Some(window) = target.get_mut(done..done + bytes + 16) else {
            break;
        };
        // In each half the second word goes behind the bits of the first one.
        let four = load(four);
        let second = _mm256_unpackhi_epi64(four, four);
        let second = _mm256_or_si256(
            _mm256_sllv_epi64(second, ups),
            _mm256_srlv_epi64(second, downs),
        );
        let halves = _mm256_or_si256(_mm256_and_si256(four, firsts), second);
        // Zeros behind the first half are written over by the other.
        if let Some(place) = window.first_chunk_mut() {
            store_half(_mm256_castsi256_si128(halves), place);
        }
        if let Some(place) = window.last_chunk_mut() {
            store_half(_mm256_extracti128_si256::<1>(halves), place);
        }
        done += 2 * bytes;
    }
    done / bytes * 2
}

/// How eight words are taken out of bytes.
pub(in crate::arch) struct Spread {
    bits: usize,
    fours: [Four; 2],
}

impl Spread {
    /// Words of so many bits; nothing, if two of them may lie in 17 bytes, one more than half a
    /// vector has.
    ///
    /// # Safety
    /// The machine must have AVX2.
    #[target_feature(enable = "avx2")]
    pub(in crate::arch) unsafe fn of(bits: usize) -> Option<Self> {
        (bits <= 62).then(|| Self {
            bits,
            fours: [Four::of(bits, 0), Four::of(bits, 4)],
        })
    }

    /// # Safety
    /// The machine must have AVX2.
    #[target_feature(enable = "avx2")]
    pub(in crate::arch) unsafe fn run(&self, source: &[u8], words: &mut [u8]) -> usize {
        let [first, second] = &self.fours;
        // As far as the last half of the second four is loaded.
        let reach = second.starts[1] + 16;
        let (eights, _) = words.as_chunks_mut::<64>();
        let mut done = 0;
        for eight in eights {
            let Some(window) = source.get(done * self.bits..done * self.bits + reach) else {
                break;
            };
            let (four, next) = eight.split_at_mut(32);
            first.spread(window, four);
            second.spread(window, next);
            done += 1;
        }
        8 * done
    }
}

/// How four words are taken out of bytes.
struct Four {
    /// Where the bytes of the first two and of the last two words start.
    starts: [usize; 2],
    /// Eight bytes of a word, from its first one on.
    from_first: __m256i,
    /// Eight bytes of a word, from its second one on: it may end in the ninth.
    from_second: __m256i,
    /// The places of the words in their first bytes.
    places: __m256i,
    /// From there to the end of the byte.
    rests: __m256i,
}

impl Four {
    /// Four words of so many bits, from this one of a group of eight on.
    #[target_feature(enable = "avx2")]
    fn of(bits: usize, word: usize) -> Self {
        let starts = [word, word + 2].map(|word| word * bits / 8);
        let bytes = |skip: usize| -> __m256i {
            load(&std::array::from_fn(|to| {
                let byte = (word + to / 8) * bits / 8 + skip + to % 8 - starts[to / 16];
                // Bits of a word are in none behind.
                if byte < 16 {
                    byte.to_le_bytes()[0]
                } else {
                    NOTHING
                }
            }))
        };
        let place = |word: usize| (word * bits % 8).to_le_bytes()[0];
        let shifts = |shift: &dyn Fn(u8) -> u8| -> __m256i {
            load(&std::array::from_fn(|to| match to % 8 {
                0 => shift(place(word + to / 8)),
                _ => 0,
            }))
        };
        Self {
            starts,
            from_first: bytes(0),
            from_second: bytes(1),
            places: shifts(&|place| place),
            rests: shifts(&|place| 8 - place),
        }
    }

    #[target_feature(enable = "avx2")]
    fn spread(&self, source: &[u8], words: &mut [u8]) {
        let [low, high] = self.starts.map(|start| source[start..].first_chunk());
        let (Some(low), Some(high), Some(words)) = (low, high, words.first_chunk_mut()) else {
            return;
        };
        let bytes = _mm256_set_m128i(load_half(high), load_half(low));
        let lower = _mm256_srlv_epi64(_mm256_shuffle_epi8(bytes, self.from_first), self.places);
        let upper = _mm256_sllv_epi64(_mm256_shuffle_epi8(bytes, self.from_second), self.rests);
        store(_mm256_or_si256(lower, upper), words);
    }
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
