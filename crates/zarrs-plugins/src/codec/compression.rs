//! Codecs that compress bytes. None of them decompresses more bytes than the document allows, because a few stored
//! bytes can claim to decompress to any number of bytes.

use std::borrow::Cow;
use std::fmt::Debug;
use std::io::Read;
use std::sync::Arc;

use serde_json::Value;
use zarrs::array::{
    ArrayBytesRaw, BytesRepresentation, BytesToBytesCodecTraits, Codec, CodecError, CodecOptions,
    CodecTraitsV3, RecommendedConcurrency,
};
use zarrs::metadata::Configuration;
use zarrs::metadata::v3::MetadataV3;
use zarrs::plugin::{ExtensionName, PluginCreateError, ZarrVersion};

use super::traits::codec_traits;

/// The maximum number of bytes that are decompressed if the document does not determine the size of a chunk,
/// as for elements of different lengths.
const UNSIZED: u64 = 1 << 30;

/// The number of bytes that are allocated before anything has been decompressed.
const FIRST: usize = 1 << 20;

/// A compression with its configuration.
pub(crate) trait Compression: Debug + Send + Sync + Sized + 'static {
    /// The name in documents.
    const NAME: &'static str;

    /// Reads a configuration.
    ///
    /// # Errors
    /// If it is not valid. The message gives the reason.
    fn new(configuration: &Configuration) -> Result<Self, String>;

    /// Compresses bytes.
    ///
    /// # Errors
    /// If the format cannot hold them.
    fn compress(&self, decoded: &[u8]) -> Result<Vec<u8>, String>;

    /// Decompresses bytes.
    ///
    /// # Errors
    /// If they are not in the format, or decompress to more than `most` bytes. More than `most` bytes are never held in
    /// memory.
    fn decompress(encoded: &[u8], most: usize) -> Result<Vec<u8>, String>;

    /// Returns the maximum number of bytes to which [`compress`](Self::compress) compresses `size` bytes.
    fn bound(size: u64) -> u64;

    /// Returns what is known about the size of compressed bytes.
    fn encoded(decoded: &BytesRepresentation) -> BytesRepresentation {
        match decoded.size() {
            Some(size) => BytesRepresentation::BoundedSize(Self::bound(size)),
            None => BytesRepresentation::UnboundedSize,
        }
    }
}

/// A compression as a codec of zarrs.
#[derive(Debug)]
pub(crate) struct Compressor<T> {
    configuration: Configuration,
    of: T,
}

/// Returns the error for bytes that decompress to more bytes than the document allows.
pub(super) fn too_many(most: usize) -> String {
    format!(
        "the data decompresses to more than {most} bytes, which is the maximum that the document allows"
    )
}

/// Reads a decompressor to its end, which must come within `most` bytes.
pub(super) fn read(decoder: impl Read, most: usize) -> Result<Vec<u8>, String> {
    let mut decoded = Vec::new();
    let first = most.saturating_add(1);
    decoded
        .try_reserve_exact(first.min(FIRST))
        .map_err(|fault| fault.to_string())?;
    decoder
        .take(first as u64)
        .read_to_end(&mut decoded)
        .map_err(|fault| fault.to_string())?;
    if decoded.len() > most {
        return Err(too_many(most));
    }
    Ok(decoded)
}

/// Returns the level of a configuration, or the default if it has none.
pub(super) fn level(
    name: &str,
    configuration: &Configuration,
    least: i64,
    most: i64,
    otherwise: i64,
) -> Result<i64, String> {
    match configuration.get("level") {
        None => Ok(otherwise),
        Some(level) => level
            .as_i64()
            .filter(|level| (least..=most).contains(level))
            .ok_or_else(|| format!("{name}: the level {level} is not from {least} to {most}")),
    }
}

/// Returns a Boolean member of a configuration, or false if it is missing.
pub(super) fn flag(name: &str, configuration: &Configuration, key: &str) -> Result<bool, String> {
    match configuration.get(key) {
        None => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(other) => Err(format!("{name}: {key} is {other}, not true or false")),
    }
}

/// Returns the maximum number of decompressed bytes. Data compressed by another program may be slightly
/// longer than that of Exactum; an exact size allows no such margin.
fn most(decoded: &BytesRepresentation) -> usize {
    let most = match decoded {
        BytesRepresentation::FixedSize(size) => *size,
        BytesRepresentation::BoundedSize(size) => size.saturating_add(size / 8 + 1024),
        BytesRepresentation::UnboundedSize => UNSIZED,
    };
    usize::try_from(most).unwrap_or(usize::MAX)
}

impl<T: Compression> CodecTraitsV3 for Compressor<T> {
    fn create(metadata: &MetadataV3) -> Result<Codec, PluginCreateError> {
        let configuration = metadata.configuration().cloned().unwrap_or_default();
        let of = T::new(&configuration).map_err(PluginCreateError::Other)?;
        Ok(Codec::BytesToBytes(Arc::new(Self { configuration, of })))
    }
}

impl<T: Compression> ExtensionName for Compressor<T> {
    fn name(&self, _version: ZarrVersion) -> Option<Cow<'static, str>> {
        Some(T::NAME.into())
    }
}

codec_traits! {
    impl[T: Compression] Compressor<T>,
    configuration: |it| it.configuration,
    reads_parts: false,
    writes_parts: false,
}

impl<T: Compression> BytesToBytesCodecTraits for Compressor<T> {
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
        let encoded = self.of.compress(&decoded);
        encoded
            .map(Cow::Owned)
            .map_err(|fault| CodecError::Other(format!("{}: {fault}", T::NAME)))
    }

    fn decode<'a>(
        &self,
        encoded: ArrayBytesRaw<'a>,
        decoded: &BytesRepresentation,
        _options: &CodecOptions,
    ) -> Result<ArrayBytesRaw<'a>, CodecError> {
        let fault = |fault: String| CodecError::Other(format!("{}: {fault}", T::NAME));
        let bytes = T::decompress(&encoded, most(decoded)).map_err(fault)?;
        match decoded {
            BytesRepresentation::FixedSize(size) if *size != bytes.len() as u64 => {
                let words = format!(
                    "the data decompresses to {} bytes instead of {size}",
                    bytes.len()
                );
                Err(fault(words))
            }
            _ => Ok(Cow::Owned(bytes)),
        }
    }

    fn encoded_representation(&self, decoded: &BytesRepresentation) -> BytesRepresentation {
        T::encoded(decoded)
    }
}
