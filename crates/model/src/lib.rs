//! Nouns of Exactum: data types, arrays, operations, chains and rejections.
//!
//! Nothing here reads JSON and nothing here computes. What a number *is* stands in
//! `exactum-exact`, what a document *says* in `exactum-metadata`, and what must *happen* in
//! `exactum-reference` and, fast, in `exactum-optimized`; all of them speak in these nouns.

mod array;
mod bytes;
mod cast_value;
mod chain;
mod data_type;
mod domain;
mod downsample;
mod fixed_scale_offset;
mod format;
mod packbits;
mod rejection;
mod scalar;
mod scale_offset;
pub mod sds;
mod source;
mod view;
mod zfp;

pub use array::{Array, MAX_BYTES};
pub use bytes::{Bytes, Endian};
pub use cast_value::{Cast, CastValue, MapEntry, OutOfRange, Rounding};
pub use chain::{
    ArrayCodec, ArrayToArray, ArrayToBytes, Chain, CodecPipeline, Direction, Resolution, Stage,
};
pub use data_type::DataType;
pub use domain::Domain;
pub use downsample::{
    Downsample, Indices, Level, MAX_ANSWER_BYTES, Method, OutputMap, Selected, Transform,
};
pub use fixed_scale_offset::{FixedScaleOffset, FixedScaleOffsetNumber};
pub use format::{FloatFormat, Format, IntegerFormat, Nan};
pub use packbits::{PackBits, PaddingEncoding};
pub use rejection::{At, Reason, Rejection};
pub use scalar::Scalar;
pub use scale_offset::ScaleOffset;
pub use source::{Placed, Source};
pub use view::ArrayView;
pub use zfp::{Zfp, ZfpScalar, zfp_order};
