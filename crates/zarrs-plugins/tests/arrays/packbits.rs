//! `packbits` alone, after other codecs and in shards.

use std::fmt::Debug;

use exactum_zarrs_plugins::data_type::float8_e3m4::Float8E3m4;
use exactum_zarrs_plugins::data_type::uint4::Uint4;
use exactum_zarrs_plugins::data_type::uint12::Uint12;
use zarrs::array::{ArraySubset, CodecOptions, ElementOwned};

use crate::common::{Document, create, part};

/// Writes one chunk, checks its bytes, and reads every part of it.
#[track_caller]
fn check<T: ElementOwned + Debug>(
    (data_type, fill_value): (&str, &str),
    configuration: &str,
    written: &[T],
    stored: &str,
    read: &[T],
) {
    let name = format!("{data_type} {configuration}");
    let length = written.len() as u64;
    let opened = create(
        &format!("packbits-{data_type}"),
        &Document {
            data_type,
            fill_value,
            shape: &[length],
            chunk_shape: &[length],
            codecs: &format!(r#"[{{"name": "packbits", "configuration": {configuration}}}]"#),
        },
    );
    opened
        .array
        .store_chunk(&[0], written)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let opened = opened.reopen();
    assert_eq!(opened.stored("0").as_deref(), Some(stored), "{name}");
    for start in 0..length {
        for end in start + 1..=length {
            let some: Vec<T> = opened
                .array
                .retrieve_array_subset(&part(start..end))
                .unwrap_or_else(|error| panic!("{name}, {start}..{end}: {error}"));
            let expected: Vec<T> = (start..end)
                .filter_map(|index| read.get(usize::try_from(index).ok()?).cloned())
                .collect();
            assert_eq!(
                format!("{some:?}"),
                format!("{expected:?}"),
                "{name}, {start}..{end}"
            );
        }
    }
}

/// Bytes computed by hand: bit 0 of the first element is bit 0 of the first byte.
#[test]
fn elements_of_the_registry() {
    let bools = [
        true, false, true, true, false, false, false, false, true, true,
    ];
    check(("bool", "false"), "{}", &bools, "0d03", &bools);
    check(
        ("bool", "false"),
        r#"{"padding_encoding": "first_byte"}"#,
        &bools,
        "060d03",
        &bools,
    );
    check(
        ("bool", "false"),
        r#"{"padding_encoding": "last_byte"}"#,
        &bools,
        "0d0306",
        &bools,
    );

    let integers = [-3_i8, 3, -8];
    check(("int4", "0"), "{}", &integers, "3d08", &integers);
    check(
        ("int4", "0"),
        r#"{"first_bit": 1}"#,
        &integers,
        "0e01",
        &[-4, 2, -8],
    );
    check(
        ("int2", "0"),
        r#"{"padding_encoding": "first_byte"}"#,
        &[-2_i8, 1, -1],
        "0236",
        &[-2, 1, -1],
    );

    // The sign is extended over all bytes, and the padding byte exists even if the elements fill whole bytes.
    check(
        ("int32", "0"),
        r#"{"last_bit": 11}"#,
        &[-5_i32, 7],
        "fb7f00",
        &[-5, 7],
    );
    check(
        ("int64", "0"),
        r#"{"last_bit": 20}"#,
        &[-5_i64, 1 << 19],
        "fbff1f000001",
        &[-5, 1 << 19],
    );
    check(
        ("uint8", "0"),
        r#"{"padding_encoding": "first_byte"}"#,
        &[1_u8, 2, 3],
        "00010203",
        &[1, 2, 3],
    );
    check(
        ("uint8", "0"),
        r#"{"last_bit": 3}"#,
        &[0xff_u8, 0x12],
        "2f",
        &[0x0f, 0x02],
    );
    check(
        ("float32", "0"),
        r#"{"first_bit": 16, "last_bit": null}"#,
        &[1.0_f32, -2.5, f32::INFINITY],
        "803f20c0807f",
        &[1.0, -2.5, f32::INFINITY],
    );
}

#[test]
fn elements_of_ours() {
    let uint4 = |values: [u8; 3]| values.map(|it| Uint4::try_from(it).expect("a value"));
    check(
        ("uint4", "0"),
        "{}",
        &uint4([15, 1, 9]),
        "1f09",
        &uint4([15, 1, 9]),
    );
    let uint12 = |values: [u16; 3]| values.map(|it| Uint12::try_from(it).expect("a value"));
    let values = uint12([0xabc, 0x123, 0xfff]);
    check(("uint12", "0"), "{}", &values, "bc3a12ff0f", &values);
    check(
        ("uint12", "0"),
        r#"{"first_bit": 4, "last_bit": 10, "padding_encoding": "last_byte"}"#,
        &values,
        "2bc91f03",
        &uint12([0x2b0, 0x120, 0x7f0]),
    );
    let floats = [0x90, 0x7f, 0x01].map(Float8E3m4::from_bits);
    check(("float8_e3m4", "0"), "{}", &floats, "907f01", &floats);
}

/// The three codecs in one chain: hundredths as 10-bit numbers, of which 1023 is missing.
const CHAIN: &str = r#"{"name": "scale_offset", "configuration": {"offset": 20, "scale": 4}},
    {"name": "cast_value", "configuration": {"data_type": "int16", "out_of_range": "clamp",
     "scalar_map": {"encode": [["NaN", -512]], "decode": [[-512, "NaN"]]}}},
    {"name": "packbits", "configuration": {"last_bit": 9, "padding_encoding": "first_byte"}}"#;

#[test]
fn three_codecs_in_one_chain() {
    let shard = format!(
        r#"[{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [1, 3], "codecs": [{CHAIN}],
            "index_codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}}}]"#
    );
    for (name, codecs) in [("chain", format!("[{CHAIN}]")), ("chain-in-shards", shard)] {
        let opened = create(
            name,
            &Document {
                data_type: "float64",
                fill_value: "\"NaN\"",
                shape: &[4, 6],
                chunk_shape: &[2, 3],
                codecs: &codecs,
            },
        );
        let values: [f64; 6] = [20.25, 19.75, f64::NAN, 147.75, -107.75, 20.3];
        let subset = ArraySubset::new_with_ranges(&[1..3, 2..5]);
        opened
            .array
            .store_array_subset(&subset, &values)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let opened = opened.reopen();
        if name == "chain" {
            // Five times 0x200, then 1, in 60 bits and 4 of padding.
            assert_eq!(opened.stored("0/0").as_deref(), Some("040002082080000600"));
        }
        let read: Vec<f64> = opened
            .array
            .retrieve_array_subset(&opened.array.subset_all())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = [
            [f64::NAN; 6],
            [f64::NAN, f64::NAN, 20.25, 19.75, f64::NAN, f64::NAN],
            [f64::NAN, f64::NAN, 147.75, -107.75, 20.25, f64::NAN],
            [f64::NAN; 6],
        ]
        .concat();
        assert_eq!(format!("{read:?}"), format!("{expected:?}"), "{name}");
        let read: Vec<f64> = opened
            .array
            .retrieve_array_subset(&ArraySubset::new_with_ranges(&[2..4, 3..5]))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = [-107.75, 20.25, f64::NAN, f64::NAN];
        assert_eq!(format!("{read:?}"), format!("{expected:?}"), "{name}");
    }
}

/// A part is written into a chunk whose elements share bytes with it.
#[test]
fn parts_are_written() {
    for partial in [false, true] {
        let opened = create(
            "packbits-part",
            &Document {
                data_type: "int4",
                fill_value: "7",
                shape: &[7],
                chunk_shape: &[7],
                codecs: r#"[{"name": "packbits", "configuration": {"padding_encoding": "last_byte"}}]"#,
            },
        );
        let options = CodecOptions::default().with_experimental_partial_encoding(partial);
        for (range, values) in [(1..3, [-1_i8, -2]), (2..4, [-3, -4])] {
            opened
                .array
                .store_array_subset_opt(&part(range), &values, &options)
                .expect("it is stored");
        }
        assert_eq!(opened.stored("0").as_deref(), Some("f7cd770704"));
    }
}

/// Damaged chunks, read at once and in part.
#[test]
fn damaged_chunks() {
    let rows: [(&str, &str, &[u8]); 5] = [
        ("too short", "none", &[0x21]),
        ("too long", "none", &[0x21, 0x03, 0x00]),
        ("another count in front", "first_byte", &[0x03, 0x21, 0x03]),
        ("another count behind", "last_byte", &[0x21, 0x03, 0x03]),
        ("no count", "last_byte", &[0x21, 0x03]),
    ];
    let mut text = String::new();
    for (name, padding, bytes) in rows {
        let opened = create(
            "packbits-damaged",
            &Document {
                data_type: "uint4",
                fill_value: "0",
                shape: &[3],
                chunk_shape: &[3],
                codecs: &format!(
                    r#"[{{"name": "packbits", "configuration": {{"padding_encoding": "{padding}"}}}}]"#
                ),
            },
        );
        std::fs::create_dir_all(opened.folder.join("c")).expect("a folder of the test");
        std::fs::write(opened.folder.join("c/0"), bytes).expect("a folder of the test");
        for range in [0..3, 2..3] {
            let read: Result<Vec<Uint4>, _> =
                opened.array.retrieve_array_subset(&part(range.clone()));
            let answer = match read {
                Ok(elements) => format!("{elements:?}"),
                Err(error) => error.to_string(),
            };
            text += &format!("{name}, {range:?}\n    {answer}\n");
        }
    }
    insta::assert_snapshot!(text);
}
