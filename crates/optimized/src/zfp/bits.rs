//! Bit strings in 64-bit words, which are filled from their lowest bit.

use alloc::vec::Vec;

/// The number of bits that [`BitReader::window`] is guaranteed to have after a [`BitReader::refill`].
pub(super) const MOST: u32 = 56;

/// A bit string that grows at its end. The words extend beyond it; a writer first reserves room
/// ([`BitWriter::cursor`]).
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    end: End,
}

/// The position of the next bit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct End {
    /// The offset of the current word in bytes, and the number of its bits that are used.
    at: usize,
    taken: u32,
    /// The used bits, with zeros above them. The word itself may not contain them yet.
    open: u64,
}

/// The end of a bit string, with room behind it.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    bytes: &'a mut [u8],
    end: End,
}

impl BitWriter {
    /// Returns an empty string that reuses the memory of the given bytes.
    pub(super) fn over(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            end: End::default(),
        }
    }

    /// Reserves room for bits after the end. Bits written there become part of the string once the cursor's
    /// end is passed to [`keep`](Self::keep).
    #[inline(always)]
    pub(super) fn cursor(&mut self, bits: usize) -> Cursor<'_> {
        let end = self.end.at + bits / 8 + 16;
        if end > self.bytes.len() {
            self.grow(end);
        }
        Cursor {
            bytes: &mut self.bytes,
            end: self.end,
        }
    }

    #[inline(always)]
    pub(super) fn keep(&mut self, end: End) {
        self.end = end;
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, end: usize) {
        /// The number of bytes that are zeroed at a time, shortly before they are overwritten.
        const STEP: usize = 1 << 14;
        self.bytes.resize(end + STEP, 0);
    }

    /// Appends another string.
    #[cfg(feature = "std")]
    pub(super) fn append(&mut self, other: &Self) {
        let mut cursor = self.cursor(8 * other.end.at + 64);
        for word in other.bytes[..other.end.at].as_chunks().0 {
            cursor.put(u64::from_le_bytes(*word), 64);
        }
        cursor.put(other.end.open, other.end.taken);
        let end = cursor.end();
        self.keep(end);
    }

    /// Returns the bytes, with zeros up to a whole number of words of 64 bits.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        let End { at, taken, open } = self.end;
        self.bytes.truncate(at);
        if taken > 0 {
            self.bytes.extend_from_slice(&open.to_le_bytes());
        }
        self.bytes
    }
}

impl Cursor<'_> {
    pub(super) fn end(&self) -> End {
        self.end
    }

    /// Returns the current number of bits.
    #[inline(always)]
    pub(super) fn len(&self) -> u64 {
        8 * self.end.at as u64 + u64::from(self.end.taken)
    }

    /// Appends the lowest bits of a word, up to 64; those above must be zeros.
    #[inline(always)]
    pub(super) fn put(&mut self, word: u64, count: u32) {
        debug_assert!(count <= 64 && word & !low(count) == 0);
        let End { at, taken, open } = self.end;
        let open = open | word << taken;
        self.bytes[at..at + 8].copy_from_slice(&open.to_le_bytes());
        let over = word >> 1 >> (63 - taken);
        let taken = taken + count;
        self.end = End {
            at: at + (taken / 64 * 8) as usize,
            taken: taken % 64,
            open: if taken >= 64 { over } else { open },
        };
    }

    /// Appends zeros.
    #[inline(always)]
    pub(super) fn zeros(&mut self, mut count: u64) {
        while count > 64 {
            self.put(0, 64);
            count -= 64;
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
        self.put(0, count as u32);
    }

    /// Truncates to the given number of bits.
    #[inline(always)]
    pub(super) fn truncate(&mut self, length: u64) {
        let last = self.end.at;
        self.bytes[last..last + 8].copy_from_slice(&self.end.open.to_le_bytes());
        let (at, taken) = ((length / 64) as usize * 8, (length % 64) as u32);
        let mut word = [0; 8];
        word.copy_from_slice(&self.bytes[at..at + 8]);
        let open = u64::from_le_bytes(word) & low(taken);
        self.end = End { at, taken, open };
    }
}

/// A bit string that is read from its beginning and continues with zeros after its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The byte that is loaded next.
    at: usize,
    /// The next bits, of which at most 63 come from bytes before that one.
    window: u64,
    have: u32,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8], position: u64) -> Self {
        let mut reader = Self {
            bytes,
            at: 0,
            window: 0,
            have: 0,
        };
        reader.seek(position);
        reader
    }

    /// Returns the number of bits read so far.
    #[inline(always)]
    pub(super) fn position(&self) -> u64 {
        8 * self.at as u64 - u64::from(self.have)
    }

    /// Moves to a position.
    #[inline(always)]
    pub(super) fn seek(&mut self, position: u64) {
        let at = (position / 8) as usize;
        let within = (position % 8) as u32;
        self.window = self.load(at) >> within;
        self.at = at + 7;
        self.have = MOST - within;
    }

    #[inline(always)]
    fn load(&self, at: usize) -> u64 {
        match self.bytes.get(at..).and_then(|bytes| bytes.first_chunk()) {
            Some(eight) => u64::from_le_bytes(*eight),
            None => self.last(at),
        }
    }

    /// Loads the last bytes, which are fewer than eight.
    #[cold]
    #[inline(never)]
    fn last(&self, at: usize) -> u64 {
        let bytes = self.bytes.get(at..).unwrap_or_default();
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(eight)
    }

    /// Fills the window to 64 bits, of which [`MOST`] can be skipped.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        self.window |= self.load(self.at) << self.have;
        self.at += (63 - self.have as usize) / 8;
        self.have |= MOST;
    }

    /// Returns the next bits.
    #[inline(always)]
    pub(super) fn window(&self) -> u64 {
        self.window
    }

    /// Skips bits, at most [`MOST`] since the window was filled.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) {
        debug_assert!(count <= self.have);
        self.window >>= count;
        self.have -= count;
    }

    /// Reads a number of at most 64 bits.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> u64 {
        if count == 64 {
            let next = self.load(self.at);
            let word = self.window | next << self.have;
            self.window = next >> 1 >> (63 - self.have);
            self.at += 8;
            return word;
        }
        self.refill();
        let word = self.window & low(count);
        if count <= MOST {
            self.skip(count);
        } else {
            self.seek(self.position() + u64::from(count));
        }
        word
    }
}

/// Returns the given number of ones, at most 64.
#[inline(always)]
pub(super) const fn low(count: u32) -> u64 {
    if count >= 64 {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}
