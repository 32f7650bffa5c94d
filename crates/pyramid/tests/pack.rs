//! Packed arrays: values are read back within the promised error, or nothing is reported as complete.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fs, thread};

use exactum_pyramid::{Compression, Error, Outcome, Pack, Packing, Part, arrays, check};
use serde_json::{Value, json};

#[path = "support/files.rs"]
mod files;

use files::tree;
use tempfile::tempdir;

fn array(data_type: &str, fill_value: &Value) -> Value {
    json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": [7, 10],
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4, 4]}},
        "chunk_key_encoding": {"name": "default"},
        "fill_value": fill_value,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "attributes": {"units": "K"},
    })
}

/// Returns a value of the array; NaN is among them.
fn value(row: usize, column: usize) -> f32 {
    match (row, column) {
        (2, 3) => f32::NAN,
        _ => [0.0, 0.25, 1.75, 3.126, 9.994][(row * 3 + column) % 5] + 273.0,
    }
}

/// Writes an array of float32, of which the last chunk is not stored.
fn write(folder: &Path) {
    fs::create_dir_all(folder).expect("a folder");
    let document = array("float32", &json!("NaN")).to_string();
    fs::write(folder.join("zarr.json"), document).expect("a document");
    for (at, to) in (0..2).flat_map(|at| (0..3).map(move |to| (at, to))) {
        let values = (0..16).flat_map(|it| value(at * 4 + it / 4, to * 4 + it % 4).to_le_bytes());
        let place = folder.join(format!("c/{at}"));
        fs::create_dir_all(&place).expect("a folder");
        if (at, to) != (1, 2) {
            fs::write(place.join(to.to_string()), values.collect::<Vec<u8>>()).expect("a chunk");
        }
    }
}

/// Stores hundredths above 273 in 16 bits.
fn packing(bound: f64) -> Packing {
    Packing {
        codecs: json!([
            {"name": "scale_offset", "configuration": {"offset": 273, "scale": 100}},
            {"name": "cast_value", "configuration": {
                "data_type": "int16", "rounding": "nearest-even",
                "scalar_map": {"encode": [["NaN", -32768]], "decode": [[-32768, "NaN"]]},
            }},
        ]),
        fill_value: None,
        bound,
        compression: None,
    }
}

fn open(input: &Path, output: &Path, packing: &Packing) -> Pack {
    let opened = Pack::open::<Error>(input, output, |_, document| {
        let is_float = document["data_type"] == "float32";
        Ok(is_float.then(|| packing.clone()))
    });
    opened.expect("arrays that can be packed")
}

fn pack(input: &Path, output: &Path, packing: &Packing, part: Part) -> Result<Outcome, Error> {
    let threads = NonZeroUsize::new(2).expect("two");
    open(input, output, packing).run(part, threads, &|_| ())
}

#[test]
fn what_is_packed_is_read_back_and_reported() {
    let scratch = tempdir().expect("a folder");
    let [input, output] = ["in", "out"].map(|name| scratch.path().join(name));
    write(&input);
    let packing = packing(0.005);
    for round in 0..2 {
        assert_eq!(
            pack(&input, &output, &packing, Part::WHOLE),
            Ok(Outcome::Complete)
        );
        let report = open(&input, &output, &packing).report().expect("a report");
        assert_eq!(report.len(), 1);
        assert_eq!(
            (report[0].before, report[0].after),
            (5 * 64, 5 * 32),
            "round {round}"
        );
        let error = report[0].seen.largest_error;
        // 276.126 is stored as 313, and 282.994 as 999.
        assert!((0.003_9..0.004_1).contains(&error), "{error}");
        assert_eq!(report[0].seen.reserved, 0);
    }
    let text = fs::read_to_string(output.join("zarr.json")).expect("a document");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["attributes"]["units"], "K");
    assert_eq!(document["codecs"].as_array().map(Vec::len), Some(3));
    // The result can be compared with its input, regardless of the program that packed it.
    let one = NonZeroUsize::MIN;
    let checked =
        check(&input, &output, 0.005, one, &|_| ()).expect("the error is within the promise");
    assert_eq!(
        checked.seen,
        open(&input, &output, &packing).report().expect("a report")[0].seen
    );
    let broken = check(&input, &output, 0.003, one, &|_| ());
    assert!(
        matches!(&broken, Err(Error::Promise(words)) if words.contains("exceeds the promised 0.003")),
        "{broken:?}"
    );
    fs::write(output.join("c/0/1"), [0; 32]).expect("a chunk");
    let broken = check(&input, &output, 0.005, one, &|_| ());
    assert!(
        matches!(&broken, Err(Error::Promise(words)) if words.contains("the value at [0, 4] is")),
        "{broken:?}"
    );
}

