//! Rows about the order of the steps, rounding, and integers that wrap.

use exactum_vectors::Level::{Must, Ruling};

use super::{NONE, Row};

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "published",
        level: Must,
        encodes: &["encode", "round"],
        decodes: &["decode"],
        types: ("float32", "float32", "uint8"),
        parameters: ("10", "0.1"),
        encode: &[("ends", "10 100 16 26")],
        decode: &[("ends", "0 9 1 255"), ("counted", "2 3 6 7")],
        ..NONE
    },
    Row {
        name: "published-numpy-names",
        level: Ruling,
        encodes: &["encode", "data_types"],
        decodes: &["decode", "data_types"],
        types: ("float32", "f4", "u1"),
        parameters: ("10", "0.1"),
        encode: &[("ends", "10 100 16 26")],
        decode: &[("ends", "0 9 1 255")],
        ..NONE
    },
    Row {
        name: "published-zarr-v2-names",
        level: Must,
        encodes: &["encode"],
        decodes: &["decode"],
        types: ("float32", "<f4", "|u1"),
        parameters: ("10", "0.1"),
        encode: &[("ends", "10 100 16 26")],
        decode: &[("ends", "0 9 1 255")],
        ..NONE
    },
    Row {
        name: "steps",
        level: Must,
        encodes: &["encode"],
        decodes: &["decode"],
        types: ("float64", "<f8", "<i4"),
        parameters: ("5", "2"),
        encode: &[
            ("plain", "7 -3 5 100"),
            ("fractions", "5.25 5.75 -0.25 1e9"),
        ],
        decode: &[
            ("plain", "4 -16 0 190"),
            ("ends", "2147483647 -2147483648 1 -1"),
        ],
        ..NONE
    },
    Row {
        name: "negative-scale",
        level: Must,
        encodes: &["encode"],
        decodes: &["decode"],
        types: ("float64", "<f8", "<i2"),
        parameters: ("-1.5", "-4"),
        encode: &[("plain", "-1.5 0 1000 -8000")],
        decode: &[("plain", "0 -6 6 32767")],
        ..NONE
    },
    Row {
        name: "rounded-to-int16",
        level: Must,
        encodes: &["round"],
        decodes: &["decode"],
        types: ("float64", "<f8", "<i2"),
        encode: &[
            ("beside-ties", "2.4 2.6 -2.4 -2.6"),
            ("near", "0.49999999999999994 1.4999999999999998 -0.9 0.1"),
        ],
        decode: &[("plain", "2 3 -2 -3")],
        ..NONE
    },
    Row {
        name: "rounded-in-float32",
        level: Must,
        encodes: &["round"],
        decodes: &["decode"],
        types: ("float32", "<f4", "<f4"),
        encode: &[
            ("beside-ties", "2.4 2.6 -2.4 -2.6"),
            ("scaled", "0.1 7.75 99.9 -8388607.0"),
        ],
        decode: &[("plain", "2 3 -2 0.25")],
        ..NONE
    },
    Row {
        name: "rounded-into-float32",
        level: Must,
        encodes: &["round"],
        decodes: &["decode"],
        types: ("float64", "<f8", "<f4"),
        parameters: ("0", "10"),
        encode: &[("beside-ties", "2.44 2.46 -2.44 -2.46")],
        decode: &[("plain", "24 25 -24 -25")],
        ..NONE
    },
    Row {
        name: "rounded-in-float16",
        level: Must,
        encodes: &["round"],
        decodes: &["decode"],
        types: ("float16", "<f2", "<f2"),
        encode: &[("beside-ties", "2.4 2.6 -2.4 1000.75")],
        decode: &[("plain", "2 3 -2 0.25")],
        ..NONE
    },
    Row {
        name: "ties-to-int16",
        level: Ruling,
        encodes: &["round.ties"],
        types: ("float64", "<f8", "<i2"),
        encode: &[
            ("halves", "0.5 1.5 2.5 3.5"),
            ("negative-halves", "-0.5 -1.5 -2.5 -3.5"),
        ],
        ..NONE
    },
    Row {
        name: "ties-in-float32",
        level: Ruling,
        encodes: &["round.ties"],
        decodes: &["decode"],
        types: ("float32", "<f4", "<f4"),
        encode: &[
            ("halves", "0.5 1.5 2.5 4194303.5"),
            ("negative-halves", "-0.5 -1.5 -2.5 -4194303.5"),
            ("signed-zeros", "-0.25 -0.0 0.25 0.0"),
        ],
        decode: &[("zeros", "-0.0 0.0 -0.5 0.5")],
        ..NONE
    },
    Row {
        name: "ties-in-float16",
        level: Ruling,
        encodes: &["round.ties"],
        types: ("float16", "<f2", "<f2"),
        encode: &[
            ("halves", "0.5 1.5 2.5 1023.5"),
            ("negative-halves", "-0.5 -1.5 -2.5 -1023.5"),
        ],
        ..NONE
    },
    Row {
        name: "wrapped-uint8",
        level: Must,
        encodes: &["wrap"],
        decodes: &["decode"],
        types: ("float32", "<f4", "|u1"),
        encode: &[
            ("outside", "256 -1 300 70000"),
            ("far", "-129 65535 1e6 -1e6"),
        ],
        decode: &[("all-bits", "255 0 128 127")],
        ..NONE
    },
    Row {
        name: "wrapped-int8",
        level: Must,
        encodes: &["wrap"],
        types: ("float64", "<f8", "|i1"),
        encode: &[
            ("outside", "128 -129 255 1000"),
            ("rounded-out", "127.6 -128.6 127.4 -128.4"),
        ],
        ..NONE
    },
    Row {
        name: "wrapped-int32",
        level: Must,
        encodes: &["wrap"],
        types: ("float64", "<f8", "<i4"),
        encode: &[("outside", "4294967297 -2147483649 1e15 3e9")],
        ..NONE
    },
    Row {
        name: "wrapped-int64",
        level: Must,
        encodes: &["wrap"],
        types: ("float64", "<f8", "<i8"),
        encode: &[
            (
                "outside",
                "9223372036854775808 1e19 -1e19 1.8446744073709556e19",
            ),
            ("far", "1e300 -1e25 3.6893488147419103e19 1e22"),
        ],
        ..NONE
    },
    Row {
        name: "wrapped-uint64",
        level: Must,
        encodes: &["wrap"],
        types: ("float64", "<f8", "<u8"),
        encode: &[
            ("outside", "-1 1.8446744073709556e19 -1e19 3e19"),
            ("inside", "9223372036854775808 1e19 1 0"),
        ],
        ..NONE
    },
    Row {
        name: "wrapped-float32-uint64",
        level: Must,
        encodes: &["wrap"],
        types: ("float32", "<f4", "<u8"),
        encode: &[("outside", "-1 1.8446746e19 -1e19 3e38")],
        ..NONE
    },
    Row {
        name: "wrapped-integers",
        level: Must,
        encodes: &["wrap"],
        decodes: &["decode"],
        types: ("int32", "<i4", "|u1"),
        encode: &[("outside", "256 -1 300 70000")],
        decode: &[("all-bits", "255 0 128 127")],
        ..NONE
    },
    Row {
        name: "wrapped-signs",
        level: Must,
        encodes: &["wrap"],
        types: ("uint16", "<u2", "<i2"),
        encode: &[("outside", "32768 65535 32767 0")],
        ..NONE
    },
];
