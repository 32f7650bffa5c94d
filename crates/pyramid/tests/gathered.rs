//! Strided and indexed views of stored arrays: every chunk that contains a requested element is decoded once,
//! and no other is.

use std::collections::BTreeSet;
use std::sync::Arc;

use exactum_metadata::downsample::parse_transform;
use exactum_model::{Array, DataType, Domain, Downsample, Level, Method, Placed, Source as _};
use exactum_pyramid::View;
use exactum_zarrs_plugins::{from_little, register};
use serde_json::{Value, json};
use zarrs::array::{ArrayBytes, ArraySubset};
use zarrs::storage::storage_adapter::performance_metrics::PerformanceMetricsStorageAdapter;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ReadableStorage, StoreKey, WritableStorageTraits as _};

const SHAPE: [u64; 2] = [120, 150];
const CHUNK: [u64; 2] = [16, 20];

fn elements() -> Array {
    let values = (1..=SHAPE[0] * SHAPE[1]).flat_map(|at| {
        let value = at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50;
        (value | 1).to_le_bytes().into_iter().take(2)
    });
    Array::new(DataType::Int16, SHAPE.to_vec(), values.collect()).expect("elements")
}

/// Returns a store that counts how much of its array is read.
fn store(codecs: &Value) -> Arc<PerformanceMetricsStorageAdapter<MemoryStore>> {
    let document = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": SHAPE,
        "data_type": "int16",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": CHUNK}},
        "chunk_key_encoding": {"name": "default"},
        "fill_value": 0,
        "codecs": codecs,
    });
    let memory = Arc::new(MemoryStore::new());
    let key = StoreKey::new("array/zarr.json").expect("a key");
    let text = document.to_string().into_bytes();
    memory.set(&key, text.into()).expect("it is put");
    let registration = register();
    let array = registration
        .open(memory.clone(), "/array")
        .expect("an array");
    let mut bytes = elements().into_data();
    from_little(DataType::Int16, &mut bytes);
    let all = ArraySubset::new_with_shape(SHAPE.to_vec());
    array
        .store_array_subset(&all, ArrayBytes::new_flen(bytes))
        .expect("it is stored");
    Arc::new(PerformanceMetricsStorageAdapter::new(memory))
}

/// A case: a transform of the array, a level of the transformed array, and another transform of that level.
struct Case {
    base: Value,
    factors: [u64; 2],
    method: Method,
    transform: Value,
}

/// Returns the elements of the reference, and the chunks from which they are made.
fn expected(case: &Case) -> (Placed, BTreeSet<Vec<i64>>) {
    let array = elements();
    let view = |source: &Placed, levels: Vec<Level>, transform: &Value| {
        let of = Downsample {
            levels: levels.clone(),
            transform: None,
        };
        let (_, domain) = of.domains(source).expect("a domain");
        let transform = parse_transform(&transform.to_string(), &domain).expect("a transform");
        let of = Downsample {
            levels,
            transform: Some(transform.clone()),
        };
        let read = exactum_reference::downsample::read(&of, source);
        (read.expect("the reference reads it"), transform)
    };
    let whole = Placed::new(array, vec![0, 0]).expect("placed");
    let (base, inner) = view(&whole, Vec::new(), &case.base);
    let level = Level::new(case.factors.to_vec(), case.method).expect("a level");
    let (made, outer) = view(&base, vec![level.clone()], &case.transform);
    let mut chunks = BTreeSet::new();
    for position in made.domain().positions() {
        for of in level
            .block(&base.domain(), &outer.apply(&position))
            .positions()
        {
            let from = inner.apply(&of).into_iter().zip(CHUNK);
            chunks.insert(from.map(|(at, chunk)| at / chunk.cast_signed()).collect());
        }
    }
    (made, chunks)
}

fn check(name: &str, case: &Case) {
    let document = json!({
        "driver": "downsample",
        "base": {
            "driver": "zarr3",
            "kvstore": {"driver": "memory", "path": "array"},
            "transform": case.base,
        },
        "downsample_factors": case.factors,
        "downsample_method": case.method.name(),
        "transform": case.transform,
    });
    let (made, chunks) = expected(case);
    let little = json!({"name": "bytes", "configuration": {"endian": "little"}});
    let crc = json!({"name": "crc32c"});
    for (codecs, is_whole) in [
        (
            json!([little, {"name": "zstd", "configuration": {"level": 1, "checksum": false}}]),
            true,
        ),
        (
            json!([little, {"name": "gzip", "configuration": {"level": 1}}, crc]),
            true,
        ),
        (json!([little]), false),
        (
            json!([{"name": "sharding_indexed", "configuration": {
                "chunk_shape": [4, 5], "codecs": [little, crc], "index_codecs": [little, crc],
            }}]),
            false,
        ),
    ] {
        let store = store(&codecs);
        let memory: ReadableStorage = store.clone();
        let view = View::with_storage(&document.to_string(), &memory);
        let view = view.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(view.domain(), made.domain(), "{name}");
        store.reset();
        let read = view.read(&view.domain()).expect("it is read");
        assert_eq!(&read, made.array(), "{name} {codecs}");
        if is_whole {
            assert_eq!(store.reads(), chunks.len(), "{name}: {chunks:?}");
        }
        // Reading in parts gives the same elements.
        let rows = view.domain().interval(0);
        let middle = rows.start.midpoint(rows.end);
        for rows in [rows.start..middle, middle..rows.end] {
            let rest = view.domain();
            let rest = rest.intervals().skip(1);
            let part = Domain::of_intervals(std::iter::once(rows).chain(rest));
            assert_eq!(view.read(&part), made.read(&part), "{name} {codecs} {part}");
        }
    }
}

