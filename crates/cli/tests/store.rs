//! A store of a thousand arrays as zarr-python 3.4 writes them, and an OME-Zarr image. No document in it is rejected,
//! and a fault in any of its documents is found at its place.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

/// The number of arrays of each kind.
const EACH: usize = 50;

/// A folder that is removed at the end.
struct Store(TempDir);

impl Store {
    fn write(&self, path: &str, document: &Value) {
        let folder = self.0.path().join(path);
        fs::create_dir_all(&folder).expect("a folder");
        // The indentation is that of zarr-python.
        let text = serde_json::to_string_pretty(document).expect("JSON");
        fs::write(folder.join("zarr.json"), text).expect("written");
    }
}

fn array(data_type: Value, fill_value: Value, shape: Value, chunks: Value, codecs: Value) -> Value {
    json!({
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill_value,
        "codecs": codecs,
        "attributes": {"units": "K"},
        "zarr_format": 3,
        "node_type": "array",
        "storage_transformers": [],
    })
}

fn little() -> Value {
    json!({"name": "bytes", "configuration": {"endian": "little"}})
}

fn zstd() -> Value {
    json!({"name": "zstd", "configuration": {"level": 0, "checksum": false}})
}

fn sharded(inner: Value, codec: Value) -> Value {
    let index = json!([little(), {"name": "crc32c"}]);
    json!([{"name": "sharding_indexed", "configuration": {
        "chunk_shape": inner, "codecs": [codec, zstd()], "index_codecs": index, "index_location": "end",
    }}])
}

/// Returns the kinds of arrays, by their names.
#[rustfmt::skip] // A table.
fn kinds() -> Vec<(&'static str, Value)> {
    let cube = || (json!([365, 10, 20]), json!([10, 10, 10]));
    let line = || (json!([1000]), json!([100]));
    let of = |data_type: Value, fill: Value, (shape, chunks): (Value, Value), codecs: Value| {
        array(data_type, fill, shape, chunks, codecs)
    };
    let named = |name: &str, configuration: Value| json!({"name": name, "configuration": configuration});
    let length = |name: &str, bytes: u32| named(name, json!({"length_bytes": bytes}));
    let time = |name: &str, unit: &str| named(name, json!({"unit": unit, "scale_factor": 1}));
    let plain = || json!([little(), zstd()]);
    let bytes = || json!([{"name": "bytes"}, zstd()]);
    let blosc = named("blosc", json!({
        "typesize": 2, "cname": "zstd", "clevel": 5, "shuffle": "shuffle", "blocksize": 0}));
    let scale = named("scale_offset", json!({"offset": 273.15, "scale": 100.0}));
    let cast = named("cast_value", json!({"data_type": "int16", "scalar_map": {
        "encode": [["NaN", -32768]], "decode": [[-32768, "NaN"]]}}));
    let fixed = named("numcodecs.fixedscaleoffset", json!({
        "offset": 0, "scale": 10, "dtype": "<f4", "astype": "<i2"}));
    let lz4 = named("numcodecs.lz4", json!({}));
    let delta = named("numcodecs.delta", json!({"dtype": "<i4"}));
    let shuffle = named("numcodecs.shuffle", json!({"elementsize": 4}));
    let gzip = named("gzip", json!({"level": 3}));
    let transpose = named("transpose", json!({"order": [2, 0, 1]}));
    let bitround = named("bitround", json!({"keepbits": 10}));
    let fields = named("struct", json!({"fields": [
        {"name": "x", "data_type": "float32"},
        {"name": "t", "data_type": time("numpy.datetime64", "s")},
        {"name": "n", "data_type": length("fixed_length_utf32", 16)},
    ]}));
    let mut rectilinear = of(json!("uint8"), json!(0), line(), bytes());
    rectilinear["chunk_grid"] = named("rectilinear", json!({
        "kind": "inline", "chunk_shapes": [[[100, 9], 60, 40]]}));
    let texts = named("vlen-utf8", json!({}));
    vec![
        ("sharded", of(json!("float32"), json!("NaN"), cube(), sharded(json!([5, 5, 10]), little()))),
        ("time", of(time("numpy.datetime64", "ns"), json!(i64::MIN), line(), plain())),
        ("span", of(time("numpy.timedelta64", "s"), json!("NaT"), line(), plain())),
        ("station", of(json!("string"), json!(""), line(), json!([texts, zstd()]))),
        ("names", of(json!("string"), json!("none"), line(), sharded(json!([50]), json!({"name": "vlen-utf8"})))),
        ("label", of(length("fixed_length_utf32", 48), json!(""), line(), plain())),
        ("code", of(length("null_terminated_bytes", 12), json!(""), line(), bytes())),
        ("raw", of(length("raw_bytes", 10), json!("AAAAAAAAAAAAAA=="), line(), bytes())),
        ("blob", of(json!("bytes"), json!(""), line(), json!([{"name": "vlen-bytes"}, zstd()]))),
        ("record", of(fields, json!({"x": 0.0, "t": 0, "n": ""}), line(), plain())),
        ("packed", of(json!("float64"), json!("NaN"), cube(), json!([scale, cast, little(), zstd()]))),
        ("legacy", of(json!("float32"), json!(0.0), cube(), json!([fixed, little(), lz4]))),
        ("complex", of(json!("complex64"), json!([0.0, 0.0]), cube(), json!([little(), gzip]))),
        ("image", of(json!("uint16"), json!(0), cube(), json!([little(), blosc]))),
        ("mask", of(json!("bool"), json!(false), line(), json!([{"name": "packbits"}, zstd()]))),
        ("turned", of(json!("int32"), json!(0), cube(), json!([transpose, little()]))),
        ("rounded", of(json!("float32"), json!(0.0), cube(), json!([bitround, little(), zstd()]))),
        ("scalar", of(json!("int64"), json!(0), (json!([]), json!([])), plain())),
        ("uneven", rectilinear),
        ("delta", of(json!("int32"), json!(0), cube(), json!([delta, little(), shuffle, zstd()]))),
    ]
}

