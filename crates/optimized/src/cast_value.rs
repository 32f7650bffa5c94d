//! `cast_value`: converts each element by value (spec/cast_value.md).
//!
//! Kernels process the elements block by block. A kernel computes a result for every element and combines the
//! flags of all elements by "or". Only in a flagged block are the elements examined one by one, to find the
//! first rejected one.

mod element;
mod entry;
pub(crate) mod float16;
mod from_integer;
mod integers;
mod map;
pub(crate) mod mode;
mod plan;
mod rounder;
mod run;
pub(crate) mod scaled;
mod short;
pub(crate) mod small;
pub(crate) mod to_float;
mod to_integer;

use exactum_model::{Array, CastSpec, CastValue, DataType, Direction, Rejection, Rounding};

pub use element::{cast_element, decode_element, encode_element};
pub(crate) use plan::Plan;
pub(crate) use run::Neighbour;

use crate::arch::SimdLevel;
use crate::bytes::on_bytes;
use crate::fault::Fault;
use crate::lanes::Element;

/// The clause that an input of another data type violates.
const DATA_TYPE: &str = "cast_value.data_type";

/// Casts every element of `input` (data type `codec.decoded`) to `codec.encoded`.
///
/// # Errors
/// The first element that the clauses reject, by its index; an input whose data type is not the codec's.
///
/// ```
/// use exactum_optimized::cast_value;
/// use exactum_optimized::model::{Array, CastValue, DataType};
///
/// let codec = CastValue::new(DataType::Int16, DataType::Uint8).clamp();
/// // 7 and 256.
/// let array = Array::new(DataType::Int16, vec![2], vec![7, 0, 0, 1])?;
/// assert_eq!(cast_value::encode(&codec, &array)?.data(), [7, 255]);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode(codec: &CastValue, input: &Array) -> Result<Array, Rejection> {
    cast(&codec.encoding(), input)
}

/// Casts every element of `input` (data type `codec.encoded`) back to `codec.decoded`
/// (cast_value.decode: the same procedure, the data types swapped).
///
/// # Errors
/// The same as for [`encode`].
///
/// ```
/// use exactum_optimized::cast_value;
/// use exactum_optimized::model::{Array, CastValue, DataType};
///
/// let codec = CastValue::new(DataType::Uint16, DataType::Uint8);
/// let stored = Array::new(DataType::Uint8, vec![2], vec![7, 255])?;
/// let array = cast_value::decode(&codec, &stored)?;
/// assert_eq!(array.data(), [7, 0, 255, 0]);
/// // The same in the caller's memory.
/// let (mut elements, mut codes) = ([0; 4], [0; 2]);
/// cast_value::decode_into(&codec, stored.data(), &mut elements)?;
/// cast_value::encode_into(&codec, &elements, &mut codes)?;
/// assert_eq!((&elements[..], &codes[..]), (array.data(), stored.data()));
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn decode(codec: &CastValue, input: &Array) -> Result<Array, Rejection> {
    cast(&codec.decoding(), input)
}

/// Casts every element of an array.
///
/// # Errors
/// The first element that the clauses reject, by its index; an input whose data type is not `from`; an output
/// too large to hold.
///
/// ```
/// use exactum_optimized::cast_value;
/// use exactum_optimized::model::{Array, CastSpec, DataType, OutOfRange, Rounding};
///
/// let clamp = Some(OutOfRange::Clamp);
/// let cast = CastSpec::new(DataType::Float32, DataType::Int8, Rounding::TowardsZero, clamp);
/// let array = Array::new(DataType::Float32, vec![1], (-7.9_f32).to_le_bytes().to_vec())?;
/// assert_eq!(cast_value::cast(&cast, &array)?.data(), (-7_i8).to_le_bytes());
/// let mut output = [0; 2];
/// cast_value::cast_slice_into(&cast, &[1.5_f32, 1e9], &mut output)?;
/// assert_eq!(output, [1_i8, 127]);
/// let mut output = [0];
/// cast_value::cast_into(&cast, array.data(), &mut output)?;
/// assert_eq!(output, (-7_i8).to_le_bytes());
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn cast(cast: &CastSpec<'_>, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input.data_type(), cast.from, DATA_TYPE)?;
    let mut output = crate::zeros(cast.to, input.shape())?;
    cast_into(cast, input.data(), &mut output)?;
    Array::new(cast.to, input.shape().to_vec(), output)
}

