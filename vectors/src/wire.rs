//! Arrays in JSON, sweeps and their checksums.

use exactum_model::{Array, DataType, Reason, Rejection, Scalar};
use serde_json::{Value, json};

/// The most bytes that an array of a vector or a request may have.
const MAX_ARRAY_BYTES: u64 = 64 << 20;

/// The elements that one checksum of a sweep covers.
const ELEMENTS_PER_CHECKSUM: usize = 4096;

/// Why a JSON value is not an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not of the form that the protocol gives arrays: an `error`.
    Form(String),
    /// Its data type is unknown: a `reject`.
    Reject(Rejection),
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
/// [`Fault::Reject`] for an unknown data type, [`Fault::Form`] for anything else.
pub fn array_from_json(value: &Value) -> Result<Array, Fault> {
    let form = |message: &str| Fault::Form(message.to_owned());
    let members = value
        .as_object()
        .ok_or_else(|| form("an array is a JSON object"))?;
    let name = members.get("data_type").and_then(Value::as_str);
    let name = name.ok_or_else(|| form("an array needs a data_type"))?;
    let data_type = data_type(name).map_err(Fault::Reject)?;
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
    let data = hex::decode(data).map_err(|error| Fault::Form(format!("data: {error}")))?;
    Array::new(data_type, shape, data).map_err(|rejection| Fault::Form(rejection.message))
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

/// Replaces `ranges` in an input by `shape` and `data`: one dimension, the ranges in order. Other
/// values are left as they are.
///
/// # Errors
/// When the ranges are not of the form, or make more than 64 MiB.
pub fn expand_ranges(input: &mut Value) -> Result<(), String> {
    let Some(members) = input.as_object_mut() else {
        return Ok(());
    };
    let Some(ranges) = members.remove("ranges") else {
        return Ok(());
    };
    let name = members
        .get("data_type")
        .and_then(Value::as_str)
        .ok_or("ranges need a data_type")?;
    let data_type: DataType = name
        .parse()
        .map_err(|()| format!("unknown data type {name:?}"))?;
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
    members.insert("shape".into(), json!([data.len() / width]));
    members.insert("data".into(), hex::encode(&data).into());
    Ok(())
}

/// The checksums of an array: one CRC-32 of 8 hex digits for each 4,096 elements of its canonical
/// bytes, in which every NaN is the default NaN of its type.
#[must_use]
pub fn checksums(array: &Array) -> Vec<String> {
    let mut checksums = Vec::new();
    let mut block = Vec::new();
    for index in 0..array.len() {
        block.extend_from_slice(&canonical_element(array.element(index)).to_bytes());
        if (index + 1) % ELEMENTS_PER_CHECKSUM == 0 || index + 1 == array.len() {
            checksums.push(format!("{:08x}", crc32fast::hash(&block)));
            block.clear();
        }
    }
    checksums
}

fn canonical_element(element: Scalar) -> Scalar {
    let data_type = element.data_type();
    let Some(format) = data_type.format().float() else {
        return element;
    };
    let part = |bits: u64| match format.nan_bits() {
        Some(nan) if format.is_nan(bits) => nan,
        _ => bits,
    };
    match data_type.format().components() {
        2 => Scalar::complex(
            data_type,
            part(element.component(0)),
            part(element.component(1)),
        ),
        _ => Scalar::new(data_type, part(element.component(0)).into()),
    }
}
