//! The codec `crc32c`. The one of zarrs ignores the checksum if only a part of a chunk is read, and expects a whole
//! checksum even if a chunk has fewer bytes.

use zarrs::array::BytesRepresentation;
use zarrs::metadata::Configuration;

use super::compression::Compression;

/// The number of bytes of a checksum, which is at the end.
const SIZE: usize = 4;

/// The codec `crc32c`.
#[derive(Debug)]
pub(crate) struct Crc32c;

impl Compression for Crc32c {
    const NAME: &'static str = "crc32c";

    fn new(configuration: &Configuration) -> Result<Self, String> {
        match configuration.keys().next() {
            None => Ok(Self),
            Some(key) => Err(format!(
                "{}: {key} is not a member of its configuration",
                Self::NAME
            )),
        }
    }

    fn compress(&self, decoded: &[u8]) -> Result<Vec<u8>, String> {
        let checksum = crc32c::crc32c(decoded).to_le_bytes();
        Ok([decoded, &checksum].concat())
    }

    fn decompress(encoded: &[u8], _most: usize) -> Result<Vec<u8>, String> {
        let Some((decoded, checksum)) = encoded.split_last_chunk::<SIZE>() else {
            return Err(format!(
                "{} bytes are shorter than a checksum",
                encoded.len()
            ));
        };
        if crc32c::crc32c(decoded).to_le_bytes() != *checksum {
            return Err("the checksum does not match the bytes before it".into());
        }
        Ok(decoded.to_vec())
    }

    fn bound(size: u64) -> u64 {
        size.saturating_add(SIZE as u64)
    }

    fn encoded(decoded: &BytesRepresentation) -> BytesRepresentation {
        match decoded {
            BytesRepresentation::FixedSize(size) => {
                BytesRepresentation::FixedSize(Self::bound(*size))
            }
            BytesRepresentation::BoundedSize(size) => {
                BytesRepresentation::BoundedSize(Self::bound(*size))
            }
            BytesRepresentation::UnboundedSize => BytesRepresentation::UnboundedSize,
        }
    }
}
