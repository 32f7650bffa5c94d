//! Documents whose fill value is right or wrong.

use super::{Group, array};

const LITTLE: &str = r#"[{"name":"bytes","configuration":{"endian":"little"}}]"#;

pub(super) fn groups() -> Vec<Group> {
    let of = |data_type: &'static str| move |text: &str| array(data_type, text, LITTLE);
    vec![
        Group::must("bool", "fill_value.bool")
            .accept_all(&[("true", "true"), ("false", "false")], of("bool"))
            .reject_all(
                &[
                    ("one", "1"),
                    ("zero", "0"),
                    ("string", "\"true\""),
                    ("null", "null"),
                ],
                of("bool"),
            ),
        Group::must("integer-lexical", "fill_value.integer.lexical")
            .accept_all(&[("zero", "0"), ("negative", "-5")], of("int16"))
            .reject_all(
                &[
                    ("fraction", "1.0"),
                    ("exponent", "1e3"),
                    ("string", "\"5\""),
                    ("null", "null"),
                    ("true", "true"),
                    ("nan", "\"NaN\""),
                    ("list", "[0]"),
                ],
                of("int16"),
            ),
        Group::must("integer-range", "fill_value.integer.range")
            .accept("largest-uint8", of("uint8")("255"))
            .accept("largest-uint64", of("uint64")("18446744073709551615"))
            .accept("smallest-int64", of("int64")("-9223372036854775808"))
            .reject("above-uint8", of("uint8")("256"))
            .reject("below-uint8", of("uint8")("-1"))
            .reject("below-int8", of("int8")("-129"))
            .reject("above-uint64", of("uint64")("18446744073709551616"))
            .reject("above-int64", of("int64")("9223372036854775808")),
        Group::ruling("integer-negative-zero", "fill_value.integer.negative-zero")
            .accept("signed", of("int16")("-0"))
            .accept("unsigned", of("uint8")("-0")),
        Group::must("float-kind", "fill_value.float.kind")
            .accept_all(&[("integer", "3"), ("fraction", "1.5")], of("float32"))
            .reject_all(
                &[
                    ("null", "null"),
                    ("true", "true"),
                    ("list", "[1.5]"),
                    ("object", "{}"),
                ],
                of("float32"),
            ),
        Group::must("float-kind-in-a-string", "fill_value.float.kind")
            .reject("number", of("float32")("\"1.5\"")),
        Group::must("float-names", "fill_value.float.names")
            .accept_all(
                &[
                    ("nan", "\"NaN\""),
                    ("infinity", "\"Infinity\""),
                    ("negative-infinity", "\"-Infinity\""),
                ],
                of("float32"),
            )
            .reject_all(
                &[
                    ("plus-infinity", "\"+Infinity\""),
                    ("inf", "\"inf\""),
                    ("nan-lower-case", "\"nan\""),
                    ("empty", "\"\""),
                ],
                of("float32"),
            )
            .reject(
                "infinity-where-none-is",
                of("float8_e4m3fnuz")("\"Infinity\""),
            )
            .reject("nan-where-none-is", of("float4_e2m1fn")("\"NaN\"")),
        Group::must("float-hex", "fill_value.float.hex")
            .accept_all(
                &[
                    ("lower-case", "\"0x7fc00001\""),
                    ("upper-case", "\"0x7FC00001\""),
                ],
                of("float32"),
            )
            .reject_all(
                &[
                    ("short", "\"0x3fc0\""),
                    ("long", "\"0x7ff8000000000000\""),
                    ("no-digits", "\"0x\""),
                    ("other-letter", "\"0x7fc0000g\""),
                ],
                of("float32"),
            )
            .reject("bits-above", of("float4_e2m1fn")("\"0x17\"")),
        Group::must("float-hex-prefix", "fill_value.float.hex")
            .reject("capital-x", of("float32")("\"0X7fc00001\"")),
        Group::ruling("float-range", "fill_value.float.range")
            .accept("largest", of("float8_e4m3fnuz")("240"))
            .accept("rounded-to-the-largest", of("float4_e2m1fn")("6.9"))
            .reject("above", of("float8_e4m3fnuz")("1000"))
            .reject("above-float4", of("float4_e2m1fn")("100"))
            .reject("zero-where-none-is", of("float8_e8m0fnu")("0"))
            .reject("negative-where-none-is", of("float8_e8m0fnu")("-1")),
        Group::ruling("float-overflow", "fill_value.float.overflow")
            .accept("float32", of("float32")("1e39"))
            .accept("float64", of("float64")("-1e400")),
        Group::must("complex", "fill_value.complex")
            .accept_all(
                &[
                    ("numbers", "[1, 2]"),
                    ("names", "[\"-Infinity\", \"0x7fc00001\"]"),
                ],
                of("complex64"),
            )
            .reject_all(
                &[
                    ("number", "1"),
                    ("one-part", "[1]"),
                    ("three-parts", "[1,2,3]"),
                    ("empty", "[]"),
                    ("string", "\"1+2j\""),
                    ("null", "null"),
                ],
                of("complex64"),
            ),
    ]
}
