//! Valid and invalid documents, including the examples of the specifications.

mod bounds;
mod faults;
mod schema;

use exactum_model::{Domain, Reason, Rejection};
use serde_json::json;

use super::{Base, Bases, Documents, DownsampleDocument, Location, parse_downsample};
use crate::{Diagnostic, Document, DocumentKind, Report};

fn document(members: &str) -> String {
    format!(r#"{{"driver": "downsample", {members}}}"#)
}

/// Returns a view of the array `base`, with factors and a method.
fn view(base: &str, rest: &str) -> String {
    document(&format!(
        r#""base": {base}, "downsample_factors": [2], "downsample_method": "mean"{rest}"#
    ))
}

/// An array of 8 by 12 in another place: one of those that [`documents`] knows.
const STORED: &str = r#"{"driver": "zarr3", "kvstore": {"driver": "memory", "path": "a/b"}}"#;

/// Returns a view by mode, which every data type supports.
fn view_of(base: &str, factors: &str, rest: &str) -> String {
    document(&format!(
        r#""base": {base}, "downsample_factors": {factors}, "downsample_method": "mode"{rest}"#
    ))
}

/// Returns the arrays in other places.
fn documents() -> Box<Documents<'static>> {
    Box::new(|location: &Location| {
        let (data_type, fill_value, codecs) = match &*location.path {
            "a/b" => (
                "int16",
                json!(7),
                json!([
                    {"name": "bytes", "configuration": {"endian": "big"}},
                    {"name": "gzip", "configuration": {"level": 5}},
                    {"name": "crc32c"},
                ]),
            ),
            "shards" => (
                "int16",
                json!(7),
                json!([{"name": "sharding_indexed", "configuration": {
                    "chunk_shape": [2, 2],
                    "codecs": [
                        {"name": "transpose", "configuration": {"order": [1, 0]}},
                        {"name": "bytes", "configuration": {"endian": "little"}},
                        {"name": "zstd", "configuration": {"level": 3, "checksum": false}},
                    ],
                    "index_codecs": [
                        {"name": "bytes", "configuration": {"endian": "little"}},
                        {"name": "crc32c"},
                    ],
                }}]),
            ),
            "floats" => (
                "float32",
                json!(-0.0),
                json!([{"name": "bytes", "configuration": {"endian": "little"}}]),
            ),
            "complex" => (
                "complex64",
                json!([1.0, "NaN"]),
                json!([{"name": "bytes", "configuration": {"endian": "little"}}]),
            ),
            path => {
                return Err(Rejection::new(
                    Reason::Metadata,
                    "downsample.document.base.stored",
                    path.to_owned(),
                ));
            }
        };
        let document = json!({
            "zarr_format": 3,
            "node_type": "array",
            "shape": [8, 12],
            "data_type": data_type,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 4]}},
            "chunk_key_encoding": {"name": "default"},
            "fill_value": fill_value,
            "codecs": codecs,
            "dimension_names": ["y", "x"],
            "attributes": {"dimension_units": ["4 nm", null]},
        });
        Ok(Some(document.to_string().into_bytes()))
    })
}

const FOUR: &str = r#"{"driver": "array", "dtype": "uint8", "array": [1, 2, 3, 4]}"#;

/// Returns whether the JSON Schema accepts a document.
fn schema_accepts(text: &str) -> bool {
    let document = serde_json::from_str(text).expect("JSON");
    jsonschema::is_valid(&super::schema(), &document)
}

/// Reads a document and returns all faults.
fn judge(text: &str) -> Result<DownsampleDocument, Report> {
    Document::scan_as(text.as_bytes(), DocumentKind::Downsample)?
        .all_errors()
        .view(None)
}

/// Opens a view with the arrays in other places.
fn open(text: &str) -> Result<DownsampleDocument, Box<Diagnostic>> {
    let documents = documents();
    let bases = Bases {
        documents: &documents,
        required: true,
    };
    Document::scan_as(text.as_bytes(), DocumentKind::Downsample)
        .and_then(|document| document.view(Some(bases)))
        .map_err(|mut report| Box::new(report.listed.remove(0)))
}

fn accept(text: &str) -> DownsampleDocument {
    assert!(schema_accepts(text), "{text}");
    let view = parse_downsample(text).unwrap_or_else(|rejection| panic!("{text}: {rejection}"));
    assert_eq!(judge(text).as_ref(), Ok(&view));
    view
}

