//! Tests pyramids of arrays in folders: every level equals the reference, regardless of which process makes which part
//! of it and of how often it is interrupted.

#![expect(
    clippy::cast_possible_truncation,
    reason = "the elements of the tests are the low bits of numbers"
)]

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use exactum_model::{
    Array, DataType, Downsample, Level, Method, NanPolicy, Omission, Scalar, Source as _,
};
use exactum_pyramid::{Error, Options, Outcome, Part, Pyramid};
use serde_json::{Value, json};

#[path = "pyramid/one_pass.rs"]
mod one_pass;
#[path = "pyramid/refused.rs"]
mod refused;
#[path = "pyramid/whole.rs"]
mod whole;

#[path = "support/arrays.rs"]
mod arrays;
#[path = "support/files.rs"]
mod files;

use arrays::{read_array, write_array};
use files::tree;
use tempfile::{TempDir, tempdir};

const SHAPE: [u64; 3] = [3, 37, 29];

/// Returns elements of which some blocks are all zeros, and others have every bit pattern.
fn elements(data_type: DataType) -> Vec<u8> {
    let width = data_type.element_bytes();
    let mask = data_type.format().component_mask();
    let count = SHAPE.iter().product::<u64>() as usize;
    let mut elements = Vec::new();
    for at in 0..count {
        let zero = at / 29 % 37 > 20 && at % 29 > 15;
        let mut bytes = ((at as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835) >> 5)
            .to_le_bytes();
        if zero {
            bytes = [0; 16];
        } else if width == 1 {
            bytes[0] &= mask as u8;
        }
        elements.extend_from_slice(&bytes[..width]);
    }
    elements
}

fn document(data_type: DataType, codecs: &Value) -> Value {
    json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": SHAPE,
        "data_type": data_type.name(),
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, 8, 8]}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": match data_type {
            DataType::Bool => json!(false),
            DataType::Complex64 => json!([0, 0]),
            _ => json!(0),
        },
        "codecs": codecs,
        "dimension_names": ["c", "y", "x"],
    })
}

/// Writes an array.
fn write(folder: &Path, data_type: DataType, document: &Value) -> Array {
    let array = Array::new(data_type, SHAPE.to_vec(), elements(data_type)).expect("elements");
    write_array(folder, document, &array);
    array
}

fn threads(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).expect("at least one")
}

fn make(input: &Path, output: &Path, options: &Options, part: Part) -> Result<Outcome, Error> {
    Pyramid::open(input, output, options)?.run(part, threads(2), &|_| ())
}

/// Makes a pyramid and compares every level with the reference.
fn check(name: &str, data_type: DataType, codecs: &Value, options: &Options) {
    let scratch = tempdir().expect("a folder");
    let [input, output] = ["in.zarr", "out.zarr"].map(|name| scratch.path().join(name));
    let base = write(&input, data_type, &document(data_type, codecs));
    assert_eq!(
        make(&input, &output, options, Part::WHOLE),
        Ok(Outcome::Complete),
        "{name}"
    );
    let levels = options.levels.expect("a number") as usize;
    assert_eq!(
        read_array(&output.join("0"), data_type),
        base,
        "{name}: level 0"
    );
    for level in 1..=levels {
        let step = |factors: Vec<u64>| Level::new(factors, options.method).expect("a level");
        let of = |level: usize| match &options.factors[..] {
            [all] => all.clone(),
            each => each[level - 1].clone(),
        };
        let product = |of: Vec<u64>, more: Vec<u64>| -> Vec<u64> {
            of.iter().zip(&more).map(|(one, more)| one * more).collect()
        };
        let steps: Vec<Level> = match options.from_base {
            true => vec![step((1..=level).map(of).reduce(product).expect("factors"))],
            false => (1..=level).map(|level| step(of(level))).collect(),
        };
        let omission = Omission {
            skip_value: options
                .skip_value
                .as_ref()
                .map(|_| Scalar::new(data_type, 0)),
            nan: options.nan,
        };
        let steps = steps.into_iter();
        let view = Downsample {
            levels: steps.map(|step| step.with_omission(omission)).collect(),
            transform: None,
        };
        let expected = exactum_reference::downsample::read(&view, &base).expect("a view");
        let expected = expected.read(&expected.domain()).expect("all of it");
        let made = read_array(&output.join(level.to_string()), data_type);
        let float = data_type.format().float();
        assert_eq!(made.shape(), expected.shape(), "{name}: level {level}");
        for (at, (a, b)) in made.components().zip(expected.components()).enumerate() {
            let nans = float.is_some_and(|float| float.is_nan(a) && float.is_nan(b));
            assert!(
                a == b || nans,
                "{name}: level {level}, component {at}: {a:#x} {b:#x}"
            );
        }
    }
    // Chunks that contain only the fill value are not stored.
    assert!(!output.join("0/c/0/4/3").exists(), "{name}");
    assert!(output.join("1/c/0/0/0").exists(), "{name}");
    assert_eq!(
        make(&input, &output, options, Part::WHOLE),
        Ok(Outcome::Complete),
        "{name}"
    );
}

