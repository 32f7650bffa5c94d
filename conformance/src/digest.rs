//! What an answer is recognised by, so that a *different* wrong answer is noticed.

use exactum_model::Array;
use exactum_vectors::array_from_json;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::operations::{Nans, Operation};
use crate::protocol::{Answer, Success};

/// Bytes up to which an answer stands in its digest as it is.
const READABLE_BYTES: usize = 32;

/// The digest of an answer: `ok:` and the bytes of the result in hex, or where these are many
/// `sha256:` and the first 16 digits of their hash; `reject:` and the reason; `unsupported` or
/// `error`. NaNs of arithmetic count as the default NaN, since they differ between machines.
#[must_use]
pub(crate) fn digest(op: &str, answer: &Answer) -> String {
    match answer {
        Answer::Ok(Success::Output(array)) if nans_of(op) == Nans::Alike => {
            bytes(&canonical(array))
        }
        Answer::Ok(Success::Output(array)) => bytes(array.data()),
        Answer::Ok(Success::Bits(data) | Success::Bytes(data)) => bytes(data),
        Answer::Ok(Success::Valid) => "ok".into(),
        Answer::Ok(Success::Document(members)) if nans_of(op) == Nans::Alike => {
            let mut members = members.clone();
            if let Some(output) = members.get_mut("output")
                && let Ok(array) = array_from_json(output)
            {
                *output = hex::encode(canonical(&array)).into();
            }
            hashed(Value::Object(members).to_string().as_bytes())
        }
        Answer::Ok(success) => hashed(success.to_json().to_string().as_bytes()),
        Answer::Reject(rejected) => format!("reject:{}", rejected.reason),
        Answer::Unsupported(_) => "unsupported".into(),
        Answer::Error(_) => "error".into(),
    }
}

/// How NaNs of an operation's outputs compare.
fn nans_of(op: &str) -> Nans {
    Operation::named(op).map_or(Nans::Bits, |operation| operation.nans)
}

fn bytes(data: &[u8]) -> String {
    if data.len() <= READABLE_BYTES {
        format!("ok:{}", hex::encode(data))
    } else {
        hashed(data)
    }
}

fn hashed(data: &[u8]) -> String {
    format!("sha256:{}", &hex::encode(Sha256::digest(data))[..16])
}

fn canonical(array: &Array) -> Vec<u8> {
    let data_type = array.data_type();
    let format = data_type.format();
    let Some(float) = format.float() else {
        return array.data().to_vec();
    };
    let width = format.component_bytes();
    let mut data = array.data().to_vec();
    for (index, bits) in array.components().enumerate() {
        if let (true, Some(nan)) = (float.is_nan(bits), float.nan_bits()) {
            data[index * width..(index + 1) * width].copy_from_slice(&nan.to_le_bytes()[..width]);
        }
    }
    data
}
