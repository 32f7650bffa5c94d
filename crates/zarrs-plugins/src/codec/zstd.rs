//! The codec `zstd`.

use zarrs::metadata::Configuration;
use zstd::bulk;
use zstd::zstd_safe::{CompressionLevel, compress_bound};

use super::compression::{Compression, flag, level, too_many};

/// The number of bytes that may stay unused at the end of a buffer.
const UNUSED: usize = 1 << 20;

/// The codec `zstd`: it writes one frame, and reads any number of them.
#[derive(Debug)]
pub(crate) struct Zstd {
    level: CompressionLevel,
    checksum: bool,
}

impl Compression for Zstd {
    const NAME: &'static str = "zstd";

    fn new(configuration: &Configuration) -> Result<Self, String> {
        let level = level(Self::NAME, configuration, -131_072, 22, 0)?;
        Ok(Self {
            level: CompressionLevel::try_from(level).unwrap_or_default(),
            checksum: flag(Self::NAME, configuration, "checksum")?,
        })
    }

    fn compress(&self, decoded: &[u8]) -> Result<Vec<u8>, String> {
        let compress = || {
            let mut compressor = bulk::Compressor::new(self.level)?;
            compressor.include_checksum(self.checksum)?;
            compressor.compress(decoded)
        };
        compress().map_err(|fault| fault.to_string())
    }

    fn decompress(encoded: &[u8], most: usize) -> Result<Vec<u8>, String> {
        // The buffer has the size that the document allows, regardless of the sizes that the frames claim. Its memory
        // is not used before there is data to write into it.
        let mut decoded = Vec::new();
        decoded
            .try_reserve_exact(most)
            .map_err(|fault| fault.to_string())?;
        let count = bulk::Decompressor::new()
            .and_then(|mut it| it.decompress_to_buffer(encoded, &mut decoded));
        count.map_err(|fault| match fault.to_string() {
            words if words.contains("too small") => too_many(most),
            words => words,
        })?;
        if decoded.capacity() - decoded.len() > UNUSED {
            decoded.shrink_to_fit();
        }
        Ok(decoded)
    }

    fn bound(size: u64) -> u64 {
        let bound = usize::try_from(size).map_or(usize::MAX, compress_bound);
        // The bound does not include a checksum.
        (bound as u64).max(size).saturating_add(8)
    }
}
