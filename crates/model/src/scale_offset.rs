//! The operation of the `scale_offset` codec.

use crate::data_type::DataType;
use crate::elementwise::Elementwise;

/// A resolved `scale_offset` codec. Encoding computes `(in - offset) * scale`, and decoding computes
/// `(in / scale) + offset`, both in the arithmetic of the data type.
///
/// ```
/// use exactum_model::{DataType, ScaleOffset};
///
/// // The parameters are bits of the data type.
/// let codec = ScaleOffset::new(DataType::Float32).scale(0.5_f32.to_bits().into());
/// assert_eq!(codec.offset, None);
/// assert_eq!(codec.offset(0).offset, Some(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleOffset {
    /// The data type before and after encoding. It is real.
    pub data_type: DataType,
    /// The bits of the offset. If the configuration has none, it is `None`, and the subtraction or addition is
    /// skipped.
    pub offset: Option<u64>,
    /// The bits of the scale, which is never a zero. If the configuration has none, it is `None`, and the
    /// multiplication or division is skipped.
    pub scale: Option<u64>,
}

impl ScaleOffset {
    /// Creates a codec without offset and scale, which changes nothing.
    #[must_use]
    pub const fn new(data_type: DataType) -> Self {
        Self {
            data_type,
            offset: None,
            scale: None,
        }
    }

    /// Sets the bits of the offset.
    #[must_use]
    pub const fn offset(mut self, bits: u64) -> Self {
        self.offset = Some(bits);
        self
    }

    /// Sets the bits of the scale, which must not be a zero.
    #[must_use]
    pub const fn scale(mut self, bits: u64) -> Self {
        self.scale = Some(bits);
        self
    }
}

impl Elementwise for ScaleOffset {
    const FILL: &'static str = "scale_offset.fill";

    fn data_types(&self) -> (DataType, DataType) {
        (self.data_type, self.data_type)
    }
}
