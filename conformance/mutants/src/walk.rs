//! Arrays and chains of a mutant: the reference's, with the mutant's parts in their places.

use exactum_conformance::model::{
    Array, ArrayCodec, ArrayToBytes, Bytes, CastValue, Chain, DataType, Endian, FixedScaleOffset,
    Pipeline, Reason, Rejection, Resolution, Scalar, ScaleOffset, Stage, Step,
};
use exactum_reference as reference;

use super::{Direction, Parts};

/// `cast_value` on an array.
pub(super) fn cast(
    parts: &Parts,
    codec: &CastValue,
    direction: Direction,
    input: &Array,
) -> Result<Array, Rejection> {
    let Some(part) = parts.cast else {
        return match direction {
            Direction::Encode => reference::cast_value::encode(codec, input),
            Direction::Decode => reference::cast_value::decode(codec, input),
        };
    };
    let to = match direction {
        Direction::Encode => codec.encoded,
        Direction::Decode => codec.decoded,
    };
    let output = elements(input, |bits| part(codec, direction, bits))?;
    Array::from_components(to, input.shape().to_vec(), output)
}

/// `scale_offset` on an array.
pub(super) fn scale(
    parts: &Parts,
    codec: &ScaleOffset,
    direction: Direction,
    input: &Array,
) -> Result<Array, Rejection> {
    let Some(part) = parts.scale else {
        return match direction {
            Direction::Encode => reference::scale_offset::encode(codec, input),
            Direction::Decode => reference::scale_offset::decode(codec, input),
        };
    };
    let output = elements(input, |bits| part(codec, direction, bits))?;
    Array::from_components(codec.data_type, input.shape().to_vec(), output)
}

/// `numcodecs.fixedscaleoffset` on an array.
pub(super) fn legacy(
    parts: &Parts,
    codec: &FixedScaleOffset,
    direction: Direction,
    input: &Array,
) -> Result<Array, Rejection> {
    let Some(part) = parts.legacy else {
        return match direction {
            Direction::Encode => reference::scale_offset::legacy::encode(codec, input),
            Direction::Decode => reference::scale_offset::legacy::decode(codec, input),
        };
    };
    let to = match direction {
        Direction::Encode => codec.astype,
        Direction::Decode => codec.dtype,
    };
    let output = elements(input, |bits| part(codec, direction, bits))?;
    Array::from_components(to, input.shape().to_vec(), output)
}

fn elements(
    input: &Array,
    element: impl Fn(u64) -> Result<u64, Rejection>,
) -> Result<Vec<u64>, Rejection> {
    (0u64..)
        .zip(input.components())
        .map(|(index, bits)| element(bits).map_err(|rejection| rejection.at_element(index)))
        .collect()
}

/// The fill value after a codec, with the mutant's arithmetic and the checks of the clauses.
pub(super) fn fill(parts: &Parts, step: &Step, before: Scalar) -> Result<Scalar, Rejection> {
    let after = encoded_fill(parts, step, before)?;
    if let ArrayCodec::CastValue(_) = &step.codec {
        let back = decoded_fill(parts, step, after)?;
        if !back.same_value(&before) {
            return Err(not_survived());
        }
    }
    Ok(after)
}

/// The rejection of a fill value that does not come back.
pub(super) fn not_survived() -> Rejection {
    Rejection::new(
        Reason::FillValue,
        "cast_value.fill.survives",
        "the fill value does not come back",
    )
}

/// The fill value after a codec, without a check that it comes back.
pub(super) fn encoded_fill(
    parts: &Parts,
    step: &Step,
    before: Scalar,
) -> Result<Scalar, Rejection> {
    one_fill(parts, step, Direction::Encode, before)
}

/// The fill value before a codec, out of the one after it.
pub(super) fn decoded_fill(parts: &Parts, step: &Step, after: Scalar) -> Result<Scalar, Rejection> {
    one_fill(parts, step, Direction::Decode, after)
}

