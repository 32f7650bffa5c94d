//! Bits and bytes moved together and apart, by instructions that shuffle bytes or gather bits.

#[cfg(target_arch = "x86_64")]
use super::x86;
use super::{Level, Set};

#[expect(
    unsafe_code,
    reason = "functions with target features are unsafe to call"
)]
impl Level {
    /// One bit of every eight bytes to a byte, the first lowest.
    pub(crate) fn pack_bits(self, place: u32, source: &[u8], target: &mut [u8]) {
        let done = match self.0 {
            Set::Portable => 0,
            // SAFETY: the two constructors of these levels have detected the features.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 => unsafe { x86::pack_bits(place, source, target) },
        };
        pack_bits(place, &source[8 * done..], &mut target[done..]);
    }

    /// Every bit of a byte, the lowest first, to a byte that is `one` or zero.
    pub(crate) fn unpack_bits(self, one: u8, source: &[u8], target: &mut [u8]) {
        let done = match self.0 {
            Set::Portable => 0,
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 => unsafe { x86::unpack_bits(one, source, target) },
        };
        unpack_bits(one, &source[done..], &mut target[8 * done..]);
    }

    /// The lower bytes of words of 64 bits, whose others are zeros, one after another as far as
    /// there is room. What has room beyond them is written over.
    pub(crate) fn squeeze(self, bytes: usize, words: &[u8], target: &mut [u8]) {
        let done = match self.0 {
            Set::Portable => 0,
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 => unsafe { x86::squeeze(bytes, words, target) },
        };
        squeeze(bytes, &words[8 * done..], &mut target[bytes * done..]);
    }

    /// Words of 64 bits of so many bytes each, with anything above them; zeros behind the last byte.
    pub(crate) fn spread(self, bytes: usize, source: &[u8], words: &mut [u8]) {
        let done = match self.0 {
            Set::Portable => 0,
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::Avx512 => unsafe { x86::spread(bytes, source, words) },
        };
        spread(bytes, &source[bytes * done..], &mut words[8 * done..]);
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

fn squeeze(bytes: usize, words: &[u8], target: &mut [u8]) {
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

fn spread(bytes: usize, source: &[u8], words: &mut [u8]) {
    let mut at = 0;
    for word in words.as_chunks_mut::<8>().0 {
        let rest = &source[at..];
        *word = match rest.first_chunk() {
            Some(whole) => *whole,
            None => {
                let mut word = [0; 8];
                word[..rest.len()].copy_from_slice(rest);
                word
            }
        };
        at += bytes;
    }
}
