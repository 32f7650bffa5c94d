//! `chain`: the codecs of an array one after another (spec/chain.md).

mod fill;
mod fused;
mod transpose;

use exactum_model::{
    Array, ArrayCodec, ArrayToBytes, Chain, DataType, Endian, Pipeline, Reason, Rejection, Step,
};

pub use fill::resolve;

use crate::{bytes, cast_value, scale_offset};

/// Encodes one chunk with every codec in order (chain.order).
///
/// # Errors
/// When an element is rejected, the chunk does not fit the chain, or a codec is known by its name
/// only.
pub fn encode(chain: &Chain, chunk: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(chunk.data_type(), chain.data_type, "chain.data_type")?;
    if chunk.shape() != chain.chunk_shape {
        return Err(Rejection::new(
            Reason::Shape,
            "chain.shape",
            format!(
                "the chunk has shape {:?}, not {:?}",
                chunk.shape(),
                chain.chunk_shape
            ),
        ));
    }
    let endian = computable(&chain.pipeline)?;
    let steps = &chain.pipeline.steps;
    if let Some(array) = fused::encode(steps, chunk) {
        return Ok(bytes::encode(endian, &array));
    }
    let mut steps = steps.iter();
    let Some(first) = steps.next() else {
        return Ok(bytes::encode(endian, chunk));
    };
    let array = steps.try_fold(encode_step(first, chunk)?, |array, step| {
        encode_step(step, &array)
    })?;
    Ok(bytes::encode(endian, &array))
}

fn encode_step(step: &Step, array: &Array) -> Result<Array, Rejection> {
    match &step.codec {
        ArrayCodec::ScaleOffset(codec) => scale_offset::encode(codec, array),
        ArrayCodec::CastValue(codec) => cast_value::encode(codec, array),
        ArrayCodec::Transpose(order) => transpose::transpose(order, array),
        ArrayCodec::Reshape => array.clone().with_shape(step.shape.clone()),
    }
}

/// Decodes one chunk with every codec in reverse order.
///
/// # Errors
/// As for [`encode`], and when the number of bytes is wrong.
pub fn decode(chain: &Chain, encoded: &[u8]) -> Result<Array, Rejection> {
    let endian = computable(&chain.pipeline)?;
    let steps = &chain.pipeline.steps;
    let (data_type, shape) = before(chain, steps.len());
    let mut array = bytes::decode(endian, data_type, shape, encoded)?;
    if let Some(array) = fused::decode(chain, &array) {
        return Ok(array);
    }
    for (index, step) in steps.iter().enumerate().rev() {
        array = match &step.codec {
            ArrayCodec::ScaleOffset(codec) => scale_offset::decode(codec, &array)?,
            ArrayCodec::CastValue(codec) => cast_value::decode(codec, &array)?,
            ArrayCodec::Transpose(order) => {
                transpose::transpose(&transpose::inverse(order), &array)?
            }
            ArrayCodec::Reshape => array.with_shape(before(chain, index).1.to_vec())?,
        };
    }
    Ok(array)
}

/// What stands before a step: the array's own data type and shape, or those after the step before.
fn before(chain: &Chain, index: usize) -> (DataType, &[u64]) {
    match index
        .checked_sub(1)
        .and_then(|previous| chain.pipeline.steps.get(previous))
    {
        Some(step) => (step.data_type, &step.shape),
        None => (chain.data_type, &chain.chunk_shape),
    }
}

/// The byte order of a pipeline whose bytes can be computed here.
fn computable(pipeline: &Pipeline) -> Result<Option<Endian>, Rejection> {
    let foreign = match &pipeline.array_to_bytes {
        ArrayToBytes::Bytes(endian) => match pipeline.bytes_to_bytes.first() {
            None => return Ok(*endian),
            Some(name) => name.as_str(),
        },
        ArrayToBytes::Sharding { .. } => "sharding_indexed",
        ArrayToBytes::Foreign(name) => name.as_str(),
    };
    Err(Rejection::new(
        Reason::UnsupportedCodec,
        "chain.foreign",
        format!("{foreign} passes here by its name only; its bytes cannot be computed"),
    ))
}
