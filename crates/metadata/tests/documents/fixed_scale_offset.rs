//! The configuration of `numcodecs.fixedscaleoffset`.

use exactum_metadata::parse_fixed_scale_offset;
use exactum_model::{DataType, FixedScaleOffset, FixedScaleOffsetNumber};

use crate::Expect::{self, Good, Meaning, Structure};
use crate::{array, check};

/// Checks configurations alone, and in a document of the data type.
fn configuration(data_type: DataType, rows: &[(&str, Expect)]) {
    for &(text, expect) in rows {
        let result = parse_fixed_scale_offset(text, data_type);
        check("numcodecs.fixedscaleoffset.json", text, result, expect);
        let codecs = format!(
            r#"[{{"name": "numcodecs.fixedscaleoffset", "configuration": {text}}}, "zarrs.vlen"]"#
        );
        let data_type = format!("\"{data_type}\"");
        let members = [("data_type", &*data_type), ("codecs", &*codecs)];
        array(&members, expect.in_first_codec());
    }
}

const MEMBERS: &str = "scale_offset.legacy.configuration";
const PARAMETERS: &str = "scale_offset.legacy.parameters";
const RANGE: &str = "scale_offset.legacy.parameters.range";
const ZERO: &str = "scale_offset.legacy.scale.zero";
const TYPES: &str = "scale_offset.legacy.data_types";

#[test]
fn configurations() {
    configuration(
        DataType::Float32,
        &[
            (
                r#"{"offset": 10, "scale": 0.1, "dtype": "<f4", "astype": "|u1"}"#,
                Good,
            ),
            (
                r#"{"astype": "uint8", "dtype": "float32", "scale": 1e-1, "offset": -0.5}"#,
                Good,
            ),
            ("{}", Structure(MEMBERS, "")),
            (
                r#"{"offset": 10, "scale": 0.1, "dtype": "<f4"}"#,
                Structure(MEMBERS, ""),
            ),
            (
                r#"{"offset": 10, "scale": 0.1, "dtype": "<f4", "astype": "|u1", "id": "x"}"#,
                Structure("scale_offset.legacy.configuration.keys", "/id"),
            ),
            (
                r#"{"offset": "10", "scale": 0.1, "dtype": "<f4", "astype": "|u1"}"#,
                Structure(PARAMETERS, "/offset"),
            ),
            (
                r#"{"offset": 10, "scale": null, "dtype": "<f4", "astype": "|u1"}"#,
                Structure(PARAMETERS, "/scale"),
            ),
            (
                r#"{"offset": 1e39, "scale": 1, "dtype": "<f4", "astype": "|u1"}"#,
                Meaning(RANGE, "/offset"),
            ),
            (
                r#"{"offset": 70000, "scale": 1, "dtype": "<f4", "astype": "<f2"}"#,
                Meaning(RANGE, "/offset"),
            ),
            (
                r#"{"offset": 1, "scale": 0, "dtype": "<f4", "astype": "|u1"}"#,
                Structure(ZERO, "/scale"),
            ),
            (
                r#"{"offset": 1, "scale": 1e-60, "dtype": "<f4", "astype": "|u1"}"#,
                Meaning(ZERO, "/scale"),
            ),
            (
                r#"{"offset": 1, "scale": 1, "dtype": "<f4", "astype": "<f3"}"#,
                Structure(TYPES, "/astype"),
            ),
            (
                r#"{"offset": 1, "scale": 1, "dtype": 4, "astype": "|u1"}"#,
                Structure(TYPES, "/dtype"),
            ),
            (
                r#"{"offset": 1, "scale": 1, "dtype": "<f8", "astype": "|u1"}"#,
                Meaning("scale_offset.legacy.dtype", "/dtype"),
            ),
        ],
    );
    let rejection = parse_fixed_scale_offset("null", DataType::Int8).expect_err("no object");
    assert_eq!(rejection.clause, MEMBERS);
}

#[test]
fn configurations_of_integers() {
    configuration(
        DataType::Uint8,
        &[
            (
                r#"{"offset": 255, "scale": 1, "dtype": "|u1", "astype": "<f2"}"#,
                Good,
            ),
            (
                r#"{"offset": -5.0, "scale": 1, "dtype": "|u1", "astype": "<f2"}"#,
                Good,
            ),
            (
                r#"{"offset": -5, "scale": 1, "dtype": "|u1", "astype": "<f2"}"#,
                Meaning(RANGE, "/offset"),
            ),
            (
                r#"{"offset": 0, "scale": 256, "dtype": "|u1", "astype": "<f2"}"#,
                Meaning(RANGE, "/scale"),
            ),
        ],
    );
}

/// These are not in the vectors: serde_json does not accept such numbers, and the requests for peers are
/// read with it.
#[test]
fn numbers_beyond_binary64() {
    let large = "1".repeat(400);
    for offset in ["1e400", "-1e400", large.as_str()] {
        let text =
            format!(r#"{{"offset": {offset}, "scale": 1, "dtype": "<f8", "astype": "|u1"}}"#);
        let rejection = parse_fixed_scale_offset(&text, DataType::Float64).expect_err("too large");
        assert_eq!(rejection.clause, RANGE, "{text}");
    }
}

/// The notation of a number determines whether it is an integer.
#[test]
fn literals() {
    let read = |data_type: DataType, offset: &str| {
        let text = format!(
            r#"{{"offset": {offset}, "scale": 1, "dtype": "{data_type}", "astype": "<f8"}}"#
        );
        let codec: FixedScaleOffset = parse_fixed_scale_offset(&text, data_type).expect(&text);
        codec.offset
    };
    let binary64 = |value: f64| FixedScaleOffsetNumber::Binary64(value.to_bits());
    for (data_type, text, expected) in [
        (DataType::Int8, "-7", FixedScaleOffsetNumber::Integer(-7)),
        (DataType::Int8, "-0", FixedScaleOffsetNumber::Integer(0)),
        (DataType::Int8, "-7.0", binary64(-7.0)),
        (DataType::Int8, "1e3", binary64(1000.0)),
        (
            DataType::Uint64,
            "18446744073709551615",
            FixedScaleOffsetNumber::Integer(u64::MAX.into()),
        ),
        (DataType::Float32, "7", binary64(7.0)),
        (DataType::Float32, "-0", binary64(0.0)),
        (DataType::Float32, "-0.0", binary64(-0.0)),
        (
            DataType::Float64,
            "9007199254740993",
            binary64(9007199254740992.0),
        ),
    ] {
        assert_eq!(read(data_type, text), expected, "{data_type} {text}");
    }
}
