//! `bytes`: stores the elements of a chunk in sequence, in either byte order (spec/bytes.md).

use exactum_model::{Array, Bytes, Endian, Reason, Rejection, little_endian};

/// Returns the bytes of an array in C order. The unused bits of sub-byte elements are written as zeros.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] if the data type of the array is not the codec's.
pub fn encode(codec: &Bytes, input: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(input, codec.data_type, "chain.data_type")?;
    let width = codec.data_type.format().component_bytes();
    let mut output = Vec::with_capacity(input.data().len());
    for bits in input.components() {
        output.extend(ordered(codec.endian, &bits.to_le_bytes()[..width]));
    }
    Ok(output)
}

/// Returns the array with these bytes. The unused bits of sub-byte elements are ignored.
///
/// # Errors
/// [`Reason::Truncated`] if the number of bytes does not fit the shape.
pub fn decode(codec: &Bytes, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    let data_type = codec.data_type;
    let expected = Array::bytes_of(data_type, shape)?;
    if u64::try_from(bytes.len()) != Ok(expected) {
        return Err(Rejection::new(
            Reason::Truncated,
            "bytes.length",
            format!(
                "a chunk of shape {shape:?} and data type {data_type} takes {expected} bytes, not {}",
                bytes.len()
            ),
        ));
    }
    let format = data_type.format();
    let components = bytes
        .chunks_exact(format.component_bytes())
        .map(|bytes| little_endian(&ordered(codec.endian, bytes)) & format.component_mask());
    Array::from_components(data_type, shape.to_vec(), components)
}

/// Converts a component's bytes between little-endian and `endian`. Both directions are the same operation.
fn ordered(endian: Option<Endian>, component: &[u8]) -> Vec<u8> {
    match endian {
        Some(Endian::Big) => component.iter().rev().copied().collect(),
        Some(Endian::Little) | None => component.to_vec(),
    }
}
