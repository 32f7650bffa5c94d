//! Elements as zarrs holds them in memory, and as the protocol has them.
//!
//! Both are the same bytes on a little-endian machine, but for int2 and int4: an element of theirs is
//! an `i8` in zarrs, and so -3 is `fd`, which the protocol writes `0d`.

use ::zarrs::array::ArrayBytes;
use ::zarrs::metadata::v3::MetadataV3;
use ::zarrs::plugin::ExtensionName;
use exactum_conformance::Answer;
use exactum_conformance::model::{Array, DataType, Format};

use super::errors;

/// Elements of the protocol in memory. Of int2 and int4 a value becomes that value, and a byte with
/// something above the value stays what it is.
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

/// Bytes in memory as those of the protocol. Of int2 and int4 what is a value becomes that value;
/// what is none stays what it is.
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

/// An array of what zarrs decoded. Elements of int2 and int4 that are not values of these types are
/// answered as what they are in zarrs: int8.
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

/// The bits of int2 and int4.
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

/// Little-endian components in the machine's order, or back.
fn swap(data_type: DataType, bytes: &mut [u8]) {
    if cfg!(target_endian = "big") {
        for component in bytes.chunks_exact_mut(data_type.format().component_bytes()) {
            component.reverse();
        }
    }
}

/// The data type of zarrs that has this name.
pub(super) fn of_zarrs(data_type: DataType) -> Result<::zarrs::array::DataType, Answer> {
    ::zarrs::array::DataType::from_metadata(&MetadataV3::new(data_type.name()))
        .map_err(|error| errors::plugin(&error))
}

/// The name of a data type of zarrs, as one of the registry.
pub(super) fn data_type(data_type: &::zarrs::array::DataType) -> Result<DataType, Answer> {
    data_type
        .name_v3()
        .and_then(|name| name.parse().ok())
        .ok_or_else(|| Answer::Unsupported(format!("{data_type} is not a type of the protocol")))
}
