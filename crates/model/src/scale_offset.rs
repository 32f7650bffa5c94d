//! The operation of the `scale_offset` codec.

use crate::data_type::DataType;
use crate::elementwise::Elementwise;

/// A resolved `scale_offset` codec: encoding gives `(in - offset) * scale`, decoding
/// `(in / scale) + offset`, in the arithmetic of the data type.
///
/// ```
/// use exactum_model::{DataType, ScaleOffset};
///
/// // The parameters are bits of the data type.
/// let codec = ScaleOffset {
///     data_type: DataType::Float32,
///     offset: None,
///     scale: Some(0.5_f32.to_bits().into()),
/// };
/// assert_eq!(codec.offset, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScaleOffset {
    /// The data type before and after; real.
    pub data_type: DataType,
    /// The bits of the offset; `None` where the configuration has none (the step is skipped).
    pub offset: Option<u64>,
    /// The bits of the scale, never a zero; `None` where the configuration has none.
    pub scale: Option<u64>,
}

impl Elementwise for ScaleOffset {
    const FILL: &'static str = "scale_offset.fill";

    fn data_types(&self) -> (DataType, DataType) {
        (self.data_type, self.data_type)
    }
}
