//! Arrays in memory.

use alloc::vec::Vec;

use crate::data_type::DataType;
use crate::rejection::{Reason, Rejection};
use crate::scalar::Scalar;

/// The largest size of an array in memory, in bytes: 16 GiB, or half the address space on targets with
/// addresses of fewer than 64 bits.
pub const MAX_BYTES: u64 = if usize::BITS < 64 {
    (1 << (usize::BITS - 1)) - 1
} else {
    1 << 34
};

/// An array in memory: little-endian elements in C order, without gaps.
///
/// A sub-byte element takes one byte, with its value in the low bits. A complex element consists of its real
/// part followed by its imaginary part. The unused high bits of a sub-byte element are ignored by
/// [`component`](Self::component) and preserved in [`data`](Self::data).
///
/// ```
/// use exactum_model::{Array, DataType};
///
/// let array = Array::new(DataType::Uint16, vec![2, 1], vec![1, 0, 2, 0])?;
/// assert_eq!((array.data_type(), array.shape()), (DataType::Uint16, &[2, 1][..]));
/// assert_eq!((array.len(), array.is_empty()), (2, false));
/// assert_eq!((array.component(1), array.element(0).component(0)), (2, 1));
/// assert_eq!(array.components().sum::<u64>(), 3);
/// assert_eq!(Array::from_components(DataType::Uint16, vec![2, 1], [1, 2])?, array);
/// assert_eq!(Array::bytes_of(DataType::Uint16, &[2, 1])?, 4);
/// assert_eq!(array.data(), [1, 0, 2, 0]);
/// let flat = array.with_shape(vec![2])?;
/// assert_eq!(flat.into_data().len(), 4);
/// # Ok::<(), exactum_model::Rejection>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    data_type: DataType,
    shape: Vec<u64>,
    data: Vec<u8>,
}

impl Array {
    /// Creates an array from its bytes.
    ///
    /// # Errors
    /// [`Reason::Shape`] if the number of bytes does not fit the shape.
    pub fn new(data_type: DataType, shape: Vec<u64>, data: Vec<u8>) -> Result<Self, Rejection> {
        Self::require_bytes(data_type, &shape, data.len())?;
        Ok(Self {
            data_type,
            shape,
            data,
        })
    }

    /// Requires that `bytes` is the number of bytes that an array of this shape takes.
    pub(crate) fn require_bytes(
        data_type: DataType,
        shape: &[u64],
        bytes: usize,
    ) -> Result<(), Rejection> {
        let expected = Self::bytes_of(data_type, shape)?;
        if bytes as u64 == expected {
            return Ok(());
        }
        Err(Rejection::new(
            Reason::Shape,
            "chain.shape",
            format!(
                "an array of shape {shape:?} and data type {data_type} takes {expected} bytes, not {bytes}"
            ),
        ))
    }

    /// Creates an array from the bits of its components. A complex element has two components, and every other
    /// element has one.
    ///
    /// # Errors
    /// [`Reason::Shape`] if the number of components does not fit the shape.
    pub fn from_components(
        data_type: DataType,
        shape: Vec<u64>,
        components: impl IntoIterator<Item = u64>,
    ) -> Result<Self, Rejection> {
        let width = data_type.format().component_bytes();
        let mut data = Vec::new();
        for bits in components {
            push_little_endian(&mut data, width, bits);
        }
        Self::new(data_type, shape, data)
    }

    /// Returns the number of bytes that an array of this shape takes.
    ///
    /// # Errors
    /// [`Reason::Shape`] if the number exceeds [`MAX_BYTES`].
    pub fn bytes_of(data_type: DataType, shape: &[u64]) -> Result<u64, Rejection> {
        let elements = if shape.contains(&0) {
            Some(0)
        } else {
            shape
                .iter()
                .try_fold(1u64, |product, &extent| product.checked_mul(extent))
        };
        elements
            .and_then(|elements| elements.checked_mul(data_type.element_bytes() as u64))
            .filter(|&bytes| bytes <= MAX_BYTES)
            .ok_or_else(|| {
                Rejection::new(
                    Reason::Shape,
                    "chain.shape",
                    format!("an array of shape {shape:?} is too large"),
                )
            })
    }

