//! zarrs: an array in memory, opened from its document; its only chunk is stored or retrieved.

use std::ops::RangeInclusive;
use std::sync::Arc;

use ::zarrs::array::{Array, ArrayBytes};
use ::zarrs::storage::store::MemoryStore;
use ::zarrs::storage::{ReadableStorageTraits, StoreKey, WritableStorageTraits};
use serde_json::{Value, json};

use crate::lines::{self, Answer, input, text};

/// The array that a store's document describes.
type Opened = Result<Array<MemoryStore>, String>;

/// Opens the array of a store with zarrs alone.
pub(crate) fn open(store: Arc<MemoryStore>) -> Opened {
    Array::open(store, "/").map_err(|error| error.to_string())
}

/// Returns zarrs' answer to a request, for an array that `open` opens.
pub(crate) fn call(request: &Value, open: impl Fn(Arc<MemoryStore>) -> Opened) -> Answer {
    let (row, way) = text(request, "op")
        .split_once('.')
        .expect("a row and a way");
    let array = request.get("input").unwrap_or(request);
    let little = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;
    let given = request.get("document").or(request.get("metadata"));
    let (document, shape) = if let Some(document) = given {
        let document = document.as_str().expect("a text");
        let shape = match way {
            "encode" => lines::shape(&array["shape"]),
            "decode" => {
                let members: Value = serde_json::from_str(document).expect("a document");
                lines::shape(&members["shape"])
            }
            _ => Vec::new(),
        };
        (document.to_owned(), shape)
    } else if row == "fill_value" {
        let data_type = text(array, "data_type");
        (
            document(data_type, &[1], text(request, "json"), little),
            vec![1],
        )
    } else {
        let configuration = request["configuration"].as_str().unwrap_or("{}");
        let mut codecs = format!(r#"{{"name": "{row}", "configuration": {configuration}}}"#);
        if matches!(row, "bitround" | "scale_offset") {
            codecs = format!("{codecs}, {little}");
        }
        let data_type = text(array, "data_type");
        let zero = match data_type.starts_with("complex") {
            true => "[0, 0]",
            false => "0",
        };
        let shape = lines::shape(&array["shape"]);
        (document(data_type, &shape, zero, &codecs), shape)
    };
    let key = |name: &str| StoreKey::new(name).expect("a key");
    let chunk = key(&format!("c{}", "/0".repeat(shape.len())));
    let origin = vec![0; shape.len()];
    let store = Arc::new(MemoryStore::new());
    let refused = |error: &dyn std::fmt::Display| error.to_string();
    let set = |key: &StoreKey, bytes: Vec<u8>| store.set(key, bytes.into());
    set(&key("zarr.json"), document.into_bytes()).map_err(|error| refused(&error))?;
    if row != "fill_value" && way == "decode" {
        let stored = match request.get("bytes") {
            Some(_) => lines::bytes(text(request, "bytes")),
            None => input(request),
        };
        set(&chunk, stored).map_err(|error| refused(&error))?;
    }
    let opened = open(Arc::clone(&store))?;
    if row == "metadata" || way == "resolve" {
        // The document is only opened.
        return Ok(lines::hexed(&[]));
    }
    if way == "encode" {
        opened
            .store_chunk(&origin, ArrayBytes::new_flen(input(request)))
            .map_err(|error| refused(&error))?;
        let stored = store.get(&chunk).map_err(|error| refused(&error))?;
        return Ok(lines::hexed(&stored.unwrap_or_default()));
    }
    let read: ArrayBytes<'static> = opened
        .retrieve_chunk(&origin)
        .map_err(|error| refused(&error))?;
    let elements = read.into_fixed().map_err(|error| refused(&error))?;
    match array["data_type"].as_str().unwrap_or_default() {
        "int2" => small(&elements, -2..=1),
        "int4" => small(&elements, -8..=7),
        _ => Ok(lines::hexed(&elements)),
    }
}

/// Returns the bits of small integers, which zarrs returns as `i8`, or a list of numbers if one is not a value of the
/// type.
fn small(elements: &[u8], values: RangeInclusive<i8>) -> Answer {
    let numbers: Vec<i8> = elements.iter().map(|byte| byte.cast_signed()).collect();
    if !numbers.iter().all(|number| values.contains(number)) {
        return Ok(json!(numbers));
    }
    let mask = values.end().cast_unsigned() << 1 | 1;
    let bits: Vec<u8> = elements.iter().map(|byte| byte & mask).collect();
    Ok(lines::hexed(&bits))
}

/// Returns the document of an array with one chunk. The fill value and the codecs are given as texts.
fn document(data_type: &str, shape: &[u64], fill_value: &str, codecs: &str) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape:?}, "data_type": "{data_type}",
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {shape:?}}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value}, "codecs": [{codecs}]}}"#
    )
}
