//! Mutants of documents: `numcodecs.fixedscaleoffset`.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        unchecked("unchecked-scale_offset.legacy.configuration",
            "astype has the library's default, dtype (the codec's text before it moved)."),
        unchecked("unchecked-scale_offset.legacy.configuration.keys",
            "Unknown keys are ignored, the library's own id among them."),
        unchecked("unchecked-scale_offset.legacy.parameters",
            "Parameters are whatever the host language multiplies by: true, a string of digits."),
        unchecked("unchecked-scale_offset.legacy.parameters.range",
            "A parameter beyond the array's type is taken and becomes an infinity, or fails on use."),
        unchecked("unchecked-scale_offset.legacy.scale.zero",
            "A scale of zero is taken, and nothing comes back (numcodecs)."),
        unchecked("unchecked-scale_offset.legacy.data_types",
            "Whatever numpy knows is a data type, dates and booleans too."),
        unchecked("unchecked-scale_offset.legacy.dtype",
            "dtype is ignored: the array says what goes in (zarr-python replaces it)."),
        refused_codec("legacy-numpy-names-refused", "scale_offset.legacy.data_types",
            "Only the spelling of Zarr v2 is taken, which upstream's own example does not have.",
            |codec| {
                let name = member(codec, "astype").as_str();
                name.is_some_and(|name| !name.starts_with(['<', '>', '|']))
            }),
    ]
}
