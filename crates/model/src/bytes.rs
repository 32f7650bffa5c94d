//! The operation of the `bytes` codec.

use crate::data_type::DataType;

/// A resolved `bytes` codec, which stores the components of every element in sequence.
///
/// ```
/// use exactum_model::{Bytes, DataType, Endian};
///
/// let codec = Bytes::new(DataType::Int32, Some(Endian::Big));
/// assert_eq!(codec.endian.map(Endian::name), Some("big"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes {
    /// The data type of the array.
    pub data_type: DataType,
    /// The order of the bytes within a component; required if a component has more than one byte.
    pub endian: Option<Endian>,
}

/// The order of the bytes within a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl Bytes {
    /// Creates a codec. The order is required if a component has more than one byte.
    #[must_use]
    pub const fn new(data_type: DataType, endian: Option<Endian>) -> Self {
        Self { data_type, endian }
    }
}

impl Endian {
    /// Both orders.
    pub const ALL: [Self; 2] = [Self::Little, Self::Big];

    /// Returns the name of the byte order in a configuration.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Endian::Little => "little",
            Endian::Big => "big",
        }
    }
}