fn options(method: Method) -> Options {
    Options::new(vec![1, 2, 2], method).with_levels(3)
}

fn bytes() -> Value {
    json!([{"name": "bytes", "configuration": {"endian": "little"}}])
}

#[test]
fn every_data_type() {
    for data_type in [
        DataType::Bool,
        DataType::Int4,
        DataType::Uint8,
        DataType::Int16,
        DataType::Uint64,
        DataType::Float16,
        DataType::Float32,
        DataType::Float64,
        DataType::Complex64,
    ] {
        for &method in Method::ALL {
            if method.require(data_type).is_ok() {
                let name = format!("{data_type}-{}", method.name());
                check(&name, data_type, &bytes(), &options(method));
                check(&name, data_type, &bytes(), &options(method).from_base());
            }
        }
    }
}

/// A background of zeros does not count, and NaN is treated as requested.
#[test]
fn what_is_left_out() {
    let background = |method| options(method).with_skip_value("0");
    let codecs = bytes();
    check(
        "labels",
        DataType::Uint16,
        &codecs,
        &background(Method::Mode),
    );
    check(
        "mask",
        DataType::Float32,
        &codecs,
        &background(Method::Mean),
    );
    check(
        "labels-from-base",
        DataType::Uint16,
        &codecs,
        &background(Method::Mode).from_base(),
    );
    for (name, nan) in [
        ("skip", NanPolicy::Skip),
        ("propagate", NanPolicy::Propagate),
    ] {
        for method in [Method::Mean, Method::Min, Method::Median] {
            let options = options(method).with_nan(nan);
            check(name, DataType::Float16, &codecs, &options);
            check(name, DataType::Float32, &codecs, &options.from_base());
        }
    }
}

#[test]
fn every_codec() {
    let blosc = |cname: &str, shuffle: &str| {
        json!({"name": "blosc", "configuration":
            {"cname": cname, "clevel": 5, "shuffle": shuffle, "typesize": 2, "blocksize": 0}})
    };
    let bytes = json!({"name": "bytes", "configuration": {"endian": "big"}});
    let crc = json!({"name": "crc32c"});
    let gzip = json!({"name": "gzip", "configuration": {"level": 5}});
    let zstd = json!({"name": "zstd", "configuration": {"level": 3, "checksum": true}});
    let transpose = json!({"name": "transpose", "configuration": {"order": [2, 0, 1]}});
    let sharding = json!({"name": "sharding_indexed", "configuration": {
        "chunk_shape": [1, 4, 8], "codecs": [bytes, zstd],
        "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, crc],
    }});
    let packed = json!([
        {"name": "cast_value", "configuration": {"data_type": "int32"}},
        {"name": "bytes", "configuration": {"endian": "little"}},
    ]);
    let rows = [
        ("gzip", json!([bytes, gzip])),
        ("zstd", json!([bytes, zstd])),
        ("crc32c", json!([bytes, crc])),
        ("transpose", json!([transpose, bytes])),
        ("sharding", json!([sharding])),
        ("lz4", json!([bytes, blosc("lz4", "bitshuffle")])),
        ("zlib", json!([bytes, blosc("zlib", "shuffle")])),
        ("blosc-zstd", json!([bytes, blosc("zstd", "noshuffle")])),
        ("blosclz", json!([bytes, blosc("blosclz", "shuffle")])),
        ("cast_value", packed),
    ];
    for (name, codecs) in rows {
        let scratch = tempdir().expect("a folder");
        // The codec `blosc` is registered while a pyramid is open.
        let input = scratch.path().join("in.zarr");
        write(
            &input,
            DataType::Uint16,
            &document(DataType::Uint16, &self::bytes()),
        );
        let open = Pyramid::open(
            &input,
            &scratch.path().join("out.zarr"),
            &options(Method::Mean),
        );
        check(name, DataType::Uint16, &codecs, &options(Method::Mean));
        check(
            name,
            DataType::Uint16,
            &codecs,
            &options(Method::Mean).from_base(),
        );
        drop(open);
    }
}

