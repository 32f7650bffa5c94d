//! Judges `fill_value` as a reader of documents, which it receives as text.

use serde_json::{Value, json};

fn answer(line: &str) -> String {
    let request: Value = serde_json::from_str(line).unwrap_or_default();
    let mut answer = match request["op"].as_str() {
        Some("hello") => json!({"ok": {
            "protocol": 1,
            "name": "third-party",
            "version": env!("CARGO_PKG_VERSION"),
            "language": "rust",
            "operations": {"fill_value.parse": {"from": ["int8"]}},
        }}),
        Some("fill_value.parse") => match third_party::fill_value(request["json"].as_str().unwrap_or("")) {
            Some(value) => json!({"ok": {"bits": format!("{value:02x}")}}),
            None => json!({"reject": {"reason": "fill_value", "message": "not an int8"}}),
        },
        _ => json!({"unsupported": {"message": "fill values of int8 only"}}),
    };
    answer["id"] = request["id"].clone();
    answer.to_string()
}

exactum_suite::text_suite!(answer);
