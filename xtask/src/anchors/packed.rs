//! Anchors of `bytes`, `packbits` and `zfp`, which convert elements to bytes and back.

use exactum_model::{Array, DataType};

use super::engine::{Engine, EngineFault};
use super::table::{Anchor, Expected};
use super::{Accepted, Answer, data_type, scalar};
use crate::vectors::opinions::{Direction, array_to_bytes};

/// Computes an anchor of one of these codecs.
pub(super) fn coded(
    anchor: &Anchor,
    engine: Engine,
    direction: Direction,
) -> Result<Answer, String> {
    let data_type = data_type(anchor)?;
    let row = anchor.operation.split('.').next().unwrap_or_default();
    let codec = match array_to_bytes(row, &anchor.document, data_type, 1)? {
        Ok(codec) => codec,
        Err(rejection) => return Ok(Answer::All(Err(rejection.into()))),
    };
    Ok(Answer::All(match direction {
        Direction::Encode => engine
            .to_bytes(&codec, &elements(anchor, data_type)?)
            .map(Accepted::Bytes),
        Direction::Decode => {
            let (bytes, count) = encoded(anchor)?;
            scalars(engine.to_array(&codec, &[count], &bytes))
        }
    }))
}

/// Returns the inputs as one array.
fn elements(anchor: &Anchor, data_type: DataType) -> Result<Array, String> {
    let mut data = Vec::new();
    for text in &anchor.input {
        data.extend(scalar(data_type, text)?.to_bytes());
    }
    let count = u64::try_from(anchor.input.len()).map_err(|error| error.to_string())?;
    Array::new(data_type, vec![count], data).map_err(|rejection| rejection.to_string())
}

fn scalars(array: Result<Array, EngineFault>) -> Result<Accepted, EngineFault> {
    array.map(|array| {
        Accepted::Scalars((0..array.len()).map(|index| array.element(index)).collect())
    })
}

/// Returns the bytes of the input, and the number of elements, which is that of the expected elements or is stated in
/// the input.
fn encoded(anchor: &Anchor) -> Result<(Vec<u8>, u64), String> {
    let mut input = anchor.input.iter();
    let text = input.next().ok_or("the input has no bytes")?;
    let text: String = serde_json::from_str(text.get()).map_err(|error| error.to_string())?;
    let count = match (&anchor.expected, input.next()) {
        (Expected::Values(values), None) => {
            u64::try_from(values.len()).map_err(|error| error.to_string())?
        }
        (_, Some(count)) => serde_json::from_str(count.get()).map_err(|error| error.to_string())?,
        (_, None) => return Err("the number of elements is missing".into()),
    };
    Ok((unhex(&text)?, count))
}

fn unhex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<char> = text.chars().collect();
    digits
        .chunks(2)
        .map(|byte| {
            let byte: String = byte.iter().collect();
            u8::from_str_radix(&byte, 16).map_err(|error| format!("{text}: {error}"))
        })
        .collect()
}
