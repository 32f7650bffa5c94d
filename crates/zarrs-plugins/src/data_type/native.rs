//! Conversions of elements in memory between the form of zarrs and that of Exactum.
//!
//! In Exactum, elements are little-endian, with zeros above the bits of a type of less than a byte. In zarrs,
//! they are in native byte order, and signed integers of less than a byte are whole `i8` values.

use std::borrow::Cow;

use exactum_model::{DataType, Format};

/// Converts elements from the form of zarrs to little-endian order. Bits above those of a type are kept, and
/// are ignored.
///
/// ```
/// use exactum_model::DataType;
/// use exactum_zarrs_plugins::to_little;
///
/// let held = 258_i16.to_ne_bytes();
/// let bytes = to_little(DataType::Int16, held.as_slice().into());
/// assert_eq!(*bytes, [2, 1]);
/// ```
pub fn to_little(data_type: DataType, bytes: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let width = data_type.format().component_bytes();
    if cfg!(target_endian = "little") || width == 1 {
        return bytes;
    }
    let mut bytes = bytes.into_owned();
    reverse(width, &mut bytes);
    Cow::Owned(bytes)
}

/// Converts little-endian elements to the form of zarrs.
///
/// ```
/// use exactum_model::DataType;
/// use exactum_zarrs_plugins::from_little;
///
/// // zarrs holds an int4 as a whole i8.
/// let mut bytes = [0x0d];
/// from_little(DataType::Int4, &mut bytes);
/// assert_eq!(bytes[0].cast_signed(), -3);
/// ```
pub fn from_little(data_type: DataType, bytes: &mut [u8]) {
    if let Format::Integer(format) = data_type.format()
        && format.signed
        && format.bits < 8
    {
        let unused = 8 - format.bits;
        for byte in bytes {
            *byte = ((*byte << unused).cast_signed() >> unused).cast_unsigned();
        }
    } else if cfg!(target_endian = "big") {
        reverse(data_type.format().component_bytes(), bytes);
    }
}

/// Reverses the bytes of every component.
pub(crate) fn reverse(width: usize, bytes: &mut [u8]) {
    for component in bytes.chunks_exact_mut(width) {
        component.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_reversed_one_by_one() {
        let mut bytes = [1, 2, 3, 4, 5, 6, 7, 8];
        reverse(4, &mut bytes);
        assert_eq!(bytes, [4, 3, 2, 1, 8, 7, 6, 5]);
        reverse(1, &mut bytes);
        assert_eq!(bytes, [4, 3, 2, 1, 8, 7, 6, 5]);
    }

    #[test]
    fn small_signed_integers_are_whole_bytes() {
        let rows = [
            (DataType::Int4, [0x0d, 0x07, 0x08], [0xfd, 0x07, 0xf8]),
            (DataType::Int2, [0x02, 0x01, 0x03], [0xfe, 0x01, 0xff]),
            (DataType::Uint4, [0x0d, 0x07, 0x08], [0x0d, 0x07, 0x08]),
            (DataType::Int8, [0x8d, 0x07, 0x08], [0x8d, 0x07, 0x08]),
        ];
        for (data_type, mut bytes, expected) in rows {
            from_little(data_type, &mut bytes);
            assert_eq!(bytes, expected, "{data_type}");
        }
    }
}
