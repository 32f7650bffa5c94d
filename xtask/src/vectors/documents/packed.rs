//! Documents of `bytes` and `packbits`.

use super::Group;
use crate::vectors::chain::{LITTLE, array};

pub(super) fn bytes() -> Vec<Group> {
    let int16 = |text: &str| array("int16", "0", &format!("[{text}]"));
    let uint8 = |text: &str| array("uint8", "0", &format!("[{text}]"));
    let configured = |text: &str| format!(r#"{{"name":"bytes","configuration":{text}}}"#);
    let with_little = |data_type: &str, fill: &str| array(data_type, fill, &format!("[{LITTLE}]"));
    let without = |data_type: &str, fill: &str| array(data_type, fill, r#"[{"name":"bytes"}]"#);
    vec![
        Group::must("endian", "bytes.endian")
            .accept_all(
                &[
                    ("little", r#"{"endian":"little"}"#),
                    ("big", r#"{"endian":"big"}"#),
                    ("escaped", r#"{"endian":"\u0062ig"}"#),
                ],
                |text| int16(&configured(text)),
            )
            .accept_all(
                &[
                    ("little-uint8", r#"{"endian":"little"}"#),
                    ("big-uint8", r#"{"endian":"big"}"#),
                    ("empty-uint8", "{}"),
                ],
                |text| uint8(&configured(text)),
            )
            .accept("absent-int2", without("int2", "0"))
            .accept("absent-float4", without("float4_e2m1fn", "0"))
            .accept("absent-float8", without("float8_e5m2", "0"))
            .accept(
                "absent-complex-float8",
                without("complex_float8_e5m2", "[0,0]"),
            )
            .accept("little-int4", with_little("int4", "0"))
            .accept("little-bfloat16", with_little("bfloat16", "0"))
            .accept("little-complex128", with_little("complex128", "[0,0]"))
            .reject_all(
                &[
                    ("empty", "{}"),
                    ("word", r#"{"endian":"native"}"#),
                    ("upper-case", r#"{"endian":"BIG"}"#),
                    ("blank", r#"{"endian":" big"}"#),
                    ("empty-text", r#"{"endian":""}"#),
                    ("null", r#"{"endian":null}"#),
                    ("true", r#"{"endian":true}"#),
                    ("number", r#"{"endian":1}"#),
                    ("list", r#"{"endian":["big"]}"#),
                    ("object", r#"{"endian":{"name":"big"}}"#),
                ],
                |text| int16(&configured(text)),
            )
            .reject_all(
                &[
                    ("null-uint8", r#"{"endian":null}"#),
                    ("word-uint8", r#"{"endian":"none"}"#),
                ],
                |text| uint8(&configured(text)),
            )
            .reject("absent-bfloat16", without("bfloat16", "0"))
            .reject("absent-float16", without("float16", "0"))
            .reject("absent-uint64", without("uint64", "0"))
            .reject(
                "absent-complex-float16",
                without("complex_float16", "[0,0]"),
            ),
        Group::must("short-form", "bytes.endian")
            .also("chain.codec.form")
            .accept("uint8", uint8("\"bytes\""))
            .accept("float6", array("float6_e3m2fn", "0", "[\"bytes\"]"))
            .reject("int16", int16("\"bytes\"")),
        Group::ruling("keys", "bytes.configuration")
            .accept("endian-alone", int16(LITTLE))
            .accept("none", uint8(&configured("{}")))
            .reject_all(
                &[
                    ("order", r#"{"endian":"little","order":"C"}"#),
                    ("endianness", r#"{"endian":"little","endianness":"big"}"#),
                    ("upper-case", r#"{"endian":"little","Endian":"big"}"#),
                    ("empty-key", r#"{"endian":"little","":0}"#),
                ],
                |text| int16(&configured(text)),
            )
            .reject_all(
                &[
                    ("item-size", r#"{"itemsize":1}"#),
                    ("endianness-uint8", r#"{"endianness":"little"}"#),
                ],
                |text| uint8(&configured(text)),
            ),
        Group::ruling("keys-twice", "bytes.configuration")
            .by("chain.json.duplicates")
            .accept("once", int16(LITTLE))
            .reject(
                "same",
                int16(&configured(r#"{"endian":"big","endian":"big"}"#)),
            )
            .reject(
                "other",
                int16(&configured(r#"{"endian":"little","endian":"big"}"#)),
            ),
    ]
}

pub(super) fn packbits() -> Vec<Group> {
    let of = |data_type: &str, fill: &str, text: &str| {
        array(
            data_type,
            fill,
            &format!(r#"[{{"name":"packbits","configuration":{text}}}]"#),
        )
    };
    let uint4 = |text: &str| of("uint4", "0", text);
    let int32 = |text: &str| of("int32", "0", text);
    let complex = |text: &str| of("complex_float32", "[0,0]", text);
    vec![
        Group::must("configuration", "packbits.configuration")
            .by("chain.codec.form")
            .accept("short", array("uint4", "0", "[\"packbits\"]"))
            .accept(
                "name-alone",
                array("uint4", "0", r#"[{"name":"packbits"}]"#),
            )
            .accept("empty", uint4("{}"))
            .accept("bool", array("bool", "true", r#"[{"name":"packbits"}]"#))
            .accept("float64", array("float64", "0", r#"[{"name":"packbits"}]"#))
            .accept(
                "optional",
                array(
                    "uint4",
                    "0",
                    r#"[{"name":"packbits","must_understand":true}]"#,
                ),
            )
            .reject("null", uint4("null"))
            .reject("list", uint4("[]"))
            .reject("number", uint4("4")),
        Group::ruling("keys", "packbits.configuration.keys")
            .accept(
                "all",
                uint4(r#"{"padding_encoding":"none","first_bit":0,"last_bit":3}"#),
            )
            .reject_all(
                &[
                    ("schema-start", r#"{"start_bit":0}"#),
                    ("schema-end", r#"{"end_bit":3}"#),
                    ("bits", r#"{"bits":4}"#),
                    ("upper-case", r#"{"First_bit":0}"#),
                    ("endian", r#"{"endian":"little"}"#),
                    ("dash", r#"{"padding-encoding":"none"}"#),
                    ("beside-others", r#"{"first_bit":0,"order":"msb"}"#),
                ],
                uint4,
            ),
        Group::ruling("keys-twice", "packbits.configuration.keys")
            .by("chain.json.duplicates")
            .accept("once", uint4(r#"{"first_bit":1}"#))
            .reject("same", uint4(r#"{"first_bit":1,"first_bit":1}"#))
            .reject(
                "null-and-number",
                uint4(r#"{"last_bit":null,"last_bit":2}"#),
            ),
        Group::must("padding-encoding", "packbits.padding_encoding")
            .accept_all(
                &[
                    ("none", r#"{"padding_encoding":"none"}"#),
                    ("first-byte", r#"{"padding_encoding":"first_byte"}"#),
                    ("last-byte", r#"{"padding_encoding":"last_byte"}"#),
                ],
                uint4,
            )
            .reject_all(
                &[
                    ("null", r#"{"padding_encoding":null}"#),
                    ("schema-start", r#"{"padding_encoding":"start_byte"}"#),
                    ("schema-end", r#"{"padding_encoding":"end_byte"}"#),
                    ("upper-case", r#"{"padding_encoding":"None"}"#),
                    ("blank", r#"{"padding_encoding":"first_byte "}"#),
                    ("empty-text", r#"{"padding_encoding":""}"#),
                    ("false", r#"{"padding_encoding":false}"#),
                    ("number", r#"{"padding_encoding":0}"#),
                    ("list", r#"{"padding_encoding":["none"]}"#),
                ],
                uint4,
            ),
        Group::must("bits", "packbits.bits")
            .accept_all(
                &[
                    ("both", r#"{"first_bit":0,"last_bit":11}"#),
                    ("one-bit", r#"{"first_bit":31,"last_bit":31}"#),
                    ("first-alone", r#"{"first_bit":31}"#),
                    ("last-alone", r#"{"last_bit":0}"#),
                    ("nulls", r#"{"first_bit":null,"last_bit":null}"#),
                    ("null-and-last", r#"{"first_bit":null,"last_bit":5}"#),
                    ("first-and-null", r#"{"first_bit":5,"last_bit":null}"#),
                ],
                int32,
            )
            .reject_all(
                &[
                    ("negative", r#"{"first_bit":-1}"#),
                    ("negative-last", r#"{"last_bit":-1}"#),
                    ("fraction", r#"{"last_bit":1.5}"#),
                    ("text", r#"{"last_bit":"11"}"#),
                    ("hex", r#"{"last_bit":"0x0b"}"#),
                    ("true", r#"{"first_bit":true}"#),
                    ("false", r#"{"first_bit":false}"#),
                    ("list", r#"{"first_bit":[0]}"#),
                    ("object", r#"{"first_bit":{}}"#),
                    ("nan", r#"{"first_bit":"NaN"}"#),
                ],
                int32,
            ),
        Group::must("order", "packbits.bits.order")
            .accept("equal", int32(r#"{"first_bit":5,"last_bit":5}"#))
            .accept("above", int32(r#"{"first_bit":5,"last_bit":6}"#))
            .accept("uint4-first-at-the-end", uint4(r#"{"first_bit":3}"#))
            .reject("below", int32(r#"{"first_bit":5,"last_bit":4}"#))
            .reject("zero", int32(r#"{"first_bit":1,"last_bit":0}"#))
            .reject(
                "beyond-and-below",
                int32(r#"{"first_bit":64,"last_bit":63}"#),
            )
            .reject("first-past-the-end", int32(r#"{"first_bit":32}"#))
            .reject("uint4-first-past-the-end", uint4(r#"{"first_bit":4}"#))
            .reject(
                "uint4-first-and-null",
                uint4(r#"{"first_bit":4,"last_bit":null}"#),
            )
            .reject(
                "bool-first-past-the-end",
                of("bool", "true", r#"{"first_bit":1}"#),
            )
            .reject(
                "complex-first-past-the-component",
                complex(r#"{"first_bit":32}"#),
            )
            .reject("huge", int32(r#"{"first_bit":99999999999999999999}"#)),
        Group::ruling("width", "packbits.bits.width")
            .accept("int32", int32(r#"{"last_bit":31}"#))
            .accept("uint4", uint4(r#"{"last_bit":3}"#))
            .accept("float6", of("float6_e2m3fn", "0", r#"{"last_bit":5}"#))
            .accept(
                "bool",
                of("bool", "false", r#"{"first_bit":0,"last_bit":0}"#),
            )
            .accept("complex", complex(r#"{"last_bit":31}"#))
            .accept(
                "int64",
                of("int64", "0", r#"{"first_bit":63,"last_bit":63}"#),
            )
            .reject("int32-beyond", int32(r#"{"last_bit":32}"#))
            .reject("int32-both", int32(r#"{"first_bit":32,"last_bit":32}"#))
            .reject("uint4-beyond", uint4(r#"{"last_bit":4}"#))
            .reject("uint4-of-the-byte", uint4(r#"{"last_bit":7}"#))
            .reject(
                "float6-beyond",
                of("float6_e2m3fn", "0", r#"{"last_bit":6}"#),
            )
            .reject("bool-beyond", of("bool", "false", r#"{"last_bit":1}"#))
            .reject("complex-of-both-parts", complex(r#"{"last_bit":63}"#))
            .reject("int64-beyond", of("int64", "0", r#"{"last_bit":64}"#))
            .reject("wraps-in-32-bits", int32(r#"{"last_bit":4294967296}"#))
            .reject(
                "wraps-in-64-bits",
                int32(r#"{"last_bit":18446744073709551616}"#),
            )
            .reject(
                "many-digits",
                int32(&format!(r#"{{"last_bit":{}}}"#, "9".repeat(400))),
            ),
        behind_others(),
    ]
}

/// What counts is the data type where the codec stands.
fn behind_others() -> Group {
    let cast = |to: &str, last: u32| {
        array(
            "float64",
            "0",
            &format!(
                r#"[{{"name":"cast_value","configuration":{{"data_type":"{to}"}}}},{{"name":"packbits","configuration":{{"last_bit":{last}}}}}]"#
            ),
        )
    };
    let shard = |last: u32| {
        array(
            "uint4",
            "0",
            &format!(
                r#"[{{"name":"sharding_indexed","configuration":{{"chunk_shape":[2],"codecs":[{{"name":"packbits","configuration":{{"last_bit":{last}}}}}],"index_codecs":[{LITTLE}]}}}}]"#
            ),
        )
    };
    Group::ruling("behind-others", "packbits.bits.width")
        .also("chain.data_type")
        .accept("cast", cast("uint4", 3))
        .accept("cast-up", cast("int16", 15))
        .accept("shard", shard(3))
        .reject("cast-beyond", cast("uint4", 4))
        .reject("cast-of-the-array", cast("int16", 63))
        .reject("shard-beyond", shard(4))
}
