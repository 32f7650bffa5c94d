//! Requests of `sds.*`.

use serde_json::{Value, json};

use super::check;

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
