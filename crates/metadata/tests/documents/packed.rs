//! The configurations of `bytes` and `packbits`.

use exactum_metadata::{parse_bytes, parse_packbits};
use exactum_model::{Bytes, DataType, Endian, PackBits, PaddingEncoding};

use crate::Expect::{self, Good, Joint, Meaning, Structure};
use crate::{array, check};

/// Checks configurations of `bytes` alone and in a document.
fn bytes(data_type: DataType, rows: &[(&str, Expect)]) {
    for &(text, expect) in rows {
        check("bytes.json", text, parse_bytes(text, data_type), expect);
        // A missing member has no place other than the codec.
        let expect = match expect {
            Joint(clause, _) => Joint(clause, "/codecs/0"),
            other => placed(other),
        };
        in_document("bytes", data_type, text, expect);
    }
}

/// Checks configurations of `packbits` alone and in a document.
fn packbits(data_type: DataType, rows: &[(&str, Expect)]) {
    for &(text, expect) in rows {
        let result = parse_packbits(text, data_type);
        check("packbits.json", text, result, expect);
        in_document("packbits", data_type, text, placed(expect));
    }
}

/// Moves the pointer of a configuration to that of a document.
fn placed(expect: Expect) -> Expect {
    let prefixed = |pointer: &str| -> &'static str {
        Box::leak(format!("/codecs/0/configuration{pointer}").into_boxed_str())
    };
    match expect {
        Good => Good,
        Structure(clause, pointer) => Structure(clause, prefixed(pointer)),
        Joint(clause, pointer) => Joint(clause, prefixed(pointer)),
        Meaning(clause, pointer) => Meaning(clause, prefixed(pointer)),
    }
}

