#![doc = include_str!("../README.md")]
//!
//! # The functions of the codecs
//!
//! The functions that take an [`Array`] return a new one; those ending in
//! `_into` write into memory of the caller and allocate nothing (but the message of a rejection).
//! Their inputs and outputs are elements as an array holds them: little-endian, of any alignment.
//! Those with `slice` in their name take slices of numbers.
//!
//! All results and all rejections (reason, clause, element) are those of the reference; only the
//! words of a message may differ. After an error the output's contents are
//! unspecified.

mod arch;
pub mod bytes;
pub mod cast_value;
pub mod chain;
pub mod downsample;
mod lanes;
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

use exactum_model::{Array, DataType, Rejection};

/// The types that the functions of the codecs take and return.
pub use exactum_model as model;
pub use exactum_model::{OutOfRange, Reason, Rounding};
pub use lanes::{Element, F16};
pub use typed::{Cast, CastBuilder, Error, Pack, PackBuilder};
// Codecs are found by their names.
use scale_offset::fixed_scale_offset;

/// An operation is resolved for one data type and takes elements of no other.
fn require_data_type(
    actual: DataType,
    expected: DataType,
    clause: &'static str,
) -> Result<(), Rejection> {
    if actual == expected {
        return Ok(());
    }
    Err(Rejection::new(
        Reason::UnsupportedDataType,
        clause,
        format!("the input is {actual}, not {expected}"),
    ))
}

/// The operations are defined for real numbers only.
fn require_real(data_type: DataType, clause: &'static str) -> Result<(), Rejection> {
    if data_type.is_real() {
        return Ok(());
    }
    Err(Rejection::new(
        Reason::UnsupportedDataType,
        clause,
        format!("{data_type} is not a real number"),
    ))
}

/// Room for the elements of an array of this shape.
fn zeros(data_type: DataType, shape: &[u64]) -> Result<Vec<u8>, Rejection> {
    let bytes = Array::bytes_of(data_type, shape)?;
    let bytes = usize::try_from(bytes).map_err(|_| {
        Rejection::new(
            Reason::Shape,
            "chain.shape",
            format!("an array of shape {shape:?} is too large to hold"),
        )
    })?;
    Ok(vec![0; bytes])
}

/// The number of elements in these bytes, of data types with their widths in bytes; the output
/// must have as many.
fn count(
    (from, width): (DataType, usize),
    input: &[u8],
    (to, width_out): (DataType, usize),
    output: &[u8],
) -> Result<usize, Rejection> {
    let count = input.len() / width;
    if count * width == input.len() && count.checked_mul(width_out) == Some(output.len()) {
        return Ok(count);
    }
    Err(Rejection::new(
        Reason::Shape,
        "chain.shape",
        format!(
            "{} bytes of {from} do not go into {} bytes of {to}",
            input.len(),
            output.len()
        ),
    ))
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

/// Writes the bits of element `index`.
fn set_element_bits(data_type: DataType, bytes: &mut [u8], index: usize, bits: u64) {
    let width = data_type.format().component_bytes();
    bytes[index * width..(index + 1) * width].copy_from_slice(&bits.to_le_bytes()[..width]);
}
