//! Zarr v2 arrays, for which `validate --modernize` writes Zarr v3 documents.

use exactum_metadata::{Accepted, Document, DocumentKind};
use serde_json::{Value, json};

use super::super::version2::convert;

/// Returns a `.zarray` with some members replaced.
fn array(members: &Value) -> Value {
    let mut document = json!({
        "zarr_format": 2, "shape": [6, 4], "chunks": [3, 4], "dtype": "<f4", "fill_value": "NaN",
        "order": "C", "filters": null, "compressor": null,
    });
    for (name, value) in members.as_object().into_iter().flatten() {
        document[name] = value.clone();
    }
    document
}

/// Compares a member of the document that a `.zarray` becomes, which is valid.
#[track_caller]
fn check(members: &Value, pointer: &str, expected: &Value) {
    let converted = convert(&array(members), Value::Null).expect("it has a counterpart");
    let document = converted.document;
    assert_eq!(document.pointer(pointer), Some(expected), "{members}");
    let text = document.to_string();
    let judged = Document::scan_as(text.as_bytes(), DocumentKind::Array)
        .and_then(|document| document.array(Accepted::All));
    assert!(judged.is_ok(), "{document}: {judged:?}");
}

#[test]
fn every_member_has_its_counterpart() {
    let little = json!({"name": "bytes", "configuration": {"endian": "little"}});
    check(&json!({}), "/shape", &json!([6, 4]));
    check(
        &json!({}),
        "/chunk_grid/configuration/chunk_shape",
        &json!([3, 4]),
    );
    check(&json!({}), "/codecs", &json!([little]));
    check(
        &json!({}),
        "/chunk_key_encoding",
        &json!({"name": "v2", "configuration": {"separator": "."}}),
    );
    let slash = json!({"dimension_separator": "/"});
    check(
        &slash,
        "/chunk_key_encoding/configuration/separator",
        &json!("/"),
    );
    let order = json!({"name": "transpose", "configuration": {"order": [1, 0]}});
    check(&json!({"order": "F"}), "/codecs", &json!([order, little]));
    for (dtype, fill_value, data_type, codec) in [
        ("|b1", json!(true), json!("bool"), json!({"name": "bytes"})),
        (
            ">i2",
            json!(-7),
            json!("int16"),
            json!({"name": "bytes", "configuration": {"endian": "big"}}),
        ),
        ("<u8", json!(u64::MAX), json!("uint64"), little.clone()),
        ("<f8", json!("-Infinity"), json!("float64"), little.clone()),
        ("<c8", json!([0.0, 1.0]), json!("complex64"), little.clone()),
        ("|V3", json!(null), json!("r24"), json!({"name": "bytes"})),
        (
            "<U2",
            json!(""),
            json!({"name": "fixed_length_utf32", "configuration": {"length_bytes": 8}}),
            little.clone(),
        ),
        (
            "<M8[10s]",
            json!("NaT"),
            json!({"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 10}}),
            little.clone(),
        ),
        (
            "<m8[ns]",
            json!(5),
            json!({"name": "numpy.timedelta64", "configuration": {"unit": "ns", "scale_factor": 1}}),
            little.clone(),
        ),
    ] {
        let members = json!({"dtype": dtype, "fill_value": fill_value});
        check(&members, "/data_type", &data_type);
        check(&members, "/codecs/0", &codec);
    }
    let text = json!({"dtype": "|O", "fill_value": "", "filters": [{"id": "vlen-utf8"}]});
    check(&text, "/data_type", &json!("string"));
    check(&text, "/codecs", &json!([{"name": "vlen-utf8"}]));
}

#[test]
fn filters_and_compressors_become_codecs() {
    let compressed = |id: Value| json!({"compressor": id});
    check(
        &compressed(json!({"id": "gzip", "level": 5})),
        "/codecs/1",
        &json!({"name": "gzip", "configuration": {"level": 5}}),
    );
    check(
        &compressed(json!({"id": "zstd", "level": 0})),
        "/codecs/1",
        &json!({"name": "zstd", "configuration": {"level": 0, "checksum": false}}),
    );
    check(
        &compressed(json!({"id": "zlib", "level": 1})),
        "/codecs/1",
        &json!({"name": "numcodecs.zlib", "configuration": {"level": 1}}),
    );
    let blosc = |shuffle: i64| json!({"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": shuffle, "blocksize": 0});
    for (shuffle, name) in [(1, "shuffle"), (2, "bitshuffle"), (-1, "shuffle")] {
        check(
            &compressed(blosc(shuffle)),
            "/codecs/1/configuration",
            &json!({
                "cname": "lz4", "clevel": 5, "shuffle": name, "typesize": 4, "blocksize": 0,
            }),
        );
    }
    check(
        &compressed(blosc(0)),
        "/codecs/1/configuration/shuffle",
        &json!("noshuffle"),
    );
    // The elements after a filter determine the width of the shuffling, and the byte order.
    let scaled = json!({
        "filters": [{"id": "fixedscaleoffset", "scale": 100, "offset": 0, "dtype": "<f4", "astype": ">i2"}],
        "compressor": blosc(1),
    });
    check(
        &scaled,
        "/codecs/0/name",
        &json!("numcodecs.fixedscaleoffset"),
    );
    check(&scaled, "/codecs/1/configuration/endian", &json!("big"));
    check(&scaled, "/codecs/2/configuration/typesize", &json!(2));
}

#[test]
fn what_has_no_counterpart_is_named() {
    for (members, words) in [
        (json!({"dtype": "|S4"}), "\"|S4\" has no counterpart"),
        (json!({"dtype": [["a", "<i4"]]}), "has fields"),
        (json!({"dtype": "|O"}), "vlen-utf8 or vlen-bytes"),
        (json!({"dtype": "f4"}), "\"f4\" has no counterpart"),
        (
            json!({"filters": [{"id": "categorize"}]}),
            "the filter \"categorize\"",
        ),
        (
            json!({"compressor": {"id": "zfpy"}}),
            "the compressor \"zfpy\"",
        ),
        (
            json!({"chunks": [0, 4]}),
            "chunks is not a list of positive extents",
        ),
        (json!({"order": "A"}), "order must be \"C\" or \"F\""),
        (
            json!({"zarr_format": 3}),
            "the zarr_format of a .zarray must be 2",
        ),
    ] {
        let why = convert(&array(&members), Value::Null).expect_err("it has no counterpart");
        assert!(why.contains(words), "{members}: {why}");
    }
}

#[test]
fn what_changes_is_noted() {
    let attributes = json!({"_ARRAY_DIMENSIONS": ["y", "x"], "units": "K"});
    let members = json!({"fill_value": null});
    let converted = convert(&array(&members), attributes).expect("it has a counterpart");
    assert_eq!(converted.document["dimension_names"], json!(["y", "x"]));
    assert_eq!(converted.document["attributes"], json!({"units": "K"}));
    assert_eq!(converted.document["fill_value"], json!(0.0));
    let notes = converted.notes.join("\n");
    for words in [
        "the fill value is null",
        "becomes dimension_names",
        "\"_FillValue\": 0.0",
    ] {
        assert!(notes.contains(words), "{notes}");
    }
}
