//! Parts of arrays: subsets across chunks and shards.

use zarrs::array::{ArraySubset, CodecOptions};

use crate::common::{Document, Opened, create, part};

/// Values 0 to 95 of an array of 8 x 12.
fn fill(opened: &Opened) {
    let values: Vec<f64> = (0..96).map(f64::from).collect();
    opened
        .array
        .store_array_subset(&opened.array.subset_all(), &values)
        .expect("it is stored");
}

fn number(value: u64) -> f64 {
    u32::try_from(value).map(f64::from).expect("a small one")
}

/// Reads every box with these corners, and compares it with the written values.
#[track_caller]
fn check(name: &str, opened: &Opened, value: impl Fn(u64, u64) -> f64) {
    for rows in [0..8, 1..7, 3..4, 5..8] {
        for columns in [0..12, 2..3, 1..11, 7..12] {
            let subset = ArraySubset::new_with_ranges(&[rows.clone(), columns.clone()]);
            let read: Vec<f64> = opened
                .array
                .retrieve_array_subset(&subset)
                .unwrap_or_else(|error| panic!("{name}, {subset}: {error}"));
            let expected: Vec<f64> = rows
                .clone()
                .flat_map(|row| columns.clone().map(move |column| (row, column)))
                .map(|(row, column)| value(row, column))
                .collect();
            assert_eq!(read, expected, "{name}, {subset}");
        }
    }
}

/// Codecs before, after and inside shards; with a transposition between them.
#[test]
fn boxes_across_chunks_and_shards() {
    let scale = r#"{"name": "scale_offset", "configuration": {"offset": -8, "scale": 0.5}}"#;
    let cast = r#"{"name": "cast_value", "configuration": {"data_type": "float32"}}"#;
    let turn = r#"{"name": "transpose", "configuration": {"order": [1, 0]}}"#;
    let bytes = r#"{"name": "bytes", "configuration": {"endian": "big"}}"#;
    let shard = |shape: &str, codecs: &str| {
        format!(
            r#"{{"name": "sharding_indexed", "configuration": {{"chunk_shape": {shape},
                "codecs": [{codecs}], "index_location": "start",
                "index_codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}, "crc32c"]}}}}"#
        )
    };
    let rows = [
        (
            "parts-chunks",
            format!("[{scale}, {turn}, {cast}, {bytes}]"),
        ),
        (
            "parts-shard-outside",
            format!("[{scale}, {cast}, {}]", shard("[2, 3]", bytes)),
        ),
        (
            "parts-shard-inside",
            format!(
                "[{}]",
                shard("[2, 3]", &format!("{scale}, {turn}, {cast}, {bytes}"))
            ),
        ),
        (
            "parts-shard-both",
            format!(
                "[{scale}, {turn}, {}]",
                shard("[3, 2]", &format!("{cast}, {bytes}, \"crc32c\""))
            ),
        ),
    ];
    for (name, codecs) in rows {
        let opened = create(
            name,
            &Document {
                data_type: "float64",
                fill_value: "-1",
                shape: &[8, 12],
                chunk_shape: &[4, 6],
                codecs: &codecs,
            },
        );
        fill(&opened);
        let opened = opened.reopen();
        let value = |row: u64, column: u64| number(row * 12 + column);
        check(name, &opened, value);

        // A part is written over existing elements, by both methods of zarrs.
        for partial in [false, true] {
            let options = CodecOptions::default().with_experimental_partial_encoding(partial);
            let subset = ArraySubset::new_with_ranges(&[3..5, 5..8]);
            let sign = if partial { 1.0 } else { -1.0 };
            let values = [100.0, 101.0, 102.0, 103.0, 104.0, 105.0].map(|it: f64| it * sign);
            opened
                .array
                .store_array_subset_opt(&subset, &values, &options)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            check(name, &opened, |row, column| {
                if (3..5).contains(&row) && (5..8).contains(&column) {
                    sign * number(100 + (row - 3) * 3 + column - 5)
                } else {
                    value(row, column)
                }
            });
        }
    }
}

/// Missing inner chunks hold the fill value as encoded by the codecs before the shard.
#[test]
fn inner_chunks_that_are_not_there() {
    let opened = create(
        "parts-absent",
        &Document {
            data_type: "int32",
            fill_value: "7",
            shape: &[8],
            chunk_shape: &[8],
            codecs: r#"[{"name": "scale_offset", "configuration": {"offset": 3}},
                {"name": "cast_value", "configuration": {"data_type": "int8"}},
                {"name": "sharding_indexed", "configuration": {"chunk_shape": [2], "codecs": ["bytes"],
                 "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}]"#,
        },
    );
    opened
        .array
        .store_array_subset(&part(2..4), &[-100_i32, 100])
        .expect("it is stored");
    let opened = opened.reopen();
    // One inner chunk of two bytes, then the index: offset and length of four.
    let absent = "ffffffffffffffffffffffffffffffff";
    assert_eq!(
        opened.stored("0"),
        Some(format!(
            "9961{absent}00000000000000000200000000000000{absent}{absent}"
        ))
    );
    let read: Vec<i32> = opened
        .array
        .retrieve_array_subset(&opened.array.subset_all())
        .expect("it is read");
    assert_eq!(read, [7, 7, -100, 100, 7, 7, 7, 7]);
    let read: Vec<i32> = opened
        .array
        .retrieve_array_subset(&part(3..6))
        .expect("it is read");
    assert_eq!(read, [100, 7, 7]);
}
