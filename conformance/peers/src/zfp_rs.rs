//! The crate `zfp-rs`, as a codec for the four types that zfp supports.
//!
//! It does not parse documents; it receives the limits of a block in resolved form.

use exactum_conformance::model::{Array, DataType, Reason, Rejection, Zfp};
use exactum_conformance::{Call, Codec, Codecs, Fault, Hello, Outcome, Stored};
use serde_json::Value;
use zfp_rs::{ZfpBitStream, ZfpConfig, ZfpField, ZfpFieldMut, ZfpScalar};

/// The version that is linked; a test compares it with `Cargo.lock`.
const VERSION: &str = "1.0.1";

/// The number of bytes beyond the stream that it requires.
const MARGIN: usize = 64;

/// The crate `zfp-rs`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZfpRs;

impl Codecs for ZfpRs {
    fn hello(&self) -> Hello {
        let own: Vec<Value> = ["int32", "int64", "float32", "float64"]
            .map(Value::from)
            .to_vec();
        // zfp has no extent of 0: a 0 states that a dimension is absent.
        let chunks = |types| {
            let ranks = (0..=4).map(Value::from).collect();
            [
                (types, own.clone()),
                ("empty", vec![false.into()]),
                ("rank", ranks),
            ]
        };
        let mut hello = Hello::new("zfp-rs", VERSION, "rust")
            .offering_part("zfp.encode", &chunks("from"))
            .offering_part("zfp.decode", &chunks("to"));
        hello.configurations = false;
        hello
    }

    fn call(&self, call: &Call) -> Outcome {
        match call {
            Call::Encode(Codec::Zfp(codec), input) => Ok(match codec.data_type {
                DataType::Int32 => encode(codec, input, i32::from_le_bytes),
                DataType::Int64 => encode(codec, input, i64::from_le_bytes),
                DataType::Float32 => encode(codec, input, f32::from_le_bytes),
                DataType::Float64 => encode(codec, input, f64::from_le_bytes),
                other => no_type(other),
            }?
            .into()),
            Call::Decode(Codec::Zfp(codec), Stored::Bytes { shape, bytes }) => {
                let data = match codec.data_type {
                    DataType::Int32 => decode(codec, shape, bytes, i32::to_le_bytes),
                    DataType::Int64 => decode(codec, shape, bytes, i64::to_le_bytes),
                    DataType::Float32 => decode(codec, shape, bytes, f32::to_le_bytes),
                    DataType::Float64 => decode(codec, shape, bytes, f64::to_le_bytes),
                    other => no_type(other),
                }?;
                Ok(Array::new(codec.data_type, shape.clone(), data)?.into())
            }
            call => call.not_offered(),
        }
    }
}

fn no_type<T>(data_type: DataType) -> Outcome<T> {
    Err(Fault::Unsupported(format!(
        "zfp-rs does not support {data_type}"
    )))
}

fn refused(error: &dyn std::fmt::Display) -> Fault {
    Rejection::new(Reason::Metadata, "none", error.to_string()).into()
}

fn config(codec: &Zfp) -> Outcome<ZfpConfig> {
    let limits = ZfpConfig::expert(
        codec.min_bits,
        codec.max_bits,
        codec.max_precision,
        codec.min_exponent,
    );
    limits.map_err(|error| refused(&error))
}

/// Returns zfp's extents: x first, and 0 for an absent dimension.
fn extents(shape: &[u64]) -> Outcome<[usize; 4]> {
    let mut extents = [1, 0, 0, 0];
    if shape.len() > extents.len() {
        return Err(Fault::Unsupported(
            "zfp-rs has at most four dimensions".into(),
        ));
    }
    for (extent, &own) in extents.iter_mut().zip(shape.iter().rev()) {
        *extent = usize::try_from(own).map_err(|error| refused(&error))?;
    }
    Ok(extents)
}

fn encode<T: ZfpScalar, const N: usize>(
    codec: &Zfp,
    input: &Array,
    element: fn([u8; N]) -> T,
) -> Outcome<Vec<u8>> {
    let (config, extents) = (config(codec)?, extents(input.shape())?);
    let (elements, rest) = input.data().as_chunks::<N>();
    if !rest.is_empty() {
        return Err(Fault::Error("the input is of another data type".into()));
    }
    let elements: Vec<T> = elements.iter().map(|&bytes| element(bytes)).collect();
    let field = ZfpField::new(&elements, extents).map_err(|error| refused(&error))?;
    let room = config.maximum_size(T::SCALAR_TYPE, extents);
    let room = room.ok_or_else(|| Fault::Unsupported("the stream may be too large".into()))?;
    let mut stream = ZfpBitStream::new(room + MARGIN).map_err(|error| refused(&error))?;
    let length = stream
        .compress(&config, &field)
        .map_err(|error| refused(&error))?;
    Ok(stream.as_bytes()[..length].to_vec())
}

fn decode<T: ZfpScalar, const N: usize>(
    codec: &Zfp,
    shape: &[u64],
    bytes: &[u8],
    element: fn(T) -> [u8; N],
) -> Outcome<Vec<u8>> {
    let (config, extents) = (config(codec)?, extents(shape)?);
    let size = shape
        .iter()
        .try_fold(N as u64, |size, &extent| size.checked_mul(extent));
    let count = size
        .filter(|&size| size <= Zfp::MAX_BYTES)
        .and_then(|size| usize::try_from(size).ok())
        .map(|size| size / N)
        .ok_or_else(|| Fault::Unsupported("a chunk that no answer can carry".into()))?;
    let mut elements = vec![T::default(); count];
    let mut field = ZfpFieldMut::new(&mut elements, extents).map_err(|error| refused(&error))?;
    let mut stream = ZfpBitStream::from_bytes(bytes).map_err(|error| refused(&error))?;
    stream
        .decompress(&config, &mut field)
        .map_err(|error| refused(&error))?;
    Ok(elements.into_iter().flat_map(element).collect())
}

#[cfg(test)]
mod tests {
    use crate::versions::locked;

    #[test]
    fn the_version_is_the_one_that_is_linked() {
        assert_eq!(locked("zfp-rs"), super::VERSION);
    }
}