/// The first value that is not read back within the promised error stops everything. An array of 268,435,456 chunks, of
/// which one is stored, is packed and compared at the cost of one chunk.
#[test]
fn sparse_arrays_are_packed_by_what_is_stored() {
    let scratch = tempdir().expect("a folder");
    let [input, output] = ["in", "out"].map(|name| scratch.path().join(name));
    let mut document = array("float32", &json!("NaN"));
    document["shape"] = json!([1 << 15, 1 << 15]);
    document["chunk_grid"]["configuration"]["chunk_shape"] = json!([2, 2]);
    fs::create_dir_all(input.join("c/9000")).expect("a folder");
    fs::write(input.join("zarr.json"), document.to_string()).expect("a document");
    let values = [273.0f32, 274.25, f32::NAN, 275.126];
    let bytes: Vec<u8> = values.iter().flat_map(|it| it.to_le_bytes()).collect();
    fs::write(input.join("c/9000/777"), bytes).expect("a chunk");
    let packing = packing(0.005);
    let packed = pack(&input, &output, &packing, Part::WHOLE);
    assert_eq!(packed, Ok(Outcome::Complete));
    let report = &open(&input, &output, &packing).report().expect("a report")[0];
    assert_eq!((report.before, report.after), (16, 8));
    assert!((0.003_9..0.004_1).contains(&report.seen.largest_error));
    let made = AtomicU64::new(0);
    let checked = check(&input, &output, 0.005, NonZeroUsize::MIN, &|progress| {
        made.store(progress.all, Ordering::Relaxed);
    });
    assert_eq!(checked.as_ref(), Ok(report));
    assert_eq!(made.into_inner(), 1);
    // The chunk is lost, so that its elements are the fill value now.
    fs::remove_file(output.join("c/9000/777")).expect("a file");
    let broken = check(&input, &output, 0.005, NonZeroUsize::MIN, &|_| ());
    assert!(
        matches!(&broken, Err(Error::Promise(words)) if words.contains("[18000, 1554]")),
        "{broken:?}"
    );
}

#[test]
fn broken_promises_stop() {
    let scratch = tempdir().expect("a folder");
    let [input, output] = ["in", "out"].map(|name| scratch.path().join(name));
    write(&input);
    let wrong = |document: Value| Packing {
        codecs: document,
        fill_value: Some(json!(0)),
        ..packing(0.5)
    };
    let cast = |to: &str, more: Value| {
        let mut cast =
            json!({"data_type": to, "rounding": "nearest-even", "out_of_range": "clamp"});
        if !more.is_null() {
            cast["scalar_map"] = more;
        }
        json!([{"name": "cast_value", "configuration": cast}])
    };
    let zero = json!({"encode": [["NaN", 0]]});
    let low = json!({"encode": [["NaN", 1]], "decode": [[1, "NaN"]]});
    let nan = json!({"encode": [["NaN", 276]], "decode": [[276, "NaN"]]});
    for (packing, words) in [
        (packing(0.0039), "exceeds the promised 0.0039"),
        // NaN is read back as 0, 276 as NaN, and everything above 255 as 255.
        (
            wrong(cast("int16", zero)),
            "is NaN, but is read back as 0: the value is lost",
        ),
        (
            wrong(cast("int16", nan)),
            "but is read back as NaN: the value is lost",
        ),
        (
            wrong(cast("uint8", low)),
            "but is read back as 255: the error 18",
        ),
    ] {
        for _ in 0..2 {
            let made = catch_unwind(|| pack(&input, &output, &packing, Part::WHOLE));
            let made = made.expect("no panic");
            assert!(
                matches!(&made, Err(Error::Promise(message)) if message.contains(words)),
                "{words}: {made:?}"
            );
            assert!(!output.join("zarr.json").exists(), "{words}");
        }
        fs::remove_dir_all(&output).expect("it is gone");
    }
}

