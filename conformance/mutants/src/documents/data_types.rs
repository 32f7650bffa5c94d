//! Mutants of documents: data types.

use super::*;

#[rustfmt::skip] // A table.
pub(super) fn mutants() -> Vec<Mutant> {
    vec![
        unchecked("unchecked-data_type.name",
            r#"Names are compared without regard to case, or handed to numpy, which knows "<f4"."#,
            r#"metadata.validate Uint8 0 [{"name": "bytes"}]"#),
        unchecked("unchecked-data_type.form",
            "The form is not looked at: an object without a name is a data type.",
            r#"metadata.validate {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": {"id": "uint8"}, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 1, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#),
        unchecked("unchecked-data_type.configuration",
            "What stands in the configuration is ignored.",
            r#"metadata.validate {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": {"name": "uint8", "configuration": {"bits": 8}}, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 1, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#),
        refused("core-object-refused", "data_type.core-object",
            "A data type of the core must be a string (the core's own sentence about it).",
            r#"metadata.validate {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": {"name": "float64"}, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 1, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#,
            |text| read(text)["data_type"].is_object()),
        refused("data-type-must-understand-refused", "data_type.core-object",
            "must_understand is an unknown key on a data type (the published JSON Schemas).",
            r#"metadata.validate {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": {"name": "uint8", "must_understand": true}, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 1, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#,
            |text| !read(text)["data_type"]["must_understand"].is_null()),
        refused("empty-configuration-refused", "data_type.configuration",
            "A data type without parameters has no configuration, not even an empty one.",
            r#"metadata.validate {"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": {"name": "int4", "configuration": {}}, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "default"}, "fill_value": 1, "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}"#,
            |text| read(text)["data_type"]["configuration"].is_object()),
    ]
}
