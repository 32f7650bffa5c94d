//! `bytes`: the elements of a chunk one after another, in either byte order.

use exactum_model::{Array, DataType, Endian, Reason, Rejection};

/// The bytes of an array in C order. Bits above a sub-byte type's own are written as zeros.
#[must_use]
pub fn encode(endian: Option<Endian>, input: &Array) -> Vec<u8> {
    let mut output = input.data().to_vec();
    order(endian, input.data_type(), &mut output);
    output
}

/// As [`encode`], into memory of the caller.
///
/// # Errors
/// [`Reason::Truncated`] when the output has not as many bytes as the array.
pub fn encode_into(
    endian: Option<Endian>,
    input: &Array,
    output: &mut [u8],
) -> Result<(), Rejection> {
    require_length(
        input.data_type(),
        input.shape(),
        input.data().len() as u64,
        output.len(),
    )?;
    output.copy_from_slice(input.data());
    order(endian, input.data_type(), output);
    Ok(())
}

/// The array of these bytes. Bits above a sub-byte type's own are ignored.
///
/// # Errors
/// [`Reason::Truncated`] when the number of bytes is not that of the shape.
pub fn decode(
    endian: Option<Endian>,
    data_type: DataType,
    shape: &[u64],
    bytes: &[u8],
) -> Result<Array, Rejection> {
    let expected = Array::bytes_of(data_type, shape)?;
    require_length(data_type, shape, expected, bytes.len())?;
    let mut data = bytes.to_vec();
    order(endian, data_type, &mut data);
    Array::new(data_type, shape.to_vec(), data)
}

fn require_length(
    data_type: DataType,
    shape: &[u64],
    expected: u64,
    actual: usize,
) -> Result<(), Rejection> {
    if actual as u64 == expected {
        return Ok(());
    }
    Err(Rejection::new(
        Reason::Truncated,
        "chain.bytes.length",
        format!("a chunk of {shape:?} {data_type} takes {expected} bytes, not {actual}"),
    ))
}

/// Brings components between little-endian and `endian`, and drops what a sub-byte type lacks;
/// the same way in both directions.
fn order(endian: Option<Endian>, data_type: DataType, bytes: &mut [u8]) {
    let bits = data_type.format().component_bits();
    if bits < 8 {
        let mask = 0xff >> (8 - bits);
        for byte in bytes.iter_mut() {
            *byte &= mask;
        }
    }
    if endian == Some(Endian::Big) {
        reverse(data_type, bytes);
    }
}

/// Reverses the bytes of every component.
pub(crate) fn reverse(data_type: DataType, bytes: &mut [u8]) {
    // One width a loop, which makes each a byte shuffle of whole vectors.
    match data_type.format().component_bytes() {
        2 => bytes
            .as_chunks_mut::<2>()
            .0
            .iter_mut()
            .for_each(|c| c.reverse()),
        4 => bytes
            .as_chunks_mut::<4>()
            .0
            .iter_mut()
            .for_each(|c| c.reverse()),
        8 => bytes
            .as_chunks_mut::<8>()
            .0
            .iter_mut()
            .for_each(|c| c.reverse()),
        _ => {}
    }
}
