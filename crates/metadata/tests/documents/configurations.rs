//! The configurations of `cast_value` and `scale_offset`.

use exactum_metadata::{parse_cast_value, parse_scale_offset};
use exactum_model::DataType;

use crate::Expect::{self, Good, Joint, Meaning, Structure};
use crate::{array, check, codecs};

/// Checks configurations of `cast_value` in a document and alone, from float64.
fn cast_value(rows: &[(&str, Expect)]) {
    for &(configuration, expect) in rows {
        let result = parse_cast_value(configuration, DataType::Float64);
        check("cast_value.json", configuration, result, expect);
        let list = format!(
            r#"[{{"name": "cast_value", "configuration": {configuration}}}, "zarrs.vlen"]"#
        );
        array(&[("codecs", &list)], expect.in_first_codec());
    }
}

const KEYS: &str = "cast_value.configuration.keys";
const FORM: &str = "cast_value.scalar_map.form";
const SCALARS: &str = "cast_value.scalar_map.scalars";

/// Configurations of `cast_value` for float64.
const CASTS: &[(&str, Expect)] = &[
    (r#"{"data_type": "uint8"}"#, Good),
    (r#"{"data_type": {"name": "uint8"}}"#, Good),
    (
        r#"{"data_type": "uint8", "rounding": "nearest-away", "out_of_range": "wrap", "scalar_map": {}}"#,
        Good,
    ),
    (r#"{"data_type": "float32", "out_of_range": "clamp"}"#, Good),
    (
        r#"{"data_type": "uint8", "scalar_map": {"encode": [], "decode": []}}"#,
        Good,
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"encode": [["NaN", 0], ["NaN", 1], ["0x7ff8000000000001", 2]], "decode": [[0, "NaN"]]}}"#,
        Good,
    ),
    (
        r#"{"data_type": "uint8", "name": "x"}"#,
        Structure(KEYS, "/name"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"both": []}}"#,
        Structure(KEYS, "/scalar_map/both"),
    ),
    ("{}", Structure("cast_value.data_type", "")),
    (
        r#"{"data_type": 8}"#,
        Structure("cast_value.data_type", "/data_type"),
    ),
    (
        r#"{"data_type": {}}"#,
        Structure("cast_value.data_type", "/data_type"),
    ),
    (
        r#"{"data_type": {"name": "uint8", "configuration": {"a": 1}}}"#,
        Structure("cast_value.data_type", "/data_type/configuration/a"),
    ),
    (
        r#"{"data_type": "bool"}"#,
        Structure("cast_value.data_types", "/data_type"),
    ),
    (
        r#"{"data_type": "complex64"}"#,
        Structure("cast_value.data_types", "/data_type"),
    ),
    (
        r#"{"data_type": "r8"}"#,
        Structure("cast_value.data_types", "/data_type"),
    ),
    (
        r#"{"data_type": "uint8", "rounding": "up"}"#,
        Structure("cast_value.rounding.values", "/rounding"),
    ),
    (
        r#"{"data_type": "uint8", "rounding": null}"#,
        Structure("cast_value.rounding.values", "/rounding"),
    ),
    (
        r#"{"data_type": "uint8", "out_of_range": "error"}"#,
        Structure("cast_value.out_of_range.values", "/out_of_range"),
    ),
    (
        r#"{"data_type": "uint8", "out_of_range": null}"#,
        Structure("cast_value.out_of_range.values", "/out_of_range"),
    ),
    (
        r#"{"data_type": "float16", "out_of_range": "wrap"}"#,
        Structure("cast_value.range.wrap-integers-only", "/out_of_range"),
    ),
    (
        r#"{"data_type": {"name": "float16"}, "out_of_range": "wrap"}"#,
        Structure("cast_value.range.wrap-integers-only", "/out_of_range"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": []}"#,
        Structure(FORM, "/scalar_map"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": null}"#,
        Structure(FORM, "/scalar_map"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"encode": {"NaN": 0}}}"#,
        Structure(FORM, "/scalar_map/encode"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"encode": null}}"#,
        Structure(FORM, "/scalar_map/encode"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"encode": [1]}}"#,
        Structure(FORM, "/scalar_map/encode/0"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"decode": [[0, 1], [1, 2, 3]]}}"#,
        Structure(FORM, "/scalar_map/decode/1"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"encode": [["NaN", 256]]}}"#,
        Structure(SCALARS, "/scalar_map/encode/0/1"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"encode": [["NaN", "NaN"]]}}"#,
        Structure(SCALARS, "/scalar_map/encode/0/1"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"encode": [["+Infinity", 0]]}}"#,
        Structure(SCALARS, "/scalar_map/encode/0/0"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"decode": [["NaN", 0]]}}"#,
        Structure(SCALARS, "/scalar_map/decode/0/0"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"decode": [[0, null]]}}"#,
        Structure(SCALARS, "/scalar_map/decode/0/1"),
    ),
    (
        r#"{"data_type": "uint8", "scalar_map": {"decode": [[0, "0x7fc0"]]}}"#,
        Joint(SCALARS, "/scalar_map/decode/0/1"),
    ),
];

