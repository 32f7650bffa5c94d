//! The codecs `gzip` and `numcodecs.zlib`.

use std::io::Write as _;

use flate2::Compression as Level;
use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use zarrs::metadata::Configuration;

use super::compression::{Compression, level, read};

/// The level of zlib for a configuration without one.
const LEVEL: i64 = 6;

/// The number of bytes of a header and a trailer, with room for a file name.
const FRAME: u64 = 64;

/// The codec `gzip`: it writes one member, and reads any number of them.
#[derive(Debug)]
pub(crate) struct Gzip(Level);

/// The codec `numcodecs.zlib`.
#[derive(Debug)]
pub(crate) struct Zlib(Level);

fn level_of(name: &str, configuration: &Configuration) -> Result<Level, String> {
    let level = level(name, configuration, 0, 9, LEVEL)?;
    Ok(Level::new(u32::try_from(level).unwrap_or_default()))
}

/// Returns the result of zlib's `deflateBound` for the worst settings.
fn bound(size: u64) -> u64 {
    size.saturating_add(size.div_ceil(8) + size.div_ceil(64) + FRAME)
}

impl Compression for Gzip {
    const NAME: &'static str = "gzip";

    fn new(configuration: &Configuration) -> Result<Self, String> {
        level_of(Self::NAME, configuration).map(Self)
    }

    fn compress(&self, decoded: &[u8]) -> Result<Vec<u8>, String> {
        let mut encoder = GzEncoder::new(Vec::new(), self.0);
        let written = encoder.write_all(decoded).and_then(|()| encoder.finish());
        written.map_err(|fault| fault.to_string())
    }

    fn decompress(encoded: &[u8], most: usize) -> Result<Vec<u8>, String> {
        // After a member another one is expected, so that trailing garbage is refused.
        read(MultiGzDecoder::new(encoded), most)
    }

    fn bound(size: u64) -> u64 {
        bound(size)
    }
}

impl Compression for Zlib {
    const NAME: &'static str = "numcodecs.zlib";

    fn new(configuration: &Configuration) -> Result<Self, String> {
        level_of(Self::NAME, configuration).map(Self)
    }

    fn compress(&self, decoded: &[u8]) -> Result<Vec<u8>, String> {
        let mut encoder = ZlibEncoder::new(Vec::new(), self.0);
        let written = encoder.write_all(decoded).and_then(|()| encoder.finish());
        written.map_err(|fault| fault.to_string())
    }

    fn decompress(encoded: &[u8], most: usize) -> Result<Vec<u8>, String> {
        let mut decoder = ZlibDecoder::new(encoded);
        let decoded = read(&mut decoder, most)?;
        match decoder.into_inner() {
            [] => Ok(decoded),
            rest => Err(format!("{} bytes follow the end of the stream", rest.len())),
        }
    }

    fn bound(size: u64) -> u64 {
        bound(size)
    }
}
