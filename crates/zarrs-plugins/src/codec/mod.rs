//! Codecs.

mod configuration;
mod elementwise;
mod fault;
mod partial;

pub use elementwise::{CastValueCodec, Elementwise, ElementwiseCodec, ScaleOffsetCodec};
