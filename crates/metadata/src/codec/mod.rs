//! Codecs: their configurations, and the list of those of an array.

pub(crate) mod bytes;
pub(crate) mod cast_value;
pub(crate) mod fixed_scale_offset;
pub(crate) mod names;
pub(crate) mod packbits;
pub(crate) mod pipeline;
pub(crate) mod reshape;
pub(crate) mod scale_offset;
pub(crate) mod sharding;
pub(crate) mod transpose;
