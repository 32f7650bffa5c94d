//! Chunks encoded and decoded.

use exactum_model::Array;
use exactum_vectors::{Expect, File, Level};
use serde_json::json;

use super::{LITTLE, array, both_ways, decode, encode, hex, read, rejected_chunks, shaped};
use crate::vectors::builder::{ZARR_SPECS, request};

pub(super) fn topic() -> Result<File, String> {
    let mut file = File::new("chain", "chunks", ZARR_SPECS);
    order(&mut file)?;
    moved(&mut file)?;
    bytes(&mut file)?;
    packed(&mut file)?;
    wrong_shapes(&mut file)?;
    wrong_lengths(&mut file)?;
    foreign(&mut file)?;
    Ok(file)
}

fn order(file: &mut File) -> Result<(), String> {
    let two = format!(
        r#"[{{"name":"scale_offset","configuration":{{"offset":1}}}},{{"name":"scale_offset","configuration":{{"scale":2}}}},{LITTLE}]"#
    );
    both_ways(
        file,
        "order-of-scales",
        Level::Must,
        &["chain.order"],
        &array("int16", "5", &two),
        &[("plain", "5 7 -3 1"), ("ends", "16384 -16383 0 2")],
    )?;
    let wide = r#"[{"name":"scale_offset","configuration":{"offset":300}},{"name":"cast_value","configuration":{"data_type":"uint8"}},{"name":"bytes"}]"#;
    let wide = array("int16", "310", wide);
    both_ways(
        file,
        "order-scale-then-cast",
        Level::Must,
        &["chain.order", "chain.data_type"],
        &wide,
        &[("plain", "300 301 555 400")],
    )?;
    rejected_chunks(
        file,
        "order-scale-then-cast-rejected",
        Level::Must,
        &["chain.order"],
        &wide,
        &[
            ("below", "300 299 300 300"),
            ("above", "300 300 556 300"),
            ("before-scaling", "0 100 200 255"),
        ],
    )?;
    let one = r#"[{"name":"scale_offset","configuration":{"offset":1}},{"name":"cast_value","configuration":{"data_type":"uint8"}},{"name":"bytes"}]"#;
    both_ways(
        file,
        "order-scale-then-cast-at-the-end",
        Level::Must,
        &["chain.order"],
        &array("int16", "256", one),
        &[("largest", "256 7 1 255")],
    )?;
    let narrow = r#"[{"name":"cast_value","configuration":{"data_type":"uint8","out_of_range":"wrap"}},{"name":"scale_offset","configuration":{"offset":3}},{"name":"bytes"}]"#;
    both_ways(
        file,
        "order-cast-then-scale",
        Level::Must,
        &["chain.order", "chain.data_type"],
        &array("int16", "5", narrow),
        &[("wrapped-first", "3 259 255 -1")],
    )?;
    let up = format!(
        r#"[{{"name":"cast_value","configuration":{{"data_type":"float32"}}}},{{"name":"scale_offset","configuration":{{"offset":0.5,"scale":2}}}},{{"name":"cast_value","configuration":{{"data_type":"int16","rounding":"towards-negative"}}}},{LITTLE}]"#
    );
    both_ways(
        file,
        "data-type-of-each-step",
        Level::Must,
        &["chain.data_type"],
        &array("int8", "1", &up),
        &[("plain", "0 1 -128 127")],
    )
}

