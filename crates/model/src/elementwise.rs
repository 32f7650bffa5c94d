//! What codecs have in common that turn one element after another into one element.

use crate::data_type::DataType;

/// A codec that turns one element after another into one element.
///
/// ```
/// use exactum_model::{DataType, Elementwise, ScaleOffset};
///
/// let codec = ScaleOffset { data_type: DataType::Int8, offset: None, scale: None };
/// assert_eq!(codec.data_types(), (DataType::Int8, DataType::Int8));
/// assert_eq!(<ScaleOffset as Elementwise>::FILL, "scale_offset.fill");
/// ```
pub trait Elementwise {
    /// The clause about a fill value that it rejects.
    const FILL: &'static str;

    /// The data types before encoding and after.
    fn data_types(&self) -> (DataType, DataType);
}
