//! The codec `blosc` for zarrs, in Rust: zarrs's own takes a compiler of C++.
//!
//! It reads what Blosc 1 writes but for `snappy`. What it writes, every reader of Blosc reads; where a configuration
//! names `blosclz` or `lz4hc`, the buffer is one of `lz4`, which it says itself.

mod format;
mod lz;
mod shuffle;

use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;
use zarrs::array::codec::api::{
    CodecRuntimePluginV3, CodecRuntimeRegistryHandleV3, PartialDecoderCapability,
    PartialEncoderCapability, register_codec_v3, unregister_codec_v3,
};
use zarrs::array::{
    ArrayBytesRaw, BytesRepresentation, BytesToBytesCodecTraits, Codec, CodecError,
    CodecMetadataOptions, CodecOptions, CodecTraits, CodecTraitsV3, RecommendedConcurrency,
};
use zarrs::metadata::Configuration;
use zarrs::metadata::v3::MetadataV3;
use zarrs::plugin::{ExtensionName, PluginCreateError, ZarrVersion};

use format::{Compressor, HEADER, MOST, Settings, Shuffle, compress, decompress, length};

const NAME: &str = "blosc";

/// The codec as long as this is kept.
pub(crate) struct Registered(CodecRuntimeRegistryHandleV3);

impl std::fmt::Debug for Registered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Registered").field(&NAME).finish()
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        unregister_codec_v3(&self.0);
    }
}

/// Registers the codec with zarrs.
pub(crate) fn register() -> Registered {
    Registered(register_codec_v3(CodecRuntimePluginV3::new(
        |name| name == NAME,
        Blosc::create,
    )))
}

/// The codec with its configuration.
#[derive(Debug)]
struct Blosc {
    configuration: Configuration,
    settings: Settings,
}

impl CodecTraitsV3 for Blosc {
    fn create(metadata: &MetadataV3) -> Result<Codec, PluginCreateError> {
        let configuration = metadata.configuration().cloned().unwrap_or_default();
        let settings = settings(&configuration).map_err(PluginCreateError::Other)?;
        Ok(Codec::BytesToBytes(Arc::new(Self {
            configuration,
            settings,
        })))
    }
}

/// The settings of a configuration, which was read by the clauses of `chain.blosc` already.
fn settings(configuration: &Configuration) -> Result<Settings, String> {
    let text = |key: &str| configuration.get(key).and_then(Value::as_str);
    let number = |key: &str| configuration.get(key).and_then(Value::as_u64);
    let fault = |key: &str| format!("{NAME}: no such {key}");
    Ok(Settings {
        compressor: match text("cname") {
            Some("blosclz" | "lz4" | "lz4hc") => Compressor::Lz4,
            Some("zlib") => Compressor::Zlib,
            Some("zstd") => Compressor::Zstd,
            Some(name) => return Err(format!("{NAME}: {name} is not known here")),
            None => return Err(fault("cname")),
        },
        level: number("clevel")
            .and_then(|level| u8::try_from(level).ok())
            .filter(|level| *level <= 9)
            .ok_or_else(|| fault("clevel"))?,
        shuffle: match text("shuffle") {
            Some("noshuffle") => Shuffle::None,
            Some("shuffle") => Shuffle::Bytes,
            Some("bitshuffle") => Shuffle::Bits,
            _ => return Err(fault("shuffle")),
        },
        // Without one, nothing is shuffled. A header has no room for a wide one, which counts as one of a byte.
        width: u8::try_from(number("typesize").unwrap_or(1)).unwrap_or(1),
        block: number("blocksize")
            .and_then(|block| usize::try_from(block).ok())
            .ok_or_else(|| fault("blocksize"))?,
    })
}

impl ExtensionName for Blosc {
    fn name(&self, _version: ZarrVersion) -> Option<Cow<'static, str>> {
        Some(NAME.into())
    }
}

impl CodecTraits for Blosc {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn configuration(
        &self,
        _version: ZarrVersion,
        _options: &CodecMetadataOptions,
    ) -> Option<Configuration> {
        Some(self.configuration.clone())
    }

    fn partial_decoder_capability(&self) -> PartialDecoderCapability {
        PartialDecoderCapability {
            partial_read: false,
            partial_decode: false,
        }
    }

    fn partial_encoder_capability(&self) -> PartialEncoderCapability {
        PartialEncoderCapability {
            partial_encode: false,
        }
    }
}

impl BytesToBytesCodecTraits for Blosc {
    fn into_dyn(self: Arc<Self>) -> Arc<dyn BytesToBytesCodecTraits> {
        self
    }

    fn recommended_concurrency(
        &self,
        _decoded: &BytesRepresentation,
    ) -> Result<RecommendedConcurrency, CodecError> {
        Ok(RecommendedConcurrency::new_maximum(1))
    }

    fn encode<'a>(
        &self,
        decoded: ArrayBytesRaw<'a>,
        _options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let buffer = (decoded.len() <= MOST).then(|| compress(&self.settings, &decoded));
        buffer
            .flatten()
            .map(Cow::Owned)
            .ok_or_else(|| CodecError::Other(format!("{NAME} cannot hold {} bytes", decoded.len())))
    }

    fn decode<'a>(
        &self,
        encoded: ArrayBytesRaw<'a>,
        decoded: &BytesRepresentation,
        _options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let fits = |length: usize| decoded.size().is_none_or(|size| length as u64 <= size);
        // Before anything is allocated.
        length(&encoded)
            .filter(|&length| fits(length))
            .and_then(|_| decompress(&encoded))
            .map(Cow::Owned)
            .ok_or_else(|| {
                let most = decoded
                    .size()
                    .map(|size| format!(" of at most {size} bytes"));
                CodecError::Other(format!(
                    "this is no buffer of {NAME}{}, or one of snappy",
                    most.unwrap_or_default()
                ))
            })
    }

    fn encoded_representation(&self, decoded: &BytesRepresentation) -> BytesRepresentation {
        match decoded.size() {
            Some(size) => BytesRepresentation::BoundedSize(size.saturating_add(HEADER as u64)),
            None => BytesRepresentation::UnboundedSize,
        }
    }
}
