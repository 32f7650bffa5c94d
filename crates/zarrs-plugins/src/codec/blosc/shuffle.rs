//! Blosc's shuffling of the bytes of a block before compression.

/// Returns the first bytes of all elements, then the second ones, and so on. An incomplete element stays at
/// the end.
pub(super) fn shuffle(width: usize, block: &[u8]) -> Vec<u8> {
    let count = block.len() / width;
    let mut output = block.to_vec();
    for (at, element) in block.chunks_exact(width).enumerate() {
        for (byte, value) in element.iter().enumerate() {
            output[byte * count + at] = *value;
        }
    }
    output
}

/// Reverses [`shuffle`].
pub(super) fn unshuffle(width: usize, block: &[u8]) -> Vec<u8> {
    let count = block.len() / width;
    let mut output = block.to_vec();
    for (at, element) in output.chunks_exact_mut(width).enumerate() {
        for (byte, value) in element.iter_mut().enumerate() {
            *value = block[byte * count + at];
        }
    }
    output
}

/// Returns the lowest bits of all elements, then the next ones, and so on, if the number of elements is a
/// multiple of eight. Otherwise, returns the block unchanged.
pub(super) fn bitshuffle(width: usize, block: &[u8]) -> Vec<u8> {
    let mut output = block.to_vec();
    let Some(planes) = Planes::of(width, block.len()) else {
        return output;
    };
    output[..planes.bytes()].fill(0);
    for (at, element) in block[..planes.bytes()].chunks_exact(width).enumerate() {
        for (byte, value) in element.iter().enumerate() {
            for bit in 0..8 {
                output[planes.place(byte, bit, at)] |= (value >> bit & 1) << (at % 8);
            }
        }
    }
    output
}

/// Reverses [`bitshuffle`].
pub(super) fn bitunshuffle(width: usize, block: &[u8]) -> Vec<u8> {
    let mut output = block.to_vec();
    let Some(planes) = Planes::of(width, block.len()) else {
        return output;
    };
    for (at, element) in output[..planes.bytes()].chunks_exact_mut(width).enumerate() {
        for (byte, value) in element.iter_mut().enumerate() {
            *value = (0..8).fold(0, |sum, bit| {
                sum | (block[planes.place(byte, bit, at)] >> (at % 8) & 1) << bit
            });
        }
    }
    output
}

/// The positions of the bits of elements after [`bitshuffle`].
struct Planes {
    width: usize,
    count: usize,
}

impl Planes {
    fn of(width: usize, length: usize) -> Option<Self> {
        let count = length / width;
        (count > 0 && count.is_multiple_of(8)).then_some(Self { width, count })
    }

    fn bytes(&self) -> usize {
        self.width * self.count
    }

    /// Returns the index of the byte that holds a bit of an element.
    fn place(&self, byte: usize, bit: usize, at: usize) -> usize {
        (byte * 8 + bit) * (self.count / 8) + at / 8
    }
}

#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the inputs are the low bits of numbers"
)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_bits_of_elements_are_brought_together() {
        assert_eq!(shuffle(2, &[1, 2, 3, 4, 5, 6, 7]), [1, 3, 5, 2, 4, 6, 7]);
        // Eight elements of one byte each: the lowest bits come first.
        let block = [1, 0, 1, 0, 0, 0, 0, 0x80];
        assert_eq!(bitshuffle(1, &block), [0b101, 0, 0, 0, 0, 0, 0, 0x80]);
        assert_eq!(bitshuffle(1, &block[1..]), block[1..]);
    }

    #[test]
    fn what_was_shuffled_comes_back() {
        for length in [0, 1, 7, 8, 63, 64, 100, 1000, 1024] {
            let block: Vec<u8> = (0..length).map(|at: usize| (at * 37 % 251) as u8).collect();
            for width in [1, 2, 3, 4, 8, 16] {
                assert_eq!(unshuffle(width, &shuffle(width, &block)), block);
                assert_eq!(bitunshuffle(width, &bitshuffle(width, &block)), block);
            }
        }
    }
}
