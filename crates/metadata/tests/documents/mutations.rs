//! Every value of some good documents replaced by others, and every key renamed or removed: what
//! the reader accepts, the schema accepts, and both reject something.

use exactum_metadata::parse_array;
use serde_json::{Value, json};

use crate::SCHEMAS;
use crate::common::document;

const CODECS: &[&str] = &[
    r#"[{"name": "scale_offset", "configuration": {"offset": -10, "scale": 0.1}},
        {"name": "cast_value", "configuration": {"data_type": "uint8", "rounding": "towards-zero", "out_of_range": "clamp",
          "scalar_map": {"encode": [["NaN", 0]], "decode": [[0, "0x7ff8000000000000"]]}}},
        "bytes", {"name": "gzip", "configuration": {"level": 1}, "must_understand": false}]"#,
    r#"[{"name": "transpose", "configuration": {"order": [1, 0]}},
        {"name": "sharding_indexed", "configuration": {"chunk_shape": [15, 20],
          "codecs": [{"name": "reshape", "configuration": {"shape": [[0], 2, -1]}}, "vlen-bytes", {"name": "zstd", "configuration": {"level": 3}}],
          "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"], "index_location": "end"}}]"#,
];

fn replacements() -> Vec<Value> {
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
    ]
}

/// The pointers of all values.
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

#[test]
fn what_the_reader_accepts_the_schema_accepts() {
    let (_, schema) = &SCHEMAS[0];
    let (mut accepted, mut rejected) = (0, 0);
    let mut judge = |value: &Value| {
        let text = value.to_string();
        let reader = parse_array(&text);
        if reader.is_ok() {
            accepted += 1;
            let error = schema.validate(value).err().map(|error| error.to_string());
            assert_eq!(error, None, "{text}");
        } else {
            rejected += usize::from(!schema.is_valid(value));
        }
    };
    for codecs in CODECS {
        let members = [
            ("codecs", *codecs),
            ("dimension_names", r#"["y", null]"#),
            ("attributes", r#"{"title": "t"}"#),
            ("storage_transformers", r#"[{"name": "cache"}]"#),
            ("extra", r#"{"must_understand": false, "a": 1}"#),
        ];
        let good: Value = serde_json::from_str(&document(&members)).expect("JSON");
        judge(&good);
        let mut all = Vec::new();
        pointers(&good, "", &mut all);
        for pointer in &all {
            for replacement in replacements() {
                let mut changed = good.clone();
                *changed.pointer_mut(pointer).expect("a value") = replacement;
                judge(&changed);
            }
            let Some((parent, key)) = pointer.rsplit_once('/') else {
                continue;
            };
            let mut changed = good.clone();
            let Some(members) = changed.pointer_mut(parent).and_then(Value::as_object_mut) else {
                continue;
            };
            let value = members.remove(key).expect("a member");
            judge(&changed);
            if let Some(members) = changed.pointer_mut(parent).and_then(Value::as_object_mut) {
                members.insert(format!("{key}_"), value);
            }
            judge(&changed);
        }
    }
    assert!(accepted > 150, "{accepted} accepted");
    assert!(rejected > 1000, "{rejected} rejected by both");
}
