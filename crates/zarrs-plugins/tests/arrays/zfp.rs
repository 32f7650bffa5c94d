//! `zfp` alone and in shards, of all ranks.

use std::fmt::Debug;

use zarrs::array::{ArraySubset, ElementOwned};

use crate::common::{Document, Opened, create, try_create};

fn codec(configuration: &str) -> String {
    format!(r#"[{{"name": "zfp", "configuration": {configuration}}}]"#)
}

fn sharded(inner: &[u64], configuration: &str) -> String {
    format!(
        r#"[{{"name": "sharding_indexed", "configuration": {{"chunk_shape": {inner:?}, "codecs": {},
            "index_codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}}}]"#,
        codec(configuration)
    )
}

/// Writes a whole array, and reads it again as a whole and in part.
#[track_caller]
fn check<T: ElementOwned + Debug + PartialEq>(
    name: &str,
    (data_type, shape, chunk_shape): (&str, &[u64], &[u64]),
    codecs: &str,
    written: &[T],
    same: impl Fn(&T, &T) -> bool,
) -> Opened {
    let opened = create(
        name,
        &Document {
            data_type,
            fill_value: "1",
            shape,
            chunk_shape,
            codecs,
        },
    );
    let all = opened.array.subset_all();
    opened
        .array
        .store_array_subset(&all, written)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let opened = opened.reopen();
    let read: Vec<T> = opened
        .array
        .retrieve_array_subset(&all)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(read.len(), written.len(), "{name}");
    for (index, (read, written)) in read.iter().zip(written).enumerate() {
        assert!(
            same(read, written),
            "{name}: {read:?}, not {written:?}, at {index}"
        );
    }
    // Reads the last element alone.
    let ranges: Vec<_> = shape.iter().map(|&extent| extent - 1..extent).collect();
    let last = ArraySubset::new_with_ranges(&ranges);
    let some: Vec<T> = opened
        .array
        .retrieve_array_subset(&last)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(some.first(), read.last(), "{name}");
    opened
}

/// Bytes computed by hand: the precision minus one in 5 bits; a zero for each plane without bits; and for the
/// lowest plane a one, the one-bit, and the information that there are no others.
#[test]
fn bytes_by_hand() {
    let opened = check(
        "zfp-ones",
        ("int32", &[8], &[4]),
        &codec(r#"{"mode": "reversible"}"#),
        &[2_i32, 2, 2, 2, 0, 0, 0, 0],
        i32::eq,
    );
    // 2 is 110 to base -2, and its lowest bit is in plane 1.
    assert_eq!(opened.stored("0").as_deref(), Some("1e0000002c000000"));
    assert_eq!(opened.stored("1").as_deref(), Some("0000000000000000"));
}

#[test]
fn all_ranks_come_back_with_blocks_that_are_not_whole() {
    let shapes: [(&[u64], &[u64]); 5] = [
        (&[], &[]),
        (&[23], &[9]),
        (&[9, 11], &[5, 6]),
        (&[7, 6, 5], &[5, 3, 4]),
        (&[5, 4, 3, 6], &[3, 4, 2, 5]),
    ];
    for (shape, chunk_shape) in shapes {
        let rank = shape.len();
        let count = u32::try_from(shape.iter().product::<u64>()).expect("small");
        let name = |kind: &str| format!("zfp-{kind}-{rank}");
        let reversible = r#"{"mode": "reversible"}"#;
        let floats: Vec<f64> = (0..count)
            .map(|index| f64::from(index).sqrt() - f64::from(index % 7) / 3.0)
            .collect();
        let floats_of = |kind, codecs: &str, bound: f64| {
            check(
                &name(kind),
                ("float64", shape, chunk_shape),
                codecs,
                &floats,
                |a, b| (a - b).abs() <= bound,
            );
        };
        floats_of("reversible", &codec(reversible), 0.0);
        let accuracy = r#"{"mode": "fixed_accuracy", "tolerance": 0.01}"#;
        floats_of("accuracy", &codec(accuracy), 0.01);
        if rank > 0 {
            let inner: Vec<u64> = vec![1; rank - 1].into_iter().chain([2]).collect();
            let outer: Vec<u64> = inner.iter().map(|extent| 2 * extent).collect();
            check(
                &name("sharded"),
                ("float64", shape, &outer),
                &sharded(&inner, reversible),
                &floats,
                f64::eq,
            );
        }
        let small: Vec<i8> = (0..count)
            .map(|index| i8::try_from(index % 16).expect("small") - 8)
            .collect();
        check(
            &name("int4"),
            ("int4", shape, chunk_shape),
            &codec(reversible),
            &small,
            i8::eq,
        );
        let rate = r#"{"mode": "fixed_rate", "rate": 16}"#;
        let opened = check(
            &name("rate"),
            ("int32", shape, chunk_shape),
            &codec(rate),
            &vec![1000; count as usize],
            |a: &i32, b| a.abs_diff(*b) < 8,
        );
        // 16 bits for each element of a block, in words of 64 bits; a scalar is a block of four.
        let blocks: u64 = chunk_shape
            .iter()
            .map(|extent| extent.div_ceil(4))
            .product();
        let elements = 4_u64.pow(u32::try_from(rank.max(1)).expect("small"));
        let words = (blocks * elements * 16).div_ceil(64);
        let chunk = vec!["0"; rank].join("/");
        let stored = if rank == 0 {
            std::fs::read(opened.folder.join("c"))
                .ok()
                .map(|bytes| bytes.len())
        } else {
            opened.stored(&chunk).map(|hex| hex.len() / 2)
        };
        assert_eq!(stored, usize::try_from(8 * words).ok(), "rank {rank}");
    }
}

/// Chunks that are divided among several threads.
#[test]
fn large_chunks() {
    let values: Vec<f32> = (0..1_u16 << 10)
        .flat_map(|y| (0..1_u16 << 9).map(move |x| (f32::from(x) / 40.0).sin() * f32::from(y)))
        .collect();
    for (name, configuration, bound) in [
        (
            "zfp-large-rate",
            r#"{"mode": "fixed_rate", "rate": 20}"#,
            0.1,
        ),
        ("zfp-large-reversible", r#"{"mode": "reversible"}"#, 0.0),
    ] {
        check(
            name,
            ("float32", &[1 << 10, 1 << 9], &[1 << 10, 1 << 9]),
            &codec(configuration),
            &values,
            |a, b| (a - b).abs() <= bound,
        );
    }
}

#[test]
fn what_zfp_cannot_hold_is_refused() {
    let opened = create(
        "zfp-nan",
        &Document {
            data_type: "float32",
            fill_value: "0",
            shape: &[4],
            chunk_shape: &[4],
            codecs: &codec(r#"{"mode": "fixed_precision", "precision": 12}"#),
        },
    );
    let refused = opened
        .array
        .store_chunk(&[0], &[1.0_f32, f32::NAN, 2.0, 3.0]);
    let words = refused
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default();
    assert!(words.contains("zfp.lossy.finite"), "{words}");

    let faults: [(&str, &[u64], &str, &str); 4] = [
        ("float32", &[1; 5], r#"{"mode": "reversible"}"#, "zfp.rank"),
        (
            "int32",
            &[4],
            r#"{"mode": "fixed_accuracy", "tolerance": 1}"#,
            "zfp.",
        ),
        (
            "float32",
            &[4],
            r#"{"mode": "reversible", "rate": 8}"#,
            "zfp.mode",
        ),
        (
            "bool",
            &[4],
            r#"{"mode": "reversible"}"#,
            "zfp.data_type.others",
        ),
    ];
    for (data_type, shape, configuration, clause) in faults {
        let made = try_create(
            "zfp-refused",
            &Document {
                data_type,
                fill_value: if data_type == "bool" { "false" } else { "0" },
                shape,
                chunk_shape: shape,
                codecs: &codec(configuration),
            },
        );
        let words = made
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(
            words.contains(clause),
            "{data_type} {configuration}: {words}"
        );
    }
}
