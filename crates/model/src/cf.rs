//! Packing according to the attributes of the CF conventions.

use alloc::vec::Vec;

use crate::data_type::DataType;
use crate::elementwise::Elementwise;

/// The resolved attributes of a packed variable. Unpacking computes `code * scale_factor + add_offset`, and
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
    /// The data type of the unpacked values: `float32` or `float64`, in which every step is rounded, or the same as
    /// `counted` if nothing is computed.
    pub unpacked: DataType,
    /// The data type of the stored codes: an integer of 8 to 32 bits.
    pub packed: DataType,
    /// The data type as which the bits of the codes are interpreted. It has the width of `packed`, and `_Unsigned`
    /// makes it unsigned.
    pub counted: DataType,
    /// The bits of the factor, which is finite and not zero.
    pub scale_factor: Option<u64>,
    /// The bits of the offset, which is finite.
    pub add_offset: Option<u64>,
    /// The codes of missing values. Packing writes the first of them for a missing value.
    pub missing: Vec<u64>,
    /// The smallest and the largest valid code, interpreted as `counted`.
    pub valid: (i64, i64),
}

impl Cf {
    /// The data types that a document may name for its codes.
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
