//! What codecs have in common that turn one element after another into one element.

use crate::data_type::DataType;

/// A codec that turns one element after another into one element.
pub trait Elementwise {
    /// The clause about a fill value that it rejects.
    const FILL: &'static str;

    /// The data types before encoding and after.
    fn data_types(&self) -> (DataType, DataType);
}