fn one_fill(
    parts: &Parts,
    step: &Step,
    direction: Direction,
    scalar: Scalar,
) -> Result<Scalar, Rejection> {
    let one = || Array::new(scalar.data_type(), vec![1], scalar.to_bytes());
    match &step.codec {
        ArrayCodec::Transpose(_) | ArrayCodec::Reshape => Ok(scalar),
        ArrayCodec::ScaleOffset(codec) => {
            scale(parts, codec, direction, &one()?).map(|array| array.element(0))
        }
        ArrayCodec::CastValue(codec) => {
            cast(parts, codec, direction, &one()?).map(|array| array.element(0))
        }
        ArrayCodec::FixedScaleOffset(codec) => {
            legacy(parts, codec, direction, &one()?).map(|array| array.element(0))
        }
    }
}

/// Carries the fill value through a chain.
pub(super) fn resolve(parts: &Parts, chain: &Chain) -> Result<Resolution, Rejection> {
    if elements_are_right(parts) && parts.fill.is_none() {
        return reference::chain::resolve(chain);
    }
    let mut stages = vec![Stage {
        codec: None,
        data_type: chain.data_type,
        shape: chain.chunk_shape.clone(),
        fill_value: chain.fill_value,
    }];
    let mut fill_value = chain.fill_value;
    for step in chain.pipeline.all_steps() {
        fill_value = match parts.fill {
            Some(part) => part(chain, step, fill_value),
            None => fill(parts, step, fill_value),
        }?;
        stages.push(Stage {
            codec: Some(step.name.clone()),
            data_type: step.data_type,
            shape: step.shape.clone(),
            fill_value,
        });
    }
    let steps: Vec<&Step> = chain.pipeline.all_steps().collect();
    let back = steps
        .iter()
        .rev()
        .try_fold(fill_value, |after, step| decoded_fill(parts, step, after));
    Ok(Resolution {
        stages,
        encoded_bytes: encoded_bytes(chain),
        survives: back.is_ok_and(|back| back.same_value(&chain.fill_value)),
    })
}

/// The right number of encoded bytes: the reference tells it of the chain without its values.
fn encoded_bytes(chain: &Chain) -> Option<u64> {
    let mut shapes = chain.clone();
    for step in &mut shapes.pipeline.steps {
        step.codec = ArrayCodec::Reshape;
    }
    reference::chain::resolve(&shapes)
        .ok()
        .and_then(|resolution| resolution.encoded_bytes)
}

/// Encodes a chunk.
pub(super) fn encode(parts: &Parts, chain: &Chain, chunk: &Array) -> Result<Vec<u8>, Rejection> {
    if elements_are_right(parts) && parts.bytes.is_right() && parts.packbits.is_right() {
        return reference::chain::encode(chain, chunk);
    }
    // The reference checks the chunk against the chain, which no fault of an element changes.
    let array_to_bytes = match &chain.pipeline.array_to_bytes {
        ArrayToBytes::Bytes(_) | ArrayToBytes::PackBits(_) => little(chain.data_type),
        other => other.clone(),
    };
    let unchanged = Chain {
        pipeline: Pipeline {
            steps: Vec::new(),
            array_to_bytes,
            ..chain.pipeline.clone()
        },
        ..chain.clone()
    };
    reference::chain::encode(&unchanged, chunk)?;
    let mut array = chunk.clone();
    for step in &chain.pipeline.steps {
        array = match &step.codec {
            ArrayCodec::ScaleOffset(codec) => scale(parts, codec, Direction::Encode, &array)?,
            ArrayCodec::CastValue(codec) => cast(parts, codec, Direction::Encode, &array)?,
            ArrayCodec::FixedScaleOffset(codec) => legacy(parts, codec, Direction::Encode, &array)?,
            ArrayCodec::Transpose(_) | ArrayCodec::Reshape => moved(step, &array)?,
        };
    }
    match &chain.pipeline.array_to_bytes {
        ArrayToBytes::Bytes(codec) => match parts.bytes.encode {
            Some(encode) => encode(codec, &array),
            None => reference::bytes::encode(codec, &array),
        },
        ArrayToBytes::PackBits(codec) => match parts.packbits.encode {
            Some(encode) => encode(codec, &array),
            None => reference::packbits::encode(codec, &array),
        },
        // The reference has refused what it does not compute.
        ArrayToBytes::Sharding { .. } | ArrayToBytes::Foreign(_) => Err(not_survived()),
    }
}

