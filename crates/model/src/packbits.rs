//! The operation of the `packbits` codec.

use crate::data_type::DataType;

/// A resolved `packbits` codec, which stores the bits `first_bit` to `last_bit` of every component in
/// sequence.
///
/// The fields satisfy `first_bit <= last_bit < N`, where `N` is the width of a component in bits. Bits are
/// counted from the least significant one.
///
/// ```
/// use exactum_model::{DataType, PackBits, PaddingEncoding};
///
/// let codec = PackBits::whole(DataType::Uint4);
/// assert_eq!((codec.first_bit, codec.last_bit), (0, 3));
/// let codec = codec.bits(1, 2).padding(PaddingEncoding::FirstByte);
/// assert_eq!((codec.first_bit, codec.padding.name()), (1, "first_byte"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackBits {
    /// The data type of the array.
    pub data_type: DataType,
    /// Where the number of padding bits is written.
    pub padding: PaddingEncoding,
    /// The lowest bit of a component that is kept.
    pub first_bit: u32,
    /// The highest bit of a component that is kept.
    pub last_bit: u32,
}

/// The place where `packbits` writes the byte that holds the number of padding bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaddingEncoding {
    /// The byte is not written.
    #[default]
    None,
    /// The byte precedes the packed bits.
    FirstByte,
    /// The byte follows the packed bits.
    LastByte,
}

impl PackBits {
    /// Creates a codec that keeps all bits and writes no padding byte, which is the meaning of an absent
    /// configuration.
    #[must_use]
    pub const fn whole(data_type: DataType) -> Self {
        Self {
            data_type,
            padding: PaddingEncoding::None,
            first_bit: 0,
            last_bit: data_type.format().component_bits() - 1,
        }
    }

    /// Makes the codec keep the bits from `first` to `last`, inclusive.
    #[must_use]
    pub const fn bits(mut self, first: u32, last: u32) -> Self {
        self.first_bit = first;
        self.last_bit = last;
        self
    }

    /// Sets where the number of padding bits is written.
    #[must_use]
    pub const fn padding(mut self, padding: PaddingEncoding) -> Self {
        self.padding = padding;
        self
    }
}

impl PaddingEncoding {
    /// Every encoding.
    pub const ALL: [Self; 3] = [Self::None, Self::FirstByte, Self::LastByte];

    /// Returns the name of the encoding in a configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PaddingEncoding::None => "none",
            PaddingEncoding::FirstByte => "first_byte",
            PaddingEncoding::LastByte => "last_byte",
        }
    }
}