/// A value that becomes the fill value is within the promised error, and is counted.
#[test]
fn values_that_become_the_fill_value_are_counted() {
    let scratch = tempdir().expect("a folder");
    let [input, output] = ["in", "out"].map(|name| scratch.path().join(name));
    write(&input);
    let packing = Packing {
        fill_value: Some(json!(276)),
        ..packing(0.2)
    };
    let coarse = json!({"offset": 0, "scale": 1});
    let mut packing = packing;
    packing.codecs[0]["configuration"] = coarse;
    packing.bound = 0.5;
    assert_eq!(
        pack(&input, &output, &packing, Part::WHOLE),
        Ok(Outcome::Complete)
    );
    let report = open(&input, &output, &packing).report().expect("a report");
    let stored = |row: &usize, column: &usize| !(*row >= 4 && *column >= 8);
    let places = (0..7).flat_map(|row| (0..10).map(move |column| (row, column)));
    let expected = places
        .filter(|(row, column)| stored(row, column))
        .filter(|&(row, column)| value(row, column).to_bits() == 276.126_f32.to_bits())
        .count();
    assert!(expected > 3);
    assert_eq!(report[0].seen.reserved, expected as u64);
}

/// Parts, interruptions, and simultaneous runs give the same result.
#[test]
fn parts_and_stops_come_to_the_same() {
    let scratch = tempdir().expect("a folder");
    let [input, whole, output] = ["in", "whole", "out"].map(|name| scratch.path().join(name));
    write(&input);
    let packing = Packing {
        compression: Some(Compression::Zstd(3)),
        ..packing(0.005)
    };
    assert_eq!(
        pack(&input, &whole, &packing, Part::WHOLE),
        Ok(Outcome::Complete)
    );
    let expected = tree(&whole);
    for index in [3, 1, 1, 2] {
        let part = Part::new(index, 3).expect("a part");
        let outcome = pack(&input, &output, &packing, part).expect("a part is packed");
        assert_eq!(
            outcome == Outcome::Complete,
            index == 2,
            "{index}: {outcome:?}"
        );
    }
    assert!(tree(&output) == expected);
    fs::remove_dir_all(&output).expect("it is gone");
    for last in 1..6 {
        let pack = open(&input, &output, &packing);
        let stopping = AssertUnwindSafe(|| {
            pack.run(Part::WHOLE, NonZeroUsize::MIN, &|progress| {
                assert!(progress.made < last, "stopped");
            })
        });
        assert!(catch_unwind(stopping).is_err(), "{last}");
        assert!(!output.join("zarr.json").exists(), "{last}");
        // Lost chunks are packed again.
        let _ = fs::remove_file(output.join("c/0/0"));
    }
    assert_eq!(
        pack(&input, &output, &packing, Part::WHOLE),
        Ok(Outcome::Complete)
    );
    assert!(tree(&output) == expected);
    for _ in 0..8 {
        fs::remove_dir_all(&output).expect("it is gone");
        let outcomes: Vec<_> = thread::scope(|scope| {
            let runs: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| pack(&input, &output, &packing, Part::WHOLE)))
                .collect();
            let runs = runs.into_iter();
            runs.map(|run| run.join().expect("no panic")).collect()
        });
        assert_eq!(outcomes, vec![Ok(Outcome::Complete); 4]);
        assert!(tree(&output) == expected);
    }
}

