//! Requests of `downsample.*`, and documents of views.

use serde_json::{Value, json};

use super::check;

fn bytes(shape: &[u64], data: &str) -> Value {
    json!({"data_type": "uint8", "shape": shape, "data": data})
}

/// Returns a request to read 0 to 5, with additional or changed members.
fn read(more: Value) -> Value {
    let mut request = json!({
        "op": "downsample.read", "input": bytes(&[6], "000102030405"), "origin": [0],
        "factors": [4], "method": "max",
    });
    let Value::Object(more) = more else {
        panic!("members");
    };
    request.as_object_mut().expect("members").extend(more);
    request
}

fn elements(shape: &[u64], data: &str, origin: &[i64]) -> Value {
    json!({"ok": {"output": bytes(shape, data), "origin": origin}})
}

#[test]
fn views_are_read() {
    check(read(json!({})), elements(&[2], "0305", &[0]));
    check(read(json!({"origin": [-3]})), elements(&[2], "0205", &[-1]));
    check(
        read(json!({"origin": [-3], "method": "stride"})),
        elements(&[1], "03", &[0]),
    );
    let then = json!({"factors": [2], "then": [{"factors": [2], "method": "min"}]});
    check(read(then), elements(&[2], "0105", &[0]));
    let transform = json!({"transform": {
        "input_inclusive_min": [7, 0], "input_exclusive_max": [9, 2],
        "output": [{"index_array": [[0, 1], [1, 1]]}],
    }});
    check(read(transform), elements(&[2, 2], "03050505", &[7, 0]));
    // Bounds that are absent follow from the maps.
    let open = json!({"transform": {
        "input_rank": 1, "output": [{"offset": 1, "stride": -1, "input_dimension": 0}],
    }});
    check(read(open), elements(&[2], "0503", &[0]));
    let repeated = json!({"transform": {
        "input_inclusive_min": [0], "input_exclusive_max": [1_u64 << 40], "output": [{}],
    }});
    check(read(repeated), json!({"reject": "shape"}));
    let huge = json!({"factors": [i64::MAX]});
    check(read(huge), elements(&[1], "05", &[0]));
}

#[test]
fn what_is_wrong_in_a_request_is_rejected() {
    for (members, reason) in [
        (json!({"factors": [0]}), "metadata"),
        (json!({"factors": [-1]}), "metadata"),
        (json!({"factors": [2.5]}), "metadata"),
        (json!({"factors": [2, 2]}), "shape"),
        (json!({"origin": []}), "shape"),
        (json!({"origin": [i64::MAX]}), "shape"),
        (json!({"method": "average"}), "metadata"),
        (
            json!({"then": [{"factors": [0], "method": "max"}]}),
            "metadata",
        ),
        (
            json!({"transform": {"output": [{"stride": 2}]}}),
            "metadata",
        ),
        (json!({"transform": []}), "metadata"),
        (
            json!({"transform": {"input_inclusive_min": [0], "input_exclusive_max": [3]}}),
            "out_of_range",
        ),
        (
            json!({"transform": {"input_rank": 1, "output": [{"index_array": [0, 1]}]}}),
            "metadata",
        ),
    ] {
        check(read(members), json!({"reject": reason}));
    }
    let complex = json!({"data_type": "complex64", "shape": [1], "data": "0000000000000000"});
    check(
        read(json!({"input": complex})),
        json!({"reject": "unsupported_data_type"}),
    );
}

fn texts(data_type: &str, values: &[&str]) -> Value {
    json!({"data_type": data_type, "shape": [values.len()], "values": values})
}

#[test]
fn views_of_texts_are_read() {
    let mode = |input: Value| read(json!({"input": input, "factors": [2], "method": "mode"}));
    let ok = |output: Value| json!({"ok": {"output": output, "origin": [0]}});
    for data_type in ["string", "ustring"] {
        check(
            mode(texts(data_type, &["b", "a", "\u{1f600}", "\u{ffff}", "c"])),
            ok(texts(data_type, &["a", "\u{ffff}", "c"])),
        );
    }
    check(
        mode(texts("json", &["\"a\"", "[]", "10", "9.0", "null"])),
        ok(texts("json", &["[]", "9.0", "null"])),
    );
    for data_type in ["byte", "char"] {
        let array = |shape: u64, data: &str| json!({"data_type": data_type, "shape": [shape], "data": data});
        check(mode(array(3, "807f00")), ok(array(2, "7f00")));
    }
    let rejected = |input: Value, method: &str, reason: &str| {
        check(
            read(json!({"input": input, "method": method})),
            json!({"reject": reason}),
        );
    };
    for method in ["mean", "median", "min", "max"] {
        rejected(texts("string", &["1"]), method, "unsupported_data_type");
    }
    rejected(texts("json", &["1", "a"]), "mode", "metadata");
}

#[test]
fn documents_are_resolved() {
    let document = |rest: &str| {
        let text = format!(r#"{{"driver":"downsample","downsample_method":"mean",{rest}}}"#);
        json!({"op": "downsample.resolve", "document": text})
    };
    check(
        document(
            r#""base":{"driver":"array","dtype":"int16","array":[[1,2,3]]},"downsample_factors":[1,2]"#,
        ),
        json!({"ok": {
            "data_type": "int16", "rank": 2, "origin": [0, 0], "shape": [1, 2],
            "chunk_shape": null, "dimension_units": null,
        }}),
    );
    check(
        document(
            r#""base":{"driver":"zarr","schema":{"dimension_units":["4nm",null],"chunk_layout":{"read_chunk":{"shape":[10,12]}}}},"downsample_factors":[4,8]"#,
        ),
        json!({"ok": {
            "data_type": null, "rank": 2, "origin": null, "shape": null,
            "chunk_shape": [5, 3], "dimension_units": [[16, "nm"], null],
        }}),
    );
    check(
        document(r#""base":{"driver":"zarr9"},"downsample_factors":[1]"#),
        json!({"reject": "metadata"}),
    );
}

#[test]
fn documents_of_views_are_valid_or_not() {
    let validate = |method: &str| {
        let text = format!(
            r#"{{"driver":"downsample","base":"memory://|zarr3:","downsample_factors":[2],"downsample_method":"{method}"}}"#
        );
        json!({"op": "metadata.validate", "kind": "downsample", "document": text})
    };
    check(validate("mode"), json!({"ok": {}}));
    check(validate("average"), json!({"reject": "metadata"}));
}
