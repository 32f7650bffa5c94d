//! Converts elements of zarrs into those that are packed.

use exactum_model::{PackBits, PaddingEncoding};

/// The way in which the elements of a data type are packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    /// The operation, on elements of its own data type.
    pub(super) codec: PackBits,
    /// The number of such elements in an element of the array: 1, except for data types outside of the
    /// registry with several components.
    pub(super) parts: usize,
}

impl Packing {
    /// Returns the number of bytes of an element in memory.
    pub(super) fn element_bytes(&self) -> usize {
        self.parts * self.codec.data_type.element_bytes()
    }

    /// Returns the number of bits of a packed element.
    pub(super) fn element_bits(&self) -> u64 {
        let components = self.parts * self.codec.data_type.format().components();
        let bits = u64::from(self.codec.last_bit - self.codec.first_bit + 1);
        bits * components as u64
    }

    /// Returns the number of bytes of packed elements, including the padding byte (packbits.length).
    pub(super) fn encoded_bytes(&self, elements: u64) -> Option<u64> {
        let bits = u128::from(elements) * u128::from(self.element_bits());
        let own = u128::from(self.codec.padding != PaddingEncoding::None);
        u64::try_from(bits.div_ceil(8) + own).ok()
    }
}
