//! The configuration of `zfp`.

use exactum_metadata::{parse_array, parse_zfp};
use exactum_model::{ArrayToBytes, At, DataType, Zfp};

use crate::Expect::{self, Good, Meaning, Structure};
use crate::{array, check};

fn zfp(data_type: DataType, rows: &[(&str, Expect)]) {
    for &(text, expect) in rows {
        check("zfp.json", text, parse_zfp(text, data_type, 2), expect);
    }
}

#[test]
fn every_mode_has_its_keys() {
    let (keys, others) = ("zfp.mode.keys", "zfp.mode.others");
    let expert = r#"{"mode": "expert", "minbits": 1, "maxbits": 13, "maxprec": 19, "minexp": -2}"#;
    zfp(
        DataType::Float32,
        &[
            (r#"{"mode": "reversible"}"#, Good),
            (expert, Good),
            (r#"{"mode": "fixed_accuracy", "tolerance": 0.05}"#, Good),
            (r#"{"mode": "fixed_rate", "rate": 10.5}"#, Good),
            (r#"{"mode": "fixed_precision", "precision": 19}"#, Good),
            ("{}", Structure("zfp.mode", "")),
            (r#"{"mode": "lossless"}"#, Structure("zfp.mode", "/mode")),
            (r#"{"mode": 4}"#, Structure("zfp.mode", "/mode")),
            (r#"{"mode": "fixed_rate"}"#, Structure(keys, "")),
            (
                r#"{"mode": "reversible", "rate": 8}"#,
                Structure(others, "/rate"),
            ),
            (
                r#"{"mode": "fixed_rate", "rate": 8, "precision": 8}"#,
                Structure(others, "/precision"),
            ),
            (
                r#"{"mode": "expert", "minbits": 1, "maxbits": 13, "maxprec": 19}"#,
                Structure(keys, ""),
            ),
            (
                r#"{"mode": "reversible", "write_header": false}"#,
                Structure("zfp.configuration.keys", "/write_header"),
            ),
        ],
    );
}

#[test]
fn numbers_have_limits() {
    let (rate, tolerance) = ("zfp.rate", "zfp.accuracy.tolerance");
    zfp(
        DataType::Float32,
        &[
            (r#"{"mode": "fixed_rate", "rate": 1041.125}"#, Good),
            (
                r#"{"mode": "fixed_rate", "rate": 1041.2}"#,
                Meaning(rate, "/rate"),
            ),
            (
                r#"{"mode": "fixed_rate", "rate": 0.01}"#,
                Meaning(rate, "/rate"),
            ),
            (r#"{"mode": "fixed_rate", "rate": 0.03125}"#, Good),
            (
                r#"{"mode": "fixed_rate", "rate": 0}"#,
                Structure(rate, "/rate"),
            ),
            (
                r#"{"mode": "fixed_rate", "rate": -1}"#,
                Structure(rate, "/rate"),
            ),
            (
                r#"{"mode": "fixed_rate", "rate": "8"}"#,
                Structure(rate, "/rate"),
            ),
            (r#"{"mode": "fixed_accuracy", "tolerance": 5e-324}"#, Good),
            (
                r#"{"mode": "fixed_accuracy", "tolerance": 0.0}"#,
                Structure(tolerance, "/tolerance"),
            ),
            (
                r#"{"mode": "fixed_accuracy", "tolerance": "Infinity"}"#,
                Structure(tolerance, "/tolerance"),
            ),
            (
                r#"{"mode": "fixed_precision", "precision": 0}"#,
                Structure("zfp.precision", "/precision"),
            ),
            (r#"{"mode": "fixed_precision", "precision": 64}"#, Good),
            (
                r#"{"mode": "fixed_precision", "precision": 65}"#,
                Structure("zfp.precision", "/precision"),
            ),
            (
                r#"{"mode": "fixed_precision", "precision": 1.5}"#,
                Structure("zfp.precision", "/precision"),
            ),
        ],
    );
}

#[test]
fn a_block_has_room_for_its_header() {
    let expert = |limits: [i64; 4]| {
        let [minbits, maxbits, maxprec, minexp] = limits;
        format!(
            r#"{{"mode": "expert", "minbits": {minbits}, "maxbits": {maxbits}, "maxprec": {maxprec}, "minexp": {minexp}}}"#
        )
    };
    let header = Meaning("zfp.expert.header", "/maxbits");
    let reversible = Meaning("zfp.expert.reversible", "/maxbits");
    let rows = [
        (DataType::Float32, [0, 9, 1, -1074], Good),
        (DataType::Float32, [0, 8, 1, -1074], header),
        (DataType::Float64, [0, 12, 1, -1074], Good),
        (DataType::Float64, [0, 11, 1, -1074], header),
        (DataType::Float32, [0, 15, 1, -1075], Good),
        (DataType::Float16, [0, 14, 1, -1075], header),
        (DataType::Float64, [0, 19, 1, -1075], Good),
        (DataType::Float64, [0, 18, 1, -1075], header),
        (DataType::Int8, [0, 5, 1, -1075], Good),
        (DataType::Int32, [0, 4, 1, -1075], header),
        (DataType::Uint64, [0, 6, 1, -1075], Good),
        (DataType::Int64, [0, 5, 1, -1075], header),
        (DataType::Int32, [0, 1, 1, -1074], Good),
        (DataType::Int32, [0, 0, 1, -1074], header),
        (DataType::Float32, [1, 99, 1, -1075], Good),
        (DataType::Float32, [2, 99, 1, -1075], reversible),
        (DataType::Int32, [2, 99, 1, -1075], Good),
        (
            DataType::Int32,
            [3, 2, 1, -1074],
            Meaning("zfp.expert.order", "/maxbits"),
        ),
        (DataType::Int32, [0, 16658, 64, i32::MIN.into()], Good),
        (
            DataType::Int32,
            [0, 16659, 64, 0],
            Structure("zfp.expert.bits", "/maxbits"),
        ),
        (
            DataType::Int32,
            [-1, 9, 64, 0],
            Structure("zfp.expert.bits", "/minbits"),
        ),
        (
            DataType::Int32,
            [0, 9, 0, 0],
            Structure("zfp.expert.precision", "/maxprec"),
        ),
        (
            DataType::Int32,
            [0, 9, 65, 0],
            Structure("zfp.expert.precision", "/maxprec"),
        ),
        (
            DataType::Int32,
            [0, 9, 1, 1 << 31],
            Structure("zfp.expert.exponent", "/minexp"),
        ),
    ];
    for (data_type, limits, expect) in rows {
        zfp(data_type, &[(&expert(limits), expect)]);
    }
}

/// The limits of a block: its minimum and maximum number of bits, the precision and the exponent.
type Limits = (u32, u32, u32, i32);

/// Configurations for chunks of a data type and a rank.
const LIMITS: &[(DataType, usize, &str, Limits)] = &[
    (
        DataType::Float32,
        1,
        r#"{"mode": "fixed_rate", "rate": 8}"#,
        (32, 32, 64, -1074),
    ),
    (
        DataType::Float32,
        0,
        r#"{"mode": "fixed_rate", "rate": 1}"#,
        (9, 9, 64, -1074),
    ),
    (
        DataType::Float64,
        1,
        r#"{"mode": "fixed_rate", "rate": 1}"#,
        (12, 12, 64, -1074),
    ),
    (
        DataType::Int64,
        1,
        r#"{"mode": "fixed_rate", "rate": 1}"#,
        (4, 4, 64, -1074),
    ),
    (
        DataType::Int8,
        4,
        r#"{"mode": "fixed_rate", "rate": 8}"#,
        (2048, 2048, 64, -1074),
    ),
    (
        DataType::Int8,
        2,
        r#"{"mode": "fixed_rate", "rate": 0.09375}"#,
        (2, 2, 64, -1074),
    ),
    (
        DataType::Int8,
        2,
        r#"{"mode": "fixed_precision", "precision": 7}"#,
        (1, 16658, 7, -1074),
    ),
    (
        DataType::Float32,
        2,
        r#"{"mode": "fixed_accuracy", "tolerance": 0.05}"#,
        (1, 16658, 64, -5),
    ),
    (
        DataType::Float32,
        2,
        r#"{"mode": "fixed_accuracy", "tolerance": 1}"#,
        (1, 16658, 64, 0),
    ),
    (
        DataType::Float32,
        2,
        r#"{"mode": "fixed_accuracy", "tolerance": 2e-323}"#,
        (1, 16658, 64, -1072),
    ),
    (
        DataType::Float32,
        2,
        r#"{"mode": "fixed_accuracy", "tolerance": 5e-324}"#,
        (1, 16658, 64, -1074),
    ),
    (
        DataType::Float32,
        2,
        r#"{"mode": "reversible"}"#,
        (1, 16658, 64, -1075),
    ),
];

/// A rate depends on the rank of the chunk, and is raised to the size of a block's header.
#[test]
fn modes_are_limits() {
    for &(data_type, rank, text, limits) in LIMITS {
        let codec = parse_zfp(text, data_type, rank).expect(text);
        let Zfp {
            min_bits,
            max_bits,
            max_precision,
            min_exponent,
            ..
        } = codec;
        assert_eq!(
            (min_bits, max_bits, max_precision, min_exponent),
            limits,
            "{text}"
        );
    }
}

#[test]
fn chunks_are_of_its_types_and_ranks() {
    let zfp =
        |configuration: &str| format!(r#"[{{"name": "zfp", "configuration": {configuration}}}]"#);
    let reversible = zfp(r#"{"mode": "reversible"}"#);
    let accuracy = zfp(r#"{"mode": "fixed_accuracy", "tolerance": 0.5}"#);
    let rows = [
        ("float64", &reversible, Good),
        ("uint2", &reversible, Good),
        (
            "bool",
            &reversible,
            Structure("zfp.data_type.others", "/codecs/0"),
        ),
        ("float64", &accuracy, Good),
        (
            "int16",
            &accuracy,
            Structure("zfp.accuracy.integers", "/codecs/0"),
        ),
    ];
    for (data_type, codecs, expect) in rows {
        let fill_value = if data_type == "bool" { "false" } else { "0" };
        let data_type = format!("\"{data_type}\"");
        let members = [
            ("data_type", &*data_type),
            ("codecs", codecs),
            ("fill_value", fill_value),
        ];
        array(&members, expect);
    }
}

/// The example of the specification with `reshape` instead of a separate codec, and inner chunks.
#[test]
fn more_dimensions_are_reshaped() {
    let document = |codecs: &str| {
        format!(
            r#"{{"zarr_format": 3, "node_type": "array", "shape": [4, 1, 3, 1, 2, 1], "data_type": "float32",
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4, 1, 3, 1, 2, 1]}}}},
            "chunk_key_encoding": {{"name": "default"}}, "fill_value": 0, "codecs": [{codecs}]}}"#
        )
    };
    let rate = r#"{"name": "zfp", "configuration": {"mode": "fixed_rate", "rate": 16}}"#;
    let reshape = r#"{"name": "reshape", "configuration": {"shape": [4, 3, 2]}}"#;
    let rejection = parse_array(&document(rate)).expect_err("six dimensions");
    assert_eq!(rejection.clause, "zfp.rank");
    assert_eq!(rejection.at, Some(At::Pointer("/codecs/0".into())));
    assert!(rejection.help.is_some_and(|help| help.contains("reshape")));
    let reshaped = parse_array(&document(&format!("{reshape}, {rate}"))).expect("three");
    let ArrayToBytes::Zfp(codec) = reshaped.chain.pipeline.array_to_bytes else {
        panic!("zfp is known here");
    };
    assert_eq!(
        (codec.rank, codec.min_bits, codec.max_bits),
        (3, 1024, 1024)
    );
    let shard = format!(
        r#"{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [2, 1, 3, 1, 1, 1],
        "codecs": [{rate}], "index_codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}}}"#
    );
    let rejection = parse_array(&document(&shard)).expect_err("six dimensions inside");
    assert_eq!(rejection.clause, "zfp.rank");
}
