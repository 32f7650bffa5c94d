//! `--modernize`: the texts that users read, and that the numbers are the same if nothing is reported.

use exactum_model::{Array, Chain, DataType, Format};
use exactum_reference::chain;

use super::super::modernize::modernize;
use super::{codec, document, grows_tenfold};

/// Returns a document with this configuration of `numcodecs.fixedscaleoffset`.
fn fixed_scale_offset(data_type: &str, fill_value: &str, configuration: &str) -> String {
    codec(
        data_type,
        fill_value,
        &format!(r#"{{"name": "numcodecs.fixedscaleoffset", "configuration": {configuration}}}"#),
    )
}

fn check(name: &str, document: &str, strict: bool, printed: bool) {
    let (text, report) = modernize("zarr.json", document.as_bytes(), strict, false);
    assert_eq!(text.is_some(), printed, "{name}: {report}");
    let shown = text.unwrap_or_else(|| "(no document)\n".to_owned());
    insta::with_settings!({omit_expression => true}, {
        insta::assert_snapshot!(name, format!("{shown}---\n{report}"));
    });
}

/// Ten times as many codecs take at most ten times as long; a hundred notes are shown.
#[test]
fn many_codecs_are_converted() {
    let many = |astype: &str, n: usize| {
        let old = format!(
            r#"{{"name": "numcodecs.fixedscaleoffset", "configuration": {{"offset": 0, "scale": 1, "dtype": "<f4", "astype": "{astype}"}}}}"#
        );
        let back = r#"{"name": "cast_value", "configuration": {"data_type": "float32"}}"#;
        let codecs = format!("[{}\"zarrs.vlen\"]", format!("{old}, {back}, ").repeat(n));
        document(&[
            ("data_type", "\"float32\""),
            ("fill_value", "0"),
            ("codecs", &codecs),
        ])
    };
    let convert = |document: &str| modernize("zarr.json", document.as_bytes(), false, false);
    grows_tenfold(|n| {
        let (text, report) = convert(&many("<i2", n / 5));
        let text = text.expect("converted");
        assert_eq!(text.matches("scale_offset").count(), n / 5);
        let more = format!("{} more problems are not shown", n / 5 - 100);
        assert!(report.contains(&more), "{report}");
    });
    // Floats that are stored as floats, none of which can be replaced.
    grows_tenfold(|n| {
        let (text, report) = convert(&many("<f4", n / 5));
        assert_eq!(text, None);
        assert_eq!(report.matches("Error:").count(), 100, "{report}");
    });
}

#[test]
fn converted() {
    check(
        "modernize-published",
        &fixed_scale_offset(
            "float32",
            "10.0",
            r#"{"astype": "uint8", "dtype": "float32", "scale": 0.1, "offset": 10}"#,
        ),
        false,
        true,
    );
    check(
        "modernize-float64",
        &fixed_scale_offset(
            "float64",
            "1e3",
            r#"{"offset": 1000, "scale": 1.0e+1, "dtype": "<f8", "astype": "<u2"}"#,
        ),
        true,
        true,
    );
    check(
        "modernize-integers",
        &fixed_scale_offset(
            "int32",
            "5",
            r#"{"offset": 5, "scale": 2, "dtype": "<i4", "astype": "<i2"}"#,
        ),
        false,
        true,
    );
    check(
        "modernize-mixed",
        &fixed_scale_offset(
            "int16",
            "0",
            r#"{"offset": 0.0, "scale": 0.1, "dtype": "<i2", "astype": "|i1"}"#,
        ),
        false,
        true,
    );
    check(
        "modernize-literal",
        &fixed_scale_offset(
            "float32",
            "0",
            r#"{"offset": -0, "scale": 1152921573326323713, "dtype": "<f4", "astype": "<i8"}"#,
        ),
        false,
        true,
    );
    let one_line = r#"{"zarr_format":3,"node_type":"array","shape":[4],"data_type":"float64","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4]}},"chunk_key_encoding":{"name":"default"},"fill_value":0e0,"codecs":[{"name":"numcodecs.fixedscaleoffset","configuration":{"offset":0,"scale":1,"dtype":"<f8","astype":"|i1"}},{"name":"numcodecs.fixedscaleoffset","configuration":{"offset":0,"scale":1,"dtype":"|i1","astype":"|i1"}},"bytes"],"attributes":{"numcodecs.fixedscaleoffset":1.50}}"#;
    check("modernize-one-line", one_line, false, true);
    let shard = r#"{"name": "sharding_indexed", "configuration": {"chunk_shape": [10, 100],
        "codecs": [
          {"name": "numcodecs.fixedscaleoffset", "configuration": {
            "offset": 0, "scale": 1, "dtype": "<f8", "astype": "|i1"
          }},
          "bytes"
        ],
        "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}"#;
    let sharded = super::document(&[("fill_value", "0"), ("codecs", &format!("[{shard}]"))]);
    check("modernize-shard", &sharded, false, true);
    check("modernize-nothing", &super::document(&[]), true, true);
}

#[test]
fn not_converted() {
    let float = r#"{"offset": 10, "scale": 0.1, "dtype": "<f4", "astype": "<f4"}"#;
    check(
        "modernize-float",
        &fixed_scale_offset("float32", "10", float),
        false,
        false,
    );
    let published = r#"{"offset": 10, "scale": 0.1, "dtype": "<f4", "astype": "|u1"}"#;
    check(
        "modernize-fill-lost",
        &fixed_scale_offset("float32", "12", published),
        false,
        false,
    );
    check(
        "modernize-fill-nan",
        &fixed_scale_offset("float32", "\"NaN\"", published),
        false,
        false,
    );
    check(
        "modernize-strict",
        &fixed_scale_offset("float32", "10", published),
        true,
        false,
    );
    check(
        "modernize-optional",
        &codec(
            "float32",
            "10",
            &format!(
                r#"{{"name": "numcodecs.fixedscaleoffset", "configuration": {published}, "must_understand": false}}"#
            ),
        ),
        false,
        false,
    );
    check(
        "modernize-behind-the-unknown",
        &codec(
            "float32",
            "10",
            &format!(
                r#""x.unknown", {{"name": "numcodecs.fixedscaleoffset", "configuration": {published}}}"#
            ),
        ),
        false,
        false,
    );
    check(
        "modernize-invalid",
        &fixed_scale_offset("float64", "10", published),
        false,
        false,
    );
}

/// Returns the document of an array of one element.
fn one(data_type: DataType, codecs: &str) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [1], "data_type": "{data_type}", "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [1]}}}}, "chunk_key_encoding": {{"name": "default"}}, "fill_value": 0, "codecs": [{codecs}, {{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}"#
    )
}

