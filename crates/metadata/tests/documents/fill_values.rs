//! Fill values of every kind of data type.

use exactum_metadata::parse_fill_value;
use exactum_model::DataType;

use crate::Expect::{self, Good, Meaning, Structure};
use crate::{array, check};

/// Checks fill values of an array and of `fill_value.parse`, which accept the same texts.
fn fill_values(data_type: DataType, rows: &[(&str, Expect)]) {
    let name = format!("\"{data_type}\"");
    for &(value, expect) in rows {
        array(&[("data_type", &name), ("fill_value", value)], expect);
        let alone = parse_fill_value(data_type, value);
        assert_eq!(
            alone.is_ok(),
            matches!(expect, Good),
            "{value} as {data_type}: {alone:?}"
        );
        if alone.is_ok() {
            check("fill_value.json", value, alone, Good);
        }
    }
}

const AT: &str = "/fill_value";

#[test]
fn fill_values_of_floats() {
    let kind = Structure("fill_value.float.kind", AT);
    fill_values(
        DataType::Float32,
        &[
            ("0", Good),
            ("-0.0", Good),
            ("1e39", Good),
            ("\"NaN\"", Good),
            ("\"-Infinity\"", Good),
            ("\"0x7fc00001\"", Good),
            ("\"0xFFC00001\"", Good),
            ("\"+Infinity\"", Structure("fill_value.float.names", AT)),
            ("\"nan\"", Structure("fill_value.float.names", AT)),
            ("\"1.5\"", Structure("fill_value.float.kind", AT)),
            ("\"0X7fc00001\"", Structure("fill_value.float.hex", AT)),
            ("\"0x7fc0\"", Structure("fill_value.float.hex", AT)),
            ("\"0x7fc0000g\"", Structure("fill_value.float.hex", AT)),
            ("null", kind),
            ("true", kind),
            ("[0, 0]", kind),
            ("{}", kind),
        ],
    );
}

#[test]
fn fill_values_of_small_floats() {
    fill_values(
        DataType::Float8E4m3fnuz,
        &[
            ("\"NaN\"", Good),
            ("\"0x80\"", Good),
            ("1000", Structure("fill_value.float.range", AT)),
            ("248", Meaning("fill_value.float.range", AT)),
            ("247.99999999999999999999999", Good),
            ("-247.9", Good),
            ("\"Infinity\"", Structure("fill_value.float.names", AT)),
        ],
    );
    fill_values(
        DataType::Float4E2m1fn,
        &[
            ("6", Good),
            ("\"0x0f\"", Good),
            ("\"0x1f\"", Structure("fill_value.float.hex", AT)),
            ("6.9999999999999999999999999", Good),
            ("7", Meaning("fill_value.float.range", AT)),
            ("-7.1", Structure("fill_value.float.range", AT)),
            ("\"NaN\"", Structure("fill_value.float.names", AT)),
        ],
    );
    fill_values(
        DataType::Float6E3m2fn,
        &[
            ("29.9999999999999999999999999", Good),
            ("\"0x3F\"", Good),
            ("\"0x40\"", Structure("fill_value.float.hex", AT)),
            ("31", Structure("fill_value.float.range", AT)),
            ("\"-Infinity\"", Structure("fill_value.float.names", AT)),
        ],
    );
    fill_values(
        DataType::Float8E8m0fnu,
        &[
            ("1", Good),
            ("\"0x00\"", Good),
            ("\"NaN\"", Good),
            // Half of the smallest, and a hair below what would follow the largest.
            (
                "2.938735877055718769921841343055614194546663891930218803771879265696043148636817932128906250e-39",
                Good,
            ),
            ("2.5521177519070384e38", Good),
            (
                "2.938735877055718769921841343055614194546663891930218803771879265696043148636817932128906249e-39",
                Meaning("fill_value.float.range", AT),
            ),
            ("0", Structure("fill_value.float.range", AT)),
            ("-1", Structure("fill_value.float.range", AT)),
            ("2.6e38", Structure("fill_value.float.range", AT)),
        ],
    );
    fill_values(
        DataType::ComplexFloat4E2m1fn,
        &[
            ("[0, -6]", Good),
            ("[\"0x08\", 1]", Good),
            ("[\"NaN\", 1]", Structure("fill_value.float.names", AT)),
            ("[1, \"0x10\"]", Structure("fill_value.float.hex", AT)),
            ("[1, 100]", Structure("fill_value.float.range", AT)),
        ],
    );
}

#[test]
fn fill_values_of_integers() {
    fill_values(
        DataType::Int2,
        &[
            ("-2", Good),
            ("2", Structure("fill_value.integer.range", AT)),
        ],
    );
    fill_values(
        DataType::Int8,
        &[
            ("-128", Good),
            ("-0", Good),
            ("128", Structure("fill_value.integer.range", AT)),
            ("1.5", Structure("fill_value.integer.lexical", AT)),
            ("1.0", Meaning("fill_value.integer.lexical", AT)),
            ("1e1", Meaning("fill_value.integer.lexical", AT)),
            ("\"1\"", Structure("fill_value.integer.lexical", AT)),
        ],
    );
    fill_values(
        DataType::Uint64,
        &[
            ("18446744073709551615", Good),
            ("-1", Structure("fill_value.integer.range", AT)),
            (
                "18446744073709551616",
                Structure("fill_value.integer.range", AT),
            ),
        ],
    );
    fill_values(
        DataType::Int64,
        &[
            ("-9223372036854775808", Good),
            ("9223372036854775807", Good),
            (
                "9223372036854775808",
                Structure("fill_value.integer.range", AT),
            ),
        ],
    );
}

#[test]
fn fill_values_of_bools_and_complex_numbers() {
    fill_values(
        DataType::Bool,
        &[
            ("true", Good),
            ("0", Structure("fill_value.bool", AT)),
            ("\"true\"", Structure("fill_value.bool", AT)),
        ],
    );
    fill_values(
        DataType::Complex64,
        &[
            ("[0, \"NaN\"]", Good),
            ("[1, 2, 3]", Structure("fill_value.complex", AT)),
            ("[1]", Structure("fill_value.complex", AT)),
            ("1", Structure("fill_value.complex", AT)),
            ("[true, 1]", Structure("fill_value.float.kind", AT)),
        ],
    );
}
