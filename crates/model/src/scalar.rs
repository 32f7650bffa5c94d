//! Scalars: single elements of a data type.

use alloc::vec::Vec;

use crate::data_type::DataType;

/// A single element of a data type, stored as the little-endian number that its bytes form in an array.
///
/// ```
/// use exactum_model::{DataType, Scalar};
///
/// let scalar = Scalar::complex(DataType::Complex64, 1.0_f32.to_bits().into(), 0);
/// assert_eq!(scalar.data_type(), DataType::Complex64);
/// assert_eq!(scalar.component(0), 1.0_f32.to_bits().into());
/// assert_eq!(Scalar::from_bytes(DataType::Complex64, &scalar.to_bytes()), Some(scalar));
/// // Bits beyond the type's width are dropped.
/// assert!(Scalar::new(DataType::Uint4, 0xf7).same_value(&Scalar::new(DataType::Uint4, 7)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    data_type: DataType,
    bits: u128,
}

impl Scalar {
    /// Creates a scalar. Bits above the width of the data type are dropped.
    #[must_use]
    pub fn new(data_type: DataType, bits: u128) -> Self {
        let format = data_type.format();
        let width = 8 * format.component_bytes();
        let mut mask = u128::from(format.component_mask());
        if format.components() == 2 {
            mask |= mask << width;
        }
        Self {
            data_type,
            bits: bits & mask,
        }
    }

    /// Creates a complex scalar from the bits of its real and imaginary parts.
    #[must_use]
    pub fn complex(data_type: DataType, real: u64, imaginary: u64) -> Self {
        let width = 8 * data_type.format().component_bytes();
        Self::new(data_type, u128::from(real) | u128::from(imaginary) << width)
    }

    /// Returns the data type.
    #[must_use]
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// Returns the bits of component `index`. Component 0 is the real part of a complex number and the whole of
    /// any other element; component 1 is the imaginary part.
    #[must_use]
    pub fn component(&self, index: usize) -> u64 {
        let format = self.data_type.format();
        let low = self.bits >> (8 * format.component_bytes() * index);
        u64::try_from(low & u128::from(format.component_mask())).unwrap_or_default()
    }

    /// Returns the element's bytes as they are stored in an [`Array`](crate::Array).
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bits.to_le_bytes()[..self.data_type.element_bytes()].to_vec()
    }

    /// Reads a scalar from the bytes of an element. Returns `None` if the number of bytes is not the element size
    /// of the data type. Bits above the width of a sub-byte type are dropped.
    #[must_use]
    pub fn from_bytes(data_type: DataType, bytes: &[u8]) -> Option<Self> {
        if bytes.len() != data_type.element_bytes() {
            return None;
        }
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        Some(Self::new(data_type, u128::from_le_bytes(wide)))
    }

    /// Returns whether two scalars have the same data type and the same value. Any NaN equals any other NaN,
    /// positive and negative zero are equal, and complex numbers are compared part by part.
    #[must_use]
    pub fn same_value(&self, other: &Self) -> bool {
        let format = self.data_type.format();
        self.data_type == other.data_type
            && (0..format.components())
                .all(|index| format.same_value(self.component(index), other.component(index)))
    }
}
