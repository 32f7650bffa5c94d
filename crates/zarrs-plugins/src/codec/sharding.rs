//! The codec `sharding_indexed`. It is the codec of zarrs, preceded by a check of the index of each shard: zarrs adds
//! an offset and a length from the index without checking for overflow, and allocates as much memory as they state.

mod chains;
mod index;

use std::any::Any;
use std::borrow::Cow;
use std::num::NonZeroU64;
use std::sync::Arc;

use zarrs::array::codec::api::{PartialDecoderCapability, PartialEncoderCapability};
use zarrs::array::codec::{ShardingCodec, ShardingCodecConfiguration};
use zarrs::array::{
    ArrayBytes, ArrayBytesDecodeIntoTarget, ArrayBytesRaw, ArrayCodecTraits,
    ArrayPartialDecoderTraits, ArrayPartialEncoderTraits, ArrayToBytesCodecTraits,
    BytesPartialDecoderTraits, BytesPartialEncoderTraits, BytesRepresentation, ChunkShape, Codec,
    CodecChain, CodecError, CodecMetadataOptions, CodecOptions, CodecSpecificOptions, CodecTraits,
    CodecTraitsV3, DataType, FillValue, RecommendedConcurrency,
};
use zarrs::metadata::Configuration;
use zarrs::metadata::v3::MetadataV3;
use zarrs::plugin::{ExtensionName, PluginCreateError, ZarrVersion};

use chains::chain;
use index::{Checked, Index};

use super::fused::fuse_chain;

pub(super) const NAME: &str = "sharding_indexed";

/// The codec `sharding_indexed`.
#[derive(Clone, Debug)]
pub(crate) struct Sharding {
    /// The codec that reads and writes shards whose index was checked.
    shards: Arc<dyn ArrayToBytesCodecTraits>,
    /// The shape of an inner chunk.
    chunk_shape: ChunkShape,
    inner: Arc<CodecChain>,
    index: Index,
}

impl CodecTraitsV3 for Sharding {
    fn create(metadata: &MetadataV3) -> Result<Codec, PluginCreateError> {
        let configuration: ShardingCodecConfiguration = metadata.to_typed_configuration()?;
        let ShardingCodecConfiguration::V1(configuration) = configuration else {
            let words = format!("{NAME}: this version of the configuration is unknown");
            return Err(PluginCreateError::Other(words));
        };
        let inner = Arc::new(fuse_chain(chain(&configuration.codecs)?));
        let index = Index {
            codecs: Arc::new(chain(&configuration.index_codecs)?),
            location: configuration.index_location,
        };
        let shards = ShardingCodec::new(
            configuration.chunk_shape.clone(),
            inner.clone(),
            index.codecs.clone(),
            index.location,
        );
        Ok(Codec::ArrayToBytes(Arc::new(Self {
            shards: Arc::new(shards),
            chunk_shape: configuration.chunk_shape,
            inner,
            index,
        })))
    }
}

impl Sharding {
    /// Returns the number of inner chunks of a shard along each dimension.
    fn chunks(&self, shard: &[NonZeroU64]) -> Result<ChunkShape, CodecError> {
        let pairs = std::iter::zip(shard, &self.chunk_shape);
        let counts = pairs.map(|(shard, chunk)| match shard.get() % chunk.get() {
            0 => NonZeroU64::new(shard.get() / chunk.get()),
            _ => None,
        });
        let counts: Option<ChunkShape> = counts.collect();
        counts
            .filter(|counts| counts.len() == self.chunk_shape.len() && counts.len() == shard.len())
            .ok_or_else(|| {
                CodecError::Other(format!(
                    "{NAME}: chunks of {:?} do not divide a shard of {shard:?}",
                    self.chunk_shape
                ))
            })
    }

    /// Returns the smallest number of bytes that an inner chunk can have. If an inner chunk is itself a
    /// shard, zarrs finds its index by counting back from its end, even if the chunk has fewer bytes.
    fn least(&self) -> u64 {
        let inner = self.inner.array_to_bytes_codec().as_any();
        let nested = inner.downcast_ref::<Sharding>();
        let size = nested.and_then(|nested| {
            let chunks = nested.chunks(&self.chunk_shape).ok()?;
            nested.index.bytes(&chunks).ok()
        });
        // Any number of bytes may be compressed to about one byte.
        match self.inner.bytes_to_bytes_codecs() {
            [] => size.unwrap_or_default(),
            _ => 0,
        }
    }

    /// Checks the index of a shard.
    fn check(
        &self,
        shard: &[u8],
        shape: &[NonZeroU64],
        options: &CodecOptions,
    ) -> Result<(), CodecError> {
        let chunks = self.chunks(shape)?;
        self.index.check(shard, &chunks, self.least(), options)
    }

    /// Checks the index of the shard behind a handle, and returns the handle with the index in memory.
    fn checked(
        &self,
        handle: Arc<dyn BytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        options: &CodecOptions,
    ) -> Result<Checked, CodecError> {
        let chunks = self.chunks(shape)?;
        self.index.read(handle, &chunks, self.least(), options)
    }
}

