//! Codecs, each with its configuration, and the list of all. A codec of one's own is a file here, a
//! line in [`CODECS`] and one in [`parsers`].

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

/// What reads the configuration of a codec by itself.
pub(crate) mod parsers {
    pub use super::bitround::parse_bitround;
    pub use super::bytes::parse_bytes;
    pub use super::cast_value::parse_cast_value;
    pub use super::fixed_scale_offset::parse_fixed_scale_offset;
    pub use super::packbits::parse_packbits;
    pub use super::scale_offset::parse_scale_offset;
    pub use super::zfp::parse_zfp;
}

/// The codecs whose configuration is read, in the order of their names.
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

/// The codec of a name, be it one that is known by its name only.
pub(crate) fn find(name: &str) -> Option<&'static Codec> {
    all().find(|codec| codec.name == name)
}

/// What others call a codec, or what it was called.
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

/// The codec that an unknown name very likely means.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    match alias {
        Some((_, meant)) => Some(meant),
        None => did_you_mean(name, all().map(|codec| codec.name)),
    }
}
