//! `scale_offset`: applies a linear map in the arithmetic of the data type (spec/scale_offset.md).
//!
//! As in `cast_value`, kernels compute whole blocks and flag elements that may be rejected. The elements of a
//! flagged block are then computed one by one.

mod element;
pub mod fixed_scale_offset;
mod floats;
mod integers;

use exactum_model::{Array, DataType, Direction, Rejection, ScaleOffset};

pub use element::{decode_element, encode_element};
pub(crate) use floats::scaling;

use crate::arch::{Flags, NO_FLAGS, Outlet, SimdLevel};
use crate::bytes::on_bytes;
use crate::fault::Fault;
use crate::lanes::Element;
use crate::{element_bits, set_element_bits, table};

/// Returns `(in - offset) * scale` for every element.
///
/// # Errors
/// The first element that the clauses reject, by its index; an input whose data type is not the codec's.
///
/// ```
/// use exactum_optimized::model::{Array, DataType, ScaleOffset};
/// use exactum_optimized::scale_offset;
///
/// // The parameters are bits of the data type.
/// let codec = ScaleOffset::new(DataType::Int8).offset(10).scale(3);
/// let array = Array::new(DataType::Int8, vec![2], vec![10, 20])?;
/// let scaled = scale_offset::encode(&codec, &array)?;
/// assert_eq!(scaled.data(), [0, 30]);
/// assert_eq!(scale_offset::decode(&codec, &scaled)?, array);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode(codec: &ScaleOffset, input: &Array) -> Result<Array, Rejection> {
    convert_array(codec, input, Direction::Encode)
}

/// Returns `(in / scale) + offset` for every element.
///
/// # Errors
/// The same as for [`encode`].
pub fn decode(codec: &ScaleOffset, input: &Array) -> Result<Array, Rejection> {
    convert_array(codec, input, Direction::Decode)
}

/// Like [`encode`], from and into bytes in array layout, at any alignment.
///
/// # Errors
/// The first element that the clauses reject, by its index; or if the lengths differ, or the data type is not
/// real.
///
/// ```
/// use exactum_optimized::model::{DataType, ScaleOffset};
/// use exactum_optimized::scale_offset;
///
/// let codec = ScaleOffset::new(DataType::Uint8).offset(10).scale(3);
/// let (mut scaled, mut back) = ([0; 2], [0; 2]);
/// scale_offset::encode_into(&codec, &[10, 20], &mut scaled)?;
/// assert_eq!(scaled, [0, 30]);
/// scale_offset::decode_into(&codec, &scaled, &mut back)?;
/// assert_eq!(back, [10, 20]);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode_into(codec: &ScaleOffset, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(run(codec, Direction::Encode, input, output)?)
}

/// Like [`decode`], from and into bytes in array layout, at any alignment.
///
/// # Errors
/// The same as for [`encode_into`].
pub fn decode_into(codec: &ScaleOffset, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(run(codec, Direction::Decode, input, output)?)
}

/// Like [`encode`], from one slice of numbers into another.
///
/// # Errors
/// The same as for [`encode_into`], or if `E` is not the type of the codec's data type.
///
/// ```
/// use exactum_optimized::model::{DataType, ScaleOffset};
/// use exactum_optimized::scale_offset;
///
/// let codec = ScaleOffset::new(DataType::Float64).scale(2.0_f64.to_bits());
/// let (mut scaled, mut back) = ([0.0], [0.0]);
/// scale_offset::encode_slice_into(&codec, &[0.25], &mut scaled)?;
/// scale_offset::decode_slice_into(&codec, &scaled, &mut back)?;
/// assert_eq!((scaled, back), ([0.5], [0.25]));
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode_slice_into<E: Element>(
    codec: &ScaleOffset,
    input: &[E],
    output: &mut [E],
) -> Result<(), Rejection> {
    slice_into(codec, Direction::Encode, input, output)
}

/// Like [`decode`], from one slice of numbers into another.
///
/// # Errors
/// The same as for [`encode_slice_into`].
pub fn decode_slice_into<E: Element>(
    codec: &ScaleOffset,
    input: &[E],
    output: &mut [E],
) -> Result<(), Rejection> {
    slice_into(codec, Direction::Decode, input, output)
}

