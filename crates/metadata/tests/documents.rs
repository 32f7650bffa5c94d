//! Documents to accept and to reject: reader and JSON Schema on the same table.

use std::sync::LazyLock;

use exactum_metadata::{
    parse_array, parse_cast_value, parse_fill_value, parse_scale_offset, schema,
};
use exactum_model::{At, DataType, Rejection};
use jsonschema::Validator;
use serde_json::Value;

mod common;
use common::document;

/// What reader and schema say.
#[derive(Clone, Copy, Debug)]
enum Expect {
    /// Both accept it.
    Good,
    /// Both reject it; the reader names this clause and pointer.
    Structure(&'static str, &'static str),
    /// The reader rejects it, the schema cannot see why.
    Meaning(&'static str, &'static str),
}
use Expect::{Good, Meaning, Structure};

static SCHEMAS: LazyLock<Vec<(&str, Validator)>> = LazyLock::new(|| {
    let validator = |schema: &Value| {
        jsonschema::meta::validate(schema).expect("a schema");
        jsonschema::options()
            .with_draft(jsonschema::Draft::Draft202012)
            .build(schema)
            .expect("a schema")
    };
    schema::all()
        .iter()
        .map(|(file, schema)| (*file, validator(schema)))
        .collect()
});

fn check<T: std::fmt::Debug>(file: &str, text: &str, result: Result<T, Rejection>, expect: Expect) {
    let (_, validator) = SCHEMAS
        .iter()
        .find(|(name, _)| *name == file)
        .expect("a schema of this name");
    let value: Value = serde_json::from_str(text).expect("JSON");
    let valid = validator.is_valid(&value);
    let (clause, pointer) = match expect {
        Good => {
            assert!(result.is_ok(), "{text}\nis rejected: {result:?}");
            let error = validator
                .validate(&value)
                .err()
                .map(|error| error.to_string());
            assert!(valid, "{text}\nis rejected by {file}: {error:?}");
            return;
        }
        Structure(clause, pointer) => {
            assert!(!valid, "{text}\nis accepted by {file}");
            (clause, pointer)
        }
        Meaning(clause, pointer) => {
            assert!(
                valid,
                "{text}\nis rejected by {file}: is this not Structure?"
            );
            (clause, pointer)
        }
    };
    let rejection = match result {
        Ok(accepted) => panic!("{text}\nis accepted: {accepted:?}"),
        Err(rejection) => rejection,
    };
    let found = (rejection.clause, rejection.at.clone());
    let expected = (clause, Some(At::Pointer(pointer.into())));
    assert_eq!(found, expected, "{text}\n{rejection}");
    assert!(rejection.help.is_some(), "no help: {rejection}");
}

fn array(members: &[(&str, &str)], expect: Expect) {
    let text = document(members);
    check("array.json", &text, parse_array(&text), expect);
}

/// Documents that differ in one member.
fn member(name: &str, rows: &[(&str, Expect)]) {
    for &(value, expect) in rows {
        array(&[(name, value)], expect);
    }
}

/// Codecs of a `float64` array with chunks of 20 x 30.
fn codecs(rows: &[(&str, Expect)]) {
    member("codecs", rows);
}

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
                Structure("chain.members", "/chunk_key_encoding/configuration/sep"),
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
            ("[40, 60.0]", Meaning("chain.members", "/shape/1")),
            ("[40, 6e1]", Meaning("chain.members", "/shape/1")),
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
                Structure("chain.grid", "/chunk_grid/configuration/order"),
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
                Structure("chain.grid", "/chunk_grid"),
            ),
            (
                r#"{"name": "regular", "configuration": {"chunk_shape": [1, 1]}, "must_understand": false}"#,
                Structure("chain.codec.must_understand", "/chunk_grid/must_understand"),
            ),
        ],
    );
    // No dimensions at all.
    let point = r#"{"name": "regular", "configuration": {"chunk_shape": []}}"#;
    array(&[("shape", "[]"), ("chunk_grid", point)], Good);
}

