//! Conversion between the elements in zarrs' memory and those of the protocol.
//!
//! On a little-endian machine the bytes are the same, except for int2 and int4: zarrs holds their elements as `i8`, so
//! -3 is `fd` in memory and `0d` in the protocol.

use ::zarrs::array::ArrayBytes;
use ::zarrs::metadata::v3::MetadataV3;
use ::zarrs::plugin::ExtensionName;
use exactum_conformance::Answer;
use exactum_conformance::model::{Array, DataType, Format};

use super::errors;

/// Converts elements of the protocol to memory. For int2 and int4, values are sign-extended, and a byte with other bits
/// set above the value is left unchanged.
pub(super) fn to_memory(data_type: DataType, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match small_signed(data_type) {
        Some(bits) => {
            for byte in bytes.iter_mut().filter(|byte| **byte >> bits == 0) {
                let unused = 8 - bits;
                *byte = ((*byte << unused).cast_signed() >> unused).cast_unsigned();
            }
        }
        None => swap(data_type, &mut bytes),
    }
    bytes
}

/// Converts bytes in memory to those of the protocol. For int2 and int4, the bits above a value are cleared, and a byte
/// that is not a value is left unchanged.
pub(super) fn of_memory(data_type: DataType, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match small_signed(data_type) {
        Some(bits) => {
            let mask = u8::MAX >> (8 - bits);
            for byte in bytes.iter_mut().filter(|byte| is_value(bits, **byte)) {
                *byte &= mask;
            }
        }
        None => swap(data_type, &mut bytes),
    }
    bytes
}

/// Returns an array of the elements that zarrs decoded. If elements of int2 or int4 are not values of these types, the
/// array has the type that they have in zarrs: int8.
pub(super) fn array(
    data_type: DataType,
    shape: Vec<u64>,
    bytes: ArrayBytes<'_>,
) -> Result<Array, Answer> {
    let bytes = bytes
        .into_fixed()
        .map_err(|error| Answer::Error(format!("zarrs decoded no elements: {error}")))?;
    let array = match small_signed(data_type) {
        Some(bits) if !bytes.iter().all(|&byte| is_value(bits, byte)) => {
            Array::new(DataType::Int8, shape, bytes.into_owned())
        }
        _ => Array::new(data_type, shape, of_memory(data_type, &bytes)),
    };
    array.map_err(|rejection| Answer::Error(format!("zarrs decoded: {rejection}")))
}

/// Returns the number of bits of int2 and int4.
fn small_signed(data_type: DataType) -> Option<u32> {
    match data_type.format() {
        Format::Integer(format) if format.signed && format.bits < 8 => Some(format.bits),
        _ => None,
    }
}

/// Returns whether an `i8` is a value of the given width.
fn is_value(bits: u32, byte: u8) -> bool {
    let beyond = byte.cast_signed() >> (bits - 1);
    beyond == 0 || beyond == -1
}

/// Swaps little-endian components to the machine's byte order, or back.
fn swap(data_type: DataType, bytes: &mut [u8]) {
    if cfg!(target_endian = "big") {
        for component in bytes.chunks_exact_mut(data_type.format().component_bytes()) {
            component.reverse();
        }
    }
}

/// Returns zarrs' data type with this name.
pub(super) fn of_zarrs(data_type: DataType) -> Result<::zarrs::array::DataType, Answer> {
    ::zarrs::array::DataType::from_metadata(&MetadataV3::new(data_type.name()))
        .map_err(|error| errors::plugin(&error))
}

/// Returns the data type of the registry with the name of zarrs' data type.
pub(super) fn data_type(data_type: &::zarrs::array::DataType) -> Result<DataType, Answer> {
    data_type
        .name_v3()
        .and_then(|name| name.parse().ok())
        .ok_or_else(|| Answer::Unsupported(format!("{data_type} is not a type of the protocol")))
}
