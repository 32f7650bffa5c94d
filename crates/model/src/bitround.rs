//! The operation of the `bitround` codec.

use crate::data_type::DataType;
use crate::elementwise::Elementwise;
use crate::format::{FloatFormat, Format, Nan};

/// A resolved `bitround` codec. Encoding rounds every component to a given number of bits, and decoding changes
/// nothing.
///
/// ```
/// use exactum_model::{BitRound, DataType};
///
/// let codec = BitRound::new(DataType::Float32, 10);
/// assert_eq!(codec.narrow().map(|format| format.mantissa_bits), Some(10));
/// // There is nothing to round in a float32 of which 23 bits are kept, nor is there a mantissa in an integer.
/// assert_eq!(BitRound { keep_bits: 23, ..codec }.narrow(), None);
/// assert_eq!(BitRound { data_type: DataType::Int8, ..codec }.narrow(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitRound {
    /// The data type before and after encoding: any type except `bool`.
    pub data_type: DataType,
    /// The number of bits that are kept, at least 1. In a float, these are mantissa bits. In an integer, they are
    /// counted from the most significant set bit.
    pub keep_bits: u64,
}

impl BitRound {
    /// Creates a codec that keeps a number of bits, which must be at least 1.
    #[must_use]
    pub const fn new(data_type: DataType, keep_bits: u64) -> Self {
        Self {
            data_type,
            keep_bits,
        }
    }

    /// Returns the format whose mantissa consists of the kept bits. Its values are exactly those that encoding
    /// leaves unchanged. Returns `None` for integers, and if all mantissa bits are kept.
    #[must_use]
    pub const fn narrow(&self) -> Option<FloatFormat> {
        match self.data_type.format() {
            Format::Float(format) | Format::Complex(format)
                if self.keep_bits < format.mantissa_bits as u64 =>
            {
                Some(FloatFormat {
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "less than mantissa_bits, a u32"
                    )]
                    mantissa_bits: self.keep_bits as u32,
                    nan: match format.nan {
                        // The code consists of the sign bit alone, which moves down by the number of dropped bits.
                        Nan::Only(code) => {
                            Nan::Only(code >> (format.mantissa_bits as u64 - self.keep_bits))
                        }
                        // The narrow format has no NaN: a code of all ones, extended by zeros, is a finite number.
                        Nan::AllOnes => Nan::None,
                        nan => nan,
                    },
                    ..format
                })
            }
            _ => None,
        }
    }
}

impl Elementwise for BitRound {
    const FILL: &'static str = "bitround.fill";

    fn data_types(&self) -> (DataType, DataType) {
        (self.data_type, self.data_type)
    }
}
