//! Zeros, NaN and infinities.

use super::Bits;
use crate::vectors::scale_offset::Direction::{Decode, Encode};
use crate::vectors::scale_offset::{Topic, must, ruling};

const SIGNED_ZERO: &[&str] = &["scale_offset.signed-zero"];
const OFFSET_ABSENT: &[&str] = &["scale_offset.offset.absent"];
const NON_FINITE: &[&str] = &["scale_offset.parameters.non-finite"];

/// The signs of zeros.
pub(super) fn zeros(topic: &mut Topic) -> Result<(), String> {
    for (name, direction, configuration, elements) in [
        ("encode-zero-difference", Encode, r#"{"offset":5}"#, "5"),
        (
            "encode-zero-difference-negative",
            Encode,
            r#"{"offset":-5}"#,
            "-5",
        ),
        (
            "encode-zero-less-zero",
            Encode,
            r#"{"offset":0}"#,
            "0.0 -0.0",
        ),
        (
            "encode-zero-less-negative-zero",
            Encode,
            r#"{"offset":-0.0}"#,
            "0.0 -0.0",
        ),
        ("encode-zero-product", Encode, r#"{"scale":2}"#, "0.0 -0.0"),
        (
            "encode-zero-product-negative",
            Encode,
            r#"{"scale":-1}"#,
            "0.0 -0.0",
        ),
        (
            "encode-zero-both",
            Encode,
            r#"{"offset":5,"scale":-2}"#,
            "5",
        ),
        ("decode-zero-sum", Decode, r#"{"offset":5}"#, "-5"),
        (
            "decode-zero-plus-zero",
            Decode,
            r#"{"offset":0}"#,
            "0.0 -0.0",
        ),
        (
            "decode-zero-plus-negative-zero",
            Decode,
            r#"{"offset":-0.0}"#,
            "0.0 -0.0",
        ),
        (
            "decode-zero-quotient",
            Decode,
            r#"{"offset":-0.0,"scale":2}"#,
            "0.0 -0.0",
        ),
        (
            "decode-zero-quotient-negative",
            Decode,
            r#"{"offset":-0.0,"scale":-2}"#,
            "0.0 -0.0",
        ),
        (
            "decode-zero-both",
            Decode,
            r#"{"offset":5,"scale":-2}"#,
            "10",
        ),
    ] {
        topic.group(
            name,
            must(SIGNED_ZERO),
            direction,
            configuration,
            &[("zeros", elements)],
        )?;
    }
    // Skipping the offset and adding 0 differ in one element.
    for (name, [skipped, added], elements) in [
        ("decode-absent-offset", ["{}", r#"{"offset":0.0}"#], "-0.0"),
        (
            "decode-absent-offset-scale",
            [r#"{"scale":2}"#, r#"{"offset":0.0,"scale":2}"#],
            "-0.0",
        ),
        (
            "decode-absent-offset-negative-scale",
            [r#"{"scale":-2}"#, r#"{"offset":0.0,"scale":-2}"#],
            "0.0",
        ),
    ] {
        topic.either(
            &format!("{name}-either"),
            must(SIGNED_ZERO),
            Decode,
            [skipped, added],
            elements,
        )?;
        topic.group(
            name,
            ruling(OFFSET_ABSENT),
            Decode,
            skipped,
            &[("zero", elements), ("plain", "1 -6 3")],
        )?;
    }
    topic.group(
        "encode-absent-offset",
        ruling(OFFSET_ABSENT),
        Encode,
        r#"{"scale":2}"#,
        &[("all", "-0.0 0.0 1 -3")],
    )
}

/// NaN, infinities, and what makes a NaN of numbers.
pub(super) fn add(topic: &mut Topic, bits: &Bits) -> Result<(), String> {
    let nan = bits.format.nan_bits().unwrap_or_default();
    let nans = bits.texts(&[nan, nan | bits.sign(), nan + 1]);
    for (direction, way) in [(Encode, "encode"), (Decode, "decode")] {
        for (kind, configuration) in [
            ("both", r#"{"offset":5,"scale":0.5}"#),
            ("offset", r#"{"offset":5}"#),
            ("scale", r#"{"scale":-2}"#),
            ("neither", "{}"),
        ] {
            topic.group(
                &format!("{way}-nan-{kind}"),
                ruling(&["scale_offset.special.nan"]),
                direction,
                configuration,
                &[("nan", "\"NaN\""), ("other-nans", &nans)],
            )?;
            topic.group(
                &format!("{way}-infinity-{kind}"),
                ruling(&["scale_offset.special.infinity"]),
                direction,
                configuration,
                &[("infinity", "\"Infinity\" \"-Infinity\"")],
            )?;
        }
    }
    // Only infinite parameters can make a NaN of numbers.
    for (name, direction, configuration, elements) in [
        (
            "encode-invalid-difference",
            Encode,
            r#"{"offset":"Infinity"}"#,
            "\"Infinity\"",
        ),
        (
            "encode-invalid-difference-negative",
            Encode,
            r#"{"offset":"-Infinity"}"#,
            "\"-Infinity\"",
        ),
        (
            "encode-invalid-product",
            Encode,
            r#"{"scale":"Infinity"}"#,
            "0.0 -0.0",
        ),
        (
            "encode-invalid-product-negative",
            Encode,
            r#"{"offset":5,"scale":"-Infinity"}"#,
            "5",
        ),
        (
            "decode-invalid-quotient",
            Decode,
            r#"{"scale":"Infinity"}"#,
            "\"Infinity\" \"-Infinity\"",
        ),
        (
            "decode-invalid-sum",
            Decode,
            r#"{"offset":"-Infinity"}"#,
            "\"Infinity\"",
        ),
        (
            "decode-invalid-sum-negative",
            Decode,
            r#"{"offset":"Infinity","scale":2}"#,
            "\"-Infinity\"",
        ),
    ] {
        topic.group(
            name,
            ruling(&["scale_offset.special.invalid"]),
            direction,
            configuration,
            &[("invalid", elements)],
        )?;
    }
    topic.open(
        "encode-non-finite-parameters",
        ruling(NON_FINITE),
        Encode,
        &[
            ("offset-nan", r#"{"offset":"NaN"}"#, "1 0.0"),
            ("offset-infinity", r#"{"offset":"Infinity"}"#, "1 0.0"),
            ("scale-nan", r#"{"scale":"NaN"}"#, "1 0.0"),
            ("scale-infinity", r#"{"scale":"Infinity"}"#, "1 -1"),
            (
                "scale-negative-infinity",
                r#"{"offset":1,"scale":"-Infinity"}"#,
                "2 0",
            ),
        ],
    )?;
    topic.open(
        "decode-non-finite-parameters",
        ruling(NON_FINITE),
        Decode,
        &[
            ("offset-nan", r#"{"offset":"NaN"}"#, "1 0.0"),
            ("offset-infinity", r#"{"offset":"-Infinity"}"#, "1 0.0"),
            ("scale-nan", r#"{"scale":"NaN"}"#, "1 0.0"),
            ("scale-infinity", r#"{"scale":"Infinity"}"#, "1 -1"),
        ],
    )
}