fn elements_are_right(parts: &Parts) -> bool {
    parts.cast.is_none() && parts.scale.is_none() && parts.legacy.is_none()
}

/// Decodes a chunk.
pub(super) fn decode(parts: &Parts, chain: &Chain, bytes: &[u8]) -> Result<Array, Rejection> {
    if elements_are_right(parts) && parts.bytes.is_right() && parts.packbits.is_right() {
        return reference::chain::decode(chain, bytes);
    }
    // What stands before and after every step.
    let mut places = vec![(chain.data_type, chain.chunk_shape.clone())];
    for step in &chain.pipeline.steps {
        places.push((step.data_type, step.shape.clone()));
    }
    let chain_of = |place: usize, steps: &[Step], array_to_bytes: ArrayToBytes| Chain {
        data_type: places[place].0,
        chunk_shape: places[place].1.clone(),
        fill_value: Scalar::new(places[place].0, 0),
        pipeline: Pipeline {
            steps: steps.to_vec(),
            array_to_bytes,
            bytes_to_bytes: chain.pipeline.bytes_to_bytes.clone(),
        },
    };
    let last = chain_of(places.len() - 1, &[], chain.pipeline.array_to_bytes.clone());
    let computed = chain.pipeline.bytes_to_bytes.is_empty();
    let mut array = match (
        &chain.pipeline.array_to_bytes,
        parts.bytes.decode,
        parts.packbits.decode,
    ) {
        (ArrayToBytes::Bytes(codec), Some(decode), _) if computed => {
            decode(codec, &last.chunk_shape, bytes)?
        }
        (ArrayToBytes::PackBits(codec), _, Some(decode)) if computed => {
            decode(codec, &last.chunk_shape, bytes)?
        }
        _ => reference::chain::decode(&last, bytes)?,
    };
    for (index, step) in chain.pipeline.steps.iter().enumerate().rev() {
        array = match &step.codec {
            ArrayCodec::ScaleOffset(codec) => scale(parts, codec, Direction::Decode, &array)?,
            ArrayCodec::CastValue(codec) => cast(parts, codec, Direction::Decode, &array)?,
            ArrayCodec::FixedScaleOffset(codec) => legacy(parts, codec, Direction::Decode, &array)?,
            ArrayCodec::Transpose(_) | ArrayCodec::Reshape => {
                let little = little(places[index].0);
                let one = chain_of(index, std::slice::from_ref(step), little);
                reference::chain::decode(&one, array.data())?
            }
        };
    }
    Ok(array)
}

/// `bytes` in the order of arrays.
pub(super) fn little(data_type: DataType) -> ArrayToBytes {
    ArrayToBytes::Bytes(Bytes {
        data_type,
        endian: Some(Endian::Little),
    })
}

/// A step that moves elements without changing them: the reference does it.
fn moved(step: &Step, array: &Array) -> Result<Array, Rejection> {
    let one = Chain {
        data_type: array.data_type(),
        chunk_shape: array.shape().to_vec(),
        fill_value: Scalar::new(array.data_type(), 0),
        pipeline: Pipeline {
            steps: vec![step.clone()],
            array_to_bytes: little(array.data_type()),
            bytes_to_bytes: Vec::new(),
        },
    };
    let bytes = reference::chain::encode(&one, array)?;
    Array::new(array.data_type(), step.shape.clone(), bytes)
}
