//! The document of a packed array: that of the array with other codecs, and possibly another fill value.

use serde_json::{Value, json};

use crate::error::Error;

/// The array -> bytes codecs.
const TO_BYTES: [&str; 5] = ["bytes", "packbits", "sharding_indexed", "vlen-utf8", "zfp"];

/// How an array is packed.
#[derive(Clone, Debug, PartialEq)]
pub struct Packing {
    /// The codecs, in the form of a document. If they end with an array -> array codec or the array -> bytes codec, the
    /// codecs of the array follow.
    pub codecs: Value,
    /// The fill value, in the form of a document. Without it, the fill value of the array is kept.
    pub fill_value: Option<Value>,
    /// The largest error with which a value is read back.
    pub bound: f64,
    /// The compression that replaces that of the array.
    pub compression: Option<Compression>,
}

impl Packing {
    /// Returns the document of a packed array.
    ///
    /// # Errors
    /// If the codecs of the packing or of the document are not a list with an array -> bytes codec.
    pub fn document(&self, of: &Value) -> Result<Value, Error> {
        packed(of, self)
    }
}

/// A codec that compresses bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Zstandard with a level.
    Zstd(i32),
    /// gzip with a level.
    Gzip(u32),
    /// Nothing is compressed.
    None,
}

impl Compression {
    fn codecs(&self) -> Vec<Value> {
        match self {
            Compression::Zstd(level) => {
                vec![json!({"name": "zstd", "configuration": {"level": level, "checksum": false}})]
            }
            Compression::Gzip(level) => {
                vec![json!({"name": "gzip", "configuration": {"level": level}})]
            }
            Compression::None => Vec::new(),
        }
    }
}

/// A list of codecs, divided by their kind.
struct Codecs {
    to_array: Vec<Value>,
    to_bytes: Option<Value>,
    of_bytes: Vec<Value>,
}

fn name(codec: &Value) -> Option<&str> {
    codec.as_str().or_else(|| codec["name"].as_str())
}

impl Codecs {
    fn of(list: &Value) -> Result<Self, Error> {
        let list = list
            .as_array()
            .ok_or_else(|| Error::Options("the codecs are not a list".into()))?;
        let at = list
            .iter()
            .position(|codec| name(codec).is_some_and(|name| TO_BYTES.contains(&name)));
        Ok(match at {
            Some(at) => Self {
                to_array: list[..at].to_vec(),
                to_bytes: Some(list[at].clone()),
                of_bytes: list[at + 1..].to_vec(),
            },
            None => Self {
                to_array: list.clone(),
                to_bytes: None,
                of_bytes: Vec::new(),
            },
        })
    }
}

/// Returns the document of a packed array.
///
/// # Errors
/// If the document or the packing has no list of codecs.
pub(super) fn packed(document: &Value, packing: &Packing) -> Result<Value, Error> {
    let own = Codecs::of(&document["codecs"])?;
    let asked = Codecs::of(&packing.codecs)?;
    let is_transpose = |codec: &&Value| name(codec) == Some("transpose");
    // The order of elements in a chunk is kept, unless the packing itself defines it. The codecs by which the
    // elements were packed before are not kept.
    let says_order = asked.to_array.iter().any(|codec| is_transpose(&codec));
    let order = own.to_array.iter().filter(is_transpose);
    let mut codecs: Vec<Value> = match says_order {
        true => Vec::new(),
        false => order.cloned().collect(),
    };
    codecs.extend(asked.to_array);
    let width = stored_bytes(&codecs);
    let behind = |of_bytes: &[Value]| -> Vec<Value> {
        match (&packing.compression, asked.of_bytes.is_empty()) {
            (Some(compression), _) => compression.codecs(),
            (None, false) => asked.of_bytes.clone(),
            (None, true) => of_bytes
                .iter()
                .map(|codec| with_width(codec, width))
                .collect(),
        }
    };
    let own_to_bytes = own
        .to_bytes
        .ok_or_else(|| Error::Input("the array has no array -> bytes codec".into()))?;
    let asked_shards = asked.to_bytes.as_ref().and_then(name) == Some("sharding_indexed");
    match name(&own_to_bytes) == Some("sharding_indexed") && !asked_shards {
        true => {
            let mut shards = own_to_bytes;
            let inner = Codecs::of(&shards["configuration"]["codecs"])?;
            let mut list: Vec<Value> = inner
                .to_array
                .iter()
                .filter(is_transpose)
                .cloned()
                .collect();
            list.extend(asked.to_bytes.clone().or(inner.to_bytes));
            list.extend(behind(&inner.of_bytes));
            shards["configuration"]["codecs"] = list.into();
            codecs.push(shards);
            codecs.extend(own.of_bytes);
        }
        false => {
            codecs.push(asked.to_bytes.clone().unwrap_or(own_to_bytes));
            codecs.extend(behind(&own.of_bytes));
        }
    }
    let mut document = document.clone();
    document["codecs"] = codecs.into();
    if let Some(fill_value) = &packing.fill_value {
        document["fill_value"] = fill_value.clone();
    }
    Ok(document)
}

