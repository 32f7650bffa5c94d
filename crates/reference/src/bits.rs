//! Bit strings, stored in bytes that are filled from their lowest bit.

/// A bit string that is written at its end.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    length: u64,
}

impl BitWriter {
    /// Returns the number of bits written so far.
    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// Appends a bit.
    pub(crate) fn push(&mut self, bit: bool) {
        let place = self.length % 8;
        if place == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << place;
        }
        self.length += 1;
    }

    /// Appends the lowest `count` bits of a number, starting with the lowest.
    pub(crate) fn push_bits(&mut self, number: u64, count: u32) {
        for place in 0..count {
            self.push(number >> place & 1 == 1);
        }
    }

    /// Removes the bits beyond a length in bits.
    pub(crate) fn truncate(&mut self, length: u64) {
        if length >= self.length {
            return;
        }
        self.length = length;
        self.bytes
            .truncate(usize::try_from(length.div_ceil(8)).unwrap_or(usize::MAX));
        if let (Some(last), 1..) = (self.bytes.last_mut(), length % 8) {
            *last &= !(u8::MAX << (length % 8));
        }
    }

    /// Appends zeros up to a length in bits.
    pub(crate) fn pad(&mut self, length: u64) {
        while self.length < length {
            self.push(false);
        }
    }

    /// Returns the bytes. The last byte is filled up with zeros.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// A bit string that is read from its beginning. Bits after its end are read as zeros.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    position: u64,
}

impl<'a> BitReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Returns the number of bits that have been read or skipped.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Returns whether all bytes have been read, so that only the zeros after the end follow.
    pub(crate) fn is_at_end(&self) -> bool {
        usize::try_from(self.position / 8).map_or(true, |byte| byte >= self.bytes.len())
    }

    /// Reads the next bit.
    pub(crate) fn bit(&mut self) -> bool {
        let byte = usize::try_from(self.position / 8).ok();
        let byte = byte.and_then(|byte| self.bytes.get(byte)).unwrap_or(&0);
        let place = self.position % 8;
        self.position += 1;
        byte >> place & 1 == 1
    }

    /// Reads a number of `count` bits, of which the lowest comes first.
    pub(crate) fn bits(&mut self, count: u32) -> u64 {
        (0..count).fold(0, |number, place| number | u64::from(self.bit()) << place)
    }

    /// Skips the bits before a position. Does nothing if the position has already been passed.
    pub(crate) fn skip_to(&mut self, position: u64) {
        self.position = self.position.max(position);
    }
}