/// Checks the clause by which a document is rejected, and the place.
fn reject(text: &str, clause: &str) {
    let rejection = parse_downsample(text).expect_err(text);
    assert_eq!(rejection.clause, clause, "{text}: {}", rejection.message);
    assert!(rejection.help.is_some(), "{text}: {}", rejection.message);
    assert!(rejection.at.is_some(), "{text}");
    // If all faults are requested, they include this one.
    let faults = judge(text).expect_err(text);
    let mut reported = faults.listed.iter().map(|fault| &fault.rejection);
    assert!(
        reported.any(|reported| *reported == rejection),
        "{text}: {faults:?}"
    );
}

/// A view whose base is in a remote store.
#[test]
fn a_base_that_is_kept_elsewhere_stays_closed() {
    let text = r#"{
  "driver": "downsample",
  "downsample_factors": [1, 2, 2],
  "downsample_method": "mean",
  "base": {"driver": "zarr", "kvstore": {"driver": "gcs", "bucket": "my-bucket"}}
}"#;
    let view = accept(text);
    assert_eq!(view.level.factors(), [1, 2, 2]);
    assert!(matches!(
        view.base,
        Base::Elsewhere {
            driver: Some("zarr"),
            ..
        }
    ));
    assert_eq!((view.rank, view.data_type, view.domain), (3, None, None));
    accept(&view_of_url());
    reject(
        &text.replace("\"zarr\"", "\"zarr9\""),
        "downsample.document.base",
    );
}

