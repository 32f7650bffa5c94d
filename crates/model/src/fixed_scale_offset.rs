//! The operation of the codec `numcodecs.fixedscaleoffset`.

use crate::data_type::DataType;
use crate::elementwise::Elementwise;

/// A resolved `numcodecs.fixedscaleoffset` codec. Encoding computes `(in - offset) * scale`, rounds it to an
/// integer and casts it to `astype`. Decoding computes `(in / scale) + offset` and casts it to `dtype`.
///
/// ```
/// use exactum_model::{DataType, FixedScaleOffset, FixedScaleOffsetNumber};
///
/// let codec = FixedScaleOffset {
///     dtype: DataType::Float64,
///     astype: DataType::Uint8,
///     offset: FixedScaleOffsetNumber::Integer(1000),
///     scale: FixedScaleOffsetNumber::Binary64(0.1_f64.to_bits()),
/// };
/// assert_ne!(codec.offset, codec.scale);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedScaleOffset {
    /// The data type before encoding and after decoding: an integer of 8 to 64 bits, `float16`,
    /// `float32` or `float64`.
    pub dtype: DataType,
    /// The data type after encoding and before decoding, with the same choice of types.
    pub astype: DataType,
    /// The number that is subtracted.
    pub offset: FixedScaleOffsetNumber,
    /// The factor by which the difference is multiplied. It is never zero.
    pub scale: FixedScaleOffsetNumber,
}

/// A parameter of [`FixedScaleOffset`]. Its notation determines the arithmetic for an integer array
/// (scale_offset.legacy.integers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedScaleOffsetNumber {
    /// A number that is written as an integer and applies to an integer array whose data type contains it.
    Integer(i128),
    /// Any other number, as the bits of a finite binary64 number.
    Binary64(u64),
}

impl Elementwise for FixedScaleOffset {
    const FILL: &'static str = "scale_offset.legacy.fill";

    fn data_types(&self) -> (DataType, DataType) {
        (self.dtype, self.astype)
    }
}
