//! Views that are opened by their documents: every element equals the reference, when read and when written,
//! and views that cannot be opened are refused.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use exactum_model::{
    Array, DataType, Domain, Downsample, Level, Method, OutputMap, Placed, Selected, Source as _,
    Transform,
};
use exactum_pyramid::{Outcome, Part, Scan, View};
use serde_json::{Value, json};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{Bytes, StoreKey, WritableStorageTraits as _};

#[path = "view/demanded.rs"]
mod demanded;
#[path = "view/sparse.rs"]
mod sparse;

#[path = "support/arrays.rs"]
mod arrays;

use arrays::{read_array, write_array};
use tempfile::{TempDir, tempdir};

const SHAPE: [u64; 2] = [23, 31];

fn document() -> Value {
    json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": SHAPE,
        "data_type": "int16",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [8, 8]}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 7,
        "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "crc32c"}],
        "dimension_names": ["y", "x"],
        "attributes": {"dimension_units": ["4 nm", null], "who": "me"},
    })
}

fn elements() -> Array {
    let values = (0..SHAPE[0] * SHAPE[1]).flat_map(|at| {
        let value = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50;
        value.to_le_bytes().into_iter().take(2)
    });
    Array::new(DataType::Int16, SHAPE.to_vec(), values.collect()).expect("elements")
}

/// Writes the array.
fn write(folder: &Path) -> Array {
    let array = elements();
    write_array(folder, &document(), &array);
    array
}

fn read(folder: &Path) -> (Array, Value) {
    let text = fs::read_to_string(folder.join("zarr.json")).expect("a document");
    let document = serde_json::from_str(&text).expect("JSON");
    (read_array(folder, DataType::Int16), document)
}

fn zarr3(folder: &Path) -> Value {
    json!({"driver": "zarr3", "kvstore": {"driver": "file", "path": folder}})
}

fn view(base: &Value, factors: &[u64], method: &str) -> Value {
    json!({"driver": "downsample", "base": base, "downsample_factors": factors, "downsample_method": method})
}

fn levels(levels: &[(&[u64], Method)]) -> Vec<Level> {
    let levels = levels.iter();
    levels
        .map(|&(factors, method)| Level::new(factors.to_vec(), method).expect("a level"))
        .collect()
}

/// Returns the reference's result for an array that begins at an origin.
fn expected(
    array: &Array,
    origin: &[i64],
    levels: Vec<Level>,
    transform: Option<Transform>,
) -> Placed {
    let placed = Placed::new(array.clone(), origin.to_vec()).expect("placed");
    let view = Downsample { levels, transform };
    exactum_reference::downsample::read(&view, &placed).expect("the reference reads it")
}

fn with(document: &Value, pointer: &str, member: &str, value: Value) -> Value {
    let mut document = document.clone();
    document.pointer_mut(pointer).expect("an object")[member] = value;
    document
}

/// Reads a view as a whole and in pieces, and writes it.
fn check(scratch: &TempDir, name: &str, document: &Value, expected: &Placed) -> Value {
    let file = scratch.path().join(format!("{name}.json"));
    fs::write(&file, document.to_string()).expect("a document");
    let view = View::open(&file).unwrap_or_else(|fault| panic!("{document}: {fault}"));
    assert_eq!(view.domain(), expected.domain(), "{document}");
    let all = view.read(&view.domain()).expect("it is read");
    assert_eq!(&all, expected.array(), "{document}");
    for region in pieces(&view.domain()) {
        assert_eq!(
            view.read(&region),
            expected.read(&region),
            "{document} {region}"
        );
    }
    let folder = scratch.path().join(name);
    // Writes the view in two shares. The first of them runs again at the end.
    for index in [1, 2, 1] {
        let part = Part::new(index, 2).expect("a share");
        let threads = NonZeroUsize::new(2).expect("two");
        let outcome = view.write(&folder, part, threads, &|_| ());
        let outcome = outcome.unwrap_or_else(|fault| panic!("{document}: {fault}"));
        if index == 2 {
            assert_eq!(outcome, Outcome::Complete, "{document}");
        }
    }
    let (written, text) = read(&folder);
    assert_eq!(&written, expected.array(), "{document}");
    assert_eq!(text["attributes"]["exactum_downsample"]["view"], *document);
    text
}

