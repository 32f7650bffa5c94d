//! Mutants of documents: `zfp`.

use super::{Mutant, any_codec, read, refused, unchecked};

/// Returns whether a document compresses integers with zfp whose data type the C library does not support.
fn is_unsigned(text: &str) -> bool {
    let document = read(text);
    let is_wide = ["uint32", "uint64"]
        .iter()
        .any(|name| document["data_type"] == *name);
    is_wide && any_codec(text, |codec| codec["name"] == "zfp")
}

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        unchecked("unchecked-zfp.configuration",
            "The mode has a default, so that no configuration is needed."),
        unchecked("unchecked-zfp.configuration.keys",
            "Unknown keys are ignored (zarrs)."),
        unchecked("unchecked-zfp.mode",
            "An unknown mode counts as reversible."),
        unchecked("unchecked-zfp.mode.keys",
            "Missing parameters of a mode have defaults."),
        unchecked("unchecked-zfp.mode.others",
            "Parameters of other modes are ignored (zarrs)."),
        unchecked("unchecked-zfp.accuracy.tolerance",
            "A tolerance of 0 or less is accepted, as in C."),
        unchecked("unchecked-zfp.rate",
            "A rate of 0 or less is accepted, and wraps around in C."),
        unchecked("unchecked-zfp.precision",
            "A precision of 0 means all planes (C)."),
        unchecked("unchecked-zfp.expert.bits",
            "Blocks may have any number of bits."),
        unchecked("unchecked-zfp.expert.precision",
            "Parameters that zfp_stream_set_params refuses are not detected, and its defaults apply (zarrs)."),
        unchecked("unchecked-zfp.expert.exponent",
            "An exponent of more than 32 bits is cut."),
        unchecked("unchecked-zfp.expert.order",
            "Parameters that zfp_stream_set_params refuses are not detected, and its defaults apply (zarrs)."),
        unchecked("unchecked-zfp.expert.header",
            "A maxbits below the size of a block's header is accepted, as in C."),
        unchecked("unchecked-zfp.expert.reversible",
            "Zeros that C does not fill up are found when they are read."),
        unchecked("unchecked-zfp.accuracy.integers",
            "A tolerance for integers is noticed only at the first chunk (zarrs)."),
        refused("zfp-unsigned-documents-refused", "zfp.data_type",
            "Only the data types that the C library has are valid.",
            is_unsigned),
        unchecked("unchecked-zfp.data_type.others",
            "Data types are checked only at the first chunk."),
        unchecked("unchecked-zfp.rank",
            "Too many dimensions are noticed only at the first chunk (zarrs)."),
        unchecked("unchecked-zfp.legacy.configuration",
            "Unknown keys are ignored."),
        unchecked("unchecked-zfp.legacy.mode",
            "A mode that the library does not know causes an error only when it encodes (numcodecs)."),
        unchecked("unchecked-zfp.legacy.parameters",
            "Parameters are passed on unchecked."),
    ]
}
