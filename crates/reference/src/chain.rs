//! `chain`: applies the codecs of an array one after another (spec/chain.md).

use exactum_model::Direction::{self, Decode, Encode};
use exactum_model::{
    Array, ArrayCodec, ArrayToArray, ArrayToBytes, Chain, CodecPipeline, Reason, Rejection,
    Resolution, Scalar, Stage,
};

use exactum_model::with_codecs;

pub use crate::Reference;
use crate::{bytes, packbits, zfp};

/// Passes one element through the codec in the module to which it belongs.
macro_rules! element {
    (
        [$codec:expr, $direction:expr, $bits:expr]
        elementwise { $($element:ident $Element:ident $_p:ident $_t:ident $_m:tt;)* }
        in_chains { $($inner:ident $Inner:ident;)* }
        array_to_bytes $_a:tt
    ) => {
        element!([$codec, $direction, $bits] $($element $Element)* $($inner $Inner)*)
    };
    ([$codec:expr, $direction:expr, $bits:expr] $($module:ident $Codec:ident)*) => {
        match ($codec, $direction) {
            $(
                (ArrayCodec::$Codec(codec), Encode) => crate::$module::encode_element(codec, $bits),
                (ArrayCodec::$Codec(codec), Decode) => crate::$module::decode_element(codec, $bits),
            )*
            _ => Ok($bits),
        }
    };
}

/// The steps that the codecs of a chain apply to elements and arrays. Each method uses the codecs of this crate.
/// Overriding a method runs a chain with codecs that are deliberately wrong.
pub trait Steps {
    /// Passes one element through an array -> array codec. A codec that moves elements leaves the element unchanged.
    ///
    /// # Errors
    /// The rejections of the codec.
    fn element(
        &self,
        codec: &ArrayCodec,
        direction: Direction,
        bits: u64,
    ) -> Result<u64, Rejection> {
        with_codecs!(element [codec, direction, bits])
    }

    /// Encodes an array into bytes.
    ///
    /// # Errors
    /// The rejections of the codec; [`Reason::UnsupportedCodec`] for sharding, and for a codec that is known only
    /// by name.
    fn to_bytes(&self, codec: &ArrayToBytes, array: &Array) -> Result<Vec<u8>, Rejection> {
        match codec {
            ArrayToBytes::Bytes(codec) => bytes::encode(codec, array),
            ArrayToBytes::PackBits(codec) => packbits::encode(codec, array),
            ArrayToBytes::Zfp(codec) => zfp::encode(codec, array),
            ArrayToBytes::Sharding { .. } => Err(foreign("sharding_indexed")),
            ArrayToBytes::Foreign(name) => Err(foreign(name)),
        }
    }

    /// Decodes an array with a given shape from its bytes.
    ///
    /// # Errors
    /// The same as for [`Steps::to_bytes`], and if the number of bytes is wrong.
    fn to_array(
        &self,
        codec: &ArrayToBytes,
        shape: &[u64],
        encoded: &[u8],
    ) -> Result<Array, Rejection> {
        match codec {
            ArrayToBytes::Bytes(codec) => bytes::decode(codec, shape, encoded),
            ArrayToBytes::PackBits(codec) => packbits::decode(codec, shape, encoded),
            ArrayToBytes::Zfp(codec) => zfp::decode(codec, shape, encoded),
            ArrayToBytes::Sharding { .. } => Err(foreign("sharding_indexed")),
            ArrayToBytes::Foreign(name) => Err(foreign(name)),
        }
    }

    /// Returns the fill value after a codec of the chain, provided that it passes the checks of the clauses.
    ///
    /// # Errors
    /// The same as for [`resolve`].
    fn fill_value(
        &self,
        _chain: &Chain,
        step: &ArrayToArray,
        before: Scalar,
    ) -> Result<Scalar, Rejection> {
        encode_fill_value(self, step, before)
    }
}

impl Steps for Reference {}

