//! The exact reference: slow, plain, and obviously right.
//!
//! Each row has its own module, and where possible each clause has its own function. Every value is an exact
//! ratio of integers until the only rounding function rounds it, or until zfp truncates it. Hardware floats and
//! unsafe code are not used.
#![forbid(unsafe_code)]
#![deny(clippy::as_conversions, clippy::float_arithmetic)]

pub mod analysis;
pub mod bitround;
mod bits;
pub mod bytes;
pub mod cast_value;
pub mod cf;
pub mod chain;
pub mod downsample;
pub mod packbits;
pub mod scale_offset;
pub mod sds;
pub mod zfp;

use exactum_model::{Array, DataType, Reason, Rejection};
// The macro over the table of codecs expects each codec's module at the root of the crate.
use scale_offset::fixed_scale_offset;

/// The codecs of this crate, which make every decision as the clauses demand.
#[derive(Clone, Copy, Debug)]
pub struct Reference;

/// Requires that an input has the data type for which an operation is resolved.
fn require_data_type(
    input: &Array,
    expected: DataType,
    clause: &'static str,
) -> Result<(), Rejection> {
    if input.data_type() == expected {
        return Ok(());
    }
    Err(Rejection::new(
        Reason::UnsupportedDataType,
        clause,
        format!("the input is {}, not {expected}", input.data_type()),
    ))
}

/// Converts an array to another data type, component by component.
fn map_elements(
    input: &Array,
    to: DataType,
    element: impl Fn(u64) -> Result<u64, Rejection>,
) -> Result<Array, Rejection> {
    let mut output = Vec::with_capacity(input.len());
    for (index, bits) in (0u64..).zip(input.components()) {
        output.push(element(bits).map_err(|rejection| rejection.at_element(index))?);
    }
    Array::from_components(to, input.shape().to_vec(), output)
}
