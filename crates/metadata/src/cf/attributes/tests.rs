use super::*;
use crate::{Document, DocumentKind};

/// Returns what is read from the attributes of an array.
fn read(data_type: &str, codecs: &str, attributes: &str) -> Option<Packing> {
    let fill = if data_type.starts_with("float") {
        "\"NaN\""
    } else {
        "0"
    };
    let text = format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "{data_type}",
        "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
        "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill},
        "codecs": [{codecs}{{"name": "bytes", "configuration": {{"endian": "little"}}}}],
        "attributes": {{{attributes}}}}}"#
    );
    let document = crate::parse_array(&text).expect("a document");
    let packing = of_attributes(&text, &document).expect("attributes");
    if let Some(packing) = &packing {
        for warning in &packing.warnings.listed {
            let place = &text[warning.place.clone()];
            assert!(!place.is_empty(), "{warning:?}");
            assert!(warning.pointer().starts_with("/attributes/"), "{warning:?}");
        }
    }
    packing
}

/// The meaning of the elements for a reader of CF.
#[derive(Debug, PartialEq)]
enum Reading {
    /// Codes of the row `cf`.
    Packed,
    /// The stored values themselves.
    Plain,
    /// Something that is not known here.
    Unknown,
}
use Reading::{Packed, Plain, Unknown};

#[track_caller]
fn check(data_type: &str, attributes: &str, clauses: &[&str], expected: Reading) {
    let packing = read(data_type, "", attributes).expect("packing attributes");
    let warned = packing.warnings.listed.iter().map(|it| it.rejection.clause);
    let warned: Vec<&str> = warned.collect();
    assert_eq!(warned, clauses, "{data_type}: {attributes}");
    let read = match (&packing.codec, &packing.unknown) {
        (Some(_), None) => Packed,
        (None, None) => Plain,
        _ => Unknown,
    };
    assert_eq!(read, expected, "{data_type}: {attributes}");
}

