//! Codecs by name: what goes in and what comes out.

use super::fixed_scale_offset;

/// What a codec takes and gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// array -> array, and we know what it does.
    Step(StepName),
    /// array -> array, known by name only.
    ForeignStep,
    /// `bytes`.
    Bytes,
    /// `packbits`.
    PackBits,
    /// `sharding_indexed`.
    Sharding,
    /// array -> bytes, known by name only.
    ForeignBytes,
    /// bytes -> bytes; it always passes by its name.
    BytesToBytes,
    /// Any of the three.
    Unknown,
}

/// The array -> array codecs whose configuration is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepName {
    ScaleOffset,
    CastValue,
    FixedScaleOffset,
    Transpose,
    Reshape,
}

/// array -> array codecs of the registry, of numcodecs and of zarrs. What comes out of them is not
/// known here.
const FOREIGN_STEPS: &[&str] = &[
    "bitround",
    "numcodecs.astype",
    "numcodecs.bitround",
    "numcodecs.delta",
    "numcodecs.packbits",
    "numcodecs.quantize",
    "zarrs.squeeze",
];

/// array -> bytes codecs.
const FOREIGN_BYTES: &[&str] = &[
    "n5_default",
    "numcodecs.pcodec",
    "numcodecs.zfpy",
    "vlen-array",
    "vlen-bytes",
    "vlen-utf8",
    "zfp",
    "zarrs.vlen",
    "zarrs.vlen_v2",
];

/// bytes -> bytes codecs whose output is as long as their input plus a constant.
const FIXED_SIZE: &[&str] = &[
    "crc32c",
    "numcodecs.adler32",
    "numcodecs.crc32",
    "numcodecs.crc32c",
    "numcodecs.fletcher32",
    "numcodecs.jenkins_lookup3",
    "numcodecs.shuffle",
];

/// bytes -> bytes codecs whose output may have any length.
const VARIABLE_SIZE: &[&str] = &[
    "blosc",
    "conditional",
    "gzip",
    "numcodecs.blosc",
    "numcodecs.bz2",
    "numcodecs.gzip",
    "numcodecs.lz4",
    "numcodecs.lzma",
    "numcodecs.zlib",
    "numcodecs.zstd",
    "zarrs.bz2",
    "zarrs.gdeflate",
    "zarrs.zlib",
    "zstd",
];

/// What a codec of this name takes and gives.
pub(crate) fn class(name: &str) -> Class {
    match name {
        "scale_offset" => Class::Step(StepName::ScaleOffset),
        "cast_value" => Class::Step(StepName::CastValue),
        fixed_scale_offset::NAME => Class::Step(StepName::FixedScaleOffset),
        "transpose" => Class::Step(StepName::Transpose),
        "reshape" => Class::Step(StepName::Reshape),
        "bytes" => Class::Bytes,
        "packbits" => Class::PackBits,
        "sharding_indexed" => Class::Sharding,
        _ if FOREIGN_STEPS.contains(&name) => Class::ForeignStep,
        _ if FOREIGN_BYTES.contains(&name) => Class::ForeignBytes,
        _ if FIXED_SIZE.contains(&name) || VARIABLE_SIZE.contains(&name) => Class::BytesToBytes,
        _ => Class::Unknown,
    }
}

/// Whether the length of a codec's output is known to vary with the values.
pub(crate) fn varies_in_size(name: &str) -> bool {
    VARIABLE_SIZE.contains(&name)
        || name.starts_with("vlen")
        || matches!(name, "sharding_indexed" | "zarrs.vlen" | "zarrs.vlen_v2")
}
