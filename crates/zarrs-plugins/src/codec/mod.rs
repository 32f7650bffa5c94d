//! Codecs.

mod configuration;
mod elementwise;
mod fault;
mod packbits;
mod zfp;

use std::num::NonZeroU64;

pub use elementwise::{CastValueCodec, Elementwise, ElementwiseCodec, ScaleOffsetCodec};
pub use packbits::PackBitsCodec;
pub use zfp::ZfpCodec;

/// The elements of a shape; `usize::MAX`, which no chunk has, where they are more.
fn elements(shape: &[NonZeroU64]) -> usize {
    shape
        .iter()
        .try_fold(1_u64, |product, extent| product.checked_mul(extent.get()))
        .and_then(|elements| usize::try_from(elements).ok())
        .unwrap_or(usize::MAX)
}
