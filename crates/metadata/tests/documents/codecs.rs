//! The list of codecs, and codecs that Exactum does not have.

use exactum_metadata::{Accepted, Document, DocumentKind};

use crate::Expect::{self, Good, Meaning, Structure};
use crate::common::document;
use crate::{array, codecs};

#[test]
fn codec_lists() {
    let order = "chain.codecs";
    let form = "chain.codec.form";
    codecs(&[
        (
            r#"[{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "gzip", "configuration": {"level": 1}}, "crc32c"]"#,
            Good,
        ),
        (
            r#"[{"name": "bytes", "configuration": {"endian": "big"}, "must_understand": false}]"#,
            Good,
        ),
        ("[]", Structure(order, "/codecs")),
        ("{}", Structure(order, "/codecs")),
        ("null", Structure(order, "/codecs")),
        (
            r#"[{"name": "gzip", "configuration": {"level": 1}}]"#,
            Structure(order, "/codecs"),
        ),
        (r#"["scale_offset"]"#, Structure(order, "/codecs")),
        (r#"["numcodecs.delta"]"#, Meaning(order, "/codecs")),
        (
            r#"["zarrs.vlen", "zarrs.vlen"]"#,
            Meaning(order, "/codecs/1"),
        ),
        (
            r#"["zarrs.vlen", "scale_offset"]"#,
            Meaning(order, "/codecs/1"),
        ),
        (
            r#"["zarrs.vlen", {"name": "gzip", "configuration": {"level": 1}}, "n5_default"]"#,
            Structure(order, "/codecs/2"),
        ),
        // An unknown codec may be whichever is missing, but not if none is.
        (r#"["unknown"]"#, Good),
        (
            r#"["unknown", {"name": "gzip", "configuration": {"level": 1}}]"#,
            Good,
        ),
        (
            r#"["scale_offset", "unknown", "bytes", {"name": "gzip", "configuration": {"level": 1}}]"#,
            Good,
        ),
        (r#"["unknown", "scale_offset"]"#, Meaning(order, "/codecs")),
        (
            r#"["unknown", {"name": "gzip", "configuration": {"level": 1}}, "bytes"]"#,
            Meaning(order, "/codecs/2"),
        ),
        (
            r#"[{"name": "gzip", "configuration": {"level": 1}}, "unknown"]"#,
            Structure(order, "/codecs/0"),
        ),
        (
            r#"["zarrs.vlen", "unknown", "scale_offset"]"#,
            Meaning(order, "/codecs/2"),
        ),
        // Codecs that may be ignored are.
        (
            r#"[{"name": "unknown", "must_understand": false}]"#,
            Meaning(order, "/codecs"),
        ),
        (
            r#"[{"name": "unknown", "must_understand": false}, "bytes"]"#,
            Meaning("bytes.endian", "/codecs/1"),
        ),
        // After an unknown codec, the data type is unknown, but the form is not.
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
            r#"[{"name": "zarrs.vlen", "options": {}}]"#,
            Structure("chain.extension.keys", "/codecs/0/options"),
        ),
        (
            r#"[{"name": "zarrs.vlen", "configuration": []}]"#,
            Structure(form, "/codecs/0/configuration"),
        ),
        (r#"[{"name": 5}]"#, Structure(form, "/codecs/0/name")),
        (r#"[""]"#, Structure(form, "/codecs/0")),
        (r#"[["bytes"]]"#, Structure(form, "/codecs/0")),
        (
            r#"[{"name": "zarrs.vlen", "must_understand": 1}]"#,
            Structure("chain.codec.optional", "/codecs/0/must_understand"),
        ),
    ]);
}

#[test]
fn bytes() {
    let clause = "bytes.endian";
    codecs(&[
        (r#"["bytes"]"#, Structure(clause, "/codecs/0")),
        (
            r#"[{"name": "bytes", "configuration": {}}]"#,
            Structure(clause, "/codecs/0"),
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
            Structure("bytes.configuration", "/codecs/0/configuration/order"),
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
    array(&complex, Structure(clause, "/codecs/0"));
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
            // The number of elements is right, but dimension 1 is at another position.
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
            r#"["transpose", "zarrs.vlen"]"#,
            Structure(transpose, "/codecs/0"),
        ),
        (
            r#"["reshape", "zarrs.vlen"]"#,
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
        Structure("chain.extension.keys", at("/level")),
    );
    row(
        &shard("[10, 15]", "[]", &index, ""),
        Structure("chain.codecs", at("/codecs")),
    );
    row(
        &shard("[10, 15]", "[\"bytes\"]", &index, ""),
        Structure("bytes.endian", at("/codecs/0")),
    );
    row(
        &shard("[10, 15]", &bytes, "[\"bytes\"]", ""),
        Structure("bytes.endian", at("/index_codecs/0")),
    );
    row(
        &shard(
            "[10, 15]",
            &bytes,
            &format!("[{BIG}, {{\"name\": \"gzip\", \"configuration\": {{\"level\": 1}}}}]"),
            "",
        ),
        Meaning(clause, at("/index_codecs/1")),
    );
    row(
        &shard("[10, 15]", &bytes, "[\"crc32c\"]", ""),
        Structure("chain.codecs", at("/index_codecs")),
    );
    row(r#"["sharding_indexed"]"#, Structure(clause, "/codecs/0"));
    row(
        r#"[{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 1], "codecs": ["zarrs.vlen"]}}]"#,
        Structure(clause, at("")),
    );
    // A shard in a shard gets the shape of its chunk.
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

/// Members to replace, or clauses and pointers.
type Pairs<'a> = &'a [(&'a str, &'a str)];

/// Parts that are known only by name pass with a warning, or without one if nothing is lost.
#[test]
fn warnings() {
    let rows: &[(Pairs<'_>, Pairs<'_>)] = &[
        (
            &[(
                "codecs",
                r#"["zarrs.vlen", {"name": "zstd", "configuration": {"level": 0}}]"#,
            )],
            &[],
        ),
        (
            &[(
                "codecs",
                r#"[{"name": "new", "must_understand": false}, "zarrs.vlen"]"#,
            )],
            &[],
        ),
        (
            &[("codecs", r#"["new"]"#)],
            &[("chain.foreign", "/codecs/0")],
        ),
        (
            &[("codecs", r#"["zarrs.vlen", "new", {"name": "newer"}]"#)],
            &[
                ("chain.foreign", "/codecs/1"),
                ("chain.foreign", "/codecs/2"),
            ],
        ),
        (
            &[("codecs", r#"["numcodecs.delta", "zarrs.vlen"]"#)],
            &[("chain.foreign", "/codecs/0")],
        ),
        (
            &[(
                "codecs",
                r#"[{"name": "scale_offset", "configuration": {"offset": "NaN", "scale": "Infinity"}}, "zarrs.vlen"]"#,
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
        let document = Document::scan_as(text.as_bytes(), DocumentKind::Array).expect("JSON");
        let judged = document.array(Accepted::Numbers).expect("accepted");
        let warnings = judged.warnings.listed;
        let found: Vec<(&str, &str)> = warnings
            .iter()
            .map(|warning| (warning.rejection.clause, warning.pointer()))
            .collect();
        assert_eq!(&found, expected, "{text}");
        for warning in &warnings {
            let place = document.place(warning.pointer());
            assert_eq!(place, Some(warning.place.clone()), "{text}");
        }
    }
}
