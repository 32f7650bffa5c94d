//! Witnesses: one request each that shows a mutant's fault, in one line of text.
//!
//! The line begins with the operation; data types, JSON texts and hex follow. Elements are a JSON
//! list of scalars in fill-value encoding, `little]` at the end of a list of codecs stands for
//! little-endian `bytes`:
//!
//! ```text
//! cast_value.encode FROM CONFIGURATION ELEMENTS      bytes.decode TYPE CONFIGURATION SHAPE HEX
//! packbits.encode TYPE CONFIGURATION SHAPE 0xHEX     fill_value.parse TYPE TEXT
//! chain.resolve TYPE FILL_VALUE SHAPE CODECS         chain.encode TYPE SHAPE CODECS SHAPE ELEMENTS
//! chain.decode TYPE SHAPE CODECS HEX                 metadata.validate DOCUMENT
//! metadata.validate TYPE FILL_VALUE CODECS MORE_MEMBERS    metadata.validate.group DOCUMENT
//! downsample.read TYPE METHOD MEMBERS ELEMENTS       downsample.resolve DOCUMENT
//! sds.convert MEMBERS                                and so on
//! ```

use exactum_conformance::model::{Array, DataType, TextType};
use exactum_conformance::vectors::array_to_json;
use exactum_conformance::{Request, parse_fill_value};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// The request of a witness.
///
/// # Errors
/// What in the witness cannot be read.
pub fn request(witness: &str) -> Result<Request, String> {
    let mut rest = Rest(witness);
    let op = rest.word();
    let members = match op {
        "fill_value.parse" => json!({"data_type": rest.word(), "json": rest.0}),
        "fill_value.format" => {
            let data_type = rest.word();
            json!({"data_type": data_type, "bits": hex(&scalar(data_type, rest.0)?)})
        }
        "downsample.read" => {
            let [data_type, method] = [rest.word(), rest.word()];
            let text = rest.json()?;
            let mut members: Value = serde_json::from_str(text).map_err(told(text))?;
            let input = match members.get("shape") {
                Some(shape) => array(data_type, extents(&shape.to_string())?, rest.0)?,
                None => list(data_type, rest.0)?,
            };
            let rank = input["shape"].as_array().map_or(0, Vec::len);
            members["input"] = input;
            members["method"] = method.into();
            if members.get("origin").is_none() {
                members["origin"] = json!(vec![0; rank]);
            }
            members
        }
        op if op.starts_with("sds.") => serde_json::from_str(rest.0).map_err(told(rest.0))?,
        "downsample.resolve" => json!({"document": rest.0}),
        "metadata.validate.group" => json!({"kind": "group", "document": rest.0}),
        "metadata.validate" if rest.0.starts_with('{') => {
            json!({"kind": "array", "document": rest.0})
        }
        "metadata.validate" => {
            let [data_type, fill_value] = [rest.word(), rest.json()?];
            let codecs = rest.codecs()?;
            let document = document(data_type, fill_value, "[4]", &codecs, rest.0);
            json!({"kind": "array", "document": document})
        }
        "chain.resolve" => {
            let [data_type, fill_value, shape] = [rest.word(), rest.json()?, rest.json()?];
            json!({"metadata": document(data_type, fill_value, shape, &rest.codecs()?, "")})
        }
        "chain.encode" => {
            let [data_type, shape] = [rest.word(), rest.json()?];
            let metadata = document(data_type, "0", shape, &rest.codecs()?, "");
            let shape = extents(rest.json()?)?;
            json!({"metadata": metadata, "input": array(data_type, shape, rest.0)?})
        }
        "chain.decode" => {
            let [data_type, shape] = [rest.word(), rest.json()?];
            let metadata = document(data_type, "0", shape, &rest.codecs()?, "");
            json!({"metadata": metadata, "bytes": rest.0})
        }
        "bytes.decode" | "packbits.decode" | "zfp.decode" => {
            let [data_type, configuration] = [rest.word(), rest.json()?];
            let shape = extents(rest.json()?)?;
            json!({"configuration": configuration, "data_type": data_type, "shape": shape, "bytes": rest.0})
        }
        "cast_value.decode" | "cf.decode" => {
            let [data_type, configuration] = [rest.word(), rest.json()?];
            let read: Value = serde_json::from_str(configuration).map_err(told(configuration))?;
            let encoded = read["data_type"].as_str().unwrap_or_default();
            let input = list(encoded, rest.0)?;
            json!({"configuration": configuration, "data_type": data_type, "input": input})
        }
        _ => {
            let [data_type, configuration] = [rest.word(), rest.json()?];
            let input = match rest.0.split_once(" 0x") {
                Some((shape, data)) => {
                    json!({"data_type": data_type, "shape": extents(shape)?, "data": data})
                }
                None => list(data_type, rest.0)?,
            };
            json!({"configuration": configuration, "input": input})
        }
    };
    // Documents of another kind than arrays are named behind the operation.
    let op = match op {
        "metadata.validate.group" => "metadata.validate",
        op => op,
    };
    let mut request = Map::from_iter([("op".to_owned(), Value::from(op))]);
    if let Value::Object(members) = members {
        request.extend(members);
    }
    Ok(Request::new(request))
}

