#![doc = include_str!("../README.md")]
//!
//! # The functions of the codecs
//!
//! Functions that take an [`Array`] return a new one; those whose names end in `_into` write into the
//! caller's memory. The latter allocate only the message of a rejection and, in zfp, memory to widen elements
//! of fewer than 32 bits. Their inputs and outputs are the elements of an array: little-endian bytes at any
//! alignment. Functions with `slice` in their name take slices of numbers.
//!
//! All results and all rejections (reason, clause, element) match the reference; only the wording of a
//! message may differ. After an error, the contents of the output are unspecified.

#![cfg_attr(not(any(test, feature = "std")), no_std)]

#[macro_use]
extern crate alloc;

mod arch;
pub mod bitround;
pub mod bytes;
pub mod cast_value;
pub mod cf;
pub mod chain;
pub mod downsample;
mod error;
mod fault;
mod lanes;
mod math;
pub mod packbits;
pub mod scale_offset;
pub mod sds;
mod soft;
mod table;
mod text;
mod typed;
pub mod zfp;

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use exactum_model::{Array, DataType, Rejection, little_endian};

use fault::{Fault, Message};

/// The instructions that conversions use.
pub use arch::Instructions;
pub use error::Error;
/// The types that the codec functions take and return.
pub use exactum_model as model;
pub use exactum_model::{OutOfRange, PaddingEncoding, Reason, Rounding};
pub use lanes::{Element, F16};
pub use typed::{Cast, CastBuilder, Pack, PackBits, PackBitsBuilder, PackBuilder, Zfp, ZfpBuilder};
// The table of codecs names each module.
use scale_offset::fixed_scale_offset;

/// Requires the data type for which the operation was planned.
fn require_data_type(
    actual: DataType,
    expected: DataType,
    clause: &'static str,
) -> Result<(), Fault> {
    if actual == expected {
        return Ok(());
    }
    let words = Message::OtherType { actual, expected };
    Err(Fault::new(Reason::UnsupportedDataType, clause, words))
}

/// Requires a data type of real numbers.
fn require_real(data_type: DataType, clause: &'static str) -> Result<(), Fault> {
    if data_type.is_real() {
        return Ok(());
    }
    let words = Message::NotReal(data_type);
    Err(Fault::new(Reason::UnsupportedDataType, clause, words))
}

/// Returns the size in bytes of an array of this shape.
fn bytes_of(data_type: DataType, shape: &[u64]) -> Result<usize, Fault> {
    let bytes = Array::bytes_of(data_type, shape)?;
    usize::try_from(bytes).map_err(|_| Fault::too_large(shape))
}

/// Allocates the elements of an array of this shape.
fn zeros(data_type: DataType, shape: &[u64]) -> Result<Vec<u8>, Fault> {
    Ok(vec![0; bytes_of(data_type, shape)?])
}

/// Returns the number of elements, which must be the same in both buffers. Each data type is given with its
/// width in bytes.
fn count(
    (from, width): (DataType, usize),
    input: &[u8],
    (to, width_out): (DataType, usize),
    output: &[u8],
) -> Result<usize, Fault> {
    let count = input.len() / width;
    if count * width == input.len() && count.checked_mul(width_out) == Some(output.len()) {
        return Ok(count);
    }
    let words = Message::Lengths([(from, input.len()), (to, output.len())]);
    Err(Fault::new(Reason::Shape, "chain.shape", words))
}

/// Returns the bits of element `index` of little-endian bytes, without bits above those of a sub-byte type.
fn element_bits(data_type: DataType, bytes: &[u8], index: usize) -> u64 {
    let format = data_type.format();
    let width = format.component_bytes();
    little_endian(&bytes[index * width..(index + 1) * width]) & format.component_mask()
}

/// Converts an array of the first data type to one of the second with `run`. `clause` requires the first data
/// type.
fn convert_array(
    (from, to): (DataType, DataType),
    clause: &'static str,
    input: &Array,
    run: impl FnOnce(&[u8], &mut [u8]) -> Result<(), Fault>,
) -> Result<Array, Rejection> {
    require_data_type(input.data_type(), from, clause)?;
    let mut output = zeros(to, input.shape())?;
    run(input.data(), &mut output)?;
    Array::new(to, input.shape().to_vec(), output)
}

/// Converts the bits of a single element with `run`.
fn element(
    (from, to): (DataType, DataType),
    bits: u64,
    run: impl FnOnce(&[u8], &mut [u8]) -> Result<(), Fault>,
) -> Result<u64, Fault> {
    let (mut input, mut output) = ([0; 16], [0; 16]);
    let (input, output) = (
        &mut input[..from.element_bytes()],
        &mut output[..to.element_bytes()],
    );
    set_element_bits(from, input, 0, bits);
    run(input, output).map_err(|mut fault| {
        // Only one element was converted.
        fault.element = None;
        fault
    })?;
    Ok(element_bits(to, output, 0))
}

/// Writes the bits of element `index`.
fn set_element_bits(data_type: DataType, bytes: &mut [u8], index: usize, bits: u64) {
    let width = data_type.format().component_bytes();
    bytes[index * width..(index + 1) * width].copy_from_slice(&bits.to_le_bytes()[..width]);
}
