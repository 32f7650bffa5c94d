//! The operation of the codec `numcodecs.fixedscaleoffset`.

use crate::data_type::DataType;
use crate::elementwise::Elementwise;

/// A resolved `numcodecs.fixedscaleoffset` codec: encoding gives `(in - offset) * scale`, rounded to
/// an integer and cast to `astype`; decoding gives `(in / scale) + offset` as `dtype`.
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
    /// The data type after encoding and before decoding; one of the same list.
    pub astype: DataType,
    /// The number that is subtracted.
    pub offset: FixedScaleOffsetNumber,
    /// The factor by which the difference is multiplied; never zero.
    pub scale: FixedScaleOffsetNumber,
}

/// A parameter of [`FixedScaleOffset`]. Its notation determines the arithmetic for an integer array
/// (scale_offset.legacy.integers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedScaleOffsetNumber {
    /// A number written as an integer, for an integer array whose data type contains it.
    Integer(i128),
    /// Any other number: the bits of a finite binary64 number.
    Binary64(u64),
}

impl Elementwise for FixedScaleOffset {
    const FILL: &'static str = "scale_offset.legacy.fill";

    fn data_types(&self) -> (DataType, DataType) {
        (self.dtype, self.astype)
    }
}