fn chain_of(text: &str) -> Chain {
    exactum_metadata::parse_array(text).expect(text).chain
}

fn element(data_type: DataType, bits: u64) -> Array {
    Array::from_components(data_type, vec![1], [bits]).expect("one element")
}

/// Returns the elements of a type: all of them if there are few, and otherwise those around its limits and
/// some of the rest.
fn elements(data_type: DataType) -> Vec<u64> {
    let bits = data_type.format().component_bits();
    if bits == 8 {
        return (0..256).collect();
    }
    let mask = data_type.format().component_mask();
    let mut all: Vec<u64> = (0..300u64)
        .flat_map(|step| {
            let spread = step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            [spread >> (64 - bits), step, step.wrapping_neg() & mask]
        })
        .collect();
    if let Format::Float(_) = data_type.format() {
        for text in [
            "0.5",
            "2.5",
            "-1.5",
            "99.9",
            "300",
            "-129",
            "1e4",
            "\"NaN\"",
            "\"Infinity\"",
        ] {
            let scalar = exactum_metadata::parse_fill_value(data_type, text).expect(text);
            all.push(scalar.component(0));
        }
    }
    all
}

/// Compares the results of both lists of codecs for every element and every stored number. They are the same
/// or, if the old codec wraps, truncates or casts late, the new result is a rejection or the one of the old
/// codec's specification, and then there is a note.
#[test]
fn the_numbers_are_the_same_where_nothing_is_said() {
    use DataType as D;
    let integers = [D::Int8, D::Uint8, D::Int16, D::Uint16, D::Int32, D::Int64];
    let dtypes = [
        D::Float16,
        D::Float32,
        D::Float64,
        D::Int8,
        D::Uint8,
        D::Int16,
        D::Int64,
    ];
    let mut differences = 0;
    for dtype in dtypes {
        for astype in integers {
            for (offset, scale) in [
                ("0", "1"),
                ("3", "2"),
                ("0", "-1"),
                ("5", "-3"),
                ("0.0", "0.1"),
                ("1", "0.5"),
                ("-2.5", "10"),
                ("0.0", "1e-3"),
            ] {
                let configuration = format!(
                    r#"{{"offset": {offset}, "scale": {scale}, "dtype": "{dtype}", "astype": "{astype}"}}"#
                );
                let old_text = one(
                    dtype,
                    &format!(
                        r#"{{"name": "numcodecs.fixedscaleoffset", "configuration": {configuration}}}"#
                    ),
                );
                let Ok(document) = exactum_metadata::parse_array(&old_text) else {
                    // The reader refuses a negative scale of an unsigned type.
                    continue;
                };
                let modernized = exactum_metadata::modernize(&old_text).expect(&old_text);
                let (old, new) = (document.chain, chain_of(&modernized.text));
                let mut silent = true;
                for bits in elements(dtype) {
                    let input = element(dtype, bits);
                    let (a, b) = (chain::encode(&old, &input), chain::encode(&new, &input));
                    match (a, b) {
                        (Ok(a), Ok(b)) if a == b => {}
                        (Err(_), Err(_)) => {}
                        (Ok(_), Err(_)) => silent = false,
                        // Only values that binary64 cannot hold, and values that wrap on the way to it.
                        (Ok(_), Ok(_)) if modernized.text.contains("float64") => silent = false,
                        (a, b) => panic!("{configuration} {bits:x}: {a:?} {b:?}"),
                    }
                }
                for bits in elements(astype) {
                    let stored = element(astype, bits).into_data();
                    let a = chain::decode(&old, &stored).ok();
                    let b = chain::decode(&new, &stored).ok();
                    if a != b {
                        silent = false;
                    }
                }
                if !silent {
                    differences += 1;
                    assert!(
                        modernized.notes.count() > 0,
                        "{configuration}: nothing is reported"
                    );
                }
            }
        }
    }
    assert!(differences > 50, "{differences}");
}

