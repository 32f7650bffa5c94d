//! Compares arrays: their type, their shape and the bits of their elements.

use exactum_model::{Array, DataType, Format};
use exactum_vectors::{array_from_members, checksums, hex};
use serde_json::{Map, Value};

use super::{Difference, Input, Shown};
use crate::operations::Nans;
use crate::value::text;

pub(super) fn type_and_shape(data_type: &str, shape: &[u64]) -> String {
    format!("{data_type} of shape {shape:?}")
}

/// Compares the data type and shape of the output with the expected ones.
pub(super) fn compare_kind(
    expected: &Map<String, Value>,
    got: &Array,
) -> Result<Option<Difference>, String> {
    let data_type = expected
        .get("data_type")
        .and_then(Value::as_str)
        .ok_or("the expected output has no data_type")?;
    let shape = expected
        .get("shape")
        .and_then(Value::as_array)
        .and_then(|shape| shape.iter().map(Value::as_u64).collect::<Option<Vec<_>>>())
        .ok_or("the expected output has no shape")?;
    if data_type == got.data_type().name() && shape == got.shape() {
        return Ok(None);
    }
    Ok(Some(Difference::whole(
        type_and_shape(data_type, &shape),
        type_and_shape(got.data_type().name(), got.shape()),
    )))
}

pub(super) fn compare_checksums(
    expected: &Map<String, Value>,
    got: &Array,
) -> Result<Option<Difference>, String> {
    if let Some(difference) = compare_kind(expected, got)? {
        return Ok(Some(difference));
    }
    let expected = expected
        .get("crc32")
        .and_then(Value::as_array)
        .ok_or("crc32 is not a list")?;
    let got = checksums(got);
    if expected.len() != got.len() {
        return Err("the expectation's number of checksums does not match its shape".into());
    }
    Ok(expected
        .iter()
        .zip(&got)
        .enumerate()
        .find(|(_, (expected, got))| expected.as_str() != Some(got))
        .map(|(block, (expected, got))| Difference {
            index: Some(block * 4096),
            expected: Shown::words(format!(
                "4096 elements with CRC-32 {}",
                expected.as_str().unwrap_or_default()
            )),
            got: Shown::words(format!("CRC-32 {got}")),
            ..Difference::default()
        }))
}

pub(super) fn compare_output(
    input: Input<'_>,
    expected: &Map<String, Value>,
    got: &Array,
    nans: Nans,
) -> Result<Option<Difference>, String> {
    if let Some(difference) = compare_kind(expected, got)? {
        return Ok(Some(difference));
    }
    let mask = expected.get("mask");
    let mask = mask
        .map(|mask| read_mask(mask, got.data().len()))
        .transpose()?;
    let expected = read_array(expected)?;
    let width = got.data_type().element_bytes();
    let same = |index: usize| {
        let bytes = index * width..(index + 1) * width;
        let (want, have) = (&expected.data()[bytes.clone()], &got.data()[bytes.clone()]);
        match &mask {
            Some(mask) => equal_under(&mask[bytes], want, have),
            None => {
                want == have
                    || repeats_sign(got.data_type(), want, have)
                    || (nans == Nans::Alike && same_nan(&expected, got, index))
            }
        }
    };
    Ok((0..got.len())
        .find(|&index| !same(index))
        .map(|index| element_difference(input, &expected, got, index)))
}

/// Reads the mask of expected bytes. The bits outside it are free.
pub(super) fn read_mask(mask: &Value, bytes: usize) -> Result<Vec<u8>, String> {
    mask.as_str()
        .and_then(|mask| hex::decode(mask).ok())
        .filter(|mask| mask.len() == bytes)
        .ok_or_else(|| "the mask does not fit the expected bytes".into())
}

/// Returns whether byte strings of equal length have the same bits under a mask.
pub(super) fn equal_under(mask: &[u8], want: &[u8], have: &[u8]) -> bool {
    let mut bytes = want.iter().zip(have).zip(mask);
    bytes.all(|((want, have), mask)| (want ^ have) & mask == 0)
}

pub(super) fn read_array(members: &Map<String, Value>) -> Result<Array, String> {
    array_from_members(members).map_err(|error| format!("the expected output: {error}"))
}

/// Returns whether two elements of one type have, component by component, the same bits or are both NaN.
fn same_nan(expected: &Array, got: &Array, index: usize) -> bool {
    let format = got.data_type().format();
    let Some(float) = format.float() else {
        return false;
    };
    let components = format.components();
    let bytes = format.component_bytes();
    (index * components..(index + 1) * components).all(|component| {
        let place = component * bytes..(component + 1) * bytes;
        expected.data()[place.clone()] == got.data()[place]
            || (float.is_nan(expected.component(component))
                && float.is_nan(got.component(component)))
    })
}

/// Returns whether an element is the expected negative integer of a sub-byte type, with its sign repeated in all higher
/// bits of the byte. How memory holds such an element is up to the implementation.
pub(super) fn repeats_sign(data_type: DataType, want: &[u8], have: &[u8]) -> bool {
    match (data_type.format(), want, have) {
        (Format::Integer(integer), &[want], &[have]) if integer.signed && integer.bits < 8 => {
            let own = 0xff >> (8 - integer.bits);
            want >> (integer.bits - 1) == 1 && have == want | !own
        }
        _ => false,
    }
}

pub(super) fn element_difference(
    input: Input<'_>,
    expected: &Array,
    got: &Array,
    index: usize,
) -> Difference {
    // If the masked elements are equal, the difference lies in the bits above those of the sub-byte type.
    let shown = |array: &Array| {
        let width = array.data_type().element_bytes();
        let mut bytes = array.data()[index * width..(index + 1) * width].to_vec();
        bytes.reverse();
        Shown {
            bits: format!("0x{}", hex::encode(bytes)),
            value: text(&array.element(index)),
        }
    };
    Difference {
        index: Some(index),
        input: input()
            .filter(|input| input.len() == got.len())
            .map(|input| input.element(index).into()),
        expected: shown(expected),
        got: shown(got),
        ..Difference::default()
    }
}
