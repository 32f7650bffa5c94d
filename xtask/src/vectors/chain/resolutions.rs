//! What becomes of data type, shape and fill value.

use exactum_vectors::{File, Level};

use super::Fill::{Lost, Rejected, Survives};
use super::{LITTLE, array, resolutions, shaped};
use crate::vectors::builder::ZARR_SPECS;

pub(super) fn scale(configuration: &str) -> String {
    format!(r#"{{"name":"scale_offset","configuration":{configuration}}}"#)
}

pub(super) fn cast(configuration: &str) -> String {
    format!(r#"{{"name":"cast_value","configuration":{configuration}}}"#)
}

/// A cast without further members.
pub(super) fn cast_to(data_type: &str) -> String {
    cast(&format!(r#"{{"data_type":"{data_type}"}}"#))
}

pub(super) fn list(codecs: &[&str]) -> String {
    format!("[{}]", codecs.join(","))
}

/// A shard of two inner chunks along a dimension of four.
pub(super) fn shard(inner: &[&str]) -> String {
    format!(
        r#"{{"name":"sharding_indexed","configuration":{{"chunk_shape":[2],"codecs":{},"index_codecs":[{LITTLE},{CRC32C}]}}}}"#,
        list(inner)
    )
}

pub(super) const BYTES: &str = r#"{"name":"bytes"}"#;
const PACKBITS: &str = r#"{"name":"packbits"}"#;
const CRC32C: &str = r#"{"name":"crc32c"}"#;

pub(super) fn chain() -> Result<File, String> {
    let mut file = File::new("chain", "resolve", ZARR_SPECS);
    stages(&mut file)?;
    super::shapes::add(&mut file)?;
    fill_values(&mut file)?;
    survival(&mut file)?;
    sizes(&mut file)?;
    foreign(&mut file)?;
    Ok(file)
}

fn stages(file: &mut File) -> Result<(), String> {
    let two = list(&[&scale(r#"{"offset":1}"#), &scale(r#"{"scale":2}"#), LITTLE]);
    let exchanged = list(&[&scale(r#"{"scale":2}"#), &scale(r#"{"offset":1}"#), LITTLE]);
    let wide = list(&[&scale(r#"{"offset":300}"#), &cast_to("uint8"), BYTES]);
    let narrow = list(&[&cast_to("uint8"), &scale(r#"{"offset":100}"#), BYTES]);
    let one = list(&[&scale(r#"{"offset":1}"#), &cast_to("uint8"), BYTES]);
    resolutions(
        file,
        "order",
        Level::Must,
        &["chain.order", "chain.fill"],
        &[
            ("offset-then-scale", array("int16", "5", &two), Survives),
            (
                "scale-then-offset",
                array("int16", "5", &exchanged),
                Survives,
            ),
            (
                "scaled-in-the-wide-type",
                array("int16", "310", &wide),
                Survives,
            ),
            (
                "scaled-before-the-cast",
                array("int16", "256", &one),
                Survives,
            ),
            (
                "scaled-in-the-narrow-type",
                array("int16", "200", &narrow),
                Survives,
            ),
        ],
    )?;
    let three = list(&[
        &cast_to("float32"),
        &cast_to("int16"),
        &cast_to("uint8"),
        BYTES,
    ]);
    let parameters = list(&[
        &cast_to("float32"),
        &scale(r#"{"offset":0.5,"scale":2}"#),
        LITTLE,
    ]);
    let beyond = list(&[&cast_to("uint8"), &scale(r#"{"offset":300}"#), BYTES]);
    let fraction = list(&[&cast_to("int32"), &scale(r#"{"scale":0.5}"#), LITTLE]);
    let key = list(&[
        &cast_to("float32"),
        &cast(r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]]}}"#),
        BYTES,
    ]);
    resolutions(
        file,
        "data-type",
        Level::Must,
        &["chain.data_type"],
        &[
            (
                "no-codecs",
                array("int16", "-2", &list(&[LITTLE])),
                Survives,
            ),
            (
                "one-cast",
                array("float32", "0", &list(&[&cast_to("uint8"), BYTES])),
                Survives,
            ),
            ("three-casts", array("float64", "7", &three), Survives),
            (
                "parameters-after-a-cast",
                array("int16", "3", &parameters),
                Survives,
            ),
            ("map-after-a-cast", array("int16", "3", &key), Survives),
            (
                "same-type",
                array("uint8", "3", &list(&[&cast_to("uint8"), BYTES])),
                Survives,
            ),
            (
                "parameter-above-after-a-cast",
                array("int16", "3", &beyond),
                Rejected("scale_offset.parameters"),
            ),
            (
                "fraction-after-a-cast",
                array("float64", "3", &fraction),
                Rejected("scale_offset.parameters"),
            ),
        ],
    )
}

fn fill_values(file: &mut File) -> Result<(), String> {
    let cascade = list(&[
        &scale(r#"{"offset":10}"#),
        &scale(r#"{"scale":3}"#),
        &cast_to("float32"),
        &scale(r#"{"offset":0.5}"#),
        LITTLE,
    ]);
    let mapped = list(&[
        &cast(
            r#"{"data_type":"int16","scalar_map":{"encode":[["NaN",-1]],"decode":[[-1,"NaN"]]}}"#,
        ),
        &scale(r#"{"offset":-1}"#),
        LITTLE,
    ]);
    let moved = list(&[
        r#"{"name":"transpose","configuration":{"order":[0]}}"#,
        &scale(r#"{"scale":2}"#),
        r#"{"name":"reshape","configuration":{"shape":[2,2]}}"#,
        LITTLE,
    ]);
    resolutions(
        file,
        "fill",
        Level::Must,
        &["chain.fill"],
        &[
            ("cascade", array("int32", "17", &cascade), Survives),
            (
                "mapped-then-scaled",
                array("float64", "\"NaN\"", &mapped),
                Survives,
            ),
            ("moved-and-scaled", array("int16", "21", &moved), Survives),
            (
                "untouched",
                array("complex64", "[1.5,\"NaN\"]", &list(&[LITTLE])),
                Survives,
            ),
            (
                "untouched-nan",
                array("float32", "\"0xffc00001\"", &list(&[LITTLE])),
                Survives,
            ),
            (
                "untouched-bool",
                array("bool", "true", r#"[{"name":"bytes"}]"#),
                Survives,
            ),
        ],
    )
}

fn survival(file: &mut File) -> Result<(), String> {
    let offset_1 = list(&[&scale(r#"{"offset":1}"#), LITTLE]);
    let tiny = list(&[&scale(r#"{"scale":1e-30}"#), LITTLE]);
    let tenth = list(&[&scale(r#"{"offset":0.1,"scale":0.1}"#), LITTLE]);
    let to_uint8 = list(&[&cast_to("uint8"), BYTES]);
    let to_float16 = list(&[&cast_to("float16"), LITTLE]);
    let both_ways = list(&[
        &scale(r#"{"offset":1}"#),
        &scale(r#"{"offset":-1}"#),
        LITTLE,
    ]);
    let overflow = list(&[&scale(r#"{"scale":0.3}"#), LITTLE]);
    let nan_map = list(&[
        &scale(r#"{"offset":5}"#),
        &cast(r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]],"decode":[[0,"NaN"]]}}"#),
        BYTES,
    ]);
    let inner = list(&[&shard(&[&scale(r#"{"offset":1}"#), LITTLE])]);
    resolutions(
        file,
        "survives",
        Level::Ruling,
        &["chain.survives"],
        &[
            (
                "no-codec",
                array("float32", "0.1", &list(&[LITTLE])),
                Survives,
            ),
            (
                "no-codec-nan",
                array("float32", "\"NaN\"", &list(&[LITTLE])),
                Survives,
            ),
            ("scaled", array("float32", "5", &offset_1), Survives),
            ("scaled-integers", array("int16", "5", &offset_1), Survives),
            ("absorbed", array("float32", "1e-8", &offset_1), Lost),
            ("absorbed-twice", array("float32", "1e-8", &both_ways), Lost),
            ("underflow", array("float32", "1e-20", &tiny), Lost),
            ("last-bit", array("float32", "1.7", &tenth), Lost),
            (
                "decoding-overflows",
                array("float16", "65504", &overflow),
                Lost,
            ),
            (
                "negative-zero-cast",
                array("float32", "-0.0", &to_uint8),
                Survives,
            ),
            (
                "negative-zero-scaled",
                array("float32", "-0.0", &offset_1),
                Survives,
            ),
            (
                "nan-scaled",
                array("float32", "\"NaN\"", &offset_1),
                Survives,
            ),
            (
                "nan-cast",
                array("float64", "\"0xfff8000000000001\"", &to_float16),
                Survives,
            ),
            (
                "nan-mapped",
                array("float64", "\"NaN\"", &nan_map),
                Survives,
            ),
            (
                "infinity",
                array("float64", "\"-Infinity\"", &offset_1),
                Survives,
            ),
            ("in-a-shard", array("float32", "1e-8", &inner), Lost),
            ("in-a-shard-exact", array("float32", "3", &inner), Survives),
        ],
    )
}

fn sizes(file: &mut File) -> Result<(), String> {
    let gzip = r#"{"name":"gzip","configuration":{"level":1}}"#;
    let of = |data_type: &str, codecs: &[&str]| array(data_type, "0", &list(codecs));
    let to_uint8 = cast_to("uint8");
    let to_float64 = cast_to("float64");
    let flat = r#"{"name":"reshape","configuration":{"shape":[-1]}}"#;
    resolutions(
        file,
        "encoded-bytes",
        Level::Ruling,
        &["chain.encoded-bytes"],
        &[
            ("uint8", of("uint8", &[BYTES]), Survives),
            ("float64", of("float64", &[LITTLE]), Survives),
            (
                "complex64",
                array("complex64", "[0,0]", &list(&[LITTLE])),
                Survives,
            ),
            (
                "bool",
                array("bool", "false", r#"[{"name":"bytes"}]"#),
                Survives,
            ),
            ("narrowed", of("float32", &[&to_uint8, BYTES]), Survives),
            ("widened", of("uint8", &[&to_float64, LITTLE]), Survives),
            (
                "reshaped",
                shaped("uint16", "0", "[2,3,5]", &list(&[flat, LITTLE])),
                Survives,
            ),
            (
                "no-dimension",
                shaped("uint16", "0", "[]", &list(&[LITTLE])),
                Survives,
            ),
            ("checksum", of("uint8", &[BYTES, CRC32C]), Survives),
            (
                "two-checksums",
                of("int32", &[LITTLE, CRC32C, CRC32C]),
                Survives,
            ),
            (
                "narrowed-with-checksum",
                of("float64", &[&to_uint8, BYTES, CRC32C]),
                Survives,
            ),
            ("gzip", of("uint8", &[BYTES, gzip]), Survives),
            (
                "gzip-and-checksum",
                of("uint8", &[BYTES, gzip, CRC32C]),
                Survives,
            ),
            (
                "checksum-and-gzip",
                of("uint8", &[BYTES, CRC32C, gzip]),
                Survives,
            ),
            ("shard", of("uint8", &[&shard(&[BYTES])]), Survives),
            (
                "foreign",
                of("uint8", &["{\"name\":\"vlen-bytes\"}"]),
                Survives,
            ),
            (
                "packbits",
                shaped("uint4", "0", "[3,3]", &list(&[PACKBITS])),
                Survives,
            ),
            (
                "packbits-of-a-range",
                of(
                    "int32",
                    &[r#"{"name":"packbits","configuration":{"last_bit":10}}"#],
                ),
                Survives,
            ),
            (
                "packbits-with-a-padding-byte",
                of(
                    "uint16",
                    &[r#"{"name":"packbits","configuration":{"padding_encoding":"last_byte"}}"#],
                ),
                Survives,
            ),
            (
                "packbits-of-complex",
                array("complex_float6_e2m3fn", "[0,0]", &list(&[PACKBITS])),
                Survives,
            ),
            (
                "packbits-behind-a-cast",
                of(
                    "float64",
                    &[
                        r#"{"name":"cast_value","configuration":{"data_type":"int2"}}"#,
                        PACKBITS,
                        CRC32C,
                    ],
                ),
                Survives,
            ),
            (
                "packbits-in-a-shard",
                of("uint8", &[&shard(&[PACKBITS])]),
                Survives,
            ),
        ],
    )
}

fn foreign(file: &mut File) -> Result<(), String> {
    let unknown = r#"{"name":"x.unknown","configuration":{"level":[1,{"a":null}]}}"#;
    let optional = r#"{"name":"x.optional","must_understand":false}"#;
    let one = scale(r#"{"offset":1}"#);
    resolutions(
        file,
        "foreign",
        Level::Ruling,
        &["chain.foreign"],
        &[
            (
                "unknown-first",
                array("int16", "5", &list(&[unknown, &one, LITTLE])),
                Survives,
            ),
            (
                "unknown-behind-a-step",
                array("int16", "5", &list(&[&one, unknown, LITTLE])),
                Survives,
            ),
            (
                "unknown-instead-of-bytes",
                array("int16", "5", &list(&[&one, unknown])),
                Survives,
            ),
            (
                "unknown-instead-of-bytes-and-checksum",
                array("int16", "5", &list(&[&one, unknown, CRC32C])),
                Survives,
            ),
            (
                "unknown-at-the-end",
                array("int16", "5", &list(&[&one, LITTLE, unknown])),
                Survives,
            ),
            (
                "array-to-bytes-by-name",
                array(
                    "int16",
                    "5",
                    &list(&[
                        &one,
                        r#"{"name":"zfp","configuration":{"mode":"reversible"}}"#,
                    ]),
                ),
                Survives,
            ),
            (
                "compressor-by-name",
                array(
                    "int16",
                    "5",
                    &list(&[
                        &one,
                        LITTLE,
                        r#"{"name":"zstd","configuration":{"level":0,"checksum":false}}"#,
                    ]),
                ),
                Survives,
            ),
            (
                "optional-and-unknown",
                array("int16", "5", &list(&[optional, &one, LITTLE])),
                Survives,
            ),
        ],
    )
}
