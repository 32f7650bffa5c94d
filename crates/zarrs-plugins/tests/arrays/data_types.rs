//! The data types of this crate: elements, fill values and stored bytes.

use std::fmt::Debug;

use exactum_zarrs_plugins::data_type::decimal::Decimal;
use exactum_zarrs_plugins::data_type::float8_e3m4::Float8E3m4;
use exactum_zarrs_plugins::data_type::sample::Sample;
use exactum_zarrs_plugins::data_type::uint4::Uint4;
use exactum_zarrs_plugins::data_type::uint12::Uint12;
use zarrs::array::{ArrayBytes, DataTypeTraits, ElementOwned, FillValue};
use zarrs::metadata::FillValueMetadata;
use zarrs::metadata::v3::MetadataV3;

use crate::common::{Document, create, part, try_create};

/// Writes three elements after a missing one, in two chunks, and reads them back.
#[track_caller]
fn check<T: ElementOwned + Debug>(
    data_type: &str,
    fill_value: (&str, T),
    codecs: &str,
    elements: [T; 3],
    stored: [&str; 2],
) {
    let name = format!("{data_type}, {codecs}");
    let (json, absent) = fill_value;
    let opened = create(
        "data-types",
        &Document {
            data_type,
            fill_value: json,
            shape: &[6],
            chunk_shape: &[2],
            codecs,
        },
    );
    let subset = part(1..4);
    opened
        .array
        .store_array_subset(&subset, &elements)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    // zarrs writes the document in its own form, which is read again below.
    opened
        .array
        .store_metadata()
        .expect("the folder is writable");
    let opened = opened.reopen();
    assert_eq!(opened.stored("0").as_deref(), Some(stored[0]), "{name}");
    assert_eq!(opened.stored("1").as_deref(), Some(stored[1]), "{name}");
    assert_eq!(opened.stored("2"), None, "{name}");
    let read: Vec<T> = opened
        .array
        .retrieve_array_subset(&opened.array.subset_all())
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut expected = vec![absent.clone()];
    expected.extend(elements);
    expected.extend([absent.clone(), absent]);
    assert_eq!(format!("{read:?}"), format!("{expected:?}"), "{name}");
    let part: Vec<T> = opened
        .array
        .retrieve_array_subset(&part(3..5))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(
        format!("{part:?}"),
        format!("{:?}", &expected[3..5]),
        "{name}"
    );
}

const BYTES: &str = r#"["bytes"]"#;
const LITTLE: &str = r#"[{"name": "bytes", "configuration": {"endian": "little"}}]"#;
const BIG: &str = r#"[{"name": "bytes", "configuration": {"endian": "big"}}]"#;

fn uint4(value: u8) -> Uint4 {
    value.try_into().expect("a value")
}

fn uint12(value: u16) -> Uint12 {
    value.try_into().expect("a value")
}

fn decimal(text: &str) -> Decimal {
    text.try_into().expect("a value")
}

#[test]
fn elements_are_stored_and_read() {
    let elements = [uint4(15), uint4(1), uint4(9)];
    check("uint4", ("7", uint4(7)), BYTES, elements, ["070f", "0109"]);

    let elements = [uint12(4095), uint12(1), uint12(0x234)];
    check(
        "uint12",
        ("16", uint12(16)),
        LITTLE,
        elements,
        ["1000ff0f", "01003402"],
    );
    check(
        "uint12",
        ("16", uint12(16)),
        BIG,
        elements,
        ["00100fff", "00010234"],
    );

    let elements = [-0.0, 15.5, f64::NAN].map(Float8E3m4::round);
    let fill_value = ("-0.25", Float8E3m4::round(-0.25));
    check("float8_e3m4", fill_value, BYTES, elements, ["9080", "6f78"]);
    check(
        "float8_e3m4",
        ("\"0x90\"", fill_value.1),
        BYTES,
        elements,
        ["9080", "6f78"],
    );

    let sample = |time, value| Sample { time, value };
    let elements = [
        sample(-1, 1.5),
        sample(0x0102, f32::INFINITY),
        sample(i64::MIN, -0.0),
    ];
    let fill_value = (
        r#"{"value": "NaN", "time": 9007199254740993}"#,
        sample(9_007_199_254_740_993, f32::NAN),
    );
    check(
        "exactum.sample",
        fill_value,
        LITTLE,
        elements,
        [
            "01000000000020000000c07fffffffffffffffff0000c03f",
            "02010000000000000000807f000000000000008000000080",
        ],
    );
    check(
        "exactum.sample",
        fill_value,
        BIG,
        elements,
        [
            "00200000000000017fc00000ffffffffffffffff3fc00000",
            "00000000000001027f800000800000000000000080000000",
        ],
    );

    let elements = ["-12.50", "0", "123456789012345678901234567890"].map(decimal);
    check(
        "exactum.decimal",
        ("\"0.0\"", decimal("0.0")),
        r#"["vlen-utf8"]"#,
        elements,
        [
            "0200000003000000302e30060000002d31322e3530",
            "0200000001000000301e000000313233343536373839303132333435363738393031323334353637383930",
        ],
    );
}

