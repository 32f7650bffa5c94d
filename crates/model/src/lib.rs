#![doc = include_str!("../README.md")]
//!
//! The other crates build on these types: `exactum-exact` represents numbers exactly, `exactum-metadata`
//! reads documents, and `exactum-reference` and `exactum-optimized` compute the results.

#![cfg_attr(not(test), no_std)]

#[macro_use]
extern crate alloc;

/// Passes the table of codecs to the macro `$with`, after `[$more]`. Each codec is one line.
///
/// A line begins with the codec's name, which is also the name of the modules that implement it, and its type
/// in this crate. If the protocol has separate operations for the codec, its parser in `exactum-metadata` and
/// the members of its configuration follow.
///
/// - `elementwise` codecs convert each element independently of the others. A `Same` codec keeps the data
///   type; a `Retyped` codec converts to the data type that its configuration names.
/// - `in_chains` codecs have no separate operations in the protocol.
/// - `array_to_bytes` codecs turn an array into bytes. The result of a `Ranked` codec also depends on the
///   number of dimensions of the array; that of a `Flat` codec does not.
#[macro_export]
macro_rules! with_codecs {
    ($with:ident $([$($more:tt)*])?) => {
        $with! {
            [$($($more)*)?]
            elementwise {
                bitround BitRound parse_bitround Same ["keepbits"];
                cast_value CastValue parse_cast_value
                    Retyped ["data_type", "out_of_range", "rounding", "scalar_map"];
                cf Cf parse_cf Retyped [
                    "_FillValue", "_Unsigned", "add_offset", "attribute_type", "data_type",
                    "missing_value", "reader", "scale_factor", "valid_max", "valid_min", "valid_range"
                ];
                scale_offset ScaleOffset parse_scale_offset
                    Same ["offset", "scale"];
            }
            in_chains {
                fixed_scale_offset FixedScaleOffset;
            }
            array_to_bytes {
                bytes Bytes parse_bytes Flat ["endian"];
                packbits PackBits parse_packbits
                    Flat ["first_bit", "last_bit", "padding_encoding"];
                zfp Zfp parse_zfp Ranked [
                    "maxbits", "maxprec", "minbits", "minexp", "mode", "precision", "rate", "tolerance"
                ];
            }
        }
    };
}

mod array;
mod bitround;
mod bytes;
mod cast_value;
mod cf;
mod chain;
mod data_type;
mod domain;
mod downsample;
mod elementwise;
mod fixed_scale_offset;
mod format;
mod names;
mod packbits;
mod rejection;
mod scalar;
mod scale_offset;
pub mod sds;
mod source;
mod view;
mod zfp;

pub use array::{Array, MAX_BYTES, little_endian, push_little_endian};
pub use bitround::BitRound;
pub use bytes::{Bytes, Endian};
pub use cast_value::{CastSpec, CastValue, MapEntry, OutOfRange, Rounding};
/// The former name of [`CastSpec`].
#[doc(hidden)]
pub type Cast<'a> = CastSpec<'a>;
pub use cf::Cf;
pub use chain::{
    ArrayCodec, ArrayToArray, ArrayToBytes, Chain, CodecPipeline, Direction, Resolution, Stage,
};
pub use data_type::{DataType, UnknownDataType};
pub use domain::Domain;
pub use downsample::{
    Decimal, Downsample, Indices, Json, JsonText, Level, MAX_ANSWER_BYTES, Method, NanPolicy,
    Omission, OutputMap, Selected, Text, TextType, Texts, Transform, UnknownMethod,
};
pub use elementwise::Elementwise;
pub use fixed_scale_offset::{FixedScaleOffset, FixedScaleOffsetNumber};
pub use format::{FloatFormat, FloatValue, Format, IntegerFormat, Nan};
pub use names::Names;
pub use packbits::{PackBits, PaddingEncoding};
pub use rejection::{At, Reason, Rejection};
pub use scalar::Scalar;
pub use scale_offset::ScaleOffset;
pub use source::{Placed, Source};
pub use view::ArrayView;
pub use zfp::{Zfp, ZfpScalar, zfp_order};
