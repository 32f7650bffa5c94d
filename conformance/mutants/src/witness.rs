//! Witnesses: one request each that shows a mutant's fault.

use exactum_conformance::model::{Array, DataType};
use exactum_conformance::vectors::array_to_json;
use exactum_conformance::{Request, parse_fill_value};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// A request in short. Elements are a JSON list of scalars in fill-value encoding.
#[derive(Clone, Copy, Debug)]
pub enum Witness {
    /// `cast_value.encode`: the array's data type, the configuration, the elements.
    Cast(&'static str, &'static str, &'static str),
    /// `cast_value.decode`: as before; the elements are of the configured data type.
    Uncast(&'static str, &'static str, &'static str),
    /// `scale_offset.encode`: the data type, the configuration, the elements.
    Scale(&'static str, &'static str, &'static str),
    /// `scale_offset.decode`: as before.
    Unscale(&'static str, &'static str, &'static str),
    /// `bytes.encode`: the data type, the configuration, the elements.
    ToBytes(&'static str, &'static str, &'static str),
    /// `bytes.decode`: the data type, the configuration, the shape, the bytes in hex.
    FromBytes(&'static str, &'static str, &'static str, &'static str),
    /// `packbits.encode`: the data type, the configuration, the elements.
    Pack(&'static str, &'static str, &'static str),
    /// `packbits.encode`: the data type, the configuration, the shape, the elements' bytes in hex.
    PackData(&'static str, &'static str, &'static str, &'static str),
    /// `packbits.decode`: the data type, the configuration, the shape, the bytes in hex.
    Unpack(&'static str, &'static str, &'static str, &'static str),
    /// `fill_value.parse`: the data type and the text.
    Parse(&'static str, &'static str),
    /// `fill_value.format`: the data type and the text of the scalar.
    Format(&'static str, &'static str),
    /// `chain.resolve`: data type, fill value, shape of a chunk, codecs.
    Resolve(&'static str, &'static str, &'static str, &'static str),
    /// `chain.encode`: data type, shape of a chunk, codecs; shape and elements of the chunk.
    Chunk(
        &'static str,
        &'static str,
        &'static str,
        &'static str,
        &'static str,
    ),
    /// `chain.decode`: data type, shape of a chunk, codecs; the bytes in hex.
    Bytes(&'static str, &'static str, &'static str, &'static str),
    /// `metadata.validate` of an array document.
    Document(&'static str),
    /// `metadata.validate` of a document of a data type, a fill value, and codecs.
    Codecs(&'static str, &'static str, &'static str),
}

impl Witness {
    /// The request.
    ///
    /// # Errors
    /// What in the witness cannot be read.
    pub fn request(&self) -> Result<Request, String> {
        let (op, members) = self.members()?;
        let mut request = Map::from_iter([("op".to_owned(), Value::from(op))]);
        if let Value::Object(members) = members {
            request.extend(members);
        }
        Ok(Request::new(request))
    }

    fn members(&self) -> Result<(&'static str, Value), String> {
        Ok(match *self {
            Witness::Cast(data_type, configuration, elements) => (
                "cast_value.encode",
                json!({"configuration": configuration, "input": list(data_type, elements)?}),
            ),
            Witness::Uncast(data_type, configuration, elements) => {
                let read: Value =
                    serde_json::from_str(configuration).map_err(|error| error.to_string())?;
                let encoded = read["data_type"].as_str().unwrap_or_default();
                (
                    "cast_value.decode",
                    json!({
                        "configuration": configuration,
                        "data_type": data_type,
                        "input": list(encoded, elements)?,
                    }),
                )
            }
            Witness::Scale(data_type, configuration, elements) => (
                "scale_offset.encode",
                json!({"configuration": configuration, "input": list(data_type, elements)?}),
            ),
            Witness::Unscale(data_type, configuration, elements) => (
                "scale_offset.decode",
                json!({"configuration": configuration, "input": list(data_type, elements)?}),
            ),
            Witness::ToBytes(data_type, configuration, elements) => (
                "bytes.encode",
                json!({"configuration": configuration, "input": list(data_type, elements)?}),
            ),
            Witness::FromBytes(data_type, configuration, shape, bytes) => (
                "bytes.decode",
                encoded(data_type, configuration, shape, bytes)?,
            ),
            Witness::Pack(data_type, configuration, elements) => (
                "packbits.encode",
                json!({"configuration": configuration, "input": list(data_type, elements)?}),
            ),
            Witness::PackData(data_type, configuration, shape, data) => (
                "packbits.encode",
                json!({
                    "configuration": configuration,
                    "input": {"data_type": data_type, "shape": extents(shape)?, "data": data},
                }),
            ),
            Witness::Unpack(data_type, configuration, shape, bytes) => (
                "packbits.decode",
                encoded(data_type, configuration, shape, bytes)?,
            ),
            Witness::Parse(data_type, text) => (
                "fill_value.parse",
                json!({"data_type": data_type, "json": text}),
            ),
            Witness::Format(data_type, text) => (
                "fill_value.format",
                json!({"data_type": data_type, "bits": hex_of(&scalar(data_type, text)?)}),
            ),
            Witness::Resolve(data_type, fill_value, shape, codecs) => (
                "chain.resolve",
                json!({"metadata": document(data_type, fill_value, shape, codecs)}),
            ),
            Witness::Chunk(data_type, shape, codecs, chunk_shape, elements) => (
                "chain.encode",
                json!({
                    "metadata": document(data_type, "0", shape, codecs),
                    "input": array(data_type, chunk_shape, elements)?,
                }),
            ),
            Witness::Bytes(data_type, shape, codecs, bytes) => (
                "chain.decode",
                json!({"metadata": document(data_type, "0", shape, codecs), "bytes": bytes}),
            ),
            Witness::Document(text) => (
                "metadata.validate",
                json!({"kind": "array", "document": text}),
            ),
            Witness::Codecs(data_type, fill_value, codecs) => (
                "metadata.validate",
                json!({
                    "kind": "array",
                    "document": document(data_type, fill_value, "[4]", codecs),
                }),
            ),
        })
    }
}

/// What is decoded.
fn encoded(
    data_type: &str,
    configuration: &str,
    shape: &str,
    bytes: &str,
) -> Result<Value, String> {
    Ok(json!({
        "configuration": configuration,
        "data_type": data_type,
        "shape": extents(shape)?,
        "bytes": bytes,
    }))
}

fn extents(shape: &str) -> Result<Vec<u64>, String> {
    serde_json::from_str(shape).map_err(|error| error.to_string())
}

/// An array document of one chunk.
fn document(data_type: &str, fill_value: &str, shape: &str, codecs: &str) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape}, "data_type": "{data_type}", "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {shape}}}}}, "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value}, "codecs": {codecs}}}"#
    )
}

fn scalar(data_type: &str, text: &str) -> Result<Vec<u8>, String> {
    let data_type: DataType = data_type
        .parse()
        .map_err(|()| format!("no data type {data_type:?}"))?;
    parse_fill_value(data_type, text)
        .map(|scalar| scalar.to_bytes())
        .map_err(|fault| format!("{text}: {fault:?}"))
}

/// Elements in one dimension.
fn list(data_type: &str, elements: &str) -> Result<Value, String> {
    let count = texts(elements)?.len();
    array(data_type, &format!("[{count}]"), elements)
}

fn texts(elements: &str) -> Result<Vec<Box<RawValue>>, String> {
    serde_json::from_str(elements).map_err(|error| format!("{elements}: {error}"))
}

fn array(data_type: &str, shape: &str, elements: &str) -> Result<Value, String> {
    let mut data = Vec::new();
    for text in texts(elements)? {
        data.extend(scalar(data_type, text.get())?);
    }
    let shape = extents(shape)?;
    let data_type: DataType = data_type
        .parse()
        .map_err(|()| format!("no data type {data_type:?}"))?;
    Array::new(data_type, shape, data)
        .map(|array| array_to_json(&array))
        .map_err(|rejection| rejection.message)
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