/// Returns a group with an image in three sizes, as OME-Zarr 0.5 defines it.
fn image(store: &Store) -> BTreeMap<String, Value> {
    let axes = ["t", "c", "y", "x"].map(|name| json!({"name": name}));
    let mut datasets = Vec::new();
    let mut documents = BTreeMap::new();
    for (level, size) in [(0, 1024u64), (1, 512), (2, 256)] {
        let scale = f64::from(1 << level) * 0.325;
        datasets.push(
            json!({"path": level.to_string(), "coordinateTransformations": [
            {"type": "scale", "scale": [1.0, 1.0, scale, scale]}]}),
        );
        let mut document = array(
            json!("uint16"),
            json!(0),
            json!([1, 2, size, size]),
            json!([1, 1, 256, 256]),
            sharded(json!([1, 1, 64, 64]), little()),
        );
        document["dimension_names"] = json!(["t", "c", "y", "x"]);
        store.write(&format!("image/{level}"), &document);
        documents.insert(format!("image/{level}"), document);
    }
    let attributes = json!({"ome": {"version": "0.5", "multiscales": [
        {"name": "cells", "axes": axes, "datasets": datasets}]}});
    let group = json!({"zarr_format": 3, "node_type": "group", "attributes": attributes});
    store.write("image", &group);
    documents.insert("image".into(), group);
    documents
}

/// Returns the whole store, and its documents by their paths.
fn store() -> (Store, BTreeMap<String, Value>) {
    let store = Store(tempfile::tempdir().expect("a folder"));
    let mut documents = image(&store);
    for (name, document) in kinds() {
        for number in 0..EACH {
            let path = format!("{name}{number}");
            store.write(&path, &document);
            documents.insert(path, document.clone());
        }
    }
    let root = json!({
        "attributes": {"title": "a store"},
        "zarr_format": 3,
        "consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": documents},
        "node_type": "group",
    });
    store.write("", &root);
    (store, documents)
}

/// Returns the exit code of the command and its report about a store, as JSON.
fn judged(folder: &Path) -> (Option<i32>, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_exactum"))
        .args(["validate", "--format", "json"])
        .arg(folder)
        .output()
        .expect("it starts");
    let report = serde_json::from_slice(&output.stdout).expect("JSON");
    (output.status.code(), report)
}

