//! Rows about decoding.

use exactum_vectors::Level::{Must, Ruling};

use super::{NONE, Row};

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "decoded-float64",
        level: Must,
        decodes: &["decode"],
        types: ("float64", "<f8", "|u1"),
        parameters: ("1000", "10"),
        decode: &[("plain", "0 1 255 128"), ("more", "3 7 9 11")],
        ..NONE
    },
    Row {
        name: "decoded-float32",
        level: Must,
        decodes: &["decode"],
        types: ("float32", "<f4", "|u1"),
        parameters: ("10", "0.1"),
        decode: &[
            ("a", "1 2 3 4"),
            ("b", "7 11 13 17"),
            ("c", "100 150 200 254"),
        ],
        ..NONE
    },
    Row {
        name: "decoded-integers",
        level: Must,
        decodes: &["decode"],
        types: ("int32", "<i4", "<i2"),
        parameters: ("5", "2"),
        decode: &[("even", "0 2 -2 100"), ("odd", "7 -7 3 1")],
        ..NONE
    },
    Row {
        name: "decoded-signs",
        level: Must,
        decodes: &["decode"],
        types: ("int8", "|i1", "|u1"),
        parameters: ("0", "2"),
        decode: &[("all-bits", "200 100 254 1")],
        ..NONE
    },
    Row {
        name: "decoded-of-float",
        level: Must,
        decodes: &["decode"],
        types: ("int32", "<i4", "<f4"),
        parameters: ("0", "0.1"),
        decode: &[("fractions", "2.7 -2.7 3 0.5")],
        ..NONE
    },
    Row {
        name: "decoded-float32-late",
        level: Ruling,
        decodes: &["decode.type"],
        types: ("float32", "<f4", "|u1"),
        parameters: ("10", "0.1"),
        decode: &[
            ("a", "1 2 3 4"),
            ("b", "7 11 13 17"),
            ("c", "100 150 200 254"),
        ],
        ..NONE
    },
    Row {
        name: "decoded-float32-later",
        level: Ruling,
        decodes: &["decode.type"],
        types: ("float32", "<f4", "<i2"),
        parameters: ("0.1", "0.3"),
        decode: &[
            ("a", "1 2 3 4"),
            ("b", "7 11 13 17"),
            ("c", "1000 -1500 32000 -254"),
        ],
        ..NONE
    },
    Row {
        name: "decoded-float16-late",
        level: Ruling,
        decodes: &["decode.type"],
        types: ("float16", "<f2", "|u1"),
        parameters: ("0.1", "30"),
        decode: &[
            ("a", "1 2 3 4"),
            ("b", "7 11 13 17"),
            ("c", "100 150 200 254"),
        ],
        ..NONE
    },
    Row {
        name: "decoded-float32-of-float64",
        level: Ruling,
        decodes: &["decode.type"],
        types: ("float32", "<f4", "<f8"),
        parameters: ("0.1", "0.3"),
        decode: &[("a", "1 2 3 4"), ("outside", "1e39 -1e39 0.1 7")],
        ..NONE
    },
    Row {
        name: "decoded-float64-of-float32",
        level: Ruling,
        decodes: &["decode.type"],
        types: ("float64", "<f8", "<f4"),
        parameters: ("0.1", "0.3"),
        decode: &[("a", "1 2 3 4"), ("b", "7 11 -0.0 17")],
        ..NONE
    },
    Row {
        name: "decoded-signs-late",
        level: Ruling,
        decodes: &["decode.type"],
        types: ("int8", "|i1", "|u1"),
        parameters: ("0", "2"),
        decode: &[("all-bits", "200 100 254 1")],
        ..NONE
    },
    Row {
        name: "decoded-of-float-late",
        level: Ruling,
        decodes: &["decode.type"],
        types: ("int32", "<i4", "<f4"),
        parameters: ("0", "0.1"),
        decode: &[("fractions", "2.7 -2.7 3 0.5")],
        ..NONE
    },
    Row {
        name: "cut-int32",
        level: Ruling,
        decodes: &["decode.cut"],
        types: ("int32", "<i4", "<i4"),
        parameters: ("0", "2"),
        decode: &[("odd", "7 -7 3 1"), ("ends", "2147483647 -2147483647 -1 5")],
        ..NONE
    },
    Row {
        name: "cut-thirds",
        level: Ruling,
        decodes: &["decode.cut"],
        types: ("int16", "<i2", "<i2"),
        parameters: ("10", "3"),
        decode: &[("thirds", "5 -5 1 -1"), ("across-zero", "-29 -31 -32 -28")],
        ..NONE
    },
    Row {
        name: "cut-by-a-fraction",
        level: Ruling,
        decodes: &["decode.cut"],
        types: ("int32", "<i4", "|u1"),
        parameters: ("0", "0.3"),
        decode: &[("plain", "1 2 3 255")],
        ..NONE
    },
    Row {
        name: "cut-wrapped",
        level: Ruling,
        decodes: &["decode.cut"],
        types: ("int8", "|i1", "<i2"),
        decode: &[("outside", "200 -200 32767 128")],
        ..NONE
    },
    Row {
        name: "cut-wrapped-unsigned",
        level: Ruling,
        decodes: &["decode.cut"],
        types: ("uint8", "|u1", "<i2"),
        decode: &[("outside", "-1 256 -300 255")],
        ..NONE
    },
    Row {
        name: "cut-wide",
        level: Ruling,
        decodes: &["decode.cut"],
        types: ("int64", "<i8", "<i8"),
        decode: &[(
            "binary64",
            "9007199254740993 9223372036854775807 -9007199254740993 -1",
        )],
        ..NONE
    },
];
