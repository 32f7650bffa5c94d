//! Requests and both built-in implementations' answers in the protocol.

#[path = "answers/downsample.rs"]
mod downsample;
#[path = "answers/sds.rs"]
mod sds;

use exactum_conformance::{Implementation, Request};
use exactum_peers::{all, implementation};
use serde_json::{Value, json};

/// Checks that both built-in implementations give this answer to a request: `ok` with these members, or `reject` with
/// this reason.
fn check(request: Value, expected: Value) {
    let Value::Object(members) = request else {
        panic!("a request is an object");
    };
    for (name, constructor) in all() {
        if !matches!(name, "reference" | "optimized") {
            continue;
        }
        let mut ours: Box<dyn Implementation> = implementation(constructor);
        let request = Request::new(members.clone());
        let answer = ours.call(&request).expect("an answer");
        let (kind, mut value) = answer.to_json();
        if kind == "reject" {
            value = value["reason"].clone();
        }
        assert_eq!(json!({kind: value}), expected, "{name}: {members:?}");
    }
}

#[test]
fn zfp_is_an_operation() {
    // A zero block is one bit; streams are padded to 8 bytes.
    let input = json!({"data_type": "float32", "shape": [4], "data": "00".repeat(16)});
    let configuration = r#"{"mode":"reversible"}"#;
    let encode = json!({"op": "zfp.encode", "configuration": configuration, "input": input});
    check(encode, json!({"ok": {"bytes": "0000000000000000"}}));
    let decode = json!({
        "op": "zfp.decode", "configuration": configuration, "data_type": "float32", "shape": [4],
        "bytes": "0000000000000000",
    });
    check(decode, json!({"ok": {"output": input}}));
    let wrong = json!({"op": "zfp.encode", "configuration": "{}", "input": input});
    check(wrong, json!({"reject": "metadata"}));
    let rank = json!({"data_type": "float32", "shape": [1, 1, 1, 1, 1], "data": "00000000"});
    let wrong = json!({"op": "zfp.encode", "configuration": configuration, "input": rank});
    check(wrong, json!({"reject": "shape"}));
}