#[test]
fn data_types() {
    let list = "chain.data_type";
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
                Structure(list, "/data_type/configuration/a"),
            ),
            (
                r#"{"name": "float32", "must_understand": false}"#,
                Structure("chain.codec.must_understand", "/data_type/must_understand"),
            ),
            ("\"r16\"", Structure(list, "/data_type")),
            ("\"string\"", Structure(list, "/data_type")),
            ("\"float8_e4m3fn\"", Structure(list, "/data_type")),
            (
                r#"{"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1}}"#,
                Structure(list, "/data_type"),
            ),
            ("\"\"", Structure(list, "/data_type")),
            ("null", Structure(list, "/data_type")),
            ("[\"float32\"]", Structure(list, "/data_type")),
        ],
    );
}

/// The fill values of an array and of `fill_value.parse` are the same.
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

#[test]
fn fill_value_forms() {
    let at = "/fill_value";
    let kind = Structure("fill_value.float.kind", at);
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
            ("\"+Infinity\"", Structure("fill_value.float.names", at)),
            ("\"nan\"", Structure("fill_value.float.names", at)),
            ("\"1.5\"", Structure("fill_value.float.names", at)),
            ("\"0X7fc00001\"", Structure("fill_value.float.names", at)),
            ("\"0x7fc0\"", Structure("fill_value.float.hex", at)),
            ("\"0x7fc0000g\"", Structure("fill_value.float.hex", at)),
            ("null", kind),
            ("true", kind),
            ("[0, 0]", kind),
            ("{}", kind),
        ],
    );
    fill_values(
        DataType::Float8E4m3fnuz,
        &[
            ("\"NaN\"", Good),
            ("\"0x80\"", Good),
            ("1000", Meaning("fill_value.float.range", at)),
            ("\"Infinity\"", Structure("fill_value.float.names", at)),
        ],
    );
    fill_values(
        DataType::Float4E2m1fn,
        &[
            ("6", Good),
            ("\"0x0f\"", Good),
            ("\"0x1f\"", Meaning("fill_value.float.hex", at)),
            ("\"NaN\"", Structure("fill_value.float.names", at)),
        ],
    );
    fill_values(
        DataType::Int8,
        &[
            ("-128", Good),
            ("-0", Good),
            ("128", Structure("fill_value.integer.range", at)),
            ("1.5", Structure("fill_value.integer.lexical", at)),
            ("1.0", Meaning("fill_value.integer.lexical", at)),
            ("1e1", Meaning("fill_value.integer.lexical", at)),
            ("\"1\"", Structure("fill_value.integer.lexical", at)),
        ],
    );
    fill_values(
        DataType::Uint64,
        &[
            ("18446744073709551615", Good),
            ("-1", Structure("fill_value.integer.range", at)),
            (
                "18446744073709551616",
                Structure("fill_value.integer.range", at),
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
                Structure("fill_value.integer.range", at),
            ),
        ],
    );
    fill_values(
        DataType::Bool,
        &[
            ("true", Good),
            ("0", Structure("fill_value.bool", at)),
            ("\"true\"", Structure("fill_value.bool", at)),
        ],
    );
    fill_values(
        DataType::Complex64,
        &[
            ("[0, \"NaN\"]", Good),
            ("[1, 2, 3]", Structure("fill_value.complex", at)),
            ("[1]", Structure("fill_value.complex", at)),
            ("1", Structure("fill_value.complex", at)),
            ("[true, 1]", Structure("fill_value.float.kind", at)),
        ],
    );
}

