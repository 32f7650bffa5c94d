//! Booleans and complex numbers.

use exactum_vectors::Level;

use super::{Text, Topic};
use crate::oracle::data_type::{Kind, Layout};

pub(super) fn bool(topic: &mut Topic) -> Result<(), String> {
    topic.parse(
        "parse",
        Level::Must,
        &["fill_value.bool"],
        &[("true", "true"), ("false", "false")],
        &[
            ("one", "1"),
            ("zero", "0"),
            ("minus-zero", "-0"),
            ("fraction", "1.0"),
            ("string", "\"true\""),
            ("string-false", "\"false\""),
            ("empty-string", "\"\""),
            ("null", "null"),
            ("list", "[true]"),
            ("object", "{}"),
        ],
    )?;
    super::json(topic, "true")?;
    topic.format("format", &[("false", 0), ("true", 1)])
}

pub(super) fn complex(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    pairs(topic, layout)?;
    parts(topic, layout)?;
    super::json(topic, "[1, 2]")?;
    topic.parse(
        "parse-duplicates",
        Level::Ruling,
        &["chain.json.duplicates"],
        &[],
        &[("repeated-key", r#"{"re": 1, "re": 2}"#)],
    )?;
    let nested = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    topic.parse(
        "parse-depth",
        Level::Ruling,
        &["chain.json.depth"],
        &[],
        &[("nested-200", &nested)],
    )?;
    let elements = elements(layout);
    let elements: Vec<(&str, u128)> = elements
        .iter()
        .map(|(id, bits)| (id.as_str(), *bits))
        .collect();
    topic.format("format", &elements)
}

/// The hex spelling of a component.
fn hex(layout: &Layout, bits: u64) -> String {
    format!("\"0x{bits:0width$x}\"", width = layout.hex_digits())
}

fn pairs(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    let (largest, sign) = (layout.largest(), layout.sign_bit());
    let both = format!("[{},{}]", hex(layout, largest), hex(layout, sign | 1));
    let mut accepted: Vec<(&str, String)> = vec![
        ("numbers", "[1, 2]".into()),
        ("numbers-exchanged", "[2, 1]".into()),
        ("white-space", "[ 1\n,\t2 ]".into()),
        ("hex", both),
    ];
    if layout.kind != Kind::Fnu {
        accepted.push(("zeros", "[0, -0.0]".into()));
        accepted.push(("zeros-exchanged", "[-0.0, 0]".into()));
    }
    if layout.nan.is_some() {
        accepted.push(("number-and-name", "[0.5, \"NaN\"]".into()));
        let code = hex(layout, largest);
        accepted.push(("name-and-hex", format!("[\"NaN\", {code}]")));
    }
    if layout.infinity().is_some() {
        accepted.push(("names", "[\"-Infinity\", \"NaN\"]".into()));
        accepted.push(("infinities", "[\"Infinity\", \"-Infinity\"]".into()));
    }
    let accepted: Vec<Text<'_>> = accepted
        .iter()
        .map(|(id, text)| (*id, text.as_str()))
        .collect();
    // One hex text for both parts, as wide as the two are.
    let digits = "3f".repeat(layout.hex_digits());
    let of_both = format!("\"0x{digits}\"");
    topic.parse(
        "parse",
        Level::Must,
        &["fill_value.complex"],
        &accepted,
        &[
            ("number", "1"),
            ("string", "\"1+2j\""),
            ("name", "\"NaN\""),
            ("hex-of-both", &of_both),
            ("empty", "[]"),
            ("one-part", "[1]"),
            ("one-pair", "[[1, 2]]"),
            ("three-parts", "[1, 2, 3]"),
            ("many-parts", "[1, 2, 3, 4, 5, 6, 7, 8]"),
            ("object", "{\"re\": 1, \"im\": 2}"),
            ("null", "null"),
            ("true", "true"),
        ],
    )
}

/// Each part by the rules of a float.
fn parts(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    topic.parse(
        "parse-parts-kind",
        Level::Must,
        &["fill_value.float.kind"],
        &[("integers", "[2, 4]")],
        &[
            ("null", "[1, null]"),
            ("true", "[true, 1]"),
            ("list", "[[1], 2]"),
            ("pair", "[1, [1, 2]]"),
            ("object", "[1, {}]"),
            ("number-in-a-string", "[\"1\", 2]"),
        ],
    )?;
    let (infinity, nan) = ("[1, \"Infinity\"]", "[\"NaN\", 1]");
    let mut accepted: Vec<Text<'_>> = Vec::new();
    let mut rejected: Vec<Text<'_>> = vec![
        ("plus-infinity", "[1, \"+Infinity\"]"),
        ("nan-lower-case", "[\"nan\", 1]"),
    ];
    let (has, lacks) = (&mut accepted, &mut rejected);
    let to = |there: bool, has: &mut Vec<_>, lacks: &mut Vec<_>, case| {
        if there { has } else { lacks }.push(case);
    };
    to(
        layout.infinity().is_some(),
        has,
        lacks,
        ("infinity", infinity),
    );
    to(layout.nan.is_some(), has, lacks, ("nan", nan));
    topic.parse(
        "parse-parts-names",
        Level::Must,
        &["fill_value.float.names"],
        &accepted,
        &rejected,
    )?;
    let one = hex(layout, layout.one());
    let both = format!("[{one}, {}]", one.to_uppercase().replacen('X', "x", 1));
    let short = format!("[\"0x{}\", 1]", &one[4..one.len() - 1]);
    let long = format!("[1, \"0x0{}]", &one[3..]);
    let mut rejected = vec![("short", short), ("long", long)];
    if layout.bits() < 8 {
        rejected.push(("bits-above", "[1, \"0x81\"]".into()));
    }
    let rejected: Vec<Text<'_>> = rejected
        .iter()
        .map(|(id, text)| (*id, text.as_str()))
        .collect();
    topic.parse(
        "parse-parts-hex",
        Level::Must,
        &["fill_value.float.hex"],
        &[("both", &both)],
        &rejected,
    )?;
    // Ties and what two roundings make of them, in both parts.
    let [below, tie, above] = super::floats::hairs(&layout.middle(layout.one()).plain());
    let mut texts = vec![
        ("twice", format!("[{above}, {below}]")),
        ("twice-exchanged", format!("[{below}, {above}]")),
    ];
    if layout.kind != Kind::Fnu {
        texts.push(("ties", format!("[{tie}, {tie}]")));
    }
    let texts: Vec<Text<'_>> = texts
        .iter()
        .map(|(id, text)| (*id, text.as_str()))
        .collect();
    topic.parse(
        "parse-parts-rounded",
        Level::Must,
        &["fill_value.float.number"],
        &texts,
        &[],
    )?;
    let beyond: &[Text<'_>] = &[("both", "[1e39, -1e400]"), ("real", "[-1e400, 1]")];
    if layout.infinity().is_none() {
        let clauses = &["fill_value.float.range"];
        return topic.parse("parse-parts-range", Level::Ruling, clauses, &[], beyond);
    }
    if layout.bits() == 64 {
        let far: &[Text<'_>] = &[("both", "[1e309, -1e400]")];
        let clauses = &["fill_value.float.overflow"];
        return topic.parse("parse-parts-overflow", Level::Ruling, clauses, far, &[]);
    }
    let clauses = &["fill_value.float.overflow"];
    topic.parse("parse-parts-overflow", Level::Ruling, clauses, beyond, &[])
}

/// Elements of both parts, the interesting ones beside each other.
fn elements(layout: &Layout) -> Vec<(String, u128)> {
    let (one, sign, largest) = (layout.one(), layout.sign_bit(), layout.largest());
    let mut parts = vec![
        ("one", one),
        ("after-one", one + 1),
        ("zero", 0),
        ("smallest", 1),
        ("largest", largest),
    ];
    if sign != 0 && layout.kind != Kind::Fnuz {
        parts.push(("negative-zero", sign));
    }
    if sign != 0 {
        parts.push(("negative-largest", sign | largest));
    }
    if let Some(nan) = layout.nan {
        parts.push(("nan", nan));
        if let Some(infinity) = layout.infinity() {
            parts.extend([
                ("infinity", infinity),
                ("negative-infinity", infinity | sign),
                ("other-nan", nan | 1),
                ("negative-nan", nan | sign),
            ]);
        }
    }
    let width = 4 * layout.hex_digits();
    parts
        .iter()
        .zip(parts.iter().cycle().skip(1))
        .map(|((real, bits), (imaginary, others))| {
            let bits = u128::from(*bits) | u128::from(*others) << width;
            (format!("{real}-and-{imaginary}"), bits)
        })
        .collect()
}
