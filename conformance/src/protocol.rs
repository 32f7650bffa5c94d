//! The wire format: answers and results, as JSON and as values.

use exactum_model::{Array, At, Rejection, Resolution, Scalar, Stage};
use exactum_vectors::{array_from_json, array_to_json, hex};
use serde_json::{Map, Value, json};

use crate::operations::{Answers, Operation};

/// The version of the protocol.
pub const PROTOCOL: u64 = 1;

/// The reason why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The input is bad, and the implementation names the reason.
    Reject(Rejection),
    /// The implementation does not offer this; the string describes what is not offered.
    Unsupported(String),
    /// The adapter itself failed, or its input is not a request; the string describes the failure.
    Error(String),
}

impl From<Rejection> for Fault {
    fn from(rejection: Rejection) -> Self {
        Fault::Reject(rejection)
    }
}

/// A result or a [`Fault`].
pub type Outcome<T = Success> = Result<T, Fault>;

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The result.
    Ok(Success),
    /// The input is bad.
    Reject(Rejected),
    /// The implementation does not offer this; the string describes what is not offered.
    Unsupported(String),
    /// The adapter itself failed; the string describes how.
    Error(String),
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Success {
    /// `bits`: the bytes of one element.
    Bits(Vec<u8>),
    /// `json`: canonical text.
    Json(String),
    /// `output`: an array.
    Output(Array),
    /// `bytes`: encoded bytes.
    Bytes(Vec<u8>),
    /// The result of `chain.resolve`.
    Resolution(Resolution),
    /// The result of `metadata.validate`, which has no members: the document is valid.
    Valid,
    /// The result of operations that answer with JSON members, such as `hello`.
    Document(Map<String, Value>),
}

impl From<Array> for Success {
    fn from(output: Array) -> Self {
        Success::Output(output)
    }
}

impl From<Vec<u8>> for Success {
    fn from(bytes: Vec<u8>) -> Self {
        Success::Bytes(bytes)
    }
}

impl From<Resolution> for Success {
    fn from(resolution: Resolution) -> Self {
        Success::Resolution(resolution)
    }
}

impl From<Scalar> for Success {
    fn from(scalar: Scalar) -> Self {
        Success::Bits(scalar.to_bytes())
    }
}

/// A rejection as the protocol carries it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// A reason listed in `vectors/reasons.json`, if the implementation uses that list.
    pub reason: String,
    /// The message. Exactum's own messages end with the clause in parentheses.
    pub message: String,
    /// The place of the fault.
    pub at: Option<At>,
    /// Whether the refusal was accidental: the call was stopped by an exception that is not meant as a refusal. The
    /// answer still counts as a rejection, and the accident is reported separately.
    pub accident: bool,
}

