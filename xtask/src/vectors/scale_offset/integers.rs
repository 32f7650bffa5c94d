//! Integers: every step exact and in range.

use exactum_model::IntegerFormat;

use super::Direction::{Decode, Encode};
use super::{Topic, must, ruling};

const ENCODE: &[&str] = &["scale_offset.encode"];
const DECODE: &[&str] = &["scale_offset.decode"];
const INTERMEDIATE: &[&str] = &["scale_offset.range.intermediate"];
const DIVISION: &[&str] = &["scale_offset.integer.division"];
const SCALE_ABSENT: &[&str] = &["scale_offset.scale.absent"];

pub(super) fn fill(topic: &mut Topic, format: &IntegerFormat) -> Result<(), String> {
    let (min, max) = (format.min(), format.max());
    plain(topic, min, max)?;
    if format.signed {
        negative(topic, min, max)?;
    }
    range(topic, min, max)?;
    division(topic, format, max)?;
    if format.bits > 24 {
        exact(topic, format)?;
    }
    configurations(topic, min, max)
}

fn plain(topic: &mut Topic, min: i128, max: i128) -> Result<(), String> {
    let both = r#"{"offset":3,"scale":2}"#;
    topic.group(
        "encode",
        must(ENCODE),
        Encode,
        both,
        &[("plain", "3 4 5 10 13 60")],
    )?;
    topic.group(
        "decode",
        must(DECODE),
        Decode,
        both,
        &[("plain", "0 2 4 14 20 114")],
    )?;
    topic.group(
        "encode-scale",
        must(ENCODE),
        Encode,
        r#"{"scale":3}"#,
        &[("plain", "0 1 2 7 42")],
    )?;
    topic.group(
        "decode-scale",
        must(DECODE),
        Decode,
        r#"{"scale":3}"#,
        &[("plain", "0 3 6 21 126")],
    )?;

    // What is missing changes nothing.
    let ends = format!("0 1 2 {} {min} {max}", max - 1);
    for (direction, way) in [(Encode, "encode"), (Decode, "decode")] {
        for (kind, configuration) in [
            ("empty", "{}"),
            ("offset-0", r#"{"offset":0}"#),
            ("scale-1", r#"{"scale":1}"#),
            ("both", r#"{"offset":0,"scale":1}"#),
        ] {
            let name = format!("{way}-identity-{kind}");
            let clauses: &[&str] = match (kind, direction) {
                ("empty" | "offset-0", _) => SCALE_ABSENT,
                (_, Encode) => ENCODE,
                (_, Decode) => DECODE,
            };
            topic.group(
                &name,
                must(clauses),
                direction,
                configuration,
                &[("all", &ends)],
            )?;
        }
    }
    topic.group(
        "encode-offset",
        must(SCALE_ABSENT),
        Encode,
        r#"{"offset":5}"#,
        &[("plain", &format!("5 6 100 {max}"))],
    )?;
    topic.group(
        "decode-offset",
        must(SCALE_ABSENT),
        Decode,
        r#"{"offset":5}"#,
        &[("plain", &format!("0 1 95 {}", max - 5))],
    )?;
    // A skipped step and a subtracted 0 are one on integers, but a program may ask for both.
    topic.group(
        "encode-offset-absent",
        ruling(&["scale_offset.offset.absent"]),
        Encode,
        r#"{"scale":2}"#,
        &[("plain", "0 1 2 60")],
    )?;
    topic.group(
        "decode-offset-absent",
        ruling(&["scale_offset.offset.absent"]),
        Decode,
        r#"{"scale":2}"#,
        &[("plain", "0 2 4 120")],
    )
}

fn negative(topic: &mut Topic, min: i128, max: i128) -> Result<(), String> {
    topic.group(
        "encode-negative",
        must(ENCODE),
        Encode,
        r#"{"offset":-1,"scale":-2}"#,
        &[("plain", "0 1 -1 -2 -10 20")],
    )?;
    topic.group(
        "decode-negative",
        must(DECODE),
        Decode,
        r#"{"offset":-1,"scale":-2}"#,
        &[("plain", "0 -2 2 -4 18 -42")],
    )?;

    // The result would be in range; what comes between is not.
    let offset_min = format!(r#"{{"offset":{min},"scale":-1}}"#);
    topic.group(
        "encode-intermediate-offset-min",
        must(INTERMEDIATE),
        Encode,
        &offset_min,
        &[
            ("back-in-range", "0"),
            ("above", &format!("1 {max}")),
            ("in-range", &format!("-1 -2 {min}")),
        ],
    )?;
    topic.group(
        "encode-intermediate",
        must(INTERMEDIATE),
        Encode,
        r#"{"offset":-1,"scale":-1}"#,
        &[
            ("back-in-range", &max.to_string()),
            ("in-range", &format!("{} 0 {min}", max - 1)),
        ],
    )?;
    topic.group(
        "decode-intermediate",
        must(INTERMEDIATE),
        Decode,
        r#"{"offset":-1,"scale":-1}"#,
        &[
            ("back-in-range", &min.to_string()),
            ("in-range", &format!("{} 0 {max}", min + 1)),
        ],
    )?;
    topic.group(
        "decode-scale-minus-1",
        must(INTERMEDIATE),
        Decode,
        r#"{"scale":-1}"#,
        &[
            ("smallest", &min.to_string()),
            ("in-range", &format!("{} {max} 1 -1", min + 1)),
        ],
    )?;
    topic.group(
        "encode-scale-minus-1",
        must(INTERMEDIATE),
        Encode,
        r#"{"scale":-1}"#,
        &[
            ("smallest", &min.to_string()),
            ("in-range", &format!("{} {max} 1 -1", min + 1)),
        ],
    )?;
    topic.group(
        "encode-offset-negative",
        must(INTERMEDIATE),
        Encode,
        r#"{"offset":-100}"#,
        &[
            ("above", &format!("{max} {}", max - 99)),
            ("in-range", &format!("{} {min} 0", max - 100)),
        ],
    )?;
    topic.group(
        "decode-offset-negative",
        must(INTERMEDIATE),
        Decode,
        r#"{"offset":-100}"#,
        &[
            ("below", &format!("{min} {}", min + 99)),
            ("in-range", &format!("{} {max} 0", min + 100)),
        ],
    )
}

fn range(topic: &mut Topic, min: i128, max: i128) -> Result<(), String> {
    let half = max / 2;
    let mut double = vec![
        ("above", format!("{} {max}", half + 1)),
        ("in-range", format!("{half} {} 0", half - 1)),
    ];
    if min < 0 {
        double.push(("below", format!("{} {min}", min / 2 - 1)));
        double.push(("smallest", format!("{} -1", min / 2)));
    }
    let double: Vec<(&str, &str)> = double.iter().map(|(id, it)| (*id, it.as_str())).collect();
    topic.group(
        "encode-double",
        must(INTERMEDIATE),
        Encode,
        r#"{"scale":2}"#,
        &double,
    )?;

    let scale_max = format!(r#"{{"scale":{max}}}"#);
    topic.group(
        "encode-scale-largest",
        must(INTERMEDIATE),
        Encode,
        &scale_max,
        &[("above", &format!("2 3 {max}")), ("in-range", "0 1")],
    )?;
    topic.group(
        "encode-below",
        must(INTERMEDIATE),
        Encode,
        &format!(r#"{{"offset":{}}}"#, min + 5),
        &if min == 0 {
            vec![("below", "0 3 4"), ("in-range", "5 6")]
        } else {
            vec![("above", "5 6 100"), ("in-range", "-100 0 4")]
        },
    )?;
    topic.group(
        "decode-offset-100",
        must(INTERMEDIATE),
        Decode,
        r#"{"offset":100}"#,
        &[
            ("above", &format!("{max} {}", max - 99)),
            ("in-range", &format!("{} {min} 0", max - 100)),
        ],
    )?;
    topic.group(
        "decode-offset-100-scale-2",
        must(INTERMEDIATE),
        Decode,
        r#"{"offset":100,"scale":2}"#,
        &[("in-range", "40 2 0")],
    )
}

fn division(topic: &mut Topic, format: &IntegerFormat, max: i128) -> Result<(), String> {
    topic.group(
        "decode-division-2",
        ruling(DIVISION),
        Decode,
        r#"{"scale":2}"#,
        &[
            ("odd", &format!("1 3 7 {max}")),
            ("even", &format!("0 2 6 {}", max - 1)),
        ],
    )?;
    topic.group(
        "decode-division-7",
        ruling(DIVISION),
        Decode,
        r#"{"offset":1,"scale":7}"#,
        &[("uneven", "1 6 8 13 20 100"), ("even", "0 7 14 98")],
    )?;
    topic.group(
        "decode-division-largest",
        ruling(DIVISION),
        Decode,
        &format!(r#"{{"scale":{max}}}"#),
        &[
            ("uneven", &format!("1 2 {}", max - 1)),
            ("even", &format!("0 {max}")),
        ],
    )?;
    if format.signed {
        topic.group(
            "decode-division-negative-elements",
            ruling(DIVISION),
            Decode,
            r#"{"scale":2}"#,
            &[("odd", "-1 -3 -7"), ("even", "-2 -6")],
        )?;
        topic.group(
            "decode-division-negative-scale",
            ruling(DIVISION),
            Decode,
            r#"{"scale":-3}"#,
            &[("uneven", "1 -1 2 -7 8"), ("even", "3 -3 9 -6 0")],
        )?;
    }
    if format.bits == 64 {
        // A binary64 quotient is even here, and the true one is not.
        topic.group(
            "decode-division-beyond-2-53",
            ruling(DIVISION),
            Decode,
            r#"{"scale":2}"#,
            &[
                ("odd", "9007199254740993 9223372036854775807"),
                ("even", "9007199254740994 9223372036854775806"),
            ],
        )?;
    }
    Ok(())
}

/// Numbers that a float in the place of the integer would change.
fn exact(topic: &mut Topic, format: &IntegerFormat) -> Result<(), String> {
    const ARITHMETIC: &[&str] = &["scale_offset.arithmetic"];
    const EXACT: &[&str] = &["scale_offset.parameters.exact"];
    topic.group(
        "encode-beyond-2-24",
        must(ARITHMETIC),
        Encode,
        r#"{"offset":1}"#,
        &[("odd", "16777218 16777220 33554434")],
    )?;
    topic.group(
        "decode-beyond-2-24",
        must(ARITHMETIC),
        Decode,
        r#"{"offset":1,"scale":3}"#,
        &[("odd", "50331651 50331657 100663299")],
    )?;
    if format.bits < 64 {
        return Ok(());
    }
    topic.group(
        "encode-beyond-2-53",
        must(ARITHMETIC),
        Encode,
        r#"{"offset":1}"#,
        &[(
            "odd",
            "9007199254740994 9007199254740996 9223372036854775807 4611686018427387906",
        )],
    )?;
    topic.group(
        "encode-product-beyond-2-53",
        must(ARITHMETIC),
        Encode,
        r#"{"scale":3}"#,
        &[(
            "odd",
            "3002399751580331 3002399751580333 3074457345618258601",
        )],
    )?;
    topic.group(
        "decode-beyond-2-53",
        must(ARITHMETIC),
        Decode,
        r#"{"offset":1,"scale":3}"#,
        &[(
            "odd",
            "9007199254740993 27021597764222979 9223372036854775806",
        )],
    )?;
    topic.group(
        "encode-offset-beyond-2-53",
        must(EXACT),
        Encode,
        r#"{"offset":9007199254740993}"#,
        &[("near", "9007199254740993 9007199254740994 9007199254740995")],
    )?;
    topic.group(
        "decode-offset-beyond-2-53",
        must(EXACT),
        Decode,
        r#"{"offset":9007199254740993}"#,
        &[("small", "0 1 2 3")],
    )?;
    topic.group(
        "encode-scale-beyond-2-53",
        must(EXACT),
        Encode,
        r#"{"scale":9007199254740993}"#,
        &[("small", "0 1 3 5")],
    )?;
    topic.group(
        "decode-scale-beyond-2-53",
        must(EXACT),
        Decode,
        r#"{"scale":9007199254740993}"#,
        &[("multiples", "0 9007199254740993 27021597764222979")],
    )?;
    let (offset, elements) = if format.signed {
        topic.group(
            "encode-offset-smallest",
            must(EXACT),
            Encode,
            r#"{"offset":-9223372036854775808}"#,
            &[("near", "-9223372036854775808 -9223372036854775807 -1")],
        )?;
        (
            "9223372036854775807",
            "9223372036854775807 0 1 9223372036854775806",
        )
    } else {
        ("18446744073709551615", "18446744073709551615")
    };
    topic.group(
        "encode-offset-largest",
        must(EXACT),
        Encode,
        &format!(r#"{{"offset":{offset}}}"#),
        &[("near", elements)],
    )?;
    topic.group(
        "decode-offset-largest",
        must(EXACT),
        Decode,
        &format!(r#"{{"offset":{offset}}}"#),
        &[("zero", "0")],
    )
}

fn configurations(topic: &mut Topic, min: i128, max: i128) -> Result<(), String> {
    let (above, below) = (max + 1, min - 1);
    let offset = |value: &str| format!(r#"{{"offset":{value}}}"#);
    let scale = |value: &str| format!(r#"{{"scale":{value}}}"#);
    let wrong = [
        ("fraction", "0.1"),
        ("integral-fraction", "1.0"),
        ("exponent", "1e1"),
        ("string", r#""5""#),
        ("hex", r#""0x05""#),
        ("nan", r#""NaN""#),
        ("true", "true"),
        ("null", "null"),
        ("list", "[1]"),
        ("object", "{}"),
        ("above", &above.to_string()),
        ("below", &below.to_string()),
        ("far", "1e400"),
        ("long", "100000000000000000000000000000000000000000"),
    ]
    .map(|(id, value)| (id, value.to_owned()));
    let mut rejected = Vec::new();
    for (id, value) in &wrong {
        rejected.push((format!("offset-{id}"), offset(value)));
        rejected.push((format!("scale-{id}"), scale(value)));
    }
    let accepted = [
        ("offset", offset("5")),
        ("offset-negative-zero", offset("-0")),
        ("offset-1", offset("1")),
        ("scale", scale("1")),
        ("any-order", r#"{"scale":1,"offset":5}"#.to_owned()),
        (
            "spaces",
            "\t{ \"offset\" : 5 ,\r\n \"scale\" : 1 } ".to_owned(),
        ),
    ];
    let accepted: Vec<(&str, &str)> = accepted.iter().map(|(id, it)| (*id, it.as_str())).collect();
    let rejected: Vec<(&str, &str)> = rejected
        .iter()
        .map(|(id, it)| (id.as_str(), it.as_str()))
        .collect();
    topic.configurations(
        "parameters",
        must(&["scale_offset.parameters"]),
        "7",
        &accepted,
        &rejected,
    )?;
    super::keys(topic)?;
    topic.configurations(
        "scale-zero",
        ruling(&["scale_offset.scale.zero"]),
        "7",
        &[
            ("one", r#"{"scale":1}"#),
            ("offset-zero", r#"{"offset":0}"#),
        ],
        &[
            ("zero", r#"{"scale":0}"#),
            ("negative-zero", r#"{"scale":-0}"#),
            ("beside-offset", r#"{"offset":7,"scale":0}"#),
        ],
    )
}
