//! Strings of bits, in bytes that fill up from their lowest bit, up to 64 at a time.

/// The most bits that [`BitWriter::put`] takes and [`BitReader::peek`] gives for sure: whole bytes
/// that lie in 64 bits wherever in a byte they begin.
pub(super) const MOST: u32 = 56;

/// A string of bits that grows at its end. The bytes reach beyond it; whoever writes asks for room
/// first ([`BitWriter::reserve`]).
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// The byte that the next bit goes into, and how many of its bits are taken.
    at: usize,
    taken: u32,
    /// The taken bits; zeros above them.
    open: u64,
}

impl BitWriter {
    /// The bits so far.
    #[inline(always)]
    pub(super) fn len(&self) -> u64 {
        8 * self.at as u64 + u64::from(self.taken)
    }

    /// Makes room for so many bits.
    #[inline(always)]
    pub(super) fn reserve(&mut self, bits: usize) {
        let end = self.at + bits / 8 + 17;
        if end > self.bytes.len() {
            self.grow(end);
        }
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.bytes.resize(end.max(2 * self.bytes.len()), 0);
    }

    /// Appends the lowest bits of a word, at most [`MOST`]; those above must be zeros.
    #[inline(always)]
    pub(super) fn put(&mut self, word: u64, count: u32) {
        debug_assert!(count <= MOST && word >> count == 0);
        let open = self.open | word << self.taken;
        let taken = self.taken + count;
        let end = self.at + 8;
        self.bytes[self.at..end].copy_from_slice(&open.to_le_bytes());
        let whole = taken / 8;
        self.at += whole as usize;
        self.taken = taken % 8;
        self.open = open >> (8 * whole);
    }

    /// As [`put`](Self::put), up to 64 bits.
    #[inline(always)]
    pub(super) fn put_wide(&mut self, word: u64, count: u32) {
        if count <= 32 {
            self.put(word, count);
        } else {
            self.put(word & 0xffff_ffff, 32);
            self.put(word >> 32, count - 32);
        }
    }

    /// Appends zeros.
    #[inline(always)]
    pub(super) fn zeros(&mut self, mut count: u64) {
        while count > u64::from(MOST) {
            self.put(0, MOST);
            count -= u64::from(MOST);
        }
        #[expect(clippy::cast_possible_truncation, reason = "at most `MOST`")]
        self.put(0, count as u32);
    }

    /// Takes back what lies behind so many bits.
    pub(super) fn truncate(&mut self, length: u64) {
        self.at = (length / 8) as usize;
        self.taken = (length % 8) as u32;
        self.open = u64::from(self.bytes[self.at]) & ((1 << self.taken) - 1);
    }

    /// Appends another string.
    pub(super) fn append(&mut self, other: &Self) {
        self.reserve(8 * other.at + 64);
        let (fours, rest) = other.bytes[..other.at].as_chunks::<4>();
        for four in fours {
            self.put(u64::from(u32::from_le_bytes(*four)), 32);
        }
        for &byte in rest {
            self.put(u64::from(byte), 8);
        }
        self.put(other.open, other.taken);
    }

    /// The bytes, with zeros up to a whole number of words of 64 bits.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.reserve(64);
        let length = self.len().next_multiple_of(64);
        self.zeros(length - self.len());
        self.bytes.truncate(self.at);
        self.bytes
    }
}

/// A string of bits that is read from its front. Behind its end there are zeros.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    position: u64,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8], position: u64) -> Self {
        Self { bytes, position }
    }

    /// The bits that were read so far.
    #[inline(always)]
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// The next bits: [`MOST`] of them, and some more.
    #[inline(always)]
    pub(super) fn peek(&self) -> u64 {
        let at = (self.position / 8) as usize;
        let word = match self.bytes.get(at..).and_then(|bytes| bytes.first_chunk()) {
            Some(eight) => u64::from_le_bytes(*eight),
            None => self.last(at),
        };
        word >> (self.position % 8)
    }

    /// Fewer than eight bytes.
    #[cold]
    fn last(&self, at: usize) -> u64 {
        let bytes = self.bytes.get(at..).unwrap_or_default();
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(eight)
    }

    /// Passes over bits.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) {
        self.position += u64::from(count);
    }

    /// Passes over bits up to a position.
    #[inline(always)]
    pub(super) fn skip_to(&mut self, position: u64) {
        self.position = self.position.max(position);
    }

    /// A number of so many bits, at most 64.
    #[inline(always)]
    pub(super) fn take(&mut self, count: u32) -> u64 {
        if count <= MOST {
            let word = self.peek() & low(count);
            self.skip(count);
            word
        } else {
            let word = self.peek() & low(32);
            self.skip(32);
            let upper = self.peek() & low(count - 32);
            self.skip(count - 32);
            word | upper << 32
        }
    }
}

/// So many ones, at most 64.
#[inline(always)]
pub(super) const fn low(count: u32) -> u64 {
    if count >= 64 {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}