fn dimension(offset: i64, stride: i64, dimension: usize) -> Value {
    json!({"offset": offset, "stride": stride, "input_dimension": dimension})
}

#[test]
fn chunks_are_decoded_once() {
    let all = json!({"input_rank": 2});
    let strided = json!({"input_rank": 2, "output": [dimension(1, 2, 0), dimension(149, -3, 1)]});
    let rows: Vec<u64> = (0..40).map(|at| at * 37 % 120).collect();
    let columns: Vec<u64> = (0..30).map(|at| at * 53 % 150).collect();
    let indexed = json!({"input_shape": [40, 30], "output": [
        {"index_array": rows.iter().map(|at| [at]).collect::<Vec<_>>()},
        {"index_array": [columns]},
    ]});
    let pairs = json!({"input_shape": [30], "output": [
        {"index_array": rows[..30]}, {"index_array": columns},
    ]});
    let diagonal =
        json!({"input_shape": [120], "output": [dimension(0, 1, 0), dimension(140, -1, 0)]});
    let few = json!({"input_shape": [20, 10], "output": [
        {"index_array": rows[..20].iter().map(|at| [at / 2]).collect::<Vec<_>>()},
        dimension(0, 7, 1),
    ]});
    for (name, base, factors, method, transform) in [
        ("strided", &strided, [1, 1], Method::Stride, &all),
        ("indexed", &indexed, [1, 1], Method::Stride, &all),
        ("strided by a level", &all, [7, 11], Method::Stride, &all),
        ("strided far", &all, [40, 50], Method::Stride, &all),
        ("strided twice", &strided, [2, 5], Method::Stride, &all),
        ("mean", &strided, [2, 2], Method::Mean, &all),
        ("mean, indexed", &indexed, [4, 3], Method::Max, &all),
        ("pairs", &all, [1, 1], Method::Stride, &pairs),
        ("diagonal", &all, [1, 1], Method::Min, &diagonal),
        ("few of means", &all, [2, 2], Method::Mean, &few),
    ] {
        let (base, transform) = (base.clone(), transform.clone());
        check(
            name,
            &Case {
                base,
                factors,
                method,
                transform,
            },
        );
    }
}

/// A dimension without bounds is read wherever it is requested, and a view of the whole dimension is not
/// opened.
#[test]
fn what_has_no_bounds_is_read_in_part() {
    let memory: ReadableStorage = store(&json!([
        {"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"},
    ]));
    let rows = json!([{"offset": 7}, {"offset": 9, "stride": 2, "input_dimension": 1}]);
    let open = json!({"input_rank": 2, "output": rows});
    let cut = json!({"input_inclusive_min": [-9, 0], "input_shape": [20, 70], "output": rows});
    let view = |base: &Value, method: &str, transform: &Value| {
        let document = json!({
            "driver": "downsample",
            "base": {
                "driver": "zarr3",
                "kvstore": {"driver": "memory", "path": "array"},
                "transform": base,
            },
            "downsample_factors": [2, 3],
            "downsample_method": method,
            "transform": transform,
        });
        View::with_storage(&document.to_string(), &memory)
    };
    for transform in [
        json!({"input_inclusive_min": [-3, 1], "input_shape": [5, 20]}),
        json!({"input_inclusive_min": [1], "input_shape": [20], "output": [{"offset": 2}, dimension(0, 1, 0)]}),
        json!({"input_inclusive_min": [-2], "input_shape": [5], "output": [dimension(0, -1, 0), dimension(10, 2, 0)]}),
        json!({"input_shape": [3], "output": [{"index_array": [4, -3, 0]}, dimension(5, 5, 0)]}),
    ] {
        for method in ["mean", "stride", "mode"] {
            let [open, cut] = [&open, &cut].map(|base| {
                let view = view(base, method, &transform).expect("a view");
                (view.domain(), view.read(&view.domain()))
            });
            assert!(open.1.is_ok(), "{method} {transform}: {open:?}");
            assert_eq!(open, cut, "{method} {transform}");
        }
    }
    let all = json!({"input_rank": 2});
    let fault = view(&open, "mean", &all).expect_err("it has no bounds");
    assert!(
        fault.to_string().contains("dimension 0 has no bounds"),
        "{fault}"
    );
    // A view that is opened but too large is refused before anything is read.
    let large = json!({"input_inclusive_min": [0, 0], "input_exclusive_max": [1i64 << 60, 10]});
    let view = view(&open, "mean", &large).expect("a view");
    let fault = view.read(&view.domain()).expect_err("too much");
    assert!(
        matches!(fault.clause, "downsample.limit" | "chain.shape"),
        "{fault}"
    );
}
