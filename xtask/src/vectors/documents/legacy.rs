//! Documents with `numcodecs.fixedscaleoffset`.

use super::{Group, array};
use crate::vectors::chain::LITTLE;

/// A float32 document with this codec.
fn codec(text: &str) -> String {
    array("float32", "10", &format!("[{text},{LITTLE}]"))
}

/// A float32 document with the codec of this configuration.
fn float32(configuration: &str) -> String {
    codec(&named(configuration))
}

fn named(configuration: &str) -> String {
    format!(r#"{{"name":"numcodecs.fixedscaleoffset","configuration":{configuration}}}"#)
}

/// A document of a data type with parameters, `dtype` and `astype`.
fn typed(data_type: &str, parameters: &str, dtype: &str, astype: &str) -> String {
    let configuration = format!(r#"{{{parameters},"dtype":{dtype},"astype":{astype}}}"#);
    array(
        data_type,
        "10",
        &format!("[{},{LITTLE}]", named(&configuration)),
    )
}

pub(super) fn groups() -> Vec<Group> {
    let plain = r#"{"offset":10,"scale":0.1,"dtype":"<f4","astype":"|u1"}"#;
    let with = |parameters: &str| format!(r#"{{{parameters},"dtype":"<f4","astype":"|u1"}}"#);
    vec![
        Group::must("legacy-configuration", "scale_offset.legacy.configuration")
            .accept("all-four", float32(plain))
            .reject("absent", codec(r#"{"name":"numcodecs.fixedscaleoffset"}"#))
            .reject("short-form", codec("\"numcodecs.fixedscaleoffset\""))
            .reject_all(
                &[
                    ("empty", "{}"),
                    ("no-offset", r#"{"scale":0.1,"dtype":"<f4","astype":"|u1"}"#),
                    ("no-scale", r#"{"offset":10,"dtype":"<f4","astype":"|u1"}"#),
                    ("no-dtype", r#"{"offset":10,"scale":0.1,"astype":"|u1"}"#),
                    ("no-astype", r#"{"offset":10,"scale":0.1,"dtype":"<f4"}"#),
                ],
                float32,
            ),
        Group::ruling(
            "legacy-configuration-keys",
            "scale_offset.legacy.configuration.keys",
        )
        .accept("all-four", float32(plain))
        .reject_all(
            &[
                ("id", r#"{"id":"fixedscaleoffset","offset":10,"scale":0.1,"dtype":"<f4","astype":"|u1"}"#),
                ("data-type", r#"{"offset":10,"scale":0.1,"dtype":"<f4","astype":"|u1","data_type":"uint8"}"#),
                ("other-case", r#"{"offset":10,"scale":0.1,"dtype":"<f4","astype":"|u1","Scale":0.1}"#),
            ],
            float32,
        ),
        Group::must("legacy-parameters", "scale_offset.legacy.parameters")
            .accept_all(
                &[
                    ("integers", r#""offset":10,"scale":1"#),
                    ("fractions", r#""offset":-0.5,"scale":0.1"#),
                    ("exponents", r#""offset":1e1,"scale":1E-1"#),
                    ("minus-zero", r#""offset":-0,"scale":1"#),
                ],
                |text| float32(&with(text)),
            )
            .reject_all(
                &[
                    ("offset-string", r#""offset":"10","scale":0.1"#),
                    ("offset-nan", r#""offset":"NaN","scale":0.1"#),
                    ("offset-null", r#""offset":null,"scale":0.1"#),
                    ("offset-list", r#""offset":[10],"scale":0.1"#),
                    ("scale-infinity", r#""offset":10,"scale":"Infinity""#),
                    ("scale-hex", r#""offset":10,"scale":"0x3dcccccd""#),
                    ("scale-true", r#""offset":10,"scale":true"#),
                ],
                |text| float32(&with(text)),
            ),
        Group::ruling(
            "legacy-parameters-range",
            "scale_offset.legacy.parameters.range",
        )
        .accept("largest-float32", float32(&with(r#""offset":3.4028234e38,"scale":1"#)))
        .accept("ends-uint8", typed("uint8", r#""offset":0,"scale":255"#, "\"|u1\"", "\"|u1\""))
        .accept("ends-int8", typed("int8", r#""offset":-128,"scale":127"#, "\"|i1\"", "\"|i1\""))
        .accept("ends-uint64", typed("uint64", r#""offset":18446744073709551615,"scale":1"#, "\"<u8\"", "\"<u8\""))
        .accept("fraction-uint8", typed("uint8", r#""offset":-300.0,"scale":1"#, "\"|u1\"", "\"|i1\""))
        .accept("exponent-uint8", typed("uint8", r#""offset":1e3,"scale":1"#, "\"|u1\"", "\"<u2\""))
        .accept("float16", typed("float16", r#""offset":65504,"scale":1"#, "\"<f2\"", "\"<f2\""))
        .reject("above-float32", float32(&with(r#""offset":1e39,"scale":1"#)))
        .reject("below-float32", float32(&with(r#""offset":-1e39,"scale":1"#)))
        .reject("integer-above-float32", float32(&with(
            r#""offset":1000000000000000000000000000000000000000,"scale":1"#,
        )))
        .reject("scale-above-float32", float32(&with(r#""offset":0,"scale":1e39"#)))
        .reject("above-uint8", typed("uint8", r#""offset":256,"scale":1"#, "\"|u1\"", "\"|u1\""))
        .reject("below-uint8", typed("uint8", r#""offset":-5,"scale":1"#, "\"|u1\"", "\"|u1\""))
        .reject("scale-above-int8", typed("int8", r#""offset":0,"scale":128"#, "\"|i1\"", "\"<i2\""))
        .reject("above-int64", typed("int64", r#""offset":9223372036854775808,"scale":1"#, "\"<i8\"", "\"<i8\""))
        .reject("above-a-narrow-astype", typed("float32", r#""offset":70000,"scale":1"#, "\"<f4\"", "\"<f2\""))
        .reject("integer-above-a-narrow-astype", typed("int32", r#""offset":70000,"scale":1"#, "\"<i4\"", "\"<f2\"")),
        Group::ruling("legacy-scale-zero", "scale_offset.legacy.scale.zero")
            .accept("small", float32(&with(r#""offset":10,"scale":1e-45"#)))
            .accept("negative", float32(&with(r#""offset":10,"scale":-1"#)))
            .reject("integer", float32(&with(r#""offset":10,"scale":0"#)))
            .reject("fraction", float32(&with(r#""offset":10,"scale":0.0"#)))
            .reject("minus-zero", float32(&with(r#""offset":10,"scale":-0.0"#)))
            .reject("in-float32", float32(&with(r#""offset":10,"scale":1e-46"#)))
            .reject("in-binary64", typed("float64", r#""offset":10,"scale":1e-400"#, "\"<f8\"", "\"|u1\""))
            .reject("in-the-astype", typed("float32", r#""offset":10,"scale":1e-9"#, "\"<f4\"", "\"<f2\""))
            .reject("int8", typed("int8", r#""offset":10,"scale":0"#, "\"|i1\"", "\"|i1\"")),
        data_types(),
        Group::ruling("legacy-dtype", "scale_offset.legacy.dtype")
            .accept("of-the-array", float32(plain))
            .accept(
                "that-of-the-cast-before",
                array(
                    "float64",
                    "10",
                    &format!(r#"[{{"name":"cast_value","configuration":{{"data_type":"float32"}}}},{},{LITTLE}]"#, named(plain)),
                ),
            )
            .reject("another-width", array("float64", "10", &format!("[{},{LITTLE}]", named(plain))))
            .reject("another-kind", array("int32", "10", &format!("[{},{LITTLE}]", named(plain))))
            .reject(
                "that-of-the-array-behind-a-cast",
                array(
                    "float32",
                    "10",
                    &format!(r#"[{{"name":"cast_value","configuration":{{"data_type":"float64"}}}},{},{LITTLE}]"#, named(plain)),
                ),
            ),
    ]
}

/// Every spelling of every type, and what is none.
fn data_types() -> Group {
    let parameters = r#""offset":10,"scale":1"#;
    let mut group = Group::ruling("legacy-data-types", "scale_offset.legacy.data_types");
    for (letter, family, widths) in [
        ("i", "int", &[1, 2, 4, 8][..]),
        ("u", "uint", &[1, 2, 4, 8]),
        ("f", "float", &[2, 4, 8]),
    ] {
        for width in widths {
            let name = format!("{family}{}", 8 * width);
            let mark = if *width == 1 { "|" } else { "<" };
            let spellings = [
                ("v2", format!("\"{mark}{letter}{width}\"")),
                ("short", format!("\"{letter}{width}\"")),
                ("v3", format!("\"{name}\"")),
            ];
            for (spelling, text) in &spellings {
                group = group.accept(
                    &format!("{name}-{spelling}"),
                    typed(&name, parameters, text, text),
                );
            }
        }
    }
    group = group
        .accept(
            "big-endian",
            typed("float32", parameters, "\">f4\"", "\">i2\""),
        )
        .accept(
            "mixed",
            typed("float32", parameters, "\"float32\"", "\"i2\""),
        );
    for (id, text) in [
        ("bool", "\"|b1\""),
        ("bool-v3", "\"bool\""),
        ("complex64", "\"<c8\""),
        ("complex64-v3", "\"complex64\""),
        ("bfloat16", "\"bfloat16\""),
        ("int4", "\"int4\""),
        ("float8", "\"float8_e4m3\""),
        ("date", "\"<M8[ns]\""),
        ("duration", "\"<m8[s]\""),
        ("text", "\"<U4\""),
        ("bytes", "\"|S4\""),
        ("raw", "\"|V4\""),
        ("object", "\"|O\""),
        ("no-width", "\"<f\""),
        ("three-bytes", "\"<f3\""),
        ("sixteen-bytes", "\"<f16\""),
        ("two-marks", "\"<<f4\""),
        ("marked-v3", "\"<float32\""),
        ("other-case", "\"Float32\""),
        ("blank", "\" <f4\""),
        ("empty", "\"\""),
        ("mark-alone", "\"<\""),
        ("number", "4"),
        ("null", "null"),
        ("structure", r#"[["r","|u1"]]"#),
        ("v3-object", r#"{"name":"uint8"}"#),
    ] {
        group = group.reject(
            &format!("astype-{id}"),
            typed("float32", parameters, "\"<f4\"", text),
        );
    }
    group
        .reject(
            "dtype-structure",
            typed("float32", parameters, r#"[["r","<f4"]]"#, "\"|u1\""),
        )
        .reject(
            "dtype-long",
            typed("float32", parameters, "\"<float\"", "\"|u1\""),
        )
        .reject(
            "dtype-null",
            typed("float32", parameters, "null", "\"|u1\""),
        )
}
