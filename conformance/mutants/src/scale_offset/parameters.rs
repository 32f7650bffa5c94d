//! Mutants of `scale_offset`: absent and large parameters.

use super::*;

const OFFSET_ABSENT: &[&str] = &["scale_offset.offset.absent"];
const SCALE_ABSENT: &[&str] = &["scale_offset.scale.absent"];
const PARAMETERS_EXACT: &[&str] = &["scale_offset.parameters.exact"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "absent-offset-adds-zero",
        OFFSET_ABSENT,
        |codec, direction, bits| {
            let result = right(codec, direction, bits)?;
            let format = codec.data_type.format();
            let added = codec.offset.is_none() && direction == Direction::Decode;
            Ok(match format.float() {
                Some(float) if added && float.is_zero(result) => 0,
                _ => result,
            })
        },
        "The missing offset is a 0 that is added: -0 decodes to +0 (zarr-python, zarrita; upstream's identity element read literally).",
        Witness::Unscale("float32", r#"{"scale":2}"#, "[-0.0]"),
    ),
    mutant(
        "absent-offset-is-rejected",
        OFFSET_ABSENT,
        |codec, direction, bits| {
            if codec.offset.is_none() {
                return Err(refuse("scale_offset.offset.absent"));
            }
            right(codec, direction, bits)
        },
        "Both parameters are taken for granted (zarrita 0.7.5 throws without a configuration).",
        Witness::Scale("float32", r#"{"scale":2}"#, "[1]"),
    ),
    mutant(
        "absent-scale-is-zero",
        SCALE_ABSENT,
        |codec, direction, bits| {
            if codec.scale.is_none() && direction == Direction::Encode {
                right(codec, direction, bits)?;
                return Ok(0);
            }
            right(codec, direction, bits)
        },
        "The missing scale is the type's default, 0.",
        Witness::Scale("int16", r#"{"offset":1}"#, "[5]"),
    ),
    mutant(
        "absent-scale-skips-the-offset",
        SCALE_ABSENT,
        |codec, direction, bits| {
            if codec.scale.is_none() {
                return Ok(bits);
            }
            right(codec, direction, bits)
        },
        "Without a scale the whole codec is left out.",
        Witness::Scale("int16", r#"{"offset":1}"#, "[5]"),
    ),
    mutant(
        "parameters-through-binary64",
        PARAMETERS_EXACT,
        |codec, direction, bits| {
            let format = codec.data_type.format();
            let seen =
                |parameter: Option<u64>| parameter.map(|bits| bits_through_binary64(&format, bits));
            let codec = ScaleOffset {
                offset: seen(codec.offset),
                scale: seen(codec.scale),
                ..*codec
            };
            right(&codec, direction, bits)
        },
        "The parameters are JSON numbers in binary64: integers above 2^53 are off (zarrita 0.7.5).",
        Witness::Scale(
            "int64",
            r#"{"offset":9007199254740993}"#,
            "[9007199254740994]",
        ),
    ),
];
