//! Fill values that pass through the codecs, and missing chunks.

use std::sync::Arc;

use zarrs::array::{Array, ArrayBytes, ArraySubset, CodecOptions};
use zarrs::filesystem::FilesystemStore;

use crate::common::{Document, create, folder, part, write};

/// A fill value is cast by the map, and chunks that contain nothing else are not stored.
#[test]
fn nan_through_a_scalar_map() {
    let opened = create(
        "fill-nan",
        &Document {
            data_type: "float32",
            fill_value: "\"NaN\"",
            shape: &[6],
            chunk_shape: &[2],
            codecs: r#"[{"name": "cast_value", "configuration": {"data_type": "int16",
                         "scalar_map": {"encode": [["NaN", -32768]], "decode": [[-32768, "NaN"]]}}},
                       {"name": "bytes", "configuration": {"endian": "little"}}]"#,
        },
    );
    let array = &opened.array;
    array
        .store_array_subset(
            &array.subset_all(),
            &[f32::NAN, f32::NAN, 1.0, f32::NAN, f32::NAN, f32::NAN],
        )
        .expect("it is stored");
    assert_eq!(opened.stored("0"), None);
    assert_eq!(opened.stored("1").as_deref(), Some("01000080"));
    assert_eq!(opened.stored("2"), None);
    let opened = opened.reopen();
    for range in [0..6, 1..4, 4..5] {
        let read: Vec<f32> = opened
            .array
            .retrieve_array_subset(&part(range.clone()))
            .expect("it is read");
        for (index, value) in range.zip(read) {
            if index == 2 {
                assert_eq!(value, 1.0);
            } else {
                assert_eq!(value.to_bits(), f32::NAN.to_bits(), "element {index}");
            }
        }
    }
}

/// The codecs return the fill value 0.1 as another number. Missing chunks still contain 0.1, whether they are read in
/// whole or in part; elements that are stored together with others do not.
#[test]
fn a_fill_value_that_does_not_come_back() {
    let codecs = r#"[{"name": "scale_offset", "configuration": {"offset": 1000, "scale": 3}},
                    {"name": "bytes", "configuration": {"endian": "little"}}]"#;
    let opened = create(
        "fill-does-not-come-back",
        &Document {
            data_type: "float32",
            fill_value: "0.1",
            shape: &[4],
            chunk_shape: &[2],
            codecs,
        },
    );
    let back = {
        let encoded: f32 = (0.1 - 1000.0) * 3.0;
        encoded / 3.0 + 1000.0
    };
    assert_ne!(back, 0.1, "the test needs a number that does not come back");
    let read = |start, end| -> Vec<f32> {
        opened
            .array
            .retrieve_array_subset(&part(start..end))
            .expect("it is read")
    };
    assert_eq!(read(0, 4), [0.1; 4]);
    assert_eq!(read(1, 2), [0.1]);
    opened
        .array
        .store_array_subset(&part(0..1), &[1000.0_f32])
        .expect("it is stored");
    assert_eq!(read(0, 4), [1000.0, back, 0.1, 0.1]);
    assert_eq!(read(1, 3), [back, 0.1]);
}

