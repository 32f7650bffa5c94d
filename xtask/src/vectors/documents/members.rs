//! The members of a document, and its text.

use super::{Group, array, document};

pub(super) fn groups() -> Vec<Group> {
    [texts(), duplicates_and_depth(), members(), grids()].concat()
}

/// The small document with one member more, in front of the last brace.
fn with(member: &str) -> String {
    let plain = document(&[]);
    format!("{},{member}}}", &plain[..plain.len() - 1])
}

fn texts() -> Vec<Group> {
    let plain = document(&[]);
    let spaced = plain.replace(':', " : ").replace(',', "\r\n\t,");
    let escaped = plain
        .replace("\"shape\"", "\"sh\\u0061pe\"")
        .replace("\"array\"", "\"\\u0061rray\"");
    vec![
        // RFC 8259 lets a parser pass over a byte order mark (8.1) and leaves unpaired surrogates
        // to it (8.2).
        Group::ruling("json-left-open", "chain.json")
            .reject("byte-order-mark", format!("\u{feff}{plain}"))
            .reject(
                "lone-surrogate-name",
                document(&[("codecs", r#"[{"name":"\ud800"},{"name":"bytes"}]"#)]),
            )
            .reject(
                "lone-surrogate-key",
                with(r#""\udc00":{"must_understand":false}"#),
            ),
        Group::must("json", "chain.json")
            .accept("plain", plain.clone())
            .accept("white-space", format!("\n {spaced}\t\n"))
            .accept("escapes", escaped)
            .accept(
                "other-letters",
                with(r#""attributes":{"\u00e9":"Grüße \ud83d\ude00"}"#),
            )
            .reject("empty", "")
            .reject("spaces", " \n")
            .reject("cut-off", plain[..plain.len() - 1].to_owned())
            .reject("cut-off-in-a-string", plain[..6].to_owned())
            .reject("trailing-brace", format!("{plain}}}"))
            .reject("trailing-word", format!("{plain} end"))
            .reject("two-documents", format!("{plain}\n{plain}"))
            .reject(
                "trailing-comma",
                format!("{},}}", &plain[..plain.len() - 1]),
            )
            .reject("trailing-comma-in-a-list", document(&[("shape", "[4,]")]))
            .reject("line-comment", format!("// an array\n{plain}"))
            .reject("block-comment", format!("{plain}/* an array */"))
            .reject(
                "comment-in-attributes",
                with(r#""attributes":{"a":1 /* b */}"#),
            )
            .reject("single-quotes", plain.replace('"', "'"))
            .reject("bare-key", plain.replace("\"shape\"", "shape"))
            .reject(
                "nan",
                array(
                    "float32",
                    "NaN",
                    r#"[{"name":"bytes","configuration":{"endian":"little"}}]"#,
                ),
            )
            .reject(
                "infinity",
                array(
                    "float32",
                    "-Infinity",
                    r#"[{"name":"bytes","configuration":{"endian":"little"}}]"#,
                ),
            )
            .reject("nan-in-attributes", with(r#""attributes":{"a":NaN}"#))
            .reject("leading-zero", document(&[("shape", "[04]")]))
            .reject("plus", document(&[("fill_value", "+1")]))
            .reject("hex-number", document(&[("fill_value", "0x01")]))
            .reject(
                "capital",
                document(&[("data_type", "\"bool\""), ("fill_value", "True")]),
            )
            .reject(
                "control-character",
                with("\"attributes\":{\"a\":\"line\nbreak\"}"),
            )
            .reject("bad-escape", with(r#""attributes":{"a":"\x41"}"#))
            .reject(
                "lone-surrogate-fill",
                array(
                    "float32",
                    r#""\ud800""#,
                    r#"[{"name":"bytes","configuration":{"endian":"little"}}]"#,
                ),
            ),
        Group::must("json-object", "chain.json")
            .by("chain.members")
            .reject_all(
                &[
                    ("null", "null"),
                    ("list", "[]"),
                    ("string", "\"array\""),
                    ("number", "3"),
                    ("true", "true"),
                ],
                str::to_owned,
            ),
    ]
}

fn duplicates_and_depth() -> Vec<Group> {
    let foreign = |configuration: &str| {
        document(&[(
            "codecs",
            &format!(
                r#"[{{"name":"bytes"}},{{"name":"x.unknown","configuration":{configuration}}}]"#
            ),
        )])
    };
    let lists = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let objects = |depth: usize| format!("{}0{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
    vec![
        Group::ruling("duplicates", "chain.json.duplicates")
            .accept("none", document(&[]))
            .accept("in-attributes", with(r#""attributes":{"a":1,"a":2}"#))
            .accept("deep-in-attributes", with(r#""attributes":{"b":[{"a":1,"a":{"a":1,"a":2}}]}"#))
            .accept("in-different-objects", foreign(r#"{"a":{"a":1},"b":{"a":1}}"#))
            .reject("member", with(r#""node_type":"array""#))
            .reject("member-same-value", with(r#""zarr_format":3"#))
            .reject("member-escaped", with(r#""sh\u0061pe":[4]"#))
            .reject("attributes-twice", with(r#""attributes":{},"attributes":{}"#))
            .reject("fill-value", with(r#""fill_value":1"#))
            .reject("unknown-member", with(r#""x":{"must_understand":false},"x":{"must_understand":false}"#))
            .reject("in-unknown-member", with(r#""x":{"must_understand":false,"a":1,"a":2}"#))
            .reject("in-a-codec", document(&[("codecs", r#"[{"name":"bytes","name":"bytes"}]"#)]))
            .reject(
                "in-a-codec-escaped",
                document(&[("codecs", r#"[{"name":"bytes","n\u0061me":"bytes"}]"#)]),
            )
            .reject(
                "in-a-configuration",
                document(&[("codecs", r#"[{"name":"scale_offset","configuration":{"offset":0,"offset":0}},{"name":"bytes"}]"#)]),
            )
            .reject(
                "in-a-configuration-escaped",
                document(&[("codecs", r#"[{"name":"scale_offset","configuration":{"scale":2,"sc\u0061le":1}},{"name":"bytes"}]"#)]),
            )
            .reject(
                "in-a-map",
                document(&[(
                    "codecs",
                    r#"[{"name":"cast_value","configuration":{"data_type":"int8","scalar_map":{"encode":[],"encode":[]}}},{"name":"bytes"}]"#,
                )]),
            )
            .reject("in-a-foreign-configuration", foreign(r#"{"a":[0,{"b":1,"b":1}]}"#))
            .reject("in-the-grid", document(&[("chunk_grid", r#"{"name":"regular","configuration":{"chunk_shape":[4],"chunk_shape":[4]}}"#)]))
            .reject("empty-keys", foreign(r#"{"":1,"":2}"#)),
        Group::ruling("depth", "chain.json.depth")
            .accept("configuration-124", foreign(&format!(r#"{{"a":{}}}"#, lists(124))))
            .accept("attributes-200", with(&format!(r#""attributes":{}"#, objects(200))))
            .accept("attributes-1000-lists", with(&format!(r#""attributes":{{"a":{}}}"#, lists(1000))))
            .reject("configuration-125", foreign(&format!(r#"{{"a":{}}}"#, lists(125))))
            .reject("configuration-200", foreign(&objects(200)))
            .reject("configuration-200-lists", foreign(&format!(r#"{{"a":{}}}"#, lists(200))))
            .reject("fill-value-200", document(&[("fill_value", &lists(200))]))
            .reject("unknown-member-200", with(&format!(r#""x":{{"must_understand":false,"a":{}}}"#, lists(200))))
            .reject("everything-10000", lists(10_000)),
    ]
}

fn members() -> Vec<Group> {
    let clause = "chain.members";
    let mut missing = Group::must("members-missing", clause).accept("none", document(&[]));
    for name in [
        "zarr_format",
        "node_type",
        "shape",
        "data_type",
        "chunk_grid",
        "chunk_key_encoding",
        "fill_value",
        "codecs",
    ] {
        missing = missing.reject(&name.replace('_', "-"), document(&[(name, "")]));
    }
    missing = missing.reject("all", "{}");
    let keys = |text: &str| document(&[("chunk_key_encoding", text)]);
    vec![
        missing,
        Group::must("members-kind", clause)
            .accept("plain", document(&[]))
            .accept(
                "other-order",
                r#"{"codecs":[{"name":"bytes"}],"fill_value":0,"chunk_key_encoding":{"name":"default"},"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[4]}},"data_type":"uint8","shape":[4],"node_type":"array","zarr_format":3}"#,
            )
            .accept("no-dimension", document(&[("shape", "[]"), ("chunk_grid", r#"{"name":"regular","configuration":{"chunk_shape":[]}}"#)]))
            .accept("empty", document(&[("shape", "[0]")]))
            .reject("zarr-format-2", document(&[("zarr_format", "2")]))
            .reject("zarr-format-4", document(&[("zarr_format", "4")]))
            .reject("zarr-format-string", document(&[("zarr_format", "\"3\"")]))
            .reject("zarr-format-null", document(&[("zarr_format", "null")]))
            .reject("node-type-group", document(&[("node_type", "\"group\"")]))
            .reject("node-type-other-case", document(&[("node_type", "\"Array\"")]))
            .reject("node-type-number", document(&[("node_type", "3")]))
            .reject("shape-number", document(&[("shape", "4")]))
            .reject("shape-null", document(&[("shape", "null")]))
            .reject("shape-object", document(&[("shape", "{\"0\":4}")]))
            .reject("shape-negative", document(&[("shape", "[-4]")]))
            .reject("shape-fraction", document(&[("shape", "[4.5]")]))
            .reject("shape-string", document(&[("shape", "[\"4\"]")]))
            .reject("shape-null-extent", document(&[("shape", "[null]")])),
        Group::must("members-key-encoding", clause)
            .accept("default", keys(r#"{"name":"default"}"#))
            .accept("short-form", keys("\"default\""))
            .accept("slash", keys(r#"{"name":"default","configuration":{"separator":"/"}}"#))
            .accept("v2", keys(r#"{"name":"v2","configuration":{"separator":"."}}"#))
            .reject("number", keys("1"))
            .reject("null", keys("null"))
            .reject("no-name", keys("{}"))
            .reject("other-separator", keys(r#"{"name":"default","configuration":{"separator":"-"}}"#))
            .reject("other-key", keys(r#"{"name":"default","separator":"/"}"#)),
        Group::must("members-optional", "chain.members.unknown")
            .by(clause)
            .also(clause)
            .accept("attributes", with(r#""attributes":{"a":[1,null]}"#))
            .accept("attributes-empty", with(r#""attributes":{}"#))
            .accept("dimension-names", with(r#""dimension_names":["x"]"#))
            .accept("dimension-names-null", with(r#""dimension_names":[null]"#))
            .accept("dimension-names-empty-string", with(r#""dimension_names":[""]"#))
            .accept("storage-transformers-empty", with(r#""storage_transformers":[]"#))
            .reject("attributes-list", with(r#""attributes":[]"#))
            .reject("attributes-string", with(r#""attributes":"a""#))
            .reject("dimension-names-many", with(r#""dimension_names":["x","y"]"#))
            .reject("dimension-names-none", with(r#""dimension_names":[]"#))
            .reject("dimension-names-number", with(r#""dimension_names":[1]"#))
            .reject("dimension-names-string", with(r#""dimension_names":"x""#))
            .reject("storage-transformers-object", with(r#""storage_transformers":{}"#)),
        Group::must("members-unknown", "chain.members.unknown")
            .accept("none", document(&[]))
            .accept("optional", with(r#""x":{"must_understand":false}"#))
            .accept("optional-with-more", with(r#""x":{"name":"y","must_understand":false,"z":[{}]}"#))
            .reject("number", with(r#""x":1"#))
            .reject("null", with(r#""consolidated_metadata":null"#))
            .reject("string", with(r#""order":"C""#))
            .reject("empty-object", with(r#""x":{}"#))
            .reject("must-understand", with(r#""x":{"must_understand":true}"#))
            .reject("must-understand-string", with(r#""x":{"must_understand":"false"}"#))
            .reject("must-understand-zero", with(r#""x":{"must_understand":0}"#))
            .reject("must-understand-deeper", with(r#""x":{"y":{"must_understand":false}}"#))
            .reject("false", with(r#""x":false"#))
            .reject("other-case", with(r#""Attributes":{}"#)),
    ]
}

fn grids() -> Vec<Group> {
    let grid = |text: &str| document(&[("chunk_grid", text)]);
    let chunk = |text: &str| {
        grid(&format!(
            r#"{{"name":"regular","configuration":{{"chunk_shape":{text}}}}}"#
        ))
    };
    let both = |shape: &str, chunk: &str, codecs: &str| {
        document(&[
            ("shape", shape),
            (
                "chunk_grid",
                &format!(r#"{{"name":"regular","configuration":{{"chunk_shape":{chunk}}}}}"#),
            ),
            ("codecs", codecs),
        ])
    };
    const BYTES: &str = r#"[{"name":"bytes"}]"#;
    vec![
        Group::must("grid", "chain.grid")
            .accept("same", chunk("[4]"))
            .accept("smaller", chunk("[3]"))
            .accept("larger", chunk("[100]"))
            .accept("understood", grid(r#"{"name":"regular","must_understand":true,"configuration":{"chunk_shape":[4]}}"#))
            .reject("zero", chunk("[0]"))
            .reject("negative", chunk("[-1]"))
            .reject("fraction", chunk("[4.5]"))
            .reject("integral-fraction", chunk("[4.0]"))
            .reject("string", chunk("[\"4\"]"))
            .reject("null-extent", chunk("[null]"))
            .reject("number", chunk("4"))
            .reject("null", chunk("null"))
            .reject("rank-above", chunk("[4,4]"))
            .reject("rank-zero", chunk("[]"))
            .reject("no-chunk-shape", grid(r#"{"name":"regular","configuration":{}}"#))
            .reject("no-configuration", grid(r#"{"name":"regular"}"#))
            .reject("short-form", grid("\"regular\""))
            .reject("other-key", grid(r#"{"name":"regular","configuration":{"chunk_shape":[4],"shape":[4]}}"#))
            .reject("other-grid", grid(r#"{"name":"rectangular","configuration":{"chunk_shape":[[4]]}}"#))
            .reject("null-grid", grid("null"))
            .reject("list", grid("[4]")),
        Group::ruling("size", "chain.size")
            .accept("large-array", both("[18446744073709551615,18446744073709551615]", "[1,1]", BYTES))
            .accept("large-chunk", both("[4]", "[4611686018427387904]", BYTES))
            .accept("just-below", both("[4]", "[9223372036854775807]", BYTES))
            .reject("beyond", both("[4]", "[9223372036854775809]", BYTES))
            .reject("all-ones", both("[4]", "[18446744073709551615]", BYTES))
            .reject("product-wraps-to-zero", both("[4,4]", "[4294967296,4294967296]", BYTES))
            .reject("product-wraps-to-small", both("[4,4]", "[4294967297,4294967297]", BYTES))
            .reject("product-of-many", both("[4,4,4,4,4]", "[65536,65536,65536,65536,65536]", BYTES))
            .reject(
                "behind-a-cast",
                both("[4]", "[4611686018427387904]", r#"[{"name":"cast_value","configuration":{"data_type":"float64"}},{"name":"bytes","configuration":{"endian":"little"}}]"#),
            ),
        // The core has no limit for an integer; such an extent is a matter of size like the others.
        Group::ruling("size-beyond-64-bits", "chain.size")
            .by("chain.grid")
            .reject("extent", chunk("[18446744073709551616]")),
    ]
}
