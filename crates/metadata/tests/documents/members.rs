//! Tests of the members of array documents.

use crate::Expect::{Good, Meaning, Structure};
use crate::{array, member};

#[test]
fn members() {
    array(&[], Good);
    for name in [
        "shape",
        "data_type",
        "chunk_grid",
        "chunk_key_encoding",
        "fill_value",
        "codecs",
    ] {
        array(&[(name, "")], Structure("chain.members", ""));
    }
    array(&[("zarr_format", "")], Structure("chain.members", ""));
    array(&[("node_type", "")], Structure("chain.members", ""));
    member(
        "zarr_format",
        &[
            ("2", Structure("chain.members", "/zarr_format")),
            ("\"3\"", Structure("chain.members", "/zarr_format")),
            ("3.0", Meaning("chain.members", "/zarr_format")),
        ],
    );
    member(
        "node_type",
        &[
            ("\"group\"", Structure("chain.members", "/node_type")),
            ("\"Array\"", Structure("chain.members", "/node_type")),
            ("null", Structure("chain.members", "/node_type")),
        ],
    );
    member(
        "extra",
        &[
            (r#"{"must_understand": false, "anything": [1, {}]}"#, Good),
            (
                r#"{"must_understand": true}"#,
                Structure("chain.members.unknown", "/extra"),
            ),
            (
                r#"{"must_understand": "false"}"#,
                Structure("chain.members.unknown", "/extra"),
            ),
            ("{}", Structure("chain.members.unknown", "/extra")),
            ("false", Structure("chain.members.unknown", "/extra")),
        ],
    );
}

#[test]
fn optional_members() {
    member(
        "attributes",
        &[
            ("{}", Good),
            (r#"{"a": {"b": [null, 1e5]}}"#, Good),
            ("[]", Structure("chain.members", "/attributes")),
            ("null", Structure("chain.members", "/attributes")),
        ],
    );
    member(
        "dimension_names",
        &[
            (r#"["y", null]"#, Good),
            (r#"["y"]"#, Meaning("chain.members", "/dimension_names")),
            (
                r#"["y", 1]"#,
                Structure("chain.members", "/dimension_names/1"),
            ),
            ("null", Structure("chain.members", "/dimension_names")),
        ],
    );
    member(
        "storage_transformers",
        &[
            ("[]", Good),
            (
                r#"["cache", {"name": "cache", "must_understand": false}]"#,
                Good,
            ),
            ("[1]", Structure("chain.members", "/storage_transformers/0")),
            ("{}", Structure("chain.members", "/storage_transformers")),
        ],
    );
    member(
        "chunk_key_encoding",
        &[
            ("\"default\"", Good),
            (
                r#"{"name": "v2", "configuration": {"separator": "."}}"#,
                Good,
            ),
            (r#"{"name": "other", "configuration": {"a": 1}}"#, Good),
            (
                r#"{"name": "v2", "configuration": {"separator": "-"}}"#,
                Structure(
                    "chain.members",
                    "/chunk_key_encoding/configuration/separator",
                ),
            ),
            (
                r#"{"name": "default", "configuration": {"sep": "."}}"#,
                Structure(
                    "chain.extension.keys",
                    "/chunk_key_encoding/configuration/sep",
                ),
            ),
            (
                r#"{"name": "default", "must_understand": false}"#,
                Structure(
                    "chain.codec.must_understand",
                    "/chunk_key_encoding/must_understand",
                ),
            ),
            ("{}", Structure("chain.members", "/chunk_key_encoding")),
        ],
    );
}

#[test]
fn shapes() {
    member(
        "shape",
        &[
            ("[0, 18446744073709551615]", Good),
            ("[40, -1]", Structure("chain.members", "/shape/1")),
            ("[40, 60.0]", Meaning("chain.members.integer", "/shape/1")),
            ("[40, 0.0e-9]", Meaning("chain.members.integer", "/shape/1")),
            ("[40, 1.50e1]", Meaning("chain.members.integer", "/shape/1")),
            ("[40, 150e-1]", Meaning("chain.members.integer", "/shape/1")),
            ("[40, 1.5]", Structure("chain.members", "/shape/1")),
            ("[40, 15e-2]", Structure("chain.members", "/shape/1")),
            ("[40, -60.0]", Structure("chain.members", "/shape/1")),
            ("[40, 6e1]", Meaning("chain.members.integer", "/shape/1")),
            (
                "[40, 18446744073709551616]",
                Meaning("chain.members", "/shape/1"),
            ),
            ("[40, null]", Structure("chain.members", "/shape/1")),
            ("40", Structure("chain.members", "/shape")),
            (
                "[40]",
                Meaning("chain.grid", "/chunk_grid/configuration/chunk_shape"),
            ),
        ],
    );
    let chunk_shape = "/chunk_grid/configuration/chunk_shape";
    member(
        "chunk_grid",
        &[
            (
                r#"{"name": "regular", "configuration": {"chunk_shape": [1, 1]}, "must_understand": true}"#,
                Good,
            ),
            (
                r#"{"name": "regular", "configuration": {"chunk_shape": [2147483648, 536870912]}}"#,
                Good,
            ),
            (
                r#"{"name": "regular", "configuration": {"chunk_shape": [2147483649, 536870912]}}"#,
                Meaning("chain.size", chunk_shape),
            ),
            (
                r#"{"name": "regular", "configuration": {"chunk_shape": [18446744073709551615, 18446744073709551615]}}"#,
                Meaning("chain.size", chunk_shape),
            ),
            (
                r#"{"name": "regular", "configuration": {"chunk_shape": [1]}}"#,
                Meaning("chain.grid", chunk_shape),
            ),
            (
                r#"{"name": "regular", "configuration": {"chunk_shape": [1, 0]}}"#,
                Structure("chain.grid", "/chunk_grid/configuration/chunk_shape/1"),
            ),
            (
                r#"{"name": "regular", "configuration": {"chunk_shape": [1, 1], "order": "C"}}"#,
                Structure("chain.extension.keys", "/chunk_grid/configuration/order"),
            ),
            (
                r#"{"name": "regular", "configuration": {}}"#,
                Structure("chain.grid", "/chunk_grid/configuration"),
            ),
            (
                r#"{"name": "regular"}"#,
                Structure("chain.grid", "/chunk_grid"),
            ),
            ("\"regular\"", Structure("chain.grid", "/chunk_grid")),
            (
                r#"{"name": "rectilinear", "configuration": {"kind": "inline"}}"#,
                Structure("chain.grid.rectilinear", "/chunk_grid/configuration"),
            ),
            (r#"{"name": "rectangular"}"#, Good),
            (
                r#"{"name": "regular", "configuration": {"chunk_shape": [1, 1]}, "must_understand": false}"#,
                Structure("chain.codec.must_understand", "/chunk_grid/must_understand"),
            ),
        ],
    );
    // An array without dimensions.
    let point = r#"{"name": "regular", "configuration": {"chunk_shape": []}}"#;
    array(&[("shape", "[]"), ("chunk_grid", point)], Good);
}

#[test]
fn data_types() {
    let list = "data_type.name";
    let form = "data_type.form";
    member(
        "data_type",
        &[
            ("\"float32\"", Good),
            (r#"{"name": "float32"}"#, Good),
            (
                r#"{"name": "float32", "configuration": {}, "must_understand": true}"#,
                Good,
            ),
            (
                r#"{"name": "float32", "configuration": {"a": 1}}"#,
                Structure("data_type.configuration", "/data_type/configuration/a"),
            ),
            (
                r#"{"name": "float32", "must_understand": false}"#,
                Structure("chain.codec.must_understand", "/data_type/must_understand"),
            ),
            ("\"float8_e4m3fn\"", Good),
            ("\"Float8\"", Structure(list, "/data_type")),
            ("\"\"", Structure(form, "/data_type")),
            ("null", Structure(form, "/data_type")),
            ("[\"float32\"]", Structure(form, "/data_type")),
        ],
    );
}
