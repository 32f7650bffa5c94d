//! The comparison of answers, operation by operation.

use exactum_conformance::Verdict::{self, Pass, Rejected, WrongValue};
use exactum_conformance::compare::judge;
use exactum_conformance::model::{Array, DataType};
use exactum_conformance::vectors::{Expect, Within, array_to_json};
use exactum_conformance::{Answer, Success};
use serde_json::{Map, Value, json};

fn float16(bits: &[u64]) -> Array {
    let shape = vec![bits.len() as u64];
    Array::from_components(DataType::Float16, shape, bits.iter().copied()).expect("an array")
}

fn check(op: &str, expect: &Expect, answer: &Answer, verdict: Verdict) {
    let (given, difference) = judge(op, None, expect, answer).expect("an expectation in order");
    assert_eq!(given, verdict, "{op}: {difference:?}");
}

fn output(bits: &[u64]) -> Answer {
    Answer::Ok(Success::Output(float16(bits)))
}

const NAN: u64 = 0x7e00;
const OTHER_NAN: u64 = 0xfe01;

#[test]
fn any_nan_is_any_nan_in_arithmetic() {
    let expect = Expect::output(&float16(&[0x3c00, NAN]));
    for op in ["cast_value.encode", "scale_offset.decode", "chain.decode"] {
        check(op, &expect, &output(&[0x3c00, OTHER_NAN]), Pass);
        check(op, &expect, &output(&[0x3c01, NAN]), WrongValue);
        check(op, &expect, &output(&[0x3c00, 0x7c00]), WrongValue);
    }
    check(
        "bytes.decode",
        &expect,
        &output(&[0x3c00, OTHER_NAN]),
        WrongValue,
    );
}

#[test]
fn zeros_are_told_apart() {
    let expect = Expect::output(&float16(&[0x0000]));
    check("cast_value.encode", &expect, &output(&[0x8000]), WrongValue);
}

#[test]
fn a_mask_alone_decides() {
    let full = Expect::output_bits(&float16(&[NAN]));
    let op = "cast_value.encode";
    check(op, &full, &output(&[NAN]), Pass);
    check(op, &full, &output(&[OTHER_NAN]), WrongValue);
    let mut array = array_to_json(&float16(&[0x1234]));
    array["mask"] = json!("ff00");
    let low = Expect::ok(json!({ "output": array }));
    check(op, &low, &output(&[0xab34]), Pass);
    check(op, &low, &output(&[0x1235]), WrongValue);
}

#[test]
fn bytes_are_compared_under_their_mask() {
    let expect = Expect::ok(json!({"bytes": "0d03", "mask": "0f0f"}));
    let answer = |bytes: &[u8]| Answer::Ok(Success::Bytes(bytes.to_vec()));
    for (bytes, verdict) in [
        (&[0x0d, 0x03][..], Pass),
        (&[0xfd, 0x03], Pass),
        (&[0x0c, 0x03], WrongValue),
        (&[0x0d], WrongValue),
        (&[0x0d, 0x03, 0x00], WrongValue),
    ] {
        check("bytes.encode", &expect, &answer(bytes), verdict);
    }
    let without = Expect::ok(json!({"bytes": "0d"}));
    check("bytes.encode", &without, &answer(&[0x0d]), Pass);
    check("bytes.encode", &without, &answer(&[0xfd]), WrongValue);
    let unfit = Expect::ok(json!({"bytes": "0d03", "mask": "0f"}));
    judge("bytes.encode", None, &unfit, &answer(&[0x0d, 0x03])).expect_err("a mask too short");
}

#[test]
fn bounds_are_absolute() {
    let op = "sds.convert";
    let expect = Expect::within(&float16(&[0x3c00, NAN]), "0.001");
    check(op, &expect, &output(&[0x3c01, OTHER_NAN]), Pass);
    check(op, &expect, &output(&[0x3c02, NAN]), WrongValue);
    check(op, &expect, &output(&[NAN, NAN]), WrongValue);

    let int64 =
        |value: u64| Array::from_components(DataType::Int64, vec![1], [value]).expect("an array");
    let expect = Expect::within(&int64(u64::MAX), "1");
    let answer = |value| Answer::Ok(Success::Output(int64(value)));
    check(op, &expect, &answer(0), Pass);
    check(op, &expect, &answer(1), WrongValue);
}

#[test]
fn an_expectation_within_a_bound_may_want_the_bits_of_nans() {
    let mut expect = Expect::within(&float16(&[NAN]), "1");
    let op = "bytes.decode";
    check(op, &expect, &output(&[OTHER_NAN]), Pass);
    if let Expect::Within(within) = &mut expect {
        within.nan_bits = true;
    }
    check(op, &expect, &output(&[OTHER_NAN]), WrongValue);
    check(op, &expect, &output(&[NAN]), Pass);
}

#[test]
fn numbers_of_an_answer_may_be_within_bounds() {
    let Value::Object(ok) = json!({"maximum_error": 0.5, "codecs": ["bytes"]}) else {
        panic!("an object");
    };
    let bounds = [("maximum_error".to_owned(), "0.25".to_owned())];
    let expect = Expect::Within(Within {
        ok,
        bounds: bounds.into(),
        ..Within::default()
    });
    let answer = |value: Value| match value {
        Value::Object(members) => Answer::Ok(Success::Document(members)),
        other => panic!("no object: {other}"),
    };
    for (error, codec, verdict) in [
        (0.75, "bytes", Pass),
        (0.25, "bytes", Pass),
        (0.76, "bytes", WrongValue),
        (0.5, "packbits", WrongValue),
    ] {
        let answer = answer(json!({"maximum_error": error, "codecs": [codec]}));
        check("sds.plan", &expect, &answer, verdict);
    }
    check("sds.plan", &expect, &answer(json!({})), WrongValue);
    let rejected = Answer::from_json(
        "hello",
        &Map::from_iter([("reject".to_owned(), json!({"reason": "metadata"}))]),
    );
    check("sds.plan", &expect, &rejected.expect("an answer"), Rejected);
}