/// Bits above those of a type are ignored when they are read (registry, `uint4`), and not written.
#[test]
fn junk_above_the_value() {
    let document = |data_type, codecs| Document {
        data_type,
        fill_value: "0",
        shape: &[2],
        chunk_shape: &[2],
        codecs,
    };
    let opened = create("data-types-junk", &document("uint4", BYTES));
    std::fs::create_dir_all(opened.folder.join("c")).expect("a folder of the test");
    std::fs::write(opened.folder.join("c/0"), [0xf3, 0x1f]).expect("a folder of the test");
    let read: Vec<Uint4> = opened.array.retrieve_chunk(&[0]).expect("it is read");
    assert_eq!(read, [uint4(3), uint4(15)]);
    let memory: ArrayBytes<'static> = opened.array.retrieve_chunk(&[0]).expect("it is read");
    assert_eq!(memory, ArrayBytes::new_flen(vec![3, 15]));
    opened
        .array
        .store_chunk(&[0], ArrayBytes::new_flen(vec![0xf4, 0x1e]))
        .expect("memory is taken");
    assert_eq!(opened.stored("0").as_deref(), Some("040e"));

    let opened = create("data-types-junk", &document("uint12", BIG));
    std::fs::create_dir_all(opened.folder.join("c")).expect("a folder of the test");
    std::fs::write(opened.folder.join("c/0"), [0xf1, 0x23, 0x10, 0]).expect("a folder of the test");
    let read: Vec<Uint12> = opened.array.retrieve_chunk(&[0]).expect("it is read");
    assert_eq!(read, [uint12(0x123), uint12(0)]);
    let junk = [0xfabc_u16, 0x1001].map(u16::to_ne_bytes).concat();
    opened
        .array
        .store_chunk(&[0], ArrayBytes::new_flen(junk))
        .expect("memory is taken");
    assert_eq!(opened.stored("0").as_deref(), Some("0abc0001"));
}

/// Values that a type lacks are refused where they become elements. Other Rust types that could hold them cannot be
/// used as elements.
#[test]
fn values_that_a_type_has_not() {
    let refused = |error: &dyn ToString| error.to_string();
    assert_eq!(Uint4::try_from(15).map(u8::from), Ok(15));
    assert_eq!(Uint12::try_from(4095).map(u16::from), Ok(4095));
    let words = [
        Uint4::try_from(16)
            .map_err(|error| refused(&error))
            .map(drop),
        Uint12::try_from(4096)
            .map_err(|error| refused(&error))
            .map(drop),
        Float8E3m4::try_from(0.1)
            .map_err(|error| refused(&error))
            .map(drop),
        Decimal::try_from("1e5")
            .map_err(|error| refused(&error))
            .map(drop),
    ];
    let expected = [
        "16 is not a value of uint4, which has 0 to 15",
        "4096 is not a value of uint12, which has 0 to 4095",
        "0.1 is not a value of float8_e3m4, which has 5 significant bits up to 15.5",
        "\"1e5\" is not a value of exactum.decimal, which has decimals such as -12.50",
    ];
    for (words, expected) in words.into_iter().zip(expected) {
        assert_eq!(words, Err(expected.to_owned()));
    }
    for text in [
        "", "-", "01", "1.", ".5", "+1", "1 ", "--1", "1.2.3", "NaN", "１",
    ] {
        assert!(Decimal::try_from(text).is_err(), "{text}");
    }

    let opened = create(
        "data-types-u8",
        &Document {
            data_type: "uint4",
            fill_value: "0",
            shape: &[2],
            chunk_shape: &[2],
            codecs: BYTES,
        },
    );
    let error = opened
        .array
        .store_chunk(&[0], &[16_u8, 1])
        .expect_err("u8 is not an element");
    assert_eq!(error.to_string(), "Incompatible element type for data type");
    assert_eq!(opened.stored("0"), None);
}

/// Rounding into float8_e3m4 happens once: the rows are midpoints and numbers next to them.
#[test]
fn float8_e3m4_rounds_to_nearest_even() {
    let rows = [
        (0.0, 0x00),
        (-0.0, 0x80),
        (1.0, 0x30),
        (1.031_25, 0x30),
        (1.031_250_000_1, 0x31),
        (1.093_75, 0x32),
        (15.5, 0x6f),
        (15.749_999, 0x6f),
        (15.75, 0x70),
        (1e300, 0x70),
        (-1e300, 0xf0),
        (0.015_625, 0x01),
        (0.007_812_5, 0x00),
        (0.007_812_500_000_1, 0x01),
        (f64::INFINITY, 0x70),
    ];
    for (value, bits) in rows {
        assert_eq!(Float8E3m4::round(value).to_bits(), bits, "{value}");
    }
    for bits in 0..=u8::MAX {
        let element = Float8E3m4::from_bits(bits);
        let back = Float8E3m4::round(element.to_f64());
        assert!(
            back.to_bits() == bits || element.to_f64().is_nan(),
            "{bits:#x}"
        );
    }
    assert!(Float8E3m4::NAN != Float8E3m4::NAN);
    assert!(Float8E3m4::from_bits(0x80) == Float8E3m4::from_bits(0));
    assert!(Float8E3m4::MAX < Float8E3m4::INFINITY);
}

