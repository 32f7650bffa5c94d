#![doc = include_str!("../README.md")]
//!
//! # The functions of the codecs
//!
//! The functions that take an [`Array`] return a new one; those ending in
//! `_into` write into memory of the caller and allocate nothing but the message of a rejection, and in zfp
//! the elements of fewer than 32 bits, which are widened.
//! Their inputs and outputs are elements as an array holds them: little-endian, of any alignment.
//! Those with `slice` in their name take slices of numbers.
//!
//! All results and all rejections (reason, clause, element) are those of the reference; only the
//! words of a message may differ. After an error the output's contents are
//! unspecified.

#![cfg_attr(not(any(test, feature = "std")), no_std)]

#[macro_use]
extern crate alloc;

mod arch;
pub mod bytes;
pub mod cast_value;
pub mod cf;
pub mod chain;
pub mod downsample;
mod error;
mod fault;
mod lanes;
#[cfg(any(test, not(feature = "std")))]
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

use exactum_model::{Array, DataType, Rejection};

use fault::{Fault, Words};

pub use error::Error;
/// The types that the functions of the codecs take and return.
pub use exactum_model as model;
pub use exactum_model::{OutOfRange, PaddingEncoding, Reason, Rounding};
pub use lanes::{Element, F16};
pub use typed::{Cast, CastBuilder, Pack, PackBits, PackBitsBuilder, PackBuilder, Zfp, ZfpBuilder};
// Codecs are found by their names.
use scale_offset::fixed_scale_offset;

/// An operation is resolved for one data type and takes elements of no other.
fn require_data_type(
    actual: DataType,
    expected: DataType,
    clause: &'static str,
) -> Result<(), Fault> {
    if actual == expected {
        return Ok(());
    }
    let words = Words::OtherType { actual, expected };
    Err(Fault::new(Reason::UnsupportedDataType, clause, words))
}

/// The operations are defined for real numbers only.
fn require_real(data_type: DataType, clause: &'static str) -> Result<(), Fault> {
    if data_type.is_real() {
        return Ok(());
    }
    let words = Words::NotReal(data_type);
    Err(Fault::new(Reason::UnsupportedDataType, clause, words))
}

/// The bytes of an array of this shape.
fn bytes_of(data_type: DataType, shape: &[u64]) -> Result<usize, Fault> {
    let bytes = Array::bytes_of(data_type, shape)?;
    usize::try_from(bytes).map_err(|_| Fault::too_large(shape))
}

/// Room for the elements of an array of this shape.
fn zeros(data_type: DataType, shape: &[u64]) -> Result<Vec<u8>, Fault> {
    Ok(vec![0; bytes_of(data_type, shape)?])
}

/// The number of elements in these bytes, of data types with their widths in bytes; the output
/// must have as many.
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
    let words = Words::Lengths([(from, input.len()), (to, output.len())]);
    Err(Fault::new(Reason::Shape, "chain.shape", words))
}

/// The bits of element `index` in little-endian bytes; junk above a sub-byte type's own bits is
/// not among them.
fn element_bits(data_type: DataType, bytes: &[u8], index: usize) -> u64 {
    let format = data_type.format();
    let width = format.component_bytes();
    let mut wide = [0; 8];
    wide[..width].copy_from_slice(&bytes[index * width..(index + 1) * width]);
    u64::from_le_bytes(wide) & format.component_mask()
}

/// An array of the second data type, whose bytes `run` makes of those of an array of the first; `clause` says that it
/// is of that.
fn whole(
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

/// The bits of the second data type that `run` makes of those of the first, as bytes of one element.
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
        // There is no other element that it could be.
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
