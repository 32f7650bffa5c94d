//! The clauses of both codecs about fill values.

use exactum_vectors::{File, Level};

use super::Fill::{Rejected, Survives};
use super::resolutions::{BYTES, cast, list, scale};
use super::{LITTLE, array, resolutions};
use crate::vectors::builder::ZARR_EXTENSIONS;

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
