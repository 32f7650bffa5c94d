//! What becomes of data type, shape and fill value.

use exactum_vectors::{File, Level};

use super::Fill::{Lost, Rejected, Survives};
use super::{LITTLE, array, document, resolutions, shaped};
use crate::vectors::builder::{ZARR_EXTENSIONS, ZARR_SPECS};

fn scale(configuration: &str) -> String {
    format!(r#"{{"name":"scale_offset","configuration":{configuration}}}"#)
}

fn cast(configuration: &str) -> String {
    format!(r#"{{"name":"cast_value","configuration":{configuration}}}"#)
}

/// A cast without further members.
fn cast_to(data_type: &str) -> String {
    cast(&format!(r#"{{"data_type":"{data_type}"}}"#))
}

fn list(codecs: &[&str]) -> String {
    format!("[{}]", codecs.join(","))
}

/// A shard of two inner chunks along a dimension of four.
fn shard(inner: &[&str]) -> String {
    format!(
        r#"{{"name":"sharding_indexed","configuration":{{"chunk_shape":[2],"codecs":{},"index_codecs":[{LITTLE},"crc32c"]}}}}"#,
        list(inner)
    )
}

const BYTES: &str = "\"bytes\"";

pub(super) fn chain() -> Result<File, String> {
    let mut file = File::new("chain", "resolve", ZARR_SPECS);
    stages(&mut file)?;
    shapes(&mut file)?;
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

fn shapes(file: &mut File) -> Result<(), String> {
    let grid =
        |chunk: &str| format!(r#"{{"name":"regular","configuration":{{"chunk_shape":{chunk}}}}}"#);
    let chunked =
        |shape: &str, chunk: &str| document(&[("shape", shape), ("chunk_grid", &grid(chunk))]);
    resolutions(
        file,
        "shape",
        Level::Must,
        &["chain.shape"],
        &[
            (
                "no-dimension",
                shaped("uint8", "0", "[]", "[\"bytes\"]"),
                Survives,
            ),
            (
                "two-dimensions",
                shaped("uint8", "0", "[2,2]", "[\"bytes\"]"),
                Survives,
            ),
            ("chunk-smaller", chunked("[100,7]", "[30,2]"), Survives),
            ("chunk-larger", chunked("[3]", "[8]"), Survives),
            ("empty-array", chunked("[0,5]", "[2,5]"), Survives),
            (
                "large-array",
                chunked("[18446744073709551615,18446744073709551615]", "[3,5]"),
                Survives,
            ),
        ],
    )?;
    let transpose = |order: &str, shape: &str| {
        let codec = format!(r#"{{"name":"transpose","configuration":{{"order":{order}}}}}"#);
        shaped("uint8", "9", shape, &list(&[&codec, BYTES]))
    };
    let twice = list(&[
        r#"{"name":"transpose","configuration":{"order":[1,2,0]}}"#,
        &cast_to("int16"),
        r#"{"name":"transpose","configuration":{"order":[0,2,1]}}"#,
        LITTLE,
    ]);
    resolutions(
        file,
        "transpose",
        Level::Must,
        &["chain.transpose"],
        &[
            ("two-dimensions", transpose("[1,0]", "[2,3]"), Survives),
            ("rotated", transpose("[2,0,1]", "[2,3,4]"), Survives),
            (
                "rotated-the-other-way",
                transpose("[1,2,0]", "[2,3,4]"),
                Survives,
            ),
            ("reversed", transpose("[2,1,0]", "[2,3,4]"), Survives),
            ("identity", transpose("[0,1,2]", "[2,3,4]"), Survives),
            (
                "four-dimensions",
                transpose("[3,0,2,1]", "[2,3,4,5]"),
                Survives,
            ),
            ("no-dimension", transpose("[]", "[]"), Survives),
            ("twice", shaped("uint8", "9", "[2,3,4]", &twice), Survives),
            (
                "order-short",
                transpose("[1,0]", "[2,3,4]"),
                Rejected("chain.transpose"),
            ),
            (
                "order-long",
                transpose("[2,1,0]", "[2,3]"),
                Rejected("chain.transpose"),
            ),
            (
                "repeated",
                transpose("[0,0]", "[2,3]"),
                Rejected("chain.transpose"),
            ),
            (
                "beyond",
                transpose("[0,2]", "[2,3]"),
                Rejected("chain.transpose"),
            ),
            (
                "negative",
                transpose("[-1,0]", "[2,3]"),
                Rejected("chain.transpose"),
            ),
            (
                "letter",
                transpose("\"F\"", "[2,3]"),
                Rejected("chain.transpose"),
            ),
        ],
    )?;
    let reshape = |to: &str, shape: &str| {
        let codec = format!(r#"{{"name":"reshape","configuration":{{"shape":{to}}}}}"#);
        shaped("uint8", "9", shape, &list(&[&codec, BYTES]))
    };
    resolutions(
        file,
        "reshape",
        Level::Must,
        &["chain.reshape"],
        &[
            ("flat", reshape("[24]", "[2,3,4]"), Survives),
            ("rest", reshape("[6,-1]", "[2,3,4]"), Survives),
            ("rest-alone", reshape("[-1]", "[2,3,4]"), Survives),
            ("products", reshape("[[0,1],[2]]", "[2,3,4]"), Survives),
            ("product-and-rest", reshape("[[0],-1]", "[2,3,4]"), Survives),
            ("more-dimensions", reshape("[2,3,2,2]", "[2,3,4]"), Survives),
            ("to-no-dimension", reshape("[]", "[1,1]"), Survives),
            ("from-no-dimension", reshape("[1,1]", "[]"), Survives),
            (
                "too-many",
                reshape("[25]", "[2,3,4]"),
                Rejected("chain.reshape"),
            ),
            (
                "uneven-rest",
                reshape("[5,-1]", "[2,3,4]"),
                Rejected("chain.reshape"),
            ),
            (
                "two-rests",
                reshape("[-1,-1]", "[2,3,4]"),
                Rejected("chain.reshape"),
            ),
            (
                "no-such-dimension",
                reshape("[[3],-1]", "[2,3,4]"),
                Rejected("chain.reshape"),
            ),
            (
                "not-rising",
                reshape("[[1],[0],4]", "[2,3,4]"),
                Rejected("chain.reshape"),
            ),
        ],
    )?;
    let inner_scale = scale(r#"{"offset":1}"#);
    let inner_cast = cast_to("int16");
    let nested = format!(
        r#"{{"name":"sharding_indexed","configuration":{{"chunk_shape":[4],"codecs":{},"index_codecs":[{LITTLE}]}}}}"#,
        list(&[&shard(&[&inner_scale, BYTES])])
    );
    let square = |chunk: &str| {
        format!(
            r#"[{{"name":"transpose","configuration":{{"order":[1,0]}}}},{{"name":"sharding_indexed","configuration":{{"chunk_shape":{chunk},"codecs":[{{"name":"transpose","configuration":{{"order":[1,0]}}}},"bytes"],"index_codecs":[{LITTLE}]}}}}]"#
        )
    };
    resolutions(
        file,
        "shard",
        Level::Must,
        &["chain.shard"],
        &[
            (
                "plain",
                array("uint8", "5", &list(&[&shard(&[BYTES])])),
                Survives,
            ),
            (
                "inner-scale",
                array("uint8", "5", &list(&[&shard(&[&inner_scale, BYTES])])),
                Survives,
            ),
            (
                "outer-and-inner-scale",
                array(
                    "uint8",
                    "5",
                    &list(&[&inner_scale, &shard(&[&inner_scale, BYTES])]),
                ),
                Survives,
            ),
            (
                "outer-scale-and-inner-cast",
                array(
                    "uint8",
                    "5",
                    &list(&[&inner_scale, &shard(&[&inner_cast, LITTLE])]),
                ),
                Survives,
            ),
            (
                "nested",
                shaped("uint8", "5", "[8]", &list(&[&nested])),
                Survives,
            ),
            (
                "inner-shape",
                shaped("uint8", "5", "[4,6]", &square("[3,2]")),
                Survives,
            ),
            (
                "inner-shape-of-the-input",
                shaped("uint8", "5", "[4,6]", &square("[2,3]")),
                Rejected("chain.shard"),
            ),
            (
                "inner-shape-uneven",
                shaped("uint8", "5", "[4,6]", &square("[4,4]")),
                Rejected("chain.shard"),
            ),
            (
                "inner-rank",
                shaped("uint8", "5", "[4,6]", &square("[4]")),
                Rejected("chain.shard"),
            ),
            (
                "inner-fill-rejected",
                array("uint8", "0", &list(&[&shard(&[&inner_scale, BYTES])])),
                Rejected("scale_offset.fill"),
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
                array("bool", "true", "[\"bytes\"]"),
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
            ("bool", array("bool", "false", "[\"bytes\"]"), Survives),
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
            ("checksum", of("uint8", &[BYTES, "\"crc32c\""]), Survives),
            (
                "two-checksums",
                of("int32", &[LITTLE, "\"crc32c\"", "{\"name\":\"crc32c\"}"]),
                Survives,
            ),
            (
                "narrowed-with-checksum",
                of("float64", &[&to_uint8, BYTES, "\"crc32c\""]),
                Survives,
            ),
            ("gzip", of("uint8", &[BYTES, gzip]), Survives),
            (
                "gzip-and-checksum",
                of("uint8", &[BYTES, gzip, "\"crc32c\""]),
                Survives,
            ),
            (
                "checksum-and-gzip",
                of("uint8", &[BYTES, "\"crc32c\"", gzip]),
                Survives,
            ),
            ("shard", of("uint8", &[&shard(&[BYTES])]), Survives),
            (
                "foreign",
                of("uint8", &["{\"name\":\"packbits\"}"]),
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
                array("int16", "5", &list(&[&one, unknown, "\"crc32c\""])),
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

/// `cast_value.fill.*`
pub(super) fn cast_value() -> Result<File, String> {
    const CAST: &str = "cast_value.fill.cast";
    const SURVIVES: &str = "cast_value.fill.survives";
    let mut file = File::new("cast_value", "fill", ZARR_EXTENSIONS);
    let to = |configuration: &str| list(&[&cast(configuration), BYTES]);
    let wide = |configuration: &str| list(&[&cast(configuration), LITTLE]);
    let uint8 = to(r#"{"data_type":"uint8"}"#);
    let clamp = to(r#"{"data_type":"uint8","out_of_range":"clamp"}"#);
    let wrap = to(r#"{"data_type":"uint8","out_of_range":"wrap"}"#);
    let float32 = wide(r#"{"data_type":"float32"}"#);
    let float32_clamp = wide(r#"{"data_type":"float32","out_of_range":"clamp"}"#);
    let float16 = wide(r#"{"data_type":"float16"}"#);
    let float64 = wide(r#"{"data_type":"float64"}"#);
    let encode_nan = to(r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]]}}"#);
    let both_nan =
        to(r#"{"data_type":"uint8","scalar_map":{"encode":[["NaN",0]],"decode":[[0,"NaN"]]}}"#);
    let crossed = to(r#"{"data_type":"uint8","scalar_map":{"encode":[[5,7]],"decode":[[7,5]]}}"#);
    let one_way = to(r#"{"data_type":"uint8","scalar_map":{"encode":[[5,7]]}}"#);
    let stray = to(r#"{"data_type":"uint8","scalar_map":{"decode":[[5,6]]}}"#);
    let no_way_back = to(r#"{"data_type":"int8","scalar_map":{"encode":[[200,-1]]}}"#);
    let rescued =
        to(r#"{"data_type":"uint8","scalar_map":{"encode":[[1.5,200]],"decode":[[200,1.5]]}}"#);
    let towards = to(r#"{"data_type":"uint8","rounding":"towards-zero"}"#);
    resolutions(
        &mut file,
        "cast",
        Level::Must,
        &[CAST],
        &[
            ("exact", array("float64", "255", &uint8), Survives),
            ("mapped", array("float64", "\"NaN\"", &both_nan), Survives),
            ("mapped-number", array("float64", "5", &crossed), Survives),
            (
                "mapped-fraction",
                array("float64", "1.5", &rescued),
                Survives,
            ),
            ("nan", array("float64", "\"NaN\"", &float32), Survives),
            (
                "infinity",
                array("float64", "\"-Infinity\"", &float32),
                Survives,
            ),
            ("above", array("float64", "300", &uint8), Rejected(CAST)),
            ("below", array("int16", "-1", &uint8), Rejected(CAST)),
            (
                "nan-unmapped",
                array("float64", "\"NaN\"", &uint8),
                Rejected(CAST),
            ),
            (
                "nan-unmapped-clamp",
                array("float64", "\"NaN\"", &clamp),
                Rejected(CAST),
            ),
            (
                "infinity-clamp",
                array("float64", "\"Infinity\"", &clamp),
                Rejected(CAST),
            ),
            (
                "too-large-for-float32",
                array("float64", "1e39", &float32),
                Rejected(CAST),
            ),
            (
                "too-large-for-float16",
                array("uint16", "65535", &float16),
                Rejected(CAST),
            ),
        ],
    )?;
    resolutions(
        &mut file,
        "survives",
        Level::Must,
        &[SURVIVES],
        &[
            ("integer", array("float64", "2", &uint8), Survives),
            (
                "integer-towards-zero",
                array("float64", "2", &towards),
                Survives,
            ),
            (
                "in-range-under-clamp",
                array("float64", "255", &clamp),
                Survives,
            ),
            ("in-range-under-wrap", array("int16", "44", &wrap), Survives),
            (
                "half-in-float32",
                array("float64", "0.5", &float32),
                Survives,
            ),
            (
                "int64-in-float64",
                array("int64", "9007199254740992", &float64),
                Survives,
            ),
            (
                "mapped-both-ways",
                array("float64", "\"NaN\"", &both_nan),
                Survives,
            ),
            (
                "fraction",
                array("float64", "1.5", &uint8),
                Rejected(SURVIVES),
            ),
            (
                "fraction-towards-zero",
                array("float64", "2.9", &towards),
                Rejected(SURVIVES),
            ),
            (
                "clamped",
                array("float64", "300", &clamp),
                Rejected(SURVIVES),
            ),
            (
                "clamped-below",
                array("int16", "-5", &clamp),
                Rejected(SURVIVES),
            ),
            (
                "clamped-to-infinity",
                array("float64", "1e39", &float32_clamp),
                Rejected(SURVIVES),
            ),
            ("wrapped", array("int16", "300", &wrap), Rejected(SURVIVES)),
            (
                "tenth-in-float32",
                array("float64", "0.1", &float32),
                Rejected(SURVIVES),
            ),
            (
                "subnormal-in-float32",
                array("float64", "1e-300", &float32),
                Rejected(SURVIVES),
            ),
            (
                "int64-in-float64-odd",
                array("int64", "9007199254740993", &float64),
                Rejected(SURVIVES),
            ),
            (
                "int32-in-float16",
                array("int32", "2049", &float16),
                Rejected(SURVIVES),
            ),
            (
                "nan-mapped-one-way",
                array("float64", "\"NaN\"", &encode_nan),
                Rejected(SURVIVES),
            ),
            (
                "number-mapped-one-way",
                array("float64", "5", &one_way),
                Rejected(SURVIVES),
            ),
            (
                "decoded-elsewhere",
                array("float64", "5", &stray),
                Rejected(SURVIVES),
            ),
            (
                "zero-decoded-as-nan",
                array("float64", "0", &both_nan),
                Rejected(SURVIVES),
            ),
            (
                "no-way-back",
                array("uint8", "200", &no_way_back),
                Rejected(SURVIVES),
            ),
        ],
    )?;
    let signed = to(
        r#"{"data_type":"int8","scalar_map":{"encode":[["NaN",-1]],"decode":[[-1,"0xffc00001"]]}}"#,
    );
    resolutions(
        &mut file,
        "by-value",
        Level::Ruling,
        &["cast_value.fill.by-value"],
        &[
            ("negative-zero", array("float64", "-0.0", &uint8), Survives),
            (
                "negative-zero-float",
                array("float64", "-0.0", &float32),
                Survives,
            ),
            (
                "payload",
                array("float64", "\"0x7ff8000000000001\"", &float32),
                Survives,
            ),
            (
                "negative-nan",
                array("float64", "\"0xfff8000000000000\"", &float16),
                Survives,
            ),
            (
                "signalling",
                array("float32", "\"0x7f800001\"", &float64),
                Survives,
            ),
            (
                "decoded-as-another-nan",
                array("float32", "\"NaN\"", &signed),
                Survives,
            ),
        ],
    )?;
    Ok(file)
}

/// `scale_offset.fill`
pub(super) fn scale_offset() -> Result<File, String> {
    const FILL: &str = "scale_offset.fill";
    let mut file = File::new("scale_offset", "fill", ZARR_EXTENSIONS);
    let by = |configuration: &str| list(&[&scale(configuration), LITTLE]);
    let offset_1000 = by(r#"{"offset":1000}"#);
    let both = by(r#"{"offset":5,"scale":3}"#);
    let bare = list(&["\"scale_offset\"", LITTLE]);
    let object = list(&[r#"{"name":"scale_offset"}"#, LITTLE]);
    let negative = by(r#"{"scale":-1}"#);
    resolutions(
        &mut file,
        "fill",
        Level::Must,
        &[FILL],
        &[
            ("offset", array("uint16", "1000", &offset_1000), Survives),
            ("offset-and-scale", array("int16", "7", &both), Survives),
            ("negative", array("int32", "-7", &both), Survives),
            (
                "float",
                array("float32", "5", &by(r#"{"offset":5,"scale":0.1}"#)),
                Survives,
            ),
            (
                "float-exact",
                array("float64", "3.25", &by(r#"{"offset":-1,"scale":0.5}"#)),
                Survives,
            ),
            (
                "negative-zero-arises",
                array("float32", "0.0", &negative),
                Survives,
            ),
            (
                "beyond-2-53",
                array("int64", "9007199254740993", &by(r#"{"offset":1}"#)),
                Survives,
            ),
            ("short-form", array("int16", "1000", &bare), Survives),
            (
                "no-configuration",
                array("int16", "1000", &object),
                Survives,
            ),
            (
                "empty-configuration",
                array("int16", "1000", &by("{}")),
                Survives,
            ),
            (
                "below",
                array("uint16", "999", &offset_1000),
                Rejected(FILL),
            ),
            (
                "default-zero",
                array("uint16", "0", &offset_1000),
                Rejected(FILL),
            ),
            (
                "above",
                array("int16", "20000", &by(r#"{"scale":2}"#)),
                Rejected(FILL),
            ),
            (
                "on-the-way",
                array(
                    "int8",
                    "127",
                    &list(&[&scale(r#"{"offset":-1,"scale":-1}"#), BYTES]),
                ),
                Rejected(FILL),
            ),
        ],
    )?;
    resolutions(
        &mut file,
        "fill-of-floats",
        Level::Ruling,
        &[FILL],
        &[
            (
                "nan",
                array("float64", "\"NaN\"", &by(r#"{"offset":-10,"scale":0.1}"#)),
                Survives,
            ),
            (
                "infinity",
                array("float32", "\"Infinity\"", &by(r#"{"offset":5,"scale":-2}"#)),
                Survives,
            ),
            (
                "overflow",
                array("float32", "3e38", &by(r#"{"scale":10}"#)),
                Rejected(FILL),
            ),
            (
                "overflow-on-the-way",
                array("float16", "60000", &by(r#"{"offset":-60000,"scale":0.25}"#)),
                Rejected(FILL),
            ),
        ],
    )?;
    Ok(file)
}
