//! Array documents that contain the texts of a request unchanged.

use std::num::NonZeroU64;
use std::sync::Arc;

use ::zarrs::array::ChunkShape;
use ::zarrs::storage::store::MemoryStore;
use ::zarrs::storage::{StoreKey, WritableStorageTraits};
use exactum_conformance::Answer;
use exactum_conformance::model::{DataType, Format};

/// Returns a store that contains only a document, that of its root.
pub(super) fn store(document: &str) -> Result<Arc<MemoryStore>, Answer> {
    let store = Arc::new(MemoryStore::new());
    let fault = |error: &dyn std::fmt::Display| Answer::Error(format!("the store: {error}"));
    let key = StoreKey::new("zarr.json").map_err(|error| fault(&error))?;
    store
        .set(&key, document.as_bytes().to_vec().into())
        .map_err(|error| fault(&error))?;
    Ok(store)
}

/// Returns a codec with the text of its configuration, if there is one.
pub(super) fn codec(name: &str, configuration: Option<&str>) -> String {
    match configuration {
        None => format!(r#"{{"name": "{name}"}}"#),
        Some(text) => format!(r#"{{"name": "{name}", "configuration": {text}}}"#),
    }
}

/// Returns an array with one chunk and one codec. The fill value is valid for the data type.
pub(super) fn of_chunk(data_type: DataType, shape: &[u64], codec: &str) -> String {
    let fill_value = match data_type.format() {
        Format::Bool => "false",
        Format::Integer(_) => "0",
        // float8_e8m0fnu has no zero.
        Format::Float(_) => "1.0",
        Format::Complex(_) => "[1.0, 1.0]",
    };
    document(data_type, fill_value, shape, codec)
}

/// Returns an array with a fill value.
pub(super) fn of_fill_value(data_type: DataType, fill_value: &str) -> String {
    let bytes = codec("bytes", Some(r#"{"endian": "little"}"#));
    document(data_type, fill_value, &[1], &bytes)
}

fn document(data_type: DataType, fill_value: &str, shape: &[u64], codec: &str) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "data_type": "{data_type}", "shape": {shape:?},
            "fill_value": {fill_value}, "chunk_key_encoding": {{"name": "default"}}, "codecs": [{codec}],
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {shape:?}}}}}}}"#
    )
}

/// Returns a shape in zarrs' type for chunk shapes, or `None` if an extent is zero.
pub(super) fn chunk_shape(shape: &[u64]) -> Option<ChunkShape> {
    shape
        .iter()
        .map(|&extent| NonZeroU64::new(extent))
        .collect()
}