/// Like [`encode`], into the caller's memory.
///
/// # Errors
/// The same as for [`cast_into`].
pub fn encode_into(codec: &CastValue, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    cast_into(&codec.encoding(), input, output)
}

/// Like [`decode`], into the caller's memory.
///
/// # Errors
/// The same as for [`cast_into`].
pub fn decode_into(codec: &CastValue, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    cast_into(&codec.decoding(), input, output)
}

/// Casts the elements in `input` (bytes as in an array, at any alignment) into `output`.
///
/// # Errors
/// The first element that the clauses reject, by its index; a length that does not fit; a data
/// type that is not real.
pub fn cast_into(cast: &CastSpec<'_>, input: &[u8], output: &mut [u8]) -> Result<(), Rejection> {
    Ok(cast_into_at(SimdLevel::best(), cast, input, output)?)
}

pub(crate) fn cast_into_at(
    level: SimdLevel,
    cast: &CastSpec<'_>,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    cast_planned(level, cast, Plan::of(cast).as_ref(), input, output)
}

/// Runs one direction on bytes.
pub(crate) fn run(
    codec: &CastValue,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    let cast = match direction {
        Direction::Encode => codec.encoding(),
        Direction::Decode => codec.decoding(),
    };
    cast_into_at(SimdLevel::best(), &cast, input, output)
}

/// Like [`cast_into`], with the plan of the cast, if its data types have one.
pub(crate) fn cast_planned(
    level: SimdLevel,
    cast: &CastSpec<'_>,
    plan: Option<&Plan>,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    let extent = extent(cast, input, output)?;
    run::run(level, (cast, plan), input, output, extent)
}

/// Like [`cast_planned`], but runs another codec of the chain on the same blocks.
pub(crate) fn cast_beside(
    level: SimdLevel,
    (cast, plan): (&CastSpec<'_>, &Plan),
    neighbour: Neighbour<'_>,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    let extent = extent(cast, input, output)?;
    run::run_planned(level, (cast, plan), Some(neighbour), input, output, extent)
}

/// Scales and casts all elements with one kernel. If the kernel flags a block, `closely` runs both codecs on
/// its elements, given the index of the first.
pub(crate) fn cast_scaled(
    level: SimdLevel,
    (cast, scaled): (&CastSpec<'_>, &scaled::Scaled),
    input: &[u8],
    output: &mut [u8],
    closely: impl FnMut(usize, &[u8], &mut [u8]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let extent = extent(cast, input, output)?;
    let kernel = |source: &[u8], target: &mut [u8]| scaled.run(level, source, target);
    run::run_whole(kernel, input, output, extent, closely)
}

/// Returns the number of elements, which must be the same for input and output, and both element widths.
fn extent(cast: &CastSpec<'_>, input: &[u8], output: &[u8]) -> Result<run::Extent, Fault> {
    for data_type in [cast.from, cast.to] {
        crate::require_real(data_type, "cast_value.data_types")?;
    }
    let (from, to) = (cast.from.element_bytes(), cast.to.element_bytes());
    let is_float = |data_type: DataType| data_type.format().float().is_some();
    // This conversion is a single instruction.
    let is_nearest_float32 = (cast.from, cast.to, cast.rounding)
        == (DataType::Float64, DataType::Float32, Rounding::NearestEven);
    Ok(run::Extent {
        count: crate::count((cast.from, from), input, (cast.to, to), output)?,
        from,
        to,
        is_slow: to < from && (is_float(cast.from) || is_float(cast.to)) && !is_nearest_float32,
    })
}

/// Casts a slice of numbers into another.
///
/// # Errors
/// The same as for [`cast_into`], or if `A` or `B` is not the type of the cast's data type.
pub fn cast_slice_into<A: Element, B: Element>(
    cast: &CastSpec<'_>,
    input: &[A],
    output: &mut [B],
) -> Result<(), Rejection> {
    crate::require_data_type(A::DATA_TYPE, cast.from, DATA_TYPE)?;
    crate::require_data_type(B::DATA_TYPE, cast.to, DATA_TYPE)?;
    Ok(on_bytes(input, output, |input, output| {
        cast_into_at(SimdLevel::best(), cast, input, output)
    })?)
}
