//! Neighbouring codecs of a chain that run as one, so that intermediate results never take a whole chunk.
//!
//! zarrs calls the codecs of a chain one after another, each with a separate chunk. Here, consecutive
//! elementwise codecs, with a `packbits` that follows them, become one codec that does the work of all
//! ([`Head`] or [`Whole`]), while the others pass on their input ([`Passed`]). Documents, parts of chunks and
//! errors are those of the codecs themselves: if the combined codec refuses a chunk, the codecs are called
//! one after another.

mod stand_in;

use std::borrow::Cow;
use std::fmt::Debug;
use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, PoisonError};

use exactum_model::{ArrayToArray, ArrayToBytes, Bytes, Chain, CodecPipeline, Endian, Scalar};
use exactum_optimized::chain::{Planned, Scratch};
use zarrs::array::{
    Array, ArrayBytes, ArrayPartialDecoderTraits, ArrayPartialEncoderTraits,
    ArrayToArrayCodecTraits, ArrayToBytesCodecTraits, ChunkShape, CodecChain, CodecError,
    CodecOptions, CodecSpecificOptions, DataType, FillValue,
};

use stand_in::{Head, Passed, Whole};

use super::elementwise::member;
use super::packbits::PackBitsCodec;
use super::places::{Member, Places, address};
use crate::data_type::{self, native};

/// Lets neighbouring elementwise codecs of an array, and a `packbits` that follows them, run as one.
///
/// [`Registration::open`](crate::Registration::open) does so automatically; this function is for arrays that
/// zarrs opened or built. It does not change the array's document, the stored bytes, or the values that are
/// read.
///
/// ```
/// use std::sync::Arc;
///
/// use exactum_zarrs_plugins::{CastValueCodec, ScaleOffsetCodec, fuse};
/// use zarrs::array::{ArrayBuilder, data_type};
/// use zarrs::metadata::Configuration;
/// use zarrs::storage::store::MemoryStore;
///
/// let configuration = |json: &str| serde_json::from_str::<Configuration>(json);
/// let scale = ScaleOffsetCodec::new(configuration(r#"{"scale": 100}"#)?)?;
/// let cast = CastValueCodec::new(configuration(r#"{"data_type": "int16", "rounding": "nearest-even"}"#)?)?;
/// let array = ArrayBuilder::new(vec![2], vec![2], data_type::float32(), 0_f32)
///     .array_to_array_codecs(vec![Arc::new(scale), Arc::new(cast)])
///     .build(Arc::new(MemoryStore::new()), "/")?;
/// let array = fuse(array);
/// array.store_chunk(&[0], &[0.25_f32, 1.5])?;
/// assert_eq!(array.retrieve_encoded_chunk(&[0])?, Some(vec![25, 0, 150, 0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn fuse<S: ?Sized>(array: Array<S>) -> Array<S> {
    match places(&array.codecs()) {
        Some(places) => {
            array.with_codec_specific_options(&CodecSpecificOptions::default().with_option(places))
        }
        None => array,
    }
}

/// Does the same as [`fuse`] for the codecs within a shard.
pub(super) fn fuse_chain(chain: CodecChain) -> CodecChain {
    match places(&chain) {
        Some(places) => {
            chain.with_codec_specific_options(&CodecSpecificOptions::default().with_option(places))
        }
        None => chain,
    }
}

/// Finds the last two or more consecutive elementwise codecs, or one or more before `packbits`, and returns
/// their replacements.
fn places(chain: &CodecChain) -> Option<Places> {
    let codecs = chain.array_to_array_codecs();
    let last = chain.array_to_bytes_codec();
    let packbits = last.as_any().downcast_ref::<PackBitsCodec>();
    let members: Vec<_> = codecs.iter().map(|codec| member(codec.as_any())).collect();
    let runs = members.chunk_by(|one, next| one.is_some() == next.is_some());
    let mut end = codecs.len();
    for found in runs.rev() {
        let own = &codecs[end - found.len()..end];
        let behind = packbits.filter(|_| end == codecs.len());
        end -= found.len();
        let run: Option<Vec<_>> = found.iter().cloned().collect();
        let Some(run) = run.filter(|run| run.len() > 1 || behind.is_some()) else {
            continue;
        };
        let packbits = behind.cloned().map(Arc::new);
        let run = Arc::new(Run {
            codecs: run,
            packbits: packbits.clone(),
            planned: Mutex::default(),
        });
        let mut places = Places::default();
        for (index, codec) in own.iter().enumerate() {
            let replacement: Arc<dyn ArrayToArrayCodecTraits> = match (index, &packbits) {
                (0, None) => Arc::new(Head {
                    first: codec.clone(),
                    run: run.clone(),
                }),
                _ => Arc::new(Passed(codec.clone())),
            };
            places.replace(&**codec, replacement);
        }
        places.bytes = packbits.map(|packbits| {
            let whole: Arc<dyn ArrayToBytesCodecTraits> = Arc::new(Whole {
                last: packbits,
                run,
            });
            (address(&**last), whole)
        });
        return Some(places);
    }
    None
}

