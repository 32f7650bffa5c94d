//! Mutants of documents: `numcodecs.fixedscaleoffset`.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        unchecked("unchecked-scale_offset.legacy.configuration",
            "astype has the library's default, dtype (the codec's text before it moved).",
            r#"metadata.validate float32 0 [{"name": "numcodecs.fixedscaleoffset", "configuration": {"offset": 0, "scale": 1, "dtype": "<f4"}}, little]"#),
        unchecked("unchecked-scale_offset.legacy.configuration.keys",
            "Unknown keys are ignored, the library's own id among them.",
            r#"metadata.validate float32 0 [{"name": "numcodecs.fixedscaleoffset", "configuration": {"id": "fixedscaleoffset", "offset": 0, "scale": 1, "dtype": "<f4", "astype": "|u1"}}, little]"#),
        unchecked("unchecked-scale_offset.legacy.parameters",
            "Parameters are whatever the host language multiplies by: true, a string of digits.",
            r#"metadata.validate float32 0 [{"name": "numcodecs.fixedscaleoffset", "configuration": {"offset": "0", "scale": 1, "dtype": "<f4", "astype": "|u1"}}, little]"#),
        unchecked("unchecked-scale_offset.legacy.parameters.range",
            "A parameter beyond the array's type is taken and becomes an infinity, or fails on use.",
            r#"metadata.validate float32 0 [{"name": "numcodecs.fixedscaleoffset", "configuration": {"offset": 1e39, "scale": 1, "dtype": "<f4", "astype": "|u1"}}, little]"#),
        unchecked("unchecked-scale_offset.legacy.scale.zero",
            "A scale of zero is taken, and nothing comes back (numcodecs).",
            r#"metadata.validate float32 0 [{"name": "numcodecs.fixedscaleoffset", "configuration": {"offset": 0, "scale": 0, "dtype": "<f4", "astype": "|u1"}}, little]"#),
        unchecked("unchecked-scale_offset.legacy.data_types",
            "Whatever numpy knows is a data type, dates and booleans too.",
            r#"metadata.validate float32 0 [{"name": "numcodecs.fixedscaleoffset", "configuration": {"offset": 0, "scale": 1, "dtype": "<f4", "astype": "|b1"}}, little]"#),
        unchecked("unchecked-scale_offset.legacy.dtype",
            "dtype is ignored: the array says what goes in (zarr-python replaces it).",
            r#"metadata.validate float32 0 [{"name": "numcodecs.fixedscaleoffset", "configuration": {"offset": 0, "scale": 1, "dtype": "<f8", "astype": "|u1"}}, little]"#),
        refused_codec("legacy-numpy-names-refused", "scale_offset.legacy.data_types",
            "Only the spelling of Zarr v2 is taken, which upstream's own example does not have.",
            r#"metadata.validate float32 0 [{"name": "numcodecs.fixedscaleoffset", "configuration": {"offset": 0, "scale": 1, "dtype": "float32", "astype": "uint8"}}, little]"#,
            |codec| {
                let name = member(codec, "astype").as_str();
                name.is_some_and(|name| !name.starts_with(['<', '>', '|']))
            }),
    ]
}
