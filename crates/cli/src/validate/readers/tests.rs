use exactum_metadata::{Accepted, Document, DocumentKind};

use super::*;

const LITTLE: &str = r#"{"name": "bytes", "configuration": {"endian": "little"}}"#;

/// Returns a document of four elements in one chunk.
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

const SCALE: &str = r#"{"name": "scale_offset", "configuration": {"offset": 280, "scale": 100}}"#;
const CAST: &str = r#"{"name": "cast_value", "configuration": {"data_type": "int16", "scalar_map": {"encode": [["NaN", -32768]], "decode": [[-32768, "NaN"]]}}}"#;
const NARROW: &str = r#"{"name": "cast_value", "configuration": {"data_type": "float32", "rounding": "towards-zero"}}"#;
const ZSTD: &str = r#"{"name": "zstd", "configuration": {"level": 3}}"#;
const SHARD: &str = r#"{"name": "sharding_indexed", "configuration": {"chunk_shape": [2], "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}"#;
const TIME: &str =
    r#"{"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1}}"#;

/// Names of readers, and words of their lines.
type Lines = &'static [(&'static str, &'static str)];

/// Documents by their names, data types with fill values, and codecs, with some lines of the reports about them.
const CASES: &[(&str, [&str; 2], &[&str], Lines)] = &[
    (
        "plain",
        ["\"float32\"", "0.0"],
        &[LITTLE],
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
        [r#"{"name": "float32"}"#, "0.0"],
        &[LITTLE],
        &[("gdal", "refuses it"), ("zarrs", "reads it")],
    ),
    (
        "packed",
        ["\"float32\"", "\"NaN\""],
        &[SCALE, CAST, LITTLE],
        &[
            ("gdal", "lacks cast_value and scale_offset"),
            ("tensorstore", "lacks cast_value and scale_offset"),
            ("zarrita", "reads other values"),
            ("zarrs-exactum", "reads it"),
        ],
    ),
    (
        "another rounding",
        ["\"float64\"", "0.0"],
        &[NARROW, LITTLE],
        &[(
            "zarrita",
            "refuses it: casts between floats only with nearest-even",
        )],
    ),
    (
        "hex",
        ["\"float32\"", "\"0x40490fdb\""],
        &[LITTLE],
        &[("zarrita", "hex fill values are not read")],
    ),
    (
        "packbits",
        ["\"uint4\"", "0"],
        &[r#""packbits""#],
        &[
            ("zarr-python", "lacks packbits"),
            ("zarrs-exactum", "reads it"),
        ],
    ),
    (
        "zfp",
        ["\"float32\"", "0.0"],
        &[r#"{"name": "zfp", "configuration": {"mode": "reversible"}}"#],
        &[("zarrs", "lacks zfp"), ("zarrs-zfp", "")],
    ),
    (
        "sharded",
        ["\"float32\"", "0.0"],
        &[SHARD],
        &[
            ("zarr-python", "reads it"),
            ("tensorstore", "reads it"),
            ("gdal", "not known: no case was run for sharding_indexed"),
        ],
    ),
    (
        "compressed",
        ["\"float32\"", "0.0"],
        &[LITTLE, ZSTD],
        &[
            ("zarr-python", "reads it"),
            ("zarrs", "not known: no case was run for zstd"),
        ],
    ),
    (
        "times",
        [TIME, "0"],
        &[LITTLE],
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
        ["\"float8_e4m3\"", "0.0"],
        &[LITTLE],
        &[("zarr-python", "lacks float8_e4m3")],
    ),
];

/// Each line begins with a name and contains some words; there are no lines about other readers.
#[test]
fn every_reader_has_one_line() {
    let readers = Readers::find().expect("what is known");
    for (name, [data_type, fill_value], codecs, expected) in CASES {
        let reported = reported(&readers, &array(data_type, fill_value, codecs));
        for (reader, words) in *expected {
            let mut lines = reported.lines().map(str::trim);
            let line = lines.find(|line| line.split(' ').next() == Some(reader));
            let line = line.unwrap_or_else(|| panic!("{name}: no line of {reader}: {reported}"));
            assert!(line.contains(words), "{name}: {words}: {reported}");
        }
        // A library of casts does not read arrays.
        assert!(!reported.contains("numkong"), "{name}: {reported}");
    }
}

#[test]
fn who_is_asked_about_one_codec_is_silent_elsewhere() {
    let readers = Readers::find().expect("what is known");
    let reported = reported(&readers, &array("\"float32\"", "0.0", &[LITTLE]));
    assert!(!reported.contains("zarrs-zfp"), "{reported}");
}
