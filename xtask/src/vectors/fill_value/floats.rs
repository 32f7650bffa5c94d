//! Floats: decimals on both sides of every kind of tie, names, hex, canonical text.

mod canonical;
mod names;
mod ties;

use exactum_vectors::Level;

use super::{Text, Topic};
use crate::oracle::data_type::{Kind, Layout};
use crate::oracle::decimal::Decimal;

pub(super) use ties::hairs;

const NUMBER: &[&str] = &["fill_value.float.number"];
const NO_EVEN: &[&str] = &["fill_value.float.no-even"];
const OVERFLOW: &[&str] = &["fill_value.float.overflow"];
const RANGE: &[&str] = &["fill_value.float.range"];

pub(super) fn fill(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    numbers(topic, layout)?;
    kind(topic, layout)?;
    ties::ties(topic, layout)?;
    ties::twice(topic, layout)?;
    ties::long(topic, layout)?;
    if layout.infinity().is_some() {
        overflow(topic, layout)?;
    } else {
        range(topic, layout)?;
    }
    names::names(topic, layout)?;
    names::hex(topic, layout)?;
    super::json(topic, "1")?;
    canonical::canonical(topic, layout)
}

/// Whether a text rounds to a number of the type: neither beyond the largest one nor into the gap
/// around a zero that the type does not have.
fn is_in_range(layout: &Layout, text: &str) -> bool {
    Decimal::read(text)
        .is_some_and(|(negative, decimal)| layout.nearest(negative, &decimal).is_some())
}

/// Texts of numbers: those in the range of the type into one group. Where no value is even, ties have
/// a group of their own.
fn in_range(
    topic: &mut Topic,
    layout: &Layout,
    name: &str,
    texts: &[Text<'_>],
) -> Result<(), String> {
    let texts: Vec<Text<'_>> = texts
        .iter()
        .copied()
        .filter(|(_, text)| is_in_range(layout, text) && !layout.is_open_tie(text))
        .collect();
    if texts.is_empty() {
        return Ok(());
    }
    topic.parse(name, Level::Must, NUMBER, &texts, &[])
}

fn numbers(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    let zeros = "0".repeat(500);
    let many_zeros = format!("0.{zeros}1e501");
    let many_digits = format!("1{zeros}e-500");
    in_range(
        topic,
        layout,
        "parse-number",
        &[
            ("zero", "0"),
            ("zero-fraction", "0.0"),
            ("zero-exponent", "0e7"),
            ("zero-large-exponent", "0e99999999999999999999"),
            ("negative-zero", "-0"),
            ("negative-zero-fraction", "-0.0"),
            ("negative-zero-exponent", "-0E-5"),
            ("one", "1"),
            ("one-fraction", "1.0"),
            ("exponent", "1e3"),
            ("exponent-capital", "2.5E-2"),
            ("exponent-plus", "25e+2"),
            ("exponent-minus-zero", "3e-0"),
            ("exponent-zeros", "1e0003"),
            ("tenth", "0.1"),
            ("seven-tenths", "0.7"),
            ("third", "-0.3333333333333333333333333333333333"),
            ("pi", "3.14159265358979323846264338327950288"),
            (
                "subnormal",
                match layout.bits() {
                    32 => "1e-40",
                    64 => "1e-310",
                    _ => "1e-5",
                },
            ),
            ("far-below", "1e-400"),
            ("far-below-negative", "-1e-400"),
            ("farthest-below", "1e-99999999999999999999"),
            ("smallest-double", "5e-324"),
            ("below-half-of-it", "2.4e-324"),
            ("above-half-of-it", "2.5e-324"),
            ("many-zeros", &many_zeros),
            ("many-digits", &many_digits),
            ("halves-of-double", "1.00000017881393432617187499"),
            ("halves-of-double-2", "1.00000005960464477539062500000001"),
        ],
    )?;
    in_range(
        topic,
        layout,
        "parse-number-large",
        &[
            ("2-24-plus-1", "16777217"),
            ("2-53-plus-1", "9007199254740993"),
            (
                "2-53-plus-1-and-a-little",
                "9007199254740993.00000000000000000000000000000001",
            ),
            ("30-digits", "123456789012345678901234567890"),
            ("1e23", "1e23"),
            ("uint64-max", "18446744073709551615"),
        ],
    )
}

fn kind(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    let (integer, fraction) = match layout.kind {
        Kind::Fnu => ("4", "0.5"),
        _ => ("3", "1.5"),
    };
    topic.parse(
        "parse-kind",
        Level::Must,
        &["fill_value.float.kind"],
        &[("integer", integer), ("fraction", fraction)],
        &[
            ("null", "null"),
            ("true", "true"),
            ("false", "false"),
            ("list", "[1.5]"),
            ("empty-list", "[]"),
            ("object", "{}"),
            ("number-in-a-string", "\"1.5\""),
            ("integer-in-a-string", "\"1\""),
            ("exponent-in-a-string", "\"1e3\""),
        ],
    )
}

fn overflow(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    let [_, tie, above] = ties::hairs(&layout.middle(layout.largest()).plain());
    let negative = format!("-{tie}");
    let digits = layout.plain(layout.largest());
    let digits = digits.split('.').next().unwrap_or_default().len();
    let next = format!("1e{digits}");
    topic.parse(
        "parse-overflow",
        Level::Ruling,
        OVERFLOW,
        &[
            ("tie", &tie),
            ("tie-negative", &negative),
            ("above", &above),
            ("next-power", &next),
            ("far", "1e400"),
            ("far-negative", "-1e400"),
            ("farthest", "1e99999999999999999999"),
        ],
        &[],
    )
}

/// The same in a type without infinities: there is nothing to round to.
fn range(topic: &mut Topic, layout: &Layout) -> Result<(), String> {
    let [below, tie, above] = ties::hairs(&layout.middle(layout.largest()).plain());
    let largest = layout.plain(layout.largest());
    let minus = |text: &str| format!("-{text}");
    let (negative_largest, negative_below) = (minus(&largest), minus(&below));
    let (negative_tie, negative_above) = (minus(&tie), minus(&above));
    let mut accepted: Vec<Text<'_>> = vec![("largest", &largest), ("below-the-end", &below)];
    let mut rejected: Vec<Text<'_>> = vec![
        ("end", &tie),
        ("above-the-end", &above),
        ("beyond", "1e39"),
        ("far", "1e400"),
        ("farthest", "1e99999999999999999999"),
    ];
    let [gap_below, gap_tie, gap_above];
    if layout.kind == Kind::Fnu {
        [gap_below, gap_tie, gap_above] = ties::hairs(&Decimal::binary(1, -128).plain());
        accepted.extend([
            ("half-of-the-smallest", gap_tie.as_str()),
            ("above-half-of-the-smallest", &gap_above),
        ]);
        rejected.extend([
            ("below-half-of-the-smallest", gap_below.as_str()),
            ("zero", "0"),
            ("zero-fraction", "0.0"),
            ("negative-zero", "-0.0"),
            ("negative-one", "-1"),
            ("negative-smallest", "-1e-38"),
            ("negative-far", "-1e400"),
            ("far-below", "1e-400"),
            ("farthest-below", "1e-99999999999999999999"),
        ]);
    } else {
        accepted.extend([
            ("smallest", negative_largest.as_str()),
            ("below-the-end-negative", &negative_below),
        ]);
        rejected.extend([
            ("end-negative", negative_tie.as_str()),
            ("above-the-end-negative", &negative_above),
            ("far-negative", "-1e400"),
        ]);
    }
    topic.parse("parse-range", Level::Ruling, RANGE, &accepted, &rejected)
}
