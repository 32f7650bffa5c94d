//! Codecs over the bytes of a chunk, for libraries that read and write arrays.

use exactum_conformance::{Call, Codec, Codecs as _, Fault, Stored, Success};
use exactum_metadata as metadata;
use exactum_model::{Array, DataType, Rejection};
use serde_json::{Value, json};

use crate::ours::Optimized;

/// Encodes or decodes the bytes of a chunk with the codec `name` and its JSON text `configuration`, for arrays of
/// `data_type` and `shape`. Returns the answer and the resulting bytes.
///
/// # Errors
/// If the request lacks a direction or a shape. A rejection is not an error but an answer that names its clause.
pub(crate) fn convert(request: &Value, input: Vec<u8>) -> Result<(Value, Vec<u8>), String> {
    let text = |key: &str| request[key].as_str().unwrap_or_default();
    let extents = request["shape"].as_array().map(Vec::as_slice);
    let shape: Option<Vec<u64>> = extents
        .unwrap_or_default()
        .iter()
        .map(Value::as_u64)
        .collect();
    let shape = shape.ok_or("an extent of the shape is not a whole number")?;
    let is_encoding = match text("direction") {
        "encode" => true,
        "decode" => false,
        other => return Err(format!("the direction {other:?} is not encode or decode")),
    };
    let converted = metadata::parse_data_type(text("data_type"))
        .and_then(|data_type| {
            let codec = parse(text("name"), text("configuration"), data_type, shape.len())?;
            called(codec, is_encoding, data_type, shape, input)
        })
        .map(|call| Optimized.call(&call));
    match converted {
        Ok(Ok(Success::Output(array))) => {
            let answer = json!({ "data_type": array.data_type().name() });
            Ok((answer, array.into_data()))
        }
        Ok(Ok(Success::Bytes(bytes))) => Ok((json!({ "data_type": null }), bytes)),
        Ok(Err(Fault::Unsupported(words) | Fault::Error(words))) => Err(words),
        Ok(Err(Fault::Reject(rejection))) | Err(rejection) => {
            Ok((rejected(&rejection), Vec::new()))
        }
        Ok(Ok(_)) => Err("a codec makes an array or bytes".into()),
    }
}

/// Returns the data type in which the codec `name` stores elements of `data_type`. If the configuration is rejected,
/// the answer names the clause.
pub(crate) fn stored(request: &Value) -> Value {
    let text = |key: &str| request[key].as_str().unwrap_or_default();
    let rank = request["shape"].as_array().map_or(0, Vec::len);
    let parsed = metadata::parse_data_type(text("data_type")).and_then(|data_type| {
        let codec = parse(text("name"), text("configuration"), data_type, rank)?;
        Ok(match codec {
            Codec::CastValue(codec) => codec.encoded,
            _ => data_type,
        })
    });
    match parsed {
        Ok(data_type) => json!({
            "data_type": data_type.name(), "element_bytes": data_type.element_bytes(),
        }),
        Err(rejection) => rejected(&rejection),
    }
}

fn parse(name: &str, text: &str, data_type: DataType, rank: usize) -> Result<Codec, Rejection> {
    Ok(match name {
        "bitround" => Codec::BitRound(metadata::parse_bitround(text, data_type)?),
        "cast_value" => Codec::CastValue(metadata::parse_cast_value(text, data_type)?),
        "scale_offset" => Codec::ScaleOffset(metadata::parse_scale_offset(text, data_type)?),
        "packbits" => Codec::PackBits(metadata::parse_packbits(text, data_type)?),
        "zfp" => Codec::Zfp(metadata::parse_zfp(text, data_type, rank)?),
        _ => {
            let message = format!("unknown codec {name:?}");
            let reason = exactum_model::Reason::UnsupportedCodec;
            return Err(Rejection::new(reason, "chain.codecs", message));
        }
    })
}

fn called(
    codec: Codec,
    is_encoding: bool,
    data_type: DataType,
    shape: Vec<u64>,
    input: Vec<u8>,
) -> Result<Call, Rejection> {
    if is_encoding {
        return Ok(Call::Encode(codec, Array::new(data_type, shape, input)?));
    }
    let stored = match &codec {
        Codec::CastValue(cast) => Stored::Array(Array::new(cast.encoded, shape, input)?),
        Codec::BitRound(_) | Codec::ScaleOffset(_) => {
            Stored::Array(Array::new(data_type, shape, input)?)
        }
        _ => Stored::Bytes {
            shape,
            bytes: input,
        },
    };
    Ok(Call::Decode(codec, stored))
}

fn rejected(rejection: &Rejection) -> Value {
    json!({
        "error": rejection.to_string(), "reason": rejection.reason.name(),
        "clause": rejection.clause,
    })
}