/// Returns a few boxes of a domain.
fn pieces(domain: &Domain) -> Vec<Domain> {
    let cut = |from: u64, to: u64| {
        Domain::of_intervals(domain.intervals().map(|own| {
            let extent = own.end.abs_diff(own.start);
            let at = |part: u64| own.start.saturating_add_unsigned(extent * part / 4);
            at(from)..at(to)
        }))
    };
    vec![cut(0, 2), cut(1, 3), cut(2, 2), cut(3, 4)]
}

fn moved(minimum: [i64; 2], shape: [u64; 2], offsets: [i64; 2]) -> Value {
    json!({
        "input_inclusive_min": minimum,
        "input_shape": shape,
        "output": [
            {"offset": offsets[0], "input_dimension": 0},
            {"offset": offsets[1], "input_dimension": 1},
        ],
    })
}

#[test]
fn arrays_of_folders_are_downsampled() {
    let scratch = tempdir().expect("a folder");
    let array = write(&scratch.path().join("array"));
    let base = zarr3(&scratch.path().join("array"));
    for &method in Method::ALL {
        for factors in [[2, 3], [1, 1], [5, 1000]] {
            let name = format!("{method}-{factors:?}");
            let document = view(&base, &factors, method.name());
            let expected = expected(&array, &[0, 0], levels(&[(&factors, method)]), None);
            let text = check(&scratch, &name, &document, &expected);
            assert_eq!(text["codecs"], self::document()["codecs"]);
            assert_eq!(text["dimension_names"], json!(["y", "x"]));
            let unit = format!("{} nm", 4 * factors[0]);
            assert_eq!(text["attributes"]["dimension_units"], json!([unit, null]));
        }
    }
    let folder = scratch.path().join("array");
    let url = format!("file://{}/|zarr3:", folder.display()).replace("view", "%76iew");
    let document = view(&json!(url), &[2, 2], "mean");
    let mean = expected(&array, &[0, 0], levels(&[(&[2, 2], Method::Mean)]), None);
    check(&scratch, "url", &document, &mean);
    let parts = json!({"driver": "zarr3", "kvstore": format!("file://{}", scratch.as_ref().display()), "path": "array"});
    check(&scratch, "path", &view(&parts, &[2, 2], "mean"), &mean);
}

#[test]
fn transforms_and_levels_are_those_of_the_documents() {
    let scratch = tempdir().expect("a folder");
    let array = write(&scratch.path().join("array"));
    let base = zarr3(&scratch.path().join("array"));
    // The base begins at (-5, 4). Its element at a position is the element of the array at this position plus (5, -4).
    let base = with(&base, "", "transform", moved([-5, 4], [23, 31], [5, -4]));
    let document = view(&base, &[3, 2], "mode");
    let level: &[(&[u64], Method)] = &[(&[3, 2], Method::Mode)];
    let mode = expected(&array, &[-5, 4], levels(level), None);
    assert_eq!(mode.domain().origin(), [-2, 2]);
    let text = check(&scratch, "moved", &document, &mode);
    assert!(text.get("dimension_names").is_none());
    // A view of that view, with its columns reversed, every second row, and each row turned into a column.
    let outer = view(&document, &[2, 1], "max");
    let both: &[(&[u64], Method)] = &[(&[3, 2], Method::Mode), (&[2, 1], Method::Max)];
    check(
        &scratch,
        "nested",
        &outer,
        &expected(&array, &[-5, 4], levels(both), None),
    );
    let turned = json!({
        "input_inclusive_min": [0, 1],
        "input_exclusive_max": [10, 3],
        "output": [
            {"offset": -2, "stride": 1, "input_dimension": 1},
            {"offset": 12, "stride": -1, "input_dimension": 0},
        ],
    });
    let dimension = |offset, stride, input| OutputMap {
        offset,
        stride,
        selected: Selected::Dimension(input),
    };
    let transform = Transform::new(
        Domain::of_intervals([0..10, 1..3]),
        vec![dimension(-2, 1, 1), dimension(12, -1, 0)],
    );
    let transform = Some(transform.expect("a transform"));
    let document = with(&outer, "", "transform", turned);
    check(
        &scratch,
        "turned",
        &document,
        &expected(&array, &[-5, 4], levels(both), transform),
    );
    let indices = json!({
        "input_inclusive_min": [7],
        "input_exclusive_max": [11],
        "output": [{"index_array": [1, 0, 1, -1]}, {"offset": 3}],
    });
    let document = with(&outer, "", "transform", indices);
    let read = View::parse(&document.to_string()).expect("a view");
    assert_eq!(read.domain(), Domain::of_intervals(std::iter::once(7..11)));
    let all = expected(&array, &[-5, 4], levels(both), None);
    for (at, row) in [(7, 1), (8, 0), (9, 1), (10, -1)] {
        let own = read.read(&Domain::of_intervals(std::iter::once(at..at + 1)));
        let there = all.read(&Domain::of_intervals([row..row + 1, 3..4]));
        assert_eq!(own.map(Array::into_data), there.map(Array::into_data));
    }
}