/// The clause that an input of another data type violates.
const DATA_TYPES: &str = "scale_offset.data_types";

fn convert_array(
    codec: &ScaleOffset,
    input: &Array,
    direction: Direction,
) -> Result<Array, Rejection> {
    crate::require_data_type(input.data_type(), codec.data_type, DATA_TYPES)?;
    let mut output = vec![0; input.data().len()];
    run(codec, direction, input.data(), &mut output)?;
    Array::new(codec.data_type, input.shape().to_vec(), output)
}

fn slice_into<E: Element>(
    codec: &ScaleOffset,
    direction: Direction,
    input: &[E],
    output: &mut [E],
) -> Result<(), Rejection> {
    crate::require_data_type(E::DATA_TYPE, codec.data_type, DATA_TYPES)?;
    Ok(on_bytes(input, output, |input, output| {
        run(codec, direction, input, output)
    })?)
}

/// The number of bytes in a block, which is the maximum distance between an error and its discovery.
const BLOCK: usize = 16 << 10;

/// Runs one direction on bytes.
pub(crate) fn run(
    codec: &ScaleOffset,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    run_at(SimdLevel::best(), codec, direction, input, output)
}

pub(crate) fn run_at(
    level: SimdLevel,
    codec: &ScaleOffset,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    crate::require_real(codec.data_type, DATA_TYPES)?;
    let width = codec.data_type.element_bytes();
    crate::count(
        (codec.data_type, width),
        input,
        (codec.data_type, width),
        output,
    )?;
    // Sub-byte elements have to be cleaned even if nothing is computed.
    let whole_bytes = codec.data_type.format().component_bits().is_multiple_of(8);
    if codec.offset.is_none() && codec.scale.is_none() && whole_bytes {
        output.copy_from_slice(input);
        return Ok(());
    }
    let has_kernel =
        is_wide_float(codec.data_type) || whole_bytes && codec.data_type.format().float().is_none();
    if !has_kernel && table::repays(codec.data_type, input.len() / width) {
        let element = |bits| element::element(codec, direction, bits).ok();
        let data_type = codec.data_type;
        if table::run((data_type, input), (data_type, output), element).is_ok() {
            return Ok(());
        }
    }
    let kernel = |input: &[u8], output: &mut [u8]| flags(level, codec, direction, input, output);
    // The processor multiplies 64-bit integers more slowly than memory is accessed.
    let is_slow = width == 8 && codec.data_type.format().float().is_none();
    let mut outlet = Outlet::of(input.len(), output.len(), is_slow);
    for span in outlet.spans(output, BLOCK.min(outlet.block())) {
        let next = &input[span.end..(span.end + span.len()).min(input.len())];
        let (first, source) = (span.start / width, &input[span.clone()]);
        let target = &mut output[span];
        let flags = outlet.put(target, next, |target| kernel(source, target));
        if flags != Some(NO_FLAGS) {
            outlet.settle();
            by_element(codec, direction, source, target, first)?;
        }
    }
    Ok(())
}

fn is_wide_float(data_type: DataType) -> bool {
    matches!(
        data_type,
        DataType::Float16 | DataType::Float32 | DataType::Float64
    )
}

/// Runs the kernel of a block and returns its flags, or `None` if the data type or the parameters have no
/// kernel.
pub(crate) fn flags(
    level: SimdLevel,
    codec: &ScaleOffset,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Option<Flags> {
    match is_wide_float(codec.data_type) {
        true => floats::run(level, codec, direction, input, output),
        false => integers::run(level, codec, direction, input, output),
    }
}

/// Processes a block element by element.
fn by_element(
    codec: &ScaleOffset,
    direction: Direction,
    source: &[u8],
    target: &mut [u8],
    first: usize,
) -> Result<(), Fault> {
    for index in 0..source.len() / codec.data_type.element_bytes() {
        let bits = element_bits(codec.data_type, source, index);
        let bits = element::element(codec, direction, bits)
            .map_err(|fault| fault.at_element(first + index))?;
        set_element_bits(codec.data_type, target, index, bits);
    }
    Ok(())
}