/// The input of a codec in a chain.
type Representation = (ChunkShape, DataType, FillValue);

/// The plan for one data type and one number of elements, or `None` if the codecs do not run as one.
type Plan = (DataType, usize, Option<Arc<Planned>>);

/// Codecs that run as one.
#[derive(Debug)]
struct Run {
    codecs: Vec<Arc<dyn Member>>,
    packbits: Option<Arc<PackBitsCodec>>,
    /// The last plan, which is kept because all chunks of an array are alike.
    planned: Mutex<Option<Plan>>,
}

impl Run {
    /// Returns the input of each codec, and the output of the last one.
    fn representations(
        &self,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<(Vec<Representation>, Representation), CodecError> {
        let mut all = Vec::with_capacity(self.codecs.len());
        let mut next = (shape.to_vec(), data_type.clone(), fill_value.clone());
        for codec in &self.codecs {
            let after = codec.encoded_representation(&next.0, &next.1, &next.2)?;
            all.push(std::mem::replace(&mut next, after));
        }
        Ok((all, next))
    }

    /// Returns the data type after the last codec.
    fn encoded_data_type(&self, data_type: &DataType) -> Result<DataType, CodecError> {
        let mut codecs = self.codecs.iter();
        codecs.try_fold(data_type.clone(), |it, codec| codec.encoded_data_type(&it))
    }

    /// Returns the fill value after the last codec (chain.fill).
    fn encoded_fill_value(
        &self,
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<FillValue, CodecError> {
        let (mut data_type, mut fill_value) = (data_type.clone(), fill_value.clone());
        for codec in &self.codecs {
            fill_value = codec.encoded_fill_value(&data_type, &fill_value)?;
            data_type = codec.encoded_data_type(&data_type)?;
        }
        Ok(fill_value)
    }

    /// Returns the plan for chunks with a number of elements.
    fn planned(&self, data_type: &DataType, elements: usize) -> Option<Arc<Planned>> {
        let mut planned = self.planned.lock().unwrap_or_else(PoisonError::into_inner);
        match &*planned {
            Some((of, count, plan)) if of == data_type && *count == elements => plan.clone(),
            _ => {
                let plan = self.plan(data_type, elements).map(Arc::new);
                *planned = Some((data_type.clone(), elements, plan.clone()));
                plan
            }
        }
    }

    fn plan(&self, data_type: &DataType, elements: usize) -> Option<Planned> {
        let decoded = data_type::model(data_type)?;
        let shape = vec![u64::try_from(elements).ok()?];
        let (mut steps, mut data_type) = (Vec::new(), data_type.clone());
        for codec in &self.codecs {
            let operation = codec.operation(&data_type).ok()?;
            data_type = codec.encoded_data_type(&data_type).ok()?;
            steps.push(ArrayToArray {
                name: String::new(),
                pointer: String::new(),
                codec: operation,
                data_type: data_type::model(&data_type)?,
                shape: shape.clone(),
            });
        }
        let array_to_bytes = match &self.packbits {
            Some(codec) => ArrayToBytes::PackBits(codec.operation(&data_type)?),
            None => ArrayToBytes::Bytes(Bytes::new(
                data_type::model(&data_type)?,
                Some(Endian::Little),
            )),
        };
        let chain = Chain {
            data_type: decoded,
            chunk_shape: shape,
            // A plan does not depend on the fill value.
            fill_value: Scalar::new(decoded, 0),
            pipeline: CodecPipeline::new(steps, array_to_bytes),
        };
        Planned::new(chain).ok()
    }

    /// Encodes a chunk. Returns `None` if the codecs have to be called one after another, as for a fill value
    /// that cannot be encoded.
    fn encode(
        &self,
        chunk: &[u8],
        elements: usize,
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Option<Vec<u8>> {
        self.encoded_fill_value(data_type, fill_value).ok()?;
        let planned = self.planned(data_type, elements)?;
        let chain = planned.chain();
        let chunk = native::to_little(chain.data_type, Cow::Borrowed(chunk));
        let end = &chain.pipeline.array_to_bytes;
        // Memory that the system has zeroed need not be written before it is used.
        let mut output = vec![0; stored_bytes(end, elements)?];
        planned
            .encode_into(&chunk, &mut output, &mut Scratch::default())
            .ok()?;
        if let ArrayToBytes::Bytes(Bytes { data_type, .. }) = end {
            native::from_little(*data_type, &mut output);
        }
        Some(output)
    }

    /// Decodes a chunk. Returns `None` in the same cases as [`encode`](Self::encode).
    fn decode(
        &self,
        encoded: &[u8],
        elements: usize,
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Option<Vec<u8>> {
        if fill_value.size() > 0 {
            self.encoded_fill_value(data_type, fill_value).ok()?;
        }
        let planned = self.planned(data_type, elements)?;
        let chain = planned.chain();
        let encoded = match &chain.pipeline.array_to_bytes {
            ArrayToBytes::Bytes(Bytes { data_type, .. }) => {
                native::to_little(*data_type, Cow::Borrowed(encoded))
            }
            _ => Cow::Borrowed(encoded),
        };
        // No memory is allocated for a chunk whose bytes are missing.
        if stored_bytes(&chain.pipeline.array_to_bytes, elements) != Some(encoded.len()) {
            return None;
        }
        let mut output = vec![0; elements.checked_mul(chain.data_type.element_bytes())?];
        planned
            .decode_into(&encoded, &mut output, &mut Scratch::default())
            .ok()?;
        native::from_little(chain.data_type, &mut output);
        Some(output)
    }

    /// Encodes a chunk with one codec after another, as zarrs does. Returns the chunk with its
    /// representation.
    fn encode_by_steps<'a>(
        &self,
        mut bytes: ArrayBytes<'a>,
        (mut shape, mut data_type, mut fill_value): Representation,
        options: &CodecOptions,
    ) -> Result<(ArrayBytes<'a>, Representation), CodecError> {
        for codec in &self.codecs {
            bytes = codec.encode(bytes, &shape, &data_type, &fill_value, options)?;
            shape = codec.encoded_shape(&shape)?;
            fill_value = codec.encoded_fill_value(&data_type, &fill_value)?;
            data_type = codec.encoded_data_type(&data_type)?;
        }
        Ok((bytes, (shape, data_type, fill_value)))
    }

    /// Decodes a chunk with one codec after another.
    fn decode_by_steps<'a>(
        &self,
        mut bytes: ArrayBytes<'a>,
        representations: &[Representation],
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        let codecs = self.codecs.iter().zip(representations);
        for (codec, (shape, data_type, fill_value)) in codecs.rev() {
            bytes = codec.decode(bytes, shape, data_type, fill_value, options)?;
        }
        Ok(bytes)
    }

    /// Reads parts of chunks as the codecs themselves do.
    fn partial_decoder(
        &self,
        mut handle: Arc<dyn ArrayPartialDecoderTraits>,
        representations: &[Representation],
        options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialDecoderTraits>, CodecError> {
        let codecs = self.codecs.iter().zip(representations);
        for (codec, (shape, data_type, fill_value)) in codecs.rev() {
            let codec = codec.clone();
            handle = codec.partial_decoder(handle, shape, data_type, fill_value, options)?;
        }
        Ok(handle)
    }

    /// Writes parts of chunks as the codecs themselves do.
    fn partial_encoder(
        &self,
        mut handle: Arc<dyn ArrayPartialEncoderTraits>,
        representations: &[Representation],
        options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialEncoderTraits>, CodecError> {
        let codecs = self.codecs.iter().zip(representations);
        for (codec, (shape, data_type, fill_value)) in codecs.rev() {
            let codec = codec.clone();
            handle = codec.partial_encoder(handle, shape, data_type, fill_value, options)?;
        }
        Ok(handle)
    }
}

/// Returns the number of bytes in which elements are stored.
fn stored_bytes(codec: &ArrayToBytes, elements: usize) -> Option<usize> {
    match codec {
        ArrayToBytes::PackBits(codec) => {
            let bytes = exactum_optimized::packbits::encoded_bytes(codec, elements as u64)?;
            usize::try_from(bytes).ok()
        }
        ArrayToBytes::Bytes(codec) => elements.checked_mul(codec.data_type.element_bytes()),
        _ => None,
    }
}
