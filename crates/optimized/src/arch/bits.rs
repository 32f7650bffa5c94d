//! Packing and unpacking of bits, with instructions that shuffle bytes or gather bits.
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

/// With fewer words than this, the vector code does not repay its preparation.
const MANY: usize = 256;

impl SimdLevel {
    /// Packs one bit of each byte, eight to a byte, with the first in the lowest bit.
    pub(crate) fn pack_bits(self, place: u32, source: &[u8], target: &mut [u8]) {
        let done = match self.set {
            Set::Portable => 0,
            // SAFETY: the constructors of these levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 => unsafe { x86::pack_bits(place, source, target) },
        };
        pack_bits(place, &source[8 * done..], &mut target[done..]);
    }

    /// Unpacks every bit, lowest first, into a byte that is either `one` or zero.
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

    /// Writes the lower bits of the words, whose other bits must be zeros, until `target` is full. The first
    /// word begins at a byte boundary. Bytes of `target` behind the packed bits may be overwritten.
    pub(crate) fn run(&self, words: &[u8], target: &mut [u8]) {
        #[cfg(not(target_arch = "x86_64"))]
        let done = 0;
        #[cfg(target_arch = "x86_64")]
        let done = self.vectors.as_ref().map_or(0, |vectors| {
            // SAFETY: `vectors` is only constructed on a machine that has the features.
            unsafe { vectors.run(words, target) }
        });
        // Eight words begin and end at byte boundaries, so the rest starts at a whole byte.
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

    /// Reads words from a source in which the first word begins at a byte boundary. Bits above the width of a
    /// word are unspecified, and missing bytes at the end count as zeros.
    pub(crate) fn run(&self, source: &[u8], words: &mut [u8]) {
        #[cfg(not(target_arch = "x86_64"))]
        let done = 0;
        #[cfg(target_arch = "x86_64")]
        let done = self.vectors.as_ref().map_or(0, |vectors| {
            // SAFETY: `vectors` is only constructed on a machine that has the features.
            unsafe { vectors.run(source, words) }
        });
        // Eight words begin and end at byte boundaries, so the rest starts at a whole byte.
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
        // Bit 8i moves to bit 56 + i; no two products overlap.
        *byte = bits.wrapping_mul(0x0102_0408_1020_4080).to_le_bytes()[7];
    }
}

fn unpack_bits(one: u8, source: &[u8], target: &mut [u8]) {
    for (byte, eight) in source.iter().zip(target.as_chunks_mut().0) {
        // Every copy of the byte keeps one bit, which is then moved to the lowest position.
        let copies = u64::from(*byte) * 0x0101_0101_0101_0101;
        let own = copies & 0x8040_2010_0804_0201;
        let set = (own + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101;
        *eight = (set * u64::from(one)).to_le_bytes();
    }
}

fn compress_bytes(bytes: usize, words: &[u8], target: &mut [u8]) {
    let mut at = 0;
    for word in words.as_chunks::<8>().0 {
        // Bytes written beyond the lower ones are overwritten by the next word.
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

/// A kernel that assembles words of any number of bits.
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
        // The bits of the word may end in the ninth byte.
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