impl From<Rejection> for Rejected {
    fn from(rejection: Rejection) -> Self {
        Self {
            reason: rejection.reason.name().into(),
            message: rejection.to_string(),
            at: rejection.at,
            accident: false,
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

impl Answer {
    /// Returns the answer's one member besides `id`: its key and its value.
    #[must_use]
    pub fn to_json(&self) -> (&'static str, Value) {
        match self {
            Answer::Ok(success) => ("ok", success.to_json()),
            Answer::Reject(rejected) => {
                let mut reject = json!({"reason": rejected.reason, "message": rejected.message});
                match &rejected.at {
                    Some(At::Element(index)) => reject["at"] = (*index).into(),
                    Some(At::Pointer(pointer)) => reject["at"] = pointer.as_str().into(),
                    None => {}
                }
                if rejected.accident {
                    reject["accident"] = true.into();
                }
                ("reject", reject)
            }
            Answer::Unsupported(message) => ("unsupported", json!({"message": message})),
            Answer::Error(message) => ("error", json!({"message": message})),
        }
    }

    /// Returns the answer as one line of the protocol, without the line feed.
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
    /// If the members are not an answer of the protocol. The message states the reason.
    pub fn from_json(op: &str, members: &Map<String, Value>) -> Result<Self, String> {
        let kinds = ["ok", "reject", "unsupported", "error"];
        let mut given = kinds.iter().filter(|&&kind| members.contains_key(kind));
        let (Some(&kind), None) = (given.next(), given.next()) else {
            return Err("an answer has exactly one of ok, reject, unsupported, error".into());
        };
        let value = members[kind]
            .as_object()
            .ok_or_else(|| format!("{kind} is not an object"))?;
        let text = |key: &str| {
            value
                .get(key)
                .and_then(Value::as_str)
                .map(str::to_owned)
                .ok_or_else(|| format!("{kind}: {key} is not a string"))
        };
        Ok(match kind {
            "ok" => Answer::Ok(Success::from_json(op, value)?),
            "reject" => Answer::Reject(Rejected {
                reason: text("reason")?,
                message: match value.get("message") {
                    None => String::new(),
                    Some(_) => text("message")?,
                },
                at: match value.get("at") {
                    None | Some(Value::Null) => None,
                    Some(Value::String(pointer)) => Some(At::Pointer(pointer.clone())),
                    Some(at) => Some(At::Element(
                        at.as_u64()
                            .ok_or("reject: at must be an index or a JSON pointer")?,
                    )),
                },
                accident: match value.get("accident") {
                    None => false,
                    Some(accident) => accident
                        .as_bool()
                        .ok_or("reject: accident is not a boolean")?,
                },
            }),
            "unsupported" => Answer::Unsupported(text("message")?),
            _ => Answer::Error(text("message")?),
        })
    }
}

impl Success {
    /// Returns the members of `ok`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Success::Document(members) => members.clone().into(),
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
    /// If a member is missing or has another form. The message names it.
    pub fn from_json(op: &str, ok: &Map<String, Value>) -> Result<Self, String> {
        let text = |key: &str| {
            ok.get(key)
                .and_then(Value::as_str)
                .ok_or_else(|| format!("ok: {key} is not a string"))
        };
        let bytes =
            |key: &str| hex::decode(text(key)?).map_err(|error| format!("ok: {key}: {error}"));
        let operation = Operation::named(op).ok_or_else(|| format!("no operation {op:?}"))?;
        Ok(match operation.answers {
            Answers::Bits => Success::Bits(bytes("bits")?),
            Answers::Json => Success::Json(text("json")?.to_owned()),
            Answers::Bytes => Success::Bytes(bytes("bytes")?),
            Answers::Output => {
                let output = ok.get("output").ok_or("ok: output is missing")?;
                let output = array_from_json(output);
                Success::Output(output.map_err(|error| format!("ok: output: {error}"))?)
            }
            Answers::Resolution => Success::Resolution(resolution_from_json(ok)?),
            Answers::Nothing => Success::Valid,
            Answers::Document => Success::Document(ok.clone()),
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
        "survives": resolution.round_trips,
    })
}

fn resolution_from_json(ok: &Map<String, Value>) -> Result<Resolution, String> {
    let stages = ok
        .get("stages")
        .and_then(Value::as_array)
        .ok_or("ok: stages is not a list")?;
    let stages = stages
        .iter()
        .enumerate()
        .map(|(index, stage)| {
            stage_from_json(stage).ok_or_else(|| {
                format!("ok: stage {index} needs codec, data_type, shape and fill_value")
            })
        })
        .collect::<Result<Vec<Stage>, String>>()?;
    let returned = ok.get("returned").zip(stages.first());
    let survives = match returned {
        // The runner compares the values; the implementation under test does not judge itself.
        Some((returned, array)) => returned
            .as_str()
            .and_then(|returned| hex::decode(returned).ok())
            .and_then(|returned| Scalar::from_bytes(array.data_type, &returned))
            .map(|returned| returned.same_value(&array.fill_value))
            .ok_or("ok: returned is not an element of the array's data type")?,
        None => ok
            .get("survives")
            .and_then(Value::as_bool)
            .ok_or("ok: neither survives (a boolean) nor returned is present")?,
    };
    Ok(Resolution {
        stages,
        encoded_bytes: match ok.get("encoded_bytes") {
            Some(Value::Null) => None,
            Some(bytes) => Some(bytes.as_u64().ok_or("ok: encoded_bytes is not a number")?),
            None => return Err("ok: encoded_bytes is missing".into()),
        },
        round_trips: survives,
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
