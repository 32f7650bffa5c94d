//! Requests of `sds.*` and of `zfp.*`, answered by both of ours in the words of the protocol.

use exactum_conformance::{Implementation, Request};
use exactum_peers::{all, implementation};
use serde_json::{Value, json};

/// Both of ours give this answer to a request: `ok` with these members, or `reject` with this reason.
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

fn set(of: &str, values: Value) -> Value {
    json!({"type": of, "values": values, "scaling": {"scale": null, "offset": null}, "fill": null, "infinite": null})
}

#[test]
fn the_examples_of_the_note_are_answered() {
    let convert = |of: &str, values: [i64; 2], target: &str| json!({"op": "sds.convert", "input": set(of, json!(values)), "target": target});
    check(
        convert("i4", [-32767, 32766], "i2"),
        json!({"ok": {"output": set("i2", json!([-32767, 32766])), "warnings": []}}),
    );
    let mut output = set("u2", json!([0, 65534]));
    output["scaling"] = json!({"scale": 1.0, "offset": 32767.0});
    check(
        convert("i4", [-32767, 32767], "u2"),
        json!({"ok": {"output": output, "warnings": ["RECENTRED"]}}),
    );
    check(
        convert("i4", [0, 1], "c8"),
        json!({"reject": "unsupported_data_type"}),
    );
    check(convert("i4", [0, 1], "i3"), json!({"reject": "metadata"}));
    check(
        convert("i4", [0, 1 << 30], "i2"),
        json!({"reject": "metadata"}),
    );
}

#[test]
fn several_variables_keep_their_names() {
    let input =
        json!({"variables": {"a": set("u1", json!([1])), "b": set("r8", json!([0.5, "NaN"]))}});
    let request = json!({"op": "sds.missing", "input": input});
    let masks = json!({"a": {"mask": [false]}, "b": {"mask": [false, true]}});
    check(request, json!({"ok": {"variables": masks}}));
}

#[test]
fn attributes_are_set_scale_first() {
    let request = |scale: Value, offset: Value| {
        let mut input = set("r8", json!([1.0]));
        input["scaling"] = json!({"scale": 2.0, "offset": 3.0});
        input["fill"] = "NaN".into();
        json!({"op": "sds.set", "input": input, "scale": scale, "offset": offset})
    };
    let answer = |scale: Value, offset: Value| {
        let mut output = set("r8", json!([1.0]));
        output["scaling"] = json!({"scale": scale, "offset": offset});
        output["fill"] = "NaN".into();
        json!({"ok": {"output": output}})
    };
    check(
        request(json!(0.5), json!(null)),
        answer(json!(0.5), json!(null)),
    );
    check(request(json!(0), json!(7)), answer(json!(null), json!(7.0)));
    check(
        request(json!(4), json!("NaN")),
        answer(json!(null), json!(null)),
    );
    check(
        request(json!("wide"), json!(1)),
        json!({"reject": "metadata"}),
    );
}

#[test]
fn formats_and_scalings() {
    let lower = json!({"op": "sds.lower", "scaling": {"scale": 0.75, "offset": 12.0}});
    check(
        lower,
        json!({"ok": {
            "fits": {"BSCALE": 1.0 / 0.75, "BZERO": -16.0},
            "cf": {"scale_factor": 1.0 / 0.75, "add_offset": -16.0},
            "zarr": {"scale": 0.75, "offset": -16.0},
            "exact": {"fits": false, "cf": false, "zarr": true},
        }}),
    );
    let mut input = set("r4", json!([-8.388608e16, 1.0]));
    let read = |input: &Value| json!({"op": "sds.read", "input": input, "cast": "r8", "external": "wso_ds"});
    let mut output = set("r8", json!(["NaN", 1.0]));
    output["fill"] = "NaN".into();
    check(
        read(&input),
        json!({"ok": {"output": output, "warnings": []}}),
    );
    input["fill"] = "NaN".into();
    check(read(&input), json!({"reject": "metadata"}));
    let write = json!({"op": "sds.write", "input": set("i2", json!([5])), "cast": "ANY"});
    check(
        write,
        json!({"ok": {"output": set("i2", json!([5])), "warnings": []}}),
    );
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
