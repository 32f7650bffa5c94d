//! The codec `blosc` in Rust, because that of zarrs requires a C++ compiler.
//!
//! It reads everything that Blosc 1 writes except for `snappy`. Every reader of Blosc can read what it
//! writes. If a configuration names `blosclz` or `lz4hc`, the buffer is compressed with `lz4`, as its header
//! states.

mod format;
mod lz;
mod shuffle;

use serde_json::Value;
use zarrs::metadata::Configuration;

use super::compression::{Compression, too_many};
use format::{Compressor, HEADER, MOST, Settings, Shuffle, compress, decompress, length};

const NAME: &str = "blosc";

/// The codec `blosc`.
#[derive(Debug)]
pub(crate) struct Blosc(Settings);

impl Compression for Blosc {
    const NAME: &'static str = NAME;

    fn new(configuration: &Configuration) -> Result<Self, String> {
        settings(configuration).map(Self)
    }

    fn compress(&self, decoded: &[u8]) -> Result<Vec<u8>, String> {
        let buffer = (decoded.len() <= MOST).then(|| compress(&self.0, decoded));
        buffer
            .flatten()
            .ok_or_else(|| format!("a buffer cannot hold {} bytes", decoded.len()))
    }

    fn decompress(encoded: &[u8], most: usize) -> Result<Vec<u8>, String> {
        // The size is checked before anything is allocated.
        if length(encoded).is_some_and(|length| length > most) {
            return Err(too_many(most));
        }
        decompress(encoded)
            .ok_or_else(|| "this is not a Blosc 1 buffer, or it is compressed with snappy".into())
    }

    fn bound(size: u64) -> u64 {
        size.saturating_add(HEADER as u64)
    }
}

/// Reads the settings of a configuration that was already checked by the clauses of `chain.blosc`.
fn settings(configuration: &Configuration) -> Result<Settings, String> {
    let text = |key: &str| configuration.get(key).and_then(Value::as_str);
    let number = |key: &str| configuration.get(key).and_then(Value::as_u64);
    let fault = |key: &str| format!("{NAME}: {key} is missing or out of range");
    Ok(Settings {
        compressor: match text("cname") {
            Some("blosclz" | "lz4" | "lz4hc") => Compressor::Lz4,
            Some("zlib") => Compressor::Zlib,
            Some("zstd") => Compressor::Zstd,
            Some(name) => return Err(format!("{NAME}: the compressor {name} is not supported")),
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
        // Without a width, nothing is shuffled. A width that is too large for the header counts as one byte.
        width: u8::try_from(number("typesize").unwrap_or(1)).unwrap_or(1),
        block: number("blocksize")
            .and_then(|block| usize::try_from(block).ok())
            .ok_or_else(|| fault("blocksize"))?,
    })
}
