//! Arrays in JSON, sweeps and their checksums.

use std::borrow::Cow;
use std::fmt;

use exactum_model::{Array, DataType, Reason, Rejection, push_little_endian};
use serde_json::{Map, Value, json};

use crate::hex;

/// The largest number of bytes of an array in a vector or a request.
const MAX_ARRAY_BYTES: u64 = 64 << 20;

/// The number of elements that one checksum of a sweep covers.
const ELEMENTS_PER_CHECKSUM: usize = 4096;

/// The reason why a JSON value is not an array.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArrayError {
    /// It does not have the form of an array in the protocol: an `error`.
    Form(String),
    /// Its data type is unknown, or an element of `json` is not JSON: a `reject`.
    Rejected(Rejection),
}

impl fmt::Display for ArrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArrayError::Form(message) => f.write_str(message),
            ArrayError::Rejected(rejection) => f.write_str(&rejection.message),
        }
    }
}

impl std::error::Error for ArrayError {}

pub(crate) fn form(message: impl Into<String>) -> ArrayError {
    ArrayError::Form(message.into())
}

/// Writes an array in the form of the protocol and the vectors.
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
/// [`ArrayError::Rejected`] for an unknown data type, [`ArrayError::Form`] for anything else.
pub fn array_from_json(value: &Value) -> Result<Array, ArrayError> {
    array_from_members(
        value
            .as_object()
            .ok_or_else(|| form("an array must be a JSON object"))?,
    )
}

/// Reads an array from its members.
///
/// # Errors
/// The same as for [`array_from_json`].
pub fn array_from_members(members: &Map<String, Value>) -> Result<Array, ArrayError> {
    let data_type = data_type_of(members)?;
    let shape = shape_of(members)?;
    let data = members.get("data").and_then(Value::as_str);
    let data = data.ok_or_else(|| form("an array needs data in hex"))?;
    let data = hex::decode(data).map_err(|error| form(format!("data: {error}")))?;
    Array::new(data_type, shape, data).map_err(|rejection| form(rejection.message))
}

/// Reads the input of a vector: an array, the `ranges` of a sweep instead of its shape and data, or the seed of
/// `splitmix` instead of its data.
///
/// # Errors
/// The same as for [`array_from_json`]; [`ArrayError::Form`] also for ranges or a seed that are malformed or make more
/// than 64 MiB.
pub fn input_from_json(value: &Value) -> Result<Array, ArrayError> {
    let members = value
        .as_object()
        .ok_or_else(|| form("an array must be a JSON object"))?;
    match (members.get("ranges"), members.get("splitmix")) {
        (Some(ranges), None) => {
            let data_type = data_type_of(members)?;
            let data = swept(data_type, ranges).map_err(ArrayError::Form)?;
            let count = data.len() / data_type.format().component_bytes();
            let shape = vec![count as u64];
            Array::new(data_type, shape, data).map_err(|rejection| form(rejection.message))
        }
        (None, Some(seed)) => {
            let data_type = data_type_of(members)?;
            let shape = shape_of(members)?;
            let data = mixed(data_type, &shape, seed).map_err(ArrayError::Form)?;
            Array::new(data_type, shape, data).map_err(|rejection| form(rejection.message))
        }
        (None, None) => array_from_members(members),
        (Some(_), Some(_)) => Err(form("an input may have ranges or splitmix, not both")),
    }
}

/// Returns whether an input is given in another way than by its shape and data.
#[must_use]
pub fn is_generated(input: &Value) -> bool {
    ["ranges", "splitmix"]
        .iter()
        .any(|key| input.get(key).is_some())
}

fn data_type_of(members: &Map<String, Value>) -> Result<DataType, ArrayError> {
    let name = members.get("data_type").and_then(Value::as_str);
    let name = name.ok_or_else(|| form("an array needs a data_type"))?;
    data_type(name).map_err(ArrayError::Rejected)
}

pub(crate) fn shape_of(members: &Map<String, Value>) -> Result<Vec<u64>, ArrayError> {
    let shape = members.get("shape").and_then(Value::as_array);
    shape
        .and_then(|shape| shape.iter().map(Value::as_u64).collect())
        .ok_or_else(|| form("an array needs a shape of non-negative integers"))
}

fn data_type(name: &str) -> Result<DataType, Rejection> {
    name.parse().map_err(|_| {
        Rejection::new(
            Reason::UnsupportedDataType,
            "data_type.name",
            format!("{name:?} is not a data type of the registry that Exactum covers"),
        )
    })
}

/// Returns the bits of a scalar as a number in hex, most significant digit first, with the width of the component.
/// Sweeps write the ends of their ranges in this form.
#[must_use]
pub fn scalar_bits_to_hex(data_type: DataType, bits: u64) -> String {
    let width = 2 * data_type.format().component_bytes();
    format!("{bits:0width$x}")
}

/// Returns the input of a sweep: all bit patterns of some inclusive ranges.
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

