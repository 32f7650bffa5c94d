//! Mutants of documents: `numcodecs.fixedscaleoffset`.

use super::*;

/// A list of this codec with a configuration, and `bytes`.
macro_rules! legacy {
    ($configuration:literal) => {
        concat!(
            r#"[{"name": "numcodecs.fixedscaleoffset", "configuration": "#,
            $configuration,
            r#"}, {"name": "bytes", "configuration": {"endian": "little"}}]"#
        )
    };
}

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    unchecked!(
        "scale_offset.legacy.configuration",
        "astype has the library's default, dtype (the codec's text before it moved).",
        Witness::Codecs(
            "float32",
            "0",
            legacy!(r#"{"offset": 0, "scale": 1, "dtype": "<f4"}"#)
        )
    ),
    unchecked!(
        "scale_offset.legacy.configuration.keys",
        "Unknown keys are ignored, the library's own id among them.",
        Witness::Codecs(
            "float32",
            "0",
            legacy!(
                r#"{"id": "fixedscaleoffset", "offset": 0, "scale": 1, "dtype": "<f4", "astype": "|u1"}"#
            )
        )
    ),
    unchecked!(
        "scale_offset.legacy.parameters",
        "Parameters are whatever the host language multiplies by: true, a string of digits.",
        Witness::Codecs(
            "float32",
            "0",
            legacy!(r#"{"offset": "0", "scale": 1, "dtype": "<f4", "astype": "|u1"}"#)
        )
    ),
    unchecked!(
        "scale_offset.legacy.parameters.range",
        "A parameter beyond the array's type is taken and becomes an infinity, or fails on use.",
        Witness::Codecs(
            "float32",
            "0",
            legacy!(r#"{"offset": 1e39, "scale": 1, "dtype": "<f4", "astype": "|u1"}"#)
        )
    ),
    unchecked!(
        "scale_offset.legacy.scale.zero",
        "A scale of zero is taken, and nothing comes back (numcodecs).",
        Witness::Codecs(
            "float32",
            "0",
            legacy!(r#"{"offset": 0, "scale": 0, "dtype": "<f4", "astype": "|u1"}"#)
        )
    ),
    unchecked!(
        "scale_offset.legacy.data_types",
        "Whatever numpy knows is a data type, dates and booleans too.",
        Witness::Codecs(
            "float32",
            "0",
            legacy!(r#"{"offset": 0, "scale": 1, "dtype": "<f4", "astype": "|b1"}"#)
        )
    ),
    unchecked!(
        "scale_offset.legacy.dtype",
        "dtype is ignored: the array says what goes in (zarr-python replaces it).",
        Witness::Codecs(
            "float32",
            "0",
            legacy!(r#"{"offset": 0, "scale": 1, "dtype": "<f8", "astype": "|u1"}"#)
        )
    ),
    refused(
        "legacy-numpy-names-refused",
        &["scale_offset.legacy.data_types"],
        |text| {
            any_codec(text, |codec| {
                codec["configuration"]["astype"]
                    .as_str()
                    .is_some_and(|name| !name.starts_with(['<', '>', '|']))
            })
        },
        "Only the spelling of Zarr v2 is taken, which upstream's own example does not have.",
        Witness::Codecs(
            "float32",
            "0",
            legacy!(r#"{"offset": 0, "scale": 1, "dtype": "float32", "astype": "uint8"}"#),
        ),
    ),
];
