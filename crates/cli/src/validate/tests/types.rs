//! The texts that users read about data types and fill values: many small documents in one snapshot.

use super::{Verdict, document, show};

/// Returns the report about a document with this data type and fill value.
fn reported(data_type: &str, fill_value: &str) -> String {
    let text = document(&[("data_type", data_type), ("fill_value", fill_value)]);
    let (text, verdict) = show(text.as_bytes(), false);
    // Something that is unknown, or that only a ruling forbids, is a warning. A note does not require any action.
    let expected = match (text.contains("Error:"), text.contains("Warning:")) {
        (true, _) => Verdict::Rejected,
        (false, true) => Verdict::NotJudged,
        (false, false) => Verdict::Valid,
    };
    assert_eq!(verdict, expected, "{data_type} {fill_value}: {text}");
    let (_, strict) = show(
        document(&[("data_type", data_type), ("fill_value", fill_value)]).as_bytes(),
        true,
    );
    let expected = match expected {
        Verdict::NotJudged => Verdict::Rejected,
        expected => expected,
    };
    assert_eq!(strict, expected, "{data_type} {fill_value}");
    text
}

fn snapshot(name: &str, rows: &[(&str, &str)]) {
    let text: Vec<String> = rows
        .iter()
        .map(|(data_type, fill_value)| reported(data_type, fill_value))
        .collect();
    insta::with_settings!({omit_expression => true}, {
        insta::assert_snapshot!(name, text.join("\n"));
    });
}

#[test]
fn data_types() {
    let rows: Vec<(&str, &str)> = [
        r#""string""#,
        r#""r16""#,
        r#"{"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1}}"#,
        r#""Float32""#,
        r#""<f4""#,
        r#""double""#,
        r#""complex_float8_e5m2fnu""#,
        r#""temperature""#,
        r#""""#,
        "32",
        r#"{"name": "int4", "bits": 4}"#,
        r#"{"name": "int4", "configuration": {"packed": true}}"#,
        r#"{"name": "int4", "configuration": []}"#,
        r#"{"name": "int4", "must_understand": false}"#,
    ]
    .into_iter()
    .map(|data_type| (data_type, "0"))
    .collect();
    snapshot("data-types", &rows);
}

#[test]
fn fill_values() {
    snapshot(
        "fill-values",
        &[
            ("\"bool\"", "1"),
            ("\"uint4\"", "16"),
            ("\"int2\"", "2"),
            ("\"int64\"", "9223372036854775808"),
            ("\"uint8\"", "1.0"),
            ("\"uint8\"", "1e2"),
            ("\"uint8\"", "\"0xff\""),
            ("\"int16\"", "null"),
            ("\"float32\"", "\"+Infinity\""),
            ("\"float32\"", "\"nan\""),
            ("\"float32\"", "\"1.5\""),
            ("\"float32\"", "\"0x3fc0\""),
            ("\"float32\"", "\"0X7fc00000\""),
            ("\"float32\"", "null"),
            ("\"float4_e2m1fn\"", "100"),
            ("\"float4_e2m1fn\"", "\"NaN\""),
            ("\"float4_e2m1fn\"", "\"0x17\""),
            ("\"float8_e4m3fnuz\"", "-1000"),
            ("\"float8_e4m3fnuz\"", "\"Infinity\""),
            ("\"float8_e8m0fnu\"", "0"),
            ("\"float8_e8m0fnu\"", "-1"),
            ("\"complex64\"", "1"),
            ("\"complex64\"", "[1, 2, 3]"),
            ("\"complex64\"", "[1, \"0x3fc0\"]"),
            ("\"complex_float8_e4m3b11fnuz\"", "[1, \"-Infinity\"]"),
            ("\"complex_float6_e3m2fn\"", "[31, 0]"),
        ],
    );
}
