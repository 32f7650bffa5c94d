//! `chain`: the codecs of an array one after another (spec/chain.md).

use exactum_model::{
    Array, ArrayCodec, ArrayToBytes, Bytes, Chain, PackBits, Pipeline, Reason, Rejection,
    Resolution, Scalar, Stage, Step,
};

use crate::scale_offset::legacy;
use crate::{bytes, cast_value, packbits, scale_offset};

/// Carries the fill value through every array -> array codec (chain.fill) and says whether it
/// survives the whole chain (chain.survives).
///
/// # Errors
/// [`Reason::FillValue`] when a codec rejects the fill value (scale_offset.fill,
/// scale_offset.legacy.fill, cast_value.fill.cast) or a cast does not bring it back (cast_value.fill.survives); the place is
/// the codec.
pub fn resolve(chain: &Chain) -> Result<Resolution, Rejection> {
    let mut stages = vec![Stage {
        codec: None,
        data_type: chain.data_type,
        shape: chain.chunk_shape.clone(),
        fill_value: chain.fill_value,
    }];
    let mut fill_value = chain.fill_value;
    for step in chain.pipeline.all_steps() {
        fill_value = encode_fill_value(step, fill_value)?;
        stages.push(Stage {
            codec: Some(step.name.clone()),
            data_type: step.data_type,
            shape: step.shape.clone(),
            fill_value,
        });
    }
    let steps: Vec<&Step> = chain.pipeline.all_steps().collect();
    let survives = decode_fill_value(&steps, fill_value)
        .is_ok_and(|decoded| decoded.same_value(&chain.fill_value));
    Ok(Resolution {
        stages,
        encoded_bytes: encoded_bytes(chain),
        survives,
    })
}

/// The fill value after a codec.
fn encode_fill_value(step: &Step, fill_value: Scalar) -> Result<Scalar, Rejection> {
    let place = |mut rejection: Rejection, clause| {
        rejection.message = format!(
            "the fill value {}: {}",
            exactum_exact::canonical(&fill_value),
            rejection.message
        );
        rejection.reason = Reason::FillValue;
        rejection.clause = clause;
        rejection.at = None;
        rejection.at_pointer(step.pointer.clone())
    };
    match &step.codec {
        ArrayCodec::Transpose(_) | ArrayCodec::Reshape => Ok(fill_value),
        ArrayCodec::ScaleOffset(codec) => {
            let bits = scale_offset::encode_element(codec, fill_value.component(0))
                .map_err(|rejection| place(rejection, "scale_offset.fill"))?;
            Ok(Scalar::new(step.data_type, bits.into()))
        }
        ArrayCodec::FixedScaleOffset(codec) => {
            let bits = legacy::encode_element(codec, fill_value.component(0))
                .map_err(|rejection| place(rejection, "scale_offset.legacy.fill"))?;
            Ok(Scalar::new(step.data_type, bits.into()))
        }
        ArrayCodec::CastValue(codec) => {
            let bits = cast_value::cast_element(&codec.encoding(), fill_value.component(0))
                .map_err(|rejection| place(rejection, "cast_value.fill.cast"))?;
            let back = cast_value::cast_element(&codec.decoding(), bits)
                .map_err(|rejection| place(rejection, "cast_value.fill.survives"))?;
            let encoded = Scalar::new(codec.encoded, bits.into());
            let decoded = Scalar::new(codec.decoded, back.into());
            if !decoded.same_value(&fill_value) {
                let text = exactum_exact::canonical;
                return Err(Rejection::new(
                    Reason::FillValue,
                    "cast_value.fill.survives",
                    format!(
                        "the fill value {} becomes {} in {} and comes back as {}",
                        text(&fill_value),
                        text(&encoded),
                        codec.encoded,
                        text(&decoded),
                    ),
                )
                .help(format!(
                    "choose a fill value that {} holds exactly, or map it in both directions with scalar_map",
                    codec.encoded
                ))
                .at_pointer(step.pointer.clone()));
            }
            Ok(encoded)
        }
    }
}

/// The fill value taken back through all codecs.
fn decode_fill_value(steps: &[&Step], fill_value: Scalar) -> Result<Scalar, Rejection> {
    steps.iter().rev().try_fold(fill_value, |fill_value, step| {
        let bits = fill_value.component(0);
        match &step.codec {
            ArrayCodec::Transpose(_) | ArrayCodec::Reshape => Ok(fill_value),
            ArrayCodec::ScaleOffset(codec) => scale_offset::decode_element(codec, bits)
                .map(|bits| Scalar::new(codec.data_type, bits.into())),
            ArrayCodec::CastValue(codec) => cast_value::cast_element(&codec.decoding(), bits)
                .map(|bits| Scalar::new(codec.decoded, bits.into())),
            ArrayCodec::FixedScaleOffset(codec) => legacy::decode_element(codec, bits)
                .map(|bits| Scalar::new(codec.dtype, bits.into())),
        }
    })
}

/// The bytes of an encoded chunk, where its shape alone says so (chain.encoded-bytes): a shard
/// may hold unused space, and of a foreign codec only the name is known. `crc32c` adds four.
fn encoded_bytes(chain: &Chain) -> Option<u64> {
    let pipeline = &chain.pipeline;
    let shape = match pipeline.steps.last() {
        Some(step) => &step.shape,
        None => &chain.chunk_shape,
    };
    let elements = shape
        .iter()
        .try_fold(1u64, |product, &extent| product.checked_mul(extent))?;
    let bytes = match &pipeline.array_to_bytes {
        ArrayToBytes::Bytes(codec) => {
            let width = u64::try_from(codec.data_type.element_bytes()).ok()?;
            elements.checked_mul(width)?
        }
        ArrayToBytes::PackBits(codec) => packbits::encoded_bytes(codec, elements)?,
        ArrayToBytes::Sharding { .. } | ArrayToBytes::Foreign(_) => return None,
    };
    pipeline
        .bytes_to_bytes
        .iter()
        .try_fold(bytes, |bytes, codec| {
            if codec == "crc32c" {
                bytes.checked_add(4)
            } else {
                None
            }
        })
}

