//! Booleans, complex numbers, and small floats without infinity or NaN.

use exactum_model::DataType;
use exactum_vectors::Level;

use super::Topic;

pub(super) fn bool(topic: &mut Topic) -> Result<(), String> {
    topic.parse(
        "parse",
        Level::Must,
        &["fill_value.bool"],
        &[("true", "true"), ("false", "false")],
        &[
            ("one", "1"),
            ("zero", "0"),
            ("minus-zero", "-0"),
            ("fraction", "1.0"),
            ("string", "\"true\""),
            ("string-false", "\"false\""),
            ("empty-string", "\"\""),
            ("null", "null"),
            ("list", "[true]"),
            ("object", "{}"),
        ],
    )?;
    super::json(topic, "true")?;
    topic.format("format", &[("false", 0), ("true", 1)])
}

pub(super) fn complex(topic: &mut Topic) -> Result<(), String> {
    topic.parse(
        "parse",
        Level::Must,
        &["fill_value.complex"],
        &[
            ("numbers", "[1, 2]"),
            ("zeros", "[0, -0.0]"),
            ("zeros-exchanged", "[-0.0, 0]"),
            ("names", "[\"-Infinity\", \"NaN\"]"),
            ("infinities", "[\"Infinity\", \"-Infinity\"]"),
            ("hex", "[\"0x7fc00001\", \"0x80000000\"]"),
            ("name-and-hex", "[\"-Infinity\", \"0x7fc00001\"]"),
            ("number-and-name", "[1.5, \"NaN\"]"),
            ("white-space", "[ 1\n,\t2 ]"),
        ],
        &[
            ("number", "1"),
            ("string", "\"1+2j\""),
            ("name", "\"NaN\""),
            ("hex-of-both", "\"0x3f80000040000000\""),
            ("empty", "[]"),
            ("one-part", "[1]"),
            ("three-parts", "[1, 2, 3]"),
            ("object", "{\"re\": 1, \"im\": 2}"),
            ("null", "null"),
            ("true", "true"),
        ],
    )?;
    topic.parse(
        "parse-parts-kind",
        Level::Must,
        &["fill_value.float.kind"],
        &[("integers", "[3, 4]")],
        &[
            ("null", "[1, null]"),
            ("true", "[true, 1]"),
            ("list", "[[1], 2]"),
            ("object", "[1, {}]"),
            ("number-in-a-string", "[\"1\", 2]"),
        ],
    )?;
    topic.parse(
        "parse-parts-names",
        Level::Must,
        &["fill_value.float.names"],
        &[("infinity", "[0, \"Infinity\"]")],
        &[
            ("plus-infinity", "[0, \"+Infinity\"]"),
            ("nan", "[\"nan\", 0]"),
        ],
    )?;
    topic.parse(
        "parse-parts-hex",
        Level::Must,
        &["fill_value.float.hex"],
        &[("both", "[\"0x3f800000\", \"0xBF800000\"]")],
        &[
            ("short", "[\"0x3f80\", 0]"),
            ("long", "[0, \"0x000000003f800000\"]"),
        ],
    )?;
    topic.parse(
        "parse-parts-rounded",
        Level::Must,
        &["fill_value.float.number"],
        &[
            ("ties", "[16777217, 16777219]"),
            (
                "twice",
                "[1.00000017881393432617187499, -1.00000005960464477539062500000001]",
            ),
        ],
        &[],
    )?;
    topic.parse(
        "parse-parts-overflow",
        Level::Ruling,
        &["fill_value.float.overflow"],
        &[("both", "[1e39, -1e400]")],
        &[],
    )?;
    super::json(topic, "[1, 2]")?;
    topic.format(
        "format",
        &[
            ("one-and-a-half", 0x3fc0_0000),
            ("one-and-two", 0x4000_0000_3f80_0000),
            ("zeros", 0x8000_0000_0000_0000),
            ("nan-and-infinity", 0xff80_0000_7fc0_0000),
            ("other-nans", 0xffc0_0000_7fc0_0001),
        ],
    )
}