#[test]
fn elements_of_a_document_are_downsampled() {
    let scratch = tempdir().expect("a folder");
    let base = json!({"driver": "array", "dtype": "int16", "array": [[1, 2, 3], [4, 5, -9]]});
    let array = Array::new(
        DataType::Int16,
        vec![2, 3],
        [1i16, 2, 3, 4, 5, -9]
            .iter()
            .flat_map(|it| it.to_le_bytes())
            .collect(),
    )
    .expect("an array");
    let median = expected(&array, &[0, 0], levels(&[(&[2, 2], Method::Median)]), None);
    let text = check(&scratch, "median", &view(&base, &[2, 2], "median"), &median);
    assert_eq!(text["fill_value"], 0);
    let point = json!({"driver": "array", "dtype": "int16", "array": 5});
    let array = Array::new(DataType::Int16, vec![], vec![5, 0]).expect("an array");
    check(
        &scratch,
        "point",
        &view(&point, &[], "mean"),
        &expected(&array, &[], levels(&[(&[], Method::Mean)]), None),
    );
}

#[test]
fn arrays_of_memory_are_those_that_were_put_there() {
    let memory = Arc::new(MemoryStore::new());
    let key = |path: &str| StoreKey::new(path).expect("a key");
    let put = |path: &str, bytes: &[u8]| {
        memory
            .set(&key(path), Bytes::from(bytes.to_vec()))
            .expect("it is put");
    };
    let one = with(&document(), "", "shape", json!([2, 2]));
    put("a/b/zarr.json", one.to_string().as_bytes());
    let kvstores = [
        json!({"driver": "memory", "path": "a/b/"}),
        json!("memory://a/b"),
    ];
    for kvstore in kvstores {
        let base = json!({"driver": "zarr3", "kvstore": kvstore});
        let text = view(&base, &[2, 2], "min").to_string();
        let view = View::with_memory(&text, &memory).expect("an array");
        let all = view.read(&view.domain()).expect("fill values");
        assert_eq!(all.data(), [7, 0]);
        let fault = View::parse(&text)
            .expect_err("nothing is there")
            .to_string();
        assert!(fault.contains("its own process has put there"), "{fault}");
    }
}

