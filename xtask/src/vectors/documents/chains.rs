//! Lists of codecs.

use super::{Group, array, document};

const LITTLE: &str = r#"{"name":"bytes","configuration":{"endian":"little"}}"#;

fn codecs(text: &str) -> String {
    document(&[("codecs", text)])
}

fn codec(text: &str) -> String {
    codecs(&format!("[{text},{{\"name\":\"bytes\"}}]"))
}

pub(super) fn groups() -> Vec<Group> {
    [forms(), lists(), bytes(), steps(), foreign()].concat()
}

fn forms() -> Vec<Group> {
    let flagged = |flag: &str| codecs(&format!(r#"[{{"name":"bytes","must_understand":{flag}}}]"#));
    vec![
        Group::must("codec-form", "chain.codec.form")
            .accept("short-form", codecs("[\"bytes\"]"))
            .accept("object", codecs(r#"[{"name":"bytes"}]"#))
            .accept("empty-configuration", codecs(r#"[{"name":"bytes","configuration":{}}]"#))
            .accept("short-forms", codecs(r#"["scale_offset","bytes","crc32c"]"#))
            .reject_all(
                &[
                    ("number", "7"),
                    ("null", "null"),
                    ("true", "true"),
                    ("list", "[\"scale_offset\"]"),
                    ("empty-object", "{}"),
                    ("no-name", r#"{"configuration":{}}"#),
                    ("name-number", r#"{"name":1}"#),
                    ("name-null", r#"{"name":null}"#),
                    ("name-empty", r#"{"name":""}"#),
                    ("id", r#"{"id":"scale_offset"}"#),
                    ("other-key", r#"{"name":"scale_offset","offset":5}"#),
                    ("configuration-null", r#"{"name":"scale_offset","configuration":null}"#),
                    ("configuration-list", r#"{"name":"scale_offset","configuration":[]}"#),
                    ("foreign-configuration-string", r#"{"name":"x.unknown","configuration":"a"}"#),
                ],
                codec,
            ),
        Group::must("must-understand", "chain.codec.must_understand")
            .accept("true", flagged("true"))
            .accept("false", flagged("false"))
            .accept(
                "false-on-a-step",
                codec(r#"{"name":"scale_offset","configuration":{"offset":0},"must_understand":false}"#),
            )
            .accept("false-on-an-unknown", codec(r#"{"name":"x.optional","must_understand":false}"#))
            .reject("number", flagged("1"))
            .reject("string", flagged("\"false\""))
            .reject("null", flagged("null"))
            .reject("data-type", document(&[("data_type", r#"{"name":"uint8","must_understand":false}"#)]))
            .reject(
                "chunk-grid",
                document(&[(
                    "chunk_grid",
                    r#"{"name":"regular","configuration":{"chunk_shape":[4]},"must_understand":false}"#,
                )]),
            )
            .reject(
                "chunk-key-encoding",
                document(&[("chunk_key_encoding", r#"{"name":"default","must_understand":false}"#)]),
            ),
    ]
}

fn lists() -> Vec<Group> {
    let shard = |inner: &str, index: &str| {
        codecs(&format!(
            r#"[{{"name":"sharding_indexed","configuration":{{"chunk_shape":[2],"codecs":{inner},"index_codecs":{index}}}}}]"#
        ))
    };
    let index = format!("[{LITTLE}]");
    vec![
        Group::must("codecs", "chain.codecs")
            .accept("bytes", codecs(r#"[{"name":"bytes"}]"#))
            .accept(
                "all-kinds",
                codecs(r#"[{"name":"scale_offset","configuration":{"offset":0}},{"name":"transpose","configuration":{"order":[0]}},{"name":"bytes"},{"name":"gzip","configuration":{"level":1}},{"name":"crc32c"}]"#),
            )
            .accept("shard", shard("[{\"name\":\"bytes\"},{\"name\":\"crc32c\"}]", &index))
            .reject_all(
                &[
                    ("empty", "[]"),
                    ("null", "null"),
                    ("object", r#"{"name":"bytes"}"#),
                    ("string", "\"bytes\""),
                    ("two-bytes", r#"[{"name":"bytes"},{"name":"bytes"}]"#),
                    ("bytes-and-shard", r#"[{"name":"bytes"},{"name":"sharding_indexed","configuration":{"chunk_shape":[2],"codecs":[{"name":"bytes"}],"index_codecs":[{"name":"bytes"}]}}]"#),
                    ("steps-only", r#"[{"name":"scale_offset","configuration":{"offset":0}}]"#),
                    ("compressor-only", r#"[{"name":"gzip","configuration":{"level":1}}]"#),
                    ("compressor-first", r#"[{"name":"gzip","configuration":{"level":1}},{"name":"bytes"}]"#),
                    ("checksum-first", r#"[{"name":"crc32c"},{"name":"bytes"}]"#),
                    ("step-last", r#"[{"name":"bytes"},{"name":"scale_offset","configuration":{"offset":0}}]"#),
                    ("cast-last", r#"[{"name":"bytes"},{"name":"cast_value","configuration":{"data_type":"int8"}}]"#),
                    ("step-behind-a-checksum", r#"[{"name":"bytes"},{"name":"crc32c"},{"name":"transpose","configuration":{"order":[0]}}]"#),
                ],
                codecs,
            )
            .reject("shard-inner-empty", shard("[]", &index))
            .reject("shard-inner-order", shard(r#"[{"name":"crc32c"},{"name":"bytes"}]"#, &index))
            .reject("shard-index-empty", shard(r#"[{"name":"bytes"}]"#, "[]")),
    ]
}

fn bytes() -> Vec<Group> {
    let clause = "bytes.endian";
    let int16 = |text: &str| array("int16", "0", &format!("[{text}]"));
    let cast = |to: &str, bytes: &str| {
        format!(r#"[{{"name":"cast_value","configuration":{{"data_type":"{to}"}}}},{bytes}]"#)
    };
    vec![
        Group::must("endian", clause)
            .accept("little", int16(LITTLE))
            .accept("big", int16(r#"{"name":"bytes","configuration":{"endian":"big"}}"#))
            .accept("absent-uint8", array("uint8", "0", r#"[{"name":"bytes"}]"#))
            .accept("absent-bool", array("bool", "true", r#"[{"name":"bytes"}]"#))
            .accept("absent-int4", array("int4", "0", r#"[{"name":"bytes"}]"#))
            .accept("little-uint8", array("uint8", "0", &format!("[{LITTLE}]")))
            .accept("absent-behind-a-cast", array("float64", "0", &cast("uint8", r#"{"name":"bytes"}"#)))
            .reject_all(
                &[
                    ("absent", "\"bytes\""),
                    ("absent-object", r#"{"name":"bytes"}"#),
                    ("absent-configuration", r#"{"name":"bytes","configuration":{}}"#),
                    ("native", r#"{"name":"bytes","configuration":{"endian":"native"}}"#),
                    ("other-case", r#"{"name":"bytes","configuration":{"endian":"Little"}}"#),
                    ("null", r#"{"name":"bytes","configuration":{"endian":null}}"#),
                    ("sign", r#"{"name":"bytes","configuration":{"endian":"<"}}"#),
                ],
                int16,
            )
            .reject("absent-float64", array("float64", "0", r#"[{"name":"bytes"}]"#))
            .reject("absent-complex64", array("complex64", "[0,0]", r#"[{"name":"bytes"}]"#))
            .reject("absent-behind-a-cast-up", array("uint8", "0", &cast("float32", r#"{"name":"bytes"}"#)))
            .reject("wrong-uint8", array("uint8", "0", r#"[{"name":"bytes","configuration":{"endian":"middle"}}]"#))
            .reject(
                "absent-in-a-shard",
                array("int16", "0", &format!(r#"[{{"name":"sharding_indexed","configuration":{{"chunk_shape":[2],"codecs":[{{"name":"bytes"}}],"index_codecs":[{LITTLE}]}}}}]"#)),
            )
            .reject(
                "absent-in-an-index",
                array("uint8", "0", r#"[{"name":"sharding_indexed","configuration":{"chunk_shape":[2],"codecs":[{"name":"bytes"}],"index_codecs":[{"name":"bytes"}]}}]"#),
            ),
    ]
}

fn steps() -> Vec<Group> {
    let transpose = |order: &str| {
        codec(&format!(
            r#"{{"name":"transpose","configuration":{order}}}"#
        ))
    };
    let reshape = |shape: &str| codec(&format!(r#"{{"name":"reshape","configuration":{shape}}}"#));
    let shard = |configuration: &str| {
        codecs(&format!(
            r#"[{{"name":"sharding_indexed","configuration":{configuration}}}]"#
        ))
    };
    let full = |chunk: &str, more: &str| {
        format!(
            r#"{{"chunk_shape":{chunk},"codecs":[{{"name":"bytes"}}],"index_codecs":[{LITTLE},{{"name":"crc32c"}}]{more}}}"#
        )
    };
    vec![
        Group::must("transpose", "chain.transpose")
            .accept("one-dimension", transpose(r#"{"order":[0]}"#))
            .reject_all(
                &[
                    ("no-order", "{}"),
                    ("null", r#"{"order":null}"#),
                    ("letter", r#"{"order":"C"}"#),
                    ("rank", r#"{"order":[0,1]}"#),
                    ("beyond", r#"{"order":[1]}"#),
                    ("fraction", r#"{"order":[0.0]}"#),
                    ("other-key", r#"{"order":[0],"axes":[0]}"#),
                ],
                transpose,
            )
            .reject("short-form", codec("\"transpose\"")),
        Group::must("reshape", "chain.reshape")
            .accept("square", reshape(r#"{"shape":[2,2]}"#))
            .accept("rest", reshape(r#"{"shape":[1,-1]}"#))
            .reject_all(
                &[
                    ("no-shape", "{}"),
                    ("null", r#"{"shape":null}"#),
                    ("other-size", r#"{"shape":[5]}"#),
                    ("zero", r#"{"shape":[0]}"#),
                    ("minus-two", r#"{"shape":[-2]}"#),
                    ("two-rests", r#"{"shape":[-1,-1]}"#),
                    ("no-such-dimension", r#"{"shape":[[1]]}"#),
                    ("other-key", r#"{"shape":[4],"order":"C"}"#),
                ],
                reshape,
            ),
        Group::must("shard", "chain.shard")
            .accept("plain", shard(&full("[2]", "")))
            .accept("index-at-the-start", shard(&full("[4]", r#","index_location":"start""#)))
            .reject("uneven", shard(&full("[3]", "")))
            .reject("rank", shard(&full("[2,2]", "")))
            .reject("zero", shard(&full("[0]", "")))
            .reject("index-in-the-middle", shard(&full("[2]", r#","index_location":"middle""#)))
            .reject("other-key", shard(&full("[2]", r#","level":1"#)))
            .reject("no-chunk-shape", shard(&format!(r#"{{"codecs":[{{"name":"bytes"}}],"index_codecs":[{LITTLE}]}}"#)))
            .reject("no-codecs", shard(&format!(r#"{{"chunk_shape":[2],"index_codecs":[{LITTLE}]}}"#)))
            .reject("no-index-codecs", shard(r#"{"chunk_shape":[2],"codecs":[{"name":"bytes"}]}"#))
            .reject("short-form", codecs("[\"sharding_indexed\"]"))
            .reject(
                "index-of-varying-size",
                shard(&format!(r#"{{"chunk_shape":[2],"codecs":[{{"name":"bytes"}}],"index_codecs":[{LITTLE},{{"name":"gzip","configuration":{{"level":1}}}}]}}"#)),
            ),
    ]
}

fn foreign() -> Vec<Group> {
    vec![
        Group::ruling("foreign", "chain.foreign")
            .accept_all(
                &[
                    ("unknown-step", r#"[{"name":"x.unknown"},{"name":"bytes"}]"#),
                    ("unknown-instead-of-bytes", r#"[{"name":"x.unknown"}]"#),
                    ("unknown-at-the-end", r#"[{"name":"bytes"},{"name":"x.unknown","configuration":{"a":[1]}}]"#),
                    ("several", r#"[{"name":"x.unknown"},{"name":"x.another"},{"name":"bytes"},{"name":"x.third"}]"#),
                    ("zfp", r#"[{"name":"zfp","configuration":{"mode":"reversible"}}]"#),
                    ("packbits", r#"["packbits"]"#),
                    ("blosc", r#"[{"name":"bytes"},{"name":"blosc","configuration":{"cname":"lz4","clevel":5,"shuffle":"noshuffle","blocksize":0}}]"#),
                    ("zstd", r#"[{"name":"bytes"},{"name":"zstd","configuration":{"level":0,"checksum":false}}]"#),
                ],
                codecs,
            ),
        Group::ruling("foreign-kind", "chain.foreign")
            .by("chain.codecs")
            .reject_all(
                &[
                    ("zstd-first", r#"[{"name":"zstd","configuration":{"level":0,"checksum":false}},{"name":"bytes"}]"#),
                    ("blosc-alone", r#"[{"name":"blosc"}]"#),
                    ("packbits-and-bytes", r#"[{"name":"packbits"},{"name":"bytes"}]"#),
                    ("zfp-last", r#"[{"name":"bytes"},{"name":"zfp"}]"#),
                ],
                codecs,
            ),
    ]
}
