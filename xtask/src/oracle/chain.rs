//! The second oracle of `chain`: the other oracles are applied one after another, and elements are moved by their
//! coordinates.

use exactum_model::Direction::{self, Decode, Encode};
use exactum_model::{
    Array, ArrayCodec, ArrayToArray, ArrayToBytes, Chain, CodecPipeline, DataType, Reason,
    Resolution, Scalar, Stage,
};

use super::scale_offset::{self, fixed_scale_offset};
use super::{bitround, bytes, cast_value, cf, packbits, zfp};

/// Returns the stages of a chain, the size of an encoded chunk, and whether the fill value survives.
///
/// # Errors
/// If the chain cannot represent the fill value, with the reason.
pub(crate) fn resolve(chain: &Chain) -> Result<Resolution, Reason> {
    let mut stages = vec![Stage {
        codec: None,
        data_type: chain.data_type,
        shape: chain.chunk_shape.clone(),
        fill_value: chain.fill_value,
    }];
    let mut steps = Vec::new();
    gather(&chain.pipeline, &mut steps);
    let mut current = chain.fill_value;
    for step in &steps {
        let next = forwards(step, current)?;
        if matches!(step.codec, ArrayCodec::CastValue(_)) {
            let back = backwards(step, current.data_type(), next)?;
            if !same_value(back, current) {
                return Err(Reason::FillValue);
            }
        }
        stages.push(Stage {
            codec: Some(step.name.clone()),
            data_type: step.data_type,
            shape: step.shape.clone(),
            fill_value: next,
        });
        current = next;
    }
    let mut back = Some(current);
    for (index, step) in steps.iter().enumerate().rev() {
        back = back.and_then(|value| backwards(step, stages[index].data_type, value).ok());
    }
    Ok(Resolution {
        encoded_bytes: encoded_bytes(chain),
        round_trips: back.is_some_and(|value| same_value(value, chain.fill_value)),
        stages,
    })
}

/// Collects the array -> array codecs; those inside a shard follow the outer ones.
fn gather<'a>(pipeline: &'a CodecPipeline, steps: &mut Vec<&'a ArrayToArray>) {
    steps.extend(&pipeline.array_to_array);
    if let ArrayToBytes::Sharding { pipeline, .. } = &pipeline.array_to_bytes {
        gather(pipeline, steps);
    }
}

/// Returns whether two scalars have the same value, judged by the meaning of their bits.
fn same_value(a: Scalar, b: Scalar) -> bool {
    use super::tables::Number;
    let data_type = a.data_type();
    data_type == b.data_type()
        && if data_type.is_real() {
            let number = |scalar: Scalar| Number::of(data_type, scalar.component(0));
            number(a).same_value(number(b))
        } else {
            a.same_value(&b)
        }
}

fn forwards(step: &ArrayToArray, value: Scalar) -> Result<Scalar, Reason> {
    through(&step.codec, Encode, step.data_type, value)
}

fn backwards(step: &ArrayToArray, data_type: DataType, value: Scalar) -> Result<Scalar, Reason> {
    through(&step.codec, Decode, data_type, value)
}

/// Sends each component of a scalar through a codec.
fn through(
    codec: &ArrayCodec,
    direction: Direction,
    to: DataType,
    value: Scalar,
) -> Result<Scalar, Reason> {
    let first = element(codec, direction, value.component(0))?;
    Ok(match to.format().components() {
        2 => Scalar::complex(to, first, element(codec, direction, value.component(1))?),
        _ => Scalar::new(to, first.into()),
    })
}

