//! Rows about casts of what is not finite, and into floats.

use exactum_vectors::Level::Ruling;

use super::{NONE, Row};

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "non-finite",
        level: Ruling,
        encodes: &["non-finite"],
        types: ("float32", "<f4", "|u1"),
        parameters: ("0", "10"),
        encode: &[("finite", "1 2 3 4")],
        refused: &[
            ("nan", r#"0 0 "NaN" 0"#),
            ("infinity", r#""Infinity" 0 0 0"#),
            ("negative-infinity", r#"0 0 0 "-Infinity""#),
            ("overflow", "0 3e38 0 0"),
            ("negative-overflow", "0 -3e38 0 0"),
        ],
        ..NONE
    },
    Row {
        name: "non-finite-float64-int64",
        level: Ruling,
        encodes: &["non-finite"],
        types: ("float64", "<f8", "<i8"),
        parameters: ("-1e308", "1"),
        refused: &[("nan", r#""NaN" 0 0 0"#), ("overflow", "0 0 1.5e308 0")],
        ..NONE
    },
    Row {
        name: "non-finite-back",
        level: Ruling,
        encodes: &["float"],
        decodes: &["non-finite"],
        types: ("int32", "<i4", "<f4"),
        parameters: ("1", "2"),
        encode: &[("finite", "1 2 3 4")],
        undecodable: &[
            ("nan", r#"0 "NaN" 0 0"#),
            ("infinity", r#"0 0 "Infinity" 0"#),
            ("negative-infinity", r#""-Infinity" 0 0 0"#),
        ],
        ..NONE
    },
    Row {
        name: "non-finite-back-overflow",
        level: Ruling,
        decodes: &["non-finite"],
        types: ("int32", "<i4", "<f4"),
        parameters: ("1", "0.01"),
        undecodable: &[("overflow", "0 3e38 0 0")],
        ..NONE
    },
    Row {
        name: "narrowed-float32",
        level: Ruling,
        encodes: &["float"],
        decodes: &["float"],
        types: ("float64", "<f8", "<f4"),
        encode: &[
            (
                "outside",
                "1e39 -1e39 3.4028235677973366e38 3.4028235677973362e38",
            ),
            ("rounded", "16777217 16777219 -33554434 9007199254740993"),
            ("infinite", r#""Infinity" "-Infinity" 0 -0.0"#),
        ],
        decode: &[
            ("infinite", r#""Infinity" "-Infinity" 0 -0.0"#),
            ("nan", r#""NaN" 1 2 3"#),
        ],
        ..NONE
    },
    Row {
        name: "narrowed-float16",
        level: Ruling,
        encodes: &["float"],
        types: ("float64", "<f8", "<f2"),
        encode: &[
            ("outside", "65520 65519 -1e10 1e300"),
            ("rounded-once", "2049 2051 4098 16388"),
            ("twice", "4098.000001 16396 2049 -2051"),
        ],
        ..NONE
    },
    Row {
        name: "widened-back-float32",
        level: Ruling,
        encodes: &["float"],
        decodes: &["float"],
        types: ("float32", "<f4", "<f8"),
        encode: &[("plain", "1 2.4 3e38 -0.0")],
        decode: &[
            ("outside", "1e39 -1e39 16777217 3.4028235677973366e38"),
            (
                "rounded-once",
                "1.0000000596046448 1.0000000596046446 0.1 -0.1",
            ),
        ],
        ..NONE
    },
    Row {
        name: "narrowed-back-float16",
        level: Ruling,
        decodes: &["float"],
        types: ("float16", "<f2", "<f8"),
        decode: &[(
            "rounded-once",
            "1.0004882812500002 1.00048828125 -1.0004882812500002 65519.999",
        )],
        ..NONE
    },
    Row {
        name: "integers-in-float32",
        level: Ruling,
        encodes: &["float"],
        types: ("int64", "<i8", "<f4"),
        encode: &[
            ("rounded", "16777217 16777219 -16777217 9223372036854775807"),
            (
                "rounded-once",
                "1152921573326323713 1152921573326323712 -1152921573326323713 4611686293305294849",
            ),
        ],
        ..NONE
    },
    Row {
        name: "unsigned-in-float16",
        level: Ruling,
        encodes: &["float"],
        types: ("uint32", "<u4", "<f2"),
        encode: &[("outside", "65519 65520 4294967295 2049")],
        ..NONE
    },
];
