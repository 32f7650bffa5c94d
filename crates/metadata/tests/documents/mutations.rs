//! Every value of some good documents replaced by others, and every key renamed or removed: reader and
//! schema agree on each.

use serde_json::{Value, json};

use crate::agreement::{Stated, stated};
use crate::common::document;

/// Good documents, by the members in which they differ from the common one.
#[rustfmt::skip] // A table.
const GOOD: &[&[(&str, &str)]] = &[
    &[
        ("codecs", r#"[{"name": "scale_offset", "configuration": {"offset": -10, "scale": 0.1}},
            {"name": "cast_value", "configuration": {"data_type": "uint8", "rounding": "towards-zero", "out_of_range": "clamp",
              "scalar_map": {"encode": [["NaN", 0]], "decode": [[0, "0x7ff8000000000000"]]}}},
            "bytes", {"name": "gzip", "configuration": {"level": 1}, "must_understand": false}]"#),
        ("dimension_names", r#"["y", null]"#),
        ("attributes", r#"{"title": "t"}"#),
        ("storage_transformers", r#"[{"name": "cache"}]"#),
        ("extra", r#"{"must_understand": false, "a": 1}"#),
    ],
    &[("codecs", r#"[{"name": "transpose", "configuration": {"order": [1, 0]}},
        {"name": "sharding_indexed", "configuration": {"chunk_shape": [15, 20],
          "codecs": [{"name": "reshape", "configuration": {"shape": [[0], 2, -1]}}, "zarrs.vlen", {"name": "zstd", "configuration": {"level": 3}}],
          "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"], "index_location": "end"}}]"#)],
    &[
        ("data_type", "\"string\""), ("fill_value", "\"\""),
        ("codecs", r#"[{"name": "sharding_indexed", "configuration": {"chunk_shape": [10, 15],
          "codecs": ["vlen-utf8", {"name": "zstd", "configuration": {"level": 0, "checksum": false}}],
          "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"]}}]"#),
    ],
    &[
        ("data_type", r#"{"name": "bytes", "configuration": {}}"#), ("fill_value", "[1, 2, 3]"),
        ("codecs", r#"[{"name": "vlen-bytes"}]"#),
    ],
    &[
        ("data_type", r#"{"name": "numpy.datetime64", "configuration": {"unit": "ns", "scale_factor": 1}}"#),
        ("fill_value", "\"NaT\""),
        ("codecs", r#"[{"name": "bytes", "configuration": {"endian": "little"}},
            {"name": "blosc", "configuration": {"cname": "zstd", "clevel": 5, "shuffle": "shuffle", "typesize": 8, "blocksize": 0}}]"#),
    ],
    &[
        ("data_type", r#"{"name": "struct", "configuration": {"fields": [
            {"name": "at", "data_type": {"name": "numpy.timedelta64", "configuration": {"unit": "s", "scale_factor": 10}}},
            {"name": "x", "data_type": "float32"}]}}"#),
        ("fill_value", r#"{"at": 0, "x": "NaN"}"#),
        ("codecs", r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#),
    ],
    &[
        ("data_type", r#"{"name": "structured", "configuration": {"fields": [["x", "uint8"], ["y", "r16"]]}}"#),
        ("fill_value", "\"AAAA\""),
    ],
    &[
        ("data_type", r#"{"name": "fixed_length_utf32", "configuration": {"length_bytes": 48}}"#),
        ("fill_value", "\"none\""),
        ("codecs", r#"[{"name": "bytes", "configuration": {"endian": "big"}}, "crc32c"]"#),
    ],
    &[("data_type", "\"r24\""), ("fill_value", "[0, 1, 255]"), ("codecs", r#"["bytes"]"#)],
    &[
        ("chunk_grid", r#"{"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [20, [10, [25, 2]]]}}"#),
        ("codecs", r#"[{"name": "bitround", "configuration": {"keepbits": 10}},
            {"name": "bytes", "configuration": {"endian": "big"}}, {"name": "numcodecs.shuffle", "configuration": {"elementsize": 8}}]"#),
    ],
    &[
        ("data_type", "\"int16\""), ("fill_value", "-1"),
        ("chunk_key_encoding", r#"{"name": "v2", "configuration": {"separator": "/"}}"#),
        ("codecs", r#"[{"name": "n5_default", "configuration": {"codecs": [
            {"name": "transpose", "configuration": {"order": [1, 0]}},
            {"name": "bytes", "configuration": {"endian": "big"}},
            {"name": "zstd", "configuration": {"level": 0}}]}}]"#),
    ],
    &[
        ("data_type", "\"complex64\""), ("fill_value", "[0, \"-Infinity\"]"),
        ("codecs", r#"[{"name": "bytes", "configuration": {"endian": "little"}},
            {"name": "conditional", "configuration": {"codecs": [{"name": "gzip", "configuration": {"level": 5}}, "crc32c"], "header_bits": 8}}]"#),
    ],
    &[
        ("data_type", "\"int4\""), ("fill_value", "-8"),
        ("codecs", r#"[{"name": "packbits", "configuration": {"padding_encoding": "first_byte", "first_bit": 0, "last_bit": 2}}]"#),
    ],
    &[
        ("data_type", "\"float32\""), ("fill_value", "\"0x7fc00001\""),
        ("codecs", r#"[{"name": "zfp", "configuration": {"mode": "fixed_precision", "precision": 20}}]"#),
    ],
    &[
        ("data_type", "\"float32\""), ("fill_value", "280"),
        ("codecs", r#"[{"name": "numcodecs.fixedscaleoffset", "configuration": {"offset": 273.15, "scale": 100, "dtype": "<f4", "astype": "<i2"}},
            {"name": "bytes", "configuration": {"endian": "little"}}]"#),
    ],
];

pub(crate) fn replacements() -> Vec<Value> {
    vec![
        Value::Null,
        json!(true),
        json!(false),
        json!(0),
        json!(-1),
        json!(1),
        json!(30),
        json!(0.5),
        json!("NaN"),
        json!("bytes"),
        json!("uint8"),
        json!("float32"),
        json!("wrap"),
        json!(""),
        json!([]),
        json!([1, 0]),
        json!({}),
        json!({"name": "bytes"}),
        json!({"name": "int8", "configuration": {}}),
        json!({"must_understand": false}),
        json!("string"),
        json!("r12"),
        json!("zstdd"),
        json!({"name": "numpy.datetime64", "configuration": {"unit": "fortnight", "scale_factor": 1}}),
    ]
}

/// Collects the pointers of all values.
fn pointers(value: &Value, here: &str, all: &mut Vec<String>) {
    all.push(here.to_owned());
    match value {
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                pointers(element, &format!("{here}/{index}"), all);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                pointers(member, &format!("{here}/{key}"), all);
            }
        }
        _ => {}
    }
}

/// Returns the documents in which one value is replaced by each of `replacements`, removed, or moved to another key.
pub(crate) fn mutated(good: &Value, replacements: &[Value]) -> Vec<Value> {
    let mut all = Vec::new();
    pointers(good, "", &mut all);
    let mut documents = Vec::new();
    for pointer in &all {
        for replacement in replacements {
            let mut changed = good.clone();
            *changed.pointer_mut(pointer).expect("a value") = replacement.clone();
            documents.push(changed);
        }
        let Some((parent, key)) = pointer.rsplit_once('/') else {
            continue;
        };
        let mut changed = good.clone();
        match changed.pointer_mut(parent).expect("a parent") {
            Value::Object(members) => {
                let value = members.remove(key).expect("a member");
                documents.push(changed.clone());
                let members = changed.pointer_mut(parent).and_then(Value::as_object_mut);
                members.expect("an object").insert(format!("{key}_"), value);
            }
            Value::Array(elements) => {
                elements.remove(key.parse().expect("an index"));
            }
            _ => {}
        }
        documents.push(changed);
    }
    documents
}

#[test]
fn reader_and_schema_agree() {
    let mut counts = [0; 3];
    let mut faults = Vec::new();
    for members in GOOD {
        let good: Value = serde_json::from_str(&document(members)).expect("JSON");
        assert_eq!(stated(&good.to_string(), &good), Ok(Stated::Accepted));
        for changed in mutated(&good, &replacements()) {
            match stated(&changed.to_string(), &changed) {
                Ok(stated) => counts[stated as usize] += 1,
                Err(fault) => faults.push(fault),
            }
        }
    }
    let [accepted, rejected, unseen] = counts;
    assert!(
        faults.is_empty(),
        "{counts:?}, and {} more, such as\n{}",
        faults.len(),
        faults[..faults.len().min(10)].join("\n\n")
    );
    assert!(accepted + rejected + unseen > 10_000, "{counts:?}");
    assert!(accepted > 1_000 && rejected > 10 * unseen, "{counts:?}");
}
