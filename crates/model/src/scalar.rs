//! One element.

use alloc::vec::Vec;

use crate::data_type::DataType;

/// A single element of a data type. Its bytes in an array are read as a little-endian number.
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
    /// Makes a scalar; bits above those of the type are dropped.
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

    /// Makes a complex scalar from the bits of its real and imaginary parts.
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

    /// Returns the bits of component `index`: 0 is the only one or the real part, 1 the imaginary part.
    #[must_use]
    pub fn component(&self, index: usize) -> u64 {
        let format = self.data_type.format();
        let low = self.bits >> (8 * format.component_bytes() * index);
        u64::try_from(low & u128::from(format.component_mask())).unwrap_or_default()
    }

    /// Returns the element's bytes in the form of an array.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bits.to_le_bytes()[..self.data_type.element_bytes()].to_vec()
    }

    /// Reads an element's bytes. Returns `None` if their number is not that of the data type. Bits above
    /// those of a sub-byte type are dropped.
    #[must_use]
    pub fn from_bytes(data_type: DataType, bytes: &[u8]) -> Option<Self> {
        if bytes.len() != data_type.element_bytes() {
            return None;
        }
        let mut wide = [0; 16];
        wide[..bytes.len()].copy_from_slice(bytes);
        Some(Self::new(data_type, u128::from_le_bytes(wide)))
    }

    /// Returns whether two scalars have the same data type and value: any NaN equals any NaN, the zeros equal
    /// each other, and complex numbers are compared part by part.
    #[must_use]
    pub fn same_value(&self, other: &Self) -> bool {
        let format = self.data_type.format();
        self.data_type == other.data_type
            && (0..format.components())
                .all(|index| format.same_value(self.component(index), other.component(index)))
    }
}
