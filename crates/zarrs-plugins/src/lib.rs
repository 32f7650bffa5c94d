#![doc = include_str!("../README.md")]

mod codec;
pub mod data_type;
mod json;
mod open;
mod register;

pub use codec::{
    BitRoundCodec, CastValueCodec, Elementwise, ElementwiseCodec, PackBitsCodec, ScaleOffsetCodec,
    ZfpCodec, fuse,
};
pub use data_type::native::{from_little, to_little};
pub use open::OpenError;
pub use register::{Registration, register, register_codecs, register_data_types};
