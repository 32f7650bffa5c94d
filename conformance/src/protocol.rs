//! The protocol: requests and answers, as JSON and as nouns.

use exactum_model::{Array, At, DataType, Rejection, Resolution, Scalar, Stage};
use exactum_vectors::{array_from_json, array_to_json};
use serde_json::{Map, Value, json};

use crate::hello::Hello;
use crate::implementation::Fault;

/// The version of the protocol.
pub const PROTOCOL: u64 = 1;

/// A request: its JSON members without `id`. Members that the operation does not know are ignored
/// and their order is free.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The members.
    pub members: Map<String, Value>,
}

/// A request whose members were read: what is asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation<'a> {
    /// `hello`
    Hello,
    /// `fill_value.parse`: the data type and the JSON text.
    FillValueParse(DataType, &'a str),
    /// `fill_value.format`
    FillValueFormat(Scalar),
    /// `bytes.encode`: the configuration and the input.
    BytesEncode(&'a str, Array),
    /// `bytes.decode`: the configuration, data type and shape of the result, and the bytes.
    BytesDecode(&'a str, DataType, Vec<u64>, Vec<u8>),
    /// `packbits.encode`: the configuration and the input.
    PackbitsEncode(&'a str, Array),
    /// `packbits.decode`: the configuration, data type and shape of the result, and the bytes.
    PackbitsDecode(&'a str, DataType, Vec<u64>, Vec<u8>),
    /// `cast_value.encode`: the configuration and the input.
    CastValueEncode(&'a str, Array),
    /// `cast_value.decode`: the configuration, the data type of the result, and the input.
    CastValueDecode(&'a str, DataType, Array),
    /// `scale_offset.encode`: the configuration and the input.
    ScaleOffsetEncode(&'a str, Array),
    /// `scale_offset.decode`: the configuration and the input.
    ScaleOffsetDecode(&'a str, Array),
    /// `chain.resolve`: the array document.
    ChainResolve(&'a str),
    /// `chain.encode`: the array document and a chunk.
    ChainEncode(&'a str, Array),
    /// `chain.decode`: the array document and the bytes of a chunk.
    ChainDecode(&'a str, Vec<u8>),
    /// `metadata.validate`: the kind of the document and the document.
    MetadataValidate(&'a str, &'a str),
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The result.
    Ok(Success),
    /// The input is bad.
    Reject(Refusal),
    /// The implementation does not offer this, in words.
    Unsupported(String),
    /// The adapter itself failed, in words.
    Error(String),
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub enum Success {
    /// Of `hello`.
    Hello(Hello),
    /// `bits`: the bytes of one element.
    Bits(Vec<u8>),
    /// `json`: canonical text.
    Json(String),
    /// `output`
    Output(Array),
    /// `bytes`
    Bytes(Vec<u8>),
    /// Of `chain.resolve`.
    Resolution(Resolution),
    /// Of `metadata.validate`: nothing to tell.
    Valid,
}

/// A rejection as the protocol carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A reason of `vectors/reasons.json`, if the implementation keeps to it.
    pub reason: String,
    /// What is wrong, in words; ours end with the clause in parentheses.
    pub message: String,
    /// Where.
    pub at: Option<At>,
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Self {
            reason: rejection.reason.name().into(),
            message: rejection.to_string(),
            at: rejection.at,
        }
    }
}

impl From<Fault> for Answer {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Reject(rejection) => Answer::Reject(rejection.into()),
            Fault::Unsupported(message) => Answer::Unsupported(message),
            Fault::Error(message) => Answer::Error(message),
        }
    }
}

impl From<Result<Success, Fault>> for Answer {
    fn from(outcome: Result<Success, Fault>) -> Self {
        match outcome {
            Ok(success) => Answer::Ok(success),
            Err(fault) => fault.into(),
        }
    }
}

impl Request {
    /// Makes a request of its members.
    #[must_use]
    pub fn new(members: Map<String, Value>) -> Self {
        Self { members }
    }

    /// The operation's name; empty where there is none.
    #[must_use]
    pub fn op(&self) -> &str {
        self.text("op").unwrap_or_default()
    }

    /// A member that is a string.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.members.get(key)?.as_str()
    }

    /// The name of the data type that goes in, as JSON.
    #[must_use]
    pub fn input_data_type(&self) -> Option<Value> {
        match self.members.get("input") {
            Some(input) => input.get("data_type").cloned(),
            None => self.members.get("data_type").cloned(),
        }
    }

    /// The name of the data type that comes out, as JSON.
    #[must_use]
    pub fn output_data_type(&self, configuration: Option<&Value>) -> Option<Value> {
        match self.op() {
            "cast_value.encode" => match configuration?.get("data_type")? {
                Value::Object(named) => named.get("name").cloned(),
                name => Some(name.clone()),
            },
            "cast_value.decode" => self.members.get("data_type").cloned(),
            _ => self.input_data_type(),
        }
    }

    /// Whether the chunk of the request has an extent of 0, and so no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let holder = match self.members.get("input") {
            Some(input) => input.get("shape"),
            None => self.members.get("shape"),
        };
        let shape = holder.and_then(Value::as_array);
        shape.is_some_and(|shape| shape.iter().any(|extent| extent.as_u64() == Some(0)))
    }

    /// Reads the members that the operation needs.
    ///
    /// # Errors
    /// [`Fault::Error`] for what is no request: an unknown operation, a missing member or one of
    /// another kind, an array whose length is not that of its shape. [`Fault::Reject`] for an
    /// unknown data type.
    pub fn read(&self) -> Result<Operation<'_>, Fault> {
        let need = |key: &'static str| {
            self.text(key)
                .ok_or_else(|| Fault::Error(format!("the request needs {key}, a string")))
        };
        // A codec may have no configuration (scale_offset.configuration, packbits.configuration).
        let optional = |key: &'static str| match self.members.get(key) {
            None => Ok("{}"),
            Some(_) => need(key),
        };
        Ok(match need("op")? {
            "hello" => Operation::Hello,
            "fill_value.parse" => Operation::FillValueParse(self.data_type()?, need("json")?),
            "fill_value.format" => {
                let bits = self.hex("bits")?;
                let data_type = self.data_type()?;
                let scalar = Scalar::from_bytes(data_type, &bits).ok_or_else(|| {
                    Fault::Error(format!(
                        "bits: {data_type} has {} bytes, not {}",
                        data_type.element_bytes(),
                        bits.len()
                    ))
                })?;
                Operation::FillValueFormat(scalar)
            }
            "bytes.encode" => Operation::BytesEncode(optional("configuration")?, self.input()?),
            "bytes.decode" => {
                let configuration = optional("configuration")?;
                let (data_type, shape, bytes) = self.encoded()?;
                Operation::BytesDecode(configuration, data_type, shape, bytes)
            }
            "packbits.encode" => {
                Operation::PackbitsEncode(optional("configuration")?, self.input()?)
            }
            "packbits.decode" => {
                let configuration = optional("configuration")?;
                let (data_type, shape, bytes) = self.encoded()?;
                Operation::PackbitsDecode(configuration, data_type, shape, bytes)
            }
            "cast_value.encode" => {
                Operation::CastValueEncode(need("configuration")?, self.input()?)
            }
            "cast_value.decode" => {
                let configuration = need("configuration")?;
                need("data_type")?;
                let input = self.input()?;
                Operation::CastValueDecode(configuration, self.data_type()?, input)
            }
            "scale_offset.encode" => {
                Operation::ScaleOffsetEncode(optional("configuration")?, self.input()?)
            }
            "scale_offset.decode" => {
                Operation::ScaleOffsetDecode(optional("configuration")?, self.input()?)
            }
            "chain.resolve" => Operation::ChainResolve(need("metadata")?),
            "chain.encode" => Operation::ChainEncode(need("metadata")?, self.input()?),
            "chain.decode" => Operation::ChainDecode(need("metadata")?, self.hex("bytes")?),
            "metadata.validate" => Operation::MetadataValidate(need("kind")?, need("document")?),
            other => return Err(Fault::Error(format!("unknown operation {other:?}"))),
        })
    }

    fn data_type(&self) -> Result<DataType, Fault> {
        let name = self
            .text("data_type")
            .ok_or_else(|| Fault::Error("the request needs data_type, a string".into()))?;
        Ok(exactum_metadata::parse_data_type(name)?)
    }

    /// The members of what an array -> bytes codec decodes: data type and shape of the array, and
    /// the bytes.
    fn encoded(&self) -> Result<(DataType, Vec<u64>, Vec<u8>), Fault> {
        let bytes = self.hex("bytes")?;
        let shape = self
            .members
            .get("shape")
            .and_then(Value::as_array)
            .and_then(|shape| shape.iter().map(Value::as_u64).collect())
            .ok_or_else(|| Fault::Error("the request needs shape, a list of extents".into()))?;
        Ok((self.data_type()?, shape, bytes))
    }

    fn hex(&self, key: &str) -> Result<Vec<u8>, Fault> {
        let text = self
            .text(key)
            .ok_or_else(|| Fault::Error(format!("the request needs {key}, hex")))?;
        hex::decode(text).map_err(|error| Fault::Error(format!("{key}: {error}")))
    }

    fn input(&self) -> Result<Array, Fault> {
        let input = self
            .members
            .get("input")
            .ok_or_else(|| Fault::Error("the request needs input, an array".into()))?;
        array_from_json(input).map_err(|fault| match fault {
            exactum_vectors::Fault::Form(message) => Fault::Error(format!("input: {message}")),
            exactum_vectors::Fault::Reject(rejection) => Fault::Reject(rejection),
        })
    }
}

impl Answer {
    /// The answer's one member besides `id`: its key and its value.
    #[must_use]
    pub fn to_json(&self) -> (&'static str, Value) {
        match self {
            Answer::Ok(success) => ("ok", success.to_json()),
            Answer::Reject(refusal) => {
                let mut reject = json!({"reason": refusal.reason, "message": refusal.message});
                match &refusal.at {
                    Some(At::Element(index)) => reject["at"] = (*index).into(),
                    Some(At::Pointer(pointer)) => reject["at"] = pointer.as_str().into(),
                    None => {}
                }
                ("reject", reject)
            }
            Answer::Unsupported(message) => ("unsupported", json!({"message": message})),
            Answer::Error(message) => ("error", json!({"message": message})),
        }
    }

    /// The answer as one line of the protocol, without the line feed.
    #[must_use]
    pub fn to_line(&self, id: Value) -> String {
        let (key, value) = self.to_json();
        Value::Object(Map::from_iter([
            ("id".to_owned(), id),
            (key.to_owned(), value),
        ]))
        .to_string()
    }

    /// Reads the members of an answer to `op`.
    ///
    /// # Errors
    /// What makes it no answer of the protocol, in words.
    pub fn from_json(op: &str, members: &Map<String, Value>) -> Result<Self, String> {
        let kinds = ["ok", "reject", "unsupported", "error"];
        let mut given = kinds.iter().filter(|&&kind| members.contains_key(kind));
        let (Some(&kind), None) = (given.next(), given.next()) else {
            return Err("an answer has exactly one of ok, reject, unsupported, error".into());
        };
        let value = members[kind]
            .as_object()
            .ok_or_else(|| format!("{kind} is no object"))?;
        let text = |key: &str| {
            value
                .get(key)
                .and_then(Value::as_str)
                .map(str::to_owned)
                .ok_or_else(|| format!("{kind}: {key} is no string"))
        };
        Ok(match kind {
            "ok" => Answer::Ok(Success::from_json(op, value)?),
            "reject" => Answer::Reject(Refusal {
                reason: text("reason")?,
                message: match value.get("message") {
                    None => String::new(),
                    Some(_) => text("message")?,
                },
                at: match value.get("at") {
                    None | Some(Value::Null) => None,
                    Some(Value::String(pointer)) => Some(At::Pointer(pointer.clone())),
                    Some(at) => Some(At::Element(
                        at.as_u64().ok_or("reject: at is no index and no pointer")?,
                    )),
                },
            }),
            "unsupported" => Answer::Unsupported(text("message")?),
            _ => Answer::Error(text("message")?),
        })
    }
}

impl Success {
    /// The members of `ok`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Success::Hello(hello) => hello.to_json(),
            Success::Bits(bits) => json!({"bits": hex::encode(bits)}),
            Success::Json(text) => json!({"json": text}),
            Success::Output(array) => json!({"output": array_to_json(array)}),
            Success::Bytes(bytes) => json!({"bytes": hex::encode(bytes)}),
            Success::Resolution(resolution) => resolution_to_json(resolution),
            Success::Valid => json!({}),
        }
    }

    /// Reads the members of the `ok` of an answer to `op`.
    ///
    /// # Errors
    /// What is missing or of another kind, in words.
    pub fn from_json(op: &str, ok: &Map<String, Value>) -> Result<Self, String> {
        let text = |key: &str| {
            ok.get(key)
                .and_then(Value::as_str)
                .ok_or_else(|| format!("ok: {key} is no string"))
        };
        let bytes =
            |key: &str| hex::decode(text(key)?).map_err(|error| format!("ok: {key}: {error}"));
        Ok(match op {
            "hello" => Success::Hello(Hello::from_json(ok)?),
            "fill_value.parse" => Success::Bits(bytes("bits")?),
            "fill_value.format" => Success::Json(text("json")?.to_owned()),
            "chain.resolve" => Success::Resolution(resolution_from_json(ok)?),
            "bytes.encode" | "chain.encode" | "packbits.encode" => Success::Bytes(bytes("bytes")?),
            "metadata.validate" => Success::Valid,
            _ => {
                let output = ok.get("output").ok_or("ok: there is no output")?;
                Success::Output(array_from_json(output).map_err(|fault| match fault {
                    exactum_vectors::Fault::Form(message) => format!("ok: output: {message}"),
                    exactum_vectors::Fault::Reject(rejection) => {
                        format!("ok: output: {}", rejection.message)
                    }
                })?)
            }
        })
    }
}