fn moved(file: &mut File) -> Result<(), String> {
    let counted: Vec<String> = (0..24).map(|it| it.to_string()).collect();
    let counted = counted.join(" ");
    let transposed = |order: &str, rest: &str| {
        format!(r#"[{{"name":"transpose","configuration":{{"order":{order}}}}},{rest}]"#)
    };
    for (name, data_type, shape, codecs, texts) in [
        (
            "transpose-matrix",
            "uint8",
            "[2,3]",
            transposed("[1,0]", r#"{"name":"bytes"}"#),
            "0 1 2 3 4 5",
        ),
        (
            "transpose-rotated",
            "uint8",
            "[2,3,4]",
            transposed("[2,0,1]", r#"{"name":"bytes"}"#),
            &counted,
        ),
        (
            "transpose-rotated-back",
            "uint8",
            "[2,3,4]",
            transposed("[1,2,0]", r#"{"name":"bytes"}"#),
            &counted,
        ),
        (
            "transpose-reversed",
            "int16",
            "[2,3,4]",
            transposed("[2,1,0]", LITTLE),
            &counted,
        ),
        (
            "transpose-one-row",
            "uint8",
            "[1,4]",
            transposed("[1,0]", r#"{"name":"bytes"}"#),
            "1 2 3 4",
        ),
        (
            "transpose-complex",
            "complex64",
            "[2,2]",
            transposed("[1,0]", LITTLE),
            "[1,2] [3,4] [5,6] [7,8]",
        ),
        (
            "transpose-and-cast",
            "float64",
            "[2,3]",
            transposed(
                "[1,0]",
                r#"{"name":"cast_value","configuration":{"data_type":"uint8"}},{"name":"bytes"}"#,
            ),
            "0.5 1.5 2.5 3 4 5",
        ),
    ] {
        both_ways(
            file,
            name,
            Level::Must,
            &["chain.transpose"],
            &shaped(
                data_type,
                if data_type == "complex64" {
                    "[0,0]"
                } else {
                    "0"
                },
                shape,
                &codecs,
            ),
            &[("counted", texts)],
        )?;
    }
    let reshaped = |shape: &str, rest: &str| {
        format!(r#"[{{"name":"reshape","configuration":{{"shape":{shape}}}}},{rest}]"#)
    };
    for (name, shape, codecs, texts) in [
        (
            "reshape-flat",
            "[2,2]",
            reshaped("[4]", r#"{"name":"bytes"}"#),
            "1 2 3 4",
        ),
        (
            "reshape-products",
            "[2,3,4]",
            reshaped("[[0,1],-1]", r#"{"name":"bytes"}"#),
            &*counted,
        ),
        (
            "reshape-then-transpose",
            "[2,3,4]",
            reshaped(
                "[6,4]",
                r#"{"name":"transpose","configuration":{"order":[1,0]}},{"name":"bytes"}"#,
            ),
            &*counted,
        ),
    ] {
        both_ways(
            file,
            name,
            Level::Must,
            &["chain.reshape"],
            &shaped("uint8", "0", shape, &codecs),
            &[("counted", texts)],
        )?;
    }
    Ok(())
}

fn bytes(file: &mut File) -> Result<(), String> {
    const BIG: &str = r#"{"name":"bytes","configuration":{"endian":"big"}}"#;
    for (data_type, fill, elements) in [
        ("int16", "0", "1 -2 258 32767"),
        ("uint32", "0", "1 16909060 4294967295 0"),
        ("int64", "0", "1 -2 72623859790382856 9223372036854775807"),
        ("float16", "0", "1 -2.5 0.1 -0.0"),
        ("float64", "0", "1 -2.5 0.1 \"Infinity\""),
        ("complex64", "[0,0]", "[1,2] [-3,0.5] [0,-0.0] [1e30,1e-30]"),
    ] {
        for (endian, codec) in [("little", LITTLE), ("big", BIG)] {
            both_ways(
                file,
                &format!("endian-{endian}-{data_type}"),
                Level::Must,
                &["bytes.endian"],
                &array(data_type, fill, &format!("[{codec}]")),
                &[("plain", elements)],
            )?;
        }
    }
    let cast =
        format!(r#"[{{"name":"cast_value","configuration":{{"data_type":"int16"}}}},{BIG}]"#);
    both_ways(
        file,
        "endian-big-behind-a-cast",
        Level::Must,
        &["bytes.endian", "chain.data_type"],
        &array("float64", "0", &cast),
        &[("plain", "1 -2 258 32767")],
    )?;
    for (name, data_type, fill, codecs, elements) in [
        (
            "endian-absent-uint8",
            "uint8",
            "0",
            "[\"bytes\"]",
            "1 2 254 255",
        ),
        (
            "endian-absent-bool",
            "bool",
            "false",
            r#"[{"name":"bytes"}]"#,
            "true false false true",
        ),
        (
            "endian-big-uint8",
            "uint8",
            "0",
            &*format!("[{BIG}]"),
            "1 2 254 255",
        ),
    ] {
        both_ways(
            file,
            name,
            Level::Must,
            &["bytes.endian"],
            &array(data_type, fill, codecs),
            &[("plain", elements)],
        )?;
    }
    Ok(())
}

/// `packbits` at the end of a chain.
fn packed(file: &mut File) -> Result<(), String> {
    let codecs = |rest: &str| {
        format!(
            r#"[{rest}{{"name":"packbits","configuration":{{"padding_encoding":"first_byte"}}}}]"#
        )
    };
    let cast = r#"{"name":"cast_value","configuration":{"data_type":"uint4"}},"#;
    let transpose = r#"{"name":"transpose","configuration":{"order":[1,0]}},"#;
    for (name, document, elements) in [
        (
            "packbits-uint16",
            array("uint16", "0", &codecs("")),
            "1 2 515 65535",
        ),
        (
            "packbits-behind-a-cast",
            array("float64", "0", &codecs(cast)),
            "1 2 15 0",
        ),
        (
            "packbits-behind-a-transposition",
            shaped("uint4", "0", "[2,3]", &codecs(transpose)),
            "1 2 3 4 5 6",
        ),
    ] {
        let clauses = ["chain.order", "chain.data_type"];
        both_ways(
            file,
            name,
            Level::Must,
            &clauses,
            &document,
            &[("plain", elements)],
        )?;
    }
    Ok(())
}

/// Chunks of another shape or type than the document's.
fn wrong_shapes(file: &mut File) -> Result<(), String> {
    let document = shaped("uint8", "0", "[2,2]", r#"[{"name":"bytes"}]"#);
    both_ways(
        file,
        "shape",
        Level::Must,
        &["chain.shape"],
        &document,
        &[("as-the-document-says", "1 2 3 4")],
    )?;
    both_ways(
        file,
        "shape-no-dimension",
        Level::Must,
        &["chain.shape"],
        &shaped("uint8", "0", "[]", r#"[{"name":"bytes"}]"#),
        &[("one-element", "7")],
    )?;
    let chain = read("chain/chunks/shape-rejected", &document)?;
    let mut made = Vec::new();
    for (id, shape) in [
        ("flat", vec![4]),
        ("more-dimensions", vec![1, 2, 2]),
        ("no-dimension", vec![]),
        ("smaller", vec![1, 2]),
        ("larger", vec![2, 3]),
        ("exchanged", vec![4, 1]),
        ("empty", vec![0, 2]),
    ] {
        let what = format!("chain/chunks/shape-rejected/{id}");
        let count: u64 = shape.iter().product();
        let chunk = Array::from_components(chain.data_type, shape, 1..=count)
            .map_err(|rejection| rejection.message)?;
        match encode(&what, &chain, &chunk)? {
            Err(reason) => made.push((id, chunk, reason)),
            Ok(bytes) => return Err(format!("{what}: encoded as {}", hex(&bytes))),
        }
    }
    let shared = request([("op", "chain.encode".into()), ("metadata", document.into())]);
    let group = file.group("shape-rejected", Level::Must, &["chain.shape"], shared);
    for (id, chunk, reason) in made {
        let own = request([("input", exactum_vectors::array_to_json(&chunk))]);
        group.case(id, &[], own, Expect::reject(reason));
    }
    Ok(())
}

/// Bytes that are fewer or more than a chunk's.
fn wrong_lengths(file: &mut File) -> Result<(), String> {
    let cast = r#"[{"name":"cast_value","configuration":{"data_type":"uint8"}},{"name":"bytes"}]"#;
    for (name, document, right, wrong) in [
        (
            "length-uint8",
            array("uint8", "0", r#"[{"name":"bytes"}]"#),
            "01020304",
            &[
                ("short", "010203"),
                ("long", "0102030405"),
                ("empty", ""),
                ("twice", "0102030401020304"),
            ][..],
        ),
        (
            "length-int16",
            array("int16", "0", &format!("[{LITTLE}]")),
            "0100020003000400",
            &[
                ("half-an-element-short", "01000200030004"),
                ("half-an-element-long", "010002000300040000"),
                ("an-element-short", "010002000300"),
                ("empty", ""),
            ],
        ),
        (
            "length-behind-a-cast",
            array("float32", "0", cast),
            "01020304",
            &[
                ("short", "010203"),
                ("of-the-array-type", "01020304010203040102030401020304"),
            ],
        ),
        (
            "length-no-dimension",
            shaped("uint8", "0", "[]", r#"[{"name":"bytes"}]"#),
            "07",
            &[("empty", ""), ("two", "0708")],
        ),
    ] {
        let what = format!("chain/chunks/{name}");
        let chain = read(&what, &document)?;
        let bytes = |text: &str| -> Vec<u8> {
            (0..text.len() / 2)
                .filter_map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).ok())
                .collect()
        };
        let output = decode(&what, &chain, &bytes(right))?
            .map_err(|reason| format!("{what}: {}", reason.name()))?;
        let mut rejected = Vec::new();
        for (id, text) in wrong {
            match decode(&what, &chain, &bytes(text))? {
                Err(reason) => rejected.push((*id, *text, reason)),
                Ok(_) => return Err(format!("{what}/{id}: decoded")),
            }
        }
        let shared = request([("op", "chain.decode".into()), ("metadata", document.into())]);
        let group = file.group(name, Level::Must, &["bytes.length"], shared);
        let own = request([("bytes", right.into())]);
        group.case("right", &[], own, Expect::output(&output));
        for (id, text, reason) in rejected {
            group.case(
                id,
                &[],
                request([("bytes", text.into())]),
                Expect::reject(reason),
            );
        }
    }
    Ok(())
}

/// Chains that Exactum does not compute, and others may.
fn foreign(file: &mut File) -> Result<(), String> {
    let shared = request([("op", "chain.encode".into())]);
    let mut made = Vec::new();
    for (id, codecs) in [
        // Not gzip, whose header has the time in it.
        (
            "zstd",
            r#"[{"name":"bytes"},{"name":"zstd","configuration":{"level":1,"checksum":false}}]"#
                .to_owned(),
        ),
        ("checksum", r#"[{"name":"bytes"},{"name":"crc32c"}]"#.into()),
        ("unknown", r#"[{"name":"x.unknown"}]"#.into()),
        // Of one inner chunk: several may stand in any order.
        (
            "shard",
            format!(
                r#"[{{"name":"sharding_indexed","configuration":{{"chunk_shape":[4],"codecs":[{{"name":"bytes"}}],"index_codecs":[{LITTLE}]}}}}]"#
            ),
        ),
    ] {
        let what = format!("chain/chunks/foreign/{id}");
        let document = array("uint8", "0", &codecs);
        let chain = read(&what, &document)?;
        let chunk = super::chunk(&what, &chain, "1 2 3 4")?;
        if let Ok(bytes) = encode(&what, &chain, &chunk)? {
            return Err(format!("{what}: encoded as {}", hex(&bytes)));
        }
        let input = exactum_vectors::array_to_json(&chunk);
        made.push((
            id,
            request([("metadata", json!(document)), ("input", input)]),
        ));
    }
    let group = file.group("foreign", Level::Ruling, &["chain.foreign"], shared);
    for (id, own) in made {
        group.case(id, &[], own, Expect::Open("R16".into()));
    }
    Ok(())
}
