//! Codecs.

mod blosc;
mod compression;
mod configuration;
mod crc32c;
mod deflate;
mod elementwise;
mod fault;
mod packbits;
mod sharding;
mod zfp;
mod zstd;

use std::num::NonZeroU64;

pub(crate) use blosc::Blosc;
pub(crate) use compression::Compressor;
pub(crate) use crc32c::Crc32c;
pub(crate) use deflate::{Gzip, Zlib};
pub use elementwise::{CastValueCodec, Elementwise, ElementwiseCodec, ScaleOffsetCodec};
pub use packbits::PackBitsCodec;
pub(crate) use sharding::Sharding;
pub use zfp::ZfpCodec;
pub(crate) use zstd::Zstd;

/// The elements of a shape; `usize::MAX`, which no chunk has, where they are more.
fn elements(shape: &[NonZeroU64]) -> usize {
    shape
        .iter()
        .try_fold(1_u64, |product, extent| product.checked_mul(extent.get()))
        .and_then(|elements| usize::try_from(elements).ok())
        .unwrap_or(usize::MAX)
}
