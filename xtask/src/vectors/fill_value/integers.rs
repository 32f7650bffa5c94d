//! Integers: plain digits, in range.

use exactum_vectors::Level;

use super::{Text, Topic};

pub(super) fn fill(topic: &mut Topic, bits: u32, signed: bool) -> Result<(), String> {
    let (min, max) = if signed {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    };
    let mut plain = vec![("zero", "0"), ("one", "1")];
    if max > 42 {
        plain.push(("two-digits", "42"));
    }
    topic.parse(
        "parse-lexical",
        Level::Must,
        &["fill_value.integer.lexical"],
        &plain,
        &[
            ("fraction", "1.0"),
            ("fraction-of-zero", "0.0"),
            ("negative-fraction", "-0.0"),
            ("half", "0.5"),
            ("exponent", "1e1"),
            ("exponent-capital", "1E1"),
            ("exponent-zero", "1e0"),
            ("exponent-negative", "10e-1"),
            ("exponent-plus", "1e+1"),
            ("huge", "1e400"),
            ("string", "\"1\""),
            ("hex-string", "\"0x01\""),
            ("name", "\"NaN\""),
            ("true", "true"),
            ("false", "false"),
            ("null", "null"),
            ("list", "[1]"),
            ("empty-list", "[]"),
            ("object", "{}"),
        ],
    )?;
    let mut accepted = vec![
        ("smallest", min.to_string()),
        ("smallest-plus-1", (min + 1).to_string()),
        ("largest-less-1", (max - 1).to_string()),
        ("largest", max.to_string()),
    ];
    if bits == 64 {
        accepted.extend([
            ("2-53", "9007199254740992".to_owned()),
            ("2-53-plus-1", "9007199254740993".to_owned()),
            ("2-53-plus-3", "9007199254740995".to_owned()),
            ("2-62-plus-1", "4611686018427387905".to_owned()),
        ]);
    }
    if signed {
        accepted.push(("minus-1", "-1".into()));
    }
    let mut rejected = vec![
        ("below", (min - 1).to_string()),
        ("above", (max + 1).to_string()),
        ("far-above", (2 * max + 2).to_string()),
        (
            "wraps-to-1",
            (2 * max + if signed { 3 } else { 0 }).to_string(),
        ),
        ("2-64", "18446744073709551616".to_owned()),
        (
            "2-127",
            "170141183460469231731687303715884105728".to_owned(),
        ),
        (
            "2-128",
            "340282366920938463463374607431768211456".to_owned(),
        ),
        ("many-digits", "9".repeat(400)),
        ("many-digits-negative", format!("-{}", "9".repeat(400))),
    ];
    if !signed {
        rejected.push(("minus-1", "-1".into()));
    }
    rejected.dedup_by(|a, b| a.1 == b.1);
    let accepted: Vec<Text<'_>> = accepted
        .iter()
        .map(|(id, text)| (*id, text.as_str()))
        .collect();
    let rejected: Vec<Text<'_>> = rejected
        .iter()
        .map(|(id, text)| (*id, text.as_str()))
        .collect();
    topic.parse(
        "parse-range",
        Level::Must,
        &["fill_value.integer.range"],
        &accepted,
        &rejected,
    )?;
    topic.parse(
        "parse-negative-zero",
        Level::Ruling,
        &["fill_value.integer.negative-zero"],
        &[("negative-zero", "-0")],
        &[],
    )?;
    super::json(topic, if max < 7 { "1" } else { "7" })?;

    let mask = u128::from(u64::MAX >> (64 - bits));
    if bits <= 4 {
        let all: Vec<String> = (0..=mask).map(|bits| format!("{bits:02x}")).collect();
        let all: Vec<(&str, u128)> = all.iter().map(String::as_str).zip(0..).collect();
        return topic.format("format", &all);
    }
    let mut elements = vec![
        ("zero", 0),
        ("one", 1),
        ("all-ones", mask),
        ("ninety-nine", 99),
    ];
    elements.push(("largest-signed", mask >> 1));
    elements.push(("highest-bit", (mask >> 1) + 1));
    if bits == 64 {
        elements.push(("2-53-plus-1", (1 << 53) + 1));
        elements.push(("minus-2-53-less-1", mask - (1 << 53)));
    }
    topic.format("format", &elements)
}