/// float8_e4m3fnuz (240 at most, one NaN, one zero) and float4_e2m1fn (6 at most, no NaN).
pub(super) fn small(topic: &mut Topic) -> Result<(), String> {
    const NAMES: &[&str] = &["fill_value.float.names"];
    const NUMBER: &[&str] = &["fill_value.float.number"];
    const RANGE: &[&str] = &["fill_value.float.range"];
    const HEX: &[&str] = &["fill_value.float.hex"];
    let infinities = [
        ("infinity", "\"Infinity\""),
        ("negative-infinity", "\"-Infinity\""),
    ];
    if topic.data_type == DataType::Float8E4m3fnuz {
        topic.parse(
            "parse-nan",
            Level::Must,
            &["fill_value.float.nan"],
            &[("nan", "\"NaN\"")],
            &[],
        )?;
        topic.parse(
            "parse-names",
            Level::Must,
            NAMES,
            &[("nan", "\"NaN\"")],
            &infinities,
        )?;
        topic.parse(
            "parse-number",
            Level::Must,
            NUMBER,
            &[
                ("one", "1"),
                ("largest", "240"),
                ("below-the-end", "247.99999999999999999999999999"),
                ("tie", "1.0625"),
                ("above-tie", "1.0625000000000000000000000000000001"),
                ("tie-at-zero", "0.00048828125"),
                ("above-tie-at-zero", "0.00048828125000000000000000000001"),
                ("negative", "-0.0009765625"),
            ],
            &[],
        )?;
        topic.parse(
            "parse-range",
            Level::Ruling,
            RANGE,
            &[("largest", "240"), ("smallest", "-240")],
            &[
                ("end", "248"),
                ("end-negative", "-248"),
                ("beyond", "1000"),
                ("far", "1e400"),
            ],
        )?;
        topic.parse(
            "parse-hex",
            Level::Must,
            HEX,
            &[
                ("nan", "\"0x80\""),
                ("negative", "\"0xFF\""),
                ("largest", "\"0x7f\""),
            ],
            &[
                ("short", "\"0x8\""),
                ("long", "\"0x0080\""),
                ("capital-x", "\"0X80\""),
            ],
        )?;
        return topic.format(
            "format",
            &[
                ("one", 0x40),
                ("largest", 0x7f),
                ("smallest", 0x01),
                ("nan", 0x80),
                ("negative", 0xff),
            ],
        );
    }
    topic.parse(
        "parse-names",
        Level::Must,
        NAMES,
        &[("number-instead", "6")],
        &[infinities[0], infinities[1], ("nan", "\"NaN\"")],
    )?;
    topic.parse(
        "parse-number",
        Level::Must,
        NUMBER,
        &[
            ("half", "0.5"),
            ("largest", "6"),
            ("below-the-end", "6.9999999999999999999999999999"),
            ("tie", "2.5"),
            ("above-tie", "2.50000000000000000000000000000001"),
            ("tie-at-zero", "0.25"),
            ("tie-at-negative-zero", "-0.25"),
            ("above-tie-at-zero", "0.25000000000000000000000000000001"),
        ],
        &[],
    )?;
    topic.parse(
        "parse-range",
        Level::Ruling,
        RANGE,
        &[("largest", "6"), ("smallest", "-6")],
        &[
            ("end", "7"),
            ("end-negative", "-7"),
            ("beyond", "100"),
            ("far", "1e400"),
        ],
    )?;
    topic.parse(
        "parse-hex",
        Level::Must,
        HEX,
        &[("largest", "\"0x07\""), ("negative", "\"0x0F\"")],
        &[
            ("bits-above", "\"0x17\""),
            ("bits-above-highest", "\"0x80\""),
            ("short", "\"0x7\""),
            ("long", "\"0x0007\""),
        ],
    )?;
    topic.format(
        "format",
        &[
            ("half", 1),
            ("largest", 7),
            ("negative-zero", 8),
            ("three", 5),
            ("minus-four", 14),
        ],
    )
}