/// Views that cannot be opened are refused with these messages.
#[test]
fn what_cannot_be_opened_is_refused() {
    let scratch = tempdir().expect("a folder");
    let good = scratch.path().join("array");
    write(&good);
    let missing = scratch.path().join("missing");
    let broken = scratch.path().join("broken");
    fs::create_dir_all(&broken).expect("a folder");
    fs::write(broken.join("zarr.json"), "{\"zarr_format\": 3,}").expect("a file");
    let complex = scratch.path().join("complex");
    fs::create_dir_all(&complex).expect("a folder");
    let text = with(&document(), "", "data_type", json!("complex64"));
    let text = with(&text, "", "fill_value", json!([0, 0]));
    fs::write(complex.join("zarr.json"), text.to_string()).expect("a file");
    let opened =
        "the supported drivers are array, downsample, and zarr3 on the stores file and memory";
    for (base, words) in [
        (
            json!({"driver": "zarr", "kvstore": {"driver": "file", "path": good}}),
            opened,
        ),
        (
            json!({"driver": "n5", "kvstore": {"driver": "file", "path": good}}),
            opened,
        ),
        (
            json!({"driver": "zarr3", "kvstore": {"driver": "gcs", "bucket": "b"}}),
            opened,
        ),
        (
            json!({"driver": "zarr3", "kvstore": "s3://b/array"}),
            opened,
        ),
        (
            json!({"driver": "zarr3", "kvstore": {"driver": "file"}}),
            "needs a path",
        ),
        (json!({"driver": "zarr3", "kvstore": 7}), "is not a store"),
        (json!({"driver": "zarr3"}), "needs kvstore"),
        (
            json!(format!("file://{}", good.display())),
            "does not state that the array is zarr3",
        ),
        (json!(format!("file://{}|zarr:", good.display())), opened),
        (
            json!(format!("file://{}?a|zarr3:", good.display())),
            "must end with its path",
        ),
        (zarr3(&missing), "there is no Zarr 3 array"),
        (zarr3(&broken), "cannot be read"),
        (zarr3(&complex), "median is not defined for complex64"),
        (
            json!({"driver": "array", "dtype": "string", "array": [["a"]]}),
            "an array of string",
        ),
    ] {
        let document = view(&base, &[2, 2], "median");
        let fault = View::parse(&document.to_string()).expect_err("it stays closed");
        assert!(fault.to_string().contains(words), "{document}: {fault}");
    }
}

#[test]
fn what_breaks_while_it_is_read_is_an_error() {
    let scratch = tempdir().expect("a folder");
    let folder = scratch.path().join("array");
    write(&folder);
    let file = folder.join("c/1/1");
    let mut bytes = fs::read(&file).expect("a chunk");
    bytes[3] ^= 1;
    fs::write(&file, bytes).expect("it is written");
    let text = view(&zarr3(&folder), &[2, 2], "mean").to_string();
    let view = View::parse(&text).expect("its document is right");
    // zarrs does not check the checksum for a part of a chunk.
    let region = |start: i64| Domain::of_intervals([start..start + 4, start..start + 4]);
    assert!(view.read(&region(0)).is_ok());
    assert!(view.read(&region(4)).is_err());
    let output = scratch.path().join("output");
    let threads = NonZeroUsize::MIN;
    let write = |view: &View| view.write(&output, Part::WHOLE, threads, &|_| ());
    assert!(write(&view).is_err());
    // The output is not an array before it is complete. A repaired chunk makes its array a different array, from which
    // the other chunks may have been made as well.
    assert!(!output.join("zarr.json").exists());
    self::write(&folder);
    let fault = write(&view).expect_err("another base");
    assert!(fault.to_string().contains("an earlier state of"), "{fault}");
    fs::remove_dir_all(&output).expect("it is gone");
    assert_eq!(write(&view), Ok(Outcome::Complete));
    assert_eq!(write(&view), Ok(Outcome::Complete));
    // This also applies to a complete result: neither a replaced base nor a lost chunk goes unnoticed.
    let chunk = output.join("c/0/0");
    let bytes = fs::read(&chunk).expect("a chunk");
    fs::remove_file(&chunk).expect("it is gone");
    let fault = write(&view).expect_err("a chunk is gone");
    assert!(
        fault
            .to_string()
            .contains("was changed after it was written"),
        "{fault}"
    );
    fs::write(&chunk, bytes).expect("it is put back");
    assert_eq!(write(&view), Ok(Outcome::Complete));
    self::write(&folder);
    let fault = write(&view).expect_err("another base");
    assert!(fault.to_string().contains("an earlier state of"), "{fault}");
    let other = text.replace("mean", "max");
    let fault = write(&View::parse(&other).expect("a view")).expect_err("another view");
    assert!(fault.to_string().contains("is not this view"), "{fault}");
}
