//! Packing and unpacking of bits, by instructions that shuffle bytes or gather bits.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "functions with target features are unsafe to call"
    )
)]

#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Flags, Kernel, NO_FLAGS, Set, SimdLevel};

/// Fewer words do not repay the preparation for vectors.
const MANY: usize = 256;

impl SimdLevel {
    /// Packs one bit of every eight bytes into a byte, the first lowest.
    pub(crate) fn pack_bits(self, place: u32, source: &[u8], target: &mut [u8]) {
        let done = match self.set {
            Set::Portable => 0,
            // SAFETY: the two constructors of these levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 => unsafe { x86::pack_bits(place, source, target) },
        };
        pack_bits(place, &source[8 * done..], &mut target[done..]);
    }

    /// Unpacks every bit of a byte, the lowest first, into a byte that is `one` or zero.
    pub(crate) fn unpack_bits(self, one: u8, source: &[u8], target: &mut [u8]) {
        let done = match self.set {
            Set::Portable => 0,
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 => unsafe { x86::unpack_bits(one, source, target) },
        };
        unpack_bits(one, &source[done..], &mut target[8 * done..]);
    }
}

/// Packs a given number of bits of each 64-bit word into bytes, without gaps.
pub(crate) struct Compress {
    level: SimdLevel,
    bits: usize,
    #[cfg(target_arch = "x86_64")]
    vectors: Option<x86::Compress>,
}

impl Compress {
    /// Prepares for about `words` words.
    pub(crate) fn of(level: SimdLevel, bits: usize, words: usize) -> Self {
        let wanted = words >= MANY && level != SimdLevel::PORTABLE;
        #[cfg(not(target_arch = "x86_64"))]
        let _ = wanted;
        Self {
            level,
            bits,
            // SAFETY: the constructors of all other levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            vectors: wanted.then(|| unsafe { x86::Compress::of(bits) }).flatten(),
        }
    }

    /// The lower bits of words, whose others are zeros, from the start of a byte, while there is
    /// room. What has room beyond them is written over.
    pub(crate) fn run(&self, words: &[u8], target: &mut [u8]) {
        #[cfg(not(target_arch = "x86_64"))]
        let done = 0;
        #[cfg(target_arch = "x86_64")]
        let done = self.vectors.as_ref().map_or(0, |vectors| {
            // SAFETY: they were made on a machine that has the features.
            unsafe { vectors.run(words, target) }
        });
        // In groups of eight words, which begin bytes.
        let (words, target) = (&words[8 * done..], &mut target[done / 8 * self.bits..]);
        if self.bits.is_multiple_of(8) {
            compress_bytes(self.bits / 8, words, target);
        } else {
            let bits = self.bits;
            self.level.run(&Pieces { bits }, words, target);
        }
    }
}

/// Unpacks 64-bit words from bytes that hold a given number of bits of each, without gaps.
pub(crate) struct Expand {
    bits: usize,
    #[cfg(target_arch = "x86_64")]
    vectors: Option<x86::Expand>,
}

impl Expand {
    /// Prepares for about `words` words.
    pub(crate) fn of(level: SimdLevel, bits: usize, words: usize) -> Self {
        let wanted = words >= MANY && level != SimdLevel::PORTABLE;
        #[cfg(not(target_arch = "x86_64"))]
        let _ = wanted;
        Self {
            bits,
            // SAFETY: the constructors of all other levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            vectors: wanted.then(|| unsafe { x86::Expand::of(bits) }).flatten(),
        }
    }

    /// The words of a source in which the first one begins a byte; with anything above their bits,
    /// and zeros behind the last byte.
    pub(crate) fn run(&self, source: &[u8], words: &mut [u8]) {
        #[cfg(not(target_arch = "x86_64"))]
        let done = 0;
        #[cfg(target_arch = "x86_64")]
        let done = self.vectors.as_ref().map_or(0, |vectors| {
            // SAFETY: they were made on a machine that has the features.
            unsafe { vectors.run(source, words) }
        });
        // In groups of eight words, which begin bytes.
        expand(
            self.bits,
            &source[done / 8 * self.bits..],
            &mut words[8 * done..],
        );
    }
}

fn pack_bits(place: u32, source: &[u8], target: &mut [u8]) {
    for (eight, byte) in source.as_chunks().0.iter().zip(target) {
        let bits = u64::from_le_bytes(*eight) >> place & 0x0101_0101_0101_0101;
        // Bit 8i goes to bit 56 + i; no two products meet.
        *byte = bits.wrapping_mul(0x0102_0408_1020_4080).to_le_bytes()[7];
    }
}

fn unpack_bits(one: u8, source: &[u8], target: &mut [u8]) {
    for (byte, eight) in source.iter().zip(target.as_chunks_mut().0) {
        // Every byte has its own bit, which then becomes the lowest.
        let copies = u64::from(*byte) * 0x0101_0101_0101_0101;
        let own = copies & 0x8040_2010_0804_0201;
        let set = (own + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
        *eight = (set * u64::from(one)).to_le_bytes();
    }
}

fn compress_bytes(bytes: usize, words: &[u8], target: &mut [u8]) {
    let mut at = 0;
    for word in words.as_chunks::<8>().0 {
        // What is written beyond the lower bytes is written over by the next word.
        match target[at..].first_chunk_mut() {
            Some(place) => *place = *word,
            None => {
                let rest = &mut target[at..];
                rest.copy_from_slice(&word[..rest.len()]);
            }
        }
        at += bytes;
    }
}

/// A word assembled from any number of bits.
struct Pieces {
    bits: usize,
}

impl Kernel for Pieces {
    #[inline(always)]
    fn run(&self, words: &[u8], target: &mut [u8]) -> Flags {
        let mut at = 0;
        let mut pending = 0;
        let mut filled = 0;
        for word in words.as_chunks().0 {
            let word = u64::from_le_bytes(*word);
            pending |= word << filled;
            filled += self.bits;
            if filled >= 64 {
                match target[at..].first_chunk_mut() {
                    Some(place) => *place = pending.to_le_bytes(),
                    None => break,
                }
                at += 8;
                filled -= 64;
                pending = word >> (self.bits - filled);
            }
        }
        let rest = target[at..].len().min(8);
        target[at..at + rest].copy_from_slice(&pending.to_le_bytes()[..rest]);
        NO_FLAGS
    }
}

fn expand(bits: usize, source: &[u8], words: &mut [u8]) {
    let mut at = 0;
    for word in words.as_chunks_mut::<8>().0 {
        let place = at % 8;
        let from = &source[at / 8..];
        // They may end in the ninth byte.
        let (lower, ninth) = match from {
            [a, b, c, d, e, f, g, h, ninth, ..] => ([*a, *b, *c, *d, *e, *f, *g, *h], *ninth),
            _ => {
                let mut lower = [0; 8];
                lower[..from.len()].copy_from_slice(from);
                (lower, 0)
            }
        };
        let upper = u64::from(ninth) << 1 << (63 - place);
        *word = (u64::from_le_bytes(lower) >> place | upper).to_le_bytes();
        at += bits;
    }
}
