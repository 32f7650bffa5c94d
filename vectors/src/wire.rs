//! Arrays in JSON, sweeps and their checksums.

use std::borrow::Cow;
use std::fmt;

use exactum_model::{Array, DataType, Reason, Rejection};
use serde_json::{Map, Value, json};

/// The most bytes that an array of a vector or a request may have.
const MAX_ARRAY_BYTES: u64 = 64 << 20;

/// The elements that one checksum of a sweep covers.
const ELEMENTS_PER_CHECKSUM: usize = 4096;

/// Why a JSON value is not an array.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArrayError {
    /// It is not of the form that the protocol gives arrays: an `error`.
    Form(String),
    /// Its data type is unknown: a `reject`.
    DataType(Rejection),
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArrayError::Form(message) => f.write_str(message),
            ArrayError::DataType(rejection) => f.write_str(&rejection.message),
        }
    }
}

impl std::error::Error for ArrayError {}

fn form(message: impl Into<String>) -> ArrayError {
    ArrayError::Form(message.into())
}

/// An array as the protocol and the vectors write it.
#[must_use]
pub fn array_to_json(array: &Array) -> Value {
    json!({
        "data_type": array.data_type().name(),
        "shape": array.shape(),
        "data": hex::encode(array.data()),
    })
}

/// Reads an array: `data_type`, `shape` and `data`.
///
/// # Errors
/// [`ArrayError::DataType`] for an unknown data type, [`ArrayError::Form`] for anything else.
pub fn array_from_json(value: &Value) -> Result<Array, ArrayError> {
    array_from_members(
        value
            .as_object()
            .ok_or_else(|| form("an array is a JSON object"))?,
    )
}

/// Reads an array from its members.
///
/// # Errors
/// As for [`array_from_json`].
pub fn array_from_members(members: &Map<String, Value>) -> Result<Array, ArrayError> {
    let data_type = data_type_of(members)?;
    let shape = members.get("shape").and_then(Value::as_array);
    let shape = shape
        .and_then(|shape| {
            shape
                .iter()
                .map(Value::as_u64)
                .collect::<Option<Vec<u64>>>()
        })
        .ok_or_else(|| form("an array needs a shape of non-negative integers"))?;
    let data = members.get("data").and_then(Value::as_str);
    let data = data.ok_or_else(|| form("an array needs data in hex"))?;
    let data = hex::decode(data).map_err(|error| form(format!("data: {error}")))?;
    Array::new(data_type, shape, data).map_err(|rejection| form(rejection.message))
}

/// Reads the input of a vector: an array, or the `ranges` of a sweep in the place of its shape and
/// data.
///
/// # Errors
/// As for [`array_from_json`]; [`ArrayError::Form`] for ranges that are not of the form, or make
/// more than 64 MiB.
pub fn input_from_json(value: &Value) -> Result<Array, ArrayError> {
    let members = value
        .as_object()
        .ok_or_else(|| form("an array is a JSON object"))?;
    match members.get("ranges") {
        Some(ranges) => {
            let data_type = data_type_of(members)?;
            let data = swept(data_type, ranges).map_err(ArrayError::Form)?;
            let count = data.len() / data_type.format().component_bytes();
            let shape = vec![count as u64];
            Array::new(data_type, shape, data).map_err(|rejection| form(rejection.message))
        }
        None => array_from_members(members),
    }
}

/// Whether an input is written in another way than as a shape and data.
#[must_use]
pub fn is_generated(input: &Value) -> bool {
    input.get("ranges").is_some()
}

fn data_type_of(members: &Map<String, Value>) -> Result<DataType, ArrayError> {
    let name = members.get("data_type").and_then(Value::as_str);
    let name = name.ok_or_else(|| form("an array needs a data_type"))?;
    data_type(name).map_err(ArrayError::DataType)
}

fn data_type(name: &str) -> Result<DataType, Rejection> {
    name.parse().map_err(|()| {
        Rejection::new(
            Reason::UnsupportedDataType,
            "data_type.name",
            format!("{name:?} is not a data type of the registry that Exactum covers"),
        )
    })
}

/// The bits of a scalar as a number in hex, most significant digit first, in the width of the
/// component: as sweeps write the ends of their ranges.
#[must_use]
pub fn scalar_bits_to_hex(data_type: DataType, bits: u64) -> String {
    let width = 2 * data_type.format().component_bytes();
    format!("{bits:0width$x}")
}

/// The input of a sweep: all bit patterns of some inclusive ranges.
#[must_use]
pub fn sweep_input(data_type: DataType, ranges: &[(u64, u64)]) -> Value {
    let ranges: Vec<[String; 2]> = ranges
        .iter()
        .map(|&(first, last)| {
            [
                scalar_bits_to_hex(data_type, first),
                scalar_bits_to_hex(data_type, last),
            ]
        })
        .collect();
    json!({"data_type": data_type.name(), "ranges": ranges})
}

/// The bytes of a sweep: one dimension, the ranges in order.
fn swept(data_type: DataType, ranges: &Value) -> Result<Vec<u8>, String> {
    let bound = |value: &Value| {
        value
            .as_str()
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .filter(|&bits| bits & !data_type.format().component_mask() == 0)
            .ok_or_else(|| format!("{value} is not a bit pattern of {data_type}"))
    };
    let width = data_type.format().component_bytes();
    let mut data = Vec::new();
    for range in ranges.as_array().ok_or("ranges is a list")? {
        let [first, last] = range.as_array().map(Vec::as_slice).unwrap_or_default() else {
            return Err("a range is a pair".into());
        };
        let (first, last) = (bound(first)?, bound(last)?);
        let elements = last.checked_sub(first).ok_or("a range goes upwards")?;
        if elements >= MAX_ARRAY_BYTES / width as u64 - (data.len() / width) as u64 {
            return Err("a sweep has at most 64 MiB".into());
        }
        for bits in first..=last {
            data.extend_from_slice(&bits.to_le_bytes()[..width]);
        }
    }
    Ok(data)
}

/// The checksums of an array: one CRC-32 of 8 hex digits for each 4,096 elements of its canonical
/// bytes, in which every NaN is the default NaN of its type.
#[must_use]
pub fn checksums(array: &Array) -> Vec<String> {
    let data_type = array.data_type();
    let canonical = canonical(array);
    let block = ELEMENTS_PER_CHECKSUM * data_type.element_bytes();
    canonical
        .chunks(block)
        .map(|block| format!("{:08x}", crc32fast::hash(block)))
        .collect()
}

/// The bytes of an array in which every NaN is the default NaN of its type, and bits above those of
/// an element are zero.
fn canonical(array: &Array) -> Cow<'_, [u8]> {
    let format = array.data_type().format();
    let float = format.float();
    let width = format.component_bytes();
    let whole = format.component_mask() == u64::MAX >> (64 - 8 * width);
    if float.is_none() && whole {
        return array.data().into();
    }
    let nan = float.and_then(|float| Some((float, float.nan_bits()?)));
    let mut data = array.data().to_vec();
    for (place, bits) in data.chunks_exact_mut(width).zip(array.components()) {
        let bits = match nan {
            Some((float, nan)) if float.is_nan(bits) => nan,
            _ => bits,
        };
        place.copy_from_slice(&bits.to_le_bytes()[..width]);
    }
    data.into()
}
