//! `chain`: the codecs of an array one after another (spec/chain.md).

mod elementwise;
mod fill;
mod fused;
mod transpose;

use exactum_model::{
    Array, ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, Chain, CodecPipeline, Direction,
    PackBits, Reason, Rejection, Zfp,
};

pub use fill::{encode_fill_value, resolve};

use crate::{bytes, packbits, zfp};

/// Encodes one chunk with every codec in order (chain.order).
///
/// # Errors
/// When an element is rejected, the chunk does not fit the chain, or a codec is known by its name
/// only.
///
/// ```
/// use exactum_optimized::chain;
/// use exactum_optimized::model::{
///     Array, ArrayToBytes, Chain, CodecPipeline, DataType, PackBits, Scalar,
/// };
///
/// let chain = Chain {
///     data_type: DataType::Bool,
///     chunk_shape: vec![3],
///     fill_value: Scalar::new(DataType::Bool, 0),
///     pipeline: CodecPipeline {
///         array_to_array: Vec::new(),
///         array_to_bytes: ArrayToBytes::PackBits(PackBits::whole(DataType::Bool)),
///         bytes_to_bytes: Default::default(),
///     },
/// };
/// let chunk = Array::new(DataType::Bool, vec![3], vec![1, 0, 1])?;
/// let stored = chain::encode(&chain, &chunk)?;
/// assert_eq!(stored, [0b101]);
/// assert_eq!(chain::decode(&chain, &stored)?, chunk);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
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
    let last = Last::of(&chain.pipeline)?;
    let steps = &chain.pipeline.array_to_array;
    if let Some(array) = fused::encode(steps, chunk) {
        return last.encode(&array);
    }
    let mut steps = steps.iter();
    let Some(first) = steps.next() else {
        return last.encode(chunk);
    };
    let array = steps.try_fold(encode_step(first, chunk)?, |array, step| {
        encode_step(step, &array)
    })?;
    last.encode(&array)
}

fn encode_step(step: &ArrayToArray, array: &Array) -> Result<Array, Rejection> {
    match &step.codec {
        ArrayCodec::Transpose(order) => transpose::transpose(order, array),
        ArrayCodec::Reshape => array.clone().with_shape(step.shape.clone()),
        codec => elementwise::array(codec, Direction::Encode, array),
    }
}

/// Decodes one chunk with every codec in reverse order.
///
/// # Errors
/// As for [`encode`], and when the number of bytes is wrong.
pub fn decode(chain: &Chain, encoded: &[u8]) -> Result<Array, Rejection> {
    let last = Last::of(&chain.pipeline)?;
    let steps = &chain.pipeline.array_to_array;
    let mut array = last.decode(shape_before(chain, steps.len()), encoded)?;
    if let Some(array) = fused::decode(chain, &array) {
        return Ok(array);
    }
    for (index, step) in steps.iter().enumerate().rev() {
        array = match &step.codec {
            ArrayCodec::Transpose(order) => {
                transpose::transpose(&transpose::inverse(order), &array)?
            }
            ArrayCodec::Reshape => array.with_shape(shape_before(chain, index).to_vec())?,
            codec => elementwise::array(codec, Direction::Decode, &array)?,
        };
    }
    Ok(array)
}

/// The shape before a step: the array's own, or that after the step before.
fn shape_before(chain: &Chain, index: usize) -> &[u64] {
    match index
        .checked_sub(1)
        .and_then(|previous| chain.pipeline.array_to_array.get(previous))
    {
        Some(step) => &step.shape,
        None => &chain.chunk_shape,
    }
}

/// The array -> bytes codec of a pipeline whose bytes can be computed here.
#[derive(Clone, Copy, Debug)]
enum Last<'a> {
    Bytes(&'a Bytes),
    PackBits(&'a PackBits),
    Zfp(&'a Zfp),
}

impl<'a> Last<'a> {
    fn of(pipeline: &'a CodecPipeline) -> Result<Self, Rejection> {
        let foreign = match (&pipeline.array_to_bytes, pipeline.bytes_to_bytes.first()) {
            (ArrayToBytes::Bytes(codec), None) => return Ok(Last::Bytes(codec)),
            (ArrayToBytes::PackBits(codec), None) => return Ok(Last::PackBits(codec)),
            (ArrayToBytes::Zfp(codec), None) => return Ok(Last::Zfp(codec)),
            (
                ArrayToBytes::Bytes(_) | ArrayToBytes::PackBits(_) | ArrayToBytes::Zfp(_),
                Some(name),
            ) => name,
            (ArrayToBytes::Foreign(name), _) => name,
            (ArrayToBytes::Sharding { .. }, _) => "sharding_indexed",
        };
        Err(Rejection::new(
            Reason::UnsupportedCodec,
            "chain.foreign",
            format!("{foreign} is recognised by name only; its bytes cannot be computed"),
        ))
    }

    fn encode(self, array: &Array) -> Result<Vec<u8>, Rejection> {
        match self {
            Last::Bytes(codec) => bytes::encode(codec, array),
            Last::PackBits(codec) => packbits::encode(codec, array),
            Last::Zfp(codec) => zfp::encode(codec, array),
        }
    }

    fn decode(self, shape: &[u64], encoded: &[u8]) -> Result<Array, Rejection> {
        match self {
            Last::Bytes(codec) => bytes::decode(codec, shape, encoded),
            Last::PackBits(codec) => packbits::decode(codec, shape, encoded),
            Last::Zfp(codec) => zfp::decode(codec, shape, encoded),
        }
    }
}
