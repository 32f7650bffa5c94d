//! `bytes`: the elements of a chunk in sequence, in either byte order (spec/bytes.md).

use alloc::vec::Vec;

use exactum_model::{Array, Bytes, DataType, Endian, Reason, Rejection};

use crate::arch::{Flags, Kernel, NO_FLAGS, SimdLevel, bytes_of, bytes_of_mut};
use crate::fault::{Fault, Message};
use crate::lanes::{Element, map_lanes};

/// Returns the bytes of an array in C order. Bits above those of a sub-byte type are written as zeros.
///
/// # Errors
/// [`Reason::UnsupportedDataType`] if the data type of the array is not the codec's.
///
/// ```
/// use exactum_optimized::bytes;
/// use exactum_optimized::model::{Array, Bytes, DataType, Endian};
///
/// let codec = Bytes::new(DataType::Int16, Some(Endian::Big));
/// // The elements of an array are little-endian.
/// let array = Array::new(DataType::Int16, vec![2], vec![1, 0, 2, 0])?;
/// let stored = bytes::encode(&codec, &array)?;
/// assert_eq!(stored, [0, 1, 0, 2]);
/// assert_eq!(bytes::decode(&codec, &[2], &stored)?, array);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode(codec: &Bytes, input: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(input.data_type(), codec.data_type, "chain.data_type")?;
    let mut output = vec![0; input.data().len()];
    order(SimdLevel::best(), codec, input.data(), &mut output);
    Ok(output)
}

/// Like [`encode`], from elements in array layout into the caller's memory.
///
/// # Errors
/// [`Reason::Shape`] if the input is not a whole number of elements or the output differs in
/// length.
///
/// ```
/// use exactum_optimized::bytes;
/// use exactum_optimized::model::{Bytes, DataType, Endian};
///
/// let codec = Bytes::new(DataType::Uint32, Some(Endian::Big));
/// let (mut stored, mut back) = ([0; 4], [0; 4]);
/// bytes::encode_into(&codec, &[1, 0, 0, 0], &mut stored)?;
/// assert_eq!(stored, [0, 0, 0, 1]);
/// bytes::decode_into(&codec, &stored, &mut back)?;
/// assert_eq!(back, [1, 0, 0, 0]);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode_into(codec: &Bytes, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(run(codec, input, output)?)
}

/// Returns the array of these bytes. Bits above those of a sub-byte type are ignored.
///
/// # Errors
/// [`Reason::Truncated`] if the number of bytes does not fit the shape.
pub fn decode(codec: &Bytes, shape: &[u64], bytes: &[u8]) -> Result<Array, Rejection> {
    require_length(codec, shape, bytes.len())?;
    let mut data = vec![0; bytes.len()];
    order(SimdLevel::best(), codec, bytes, &mut data);
    Array::new(codec.data_type, shape.to_vec(), data)
}

/// Requires an encoded chunk to be as long as its elements.
pub(crate) fn require_length(codec: &Bytes, shape: &[u64], actual: usize) -> Result<(), Fault> {
    let data_type = codec.data_type;
    let expected = Array::bytes_of(data_type, shape)?;
    if actual as u64 == expected {
        return Ok(());
    }
    let words = Message::OtherSize {
        shape: shape.to_vec(),
        data_type,
        bits: None,
        expected,
        actual,
    };
    Err(Fault::new(Reason::Truncated, "bytes.length", words))
}

/// Like [`decode`], into the caller's memory, whose length determines the number of elements.
///
/// # Errors
/// [`Reason::Shape`] if the output is not a whole number of elements, or their number of bytes differs from
/// the input.
pub fn decode_into(codec: &Bytes, bytes: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(run(codec, bytes, output)?)
}

/// Runs one direction on bytes; both do the same.
pub(crate) fn run(codec: &Bytes, input: &[u8], output: &mut [u8]) -> Result<(), Fault> {
    run_at(SimdLevel::best(), codec, input, output)
}

pub(crate) fn run_at(
    level: SimdLevel,
    codec: &Bytes,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    let element = (codec.data_type, codec.data_type.element_bytes());
    crate::count(element, input, element, output)?;
    order(level, codec, input, output);
    Ok(())
}

/// Returns whether the codec leaves the bytes of clean elements unchanged.
pub(crate) fn is_copy(codec: &Bytes) -> bool {
    let format = codec.data_type.format();
    let swaps = codec.endian == Some(Endian::Big) && format.component_bytes() > 1;
    format.component_bits() >= 8 && !swaps
}

/// Converts components between little-endian and `endian`, and clears bits that a sub-byte type lacks. Both
/// directions are the same, and take one pass.
fn order(level: SimdLevel, codec: &Bytes, source: &[u8], target: &mut [u8]) {
    let format = codec.data_type.format();
    if format.component_bits() < 8 {
        let own = 0xff >> (8 - format.component_bits());
        level.run_long(&Masked { own }, source, target);
        return;
    }
    match (codec.endian, format.component_bytes()) {
        (Some(Endian::Big), 2) => level.run_long(&Swapped::<2>, source, target),
        (Some(Endian::Big), 4) => level.run_long(&Swapped::<4>, source, target),
        (Some(Endian::Big), 8) => level.run_long(&Swapped::<8>, source, target),
        _ => {
            target.copy_from_slice(source);
            NO_FLAGS
        }
    };
}

/// Clears the bits above those of a sub-byte type.
struct Masked {
    own: u8,
}

impl Kernel for Masked {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        map_lanes(source, target, |byte: u8| byte & self.own);
        NO_FLAGS
    }
}

/// Reverses the byte order of numbers of the given size.
struct Swapped<const BYTES: usize>;

impl<const BYTES: usize> Kernel for Swapped<BYTES> {
    const WIDE: bool = false;

    #[inline(always)]
    fn run(&self, source: &[u8], target: &mut [u8]) -> Flags {
        match BYTES {
            2 => map_lanes(source, target, u16::swap_bytes),
            4 => map_lanes(source, target, u32::swap_bytes),
            _ => map_lanes(source, target, u64::swap_bytes),
        }
        NO_FLAGS
    }
}

/// Reverses the bytes of every component.
pub(crate) fn reverse(data_type: DataType, bytes: &mut [u8]) {
    // Each loop has a fixed width, so that it becomes a byte shuffle of whole vectors.
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

/// Passes a slice of numbers to a function as little-endian bytes.
pub(crate) fn read<E: Element, R>(input: &[E], use_bytes: impl FnOnce(&[u8]) -> R) -> R {
    let bytes = bytes_of(input);
    if cfg!(target_endian = "little") {
        return use_bytes(bytes);
    }
    let mut turned = bytes.to_vec();
    reverse(E::DATA_TYPE, &mut turned);
    use_bytes(&turned)
}

/// Lets a function write a slice of numbers as little-endian bytes.
pub(crate) fn write<E: Element, R>(output: &mut [E], fill: impl FnOnce(&mut [u8]) -> R) -> R {
    let bytes = bytes_of_mut(output);
    let result = fill(bytes);
    if cfg!(target_endian = "big") {
        reverse(E::DATA_TYPE, bytes);
    }
    result
}

/// Passes slices of numbers to a function as little-endian bytes.
pub(crate) fn on_bytes<A: Element, B: Element, R>(
    input: &[A],
    output: &mut [B],
    convert: impl FnOnce(&[u8], &mut [u8]) -> R,
) -> R {
    read(input, |input| {
        write(output, |output| convert(input, output))
    })
}
