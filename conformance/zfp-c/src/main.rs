//! Answers the protocol (`hello`, `zfp.encode` and `zfp.decode`) with the unmodified C library zfp. With the
//! argument `bench`, the program times the library instead.
//!
//! The library does not read JSON, so its `hello` contains `"configurations": false`; the adapter extracts
//! the numbers from a configuration and passes them on. If the library refuses a request by a return value,
//! the answer is `reject`; if the request cannot be expressed in the library's interface, the answer is
//! `unsupported`.

mod bench;
mod zfp;

use std::env;
use std::io::{self, BufRead as _, Write as _};

use serde_json::{Map, Value, json};

use zfp::{Mode, Trouble, Type};

/// The data types of zfp.
const TYPES: [&str; 4] = ["int32", "int64", "float32", "float64"];

/// The numbers of dimensions that a field can have. A chunk without dimensions is a field of one element.
const RANKS: [u8; 5] = [0, 1, 2, 3, 4];

/// An answer other than `ok`.
enum Fault {
    /// The library refused the request.
    Reject(String),
    /// The request cannot be expressed in the library's interface.
    Unsupported(String),
    /// The line is not a valid request.
    Error(String),
}

impl From<Trouble> for Fault {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Refused(words) => Fault::Reject(words.into()),
            Trouble::Impossible(words) => Fault::Unsupported(words),
        }
    }
}

fn error(words: impl Into<String>) -> Fault {
    Fault::Error(words.into())
}

fn main() -> io::Result<()> {
    if env::args().nth(1).as_deref() == Some("bench") {
        return bench::run();
    }
    let mut output = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?).unwrap_or_default();
        let id = request.get("id").cloned().unwrap_or_default();
        let (key, value) = match answer(&request) {
            Ok(ok) => ("ok", ok),
            Err(Fault::Reject(message)) => {
                ("reject", json!({"reason": "metadata", "message": message}))
            }
            Err(Fault::Unsupported(message)) => ("unsupported", json!({"message": message})),
            Err(Fault::Error(message)) => ("error", json!({"message": message})),
        };
        writeln!(output, "{}", json!({"id": id, key: value}))?;
        output.flush()?;
    }
    Ok(())
}

fn answer(request: &Value) -> Result<Value, Fault> {
    match text(request, "op")? {
        "hello" => Ok(hello()),
        "zfp.encode" => {
            let mode = mode(&configuration(request)?)?;
            let input = request
                .get("input")
                .ok_or_else(|| error("the request has no input"))?;
            let (kind, shape) = array(input)?;
            let elements = bytes(input, "data")?;
            if elements.len() != zfp::size(kind, &shape)? {
                return Err(error("the length of the data does not match the shape"));
            }
            let stream = zfp::compress(mode, kind, &shape, elements)?;
            Ok(json!({"bytes": hex::encode(stream)}))
        }
        "zfp.decode" => {
            let mode = mode(&configuration(request)?)?;
            let (kind, shape) = array(request)?;
            let elements = zfp::decompress(mode, kind, &shape, &bytes(request, "bytes")?)?;
            Ok(json!({"output": {
                "data_type": request["data_type"],
                "shape": shape,
                "data": hex::encode(elements),
            }}))
        }
        other => Err(error(format!("unknown operation {other}"))),
    }
}

fn hello() -> Value {
    json!({
        "protocol": 1,
        "name": "zfp-c",
        "version": zfp::version(),
        "language": "c",
        "operations": {
            "zfp.encode": {"from": TYPES, "rank": RANKS, "empty": [false]},
            "zfp.decode": {"to": TYPES, "rank": RANKS, "empty": [false]},
        },
        "configurations": false,
    })
}

fn text<'a>(object: &'a Value, key: &str) -> Result<&'a str, Fault> {
    let text = object.get(key).and_then(Value::as_str);
    text.ok_or_else(|| error(format!("{key} is not a string")))
}

fn bytes(object: &Value, key: &str) -> Result<Vec<u8>, Fault> {
    hex::decode(text(object, key)?).map_err(|why| error(format!("{key}: {why}")))
}

/// Returns the data type and the shape in an object.
fn array(object: &Value) -> Result<(Type, Vec<usize>), Fault> {
    let name = text(object, "data_type")?;
    let kind = Type::of(name);
    let kind = kind
        .ok_or_else(|| Fault::Unsupported(format!("zfp does not support the data type {name}")))?;
    let shape = object.get("shape").and_then(Value::as_array);
    let shape = shape.ok_or_else(|| error("shape is not an array"))?;
    let shape = shape
        .iter()
        .map(|extent| {
            extent
                .as_u64()
                .and_then(|extent| usize::try_from(extent).ok())
        })
        .collect::<Option<Vec<usize>>>();
    Ok((
        kind,
        shape.ok_or_else(|| error("shape is not an array of sizes"))?,
    ))
}

/// Returns the configuration of a request, which is an object.
fn configuration(request: &Value) -> Result<Value, Fault> {
    serde_json::from_str::<Map<String, Value>>(text(request, "configuration")?)
        .map(Value::Object)
        .map_err(|why| Fault::Unsupported(format!("the configuration is not a JSON object: {why}")))
}

/// Returns the mode of a configuration. A number that does not fit the C type is unsupported.
fn mode(configuration: &Value) -> Result<Mode, Fault> {
    let get = |key: &str| &configuration[key];
    let lacks = |key: &str| {
        let value = get(key);
        Fault::Unsupported(format!("{key} {value} cannot be passed to the C library"))
    };
    let unsigned = |key: &str| {
        let number = get(key)
            .as_u64()
            .and_then(|number| u32::try_from(number).ok());
        number.ok_or_else(|| lacks(key))
    };
    let real = |key: &str| get(key).as_f64().ok_or_else(|| lacks(key));
    Ok(match get("mode").as_str() {
        Some("reversible") => Mode::Reversible,
        Some("expert") => Mode::Expert {
            minbits: unsigned("minbits")?,
            maxbits: unsigned("maxbits")?,
            maxprec: unsigned("maxprec")?,
            minexp: {
                let number = get("minexp").as_i64();
                let number = number.and_then(|number| i32::try_from(number).ok());
                number.ok_or_else(|| lacks("minexp"))?
            },
        },
        Some("fixed_accuracy") => Mode::FixedAccuracy(real("tolerance")?),
        Some("fixed_rate") => Mode::FixedRate(real("rate")?),
        Some("fixed_precision") => Mode::FixedPrecision(unsigned("precision")?),
        _ => return Err(lacks("mode")),
    })
}
