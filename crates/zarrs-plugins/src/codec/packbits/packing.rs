//! Elements of zarrs as those that are packed.

use exactum_model::{PackBits, PaddingEncoding};

/// How the elements of a data type are packed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    /// The operation, on elements of its own data type.
    pub(super) codec: PackBits,
    /// How many of those an element of the array is: 1, but for data types outside of the registry
    /// with several components.
    pub(super) parts: usize,
}

impl Packing {
    /// Bytes of an element of the array in memory.
    pub(super) fn element_bytes(&self) -> usize {
        self.parts * self.codec.data_type.element_bytes()
    }

    /// Bits of an element of the array when packed.
    pub(super) fn element_bits(&self) -> u64 {
        let components = self.parts * self.codec.data_type.format().components();
        let bits = u64::from(self.codec.last_bit - self.codec.first_bit + 1);
        bits * components as u64
    }

    /// Bytes of a number of elements when packed, the padding byte among them (packbits.length).
    pub(super) fn encoded_bytes(&self, elements: u64) -> Option<u64> {
        let bits = u128::from(elements) * u128::from(self.element_bits());
        let own = u128::from(self.codec.padding != PaddingEncoding::None);
        u64::try_from(bits.div_ceil(8) + own).ok()
    }
}
