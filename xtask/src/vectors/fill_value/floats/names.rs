//! Names and hex.

use exactum_vectors::Level;

use crate::oracle::data_type::Layout;
use crate::vectors::fill_value::{Text, Topic};

const NAMES: &[&str] = &["fill_value.float.names"];
const HEX: &[&str] = &["fill_value.float.hex"];

pub(super) fn names(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    let nan = [("nan", "\"NaN\""), ("escaped", "\"\\u004e\\u0061N\"")];
    let infinities = [
        ("infinity", "\"Infinity\""),
        ("negative-infinity", "\"-Infinity\""),
    ];
    let mut rejected: Vec<Text<'_>> = vec![
        ("plus-infinity", "\"+Infinity\""),
        ("infinity-lower-case", "\"infinity\""),
        ("infinity-upper-case", "\"INFINITY\""),
        ("inf", "\"inf\""),
        ("inf-capital", "\"Inf\""),
        ("negative-inf", "\"-inf\""),
        ("plus-inf", "\"+inf\""),
        ("nan-lower-case", "\"nan\""),
        ("nan-upper-case", "\"NAN\""),
        ("negative-nan", "\"-NaN\""),
        ("space-before", "\" NaN\""),
        ("space-after", "\"Infinity \""),
        ("nul-after", "\"NaN\\u0000\""),
        ("empty", "\"\""),
        ("symbol", "\"\u{221e}\""),
    ];
    let mut accepted: Vec<Text<'_>> = Vec::new();
    let (has, lacks) = (&mut accepted, &mut rejected);
    if layout.nan.is_some() {
        &mut *has
    } else {
        &mut *lacks
    }
    .extend(nan);
    if layout.infinity().is_some() {
        has
    } else {
        lacks
    }
    .extend(infinities);
    topic.parse("parse-names", Level::Must, NAMES, &accepted, &rejected)?;
    if layout.nan.is_some() {
        topic.parse(
            "parse-nan",
            Level::Must,
            &["fill_value.float.nan"],
            &nan[..1],
            &[],
        )?;
    }
    let escaped = [("escaped-name", "\"N\\u0061N\"")];
    topic.parse(
        "parse-surrogates",
        Level::Must,
        &["chain.json"],
        if layout.nan.is_some() { &escaped } else { &[] },
        &[
            ("lone-high", "\"\\ud800\""),
            ("lone-low", "\"\\udc00\""),
            ("exchanged", "\"\\udc00\\ud800\""),
            ("high-before-a-letter", "\"\\ud800NaN\""),
            ("bad-escape", "\"\\x4eaN\""),
            ("control-character", "\"NaN\n\""),
        ],
    )
}

pub(super) fn hex(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    let width = layout.hex_digits();
    let text = |bits: u64| format!("\"0x{bits:0width$x}\"");
    let sign = layout.sign_bit();
    let ones = u64::MAX >> (64 - layout.bits());
    let mut bits = vec![
        ("zero", text(0)),
        ("smallest", text(1)),
        ("largest", text(layout.largest())),
        ("all-ones", text(ones)),
        (
            "order",
            text((0x0123_4567_89ab_cdef >> (64 - 4 * width)) & ones),
        ),
    ];
    if sign != 0 {
        bits.push(("negative-zero", text(sign)));
        bits.push(("smallest-number", text(layout.largest() | sign)));
    }
    if let Some(quiet) = layout.nan {
        bits.push(("nan", text(quiet)));
    }
    if let (Some(infinity), Some(quiet)) = (layout.infinity(), layout.nan) {
        bits.extend([
            ("infinity", text(infinity)),
            ("negative-nan", text(quiet | sign)),
            ("nan-with-payload", text(quiet | 1)),
            ("signalling-nan", text(infinity | 1)),
        ]);
    }
    let bits: Vec<Text<'_>> = bits.iter().map(|(id, text)| (*id, text.as_str())).collect();
    topic.parse(
        "parse-hex-bits",
        Level::Must,
        &["fill_value.float.hex-bits"],
        &bits,
        &[],
    )?;
    digits(topic, layout)
}

/// Texts of hex digits: how many, which, and what stands around them.
fn digits(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    let width = layout.hex_digits();
    let ones = u64::MAX >> (64 - layout.bits());
    // Letters are among the digits of every width.
    let digits = format!("{:0width$x}", (layout.nan.unwrap_or(0) | 0xab) & ones);
    let upper = digits.to_uppercase();
    let accepted = [
        ("lower-case", format!("\"0x{digits}\"")),
        ("upper-case", format!("\"0x{upper}\"")),
        (
            "mixed-case",
            format!("\"0x{}{}\"", &upper[..width / 2], &digits[width / 2..]),
        ),
        ("escaped", format!("\"\\u0030x{digits}\"")),
    ];
    let mut rejected = vec![
        ("no-digits".to_owned(), "\"0x\"".to_owned()),
        ("one-digit".into(), "\"0x1\"".into()),
        ("one-more".into(), format!("\"0x0{digits}\"")),
        ("other-letter".into(), format!("\"0x{}g\"", &digits[1..])),
        (
            "sign-among-digits".into(),
            format!("\"0x+{}\"", &digits[1..]),
        ),
        (
            "space-among-digits".into(),
            format!("\"0x{} \"", &digits[1..]),
        ),
        ("underscore".into(), format!("\"0x_{}\"", &digits[1..])),
        ("float".into(), "\"0x1p3\"".into()),
    ];
    if width > 2 {
        rejected.push(("one-less".into(), format!("\"0x{}\"", &digits[1..])));
        let wide = format!("\"0x\u{ff10}{}\"", &digits[3..]);
        rejected.push(("wide-digit".into(), wide));
    }
    for other in [2, 4, 8, 16, 32]
        .into_iter()
        .filter(|other| *other != width)
    {
        rejected.push((
            format!("{other}-digits"),
            format!("\"0x{}\"", "3f".repeat(other / 2)),
        ));
    }
    if layout.bits() < 8 {
        // Bits above the type's own, and the number that is meant below them.
        rejected.push(("bits-above".into(), format!("\"0x{:02x}\"", ones + 2)));
        rejected.push(("bits-above-highest".into(), "\"0x80\"".into()));
        rejected.push(("bits-above-all".into(), "\"0xff\"".into()));
    }
    let accepted: Vec<Text<'_>> = accepted
        .iter()
        .map(|(id, text)| (*id, text.as_str()))
        .collect();
    let rejected: Vec<Text<'_>> = rejected
        .iter()
        .map(|(id, text)| (id.as_str(), text.as_str()))
        .collect();
    topic.parse("parse-hex", Level::Must, HEX, &accepted, &rejected)?;
    // To a reader of names these are no hex at all.
    let prefixes = [
        ("capital-x", format!("\"0X{digits}\"")),
        ("no-prefix", format!("\"{digits}\"")),
        ("signed", format!("\"-0x{digits}\"")),
        ("space-before", format!("\" 0x{digits}\"")),
        ("hash", format!("\"#{digits}\"")),
    ];
    let prefixes: Vec<Text<'_>> = prefixes
        .iter()
        .map(|(id, text)| (*id, text.as_str()))
        .collect();
    topic.parse("parse-hex-prefix", Level::Must, HEX, &[], &prefixes)
}