#[test]
fn codec_lists() {
    let order = "chain.codecs";
    let form = "chain.codec.form";
    codecs(&[
        (
            r#"[{"name": "bytes", "configuration": {"endian": "big"}}, "gzip", "crc32c"]"#,
            Good,
        ),
        (
            r#"[{"name": "bytes", "configuration": {"endian": "big"}, "must_understand": false}]"#,
            Good,
        ),
        ("[]", Structure(order, "/codecs")),
        ("{}", Structure(order, "/codecs")),
        ("null", Structure(order, "/codecs")),
        (r#"["gzip"]"#, Meaning(order, "/codecs/0")),
        (r#"["scale_offset"]"#, Meaning(order, "/codecs")),
        (
            r#"["numcodecs.fixedscaleoffset"]"#,
            Meaning(order, "/codecs"),
        ),
        (r#"["packbits", "packbits"]"#, Meaning(order, "/codecs/1")),
        (
            r#"["packbits", "scale_offset"]"#,
            Meaning(order, "/codecs/1"),
        ),
        (
            r#"["packbits", "gzip", "zfp"]"#,
            Meaning(order, "/codecs/2"),
        ),
        // What is unknown may be whatever is missing, but not where nothing is.
        (r#"["unknown"]"#, Good),
        (r#"["unknown", "gzip"]"#, Good),
        (r#"["scale_offset", "unknown", "bytes", "gzip"]"#, Good),
        (r#"["unknown", "scale_offset"]"#, Meaning(order, "/codecs")),
        (
            r#"["unknown", "gzip", "bytes"]"#,
            Meaning(order, "/codecs/2"),
        ),
        (r#"["gzip", "unknown"]"#, Meaning(order, "/codecs/0")),
        (
            r#"["packbits", "unknown", "scale_offset"]"#,
            Meaning(order, "/codecs/2"),
        ),
        // What may be ignored is.
        (
            r#"[{"name": "unknown", "must_understand": false}]"#,
            Meaning(order, "/codecs"),
        ),
        (
            r#"[{"name": "unknown", "must_understand": false}, "bytes"]"#,
            Meaning("chain.bytes.endian", "/codecs/1"),
        ),
        // After an unknown codec the data type is unknown, the form is not.
        (r#"["unknown", "bytes"]"#, Good),
        (
            r#"["unknown", "cast_value", "bytes"]"#,
            Structure("cast_value.configuration", "/codecs/1"),
        ),
        (
            r#"["unknown", {"name": "cast_value", "configuration": {"data_type": "uint8", "scalar_map": {"encode": [["NaN"]]}}}, "bytes"]"#,
            Structure(
                "cast_value.scalar_map.form",
                "/codecs/1/configuration/scalar_map/encode/0",
            ),
        ),
        (r#"[{"configuration": {}}]"#, Structure(form, "/codecs/0")),
        (
            r#"[{"name": "packbits", "options": {}}]"#,
            Structure(form, "/codecs/0/options"),
        ),
        (
            r#"[{"name": "packbits", "configuration": []}]"#,
            Structure(form, "/codecs/0/configuration"),
        ),
        (r#"[{"name": 5}]"#, Structure(form, "/codecs/0/name")),
        (r#"[""]"#, Structure(form, "/codecs/0")),
        (r#"[["bytes"]]"#, Structure(form, "/codecs/0")),
        (
            r#"[{"name": "packbits", "must_understand": 1}]"#,
            Structure("chain.codec.must_understand", "/codecs/0/must_understand"),
        ),
    ]);
}

#[test]
fn bytes() {
    let clause = "chain.bytes.endian";
    codecs(&[
        (r#"["bytes"]"#, Meaning(clause, "/codecs/0")),
        (
            r#"[{"name": "bytes", "configuration": {}}]"#,
            Meaning(clause, "/codecs/0"),
        ),
        (
            r#"[{"name": "bytes", "configuration": {"endian": "middle"}}]"#,
            Structure(clause, "/codecs/0/configuration/endian"),
        ),
        (
            r#"[{"name": "bytes", "configuration": {"endian": null}}]"#,
            Structure(clause, "/codecs/0/configuration/endian"),
        ),
        (
            r#"[{"name": "bytes", "configuration": {"order": "C"}}]"#,
            Structure(clause, "/codecs/0/configuration/order"),
        ),
        (
            r#"[{"name": "cast_value", "configuration": {"data_type": "uint8"}}, "bytes"]"#,
            Good,
        ),
    ]);
    array(
        &[("data_type", "\"int8\""), ("codecs", r#"["bytes"]"#)],
        Good,
    );
    let complex = [
        ("data_type", "\"complex64\""),
        ("fill_value", "[0, 0]"),
        ("codecs", r#"["bytes"]"#),
    ];
    array(&complex, Meaning(clause, "/codecs/0"));
}

#[test]
fn transpose_and_reshape() {
    let steps = |name: &str, key: &str, rows: &[(&str, Expect)]| {
        for &(value, expect) in rows {
            let list = format!(
                r#"[{{"name": "{name}", "configuration": {{"{key}": {value}}}}}, {{"name": "bytes", "configuration": {{"endian": "big"}}}}]"#
            );
            array(&[("codecs", &list)], expect);
        }
    };
    let order = "/codecs/0/configuration/order";
    let transpose = "chain.transpose";
    steps(
        "transpose",
        "order",
        &[
            ("[1, 0]", Good),
            ("[0]", Meaning(transpose, order)),
            ("[0, 1, 2]", Meaning(transpose, order)),
            (
                "[0, 2]",
                Meaning(transpose, "/codecs/0/configuration/order/1"),
            ),
            (
                "[0, 0]",
                Structure(transpose, "/codecs/0/configuration/order/1"),
            ),
            (
                "[-1, 0]",
                Structure(transpose, "/codecs/0/configuration/order/0"),
            ),
            ("\"C\"", Structure(transpose, order)),
        ],
    );
    let shape = "/codecs/0/configuration/shape";
    let reshape = "chain.reshape";
    steps(
        "reshape",
        "shape",
        &[
            ("[600]", Good),
            ("[-1]", Good),
            ("[[0, 1]]", Good),
            ("[[0], [1]]", Good),
            ("[[0], -1, 10]", Good),
            ("[4, 5, [1]]", Good),
            ("[[], 600]", Good),
            ("[2, -1, [1]]", Good),
            ("[601]", Meaning(reshape, shape)),
            ("[7, -1]", Meaning(reshape, shape)),
            (
                "[-1, -1]",
                Meaning(reshape, "/codecs/0/configuration/shape/1"),
            ),
            (
                "[[1], [0]]",
                Meaning(reshape, "/codecs/0/configuration/shape/1/0"),
            ),
            (
                "[[1, 0]]",
                Meaning(reshape, "/codecs/0/configuration/shape/0/1"),
            ),
            (
                "[[0], [0]]",
                Meaning(reshape, "/codecs/0/configuration/shape/1/0"),
            ),
            (
                "[[0, 2]]",
                Meaning(reshape, "/codecs/0/configuration/shape/0"),
            ),
            // As many elements, but dimension 1 does not lie there.
            (
                "[[1], 20]",
                Meaning(reshape, "/codecs/0/configuration/shape/0"),
            ),
            (
                "[0, 600]",
                Structure(reshape, "/codecs/0/configuration/shape/0"),
            ),
            (
                "[-2, 600]",
                Structure(reshape, "/codecs/0/configuration/shape/0"),
            ),
            (
                "[\"600\"]",
                Structure(reshape, "/codecs/0/configuration/shape/0"),
            ),
            (
                "[[-1]]",
                Structure(reshape, "/codecs/0/configuration/shape/0/0"),
            ),
            ("600", Structure(reshape, shape)),
            (
                "[18446744073709551615, 18446744073709551615, 18446744073709551615]",
                Meaning(reshape, shape),
            ),
        ],
    );
    codecs(&[
        (
            r#"["transpose", "packbits"]"#,
            Structure(transpose, "/codecs/0"),
        ),
        (
            r#"["reshape", "packbits"]"#,
            Structure(reshape, "/codecs/0"),
        ),
    ]);
}

#[test]
fn shards() {
    const BIG: &str = r#"{"name": "bytes", "configuration": {"endian": "big"}}"#;
    let clause = "chain.shard";
    let shard = |chunk_shape: &str, codecs: &str, index_codecs: &str, more: &str| {
        format!(
            r#"[{{"name": "sharding_indexed", "configuration": {{"chunk_shape": {chunk_shape}, "codecs": {codecs}, "index_codecs": {index_codecs}{more}}}}}]"#
        )
    };
    let row = |list: &str, expect| array(&[("codecs", list)], expect);
    let bytes = format!("[{BIG}]");
    let index = format!("[{BIG}, \"crc32c\"]");
    row(&shard("[10, 15]", &bytes, &index, ""), Good);
    row(
        &shard("[10, 15]", &bytes, &index, r#", "index_location": "start""#),
        Good,
    );
    let at = |tail: &str| -> &'static str {
        Box::leak(format!("/codecs/0/configuration{tail}").into_boxed_str())
    };
    row(
        &shard("[10]", &bytes, &index, ""),
        Meaning(clause, at("/chunk_shape")),
    );
    row(
        &shard("[10, 20]", &bytes, &index, ""),
        Meaning(clause, at("/chunk_shape/1")),
    );
    row(
        &shard("[10, 0]", &bytes, &index, ""),
        Structure(clause, at("/chunk_shape/1")),
    );
    row(
        &shard(
            "[10, 15]",
            &bytes,
            &index,
            r#", "index_location": "middle""#,
        ),
        Structure(clause, at("/index_location")),
    );
    row(
        &shard("[10, 15]", &bytes, &index, r#", "level": 1"#),
        Structure(clause, at("/level")),
    );
    row(
        &shard("[10, 15]", "[]", &index, ""),
        Structure("chain.codecs", at("/codecs")),
    );
    row(
        &shard("[10, 15]", "[\"bytes\"]", &index, ""),
        Meaning("chain.bytes.endian", at("/codecs/0")),
    );
    row(
        &shard("[10, 15]", &bytes, "[\"bytes\"]", ""),
        Meaning("chain.bytes.endian", at("/index_codecs/0")),
    );
    row(
        &shard("[10, 15]", &bytes, &format!("[{BIG}, \"gzip\"]"), ""),
        Meaning(clause, at("/index_codecs/1")),
    );
    row(
        &shard("[10, 15]", &bytes, "[\"crc32c\"]", ""),
        Meaning("chain.codecs", at("/index_codecs/0")),
    );
    row(r#"["sharding_indexed"]"#, Structure(clause, "/codecs/0"));
    row(
        r#"[{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 1], "codecs": ["packbits"]}}]"#,
        Structure(clause, "/codecs/0"),
    );
    // A shard in a shard sees the shape of its chunk.
    let nested = |chunk_shape| {
        let inner = shard(chunk_shape, &bytes, &index, "");
        shard("[10, 15]", &inner, &index, "")
    };
    row(&nested("[5, 5]"), Good);
    row(
        &nested("[20, 15]"),
        Meaning(clause, at("/codecs/0/configuration/chunk_shape/0")),
    );
}

/// `cast_value` in a document and alone, from float64.
fn cast_value(rows: &[(&str, Expect)]) {
    for &(configuration, expect) in rows {
        let result = parse_cast_value(configuration, DataType::Float64);
        check("cast_value.json", configuration, result, expect);
        let list =
            format!(r#"[{{"name": "cast_value", "configuration": {configuration}}}, "packbits"]"#);
        let prefixed = |pointer: &str| -> &'static str {
            Box::leak(format!("/codecs/0/configuration{pointer}").into_boxed_str())
        };
        let expect = match expect {
            Good => Good,
            Structure(clause, pointer) => Structure(clause, prefixed(pointer)),
            Meaning(clause, pointer) => Meaning(clause, prefixed(pointer)),
        };
        array(&[("codecs", &list)], expect);
    }
}

#[test]
fn cast_value_configurations() {
    let keys = "cast_value.configuration.keys";
    let form = "cast_value.scalar_map.form";
    let scalars = "cast_value.scalar_map.scalars";
    cast_value(&[
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
            Structure(keys, "/name"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"both": []}}"#,
            Structure(keys, "/scalar_map/both"),
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
            Structure(form, "/scalar_map"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": null}"#,
            Structure(form, "/scalar_map"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"encode": {"NaN": 0}}}"#,
            Structure(form, "/scalar_map/encode"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"encode": null}}"#,
            Structure(form, "/scalar_map/encode"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"encode": [1]}}"#,
            Structure(form, "/scalar_map/encode/0"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"decode": [[0, 1], [1, 2, 3]]}}"#,
            Structure(form, "/scalar_map/decode/1"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"encode": [["NaN", 256]]}}"#,
            Meaning(scalars, "/scalar_map/encode/0/1"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"encode": [["NaN", "NaN"]]}}"#,
            Meaning(scalars, "/scalar_map/encode/0/1"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"encode": [["+Infinity", 0]]}}"#,
            Structure(scalars, "/scalar_map/encode/0/0"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"decode": [["NaN", 0]]}}"#,
            Meaning(scalars, "/scalar_map/decode/0/0"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"decode": [[0, null]]}}"#,
            Structure(scalars, "/scalar_map/decode/0/1"),
        ),
        (
            r#"{"data_type": "uint8", "scalar_map": {"decode": [[0, "0x7fc0"]]}}"#,
            Meaning(scalars, "/scalar_map/decode/0/1"),
        ),
    ]);
    codecs(&[
        (
            r#"["cast_value", "packbits"]"#,
            Structure("cast_value.configuration", "/codecs/0"),
        ),
        (
            r#"[{"name": "cast_value"}, "packbits"]"#,
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
        Meaning("cast_value.data_types", "/codecs/0"),
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

#[test]
fn scale_offset_configurations() {
    let parameters = "scale_offset.parameters";
    let rows: &[(DataType, &str, Expect)] = &[
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
            Meaning(parameters, "/offset"),
        ),
        (
            DataType::Int16,
            r#"{"offset": 5.0}"#,
            Meaning(parameters, "/offset"),
        ),
        (
            DataType::Int16,
            r#"{"offset": 32768}"#,
            Meaning(parameters, "/offset"),
        ),
        (
            DataType::Int16,
            r#"{"offset": "NaN"}"#,
            Meaning(parameters, "/offset"),
        ),
        (
            DataType::Float64,
            r#"{"offset": "+Infinity"}"#,
            Structure(parameters, "/offset"),
        ),
        (
            DataType::Float64,
            r#"{"offset": null}"#,
            Structure(parameters, "/offset"),
        ),
        (
            DataType::Float64,
            r#"{"offset": [1]}"#,
            Structure(parameters, "/offset"),
        ),
        (
            DataType::Float8E8m0fnu,
            r#"{"offset": 0}"#,
            Meaning(parameters, "/offset"),
        ),
    ];
    for &(data_type, text, expect) in rows {
        check(
            "scale_offset.json",
            text,
            parse_scale_offset(text, data_type),
            expect,
        );
    }
    codecs(&[
        (r#"["scale_offset", "packbits"]"#, Good),
        (r#"[{"name": "scale_offset"}, "packbits"]"#, Good),
        (
            r#"[{"name": "scale_offset", "configuration": {}}, "packbits"]"#,
            Good,
        ),
        (
            r#"[{"name": "scale_offset", "configuration": {"scale": 0}}, "packbits"]"#,
            Structure("scale_offset.scale.zero", "/codecs/0/configuration/scale"),
        ),
    ]);
    let complex = [
        ("data_type", "\"complex64\""),
        ("fill_value", "[0, 0]"),
        ("codecs", r#"["scale_offset", "packbits"]"#),
    ];
    array(&complex, Meaning("scale_offset.data_types", "/codecs/0"));
    let rejection = parse_scale_offset("null", DataType::Int8).expect_err("no object");
    assert_eq!(rejection.clause, "scale_offset.configuration");
    let rejection = parse_scale_offset("{}", DataType::Bool).expect_err("bool");
    assert_eq!(rejection.clause, "scale_offset.data_types");
}

/// What is known by name only passes with a warning, or without one where nothing is lost.
#[test]
fn warnings() {
    let rows: &[(&[(&str, &str)], &[(&str, &str)])] = &[
        (&[("codecs", r#"["packbits", "zstd"]"#)], &[]),
        (
            &[(
                "codecs",
                r#"[{"name": "new", "must_understand": false}, "packbits"]"#,
            )],
            &[],
        ),
        (
            &[("codecs", r#"["new"]"#)],
            &[("chain.foreign", "/codecs/0")],
        ),
        (
            &[("codecs", r#"["packbits", "new", {"name": "newer"}]"#)],
            &[
                ("chain.foreign", "/codecs/1"),
                ("chain.foreign", "/codecs/2"),
            ],
        ),
        (
            &[("codecs", r#"["numcodecs.fixedscaleoffset", "packbits"]"#)],
            &[("chain.foreign", "/codecs/0")],
        ),
        (
            &[(
                "codecs",
                r#"[{"name": "scale_offset", "configuration": {"offset": "NaN", "scale": "Infinity"}}, "packbits"]"#,
            )],
            &[
                (
                    "scale_offset.parameters.non-finite",
                    "/codecs/0/configuration/offset",
                ),
                (
                    "scale_offset.parameters.non-finite",
                    "/codecs/0/configuration/scale",
                ),
            ],
        ),
        (
            &[
                ("chunk_key_encoding", "\"new\""),
                ("storage_transformers", "[\"new\"]"),
            ],
            &[
                ("chain.foreign", "/chunk_key_encoding"),
                ("chain.foreign", "/storage_transformers/0"),
            ],
        ),
    ];
    for (members, expected) in rows {
        let text = document(members);
        let document = parse_array(&text).expect("accepted");
        let found: Vec<(&str, &str)> = document
            .warnings
            .iter()
            .map(|warning| (warning.clause, warning.pointer.as_str()))
            .collect();
        assert_eq!(&found, expected, "{text}");
        for warning in &document.warnings {
            let place = exactum_metadata::place(&text, &warning.pointer);
            assert_eq!(place, Some(warning.place.clone()), "{text}");
        }
    }
}