/// zarrs passes a fill value of zeros through a chain to determine its number of threads. Here 0 - 1000 is
/// not a uint16, and 0 - 2^53 - 1 is an int64 but not an int8; both arrays are valid.
#[test]
fn a_chain_that_cannot_encode_zero() {
    let cast = r#"{"name": "cast_value", "configuration": {"data_type": "int8"}}, "bytes""#;
    for (data_type, first) in [("uint16", 1000_i64), ("int64", 9_007_199_254_740_993)] {
        let scale =
            format!(r#"{{"name": "scale_offset", "configuration": {{"offset": {first}}}}}"#);
        let opened = create(
            &format!("fill-not-zero-{data_type}"),
            &Document {
                data_type,
                fill_value: &first.to_string(),
                shape: &[8],
                chunk_shape: &[2],
                codecs: &format!("[{scale}, {cast}]"),
            },
        );
        let values: Vec<u8> = (first..first + 8)
            .flat_map(|value| match u16::try_from(value) {
                Ok(value) => value.to_ne_bytes().to_vec(),
                Err(_) => value.to_ne_bytes().to_vec(),
            })
            .collect();
        let memory = || ArrayBytes::new_flen(values.clone());
        let chunks = ArraySubset::new_with_shape(vec![4]);
        opened
            .array
            .store_chunks(&chunks, memory())
            .unwrap_or_else(|error| panic!("{data_type}: {error}"));
        let opened = opened.reopen();
        assert_eq!(opened.stored("3").as_deref(), Some("0607"));
        let read: ArrayBytes<'static> = opened
            .array
            .retrieve_array_subset(&opened.array.subset_all())
            .unwrap_or_else(|error| panic!("{data_type}: {error}"));
        assert_eq!(read, memory(), "{data_type}");
    }
}

/// A fill value that cannot be encoded: nothing is stored, and no existing data is read.
#[test]
fn a_fill_value_that_cannot_be_encoded() {
    let _registration = exactum_zarrs_plugins::register();
    let folder = folder("fill-not-encoded");
    write(
        &folder,
        &Document {
            data_type: "uint16",
            fill_value: "0",
            shape: &[4],
            chunk_shape: &[2],
            codecs: r#"[{"name": "scale_offset", "configuration": {"offset": 1000}},
                       {"name": "cast_value", "configuration": {"data_type": "uint8"}}, "bytes"]"#,
        }
        .text(),
    );
    std::fs::create_dir_all(folder.join("c")).expect("a folder of the test");
    std::fs::write(folder.join("c/0"), [1, 2]).expect("a folder of the test");
    let store = Arc::new(FilesystemStore::new(&folder).expect("a folder"));
    let array = Array::open(store, "/").expect("zarrs does not look");
    let read = |range| {
        let read: Result<Vec<u16>, _> = array.retrieve_array_subset(&part(range));
        read.map(drop).map_err(|error| error.to_string())
    };
    let stored = array.store_array_subset(&part(2..4), &[1001_u16, 1002]);
    let expected = Err(
        "scale_offset: the fill value 0: 0 - 1000 is out of the range of uint16 (scale_offset.fill)"
            .to_owned(),
    );
    assert_eq!(read(0..2), expected);
    assert_eq!(read(1..2), expected);
    assert_eq!(stored.map_err(|error| error.to_string()), expected);
    assert!(!folder.join("c/1").exists());
}

/// A part of a chunk is written without decoding the other elements. A chunk is stored if all of its elements are
/// encoded like the fill value without being equal to it.
#[test]
fn parts_are_encoded_alone() {
    let document = Document {
        data_type: "float32",
        fill_value: "0.1",
        shape: &[4],
        chunk_shape: &[4],
        codecs: r#"[{"name": "scale_offset", "configuration": {"offset": 16777216, "scale": 2}},
                   {"name": "bytes", "configuration": {"endian": "little"}}]"#,
    };
    let opened = create("fill-part", &document);
    let options = CodecOptions::default().with_experimental_partial_encoding(true);
    let store = |start: u64, values: &[f32]| {
        let end = start + values.len() as u64;
        opened
            .array
            .store_array_subset_opt(&part(start..end), values, &options)
            .expect("it is stored");
    };
    // 0.2, like 0.1, becomes -2^24 when 2^24 is subtracted, and 0 when that is added back.
    store(0, &[0.2]);
    assert!(opened.stored("0").is_some());
    store(1, &[16_777_218.0]);
    let opened = opened.reopen();
    let read: Vec<f32> = opened
        .array
        .retrieve_array_subset(&opened.array.subset_all())
        .expect("it is read");
    assert_eq!(read, [0.0, 16_777_218.0, 0.0, 0.0]);
}