    /// Returns the data type.
    #[must_use]
    pub fn data_type(&self) -> DataType {
        self.data_type
    }

    /// Returns the shape, with the slowest-varying dimension first. The shape of a single element is empty.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Returns the bytes of all elements.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Converts the array into its bytes, without a copy.
    #[must_use]
    pub fn into_data(self) -> Vec<u8> {
        self.data
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.len() / self.data_type.element_bytes()
    }

    /// Returns whether the array is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// Returns the bits of component `index`, where components are counted across all elements. Bits above the
    /// width of the data type are cleared.
    ///
    /// # Panics
    /// Panics if the index is out of bounds.
    #[must_use]
    pub fn component(&self, index: usize) -> u64 {
        let format = self.data_type.format();
        let width = format.component_bytes();
        little_endian(&self.data[index * width..(index + 1) * width]) & format.component_mask()
    }

    /// Returns the bits of every component in order, as [`component`](Self::component) does.
    pub fn components(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        let format = self.data_type.format();
        let mask = format.component_mask();
        let components = self.data.chunks_exact(format.component_bytes());
        components.map(move |bytes| little_endian(bytes) & mask)
    }

    /// Returns element `index`.
    ///
    /// # Panics
    /// Panics if the index is out of bounds.
    #[must_use]
    pub fn element(&self, index: usize) -> Scalar {
        let width = self.data_type.element_bytes();
        let mut wide = [0; 16];
        wide[..width].copy_from_slice(&self.data[index * width..(index + 1) * width]);
        Scalar::new(self.data_type, u128::from_le_bytes(wide))
    }

    /// Returns the same elements under another shape.
    ///
    /// # Errors
    /// [`Reason::Shape`] if the new shape has another number of elements.
    pub fn with_shape(self, shape: Vec<u64>) -> Result<Self, Rejection> {
        Self::new(self.data_type, shape, self.data)
    }
}

/// Returns the number that up to eight bytes represent, with the lowest byte first.
///
/// ```
/// assert_eq!(exactum_model::little_endian(&[0x34, 0x12]), 0x1234);
/// ```
///
/// # Panics
/// If there are more than eight bytes.
#[must_use]
#[inline]
pub fn little_endian(bytes: &[u8]) -> u64 {
    // A copy whose length is unknown at compile time would take longer than everything else here.
    match *bytes {
        [byte] => byte.into(),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => {
            let mut wide = [0; 8];
            wide[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(wide)
        }
    }
}

/// Appends the lowest `width` bytes of a number, with the lowest byte first.
///
/// ```
/// let mut data = vec![0xff];
/// exactum_model::push_little_endian(&mut data, 2, 0x1234);
/// assert_eq!(data, [0xff, 0x34, 0x12]);
/// ```
///
/// # Panics
/// If the width exceeds eight bytes.
#[inline]
pub fn push_little_endian(data: &mut Vec<u8>, width: usize, bits: u64) {
    let bytes = bits.to_le_bytes();
    // As in `little_endian`, the lengths of the copies are known.
    match width {
        1 => data.push(bytes[0]),
        2 => data.extend_from_slice(&bytes[..2]),
        4 => data.extend_from_slice(&bytes[..4]),
        8 => data.extend_from_slice(&bytes),
        _ => data.extend_from_slice(&bytes[..width]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_memory_cannot_hold_is_rejected() {
        let bytes = |shape: &[u64]| Array::bytes_of(DataType::Float64, shape);
        assert_eq!(bytes(&[]), Ok(8));
        assert_eq!(bytes(&[u64::MAX, 0, u64::MAX]), Ok(0));
        assert_eq!(bytes(&[MAX_BYTES / 8]), Ok(MAX_BYTES / 8 * 8));
        for shape in [
            &[MAX_BYTES / 8 + 1][..],
            &[u64::MAX / 8, 2],
            &[u64::MAX, u64::MAX],
        ] {
            let rejection = bytes(shape).expect_err("a size above the limit");
            assert_eq!(rejection.reason, Reason::Shape, "{shape:?}");
        }
    }

    #[test]
    fn a_length_of_every_array_is_one_that_a_vector_may_have() {
        assert!(isize::try_from(MAX_BYTES).is_ok());
    }
}