/// A complete result is checked again.
#[test]
fn what_was_replaced_or_lost_is_noticed() {
    let scratch = tempdir().expect("a folder");
    let [input, output] = ["in", "out"].map(|name| scratch.path().join(name));
    write(&input);
    let packing = packing(0.005);
    let made = |input: &Path| pack(input, &output, &packing, Part::WHOLE);
    assert_eq!(made(&input), Ok(Outcome::Complete));
    let other = scratch.path().join("other");
    write(&other);
    let refused = |input: &Path, words: &str| match made(input) {
        Err(fault) => assert!(fault.to_string().contains(words), "{fault}"),
        Ok(outcome) => panic!("{words}: {outcome:?}"),
    };
    refused(&other, "was made from");
    let chunk = output.join("c/0/0");
    let bytes = fs::read(&chunk).expect("a chunk");
    fs::write(&chunk, &bytes[1..]).expect("it is cut");
    refused(&input, "was changed after it was written");
    fs::write(&chunk, bytes).expect("it is put back");
    assert_eq!(made(&input), Ok(Outcome::Complete));
    write(&input);
    refused(&input, "an earlier state of");
    // A chunk that cannot be read is not treated as a chunk of fill values.
    fs::remove_dir_all(&output).expect("it is gone");
    fs::remove_file(input.join("c/0/0")).expect("it is gone");
    std::os::unix::fs::symlink("nothing", input.join("c/0/0")).expect("a link");
    refused(&input, "leads nowhere");
    assert!(!output.join("zarr.json").exists());
}

/// In a group, floats are packed, and everything else is copied.
#[test]
fn groups_are_packed() {
    let scratch = tempdir().expect("a folder");
    let [input, output] = ["in", "out"].map(|name| scratch.path().join(name));
    write(&input.join("t2m"));
    write(&input.join("deep/tp"));
    let group = json!({"zarr_format": 3, "node_type": "group", "attributes": {"title": "ERA5"},
        "consolidated_metadata": {"kind": "inline", "metadata": {}}});
    for place in ["zarr.json", "deep/zarr.json"] {
        fs::write(input.join(place), group.to_string()).expect("a group");
    }
    let time = input.join("time");
    fs::create_dir_all(time.join("c/0")).expect("a folder");
    let document = array("int64", &json!(0)).to_string();
    fs::write(time.join("zarr.json"), document).expect("a document");
    fs::write(time.join("c/0/1"), [3; 128]).expect("a chunk");
    let found = arrays(&input).expect("arrays");
    let names: Vec<&str> = found.iter().map(|(name, _)| &name[..]).collect();
    assert_eq!(names, ["deep/tp", "t2m", "time"]);
    assert_eq!(
        pack(&input, &output, &packing(0.005), Part::WHOLE),
        Ok(Outcome::Complete)
    );
    let files = tree(&output);
    assert_eq!(files["time/c/0/1"], [3; 128]);
    assert_eq!(files["t2m/c/0/0"].len(), 32);
    assert_eq!(files["t2m/c/0/0"], files["deep/tp/c/0/0"]);
    let root: Value = serde_json::from_slice(&files["zarr.json"]).expect("JSON");
    assert_eq!(root["attributes"]["title"], "ERA5");
    assert!(root.get("consolidated_metadata").is_none());
    let deep: Value = serde_json::from_slice(&files["deep/zarr.json"]).expect("JSON");
    assert_eq!(deep["node_type"], "group");
    let report = open(&input, &output, &packing(0.005))
        .report()
        .expect("a report");
    let names: Vec<&str> = report.iter().map(|packed| &packed.path[..]).collect();
    assert_eq!(names, ["deep/tp", "t2m"]);
    fs::remove_file(output.join("time/zarr.json")).expect("it is gone");
    let made = pack(&input, &output, &packing(0.005), Part::WHOLE);
    assert!(matches!(&made, Err(Error::Output(_))), "{made:?}");
}

/// A link in a group may lead in a circle, or to something missing: either is an error that names it.
#[cfg(unix)]
#[test]
fn links_of_a_group_are_refused() {
    let scratch = tempdir().expect("a folder");
    let input = scratch.path().join("in");
    write(&input.join("t2m"));
    let group = json!({"zarr_format": 3, "node_type": "group"});
    fs::write(input.join("zarr.json"), group.to_string()).expect("a group");
    assert_eq!(arrays(&input).expect("arrays").len(), 1);
    for (name, to) in [("up", "../in"), ("loop", "loop"), ("dangling", "nowhere")] {
        let link = input.join(name);
        std::os::unix::fs::symlink(to, &link).expect("a link");
        let found = arrays(&input);
        let fault = found.expect_err("a link").to_string();
        assert!(fault.contains(&link.display().to_string()), "{fault}");
        fs::remove_file(&link).expect("it is gone");
    }
    std::os::unix::fs::symlink("zarr.json", input.join("file")).expect("a link");
    assert_eq!(arrays(&input).expect("arrays").len(), 1);
}