/// Encodes one chunk with every codec in order (chain.order).
///
/// # Errors
/// When an element is rejected, the chunk does not fit the chain, or a codec is known by its name
/// only.
pub fn encode(chain: &Chain, chunk: &Array) -> Result<Vec<u8>, Rejection> {
    crate::require_data_type(chunk, chain.data_type, "chain.data_type")?;
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
    let mut array = chunk.clone();
    for step in &chain.pipeline.steps {
        array = match &step.codec {
            ArrayCodec::ScaleOffset(codec) => scale_offset::encode(codec, &array)?,
            ArrayCodec::CastValue(codec) => cast_value::encode(codec, &array)?,
            ArrayCodec::FixedScaleOffset(codec) => legacy::encode(codec, &array)?,
            ArrayCodec::Transpose(order) => transpose(order, &array)?,
            ArrayCodec::Reshape => array.with_shape(step.shape.clone())?,
        };
    }
    last.encode(&array)
}

/// Decodes one chunk with every codec in reverse order.
///
/// # Errors
/// As for [`encode`], and when the number of bytes is wrong.
pub fn decode(chain: &Chain, encoded: &[u8]) -> Result<Array, Rejection> {
    let last = Last::of(&chain.pipeline)?;
    let steps = &chain.pipeline.steps;
    // The shape before step i: the array's own, or that after step i - 1.
    let before = |index: usize| match index.checked_sub(1) {
        Some(previous) => &steps[previous].shape,
        None => &chain.chunk_shape,
    };
    let mut array = last.decode(before(steps.len()), encoded)?;
    for (index, step) in steps.iter().enumerate().rev() {
        array = match &step.codec {
            ArrayCodec::ScaleOffset(codec) => scale_offset::decode(codec, &array)?,
            ArrayCodec::CastValue(codec) => cast_value::decode(codec, &array)?,
            ArrayCodec::FixedScaleOffset(codec) => legacy::decode(codec, &array)?,
            ArrayCodec::Transpose(order) => transpose(&inverse(order), &array)?,
            ArrayCodec::Reshape => array.with_shape(before(index).clone())?,
        };
    }
    Ok(array)
}

/// The array -> bytes codec of a pipeline whose bytes can be computed here.
#[derive(Clone, Copy, Debug)]
enum Last<'a> {
    Bytes(&'a Bytes),
    PackBits(&'a PackBits),
}

impl<'a> Last<'a> {
    fn of(pipeline: &'a Pipeline) -> Result<Self, Rejection> {
        let foreign = match (&pipeline.array_to_bytes, pipeline.bytes_to_bytes.first()) {
            (ArrayToBytes::Bytes(codec), None) => return Ok(Last::Bytes(codec)),
            (ArrayToBytes::PackBits(codec), None) => return Ok(Last::PackBits(codec)),
            (ArrayToBytes::Bytes(_) | ArrayToBytes::PackBits(_), Some(name))
            | (ArrayToBytes::Foreign(name), _) => name.as_str(),
            (ArrayToBytes::Sharding { .. }, _) => "sharding_indexed",
        };
        Err(Rejection::new(
            Reason::UnsupportedCodec,
            "chain.foreign",
            format!("{foreign} passes here by its name only; its bytes cannot be computed"),
        ))
    }

    fn encode(self, array: &Array) -> Result<Vec<u8>, Rejection> {
        match self {
            Last::Bytes(codec) => bytes::encode(codec, array),
            Last::PackBits(codec) => packbits::encode(codec, array),
        }
    }

    fn decode(self, shape: &[u64], encoded: &[u8]) -> Result<Array, Rejection> {
        match self {
            Last::Bytes(codec) => bytes::decode(codec, shape, encoded),
            Last::PackBits(codec) => packbits::decode(codec, shape, encoded),
        }
    }
}

/// Dimension `i` of the output is dimension `order[i]` of the input (chain.transpose).
fn transpose(order: &[usize], input: &Array) -> Result<Array, Rejection> {
    let shape: Vec<u64> = order
        .iter()
        .map(|&dimension| input.shape()[dimension])
        .collect();
    // How far the input index moves with one step along each dimension of the output.
    let mut strides = vec![1u64; order.len()];
    for dimension in (1..order.len()).rev() {
        strides[dimension - 1] = strides[dimension].saturating_mul(input.shape()[dimension]);
    }
    let strides: Vec<u64> = order.iter().map(|&dimension| strides[dimension]).collect();

    let width = input.data_type().element_bytes();
    let mut data = Vec::with_capacity(input.data().len());
    for index in 0..input.len() {
        let mut rest = u64::try_from(index).unwrap_or_default();
        let mut source = 0;
        for dimension in (0..shape.len()).rev() {
            source += rest % shape[dimension] * strides[dimension];
            rest /= shape[dimension];
        }
        let source = usize::try_from(source).unwrap_or_default() * width;
        data.extend_from_slice(&input.data()[source..source + width]);
    }
    Array::new(input.data_type(), shape, data)
}

fn inverse(order: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; order.len()];
    for (position, &dimension) in order.iter().enumerate() {
        inverse[dimension] = position;
    }
    inverse
}
