//! zarrs: an array in memory, opened from its document, whose only chunk is stored or retrieved.

use std::sync::Arc;

use ::zarrs::array::{Array, ArrayBytes};
use ::zarrs::storage::store::MemoryStore;
use ::zarrs::storage::{ReadableStorageTraits, StoreKey, WritableStorageTraits};
use serde_json::Value;

use crate::lines::{self, Answer, input, text};

/// An array of the document in a store.
type Opened = Result<Array<MemoryStore>, String>;

/// What zarrs makes of a request, in an array that `open` opens.
pub(crate) fn call(request: &Value, open: impl Fn(Arc<MemoryStore>) -> Opened) -> Answer {
    let (row, way) = text(request, "op")
        .split_once('.')
        .expect("a row and a way");
    // A document is opened and nothing else.
    if let Some(document) = request.get("document").or(request.get("metadata")) {
        assert!(way == "validate" || way == "resolve", "{row}.{way}");
        let store = Arc::new(MemoryStore::new());
        let document = document.as_str().expect("a text").to_owned().into_bytes();
        let key = StoreKey::new("zarr.json").expect("a key");
        let put = store.set(&key, document.into());
        put.map_err(|error| error.to_string())?;
        return open(store).map(|_| Vec::new());
    }
    let array = match way {
        "encode" => &request["input"],
        _ => request,
    };
    let data_type = text(array, "data_type");
    let (shape, fill_value, codec) = match row {
        "fill_value" => {
            let little = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
            (vec![1], text(request, "json"), little.to_owned())
        }
        _ => {
            let configuration = request["configuration"].as_str().unwrap_or("{}");
            let codec = format!(r#"{{"name": "{row}", "configuration": {configuration}}}"#);
            let zero = if data_type.starts_with("complex") {
                "[0, 0]"
            } else {
                "0"
            };
            (lines::shape(&array["shape"]), zero, codec)
        }
    };
    let document = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape:?}, "data_type": "{data_type}",
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {shape:?}}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value}, "codecs": [{codec}]}}"#
    );
    let key = |name: &str| StoreKey::new(name).expect("a key");
    let chunk = key(&format!("c{}", "/0".repeat(shape.len())));
    let origin = vec![0; shape.len()];
    let store = Arc::new(MemoryStore::new());
    let refused = |error: &dyn std::fmt::Display| error.to_string();
    let set = |key: &StoreKey, bytes: Vec<u8>| store.set(key, bytes.into());
    set(&key("zarr.json"), document.into_bytes()).map_err(|error| refused(&error))?;
    if row != "fill_value" && way == "decode" {
        let stored = lines::bytes(text(request, "bytes"));
        set(&chunk, stored).map_err(|error| refused(&error))?;
    }
    let opened = open(Arc::clone(&store))?;
    if way == "encode" {
        opened
            .store_chunk(&origin, ArrayBytes::new_flen(input(request)))
            .map_err(|error| refused(&error))?;
        let stored = store.get(&chunk).map_err(|error| refused(&error))?;
        return Ok(stored.map(|bytes| bytes.to_vec()).unwrap_or_default());
    }
    let read: ArrayBytes<'static> = opened
        .retrieve_chunk(&origin)
        .map_err(|error| refused(&error))?;
    let elements = read.into_fixed().map_err(|error| refused(&error))?;
    Ok(elements.into_owned())
}
