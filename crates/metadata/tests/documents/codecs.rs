//! The list of codecs, and codecs that Exactum does not have.

use exactum_metadata::{Accepted, Document, DocumentKind};

use crate::Expect::{self, Good, Meaning, Structure};
use crate::common::document;
use crate::{array, codecs};

const ORDER: &str = "chain.codecs";
const FORM: &str = "chain.codec.form";

/// Lists of codecs in the right and the wrong order and form.
const LISTS: &[(&str, Expect)] = &[
    (
        r#"[{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "gzip", "configuration": {"level": 1}}, "crc32c"]"#,
        Good,
    ),
    (
        r#"[{"name": "bytes", "configuration": {"endian": "big"}, "must_understand": false}]"#,
        Good,
    ),
    ("[]", Structure(ORDER, "/codecs")),
    ("{}", Structure(ORDER, "/codecs")),
    ("null", Structure(ORDER, "/codecs")),
    (
        r#"[{"name": "gzip", "configuration": {"level": 1}}]"#,
        Structure(ORDER, "/codecs"),
    ),
    (r#"["scale_offset"]"#, Structure(ORDER, "/codecs")),
    (r#"["numcodecs.delta"]"#, Meaning(ORDER, "/codecs")),
    (
        r#"["zarrs.vlen", "zarrs.vlen"]"#,
        Meaning(ORDER, "/codecs/1"),
    ),
    (
        r#"["zarrs.vlen", "scale_offset"]"#,
        Meaning(ORDER, "/codecs/1"),
    ),
    (
        r#"["zarrs.vlen", {"name": "gzip", "configuration": {"level": 1}}, "n5_default"]"#,
        Structure(ORDER, "/codecs/2"),
    ),
    // An unknown codec may take the place of a missing codec, but only if one is missing.
    (r#"["unknown"]"#, Good),
    (
        r#"["unknown", {"name": "gzip", "configuration": {"level": 1}}]"#,
        Good,
    ),
    (
        r#"["scale_offset", "unknown", "bytes", {"name": "gzip", "configuration": {"level": 1}}]"#,
        Good,
    ),
    (r#"["unknown", "scale_offset"]"#, Meaning(ORDER, "/codecs")),
    (
        r#"["unknown", {"name": "gzip", "configuration": {"level": 1}}, "bytes"]"#,
        Meaning(ORDER, "/codecs/2"),
    ),
    (
        r#"[{"name": "gzip", "configuration": {"level": 1}}, "unknown"]"#,
        Structure(ORDER, "/codecs/0"),
    ),
    (
        r#"["zarrs.vlen", "unknown", "scale_offset"]"#,
        Meaning(ORDER, "/codecs/2"),
    ),
    // Codecs that may be ignored are ignored.
    (
        r#"[{"name": "unknown", "must_understand": false}]"#,
        Meaning(ORDER, "/codecs"),
    ),
    (
        r#"[{"name": "unknown", "must_understand": false}, "bytes"]"#,
        Meaning("bytes.endian", "/codecs/1"),
    ),
    // After an unknown codec, the data type is unknown, but the form of the codecs is still checked.
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
    (r#"[{"configuration": {}}]"#, Structure(FORM, "/codecs/0")),
    (
        r#"[{"name": "zarrs.vlen", "options": {}}]"#,
        Structure("chain.extension.keys", "/codecs/0/options"),
    ),
    (
        r#"[{"name": "zarrs.vlen", "configuration": []}]"#,
        Structure(FORM, "/codecs/0/configuration"),
    ),
    (r#"[{"name": 5}]"#, Structure(FORM, "/codecs/0/name")),
    (r#"[""]"#, Structure(FORM, "/codecs/0")),
    (r#"[["bytes"]]"#, Structure(FORM, "/codecs/0")),
    (
        r#"[{"name": "zarrs.vlen", "must_understand": 1}]"#,
        Structure("chain.codec.optional", "/codecs/0/must_understand"),
    ),
];

#[test]
fn codec_lists() {
    codecs(LISTS);
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

/// Checks values of the only member of a codec before `bytes`.
fn steps(name: &str, key: &str, rows: &[(&str, Expect)]) {
    for &(value, expect) in rows {
        let list = format!(
            r#"[{{"name": "{name}", "configuration": {{"{key}": {value}}}}}, {{"name": "bytes", "configuration": {{"endian": "big"}}}}]"#
        );
        array(&[("codecs", &list)], expect);
    }
}

#[test]
fn transpose() {
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
    codecs(&[(
        r#"["transpose", "zarrs.vlen"]"#,
        Structure(transpose, "/codecs/0"),
    )]);
}

#[test]
fn reshape() {
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
    codecs(&[(
        r#"["reshape", "zarrs.vlen"]"#,
        Structure(reshape, "/codecs/0"),
    )]);
}

/// The codecs of a chunk in a shard.
const BYTES: &str = r#"[{"name": "bytes", "configuration": {"endian": "big"}}]"#;

/// The codecs of the index of a shard.
const INDEX: &str = r#"[{"name": "bytes", "configuration": {"endian": "big"}}, "crc32c"]"#;

/// Writes a list of a shard, from its chunk shape, its codecs, those of its index, and other members.
fn shard([chunk_shape, codecs, index_codecs, more]: [&str; 4]) -> String {
    format!(
        r#"[{{"name": "sharding_indexed", "configuration": {{"chunk_shape": {chunk_shape}, "codecs": {codecs}, "index_codecs": {index_codecs}{more}}}}}]"#
    )
}

#[test]
fn shards() {
    let clause = "chain.shard";
    let compressed = r#"[{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "gzip", "configuration": {"level": 1}}]"#;
    let rows = [
        (["[10, 15]", BYTES, INDEX, ""], Good),
        (
            ["[10, 15]", BYTES, INDEX, r#", "index_location": "start""#],
            Good,
        ),
        (["[10]", BYTES, INDEX, ""], Meaning(clause, "/chunk_shape")),
        (
            ["[10, 20]", BYTES, INDEX, ""],
            Meaning(clause, "/chunk_shape/1"),
        ),
        (
            ["[10, 0]", BYTES, INDEX, ""],
            Structure(clause, "/chunk_shape/1"),
        ),
        (
            ["[10, 15]", BYTES, INDEX, r#", "index_location": "middle""#],
            Structure(clause, "/index_location"),
        ),
        (
            ["[10, 15]", BYTES, INDEX, r#", "level": 1"#],
            Structure("chain.extension.keys", "/level"),
        ),
        (
            ["[10, 15]", "[]", INDEX, ""],
            Structure("chain.codecs", "/codecs"),
        ),
        (
            ["[10, 15]", "[\"bytes\"]", INDEX, ""],
            Structure("bytes.endian", "/codecs/0"),
        ),
        (
            ["[10, 15]", BYTES, "[\"bytes\"]", ""],
            Structure("bytes.endian", "/index_codecs/0"),
        ),
        (
            ["[10, 15]", BYTES, compressed, ""],
            Meaning(clause, "/index_codecs/1"),
        ),
        (
            ["[10, 15]", BYTES, "[\"crc32c\"]", ""],
            Structure("chain.codecs", "/index_codecs"),
        ),
    ];
    for (parts, expect) in rows {
        array(&[("codecs", &shard(parts))], expect.in_first_codec());
    }
    codecs(&[
        (r#"["sharding_indexed"]"#, Structure(clause, "/codecs/0")),
        (
            r#"[{"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 1], "codecs": ["zarrs.vlen"]}}]"#,
            Structure(clause, "/codecs/0/configuration"),
        ),
    ]);
}

/// A shard in a shard gets the shape of its chunk.
#[test]
fn shards_in_shards() {
    let inner = Meaning("chain.shard", "/codecs/0/configuration/chunk_shape/0");
    for (chunk_shape, expect) in [("[5, 5]", Good), ("[20, 15]", inner)] {
        let inner = shard([chunk_shape, BYTES, INDEX, ""]);
        let list = shard(["[10, 15]", &inner, INDEX, ""]);
        array(&[("codecs", &list)], expect.in_first_codec());
    }
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
