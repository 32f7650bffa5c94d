//! Mutants of documents: `zfp`.

use super::{Mutant, any_codec, read, refused, unchecked};

/// Whether a document puts integers that the C library has no type for through zfp.
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
            "The mode has a default, so that no configuration is needed.",
            r#"metadata.validate float32 0 ["zfp"]"#),
        unchecked("unchecked-zfp.configuration.keys",
            "Unknown keys are passed over (zarrs).",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"reversible","extra":1}}]"#),
        unchecked("unchecked-zfp.mode",
            "Whatever is not known as a mode is reversible.",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"lossless"}}]"#),
        unchecked("unchecked-zfp.mode.keys",
            "What a mode lacks has a default.",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"fixed_rate"}}]"#),
        unchecked("unchecked-zfp.mode.others",
            "Parameters of other modes are passed over (zarrs).",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"reversible","rate":8}}]"#),
        unchecked("unchecked-zfp.accuracy.tolerance",
            "A tolerance of 0 or less is taken, as C takes it.",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"fixed_accuracy","tolerance":0}}]"#),
        unchecked("unchecked-zfp.rate",
            "A rate of 0 or less is taken, and wraps around in C.",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"fixed_rate","rate":-8}}]"#),
        unchecked("unchecked-zfp.precision",
            "A precision of 0 is taken for all planes (C).",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"fixed_precision","precision":0}}]"#),
        unchecked("unchecked-zfp.expert.bits",
            "Blocks may have any number of bits.",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"expert","minbits":0,"maxbits":99999,"maxprec":64,"minexp":0}}]"#),
        unchecked("unchecked-zfp.expert.precision",
            "What zfp_stream_set_params refuses is not looked at, and its defaults go on (zarrs).",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"expert","minbits":0,"maxbits":99,"maxprec":65,"minexp":0}}]"#),
        unchecked("unchecked-zfp.expert.exponent",
            "An exponent of more than 32 bits is cut.",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"expert","minbits":0,"maxbits":99,"maxprec":64,"minexp":2147483648}}]"#),
        unchecked("unchecked-zfp.expert.order",
            "What zfp_stream_set_params refuses is not looked at, and its defaults go on (zarrs).",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"expert","minbits":99,"maxbits":98,"maxprec":64,"minexp":0}}]"#),
        unchecked("unchecked-zfp.expert.header",
            "A maxbits below the header of a block is taken, and C passes it.",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"expert","minbits":0,"maxbits":8,"maxprec":64,"minexp":0}}]"#),
        unchecked("unchecked-zfp.expert.reversible",
            "Zeros that C does not fill up are found when they are read.",
            r#"metadata.validate float32 0 [{"name":"zfp","configuration":{"mode":"expert","minbits":2,"maxbits":99,"maxprec":64,"minexp":-1075}}]"#),
        unchecked("unchecked-zfp.accuracy.integers",
            "A tolerance of integers is found out by the first chunk (zarrs).",
            r#"metadata.validate int32 0 [{"name":"zfp","configuration":{"mode":"fixed_accuracy","tolerance":0.5}}]"#),
        refused("zfp-unsigned-documents-refused", "zfp.data_type",
            "Only the data types that the C library has are valid.",
            r#"metadata.validate uint32 0 [{"name":"zfp","configuration":{"mode":"reversible"}}]"#,
            is_unsigned),
        unchecked("unchecked-zfp.data_type.others",
            "Data types are looked at by the first chunk.",
            r#"metadata.validate bool true [{"name":"zfp","configuration":{"mode":"reversible"}}]"#),
        unchecked("unchecked-zfp.rank",
            "Chunks of too many dimensions are found out by the first one (zarrs).",
            r#"metadata.validate {"zarr_format": 3, "node_type": "array", "shape": [1, 1, 1, 1, 1], "data_type": "int32", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, 1, 1, 1, 1]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": [{"name":"zfp","configuration":{"mode":"reversible"}}]}"#),
        unchecked("unchecked-zfp.legacy.configuration",
            "Keys that nobody knows are passed over.",
            r#"metadata.validate float32 0 [{"name":"numcodecs.zfpy","configuration":{"write_header":false}}]"#),
        unchecked("unchecked-zfp.legacy.mode",
            "A mode that the library does not know leads to an error of its own when it encodes (numcodecs).",
            r#"metadata.validate float32 0 [{"name":"numcodecs.zfpy","configuration":{"mode":5}}]"#),
        unchecked("unchecked-zfp.legacy.parameters",
            "Parameters are handed over as they are.",
            r#"metadata.validate float32 0 [{"name":"numcodecs.zfpy","configuration":{"mode":2,"rate":"8"}}]"#),
    ]
}