fn resolution_to_json(resolution: &Resolution) -> Value {
    let stages: Vec<Value> = resolution
        .stages
        .iter()
        .map(|stage| {
            json!({
                "codec": stage.codec,
                "data_type": stage.data_type.name(),
                "shape": stage.shape,
                "fill_value": hex::encode(stage.fill_value.to_bytes()),
            })
        })
        .collect();
    json!({
        "stages": stages,
        "encoded_bytes": resolution.encoded_bytes,
        "survives": resolution.survives,
    })
}

fn resolution_from_json(ok: &Map<String, Value>) -> Result<Resolution, String> {
    let stages = ok
        .get("stages")
        .and_then(Value::as_array)
        .ok_or("ok: stages is no list")?;
    Ok(Resolution {
        stages: stages
            .iter()
            .enumerate()
            .map(|(index, stage)| {
                stage_from_json(stage).ok_or_else(|| {
                    format!("ok: stage {index} has not codec, data_type, shape and fill_value")
                })
            })
            .collect::<Result<_, String>>()?,
        encoded_bytes: match ok.get("encoded_bytes") {
            Some(Value::Null) => None,
            Some(bytes) => Some(bytes.as_u64().ok_or("ok: encoded_bytes is no number")?),
            None => return Err("ok: there is no encoded_bytes".into()),
        },
        survives: ok
            .get("survives")
            .and_then(Value::as_bool)
            .ok_or("ok: survives is no boolean")?,
    })
}

fn stage_from_json(stage: &Value) -> Option<Stage> {
    let data_type = stage.get("data_type")?.as_str()?.parse().ok()?;
    let fill_value = hex::decode(stage.get("fill_value")?.as_str()?).ok()?;
    Some(Stage {
        codec: match stage.get("codec")? {
            Value::Null => None,
            name => Some(name.as_str()?.to_owned()),
        },
        data_type,
        shape: stage
            .get("shape")?
            .as_array()?
            .iter()
            .map(Value::as_u64)
            .collect::<Option<_>>()?,
        fill_value: Scalar::from_bytes(data_type, &fill_value)?,
    })
}