/// Returns the number of bytes of an element after the codecs, if a cast determines its data type.
fn stored_bytes(codecs: &[Value]) -> Option<usize> {
    let casts = codecs.iter().rev();
    let mut names = casts.filter_map(|codec| codec["configuration"]["data_type"].as_str());
    let data_type: exactum_model::DataType = names.next()?.parse().ok()?;
    Some(data_type.element_bytes())
}

/// Adapts a codec that shuffles bytes to the new size of the elements.
fn with_width(codec: &Value, width: Option<usize>) -> Value {
    let mut codec = codec.clone();
    if let (Some("blosc"), Some(width)) = (name(&codec), width)
        && codec["configuration"]["typesize"].is_u64()
    {
        codec["configuration"]["typesize"] = width.into();
    }
    codec
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(codecs: Value, asked: Value, compression: Option<Compression>, expected: Value) {
        let document = json!({"codecs": codecs, "fill_value": 0});
        let packing = Packing {
            codecs: asked,
            fill_value: None,
            bound: 0.5,
            compression,
        };
        let made = packed(&document, &packing).expect("codecs");
        assert_eq!(made["codecs"], expected);
        assert_eq!(made["fill_value"], 0);
    }

    #[test]
    fn codecs_are_put_before_those_of_the_array() {
        let cast = json!({"name": "cast_value", "configuration": {"data_type": "int16"}});
        let bytes = json!({"name": "bytes", "configuration": {"endian": "big"}});
        let order = json!({"name": "transpose", "configuration": {"order": [1, 0]}});
        let bits = json!({"name": "packbits"});
        let zstd = json!({"name": "zstd", "configuration": {"level": 3, "checksum": false}});
        let gzip = json!({"name": "gzip", "configuration": {"level": 5}});
        let blosc = |size: u64| json!({"name": "blosc", "configuration": {"typesize": size}});
        let shards =
            |inner: Value| json!({"name": "sharding_indexed", "configuration": {"codecs": inner}});
        let crc = json!("crc32c");
        check(
            json!([order, bytes, blosc(4)]),
            json!([cast]),
            None,
            json!([order, cast, bytes, blosc(2)]),
        );
        check(
            json!([bytes, gzip]),
            json!([cast]),
            Some(Compression::Zstd(3)),
            json!([cast, bytes, zstd]),
        );
        check(
            json!([bytes, gzip]),
            json!([cast, bits]),
            Some(Compression::None),
            json!([cast, bits]),
        );
        check(
            json!([cast, bytes, gzip]),
            json!([order, cast, bytes, zstd]),
            None,
            json!([order, cast, bytes, zstd]),
        );
        check(
            json!([shards(json!([bytes, gzip])), crc]),
            json!([cast, bits]),
            None,
            json!([cast, shards(json!([bits, gzip])), crc]),
        );
    }

    #[test]
    fn what_is_not_a_list_is_refused() {
        let packing = Packing {
            codecs: json!({}),
            fill_value: None,
            bound: 0.0,
            compression: None,
        };
        let made = packed(&json!({"codecs": ["bytes"]}), &packing);
        assert!(matches!(made, Err(Error::Options(_))), "{made:?}");
        let packing = Packing {
            codecs: json!([]),
            ..packing
        };
        let made = packed(&json!({"codecs": []}), &packing);
        assert!(matches!(made, Err(Error::Input(_))), "{made:?}");
    }
}
