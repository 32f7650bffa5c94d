//! Codecs, each with its configuration, and the list of all. A codec of one's own is a file here, a
//! line in [`CODECS`] and one in [`parsers`].

pub(crate) mod bytes;
pub(crate) mod cast_value;
mod compressors;
pub(crate) mod fixed_scale_offset;
mod foreign;
pub(crate) mod packbits;
mod reshape;
pub(crate) mod scale_offset;
mod sharding;
mod transpose;
pub(crate) mod zfp;
pub(crate) mod zfpy;

use crate::pipeline::Codec;

/// What reads the configuration of a codec by itself.
pub(crate) mod parsers {
    pub use super::bytes::parse_bytes;
    pub use super::cast_value::parse_cast_value;
    pub use super::fixed_scale_offset::parse_fixed_scale_offset;
    pub use super::packbits::parse_packbits;
    pub use super::scale_offset::parse_scale_offset;
    pub use super::zfp::parse_zfp;
}

/// The codecs whose configuration is read, in the order of their names.
pub(crate) static CODECS: [&Codec; 13] = [
    &compressors::BLOSC_CODEC,
    &bytes::CODEC,
    &cast_value::CODEC,
    &compressors::GZIP_CODEC,
    &fixed_scale_offset::CODEC,
    &packbits::CODEC,
    &reshape::CODEC,
    &scale_offset::CODEC,
    &sharding::CODEC,
    &transpose::CODEC,
    &zfp::CODEC,
    &zfpy::CODEC,
    &compressors::ZSTD_CODEC,
];

/// The codec of a name, be it one that is known by its name only.
pub(crate) fn find(name: &str) -> Option<&'static Codec> {
    let ours = CODECS.into_iter();
    ours.chain(&foreign::CODECS)
        .find(|codec| codec.name == name)
}