/// Sends a component through a codec. Codecs that only move elements leave components unchanged.
///
/// # Errors
/// If there is no result, with the reason. For codecs that are not known here there is no second opinion.
pub(crate) fn element(codec: &ArrayCodec, direction: Direction, bits: u64) -> Result<u64, Reason> {
    match (codec, direction) {
        (ArrayCodec::BitRound(codec), Encode) => Ok(bitround::encode(codec, bits)),
        (ArrayCodec::CastValue(codec), Encode) => cast_value::cast(&codec.encoding(), bits),
        (ArrayCodec::CastValue(codec), Decode) => cast_value::cast(&codec.decoding(), bits),
        (ArrayCodec::Cf(codec), Encode) => cf::encode(codec, bits),
        (ArrayCodec::Cf(codec), Decode) => cf::decode(codec, bits),
        (ArrayCodec::ScaleOffset(codec), Encode) => scale_offset::encode(codec, bits),
        (ArrayCodec::ScaleOffset(codec), Decode) => scale_offset::decode(codec, bits),
        (ArrayCodec::FixedScaleOffset(codec), Encode) => fixed_scale_offset::encode(codec, bits),
        (ArrayCodec::FixedScaleOffset(codec), Decode) => fixed_scale_offset::decode(codec, bits),
        (ArrayCodec::BitRound(_) | ArrayCodec::Transpose(_) | ArrayCodec::Reshape, _) => Ok(bits),
        _ => Err(Reason::UnsupportedCodec),
    }
}

fn encoded_bytes(chain: &Chain) -> Option<u64> {
    let pipeline = &chain.pipeline;
    let (data_type, shape) = before(chain, pipeline.array_to_array.len());
    let elements = u64::try_from(count(shape)?).ok()?;
    let mut bytes = match &pipeline.array_to_bytes {
        ArrayToBytes::Bytes(_) => {
            let width = u64::try_from(data_type.element_bytes()).ok()?;
            elements.checked_mul(width)?
        }
        ArrayToBytes::PackBits(codec) => packbits::encoded_bytes(codec, elements)?,
        ArrayToBytes::Zfp(codec) => zfp::encoded_bytes(codec, shape)?,
        ArrayToBytes::Sharding { .. } | ArrayToBytes::Foreign(_) => return None,
    };
    for codec in pipeline.bytes_to_bytes.iter() {
        bytes = match codec {
            "crc32c" => bytes.checked_add(4)?,
            _ => return None,
        };
    }
    Some(bytes)
}

/// Returns the data type and the shape before a codec of the outer list.
fn before(chain: &Chain, index: usize) -> (DataType, &[u64]) {
    match index.checked_sub(1) {
        None => (chain.data_type, &chain.chunk_shape),
        Some(previous) => {
            let step = &chain.pipeline.array_to_array[previous];
            (step.data_type, &step.shape)
        }
    }
}

fn count(shape: &[u64]) -> Option<usize> {
    shape.iter().try_fold(1usize, |product, &extent| {
        product.checked_mul(usize::try_from(extent).ok()?)
    })
}

/// Encodes a chunk to bytes.
///
/// # Errors
/// If the chunk cannot be encoded, with the reason.
pub(crate) fn encode(chain: &Chain, chunk: &Array) -> Result<Vec<u8>, Reason> {
    computable(&chain.pipeline)?;
    if chunk.data_type() != chain.data_type {
        return Err(Reason::UnsupportedDataType);
    }
    if chunk.shape() != chain.chunk_shape {
        return Err(Reason::Shape);
    }
    let mut elements: Vec<Scalar> = (0..chunk.len()).map(|index| chunk.element(index)).collect();
    for (index, step) in chain.pipeline.array_to_array.iter().enumerate() {
        elements = if let ArrayCodec::Transpose(order) = &step.codec {
            let targets = targets(order, before(chain, index).1);
            let mut moved = elements.clone();
            for (element, target) in elements.into_iter().zip(targets) {
                moved[target] = element;
            }
            moved
        } else {
            elements
                .into_iter()
                .map(|element| forwards(step, element))
                .collect::<Result<_, _>>()?
        };
    }
    let (data_type, shape) = before(chain, chain.pipeline.array_to_array.len());
    let data = elements.iter().flat_map(Scalar::to_bytes).collect();
    let last = Array::new(data_type, shape.to_vec(), data).map_err(|_| Reason::Shape)?;
    to_bytes(&chain.pipeline.array_to_bytes, &last)
}