/// Passes the fill value through every array -> array codec (chain.fill), and determines whether it survives
/// the whole chain (chain.survives).
///
/// # Errors
/// [`Reason::FillValue`] if a codec rejects the fill value (scale_offset.fill, scale_offset.legacy.fill,
/// cast_value.fill.cast), or if a cast does not decode it to the same value (cast_value.fill.survives). The
/// place of the rejection is the codec.
pub fn resolve(chain: &Chain) -> Result<Resolution, Rejection> {
    resolve_with(&Reference, chain)
}

/// Does the same as [`resolve`], with the given steps.
///
/// # Errors
/// The same as for [`resolve`].
pub fn resolve_with(with: &impl Steps, chain: &Chain) -> Result<Resolution, Rejection> {
    let mut stages = vec![Stage {
        codec: None,
        data_type: chain.data_type,
        shape: chain.chunk_shape.clone(),
        fill_value: chain.fill_value,
    }];
    let mut fill_value = chain.fill_value;
    for step in chain.pipeline.all_array_to_array() {
        fill_value = with.fill_value(chain, step, fill_value)?;
        stages.push(Stage {
            codec: Some(step.name.clone()),
            data_type: step.data_type,
            shape: step.shape.clone(),
            fill_value,
        });
    }
    let steps: Vec<&ArrayToArray> = chain.pipeline.all_array_to_array().collect();
    let round_trips = steps
        .iter()
        .rev()
        .try_fold(fill_value, |after, step| {
            scalar(with, &step.codec, Decode, after)
        })
        .is_ok_and(|decoded| decoded.same_value(&chain.fill_value));
    Ok(Resolution {
        stages,
        encoded_bytes: encoded_bytes(chain),
        round_trips,
    })
}

