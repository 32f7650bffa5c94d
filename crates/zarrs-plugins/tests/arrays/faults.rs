//! Rejections and their messages.

use std::sync::Arc;

use exactum_zarrs_plugins::data_type::uint12::Uint12;
use zarrs::array::{Array, ArrayBytes};
use zarrs::filesystem::FilesystemStore;

use crate::common::{Document, create, folder, part, try_create, write};

/// Documents that are refused when the array is opened: the fault, the data type, the fill value and the
/// codecs.
const REFUSED: [(&str, &str, &str, &str); 13] = [
    (
        "unknown key",
        "float32",
        "0",
        r#"[{"name": "scale_offset", "configuration": {"ofset": 1}}, "bytes"]"#,
    ),
    (
        "fraction on an integer",
        "int16",
        "0",
        r#"[{"name": "scale_offset", "configuration": {"offset": 0.5}}, "bytes"]"#,
    ),
    (
        "scale of zero",
        "float32",
        "0",
        r#"[{"name": "scale_offset", "configuration": {"scale": 0}}, "bytes"]"#,
    ),
    ("bool", "bool", "false", r#"["scale_offset", "bytes"]"#),
    (
        "complex",
        "complex64",
        "[0, 0]",
        r#"[{"name": "cast_value", "configuration": {"data_type": "int8"}}, "bytes"]"#,
    ),
    ("no data type", "int8", "0", r#"["cast_value", "bytes"]"#),
    (
        "plus infinity",
        "float32",
        "0",
        r#"[{"name": "cast_value", "configuration": {"data_type": "int8", "scalar_map": {"encode": [["+Infinity", 0]]}}}, "bytes"]"#,
    ),
    (
        "wrap on a float",
        "int32",
        "0",
        r#"[{"name": "cast_value", "configuration": {"data_type": "float32", "out_of_range": "wrap"}}, "bytes"]"#,
    ),
    (
        "fill value out of range",
        "uint16",
        "0",
        r#"[{"name": "scale_offset", "configuration": {"offset": 1000}}, {"name": "bytes", "configuration": {"endian": "big"}}]"#,
    ),
    (
        "fill value that is rounded",
        "float64",
        "0.5",
        r#"[{"name": "cast_value", "configuration": {"data_type": "int8"}}, "bytes"]"#,
    ),
    (
        "more digits than zarrs keeps",
        "float32",
        "0",
        r#"[{"name": "scale_offset", "configuration": {"offset": 1.00000017881393432617187500000001}}, {"name": "bytes", "configuration": {"endian": "little"}}]"#,
    ),
    (
        "fill value that zarrs rounds twice",
        "float32",
        "1.000000178813934326171874",
        r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#,
    ),
    (
        "key twice",
        "float32",
        "0",
        r#"[{"name": "scale_offset", "configuration": {"offset": 1, "offset": 2}}, "bytes"]"#,
    ),
];

#[test]
fn documents() {
    let mut text = String::new();
    for (name, data_type, fill_value, codecs) in REFUSED {
        let document = Document {
            data_type,
            fill_value,
            shape: &[4],
            chunk_shape: &[2],
            codecs,
        };
        let error = match try_create("faults-documents", &document) {
            Ok(_) => panic!("{name}: the array was opened"),
            Err(error) => error.to_string(),
        };
        text += &format!("{name}\n    {error}\n");
    }
    insta::assert_snapshot!(text);
}

/// Documents that zarrs refuses with the codecs of this crate when it opens an array by itself:
/// configurations that are wrong for every data type. Codecs do not get the data type from zarrs before there
/// are elements.
#[test]
fn documents_by_zarrs_alone() {
    let rows = [
        (
            "unknown key",
            r#"{"name": "scale_offset", "configuration": {"ofset": 1}}"#,
        ),
        (
            "no number",
            r#"{"name": "scale_offset", "configuration": {"offset": [1]}}"#,
        ),
        (
            "beyond every data type",
            r#"{"name": "cast_value", "configuration": {"data_type": "int8", "scalar_map": {"encode": [[1, 128]]}}}"#,
        ),
        ("no data type", r#""cast_value""#),
        (
            "a data type that is not a number",
            r#"{"name": "cast_value", "configuration": {"data_type": "string"}}"#,
        ),
        (
            "a rounding that is none",
            r#"{"name": "cast_value", "configuration": {"data_type": "int8", "rounding": "up"}}"#,
        ),
    ];
    let _registration = exactum_zarrs_plugins::register();
    let mut text = String::new();
    for (name, codec) in rows {
        let document = Document {
            data_type: "int8",
            fill_value: "0",
            shape: &[4],
            chunk_shape: &[2],
            codecs: &format!(r#"[{codec}, "bytes"]"#),
        };
        let folder = folder("faults-zarrs");
        write(&folder, &document.text());
        let store = Arc::new(FilesystemStore::new(&folder).expect("a folder"));
        let error = match Array::open(store, "/") {
            Ok(_) => panic!("{name}: the array was opened"),
            Err(error) => error.to_string(),
        };
        text += &format!("{name}\n    {error}\n");
    }
    insta::assert_snapshot!(text);
}

const DOUBLED: &str =
    r#"[{"name": "scale_offset", "configuration": {"offset": -1, "scale": 2}}, "bytes"]"#;

/// Elements are refused when they are written, and none of them are stored.
#[test]
fn elements() {
    let cast = |to: &str| {
        format!(r#"[{{"name": "cast_value", "configuration": {{"data_type": "{to}"}}}}, "bytes"]"#)
    };
    let rows: [(&str, &str, String, ArrayBytes<'static>); 4] = [
        (
            "out of range",
            "uint8",
            cast("int8"),
            ArrayBytes::new_flen(vec![1, 2, 3, 200]),
        ),
        (
            "out of range on the way",
            "int8",
            DOUBLED.to_owned(),
            ArrayBytes::new_flen(vec![1, 2, 100, 4]),
        ),
        (
            "too few bytes",
            "uint8",
            cast("int8"),
            ArrayBytes::new_flen(vec![1, 2, 3]),
        ),
        (
            "NaN",
            "float32",
            cast("uint8"),
            ArrayBytes::new_flen([1.0, f32::NAN, 3.0, 4.0].map(f32::to_ne_bytes).concat()),
        ),
    ];
    let mut text = String::new();
    for (name, data_type, codecs, bytes) in rows {
        // A fill value that no row writes.
        let opened = create(
            "faults-elements",
            &Document {
                data_type,
                fill_value: "9",
                shape: &[4],
                chunk_shape: &[4],
                codecs: &codecs,
            },
        );
        let error = match opened.array.store_chunk(&[0], bytes) {
            Ok(()) => panic!("{name}: it was stored"),
            Err(error) => error.to_string(),
        };
        assert_eq!(opened.stored("0"), None, "{name}");
        text += &format!("{name}\n    {error}\n");
    }
    insta::assert_snapshot!(text);
}

/// A stored element that is not the encoding of any element, read together with others and alone.
#[test]
fn an_element_that_cannot_be_decoded() {
    let opened = create(
        "faults-decode",
        &Document {
            data_type: "int8",
            fill_value: "9",
            shape: &[4],
            chunk_shape: &[4],
            codecs: DOUBLED,
        },
    );
    let array = &opened.array;
    std::fs::create_dir_all(opened.folder.join("c")).expect("a folder of the test");
    std::fs::write(opened.folder.join("c/0"), [2, 4, 7, 6]).expect("a folder of the test");
    let read = |start, end| {
        array
            .retrieve_array_subset::<Vec<i8>>(&part(start..end))
            .map_err(|error| error.to_string())
    };
    let fault = |element: u8| {
        Err(format!(
            "scale_offset: 7 / 2 leaves a remainder in int8 (scale_offset.integer.division), at element {element}"
        ))
    };
    assert_eq!(read(0, 4), fault(2));
    // The index of the element is counted from the start of the part that is read.
    assert_eq!(read(2, 3), fault(0));
    assert_eq!(read(0, 2), Ok(vec![0, 1]));
}

/// An array that zarrs opened by itself, with a codec that does not support its data type: it can be neither
/// written nor read.
#[test]
fn a_data_type_that_a_codec_has_not() {
    let _registration = exactum_zarrs_plugins::register();
    let folder = folder("faults-data-type");
    write(
        &folder,
        &Document {
            data_type: "uint12",
            fill_value: "0",
            shape: &[2],
            chunk_shape: &[2],
            codecs: r#"["scale_offset", {"name": "bytes", "configuration": {"endian": "little"}}]"#,
        }
        .text(),
    );
    std::fs::create_dir_all(folder.join("c")).expect("a folder of the test");
    std::fs::write(folder.join("c/0"), [1, 0, 2, 0]).expect("a folder of the test");
    let store = Arc::new(FilesystemStore::new(&folder).expect("a folder"));
    let array = Array::open(store, "/").expect("zarrs does not look");
    let one = Uint12::try_from(1).expect("a value");
    let all = array.subset_all();
    let faults = [
        array
            .store_array_subset(&all, &[one, one])
            .map_err(|error| error.to_string()),
        array
            .retrieve_array_subset::<Vec<Uint12>>(&all)
            .map(drop)
            .map_err(|error| error.to_string()),
        array
            .retrieve_array_subset::<Vec<Uint12>>(&part(1..2))
            .map(drop)
            .map_err(|error| error.to_string()),
    ];
    let expected = "scale_offset: scale_offset is defined for integers and floats, not for uint12 \
                    (scale_offset.data_types)";
    for fault in faults {
        assert_eq!(fault, Err(expected.to_owned()));
    }
    assert_eq!(
        std::fs::read(folder.join("c/0")).expect("it is there"),
        [1, 0, 2, 0]
    );
}