/// Returns the bytes of a sweep, which has one dimension and contains the ranges in order.
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
    for range in ranges.as_array().ok_or("ranges must be a list")? {
        let [first, last] = range.as_array().map(Vec::as_slice).unwrap_or_default() else {
            return Err("a range must be a pair".into());
        };
        let (first, last) = (bound(first)?, bound(last)?);
        let elements = last
            .checked_sub(first)
            .ok_or("the end of a range must not be below its start")?;
        if elements >= MAX_ARRAY_BYTES / width as u64 - (data.len() / width) as u64 {
            return Err("a sweep may have at most 64 MiB".into());
        }
        for bits in first..=last {
            push_little_endian(&mut data, width, bits);
        }
    }
    Ok(data)
}

/// Returns an input whose elements are random bits from a seed.
#[must_use]
pub fn splitmix_input(data_type: DataType, shape: &[u64], seed: u64) -> Value {
    json!({
        "data_type": data_type.name(),
        "shape": shape,
        "splitmix": format!("{seed:016x}"),
    })
}

/// Returns the bytes of an input from a seed: the bits of component `i` are the low bits of `splitmix64(seed + i)`.
fn mixed(data_type: DataType, shape: &[u64], seed: &Value) -> Result<Vec<u8>, String> {
    let bytes = Array::bytes_of(data_type, shape).map_err(|rejection| rejection.message)?;
    if bytes > MAX_ARRAY_BYTES {
        return Err("an input generated from a seed may have at most 64 MiB".into());
    }
    let seed = seed
        .as_str()
        .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .ok_or_else(|| format!("{seed} is not a seed: a seed has up to 16 hex digits"))?;
    let format = data_type.format();
    let width = format.component_bytes();
    let mut data = Vec::new();
    for component in 0..bytes / width as u64 {
        let bits = splitmix64(seed.wrapping_add(component)) & format.component_mask();
        push_little_endian(&mut data, width, bits);
    }
    Ok(data)
}

/// Returns the first number of the generator splitmix64 with this initial state.
fn splitmix64(state: u64) -> u64 {
    let mut bits = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// Returns the checksums of an array: a CRC-32 of 8 hex digits for each 4,096 elements of its canonical bytes, in which
/// every NaN is the default NaN of its type.
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

/// Returns the bytes of an array with every NaN replaced by the default NaN of its type, and with the bits above those
/// of an element cleared.
fn canonical(array: &Array) -> Cow<'_, [u8]> {
    let format = array.data_type().format();
    let float = format.float();
    let width = format.component_bytes();
    let whole = format.component_mask() == u64::MAX >> (64 - 8 * width);
    if float.is_none() && whole {
        return array.data().into();
    }
    let nan = float.and_then(|float| Some((float, float.nan_bits()?)));
    let mut data = Vec::with_capacity(array.data().len());
    for bits in array.components() {
        let bits = match nan {
            Some((float, nan)) if float.is_nan(bits) => nan,
            _ => bits,
        };
        push_little_endian(&mut data, width, bits);
    }
    data.into()
}

#[cfg(test)]
mod tests {
    use exactum_model::DataType;
    use serde_json::{Value, json};

    use super::{input_from_json, is_generated, splitmix_input, splitmix64};

    #[test]
    fn splitmix64_is_that_of_its_author() {
        // The first outputs of Steele, Lea and Flood's generator for the seeds 0 and 1234567.
        assert_eq!(splitmix64(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(splitmix64(1_234_567), 6_457_827_717_110_365_317);
    }

    fn check(input: &Value, shape: &[u64], data: &str) {
        assert!(is_generated(input), "{input}");
        let array = input_from_json(input).expect("an input");
        assert_eq!(array.shape(), shape, "{input}");
        assert_eq!(crate::hex::encode(array.data()), data, "{input}");
    }

    #[test]
    fn a_seed_makes_elements() {
        check(
            &splitmix_input(DataType::Uint64, &[1], 0),
            &[1],
            "afcd1d7b39a820e2",
        );
        check(&splitmix_input(DataType::Uint16, &[], 0), &[], "afcd");
        check(&splitmix_input(DataType::Bool, &[1, 1], 0), &[1, 1], "01");
        check(&splitmix_input(DataType::Int4, &[1], 0), &[1], "0f");
        check(&splitmix_input(DataType::Uint8, &[3, 0], 0), &[3, 0], "");
        // Seed 0 follows the largest seed, and an imaginary part counts as the next element.
        let last = splitmix_input(DataType::Complex64, &[1], u64::MAX);
        let array = input_from_json(&last).expect("an input");
        assert_eq!(array.component(1), 0x7b1d_cdaf);
    }

    #[test]
    fn an_input_that_cannot_be_made_is_none() {
        for input in [
            json!({"data_type": "int8", "shape": [1], "splitmix": ""}),
            json!({"data_type": "int8", "shape": [1], "splitmix": "+1"}),
            json!({"data_type": "int8", "shape": [1], "splitmix": "10000000000000000"}),
            json!({"data_type": "int8", "shape": [1], "splitmix": 1}),
            json!({"data_type": "int8", "splitmix": "1"}),
            json!({"data_type": "int7", "shape": [1], "splitmix": "1"}),
            json!({"data_type": "int8", "shape": [67_108_865], "splitmix": "1"}),
            json!({"data_type": "int64", "shape": [u64::MAX, 2], "splitmix": "1"}),
            json!({"data_type": "int8", "shape": [1], "splitmix": "1", "ranges": []}),
        ] {
            assert!(is_generated(&input), "{input}");
            input_from_json(&input).expect_err(&input.to_string());
        }
    }
}
