//! The operation of the `bitround` codec.

use crate::data_type::DataType;
use crate::elementwise::Elementwise;
use crate::format::{FloatFormat, Format, Nan};

/// A resolved `bitround` codec: encoding rounds every component to a number of bits, and decoding changes
/// nothing.
///
/// ```
/// use exactum_model::{BitRound, DataType};
///
/// let codec = BitRound { data_type: DataType::Float32, keep_bits: 10 };
/// assert_eq!(codec.narrow().map(|format| format.mantissa_bits), Some(10));
/// // There is nothing to round in a float32 of which 23 bits are kept, nor is there a mantissa in an integer.
/// assert_eq!(BitRound { keep_bits: 23, ..codec }.narrow(), None);
/// assert_eq!(BitRound { data_type: DataType::Int8, ..codec }.narrow(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitRound {
    /// The data type before and after: any but `bool`.
    pub data_type: DataType,
    /// The number of bits that are kept, at least 1. In a float, they are mantissa bits; in an integer, they
    /// are counted from the most significant bit that is set.
    pub keep_bits: u64,
}

impl BitRound {
    /// Returns the format with the kept bits as its mantissa. Its values are those that encoding leaves
    /// unchanged. Returns `None` if the mantissa has no more bits than that, and for integers.
    #[must_use]
    pub const fn narrow(&self) -> Option<FloatFormat> {
        match self.data_type.format() {
            Format::Float(format) | Format::Complex(format)
                if self.keep_bits < format.mantissa_bits as u64 =>
            {
                Some(FloatFormat {
                    #[expect(clippy::cast_possible_truncation, reason = "it is less than a u32")]
                    mantissa_bits: self.keep_bits as u32,
                    nan: match format.nan {
                        // Only the sign bit is set, which is higher by the number of dropped bits.
                        Nan::Only(code) => {
                            Nan::Only(code >> (format.mantissa_bits as u64 - self.keep_bits))
                        }
                        // No code with fewer bits stands for NaN: all ones followed by zeros are a finite
                        // number.
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