/// Invalid fill values, and a configuration for types that must have none.
#[test]
fn documents_that_are_refused() {
    let rows = [
        ("uint4", "16", BYTES),
        ("uint4", "-1", BYTES),
        ("uint4", "1.0", BYTES),
        ("uint4", "\"0x01\"", BYTES),
        ("uint12", "4096", LITTLE),
        ("uint12", "null", LITTLE),
        ("float8_e3m4", "\"0X90\"", BYTES),
        ("float8_e3m4", "\"0x0090\"", BYTES),
        ("float8_e3m4", "\"nan\"", BYTES),
        ("exactum.sample", "{\"time\": 1}", LITTLE),
        (
            "exactum.sample",
            "{\"time\": 1, \"value\": 1, \"more\": 1}",
            LITTLE,
        ),
        ("exactum.sample", "{\"time\": 1.5, \"value\": 1}", LITTLE),
        (
            "exactum.sample",
            "{\"time\": 1, \"value\": \"0x7fc0\"}",
            LITTLE,
        ),
        ("exactum.sample", "[1, 1]", LITTLE),
        ("exactum.decimal", "1", r#"["vlen-utf8"]"#),
        ("exactum.decimal", "\"1e5\"", r#"["vlen-utf8"]"#),
    ];
    for (data_type, fill_value, codecs) in rows {
        let document = Document {
            data_type,
            fill_value,
            shape: &[2],
            chunk_shape: &[2],
            codecs,
        };
        assert!(
            try_create("data-types-refused", &document).is_err(),
            "{data_type}, fill value {fill_value}"
        );
    }
    let mut text = String::new();
    let names = [
        "uint4",
        "uint12",
        "float8_e3m4",
        "exactum.sample",
        "exactum.decimal",
    ];
    for name in names {
        let configured = format!(r#"{{"name": "{name}", "configuration": {{"bits": 4}}}}"#);
        let metadata: MetadataV3 = configured.as_str().try_into().expect("an extension");
        let _registration = exactum_zarrs_plugins::register();
        let error = zarrs::array::DataType::from_metadata(&metadata).expect_err("it is refused");
        text += &format!("{error}\n");
        let empty = format!(r#"{{"name": "{name}", "configuration": {{}}}}"#);
        let metadata: MetadataV3 = empty.as_str().try_into().expect("an extension");
        zarrs::array::DataType::from_metadata(&metadata).expect("nothing is configured");
    }
    insta::assert_snapshot!(text);
}

/// Fill values from memory to documents: only those that the type contains.
#[test]
fn fill_values_from_memory() {
    use exactum_zarrs_plugins::data_type::decimal::DecimalDataType;
    use exactum_zarrs_plugins::data_type::float8_e3m4::Float8E3m4DataType;
    use exactum_zarrs_plugins::data_type::sample::SampleDataType;
    use exactum_zarrs_plugins::data_type::uint4::Uint4DataType;
    use exactum_zarrs_plugins::data_type::uint12::Uint12DataType;

    let number = |value: u16| FillValueMetadata::from(value);
    let rows: [(&dyn DataTypeTraits, Vec<u8>, Option<FillValueMetadata>); 12] = [
        (&Uint4DataType, vec![15], Some(number(15))),
        (&Uint4DataType, vec![16], None),
        (&Uint4DataType, vec![1, 0], None),
        (
            &Uint12DataType,
            4095_u16.to_ne_bytes().to_vec(),
            Some(number(4095)),
        ),
        (&Uint12DataType, 4096_u16.to_ne_bytes().to_vec(), None),
        (&Uint12DataType, vec![1], None),
        (
            &Float8E3m4DataType,
            vec![0x90],
            Some(FillValueMetadata::from(-0.25)),
        ),
        (
            &Float8E3m4DataType,
            vec![0x78],
            Some(FillValueMetadata::from("NaN")),
        ),
        (
            &Float8E3m4DataType,
            vec![0xf9],
            Some(FillValueMetadata::from("0xf9")),
        ),
        (&SampleDataType, vec![0; 11], None),
        (
            &DecimalDataType,
            b"-1.0".to_vec(),
            Some(FillValueMetadata::from("-1.0")),
        ),
        (&DecimalDataType, b"-1.".to_vec(), None),
    ];
    for (data_type, bytes, expected) in rows {
        let metadata = data_type.metadata_fill_value(&FillValue::new(bytes.clone()));
        assert_eq!(metadata.ok(), expected, "{data_type:?} {bytes:?}");
        if let Some(expected) = expected {
            let back = data_type.fill_value_v3(&expected).expect("it was written");
            assert_eq!(back.as_ne_bytes(), bytes, "{data_type:?}");
        }
    }
}