fn view_of_url() -> String {
    view(r#""memory://|zarr3:""#, "")
}

#[test]
fn factors_are_integers_however_they_are_written() {
    let with = |factors: &str| {
        document(&format!(
            r#""base": {FOUR}, "downsample_factors": {factors}, "downsample_method": "max""#
        ))
    };
    for (written, factor) in [
        ("2", 2),
        ("2.0", 2),
        ("20e-1", 2),
        ("1e3", 1000),
        ("9223372036854775807", (1 << 63) - 1),
    ] {
        let view = accept(&with(&format!("[{written}]")));
        assert_eq!(view.level.factors(), [factor], "{written}");
    }
    for written in [
        "2.5",
        "0",
        "-2",
        "\"2\"",
        "null",
        "[2]",
        "9223372036854775808",
        "1e300",
        "true",
        "2e-1",
    ] {
        reject(
            &with(&format!("[{written}]")),
            "downsample.document.factors",
        );
    }
    reject(&with("2"), "downsample.document.factors");
    reject(&with("[2, 2]"), "downsample.factors.rank");
    reject(&with("[]"), "downsample.factors.rank");
}

#[test]
fn members_are_required_and_known() {
    reject("[]", "downsample.document");
    for (member, clause) in [
        (r#""driver": "downsample", "#, "downsample.document.driver"),
        (
            r#""base": "memory://|zarr3:", "#,
            "downsample.document.base",
        ),
        (
            r#""downsample_factors": [2], "#,
            "downsample.document.factors",
        ),
        (
            r#", "downsample_method": "mean""#,
            "downsample.document.method",
        ),
    ] {
        let whole = view_of_url();
        assert!(whole.contains(member), "{whole}");
        reject(&whole.replace(member, ""), clause);
    }
    for (rest, clause) in [
        (r#", "foo": 1"#, "downsample.document.keys"),
        (r#", "context": 1"#, "downsample.document.context"),
        (r#", "rank": 33"#, "downsample.document.rank"),
        (r#", "rank": 2"#, "downsample.document.rank"),
        (r#", "dtype": "uint9""#, "downsample.document.dtype"),
        (r#", "dtype": "uint16""#, "downsample.document.dtype"),
        (
            r#", "schema": {"dtype": "uint16"}"#,
            "downsample.document.dtype",
        ),
        (r#", "schema": {"rank": 2}"#, "downsample.document.rank"),
        (r#", "schema": {"foo": 2}"#, "downsample.document.schema"),
        (
            r#", "schema": {"domain": {"shape": [4]}}"#,
            "downsample.document.schema",
        ),
        (
            r#", "transform": {"input_rank": 1, "output": []}"#,
            "downsample.document.rank",
        ),
        (
            r#", "transform": {"input_inclusive_min": [0], "input_exclusive_max": [3]}"#,
            "downsample.transform.bounds",
        ),
    ] {
        reject(&view(FOUR, rest), clause);
    }
    for rest in [
        r#", "context": {}"#,
        r#", "rank": 1, "dtype": "uint8""#,
        r#", "schema": {"domain": {"shape": [2]}, "rank": 1, "chunk_layout": {"read_chunk": {"shape_soft_constraint": [7]}}}"#,
        r#", "transform": {"input_rank": 2, "input_shape": [5, 7], "output": [{"offset": 1}]}"#,
    ] {
        accept(&view(FOUR, rest));
    }
}

/// The schema also rejects structural faults.
#[test]
fn the_schema_rejects_what_is_wrong_in_structure() {
    for (right, wrong) in [
        (r#""driver": "downsample""#, r#""driver": "cast""#),
        (r#""base": "memory"#, r#""bases": "memory"#),
        ("[2]", "[0]"),
        ("[2]", "2"),
        ("mean", "average"),
        (
            r#""base": "memory://|zarr3:""#,
            r#""base": {"driver": "zarr9"}"#,
        ),
        (
            r#""base": "memory://|zarr3:""#,
            r#""base": {"driver": "downsample"}"#,
        ),
    ] {
        let whole = view_of_url();
        assert!(whole.contains(right), "{whole}");
        let text = whole.replace(right, wrong);
        assert!(!schema_accepts(&text), "{text}");
        assert!(parse_downsample(&text).is_err(), "{text}");
    }
}

#[test]
fn domains_follow_from_the_base() {
    let check = |base: &str, rest: &str, expected: &[(i64, u64)]| {
        let (origin, shape) = expected.iter().copied().unzip();
        let expected = Domain::new(origin, shape).expect("a small box");
        assert_eq!(
            accept(&view(base, rest)).domain,
            Some(expected),
            "{base}{rest}"
        );
    };
    check(FOUR, "", &[(0, 2)]);
    let moved = FOUR.replace(
        "}",
        r#", "transform": {"input_inclusive_min": [-1], "input_shape": [4], "output": [{"offset": 1, "input_dimension": 0}]}}"#,
    );
    check(&moved.replace("}}]}}", "}]}}"), "", &[(-1, 3)]);
    check(&view(FOUR, ""), "", &[(0, 1)]);
    check(
        FOUR,
        r#", "transform": {"input_inclusive_min": [5], "input_shape": [3], "output": [{"index_array": [1, 0, 1]}]}"#,
        &[(5, 3)],
    );
    let units = r#"{"driver": "n5", "schema": {"dimension_units": ["4nm"]}}"#;
    let units = accept(&view(units, "")).dimension_units;
    assert_eq!(units, Some(vec![Some((8.0, "nm".to_owned()))]));
}

#[test]
fn units_go_through_transforms() {
    let nm = |multiplier: f64| Some((multiplier, "nm".to_owned()));
    for (units, transform, expected) in [
        (
            r#"["4nm"]"#,
            r#"{"input_inclusive_min": [0], "input_shape": [4], "output": [{"offset": 9, "stride": -2, "input_dimension": 0}]}"#,
            vec![nm(16.0)],
        ),
        (
            r#"["4nm"]"#,
            r#"{"input_inclusive_min": [0], "input_shape": [4], "output": [{"offset": 1}]}"#,
            vec![None],
        ),
        (
            r#"[null]"#,
            r#"{"input_inclusive_min": [0], "input_shape": [4], "output": [{"input_dimension": 0}]}"#,
            vec![None],
        ),
    ] {
        let base = format!(r#"{{"driver": "n5", "schema": {{"dimension_units": {units}}}}}"#);
        let found = accept(&view(&base, &format!(r#", "transform": {transform}"#)));
        assert_eq!(found.dimension_units, Some(expected), "{transform}");
    }
}

#[test]
fn methods_are_those_of_the_data_type() {
    for (dtype, method, fine) in [
        ("complex64", "mean", true),
        ("complex64", "median", false),
        ("string", "mode", true),
        ("string", "mean", false),
        ("json", "stride", true),
        ("byte", "max", false),
        ("float8_e4m3fn", "max", true),
    ] {
        let text = document(&format!(
            r#""dtype": "{dtype}", "base": {{"driver": "zarr3"}}, "downsample_factors": [2], "downsample_method": "{method}""#
        ));
        if fine {
            accept(&text);
        } else {
            reject(&text, "downsample.data_types");
        }
    }
    reject(
        &view_of_url().replace("mean", "Mean"),
        "downsample.document.method",
    );
}

#[test]
fn arrays_are_boxes() {
    for (array, fine) in [
        ("[[1, 2], [3, 4]]", true),
        ("[]", true),
        ("7", true),
        ("[[1, 2], [3]]", false),
        ("[1, [2]]", false),
        ("[[1], 2]", false),
        ("[256]", false),
        ("[1.5]", false),
    ] {
        let base = format!(r#"{{"driver": "array", "dtype": "uint8", "array": {array}}}"#);
        let rank = array.chars().take_while(|&c| c == '[').count();
        let factors = vec![2; rank];
        let text = document(&format!(
            r#""base": {base}, "downsample_factors": {factors:?}, "downsample_method": "mean""#
        ));
        if fine {
            accept(&text);
        } else {
            reject(&text, "downsample.document.base.array");
        }
    }
}
