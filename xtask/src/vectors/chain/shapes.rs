//! What becomes of the shape of a chunk.

use exactum_vectors::{File, Level};

use super::Fill::{Rejected, Survives};
use super::resolutions::{BYTES, cast_to, list, scale, shard};
use super::{LITTLE, array, document, resolutions, shaped};

/// Groups of shapes, transpositions, reshapes and shards.
pub(super) fn add(file: &mut File) -> Result<(), String> {
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
                shaped("uint8", "0", "[]", r#"[{"name":"bytes"}]"#),
                Survives,
            ),
            (
                "two-dimensions",
                shaped("uint8", "0", "[2,2]", r#"[{"name":"bytes"}]"#),
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
            r#"[{{"name":"transpose","configuration":{{"order":[1,0]}}}},{{"name":"sharding_indexed","configuration":{{"chunk_shape":{chunk},"codecs":[{{"name":"transpose","configuration":{{"order":[1,0]}}}},{{"name":"bytes"}}],"index_codecs":[{LITTLE}]}}}}]"#
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
