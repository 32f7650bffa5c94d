//! The second oracle: a different algorithm for every row, which uses neither the reference nor its numbers. A vector
//! is written only if both agree.

pub(crate) mod bitround;
pub(crate) mod bytes;
pub(crate) mod cast_value;
pub(crate) mod cf;
pub(crate) mod chain;
pub(crate) mod data_type;
pub(crate) mod decimal;
pub(crate) mod documents;
pub(crate) mod downsample;
pub(crate) mod fill_value;
pub(crate) mod others;
pub(crate) mod packbits;
pub(crate) mod scale_offset;
pub(crate) mod sds;
pub(crate) mod tables;
pub(crate) mod texts;
pub(crate) mod zfp;