#[test]
fn cast_value_configurations() {
    cast_value(CASTS);
    codecs(&[
        (
            r#"["cast_value", "zarrs.vlen"]"#,
            Structure("cast_value.configuration", "/codecs/0"),
        ),
        (
            r#"[{"name": "cast_value"}, "zarrs.vlen"]"#,
            Structure("cast_value.configuration", "/codecs/0"),
        ),
    ]);
    let boolean = r#"[{"name": "cast_value", "configuration": {"data_type": "uint8"}}, "bytes"]"#;
    array(
        &[
            ("data_type", "\"bool\""),
            ("fill_value", "true"),
            ("codecs", boolean),
        ],
        Structure("cast_value.data_types", "/codecs/0"),
    );
    for text in ["[]", "\"uint8\"", "null"] {
        let rejection = parse_cast_value(text, DataType::Int8).expect_err("no object");
        assert_eq!(rejection.clause, "cast_value.configuration", "{text}");
    }
    let rejection = parse_cast_value(r#"{"data_type": "uint8"}"#, DataType::Complex64);
    assert_eq!(
        rejection.expect_err("complex").clause,
        "cast_value.data_types"
    );
}

const PARAMETERS: &str = "scale_offset.parameters";

/// Configurations of `scale_offset` for a data type.
const SCALES: &[(DataType, &str, Expect)] = &[
    (DataType::Float64, "{}", Good),
    (DataType::Float64, r#"{"offset": -10, "scale": 0.1}"#, Good),
    (
        DataType::Float64,
        r#"{"offset": "NaN", "scale": "-Infinity"}"#,
        Good,
    ),
    (
        DataType::Float64,
        r#"{"scale": "0x3ff0000000000000"}"#,
        Good,
    ),
    (DataType::Int64, r#"{"offset": 9007199254740993}"#, Good),
    (
        DataType::Float64,
        r#"{"factor": 2}"#,
        Structure("scale_offset.configuration.keys", "/factor"),
    ),
    (
        DataType::Float64,
        r#"{"scale": 0}"#,
        Structure("scale_offset.scale.zero", "/scale"),
    ),
    (
        DataType::Float64,
        r#"{"scale": -0.0}"#,
        Structure("scale_offset.scale.zero", "/scale"),
    ),
    (
        DataType::Int8,
        r#"{"scale": 0}"#,
        Structure("scale_offset.scale.zero", "/scale"),
    ),
    (
        DataType::Float32,
        r#"{"scale": 1e-50}"#,
        Meaning("scale_offset.scale.zero", "/scale"),
    ),
    (
        DataType::Float32,
        r#"{"scale": "0x80000000"}"#,
        Meaning("scale_offset.scale.zero", "/scale"),
    ),
    (
        DataType::Int16,
        r#"{"offset": 0.1}"#,
        Meaning(PARAMETERS, "/offset"),
    ),
    (
        DataType::Int16,
        r#"{"offset": 5.0}"#,
        Meaning(PARAMETERS, "/offset"),
    ),
    (
        DataType::Int16,
        r#"{"offset": 32768}"#,
        Meaning(PARAMETERS, "/offset"),
    ),
    (
        DataType::Int16,
        r#"{"offset": "NaN"}"#,
        Meaning(PARAMETERS, "/offset"),
    ),
    (
        DataType::Float64,
        r#"{"offset": "+Infinity"}"#,
        Structure(PARAMETERS, "/offset"),
    ),
    (
        DataType::Float64,
        r#"{"offset": null}"#,
        Structure(PARAMETERS, "/offset"),
    ),
    (
        DataType::Float64,
        r#"{"offset": [1]}"#,
        Structure(PARAMETERS, "/offset"),
    ),
    (
        DataType::Float8E8m0fnu,
        r#"{"offset": 0}"#,
        Meaning(PARAMETERS, "/offset"),
    ),
];

#[test]
fn scale_offset_configurations() {
    for &(data_type, text, expect) in SCALES {
        check(
            "scale_offset.json",
            text,
            parse_scale_offset(text, data_type),
            expect,
        );
    }
    codecs(&[
        (r#"["scale_offset", "zarrs.vlen"]"#, Good),
        (r#"[{"name": "scale_offset"}, "zarrs.vlen"]"#, Good),
        (
            r#"[{"name": "scale_offset", "configuration": {}}, "zarrs.vlen"]"#,
            Good,
        ),
        (
            r#"[{"name": "scale_offset", "configuration": {"scale": 0}}, "zarrs.vlen"]"#,
            Structure("scale_offset.scale.zero", "/codecs/0/configuration/scale"),
        ),
    ]);
    let complex = [
        ("data_type", "\"complex64\""),
        ("fill_value", "[0, 0]"),
        ("codecs", r#"["scale_offset", "zarrs.vlen"]"#),
    ];
    array(&complex, Structure("scale_offset.data_types", "/codecs/0"));
    let rejection = parse_scale_offset("null", DataType::Int8).expect_err("no object");
    assert_eq!(rejection.clause, "scale_offset.configuration");
    let rejection = parse_scale_offset("{}", DataType::Bool).expect_err("bool");
    assert_eq!(rejection.clause, "scale_offset.data_types");
}
