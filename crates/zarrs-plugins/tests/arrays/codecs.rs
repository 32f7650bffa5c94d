//! Whole arrays through codecs: written, closed, opened and read again.

use std::fmt::Debug;

use zarrs::array::{ArraySubset, ElementOwned};

use crate::common::{Document, create};

/// Writes elements that differ from the fill value, checks the stored bytes of the chunks, and reads
/// everything back from the reopened array: at once, and each element by itself. Elements are compared as
/// they are printed, which distinguishes the zeros and makes NaN equal to itself.
#[track_caller]
fn check<T: ElementOwned + Debug>(
    name: &str,
    document: &Document<'_>,
    written: &[T],
    stored: &[(&str, &str)],
    read: &[T],
) {
    let opened = create(name, document);
    let all = opened.array.subset_all();
    opened
        .array
        .store_array_subset(&all, written)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let opened = opened.reopen();
    for &(chunk, bytes) in stored {
        assert_eq!(
            opened.stored(chunk).as_deref(),
            Some(bytes),
            "{name}, chunk {chunk}"
        );
    }
    let whole: Vec<T> = opened
        .array
        .retrieve_array_subset(&all)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let text = |elements: &[T]| format!("{elements:?}");
    assert_eq!(text(&whole), text(read), "{name}");
    for (index, indices) in all.indices().into_iter().enumerate() {
        let ranges: Vec<_> = indices.iter().map(|&it| it..it + 1).collect();
        let one: Vec<T> = opened
            .array
            .retrieve_array_subset(&ArraySubset::new_with_ranges(&ranges))
            .unwrap_or_else(|error| panic!("{name}, element {index}: {error}"));
        assert_eq!(
            text(&one),
            text(&read[index..=index]),
            "{name}, element {index}"
        );
    }
}

/// The first example of upstream's README, in two chunks.
#[test]
fn scale_offset() {
    check(
        "scale_offset",
        &Document {
            data_type: "float32",
            fill_value: "5.0",
            shape: &[4],
            chunk_shape: &[2],
            codecs: r#"[{"name": "scale_offset", "configuration": {"offset": 5, "scale": 0.5}},
                       {"name": "bytes", "configuration": {"endian": "big"}}]"#,
        },
        &[7.0_f32, 5.5, -3.0, f32::INFINITY],
        &[("0", "3f8000003e800000"), ("1", "c08000007f800000")],
        &[7.0, 5.5, -3.0, f32::INFINITY],
    );
}

/// The sample data of upstream, by either name.
#[test]
fn bitround() {
    for name in ["bitround", "numcodecs.bitround"] {
        check(
            name,
            &Document {
                data_type: "float32",
                fill_value: "0.0",
                shape: &[4],
                chunk_shape: &[2],
                codecs: &format!(
                    r#"[{{"name": "{name}", "configuration": {{"keepbits": 3}}}},
                       {{"name": "bytes", "configuration": {{"endian": "big"}}}}]"#
                ),
            },
            &[0.1_f32, 123.4, 1234.5, f32::INFINITY],
            &[("0", "3dd0000042f00000"), ("1", "44a000007f800000")],
            &[0.101_562_5, 120.0, 1280.0, f32::INFINITY],
        );
    }
}

#[test]
fn scale_offset_without_configuration_does_nothing() {
    for (name, codec) in [
        ("scale_offset-short", r#""scale_offset""#),
        ("scale_offset-object", r#"{"name": "scale_offset"}"#),
    ] {
        check(
            name,
            &Document {
                data_type: "uint8",
                fill_value: "0",
                shape: &[3],
                chunk_shape: &[3],
                codecs: &format!(r#"[{codec}, "bytes"]"#),
            },
            &[1_u8, 2, 255],
            &[("0", "0102ff")],
            &[1, 2, 255],
        );
    }
}

/// 2^53 + 1 and its neighbours are three different integers, but one float.
#[test]
fn integers_beyond_floats() {
    check(
        "integers-beyond-floats",
        &Document {
            data_type: "int64",
            fill_value: "9007199254740993",
            shape: &[3],
            chunk_shape: &[3],
            codecs: r#"[{"name": "scale_offset", "configuration": {"offset": 9007199254740993}},
                       {"name": "cast_value", "configuration": {"data_type": "int8"}}, "bytes"]"#,
        },
        &[
            9_007_199_254_740_992_i64,
            9_007_199_254_740_993,
            9_007_199_254_740_994,
        ],
        &[("0", "ff0001")],
        &[
            9_007_199_254_740_992,
            9_007_199_254_740_993,
            9_007_199_254_740_994,
        ],
    );
}

#[test]
fn cast_value_rounds_clamps_and_maps() {
    check(
        "cast_value",
        &Document {
            data_type: "float64",
            fill_value: "\"NaN\"",
            shape: &[2, 3],
            chunk_shape: &[1, 3],
            codecs: r#"[{"name": "cast_value", "configuration": {"data_type": "uint8",
                         "rounding": "towards-zero", "out_of_range": "clamp",
                         "scalar_map": {"encode": [["NaN", 255], ["0x7ff0000000000000", 254]],
                                        "decode": [[255, "NaN"], [254, "Infinity"]]}}}, "bytes"]"#,
        },
        &[0.0, 1.9, 253.0, f64::INFINITY, -7.0, 1000.0],
        &[("0/0", "0001fd"), ("1/0", "fe00ff")],
        // 1000 is clamped to 255, and 255 is decoded as NaN.
        &[0.0, 1.0, 253.0, f64::INFINITY, 0.0, f64::NAN],
    );
}
