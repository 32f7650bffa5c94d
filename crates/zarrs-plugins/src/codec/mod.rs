//! Codecs.

mod blosc;
mod compression;
mod configuration;
mod crc32c;
mod deflate;
mod elementwise;
mod fault;
mod fused;
mod packbits;
mod places;
mod sharding;
mod traits;
mod zfp;
mod zstd;

use std::num::NonZeroU64;

use ::zarrs::array::{Codec, CodecTraitsV3 as _};
use ::zarrs::metadata::v3::MetadataV3;
use ::zarrs::plugin::PluginCreateError;

use blosc::Blosc;
use compression::Compressor;
use crc32c::Crc32c;
use deflate::{Gzip, Zlib};
use sharding::Sharding;
use zstd::Zstd;

pub use elementwise::{
    BitRoundCodec, CastValueCodec, Elementwise, ElementwiseCodec, ScaleOffsetCodec,
};
pub use fused::fuse;
pub use packbits::PackBitsCodec;
pub use zfp::ZfpCodec;

/// Returns the number of elements of a shape. A number that does not fit becomes `usize::MAX`, which is larger than any
/// chunk.
fn elements(shape: &[NonZeroU64]) -> usize {
    shape
        .iter()
        .try_fold(1_u64, |product, extent| product.checked_mul(extent.get()))
        .and_then(|elements| usize::try_from(elements).ok())
        .unwrap_or(usize::MAX)
}

/// A function that makes a codec from its document.
pub(crate) type Create = fn(&MetadataV3) -> Result<Codec, PluginCreateError>;

/// The codecs by their names.
pub(crate) const CODECS: [(&str, Create); 12] = [
    ("bitround", BitRoundCodec::create),
    ("blosc", Compressor::<Blosc>::create),
    ("cast_value", CastValueCodec::create),
    ("crc32c", Compressor::<Crc32c>::create),
    ("gzip", Compressor::<Gzip>::create),
    ("numcodecs.bitround", BitRoundCodec::create),
    ("numcodecs.zlib", Compressor::<Zlib>::create),
    ("packbits", PackBitsCodec::create),
    ("scale_offset", ScaleOffsetCodec::create),
    ("sharding_indexed", Sharding::create),
    ("zfp", ZfpCodec::create),
    ("zstd", Compressor::<Zstd>::create),
];

/// Returns the function that makes the codec with a name, if the codec belongs to this crate.
fn creator(name: &str) -> Option<Create> {
    CODECS.iter().find(|it| it.0 == name).map(|it| it.1)
}