#[test]
fn texts_and_bytes_are_exact() {
    let text = Expect::ok(json!({"json": "1.0"}));
    let answer = |text: &str| Answer::Ok(Success::Json(text.into()));
    check("fill_value.format", &text, &answer("1.0"), Pass);
    check("fill_value.format", &text, &answer("1"), WrongValue);
    let bits = Expect::ok(json!({"bits": "007e"}));
    let answer = |bits: &[u8]| Answer::Ok(Success::Bits(bits.to_vec()));
    check("fill_value.parse", &bits, &answer(&[0x00, 0x7e]), Pass);
    check(
        "fill_value.parse",
        &bits,
        &answer(&[0x01, 0x7e]),
        WrongValue,
    );
    let bytes = Expect::ok(json!({"bytes": "007e"}));
    let answer = |bytes: &[u8]| Answer::Ok(Success::Bytes(bytes.to_vec()));
    check("chain.encode", &bytes, &answer(&[0x00, 0x7e]), Pass);
    check("chain.encode", &bytes, &answer(&[0x01, 0xfe]), WrongValue);
}

#[test]
fn resolutions_are_compared_by_member() {
    let resolution = |change: &dyn Fn(&mut Value)| {
        let mut value = json!({
            "stages": [
                {"codec": null, "data_type": "float16", "shape": [2], "fill_value": "007e"},
                {"codec": "scale_offset", "data_type": "float16", "shape": [2], "fill_value": "007e"},
                {"codec": "cast_value", "data_type": "int8", "shape": [2], "fill_value": "00"},
            ],
            "encoded_bytes": 2,
            "survives": false,
        });
        change(&mut value);
        let Value::Object(members) = value else {
            panic!("a resolution is an object");
        };
        members
    };
    let op = "chain.resolve";
    let expect = Expect::Ok(resolution(&|_| {}));
    let answer = |members: &Map<String, Value>| {
        Answer::Ok(Success::from_json("chain.resolve", members).expect("a resolution"))
    };
    check(op, &expect, &answer(&resolution(&|_| {})), Pass);
    check(
        op,
        &expect,
        &answer(&resolution(&|value| {
            value["stages"][1]["fill_value"] = "01fe".into();
        })),
        Pass,
    );
    // The returned element is as informative as `survives`.
    for (returned, verdict) in [("0000", Pass), ("01fe", WrongValue)] {
        let members = resolution(&|value| {
            value["returned"] = returned.into();
            value["survives"] = Value::Null;
        });
        check(op, &expect, &answer(&members), verdict);
    }
    let changes: [&dyn Fn(&mut Value); 9] = [
        &|value| value["stages"][0]["fill_value"] = "017e".into(),
        &|value| value["stages"][1]["fill_value"] = "007c".into(),
        &|value| value["stages"][2]["fill_value"] = "01".into(),
        &|value| value["stages"][2]["data_type"] = "uint8".into(),
        &|value| value["stages"][2]["codec"] = "other".into(),
        &|value| value["stages"][2]["shape"] = json!([1, 2]),
        &|value| drop(value["stages"].as_array_mut().map(Vec::pop)),
        &|value| value["encoded_bytes"] = Value::Null,
        &|value| value["survives"] = true.into(),
    ];
    for change in changes {
        check(op, &expect, &answer(&resolution(change)), WrongValue);
    }
}

#[test]
fn a_negative_integer_of_less_than_a_byte_may_repeat_its_sign() {
    let array = |data_type, data: &[u8]| {
        let shape = vec![data.len() as u64];
        Array::new(data_type, shape, data.to_vec()).expect("an array")
    };
    // -8, -1 and 7 in four bits; -2, -1 and 1 in two bits.
    let four = [0x08, 0x0f, 0x07];
    let two = [0x02, 0x03, 0x01];
    for (data_type, want, have, verdict) in [
        // Canonical form, all elements sign-extended, one element sign-extended.
        (DataType::Int4, four, four, Pass),
        (DataType::Int4, four, [0xf8, 0xff, 0x07], Pass),
        (DataType::Int4, four, [0xf8, 0x0f, 0x07], Pass),
        (DataType::Int2, two, [0xfe, 0xff, 0x01], Pass),
        // Junk instead of a sign, an incomplete sign extension, and a sign above a positive number.
        (DataType::Int4, four, [0x38, 0x0f, 0x07], WrongValue),
        (DataType::Int2, two, [0x0e, 0x03, 0x01], WrongValue),
        (DataType::Int4, four, [0x08, 0x0f, 0xf7], WrongValue),
        (DataType::Int4, four, [0xf9, 0x0f, 0x07], WrongValue),
        // Types without a sign of their own.
        (DataType::Uint4, four, [0xf8, 0x0f, 0x07], WrongValue),
        (DataType::Float4E2m1fn, four, [0xf8, 0x0f, 0x07], WrongValue),
    ] {
        let expect = Expect::output(&array(data_type, &want));
        let answer = Answer::Ok(Success::Output(array(data_type, &have)));
        for op in ["bytes.decode", "cast_value.encode", "chain.decode"] {
            check(op, &expect, &answer, verdict);
        }
    }
}
