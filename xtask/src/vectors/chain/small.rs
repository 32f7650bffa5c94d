//! Chunks of small types behind other codecs, and of other types behind casts to small ones.

use exactum_vectors::{File, Level};

use super::{array, both_ways, rejected_chunks};
use crate::vectors::builder::ZARR_EXTENSIONS;

pub(super) fn topic() -> Result<File, String> {
    let mut file = File::new("chain", "small-types", ZARR_EXTENSIONS);
    let cast = |members: &str| format!(r#"{{"name":"cast_value","configuration":{{{members}}}}}"#);
    let scale =
        |members: &str| format!(r#"{{"name":"scale_offset","configuration":{{{members}}}}}"#);
    let packed = |members: &str| format!(r#"{{"name":"packbits","configuration":{{{members}}}}}"#);
    let bytes = r#"{"name":"bytes"}"#.to_owned();
    let big = r#"{"name":"bytes","configuration":{"endian":"big"}}"#.to_owned();
    let list = |codecs: &[String]| format!("[{}]", codecs.join(","));
    let clauses = &["chain.order", "chain.data_type"];
    for (name, document, cases) in [
        (
            "scaled-into-float8",
            array(
                "float32",
                "0",
                &list(&[
                    scale(r#""offset":0,"scale":0.5"#),
                    cast(r#""data_type":"float8_e4m3""#),
                    bytes.clone(),
                ]),
            ),
            &[("plain", "1 -3 480 0.1"), ("ties", "17 18 19 -0.0")][..],
        ),
        (
            "clamped-into-uint4-and-packed",
            array(
                "float32",
                "0",
                &list(&[
                    scale(r#""offset":-2,"scale":4"#),
                    cast(r#""data_type":"uint4","out_of_range":"clamp""#),
                    packed(""),
                ]),
            ),
            &[("plain", "-2 -1.5 1 1.75"), ("beyond", "-100 100 0 0.3")],
        ),
        (
            "wrapped-into-int4-and-packed",
            array(
                "int16",
                "-3",
                &list(&[
                    cast(r#""data_type":"int4","out_of_range":"wrap""#),
                    packed(r#""padding_encoding":"last_byte""#),
                ]),
            ),
            &[("plain", "7 -8 -1 0"), ("wrapped", "8 -9 200 -32768")],
        ),
        (
            "into-float6-and-packed",
            array(
                "float64",
                "0.5",
                &list(&[
                    cast(r#""data_type":"float6_e3m2fn""#),
                    packed(r#""padding_encoding":"first_byte""#),
                ]),
            ),
            &[("plain", "28 -28 0.0625 1.1")],
        ),
        (
            "into-float4-with-a-map",
            array(
                "float32",
                "\"NaN\"",
                &list(&[
                    cast(
                        r#""data_type":"float4_e2m1fn","scalar_map":{"encode":[["NaN",-6]],"decode":[[-6,"NaN"]]}"#,
                    ),
                    packed(""),
                ]),
            ),
            &[("plain", "\"NaN\" 6 -0.0 2.5")],
        ),
        (
            "into-bfloat16",
            array(
                "float16",
                "1",
                &list(&[cast(r#""data_type":"bfloat16""#), big]),
            ),
            &[("plain", "1000 0.1 -0.0 \"NaN\"")],
        ),
        (
            "from-int4",
            array(
                "int4",
                "-8",
                &list(&[
                    scale(r#""offset":-1"#),
                    cast(r#""data_type":"int8""#),
                    bytes,
                ]),
            ),
            &[("plain", "-8 6 0 -1")],
        ),
        (
            "from-uint2-behind-a-scale",
            array(
                "uint2",
                "0",
                &list(&[scale(r#""offset":0,"scale":1"#), packed("")]),
            ),
            &[("plain", "0 1 2 3")],
        ),
    ] {
        both_ways(&mut file, name, Level::Must, clauses, &document, cases)?;
    }
    let rejecting = array(
        "float32",
        "0",
        &list(&[cast(r#""data_type":"int2""#), packed("")]),
    );
    rejected_chunks(
        &mut file,
        "into-int2-rejected",
        Level::Must,
        clauses,
        &rejecting,
        &[
            ("above", "0 1 2 0"),
            ("below", "0 -2 -3 0"),
            ("not-a-number", "\"NaN\" 0 0 0"),
        ],
    )?;
    Ok(file)
}
