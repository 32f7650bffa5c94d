//! Rows about the arithmetic of each step.

use exactum_vectors::Level::Ruling;

use super::{NONE, Row};

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "overflow",
        level: Ruling,
        encodes: &["arithmetic"],
        decodes: &["arithmetic"],
        types: ("float32", "<f4", "<f4"),
        parameters: ("0", "10"),
        encode: &[
            ("infinite", "3e38 -3e38 1 3.4e37"),
            ("infinite-elements", r#""Infinity" "-Infinity" 1 2"#),
        ],
        decode: &[
            ("infinite-elements", r#""Infinity" "-Infinity" 1 2"#),
            ("nan", r#""NaN" 1 2 3"#),
        ],
        ..NONE
    },
    Row {
        name: "overflow-back",
        level: Ruling,
        decodes: &["arithmetic"],
        types: ("float32", "<f4", "<f4"),
        parameters: ("1", "0.01"),
        decode: &[("infinite", "3e38 -3e38 1 2e36")],
        ..NONE
    },
    Row {
        name: "overflow-of-the-difference",
        level: Ruling,
        encodes: &["arithmetic"],
        types: ("float32", "<f4", "<f4"),
        parameters: ("3e38", "-0.5"),
        encode: &[("infinite", "-3e38 3e38 0 1e38")],
        ..NONE
    },
    Row {
        name: "overflow-float16",
        level: Ruling,
        encodes: &["arithmetic"],
        decodes: &["arithmetic"],
        types: ("float16", "<f2", "<f2"),
        parameters: ("-100", "2"),
        encode: &[("infinite", "40000 -40000 65504 1")],
        decode: &[("plain", "60000 -60000 1 2")],
        ..NONE
    },
    Row {
        name: "steps-float32",
        level: Ruling,
        encodes: &["arithmetic"],
        types: ("float32", "<f4", "<i4"),
        parameters: ("0.1", "1e9"),
        encode: &[("inexact", "0.3 0.7 1.1 -0.9")],
        ..NONE
    },
    Row {
        name: "steps-float32-back",
        level: Ruling,
        encodes: &["arithmetic"],
        decodes: &["arithmetic"],
        types: ("float32", "<f4", "<f4"),
        parameters: ("0.1", "0.3"),
        encode: &[("inexact", "0.3 7.7 1.1e7 -0.9")],
        decode: &[("inexact", "1 2 3 7"), ("more", "10 100 1000 -5")],
        ..NONE
    },
    Row {
        name: "steps-float16",
        level: Ruling,
        encodes: &["arithmetic"],
        decodes: &["arithmetic"],
        types: ("float16", "<f2", "<f2"),
        parameters: ("0.1", "300"),
        encode: &[("inexact", "0.3 0.7 1.1 -0.9"), ("more", "5 7.3 3.3 0.01")],
        decode: &[("inexact", "1 2 3 7"), ("more", "10 100 1000 -5")],
        ..NONE
    },
    Row {
        name: "steps-float64",
        level: Ruling,
        encodes: &["arithmetic"],
        decodes: &["arithmetic"],
        types: ("float64", "<f8", "<f8"),
        parameters: ("0.1", "1e17"),
        encode: &[("inexact", "0.3 0.7 1.1 -0.9")],
        decode: &[("inexact", "1 2 3e16 7e16")],
        ..NONE
    },
    Row {
        name: "literal-scale",
        level: Ruling,
        encodes: &["literals"],
        types: ("float32", "<f4", "<f4"),
        parameters: ("0", "1152921573326323713"),
        encode: &[("once-more", "1 -1 3 0.5")],
        ..NONE
    },
    Row {
        name: "literal-offset",
        level: Ruling,
        encodes: &["literals"],
        decodes: &["literals"],
        types: ("float32", "<f4", "<f4"),
        parameters: ("1152921573326323713", "1"),
        encode: &[("once-more", "0 1152921504606846976 1 -1")],
        decode: &[("once-more", "0 1 -1 2")],
        ..NONE
    },
    Row {
        name: "literal-tenth",
        level: Ruling,
        encodes: &["literals"],
        decodes: &["literals"],
        types: ("float16", "<f2", "<f2"),
        parameters: ("0.1", "1e3"),
        encode: &[("in-float16", "0 1 2 3")],
        decode: &[("in-float16", "0 1 2 3")],
        ..NONE
    },
    Row {
        name: "wrapped-uint8-integers",
        level: Ruling,
        encodes: &["integers"],
        decodes: &["integers"],
        types: ("uint8", "|u1", "|u1"),
        parameters: ("10", "1"),
        encode: &[("below", "5 10 0 255")],
        decode: &[("all-bits", "251 0 246 245")],
        ..NONE
    },
    Row {
        name: "wrapped-int8-integers",
        level: Ruling,
        encodes: &["integers"],
        decodes: &["integers"],
        types: ("int8", "|i1", "<i2"),
        parameters: ("1", "2"),
        encode: &[("outside", "-128 127 0 64")],
        decode: &[("plain", "0 2 -2 100")],
        ..NONE
    },
    Row {
        name: "wrapped-int16-integers",
        level: Ruling,
        encodes: &["integers"],
        types: ("int16", "<i2", "<f4"),
        parameters: ("-30000", "3"),
        encode: &[("outside", "30000 -30000 0 12000")],
        ..NONE
    },
    Row {
        name: "wrapped-int64-integers",
        level: Ruling,
        encodes: &["integers"],
        decodes: &["integers"],
        types: ("int64", "<i8", "<i8"),
        parameters: ("9007199254740993", "3"),
        encode: &[(
            "exact",
            "9007199254740994 9223372036854775807 -9223372036854775808 0",
        )],
        decode: &[("plain", "3 -3 0 300")],
        ..NONE
    },
    Row {
        name: "wrapped-uint64-integers",
        level: Ruling,
        encodes: &["integers"],
        types: ("uint64", "<u8", "<u8"),
        parameters: ("18446744073709551615", "18446744073709551615"),
        encode: &[("exact", "0 1 18446744073709551615 9223372036854775808")],
        ..NONE
    },
    Row {
        name: "fraction-offset",
        level: Ruling,
        encodes: &["integers"],
        decodes: &["integers"],
        types: ("uint8", "|u1", "<i2"),
        parameters: ("10.0", "1"),
        encode: &[("below", "5 10 0 255")],
        decode: &[("plain", "-5 0 -10 245")],
        ..NONE
    },
    Row {
        name: "fraction-scale",
        level: Ruling,
        encodes: &["integers"],
        decodes: &["integers"],
        types: ("uint8", "|u1", "<i2"),
        parameters: ("0", "2.0"),
        encode: &[("above", "200 255 128 1")],
        decode: &[("plain", "400 510 256 2")],
        ..NONE
    },
    Row {
        name: "exponent-scale",
        level: Ruling,
        encodes: &["integers"],
        types: ("uint8", "|u1", "<i2"),
        parameters: ("0", "2e0"),
        encode: &[("above", "200 255 128 1")],
        ..NONE
    },
    Row {
        name: "integer-scale",
        level: Ruling,
        encodes: &["integers"],
        types: ("uint8", "|u1", "<i2"),
        parameters: ("0", "2"),
        encode: &[("above", "200 255 128 1")],
        ..NONE
    },
    Row {
        name: "wrapped-then-scaled",
        level: Ruling,
        encodes: &["integers"],
        decodes: &["integers"],
        types: ("int32", "<i4", "<i4"),
        parameters: ("5", "0.1"),
        encode: &[("outside", "-2147483648 2147483647 18 -8")],
        decode: &[("plain", "1 -1 0 214748364")],
        ..NONE
    },
    Row {
        name: "offset-then-integer-scale",
        level: Ruling,
        encodes: &["integers"],
        types: ("int32", "<i4", "<i8"),
        parameters: ("0.5", "3"),
        encode: &[("binary64", "2147483647 -2147483648 1 0")],
        ..NONE
    },
    Row {
        name: "wide-in-binary64",
        level: Ruling,
        encodes: &["integers"],
        types: ("int64", "<i8", "<i8"),
        parameters: ("0.0", "1"),
        encode: &[(
            "rounded",
            "9007199254740993 9223372036854775807 -9007199254740995 1",
        )],
        ..NONE
    },
];