/// Pieces exist, have the wrong length, or are missing. Those that cannot be used are made from the array.
#[test]
fn pieces_are_made_again() {
    let scratch = tempdir().expect("a folder");
    let [input, whole, stopped] =
        ["in.zarr", "whole.zarr", "stopped.zarr"].map(|name| scratch.path().join(name));
    let data_type = DataType::Float32;
    write(&input, data_type, &document(data_type, &bytes()));
    let options = options(Method::Mean).from_base();
    assert_eq!(
        make(&input, &whole, &options, Part::WHOLE),
        Ok(Outcome::Complete)
    );
    let pieces = stopped.join(".exactum-downsample/pieces/0");
    // Stops after this number of regions of the levels made from pieces.
    for last in [1, 1, 1] {
        let pyramid = Pyramid::open(&input, &stopped, &options).expect("a pyramid");
        let made = AtomicU64::new(0);
        let stopping = AssertUnwindSafe(|| {
            pyramid.run(Part::WHOLE, threads(2), &|_| {
                if pieces.exists() {
                    assert!(made.fetch_add(1, Ordering::Relaxed) < last, "stopped");
                }
            })
        });
        assert!(catch_unwind(stopping).is_err(), "{last}");
        for (at, entry) in fs::read_dir(&pieces).expect("pieces").enumerate() {
            let path = entry.expect("an entry").path();
            match at % 3 {
                0 => fs::remove_file(&path).expect("it is gone"),
                1 => fs::write(&path, [1]).expect("it is cut"),
                _ => {}
            }
        }
    }
    assert_eq!(
        make(&input, &stopped, &options, Part::WHOLE),
        Ok(Outcome::Complete)
    );
    assert!(tree(&stopped) == tree(&whole));
}

#[test]
fn factors_that_divide_nothing() {
    for factors in [[1, 3, 5], [2, 1, 1], [3, 40, 2]] {
        let options = Options::new(factors.to_vec(), Method::Max).with_levels(3);
        check("factors", DataType::Int16, &bytes(), &options);
        check("factors", DataType::Int16, &bytes(), &options.from_base());
    }
}

/// Each level may have separate factors, which anisotropic volumes need.
#[test]
fn factors_for_each_level() {
    for method in [Method::Max, Method::Mean, Method::Mode, Method::Stride] {
        let factors = vec![vec![1, 2, 2], vec![3, 1, 2], vec![1, 4, 1]];
        let options = Options::with_factors(factors, method).with_levels(3);
        check("each", DataType::Int16, &bytes(), &options);
        check("each", DataType::Int16, &bytes(), &options.from_base());
    }
}

#[test]
fn parts_come_to_the_same_in_any_order() {
    let scratch = tempdir().expect("a folder");
    let input = scratch.path().join("in.zarr");
    let data_type = DataType::Uint8;
    write(&input, data_type, &document(data_type, &bytes()));
    for from_base in [false, true] {
        let options = match from_base {
            true => options(Method::Mode).from_base(),
            false => options(Method::Mode),
        };
        let whole = scratch.path().join("whole.zarr");
        assert_eq!(
            make(&input, &whole, &options, Part::WHOLE),
            Ok(Outcome::Complete)
        );
        let expected = tree(&whole);
        for (count, order) in [(2, &[2, 1][..]), (5, &[3, 3, 1, 5, 2, 4]), (40, &[])] {
            let order: Vec<u64> = if order.is_empty() {
                (1..=count).rev().collect()
            } else {
                order.to_vec()
            };
            let parts = scratch.path().join("parts.zarr");
            for (at, &index) in order.iter().enumerate() {
                let part = Part::new(index, count).expect("a part");
                let outcome = make(&input, &parts, &options, part).expect("a part is made");
                let last = at + 1 == order.len();
                assert_eq!(
                    outcome == Outcome::Complete,
                    last,
                    "{index}/{count}: {outcome:?}"
                );
            }
            assert!(tree(&parts) == expected, "{count} parts");
            fs::remove_dir_all(parts).expect("it is gone");
        }
        fs::remove_dir_all(whole).expect("it is gone");
    }
}