#[test]
fn consistent_attributes_get_no_warning() {
    let good = r#""units": "K", "scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32767"#;
    check("int16", good, &[], Packed);
    check("int16", r#""missing_value": [1, 2]"#, &[], Packed);
    check(
        "int16",
        r#""scale_factor": [0.5], "add_offset": 1"#,
        &[],
        Packed,
    );
    check(
        "int8",
        r#""_Unsigned": "false", "valid_range": [-1, 1]"#,
        &[],
        Packed,
    );
    check(
        "int8",
        r#""_Unsigned": "true", "valid_range": [0, -1]"#,
        &[],
        Packed,
    );
    check("float32", r#""_FillValue": "AAAAAAAA+H8=""#, &[], Plain);
    check("float64", r#""missing_value": -999"#, &[], Plain);
}

#[test]
fn what_contradicts_itself_is_warned_of() {
    let (number, kind, packed) = (
        "cf.attributes.number",
        "cf.missing.type",
        "cf.document.data_type",
    );
    check("int16", r#""scale_factor": 0"#, &[number], Unknown);
    check("int16", r#""scale_factor": 0.0"#, &[number], Unknown);
    check("int16", r#""scale_factor": "0.01""#, &[number], Unknown);
    check(
        "int16",
        r#""scale_factor": 0.5, "add_offset": "1""#,
        &[number],
        Unknown,
    );
    check(
        "int16",
        r#""scale_factor": 2"#,
        &["cf.attributes.type"],
        Packed,
    );
    check("int16", r#""_FillValue": -32769"#, &[kind], Packed);
    check("int16", r#""_FillValue": 1.5"#, &[kind], Packed);
    check("int16", r#""_FillValue": -9999.0"#, &[kind], Packed);
    check("int16", r#""_FillValue": "-9999""#, &[kind], Packed);
    check("int16", r#""_FillValue": null"#, &[kind], Packed);
    check("int16", r#""missing_value": 9.96921e36"#, &[kind], Packed);
    check("int8", r#""valid_range": [0, 255]"#, &[kind], Packed);
    check("int8", r#""valid_range": 3"#, &[kind], Packed);
    check(
        "int8",
        r#""valid_range": [3, 1]"#,
        &["cf.missing.range"],
        Packed,
    );
    check(
        "int8",
        r#""valid_range": [0, 1], "valid_min": 0"#,
        &["cf.missing.range.alone"],
        Packed,
    );
    check(
        "uint8",
        r#""_Unsigned": "true""#,
        &["cf.unsigned.codes"],
        Packed,
    );
    check(
        "uint8",
        r#""_Unsigned": "false""#,
        &["cf.unsigned.codes"],
        Packed,
    );
    check(
        "float32",
        r#""_Unsigned": "true""#,
        &["cf.unsigned.codes"],
        Plain,
    );
    check("int8", r#""_Unsigned": true"#, &["cf.unsigned"], Packed);
    check("float32", r#""scale_factor": 0.5"#, &[packed], Unknown);
    check("int64", r#""scale_factor": 0.5"#, &[packed], Unknown);
    check("float32", r#""_FillValue": -1.0"#, &["cf.array"], Plain);
    check("float32", r#""_FillValue": "NaN""#, &["cf.array"], Plain);
}

/// A reader gets the same values as from a document with the same attributes.
#[test]
fn attributes_are_those_of_a_packed_variable() {
    for (data_type, attributes) in [
        (
            "int16",
            r#""scale_factor": 0.01, "add_offset": 273.15, "_FillValue": -32767"#,
        ),
        (
            "uint8",
            r#""add_offset": -3, "missing_value": [1, 2], "valid_min": 1"#,
        ),
        (
            "int8",
            r#""_Unsigned": "true", "scale_factor": 0.5, "valid_range": [0, -2]"#,
        ),
        ("int32", r#""_FillValue": -1, "missing_value": -2"#),
    ] {
        let packing = read(data_type, "", attributes).expect("packing attributes");
        let document = format!(r#"{{"data_type": "{data_type}", {attributes}}}"#);
        let document = Document::scan_as(document.as_bytes(), DocumentKind::Cf).expect("JSON");
        let codec = document.variable().expect("a packed variable");
        assert_eq!(packing.codec, Some(codec), "{attributes}");
    }
    assert_eq!(read("int16", "", r#""units": "K""#), None);
    assert!(
        !read("int16", "", r#""_FillValue": 1"#)
            .expect("one")
            .changes_values()
    );
    assert!(
        read("int8", "", r#""_Unsigned": "true""#)
            .expect("one")
            .changes_values()
    );
}

#[test]
fn a_codec_that_scales_and_attributes_decode_twice() {
    let scale = r#"{"name": "scale_offset", "configuration": {"offset": 1, "scale": 2}}, "#;
    for (attributes, clauses) in [
        (r#""scale_factor": 0.5"#, &["cf.array.twice"][..]),
        (r#""add_offset": 0.5"#, &["cf.array.twice"]),
        (r#""_FillValue": 1"#, &[]),
    ] {
        let packing = read("int16", scale, attributes).expect("packing attributes");
        let warned = packing.warnings.listed.iter().map(|it| it.rejection.clause);
        assert_eq!(warned.collect::<Vec<_>>(), clauses, "{attributes}");
    }
}

/// The texts are those that xarray 2026.9 writes for these numbers.
#[test]
fn numbers_in_base64_are_those_of_xarray() {
    for (number, text) in [
        (f64::NAN, "AAAAAAAA+H8="),
        (-1.0, "AAAAAAAA8L8="),
        (0.1, "mpmZmZmZuT8="),
        (f64::MAX, "////////738="),
    ] {
        assert_eq!(base64::encode(number.to_bits()), text);
        assert_eq!(base64::decode(text), Some(number.to_bits()), "{text}");
    }
    for text in [
        "",
        "NaN",
        "AAAAAAAA+H8",
        "AAAAAAAA+H9=",
        "AAAAAAAA*H8=",
        "AAAAAAAAAAAA+H8=",
    ] {
        assert_eq!(base64::decode(text), None, "{text}");
    }
}