/// Returns an error for a shard for which there is not enough memory, instead of aborting.
fn reserve(shape: &[NonZeroU64], data_type: &DataType) -> Result<(), CodecError> {
    let width = data_type.fixed_size().unwrap_or(1);
    let elements = super::elements(shape);
    let size = elements.saturating_mul(width);
    let mut memory = Vec::<u8>::new();
    memory.try_reserve_exact(size).map_err(|_| {
        CodecError::Other(format!(
            "{NAME}: not enough memory for a shard of shape {shape:?}"
        ))
    })
}

impl ExtensionName for Sharding {
    fn name(&self, _version: ZarrVersion) -> Option<Cow<'static, str>> {
        Some(NAME.into())
    }
}

impl CodecTraits for Sharding {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn configuration(
        &self,
        version: ZarrVersion,
        options: &CodecMetadataOptions,
    ) -> Option<Configuration> {
        self.shards.configuration(version, options)
    }

    fn partial_decoder_capability(&self) -> PartialDecoderCapability {
        self.shards.partial_decoder_capability()
    }

    fn partial_encoder_capability(&self) -> PartialEncoderCapability {
        self.shards.partial_encoder_capability()
    }
}

impl ArrayCodecTraits for Sharding {
    fn recommended_concurrency(
        &self,
        shape: &[NonZeroU64],
        _data_type: &DataType,
    ) -> Result<RecommendedConcurrency, CodecError> {
        let chunks = super::elements(&self.chunks(shape)?);
        Ok(RecommendedConcurrency::new_maximum(chunks))
    }

    fn partial_decode_granularity(&self, _shape: &[NonZeroU64]) -> ChunkShape {
        self.chunk_shape.clone()
    }
}

impl ArrayToBytesCodecTraits for Sharding {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn ArrayToBytesCodecTraits> {
        self
    }

    fn with_codec_specific_options(
        self: Arc<Self>,
        options: &CodecSpecificOptions,
    ) -> Arc<dyn ArrayToBytesCodecTraits> {
        let shards = self.shards.clone().with_codec_specific_options(options);
        Arc::new(Self {
            shards,
            ..(*self).clone()
        })
    }

    fn encoded_representation(
        &self,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
    ) -> Result<BytesRepresentation, CodecError> {
        let chunks = self.chunks(shape)?;
        let of_chunk =
            self.inner
                .encoded_representation(&self.chunk_shape, data_type, fill_value)?;
        let most = || {
            let index = self.index.bytes(&chunks).ok()?;
            let count = u64::try_from(super::elements(&chunks)).ok()?;
            of_chunk.size()?.checked_mul(count)?.checked_add(index)
        };
        Ok(most().map_or(
            BytesRepresentation::UnboundedSize,
            BytesRepresentation::BoundedSize,
        ))
    }

    fn encode<'a>(
        &self,
        bytes: ArrayBytes<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        // zarrs multiplies these numbers without checking for overflow.
        self.index.bytes(&self.chunks(shape)?)?;
        self.shards
            .encode(bytes, shape, data_type, fill_value, options)
    }

    fn decode<'a>(
        &self,
        bytes: ArrayBytesRaw<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<ArrayBytes<'a>, CodecError> {
        self.check(&bytes, shape, options)?;
        reserve(shape, data_type)?;
        self.shards
            .decode(bytes, shape, data_type, fill_value, options)
    }

    fn compact<'a>(
        &self,
        bytes: ArrayBytesRaw<'a>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<Option<ArrayBytesRaw<'a>>, CodecError> {
        self.check(&bytes, shape, options)?;
        self.shards
            .compact(bytes, shape, data_type, fill_value, options)
    }

    fn decode_into(
        &self,
        bytes: ArrayBytesRaw<'_>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        target: ArrayBytesDecodeIntoTarget<'_>,
        options: &CodecOptions,
    ) -> Result<(), CodecError> {
        self.check(&bytes, shape, options)?;
        self.shards
            .decode_into(bytes, shape, data_type, fill_value, target, options)
    }

    fn partial_decoder(
        self: Arc<Self>,
        handle: Arc<dyn BytesPartialDecoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialDecoderTraits>, CodecError> {
        let checked = Arc::new(self.checked(handle, shape, options)?);
        self.shards
            .clone()
            .partial_decoder(checked, shape, data_type, fill_value, options)
    }

    fn partial_encoder(
        self: Arc<Self>,
        handle: Arc<dyn BytesPartialEncoderTraits>,
        shape: &[NonZeroU64],
        data_type: &DataType,
        fill_value: &FillValue,
        options: &CodecOptions,
    ) -> Result<Arc<dyn ArrayPartialEncoderTraits>, CodecError> {
        self.checked(handle.clone().into_dyn_decoder(), shape, options)?;
        self.shards
            .clone()
            .partial_encoder(handle, shape, data_type, fill_value, options)
    }
}