#[test]
fn what_was_stopped_goes_on() {
    let scratch = tempdir().expect("a folder");
    let [input, whole, stopped] =
        ["in.zarr", "whole.zarr", "stopped.zarr"].map(|name| scratch.path().join(name));
    let data_type = DataType::Int16;
    write(&input, data_type, &document(data_type, &bytes()));
    let options = options(Method::Median);
    assert_eq!(
        make(&input, &whole, &options, Part::WHOLE),
        Ok(Outcome::Complete)
    );
    for last in [1, 10, 30, 60] {
        let pyramid = Pyramid::open(&input, &stopped, &options).expect("a pyramid");
        let stopping = AssertUnwindSafe(|| {
            pyramid.run(Part::WHOLE, threads(2), &|progress| {
                assert!(progress.made < last, "stopped");
            })
        });
        assert!(catch_unwind(stopping).is_err(), "{last}");
        assert!(!stopped.join("zarr.json").exists());
        // Leftovers of another writer: a chunk that is not recorded, one that is recorded with another size,
        // one that is recorded without a size, and the beginning of a line.
        fs::create_dir_all(stopped.join("3/c/0/0")).expect("a folder");
        fs::write(stopped.join("3/c/0/0/0"), "torn").expect("a file");
        fs::write(
            stopped.join(".exactum-downsample/part-9-of-9-1-1"),
            "3 0 63\n3 1 64\n3 2\n3 ",
        )
        .expect("a file");
    }
    assert_eq!(
        make(&input, &stopped, &options, Part::WHOLE),
        Ok(Outcome::Complete)
    );
    assert!(tree(&stopped) == tree(&whole));
}

#[test]
fn an_image_stays_one() {
    let scratch = tempdir().expect("a folder");
    let input = scratch.path().join("in.zarr");
    let data_type = DataType::Uint8;
    write(&input.join("s0"), data_type, &document(data_type, &bytes()));
    let group = json!({"zarr_format": 3, "node_type": "group", "attributes": {"ome": {
        "version": "0.5",
        "multiscales": [{
            "name": "cells",
            "axes": [{"name": "c", "type": "channel"}, {"name": "y", "type": "space", "unit": "micrometer"},
                     {"name": "x", "type": "space", "unit": "micrometer"}],
            "datasets": [
                {"path": "s0", "coordinateTransformations": [
                    {"type": "scale", "scale": [1, 0.5, 0.25]},
                    {"type": "translation", "translation": [0, 10, 20]}]},
                {"path": "s1", "coordinateTransformations": [{"type": "scale", "scale": [1, 1, 1]}]},
            ],
        }],
        "omero": {"channels": []},
    }}});
    fs::write(input.join("zarr.json"), group.to_string()).expect("a group");
    for (method, first) in [
        (Method::Mean, json!([0.0, 10.25, 20.125])),
        (Method::Stride, json!([0.0, 10.0, 20.0])),
    ] {
        let output = scratch.path().join(method.name());
        assert_eq!(
            make(&input, &output, &options(method), Part::WHOLE),
            Ok(Outcome::Complete)
        );
        let text = fs::read_to_string(output.join("zarr.json")).expect("a group");
        let made: Value = serde_json::from_str(&text).expect("JSON");
        let ome = &made["attributes"]["ome"];
        assert_eq!(ome["version"], "0.5");
        assert_eq!(ome["omero"], json!({"channels": []}));
        let multiscale = &ome["multiscales"][0];
        assert_eq!(multiscale["name"], "cells");
        assert_eq!(multiscale["datasets"].as_array().map(Vec::len), Some(4));
        assert_eq!(multiscale["datasets"][1]["path"], "1");
        let transformations = &multiscale["datasets"][1]["coordinateTransformations"];
        assert_eq!(transformations[0]["scale"], json!([1.0, 1.0, 0.5]));
        assert_eq!(transformations[1]["translation"], first);
    }
}
