//! Elements in memory: zarrs holds them in the machine's byte order, Exactum in little-endian.

use std::borrow::Cow;

use exactum_model::DataType;

/// Elements as zarrs holds them, in little-endian order.
pub(crate) fn to_little(data_type: DataType, bytes: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let width = data_type.format().component_bytes();
    if cfg!(target_endian = "little") || width == 1 {
        return bytes;
    }
    let mut bytes = bytes.into_owned();
    reverse(width, &mut bytes);
    Cow::Owned(bytes)
}

/// Little-endian elements, as zarrs holds them.
pub(crate) fn from_little(data_type: DataType, bytes: &mut [u8]) {
    if cfg!(target_endian = "big") {
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
    use super::reverse;

    #[test]
    fn components_are_reversed_one_by_one() {
        let mut bytes = [1, 2, 3, 4, 5, 6, 7, 8];
        reverse(4, &mut bytes);
        assert_eq!(bytes, [4, 3, 2, 1, 8, 7, 6, 5]);
        reverse(1, &mut bytes);
        assert_eq!(bytes, [4, 3, 2, 1, 8, 7, 6, 5]);
    }
}
