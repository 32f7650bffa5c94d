use exactum_metadata::{Accepted, Document, DocumentKind};

use super::*;

const LITTLE: &str = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;

/// A document of four elements in one chunk.
fn array(data_type: &str, fill_value: &str, codecs: &[&str]) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": {data_type},
        "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
        "chunk_key_encoding": {{"name": "default"}}, "fill_value": {fill_value}, "codecs": [{}]}}"#,
        codecs.join(", ")
    )
}

/// Returns the report about all readers of a document.
fn reported(readers: &Readers, text: &str) -> String {
    let document = Document::scan_as(text.as_bytes(), DocumentKind::Array).expect("JSON");
    let judged = document.array(Accepted::All).expect("a document");
    let subject = Subject::of(text.as_bytes(), judged.array.as_deref()).expect("JSON");
    words(&readers.of(&subject))
}

/// Each line begins with a name and contains some words; there are no lines about other readers.
#[test]
fn every_reader_has_one_line() {
    let readers = Readers::find().expect("what is known");
    let scale = r#"{"name": "scale_offset", "configuration": {"offset": 280, "scale": 100}}"#;
    let cast = r#"{"name": "cast_value", "configuration": {"data_type": "int16", "scalar_map": {"encode": [["NaN", -32768]], "decode": [[-32768, "NaN"]]}}}"#;
    let narrow = r#"{"name": "cast_value", "configuration": {"data_type": "float32", "rounding": "towards-zero"}}"#;
    let zstd = r#"{"name": "zstd", "configuration": {"level": 3}}"#;
    let shard = format!(
        r#"{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [2], "codecs": [{LITTLE}], "index_codecs": [{LITTLE}]}}}}"#
    );
    let time = r#"{"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1}}"#;
    let plain = array("\"float32\"", "0.0", &[LITTLE]);
    let packed = array("\"float32\"", "\"NaN\"", &[scale, cast, LITTLE]);
    type Lines<'a> = &'a [(&'a str, &'a str)];
    let cases: &[(&str, String, Lines<'_>)] = &[
        (
            "plain",
            plain.clone(),
            &[
                ("gdal", "reads it"),
                ("tensorstore", "reads it"),
                ("zarr-python", "reads it"),
                ("zarrita", "reads it"),
                ("zarrs", "reads it"),
                ("zarrs-exactum", "reads it"),
            ],
        ),
        (
            "a data type as an object",
            plain.replace("\"float32\"", r#"{"name": "float32"}"#),
            &[("gdal", "refuses it"), ("zarrs", "reads it")],
        ),
        (
            "packed",
            packed,
            &[
                ("gdal", "lacks cast_value and scale_offset"),
                ("tensorstore", "lacks cast_value and scale_offset"),
                ("zarrita", "reads other values"),
                ("zarrs-exactum", "reads it"),
            ],
        ),
        (
            "another rounding",
            array("\"float64\"", "0.0", &[narrow, LITTLE]),
            &[(
                "zarrita",
                "refuses it: casts between floats only with nearest-even",
            )],
        ),
        (
            "hex",
            array("\"float32\"", "\"0x40490fdb\"", &[LITTLE]),
            &[("zarrita", "hex fill values are not read")],
        ),
        (
            "packbits",
            array("\"uint4\"", "0", &[r#""packbits""#]),
            &[
                ("zarr-python", "lacks packbits"),
                ("zarrs-exactum", "reads it"),
            ],
        ),
        (
            "zfp",
            array(
                "\"float32\"",
                "0.0",
                &[r#"{"name": "zfp", "configuration": {"mode": "reversible"}}"#],
            ),
            &[("zarrs", "lacks zfp"), ("zarrs-zfp", "")],
        ),
        (
            "sharded",
            array("\"float32\"", "0.0", &[&shard]),
            &[
                ("zarr-python", "reads it"),
                ("tensorstore", "reads it"),
                ("gdal", "not known: no case was run for sharding_indexed"),
            ],
        ),
        (
            "compressed",
            array("\"float32\"", "0.0", &[LITTLE, zstd]),
            &[
                ("zarr-python", "reads it"),
                ("zarrs", "not known: no case was run for zstd"),
            ],
        ),
        (
            "times",
            array(time, "0", &[LITTLE]),
            &[
                ("zarrs", "reads it"),
                (
                    "zarr-python",
                    "not known: no case was run for numpy.datetime64",
                ),
            ],
        ),
        (
            "a small float",
            array("\"float8_e4m3\"", "0.0", &[LITTLE]),
            &[("zarr-python", "lacks float8_e4m3")],
        ),
    ];
    for (name, text, expected) in cases {
        let reported = reported(&readers, text);
        for (reader, words) in *expected {
            let mut lines = reported.lines().map(str::trim);
            let line = lines.find(|line| line.split(' ').next() == Some(reader));
            let line = line.unwrap_or_else(|| panic!("{name}: no line of {reader}: {reported}"));
            assert!(line.contains(words), "{name}: {words}: {reported}");
        }
        // A library of casts reads no arrays.
        assert!(!reported.contains("numkong"), "{name}: {reported}");
    }
}

#[test]
fn who_is_asked_about_one_codec_is_silent_elsewhere() {
    let readers = Readers::find().expect("what is known");
    let reported = reported(&readers, &array("\"float32\"", "0.0", &[LITTLE]));
    assert!(!reported.contains("zarrs-zfp"), "{reported}");
}
