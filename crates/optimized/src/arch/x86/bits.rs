//! Packing and unpacking with AVX2, for the part of a slice that fills whole vectors. Every function returns
//! how much it has processed, in bytes of packed bits or in words.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_storeu_si128, _mm256_and_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute4x64_epi64, _mm256_set_m128i,
    _mm256_set1_epi8, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi64x,
    _mm256_shuffle_epi8, _mm256_sll_epi64, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_storeu_si256, _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
};

/// A shuffle index that yields a zero byte.
const NOTHING: u8 = 0x80;

/// # Safety
/// The machine must have AVX2.
#[target_feature(enable = "avx2")]
pub(in crate::arch) unsafe fn pack_bits(place: u32, source: &[u8], target: &mut [u8]) -> usize {
    // Bits that are shifted in from a neighbouring byte stay below the highest bit.
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
    // Every byte of the vector receives the source byte that contains its bit, and then keeps only that bit.
    let byte = load(&core::array::from_fn(|place| (place / 8).to_le_bytes()[0]));
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

/// The layout for writing eight words without gaps.
pub(in crate::arch) struct Compress {
    bits: usize,
    fours: [Shifts; 2],
    /// For words of whole bytes: the shuffle that puts the bytes of the two words in each half side by side.
    bytes: Option<__m256i>,
}

impl Compress {
    /// Returns the layout for words of the given width. Returns `None` if two words may span 17 bytes, one
    /// more than half a vector has, or if a byte may contain bits of three words.
    ///
    /// # Safety
    /// The machine must have AVX2.
    #[target_feature(enable = "avx2")]
    pub(in crate::arch) unsafe fn of(bits: usize) -> Option<Self> {
        let bytes = bits / 8;
        let gathered = |to: usize| match to % 16 {
            at if at < 2 * bytes => (at / bytes * 8 + at % bytes).to_le_bytes()[0],
            _ => NOTHING,
        };
        (8..=62).contains(&bits).then(|| Self {
            bits,
            fours: [Shifts::of(bits, 0), Shifts::of(bits, 4)],
            bytes: bits
                .is_multiple_of(8)
                .then(|| load(&core::array::from_fn(gathered))),
        })
    }

    /// # Safety
    /// The machine must have AVX2.
    #[target_feature(enable = "avx2")]
    pub(in crate::arch) unsafe fn run(&self, words: &[u8], target: &mut [u8]) -> usize {
        if let Some(bytes) = self.bytes {
            return self.run_bytes(bytes, words, target);
        }
        let [first, second] = &self.fours;
        // The last half of the second four words is stored last.
        let reach = second.starts[1] + 16;
        let mut done = 0;
        for eight in words.as_chunks::<64>().0 {
            let start = done * self.bits;
            let Some(window) = target.get_mut(start..start + reach) else {
                break;
            };
            let (Some(four), Some(next), Some(before)) = (
                eight.first_chunk(),
                eight.last_chunk(),
                eight[24..].first_chunk(),
            ) else {
                break;
            };
            let four = load(four);
            // The first word follows no part of another word, because eight words fill whole bytes.
            first.compress(
                four,
                _mm256_permute4x64_epi64::<0b00_01_00_00>(four),
                window,
            );
            second.compress(load(next), load(before), window);
            done += 1;
        }
        8 * done
    }
}

impl Compress {
    /// Compresses words of whole bytes without shifts, which take several times as long.
    #[target_feature(enable = "avx2")]
    fn run_bytes(&self, bytes: __m256i, words: &[u8], target: &mut [u8]) -> usize {
        // The number of bytes in two words.
        let step = self.bits / 4;
        let mut done = 0;
        for eight in words.as_chunks::<64>().0 {
            let start = done * self.bits;
            let Some(window) = target.get_mut(start..start + 3 * step + 16) else {
                break;
            };
            for (four, words) in eight.as_chunks::<32>().0.iter().enumerate() {
                let gathered = _mm256_shuffle_epi8(load(words), bytes);
                let halves = [
                    _mm256_castsi256_si128(gathered),
                    _mm256_extracti128_si256::<1>(gathered),
                ];
                for (half, gathered) in halves.into_iter().enumerate() {
                    if let Some(place) = window[(2 * four + half) * step..].first_chunk_mut() {
                        store_half(gathered, place);
                    }
                }
            }
            done += 1;
        }
        8 * done
    }
}

/// The shifts that place the two words in each half of a vector: the first word, the second word, and the end
/// of the word before them, which fills up their first byte.
struct Shifts {
    /// The byte positions of the first two and of the last two words.
    starts: [usize; 2],
    first_up: __m256i,
    first_down: __m256i,
    second_up: __m256i,
    second_down: __m256i,
    before_down: __m256i,
}

impl Shifts {
    /// Returns the shifts for four words of the given width, starting with word `word` of a group of eight.
    #[target_feature(enable = "avx2")]
    fn of(bits: usize, word: usize) -> Self {
        let starts = [word, word + 2].map(|word| word * bits / 8);
        let place = |word: usize| i64::from((word * bits % 8).to_le_bytes()[0]);
        let places = [place(word), place(word + 2)];
        let bits = i64::from(bits.to_le_bytes()[0]);
        // The shift counts for the lower and the upper 64 bits of each half, whose words begin at the given
        // bit. A shift by 64 or more, or by a negative count, gives zero.
        let shifts = |of: &dyn Fn(i64) -> [i64; 2]| -> __m256i {
            let [[a, b], [c, d]] = places.map(of);
            _mm256_setr_epi64x(a, b, c, d)
        };
        Self {
            starts,
            first_up: shifts(&|place| [place, 64]),
            first_down: shifts(&|place| [64, 64 - place]),
            second_up: shifts(&|place| [bits + place, bits + place - 64]),
            second_down: shifts(&|place| [64, 64 - bits - place]),
            before_down: shifts(&|place| [bits - place, 64]),
        }
    }

    /// Packs four words. `before` holds, in the lower word of each half, the word that precedes the two of
    /// that half.
    #[target_feature(enable = "avx2")]
    fn compress(&self, four: __m256i, before: __m256i, target: &mut [u8]) {
        let first = _mm256_unpacklo_epi64(four, four);
        let second = _mm256_unpackhi_epi64(four, four);
        let first = _mm256_or_si256(
            _mm256_sllv_epi64(first, self.first_up),
            _mm256_srlv_epi64(first, self.first_down),
        );
        let second = _mm256_or_si256(
            _mm256_sllv_epi64(second, self.second_up),
            _mm256_srlv_epi64(second, self.second_down),
        );
        let before = _mm256_srlv_epi64(before, self.before_down);
        let halves = _mm256_or_si256(_mm256_or_si256(first, second), before);
        let halves = [
            _mm256_castsi256_si128(halves),
            _mm256_extracti128_si256::<1>(halves),
        ];
        // The zeros behind the bits of a half are overwritten by the next half.
        for (half, start) in halves.into_iter().zip(self.starts) {
            if let Some(place) = target[start..].first_chunk_mut() {
                store_half(half, place);
            }
        }
    }
}

/// The layout for reading eight words from bytes.
pub(in crate::arch) struct Expand {
    bits: usize,
    fours: [Four; 2],
    /// For words of whole bytes: the shuffle that spreads the bytes of two words in each half.
    bytes: Option<__m256i>,
}

impl Expand {
    /// Returns the layout for words of the given width. Returns `None` if two words may span 17 bytes, one
    /// more than half a vector has.
    ///
    /// # Safety
    /// The machine must have AVX2.
    #[target_feature(enable = "avx2")]
    pub(in crate::arch) unsafe fn of(bits: usize) -> Option<Self> {
        let bytes = bits / 8;
        let spread = |to: usize| match to % 8 {
            at if at < bytes => (to % 16 / 8 * bytes + at).to_le_bytes()[0],
            _ => NOTHING,
        };
        (bits <= 62).then(|| Self {
            bits,
            fours: [Four::of(bits, 0), Four::of(bits, 4)],
            bytes: bits
                .is_multiple_of(8)
                .then(|| load(&core::array::from_fn(spread))),
        })
    }

    /// # Safety
    /// The machine must have AVX2.
    #[target_feature(enable = "avx2")]
    pub(in crate::arch) unsafe fn run(&self, source: &[u8], words: &mut [u8]) -> usize {
        if let Some(bytes) = self.bytes {
            return self.run_bytes(bytes, source, words);
        }
        let [first, second] = &self.fours;
        // The last half of the second four words is loaded last.
        let reach = second.starts[1] + 16;
        let (eights, _) = words.as_chunks_mut::<64>();
        let mut done = 0;
        for eight in eights {
            let Some(window) = source.get(done * self.bits..done * self.bits + reach) else {
                break;
            };
            let (four, next) = eight.split_at_mut(32);
            first.expand(window, four);
            second.expand(window, next);
            done += 1;
        }
        8 * done
    }
}

impl Expand {
    /// Expands words of whole bytes.
    #[target_feature(enable = "avx2")]
    fn run_bytes(&self, bytes: __m256i, source: &[u8], words: &mut [u8]) -> usize {
        // The number of bytes in two words.
        let step = self.bits / 4;
        let mut done = 0;
        for eight in words.as_chunks_mut::<64>().0 {
            let start = done * self.bits;
            let Some(window) = source.get(start..start + 3 * step + 16) else {
                break;
            };
            for (four, words) in eight.as_chunks_mut::<32>().0.iter_mut().enumerate() {
                let halves =
                    [2 * four, 2 * four + 1].map(|half| window[half * step..].first_chunk());
                if let [Some(low), Some(high)] = halves {
                    let both = _mm256_set_m128i(load_half(high), load_half(low));
                    store(_mm256_shuffle_epi8(both, bytes), words);
                }
            }
            done += 1;
        }
        8 * done
    }
}

/// The layout for reading four words from bytes.
struct Four {
    /// The byte positions of the first two and of the last two words.
    starts: [usize; 2],
    /// The shuffle for eight bytes of a word, starting with its first byte.
    from_first: __m256i,
    /// The shuffle for eight bytes of a word, starting with its second byte, because a word may end in its
    /// ninth byte.
    from_second: __m256i,
    /// The bit positions of the words in their first bytes.
    places: __m256i,
    /// The number of bits from there to the end of the byte.
    rests: __m256i,
}

impl Four {
    /// Returns the layout for four words of the given width, starting with word `word` of a group of eight.
    #[target_feature(enable = "avx2")]
    fn of(bits: usize, word: usize) -> Self {
        let starts = [word, word + 2].map(|word| word * bits / 8);
        let bytes = |skip: usize| -> __m256i {
            load(&core::array::from_fn(|to| {
                let byte = (word + to / 8) * bits / 8 + skip + to % 8 - starts[to / 16];
                // Bytes behind the half contain no bits of a word.
                if byte < 16 {
                    byte.to_le_bytes()[0]
                } else {
                    NOTHING
                }
            }))
        };
        let place = |word: usize| (word * bits % 8).to_le_bytes()[0];
        let shifts = |shift: &dyn Fn(u8) -> u8| -> __m256i {
            load(&core::array::from_fn(|to| match to % 8 {
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
    fn expand(&self, source: &[u8], words: &mut [u8]) {
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
    // SAFETY: the slice has 32 bytes, and they may have any alignment.
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
