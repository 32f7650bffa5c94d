//! Mutants of documents: data types.

use super::*;

/// A document of one chunk with this data type, little-endian.
macro_rules! typed {
    ($data_type:literal) => {
        concat!(
            r#"{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "#,
            $data_type,
            r#", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 1, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#
        )
    };
}

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    unchecked!(
        "data_type.name",
        "Names are compared without regard to case, or handed to numpy, which knows \"<f4\".",
        Witness::Codecs("Uint8", "0", r#"[{"name": "bytes"}]"#)
    ),
    unchecked!(
        "data_type.form",
        "Unknown keys beside the name are ignored.",
        Witness::Document(typed!(r#"{"name": "uint8", "bits": 8}"#))
    ),
    unchecked!(
        "data_type.configuration",
        "What stands in the configuration is ignored.",
        Witness::Document(typed!(r#"{"name": "uint8", "configuration": {"bits": 8}}"#))
    ),
    refused(
        "core-object-refused",
        &["data_type.core-object"],
        |text| read(text)["data_type"].is_object(),
        "A data type of the core must be a string (the core's own sentence about it).",
        Witness::Document(typed!(r#"{"name": "float64"}"#)),
    ),
    refused(
        "data-type-must-understand-refused",
        &["data_type.core-object"],
        |text| !read(text)["data_type"]["must_understand"].is_null(),
        "must_understand is an unknown key on a data type (the published JSON Schemas).",
        Witness::Document(typed!(r#"{"name": "uint8", "must_understand": true}"#)),
    ),
    refused(
        "empty-configuration-refused",
        &["data_type.configuration"],
        |text| read(text)["data_type"]["configuration"].is_object(),
        "A data type without parameters has no configuration, not even an empty one.",
        Witness::Document(typed!(r#"{"name": "int4", "configuration": {}}"#)),
    ),
];
