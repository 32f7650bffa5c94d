//! Codecs, each with its configuration, and the list of all. To add a codec, add a file here, a line in
//! [`CODECS`] and a line in [`parsers`].

pub(crate) mod bitround;
pub(crate) mod bytes;
pub(crate) mod cast_value;
mod compressors;
pub(crate) mod fixed_scale_offset;
mod foreign;
pub(crate) mod packbits;
mod real;
mod registered;
mod reshape;
pub(crate) mod scale_offset;
mod sharding;
mod transpose;
pub(crate) mod zfp;
pub(crate) mod zfpy;

use crate::pipeline::Codec;
use crate::words::did_you_mean;

/// Functions that read the configuration of a single codec.
pub(crate) mod parsers {
    pub use super::bitround::parse_bitround;
    pub use super::bytes::parse_bytes;
    pub use super::cast_value::parse_cast_value;
    pub use super::fixed_scale_offset::parse_fixed_scale_offset;
    pub use super::packbits::parse_packbits;
    pub use super::scale_offset::parse_scale_offset;
    pub use super::zfp::parse_zfp;
}

/// The codecs whose configuration is read, sorted by name.
pub(crate) static CODECS: [&Codec; 20] = [
    &bitround::CODEC,
    &compressors::BLOSC_CODEC,
    &bytes::CODEC,
    &cast_value::CODEC,
    &registered::CONDITIONAL_CODEC,
    &registered::CHECKSUM_CODEC,
    &compressors::GZIP_CODEC,
    &registered::N5_CODEC,
    &bitround::ALIAS,
    &fixed_scale_offset::CODEC,
    &packbits::CODEC,
    &reshape::CODEC,
    &scale_offset::CODEC,
    &sharding::CODEC,
    &transpose::CODEC,
    &registered::BYTES_CODEC,
    &registered::UTF8_CODEC,
    &zfp::CODEC,
    &zfpy::CODEC,
    &compressors::ZSTD_CODEC,
];

fn all() -> impl Iterator<Item = &'static Codec> {
    CODECS.into_iter().chain(&foreign::CODECS)
}

/// Returns the codec with a name, including codecs that are known only by name.
pub(crate) fn find(name: &str) -> Option<&'static Codec> {
    all().find(|codec| codec.name == name)
}

/// Other names of codecs, which third parties use or used.
const ALIASES: [(&str, &str); 9] = [
    ("endian", "bytes"),
    ("fixedscaleoffset", "numcodecs.fixedscaleoffset"),
    ("delta", "numcodecs.delta"),
    ("sharding", "sharding_indexed"),
    ("shuffle", "numcodecs.shuffle"),
    ("zlib", "numcodecs.zlib"),
    ("zstandard", "zstd"),
    ("lz4", "blosc"),
    ("utf8", "vlen-utf8"),
];

/// Returns the codec that an unknown name very likely means.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    match alias {
        Some((_, meant)) => Some(meant),
        None => did_you_mean(name, all().map(|codec| codec.name)),
    }
}