/// Returns the faults, each in an array of one kind: the place, the replacement, the clause that finds the fault, and
/// the place where it is found.
#[rustfmt::skip] // A table.
fn faults() -> Vec<(&'static str, &'static str, Value, &'static str, &'static str)> {
    let same = "";
    vec![
        ("sharded", "/codecs/0/configuration/chunk_shape/2", json!(3), "chain.shard", same),
        ("sharded", "/codecs/0/configuration/index_location", json!("middle"), "chain.shard", same),
        ("sharded", "/codecs/0/configuration/index_codecs/1", zstd(), "chain.shard", same),
        ("sharded", "/codecs/0/configuration/codecs/0", json!("bytes"), "bytes.endian", same),
        ("sharded", "/codecs/0/configuration/codecs/1/configuration/level", json!("high"), "chain.levels", same),
        ("sharded", "/fill_value", json!("nan"), "fill_value.float.names", same),
        ("time", "/data_type/configuration/unit", json!("nanoseconds"), "data_type.time", same),
        ("time", "/fill_value", json!("1970-01-01"), "fill_value.time", same),
        ("time", "/codecs/0", json!({"name": "bytes"}), "bytes.endian", same),
        ("span", "/data_type/configuration/scale_factor", json!(0), "data_type.time", same),
        ("station", "/fill_value", json!(null), "fill_value.string", same),
        ("station", "/codecs/0", json!({"name": "vlen-bytes"}), "chain.vlen", same),
        ("names", "/codecs/0/configuration/chunk_shape/0", json!(30), "chain.shard", same),
        ("label", "/data_type/configuration/length_bytes", json!(47), "data_type.utf32", same),
        ("label", "/fill_value", json!("a name that is too long"), "fill_value.utf32", same),
        ("blob", "/fill_value", json!("?"), "fill_value.bytes", same),
        ("record", "/data_type/configuration/fields/2/name", json!("x"), "data_type.struct", same),
        ("record", "/fill_value/t", json!("never"), "fill_value.time", same),
        ("packed", "/codecs/0/configuration/scale", json!(0.0), "scale_offset.scale.zero", same),
        ("packed", "/codecs/1/configuration/scalar_map/encode/0/1", json!(-32769), "cast_value.scalar_map.scalars", same),
        ("packed", "/codecs/1/configuration/data_type", json!("int17"), "cast_value.data_types", same),
        ("packed", "/fill_value", json!(1e9), "cast_value.fill.cast", "/codecs/1"),
        ("legacy", "/codecs/0/configuration/dtype", json!("<f8"), "scale_offset.legacy.dtype", same),
        ("complex", "/fill_value", json!(0.0), "fill_value.complex", same),
        ("complex", "/codecs/1/configuration/level", json!(11), "chain.levels", same),
        ("image", "/codecs/1/configuration/cname", json!("lz5"), "chain.blosc.others", same),
        ("mask", "/fill_value", json!(0), "fill_value.bool", same),
        ("turned", "/codecs/0/configuration/order/2", json!(2), "chain.transpose", same),
        ("rounded", "/codecs/0/configuration/keepbits", json!(0), "bitround.keepbits", same),
        ("scalar", "/chunk_grid/configuration/chunk_shape", json!([1]), "chain.grid", same),
        ("uneven", "/chunk_grid/configuration/chunk_shapes/0/0/1", json!(3), "chain.grid.rectilinear", "/chunk_grid/configuration/chunk_shapes/0"),
        ("delta", "/shape/0", json!(-365), "chain.members", same),
    ]
}

#[test]
fn a_fault_is_found_where_it_is() {
    let (store, documents) = store();
    assert!(documents.len() > 1_000);
    let (code, report) = judged(store.0.path());
    let counts = &report["summary"];
    assert_eq!(
        (code, &counts["rejected"]),
        (Some(0), &json!(0)),
        "{counts}"
    );
    // One codec is known only by name, and two data types are not registered.
    let unknown = ["code", "delta", "raw"];
    assert_eq!(
        counts["not_judged"].as_u64(),
        Some((unknown.len() * EACH) as u64),
        "{counts}"
    );
    let documents_judged = report["documents"].as_array().expect("documents");
    for document in documents_judged
        .iter()
        .filter(|it| it["verdict"] == "not_judged")
    {
        let path = document["path"].as_str().unwrap_or_default();
        let is_one = |kind: &str| path.contains(&format!("/{kind}"));
        assert!(unknown.into_iter().any(is_one), "{path}");
    }

    let mut planted = BTreeMap::new();
    for (number, (kind, pointer, value, clause, place)) in faults().into_iter().enumerate() {
        let path = format!("{kind}{}", 10 + number);
        let mut document = documents[&path].clone();
        *document.pointer_mut(pointer).expect("a value") = value;
        store.write(&path, &document);
        let place = if place.is_empty() { pointer } else { place };
        planted.insert(path, (clause, place));
    }
    assert!(planted.len() >= 30);
    let (code, report) = judged(store.0.path());
    assert_eq!(code, Some(1));
    // A fault that only a ruling forbids is a warning, and does not reject its document.
    let rejected = report["summary"]["rejected"].as_u64();
    assert_eq!(rejected, Some(planted.len() as u64 - 5));
    for document in report["documents"].as_array().expect("documents") {
        let path = Path::new(document["path"].as_str().expect("a path"));
        let path = path.strip_prefix(store.0.path()).expect("below");
        let path = path.parent().map(|path| path.display().to_string());
        let path = path.unwrap_or_default();
        let problems = document["problems"].as_array().expect("problems");
        let Some((clause, place)) = planted.get(&path) else {
            let is_error = |problem: &Value| problem["severity"] == "error";
            assert!(!problems.iter().any(is_error), "{path}: {problems:?}");
            continue;
        };
        let is_found =
            |problem: &&Value| problem["clause"] == *clause && problem["pointer"] == *place;
        let found: Vec<&Value> = problems.iter().filter(is_found).collect();
        let [found] = found[..] else {
            panic!("{path}: {clause} {place}: {problems:?}");
        };
        assert!(found["line"].as_u64() > Some(1), "{path}: {found}");
    }
    // The copies of the group are those of the previous state.
    let root = report["documents"].as_array().and_then(|all| all.first());
    let copies = root.and_then(|root| root["problems"].as_array());
    assert_eq!(copies.map(Vec::len), Some(planted.len()));
}
