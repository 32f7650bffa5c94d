//! Packing by the attributes of the CF conventions.

use alloc::vec::Vec;

use crate::data_type::DataType;
use crate::elementwise::Elementwise;

/// Resolved attributes of a packed variable: unpacking gives `code * scale_factor + add_offset`,
/// packing rounds `(value - add_offset) / scale_factor` to a code.
///
/// ```
/// use exactum_model::{Cf, DataType};
///
/// // Numbers are bits of the unpacked type, codes those of the packed one.
/// let codec = Cf {
///     unpacked: DataType::Float64,
///     packed: DataType::Int16,
///     counted: DataType::Int16,
///     scale_factor: Some(0.5_f64.to_bits()),
///     add_offset: None,
///     missing: vec![0x8000],
///     valid: (-100, 100),
/// };
/// assert_eq!(codec.missing.first(), Some(&0x8000));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cf {
    /// The data type of values: `float32` or `float64`, in which every step is rounded, or `counted` if
    /// nothing is computed.
    pub unpacked: DataType,
    /// The data type of the stored codes: an integer of 8 to 32 bits.
    pub packed: DataType,
    /// The data type as which the bits of codes are interpreted, of the same width: `_Unsigned` makes it
    /// unsigned.
    pub counted: DataType,
    /// The bits of the factor, finite and not zero.
    pub scale_factor: Option<u64>,
    /// The bits of the offset, finite.
    pub add_offset: Option<u64>,
    /// The codes that mean missing. A missing value is packed as the first one.
    pub missing: Vec<u64>,
    /// The least and the greatest code that is valid, as `counted`.
    pub valid: (i64, i64),
}

impl Cf {
    /// The data types of codes that a document may name.
    pub const PACKED: [DataType; 6] = [
        DataType::Int8,
        DataType::Int16,
        DataType::Int32,
        DataType::Uint8,
        DataType::Uint16,
        DataType::Uint32,
    ];
}

impl Elementwise for Cf {
    const FILL: &'static str = "cf.encode.nan";

    fn data_types(&self) -> (DataType, DataType) {
        (self.unpacked, self.packed)
    }
}