/// The chunks of `numcodecs.zfpy` begin with a header. The report explains how to write them again.
#[test]
fn zfpy_is_not_converted() {
    for (configuration, zfp) in [
        ("{}", r#"{"mode": "reversible"}"#),
        (r#"{"tolerance": -1}"#, r#"{"mode": "reversible"}"#),
        (
            r#"{"mode": 4, "tolerance": 5e-2, "rate": -1}"#,
            r#"{"mode": "fixed_accuracy", "tolerance": 5e-2}"#,
        ),
        (
            r#"{"tolerance": 0}"#,
            r#"{"mode": "fixed_precision", "precision": 64}"#,
        ),
        (
            r#"{"mode": 2, "rate": 8.50}"#,
            r#"{"mode": "fixed_rate", "rate": 8.50}"#,
        ),
        (
            r#"{"mode": 3, "precision": 99}"#,
            r#"{"mode": "fixed_precision", "precision": 64}"#,
        ),
    ] {
        let codec = r#"{"name": "numcodecs.zfpy", "configuration": "#;
        let codecs = format!("[{codec}{configuration}}}]");
        let document = document(&[("fill_value", "0"), ("codecs", &codecs)]);
        let (text, report) = modernize("zarr.json", document.as_bytes(), false, false);
        assert_eq!(text, None);
        assert!(report.contains("begin with a header"), "{report}");
        // The report is broken into lines.
        let words: String = report.split_whitespace().collect();
        let anew: String = zfp.split_whitespace().collect();
        assert!(words.contains(&anew), "{zfp}: {report}");
    }
}