fn in_document(name: &str, data_type: DataType, configuration: &str, expect: Expect) {
    let codecs = format!(r#"[{{"name": "{name}", "configuration": {configuration}}}]"#);
    let data_type = format!("\"{data_type}\"");
    array(&[("data_type", &data_type), ("codecs", &codecs)], expect);
}

#[test]
fn bytes_configurations() {
    let endian = "bytes.endian";
    let keys = "bytes.configuration";
    bytes(
        DataType::Int16,
        &[
            (r#"{"endian": "little"}"#, Good),
            (r#"{"endian": "big"}"#, Good),
            ("{}", Joint(endian, "")),
            (r#"{"endian": "Little"}"#, Structure(endian, "/endian")),
            (r#"{"endian": null}"#, Structure(endian, "/endian")),
            (r#"{"endian": ["big"]}"#, Structure(endian, "/endian")),
            (
                r#"{"endian": "big", "order": "C"}"#,
                Structure(keys, "/order"),
            ),
        ],
    );
    bytes(
        DataType::Int4,
        &[
            ("{}", Good),
            (r#"{"endian": "big"}"#, Good),
            (r#"{"endian": "middle"}"#, Structure(endian, "/endian")),
            (r#"{"endianness": "big"}"#, Structure(keys, "/endianness")),
        ],
    );
    let rejection = parse_bytes("[]", DataType::Int8).expect_err("no object");
    assert_eq!(rejection.clause, keys);
    for (text, endian) in [
        ("{}", None),
        (r#"{"endian": "little"}"#, Some(Endian::Little)),
        (r#"{"endian": "big"}"#, Some(Endian::Big)),
    ] {
        let data_type = DataType::Uint8;
        assert_eq!(
            parse_bytes(text, data_type),
            Ok(Bytes::new(data_type, endian))
        );
    }
}

#[test]
fn packbits_configurations() {
    let keys = "packbits.configuration.keys";
    let padding = "packbits.padding_encoding";
    let bits = "packbits.bits";
    let order = "packbits.bits.order";
    let width = "packbits.bits.width";
    packbits(
        DataType::Int16,
        &[
            ("{}", Good),
            (r#"{"padding_encoding": "none"}"#, Good),
            (r#"{"padding_encoding": "first_byte"}"#, Good),
            (r#"{"padding_encoding": "last_byte"}"#, Good),
            (r#"{"first_bit": null, "last_bit": null}"#, Good),
            (r#"{"first_bit": 15, "last_bit": 15}"#, Good),
            (
                r#"{"padding_encoding": null}"#,
                Structure(padding, "/padding_encoding"),
            ),
            (
                r#"{"padding_encoding": "start_byte"}"#,
                Structure(padding, "/padding_encoding"),
            ),
            (r#"{"start_bit": 0}"#, Structure(keys, "/start_bit")),
            (r#"{"end_bit": 3}"#, Structure(keys, "/end_bit")),
            (r#"{"first_bit": -1}"#, Structure(bits, "/first_bit")),
            (r#"{"last_bit": 1.5}"#, Structure(bits, "/last_bit")),
            (r#"{"last_bit": "3"}"#, Structure(bits, "/last_bit")),
            (r#"{"last_bit": true}"#, Structure(bits, "/last_bit")),
            // To a schema, these are integers.
            (r#"{"last_bit": 3.0}"#, Meaning(bits, "/last_bit")),
            (r#"{"last_bit": 3e0}"#, Meaning(bits, "/last_bit")),
            (r#"{"last_bit": -0}"#, Meaning(bits, "/last_bit")),
            (r#"{"last_bit": 16}"#, Joint(width, "/last_bit")),
            (
                r#"{"last_bit": 18446744073709551616}"#,
                Joint(width, "/last_bit"),
            ),
            (
                r#"{"first_bit": 3, "last_bit": 2}"#,
                Meaning(order, "/last_bit"),
            ),
            (
                r#"{"first_bit": 17, "last_bit": 16}"#,
                Joint(order, "/last_bit"),
            ),
            (r#"{"first_bit": 16}"#, Joint(order, "/first_bit")),
            (
                r#"{"first_bit": 99999999999999999999}"#,
                Joint(order, "/first_bit"),
            ),
        ],
    );
    let rejection = parse_packbits("null", DataType::Int8).expect_err("no object");
    assert_eq!(rejection.clause, "packbits.configuration");
}

/// The defaults are the bits of the component, and every data type has defaults.
#[test]
fn packbits_defaults() {
    for &data_type in DataType::ALL {
        let bits = data_type.format().component_bits();
        let read = |text: &str| parse_packbits(text, data_type);
        assert_eq!(read("{}"), Ok(PackBits::whole(data_type)), "{data_type}");
        let text = format!(
            r#"{{"padding_encoding": "last_byte", "first_bit": {0}, "last_bit": {0}}}"#,
            bits - 1
        );
        let highest = PackBits::whole(data_type)
            .bits(bits - 1, bits - 1)
            .padding(PaddingEncoding::LastByte);
        assert_eq!(read(&text), Ok(highest), "{data_type}");
        let text = format!(r#"{{"last_bit": {bits}}}"#);
        let rejection = read(&text).expect_err("no such bit");
        assert_eq!(rejection.clause, "packbits.bits.width", "{data_type}");
    }
}

/// After a codec about which nothing is known, there is no data type whose bits could be meant.
#[test]
fn packbits_of_an_unknown_type() {
    let codecs = |configuration: &str, expect| {
        let list = format!(r#"["new", {{"name": "packbits", "configuration": {configuration}}}]"#);
        array(&[("codecs", &list)], expect);
    };
    codecs(r#"{"last_bit": 1000}"#, Good);
    codecs(
        r#"{"first_bit": 2, "last_bit": 1}"#,
        Meaning("packbits.bits.order", "/codecs/1/configuration/last_bit"),
    );
    codecs(
        r#"{"bits": 2}"#,
        Structure(
            "packbits.configuration.keys",
            "/codecs/1/configuration/bits",
        ),
    );
}
