//! Access to documents for mutants.

use serde_json::Value;

pub(super) fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// Returns every codec of a document, including those of shards.
pub(super) fn codecs(document: &Value) -> Vec<&Value> {
    let mut found = Vec::new();
    let mut lists = vec![&document["codecs"]];
    while let Some(list) = lists.pop() {
        for codec in list.as_array().into_iter().flatten() {
            found.push(codec);
            lists.push(&codec["configuration"]["codecs"]);
        }
    }
    found
}

pub(super) fn any_codec(text: &str, is: impl Fn(&Value) -> bool) -> bool {
    codecs(&read(text)).into_iter().any(is)
}

/// Returns the name of a codec in either form.
pub(super) fn name(codec: &Value) -> &str {
    codec
        .as_str()
        .or_else(|| codec["name"].as_str())
        .unwrap_or_default()
}

/// Returns the scalars of a cast's map.
pub(super) fn map_scalars(codec: &Value) -> impl Iterator<Item = &Value> {
    let map = &codec["configuration"]["scalar_map"];
    ["encode", "decode"]
        .into_iter()
        .flat_map(|side| map[side].as_array().into_iter().flatten())
        .flat_map(|entry| entry.as_array().into_iter().flatten())
}

pub(super) fn is_hex(scalar: &Value) -> bool {
    scalar.as_str().is_some_and(|text| text.starts_with("0x"))
}

/// Returns whether a data type's name is that of a float.
pub(super) fn is_float(data_type: &Value) -> bool {
    data_type
        .as_str()
        .or_else(|| data_type["name"].as_str())
        .is_some_and(|name| name.contains("float"))
}

pub(super) const KNOWN_CODECS: &[&str] = &[
    "blosc",
    "bytes",
    "cast_value",
    "crc32c",
    "gzip",
    "packbits",
    "reshape",
    "scale_offset",
    "sharding_indexed",
    "transpose",
    "zfp",
    "zstd",
];

pub(super) const KNOWN_MEMBERS: &[&str] = &[
    "attributes",
    "chunk_grid",
    "chunk_key_encoding",
    "codecs",
    "data_type",
    "dimension_names",
    "fill_value",
    "node_type",
    "shape",
    "storage_transformers",
    "zarr_format",
];
