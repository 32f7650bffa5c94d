//! The trait of elementwise codecs.

use crate::data_type::DataType;

/// A codec that converts each element independently of the others.
///
/// ```
/// use exactum_model::{DataType, Elementwise, ScaleOffset};
///
/// let codec = ScaleOffset::new(DataType::Int8);
/// assert_eq!(codec.data_types(), (DataType::Int8, DataType::Int8));
/// assert_eq!(<ScaleOffset as Elementwise>::FILL, "scale_offset.fill");
/// ```
pub trait Elementwise {
    /// The clause by which the codec rejects a fill value that it cannot convert.
    const FILL: &'static str;

    /// Returns the data types of the elements before and after encoding.
    fn data_types(&self) -> (DataType, DataType);
}