/// Returns the fill value after a codec. The codec must accept it, and a cast must also decode it to the same
/// value.
///
/// # Errors
/// The same as for [`resolve`].
pub fn encode_fill_value<S: Steps + ?Sized>(
    with: &S,
    step: &ArrayToArray,
    fill_value: Scalar,
) -> Result<Scalar, Rejection> {
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
    let encoded = scalar(with, &step.codec, Encode, fill_value)
        .map_err(|rejection| place(rejection, step.codec.fill_clause()))?;
    let ArrayCodec::CastValue(codec) = &step.codec else {
        return Ok(encoded);
    };
    let decoded = scalar(with, &step.codec, Decode, encoded)
        .map_err(|rejection| place(rejection, "cast_value.fill.survives"))?;
    if !decoded.same_value(&fill_value) {
        let text = exactum_exact::canonical;
        return Err(Rejection::new(
            Reason::FillValue,
            "cast_value.fill.survives",
            format!(
                "the fill value {} becomes {} in {} and is read back as {}",
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

/// Passes a scalar through an array -> array codec, without checking that it survives the round trip.
///
/// # Errors
/// If the codec rejects the scalar.
pub fn scalar<S: Steps + ?Sized>(
    with: &S,
    codec: &ArrayCodec,
    direction: Direction,
    scalar: Scalar,
) -> Result<Scalar, Rejection> {
    let Some((_, to)) = codec.types(direction) else {
        return Ok(scalar);
    };
    let component = |index| with.element(codec, direction, scalar.component(index));
    let first = component(0)?;
    Ok(match to.format().components() {
        2 => Scalar::complex(to, first, component(1)?),
        _ => Scalar::new(to, first.into()),
    })
}

/// Returns the number of bytes of an encoded chunk, if it depends only on the shape (chain.encoded-bytes). This
/// is not the case for a shard, which may contain unused space, or for a foreign codec, of which only the name is
/// known. `crc32c` adds four bytes.
fn encoded_bytes(chain: &Chain) -> Option<u64> {
    let pipeline = &chain.pipeline;
    let shape = match pipeline.array_to_array.last() {
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
        ArrayToBytes::Zfp(codec) => zfp::encoded_bytes(codec, shape)?,
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
/// If an element is rejected, if the chunk does not fit the chain, or if the chain has a shard or a codec that is
/// known only by name.
pub fn encode(chain: &Chain, chunk: &Array) -> Result<Vec<u8>, Rejection> {
    encode_with(&Reference, chain, chunk)
}

/// Does the same as [`encode`], with the given steps.
///
/// # Errors
/// The same as for [`encode`].
pub fn encode_with(with: &impl Steps, chain: &Chain, chunk: &Array) -> Result<Vec<u8>, Rejection> {
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
    refuse_foreign(&chain.pipeline)?;
    let mut array = chunk.clone();
    for step in &chain.pipeline.array_to_array {
        array = match &step.codec {
            ArrayCodec::Transpose(order) => transpose(order, &array)?,
            ArrayCodec::Reshape => array.with_shape(step.shape.clone())?,
            codec => elements(with, codec, Encode, &array)?,
        };
    }
    with.to_bytes(&chain.pipeline.array_to_bytes, &array)
}

/// Decodes one chunk with every codec in reverse order.
///
/// # Errors
/// The same as for [`encode`], and if the number of bytes is wrong.
pub fn decode(chain: &Chain, encoded: &[u8]) -> Result<Array, Rejection> {
    decode_with(&Reference, chain, encoded)
}

/// Does the same as [`decode`], with the given steps.
///
/// # Errors
/// The same as for [`decode`].
pub fn decode_with(with: &impl Steps, chain: &Chain, encoded: &[u8]) -> Result<Array, Rejection> {
    refuse_foreign(&chain.pipeline)?;
    let steps = &chain.pipeline.array_to_array;
    // The shape before step i is that of the chunk for i = 0, and the shape after step i - 1 otherwise.
    let before = |index: usize| match index.checked_sub(1) {
        Some(previous) => &steps[previous].shape,
        None => &chain.chunk_shape,
    };
    let mut array = with.to_array(&chain.pipeline.array_to_bytes, before(steps.len()), encoded)?;
    for (index, step) in steps.iter().enumerate().rev() {
        array = match &step.codec {
            ArrayCodec::Transpose(order) => transpose(&inverse(order), &array)?,
            ArrayCodec::Reshape => array.with_shape(before(index).clone())?,
            codec => elements(with, codec, Decode, &array)?,
        };
    }
    Ok(array)
}

/// Passes all elements of an array through an array -> array codec that does not move them.
///
/// # Errors
/// If the data type of the array is not the codec's, or if an element is rejected. The rejection carries the
/// index of the first such element.
pub fn elements<S: Steps + ?Sized>(
    with: &S,
    codec: &ArrayCodec,
    direction: Direction,
    array: &Array,
) -> Result<Array, Rejection> {
    let Some((from, to)) = codec.types(direction) else {
        return Ok(array.clone());
    };
    crate::require_data_type(array, from, "chain.data_type")?;
    crate::map_elements(array, to, |bits| with.element(codec, direction, bits))
}

/// Rejects a pipeline with foreign codecs, because bytes can be computed only if this crate has every codec
/// (chain.foreign).
fn refuse_foreign(pipeline: &CodecPipeline) -> Result<(), Rejection> {
    match (&pipeline.array_to_bytes, pipeline.bytes_to_bytes.first()) {
        (ArrayToBytes::Bytes(_) | ArrayToBytes::PackBits(_) | ArrayToBytes::Zfp(_), None) => Ok(()),
        (ArrayToBytes::Bytes(_) | ArrayToBytes::PackBits(_) | ArrayToBytes::Zfp(_), Some(name)) => {
            Err(foreign(name))
        }
        (ArrayToBytes::Foreign(name), _) => Err(foreign(name)),
        (ArrayToBytes::Sharding { .. }, _) => Err(foreign("sharding_indexed")),
    }
}

fn foreign(name: &str) -> Rejection {
    Rejection::new(
        Reason::UnsupportedCodec,
        "chain.foreign",
        format!("{name} is recognised only by name; its bytes cannot be computed"),
    )
}

/// Transposes an array: dimension `i` of the output is dimension `order[i]` of the input (chain.transpose).
fn transpose(order: &[usize], input: &Array) -> Result<Array, Rejection> {
    let shape: Vec<u64> = order
        .iter()
        .map(|&dimension| input.shape()[dimension])
        .collect();
    // The distance in the input, in elements, that one step along each dimension of the output covers.
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