/// What of a witness is not read yet.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn word(&mut self) -> &'a str {
        let (word, rest) = self.0.split_once(' ').unwrap_or((self.0, ""));
        self.0 = rest;
        word
    }

    fn json(&mut self) -> Result<&'a str, String> {
        let mut values = serde_json::Deserializer::from_str(self.0).into_iter::<&RawValue>();
        let value = values.next().ok_or("a value is missing")?;
        let text = value.map_err(told(self.0))?.get();
        self.0 = self.0[values.byte_offset()..].trim_start();
        Ok(text)
    }

    fn codecs(&mut self) -> Result<String, String> {
        if let Some((codecs, rest)) = self.0.split_once("little]") {
            self.0 = rest.trim_start();
            let little = r#"{"name":"bytes","configuration":{"endian":"little"}}]"#;
            return Ok(format!("{codecs}{little}"));
        }
        self.json().map(str::to_owned)
    }
}

fn told(text: &str) -> impl FnOnce(serde_json::Error) -> String {
    move |error| format!("{text}: {error}")
}

fn extents(shape: &str) -> Result<Vec<u64>, String> {
    serde_json::from_str(shape).map_err(told(shape))
}

/// An array document of one chunk, with other members in front of its codecs.
fn document(data_type: &str, fill_value: &str, shape: &str, codecs: &str, more: &str) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {shape}, "data_type": "{data_type}", "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {shape}}}}}, "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value}, {more}"codecs": {codecs}}}"#
    )
}

fn scalar(data_type: &str, text: &str) -> Result<Vec<u8>, String> {
    parse_fill_value(named(data_type)?, text)
        .map(|scalar| scalar.to_bytes())
        .map_err(|fault| format!("{text}: {fault:?}"))
}

fn named(data_type: &str) -> Result<DataType, String> {
    data_type
        .parse()
        .map_err(|_| format!("no data type {data_type:?}"))
}

/// Elements in one dimension.
fn list(data_type: &str, elements: &str) -> Result<Value, String> {
    let count: Vec<&RawValue> = serde_json::from_str(elements).map_err(told(elements))?;
    array(data_type, vec![count.len() as u64], elements)
}

fn array(data_type: &str, shape: Vec<u64>, elements: &str) -> Result<Value, String> {
    if let Ok(text_type) = data_type.parse() {
        return texts(text_type, &shape, elements);
    }
    let texts: Vec<&RawValue> = serde_json::from_str(elements).map_err(told(elements))?;
    let data: Vec<Vec<u8>> = texts
        .iter()
        .map(|text| scalar(data_type, text.get()))
        .collect::<Result<_, _>>()?;
    Array::new(named(data_type)?, shape, data.concat())
        .map(|array| array_to_json(&array))
        .map_err(|rejection| rejection.message)
}

/// Elements that are no numbers: bytes as numbers, strings as JSON strings, JSON values as they are.
fn texts(text_type: TextType, shape: &[u64], elements: &str) -> Result<Value, String> {
    let elements = match text_type {
        TextType::Byte | TextType::Char => {
            let bytes: Vec<u8> = serde_json::from_str(elements).map_err(told(elements))?;
            return Ok(json!({"data_type": text_type.name(), "shape": shape, "data": hex(&bytes)}));
        }
        TextType::String | TextType::Ustring => {
            serde_json::from_str::<Vec<String>>(elements).map_err(told(elements))?
        }
        TextType::Json => {
            let texts: Vec<&RawValue> = serde_json::from_str(elements).map_err(told(elements))?;
            texts.iter().map(|text| text.get().to_owned()).collect()
        }
    };
    Ok(json!({"data_type": text_type.name(), "shape": shape, "values": elements}))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
