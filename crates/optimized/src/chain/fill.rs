//! The fill value through the codecs.

use alloc::vec::Vec;

use exactum_model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, Chain, Direction, Reason, Rejection, Resolution,
    Scalar, Stage,
};

use super::elementwise;
use crate::text::Value;
use crate::{packbits, zfp};

/// Passes the fill value through every array -> array codec (chain.fill), and determines whether it survives
/// the whole chain (chain.survives).
///
/// # Errors
/// [`Reason::FillValue`] if a codec rejects the fill value (scale_offset.fill, scale_offset.legacy.fill,
/// cast_value.fill.cast), or if a cast does not return it unchanged (cast_value.fill.survives); the place is
/// the codec.
///
/// ```
/// use exactum_optimized::chain;
/// use exactum_optimized::model::{
///     ArrayCodec, ArrayToArray, ArrayToBytes, Bytes, Chain, CodecPipeline, DataType, Scalar,
///     ScaleOffset,
/// };
///
/// let codec = ArrayCodec::ScaleOffset(ScaleOffset::new(DataType::Int8).offset(10));
/// let fill_value = Scalar::new(DataType::Int8, 12);
/// assert_eq!(chain::encode_fill_value(&codec, fill_value)?.component(0), 2);
/// let chain = Chain {
///     data_type: DataType::Int8,
///     chunk_shape: vec![3],
///     fill_value,
///     pipeline: CodecPipeline::new(
///         vec![ArrayToArray {
///             name: "scale_offset".into(),
///             pointer: "/codecs/0".into(),
///             codec,
///             data_type: DataType::Int8,
///             shape: vec![3],
///         }],
///         ArrayToBytes::Bytes(Bytes::new(DataType::Int8, None)),
///     ),
/// };
/// let resolution = chain::resolve(&chain)?;
/// assert_eq!(resolution.stages[1].fill_value.component(0), 2);
/// assert_eq!((resolution.encoded_bytes, resolution.round_trips), (Some(3), true));
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn resolve(chain: &Chain) -> Result<Resolution, Rejection> {
    let steps: Vec<&ArrayToArray> = chain.pipeline.all_array_to_array().collect();
    let mut last = chain.fill_value;
    let mut stages = Vec::with_capacity(steps.len() + 1);
    stages.push(Stage {
        codec: None,
        data_type: chain.data_type,
        shape: chain.chunk_shape.clone(),
        fill_value: last,
    });
    for step in &steps {
        last = encode_fill_value(&step.codec, last)
            .map_err(|rejection| rejection.at_pointer(step.pointer.clone()))?;
        stages.push(Stage {
            codec: Some(step.name.clone()),
            data_type: step.data_type,
            shape: step.shape.clone(),
            fill_value: last,
        });
    }
    let mut back = Some(last);
    for step in steps.iter().rev() {
        let decoded = |value| scalar(&step.codec, Direction::Decode, value).ok();
        back = back.and_then(decoded);
    }
    Ok(Resolution {
        stages,
        encoded_bytes: encoded_bytes(chain),
        round_trips: back.is_some_and(|back| back.same_value(&chain.fill_value)),
    })
}

/// Returns the fill value after one codec, given the one before it (chain.fill).
///
/// # Errors
/// The same as for [`resolve`], without a place.
pub fn encode_fill_value(codec: &ArrayCodec, fill_value: Scalar) -> Result<Scalar, Rejection> {
    let text = |scalar: Scalar| Value(scalar.data_type(), scalar.component(0));
    let fault = |clause, message| Rejection::new(Reason::FillValue, clause, message);
    let refused = |clause, rejection: Rejection| {
        let mut refused = fault(
            clause,
            format!("the fill value {}: {}", text(fill_value), rejection.message),
        );
        refused.help = rejection.help;
        refused
    };
    let encoded = scalar(codec, Direction::Encode, fill_value)
        .map_err(|rejection| refused(codec.fill_clause(), rejection))?;
    let ArrayCodec::CastValue(cast) = codec else {
        return Ok(encoded);
    };
    let back = scalar(codec, Direction::Decode, encoded)
        .map_err(|rejection| refused("cast_value.fill.survives", rejection))?;
    if back.same_value(&fill_value) {
        return Ok(encoded);
    }
    Err(fault(
        "cast_value.fill.survives",
        format!(
            "the fill value {} becomes {} in {} and is read back as {}",
            text(fill_value),
            text(encoded),
            cast.encoded,
            text(back),
        ),
    )
    .help(format!(
        "choose a fill value that {} holds exactly, or map it in both directions with scalar_map",
        cast.encoded
    )))
}

/// Passes a scalar through a codec, without checking that it is read back unchanged.
fn scalar(codec: &ArrayCodec, direction: Direction, scalar: Scalar) -> Result<Scalar, Rejection> {
    let Some((_, to)) = codec.types(direction) else {
        return Ok(scalar);
    };
    let component = |index| elementwise::element(codec, direction, scalar.component(index));
    let first = component(0)?;
    Ok(match to.format().components() {
        2 => Scalar::complex(to, first, component(1)?),
        _ => Scalar::new(to, first.into()),
    })
}

/// Returns the number of bytes of an encoded chunk, if it depends only on the shape (chain.encoded-bytes):
/// only `crc32c` adds a known number of bytes.
fn encoded_bytes(chain: &Chain) -> Option<u64> {
    let behind = &chain.pipeline.bytes_to_bytes;
    if behind.iter().any(|codec| codec != "crc32c") {
        return None;
    }
    let shape = super::shape_before(chain, chain.pipeline.array_to_array.len());
    let mut elements = 1u64;
    for &extent in shape {
        elements = elements.checked_mul(extent)?;
    }
    let own = match &chain.pipeline.array_to_bytes {
        ArrayToBytes::Bytes(codec) => {
            elements.checked_mul(codec.data_type.element_bytes() as u64)?
        }
        ArrayToBytes::PackBits(codec) => packbits::encoded_bytes(codec, elements)?,
        ArrayToBytes::Zfp(codec) => zfp::encoded_bytes(codec, shape)?,
        ArrayToBytes::Sharding { .. } | ArrayToBytes::Foreign(_) => return None,
    };
    own.checked_add(4 * behind.iter().count() as u64)
}
