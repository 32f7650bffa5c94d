//! Mutants of documents: `numcodecs.fixedscaleoffset`.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        unchecked("unchecked-scale_offset.legacy.configuration",
            "astype has the library's default, dtype (the codec's text before it moved)."),
        unchecked("unchecked-scale_offset.legacy.configuration.keys",
            "Unknown keys are ignored, including the library's own id."),
        unchecked("unchecked-scale_offset.legacy.parameters",
            "Parameters may be anything that the host language can multiply by: true, or a string of digits."),
        unchecked("unchecked-scale_offset.legacy.parameters.range",
            "A parameter beyond the range of the array's type is accepted and becomes an infinity, or fails on use."),
        unchecked("unchecked-scale_offset.legacy.scale.zero",
            "A scale of zero is accepted, and no value survives (numcodecs)."),
        unchecked("unchecked-scale_offset.legacy.data_types",
            "Everything that numpy knows is a data type, even dates and booleans."),
        unchecked("unchecked-scale_offset.legacy.dtype",
            "dtype is ignored, because the array determines the input (zarr-python replaces it)."),
        refused_codec("legacy-numpy-names-refused", "scale_offset.legacy.data_types",
            "Only the spelling of Zarr v2 is accepted, which upstream's own example does not use.",
            |codec| {
                let name = member(codec, "astype").as_str();
                name.is_some_and(|name| !name.starts_with(['<', '>', '|']))
            }),
    ]
}