/// Encodes an array to bytes with a single codec.
///
/// # Errors
/// If the array cannot be encoded, with the reason.
pub(crate) fn to_bytes(codec: &ArrayToBytes, array: &Array) -> Result<Vec<u8>, Reason> {
    match codec {
        ArrayToBytes::Bytes(codec) => bytes::encode(codec, array),
        ArrayToBytes::PackBits(codec) => packbits::encode(codec, array),
        ArrayToBytes::Zfp(codec) => zfp::encode(codec, array),
        ArrayToBytes::Sharding { .. } | ArrayToBytes::Foreign(_) => Err(Reason::UnsupportedCodec),
    }
}

/// Decodes bytes to an array of the given shape with a single codec.
///
/// # Errors
/// If the bytes cannot be decoded, with the reason.
pub(crate) fn to_array(
    codec: &ArrayToBytes,
    shape: &[u64],
    encoded: &[u8],
) -> Result<Array, Reason> {
    match codec {
        ArrayToBytes::Bytes(codec) => bytes::decode(codec, shape, encoded),
        ArrayToBytes::PackBits(codec) => packbits::decode(codec, shape, encoded),
        ArrayToBytes::Zfp(codec) => zfp::decode(codec, shape, encoded),
        ArrayToBytes::Sharding { .. } | ArrayToBytes::Foreign(_) => Err(Reason::UnsupportedCodec),
    }
}

/// Decodes bytes to a chunk.
///
/// # Errors
/// If the bytes cannot be decoded, with the reason.
pub(crate) fn decode(chain: &Chain, encoded: &[u8]) -> Result<Array, Reason> {
    computable(&chain.pipeline)?;
    let steps = &chain.pipeline.array_to_array;
    let (_, shape) = before(chain, steps.len());
    let last = to_array(&chain.pipeline.array_to_bytes, shape, encoded)?;
    let mut elements: Vec<Scalar> = (0..last.len()).map(|index| last.element(index)).collect();
    for (index, step) in steps.iter().enumerate().rev() {
        let (data_type, shape) = before(chain, index);
        elements = if let ArrayCodec::Transpose(order) = &step.codec {
            targets(order, shape)
                .into_iter()
                .map(|target| elements[target])
                .collect()
        } else {
            elements
                .into_iter()
                .map(|element| backwards(step, data_type, element))
                .collect::<Result<_, _>>()?
        };
    }
    let data = elements.iter().flat_map(Scalar::to_bytes).collect();
    Array::new(chain.data_type, chain.chunk_shape.clone(), data).map_err(|_| Reason::Shape)
}

/// Refuses pipelines whose bytes cannot be computed here.
fn computable(pipeline: &CodecPipeline) -> Result<(), Reason> {
    match (&pipeline.array_to_bytes, pipeline.bytes_to_bytes.is_empty()) {
        (ArrayToBytes::Bytes(_) | ArrayToBytes::PackBits(_) | ArrayToBytes::Zfp(_), true) => Ok(()),
        _ => Err(Reason::UnsupportedCodec),
    }
}

/// Returns the position of each element of a shape, in C order, after a transposition.
fn targets(order: &[usize], shape: &[u64]) -> Vec<usize> {
    let extents: Vec<usize> = shape
        .iter()
        .map(|&extent| usize::try_from(extent).unwrap_or(usize::MAX))
        .collect();
    let mut coordinates = vec![0; extents.len()];
    let mut targets = Vec::new();
    for _ in 0..extents.iter().product() {
        let mut target = 0;
        for &dimension in order {
            target = target * extents[dimension] + coordinates[dimension];
        }
        targets.push(target);
        // Advances the coordinates; the last dimension varies fastest.
        for dimension in (0..extents.len()).rev() {
            coordinates[dimension] += 1;
            if coordinates[dimension] < extents[dimension] {
                break;
            }
            coordinates[dimension] = 0;
        }
    }
    targets
}

#[cfg(test)]
mod tests;
