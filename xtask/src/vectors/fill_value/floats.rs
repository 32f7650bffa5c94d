//! Floats of IEEE 754: decimals on both sides of every kind of tie, names, hex.

use exactum_model::{DataType, FloatFormat};
use exactum_vectors::Level;

use super::{Text, Topic};

pub(super) fn fill(topic: &mut Topic, format: &FloatFormat) -> Result<(), String> {
    numbers(topic)?;
    ties(topic, format)?;
    overflow(topic, format)?;
    names(topic)?;
    hex(topic, format)?;
    super::json(topic, "1")?;
    canonical(topic, format)
}

fn numbers(topic: &mut Topic) -> Result<(), String> {
    let zeros = "0".repeat(500);
    let many_zeros = format!("0.{zeros}1e501");
    let many_digits = format!("1{zeros}e-500");
    topic.parse(
        "parse-number",
        Level::Must,
        &["fill_value.float.number"],
        &[
            ("zero", "0"),
            ("zero-fraction", "0.0"),
            ("zero-exponent", "0e7"),
            ("negative-zero", "-0"),
            ("negative-zero-fraction", "-0.0"),
            ("negative-zero-exponent", "-0E-5"),
            ("one", "1"),
            ("one-fraction", "1.0"),
            ("exponent", "1e3"),
            ("exponent-capital", "2.5E-2"),
            ("exponent-plus", "25e+2"),
            ("exponent-zeros", "1e0003"),
            ("tenth", "0.1"),
            ("seven-tenths", "0.7"),
            ("third", "-0.3333333333333333333333333333333333"),
            ("pi", "3.14159265358979323846264338327950288"),
            (
                "subnormal",
                match topic.data_type {
                    DataType::Float16 => "1e-5",
                    DataType::Float32 => "1e-40",
                    _ => "1e-310",
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
        &[],
    )?;
    if topic.data_type != DataType::Float16 {
        topic.parse(
            "parse-number-large",
            Level::Must,
            &["fill_value.float.number"],
            &[
                ("2-24-plus-1", "16777217"),
                ("2-53-plus-1", "9007199254740993"),
                (
                    "2-53-plus-1-and-a-little",
                    "9007199254740993.00000000000000000000000000000001",
                ),
                ("30-digits", "123456789012345678901234567890"),
                ("1e23", "1e23"),
            ],
            &[],
        )?;
    }
    topic.parse(
        "parse-kind",
        Level::Must,
        &["fill_value.float.kind"],
        &[("integer", "3"), ("fraction", "1.5")],
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

/// A whole number times a power of two, as a plain decimal with all of its digits.
fn decimal(number: u64, exponent: i32) -> String {
    // The digits, lowest first; the point stands before the lowest `fraction` of them.
    let mut digits: Vec<u8> = number
        .to_string()
        .bytes()
        .rev()
        .map(|it| it - b'0')
        .collect();
    let mut fraction = 0;
    for _ in 0..exponent.max(0) {
        let mut carry = 0;
        for digit in &mut digits {
            let doubled = 2 * *digit + carry;
            (*digit, carry) = (doubled % 10, doubled / 10);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    for _ in exponent..0 {
        let mut rest = 0;
        for digit in digits.iter_mut().rev() {
            let with_rest = 10 * rest + *digit;
            (*digit, rest) = (with_rest / 2, with_rest % 2);
        }
        if rest > 0 {
            digits.insert(0, 5);
            fraction += 1;
        }
    }
    while digits.len() <= fraction {
        digits.push(0);
    }
    while digits.len() > fraction + 1 && digits.last() == Some(&0) {
        digits.pop();
    }
    let text: String = digits
        .iter()
        .rev()
        .map(|digit| char::from(b'0' + digit))
        .collect();
    let (whole, rest) = text.split_at(text.len() - fraction);
    if rest.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{rest}")
    }
}

/// The decimal in the middle between a magnitude and the next: exact, and a hair to both sides.
fn middle(format: &FloatFormat, code: u64) -> [String; 3] {
    let field = code >> format.mantissa_bits;
    let digits = code & format.mantissa_mask();
    let (digits, field) = if field == 0 {
        (digits, 1)
    } else {
        (digits | (format.mantissa_mask() + 1), field)
    };
    let exponent = i32::try_from(field).unwrap_or_default()
        - format.bias
        - i32::try_from(format.mantissa_bits).unwrap_or_default();
    let tie = decimal(2 * digits + 1, exponent - 1);
    let zeros = "0".repeat(60);
    let above = if tie.contains('.') {
        format!("{tie}{zeros}1")
    } else {
        format!("{tie}.{zeros}1")
    };
    // One less in the last place, and then nines.
    let mut places: Vec<u8> = tie.bytes().collect();
    let mut index = places.len() - 1;
    while places[index] == b'0' || places[index] == b'.' {
        if places[index] == b'0' {
            places[index] = b'9';
        }
        index -= 1;
    }
    places[index] -= 1;
    let below: String = places.into_iter().map(char::from).collect();
    let nines = "9".repeat(60);
    let below = if below.contains('.') {
        format!("{below}{nines}")
    } else {
        format!("{below}.{nines}")
    };
    [below, tie, above]
}

fn ties(topic: &mut Topic, format: &FloatFormat) -> Result<(), String> {
    let one = u64::from(format.bias.unsigned_abs()) << format.mantissa_bits;
    let normal = format.mantissa_mask() + 1;
    let whole = one + (u64::from(format.mantissa_bits) << format.mantissa_bits);
    let codes = [
        ("zero", 0),
        ("smallest", 1),
        ("second", 2),
        ("below-normal", normal - 1),
        ("normal", normal),
        ("below-one", one - 1),
        ("one", one),
        ("after-one", one + 1),
        ("whole", whole),
        ("after-whole", whole + 1),
        ("below-largest", format.max_finite_bits() - 1),
    ];
    let mut cases = Vec::new();
    for (id, code) in codes {
        for (side, text) in ["below", "tie", "above"]
            .into_iter()
            .zip(middle(format, code))
        {
            cases.push((format!("{id}-{side}"), text.clone()));
            if id != "whole" && side != "tie" {
                cases.push((format!("{id}-{side}-negative"), format!("-{text}")));
            }
        }
    }
    let [below, _, _] = middle(format, format.max_finite_bits());
    cases.push(("largest-below-negative".into(), format!("-{below}")));
    cases.push(("largest-below".into(), below));
    let cases: Vec<Text<'_>> = cases
        .iter()
        .map(|(id, text)| (id.as_str(), text.as_str()))
        .collect();
    topic.parse(
        "parse-ties",
        Level::Must,
        &["fill_value.float.number"],
        &cases,
        &[],
    )
}

fn overflow(topic: &mut Topic, format: &FloatFormat) -> Result<(), String> {
    let [_, tie, above] = middle(format, format.max_finite_bits());
    let negative = format!("-{tie}");
    let next = match topic.data_type {
        DataType::Float16 => "1e5",
        DataType::Float32 => "1e39",
        _ => "1e309",
    };
    topic.parse(
        "parse-overflow",
        Level::Ruling,
        &["fill_value.float.overflow"],
        &[
            ("tie", &tie),
            ("tie-negative", &negative),
            ("above", &above),
            ("next-power", next),
            ("far", "1e400"),
            ("far-negative", "-1e400"),
            ("farthest", "1e99999999999999999999"),
        ],
        &[],
    )
}

fn names(topic: &mut Topic) -> Result<(), String> {
    topic.parse(
        "parse-names",
        Level::Must,
        &["fill_value.float.names"],
        &[
            ("nan", "\"NaN\""),
            ("infinity", "\"Infinity\""),
            ("negative-infinity", "\"-Infinity\""),
            ("escaped", "\"\\u004e\\u0061N\""),
        ],
        &[
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
        ],
    )?;
    topic.parse(
        "parse-nan",
        Level::Must,
        &["fill_value.float.nan"],
        &[("nan", "\"NaN\"")],
        &[],
    )?;
    topic.parse(
        "parse-surrogates",
        Level::Must,
        &["chain.json"],
        &[("escaped-name", "\"N\\u0061N\"")],
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

fn hex(topic: &mut Topic, format: &FloatFormat) -> Result<(), String> {
    let width = 2 * topic.data_type.element_bytes();
    let infinity = format.infinity_bits().unwrap_or_default();
    let text = |bits: u64| format!("\"0x{bits:0width$x}\"");
    let quiet = format.nan_bits().unwrap_or_default();
    let sign = format.sign_mask();
    let bits = [
        ("zero", text(0)),
        ("negative-zero", text(sign)),
        ("smallest", text(1)),
        ("largest", text(infinity - 1)),
        ("infinity", text(infinity)),
        ("nan", text(quiet)),
        ("negative-nan", text(quiet | sign)),
        ("nan-with-payload", text(quiet | 1)),
        ("signalling-nan", text(infinity | 1)),
        ("all-ones", text(infinity | sign | format.mantissa_mask())),
        ("order", text(0x0123_4567_89ab_cdef >> (64 - 4 * width))),
    ];
    let bits: Vec<Text<'_>> = bits.iter().map(|(id, text)| (*id, text.as_str())).collect();
    topic.parse(
        "parse-hex-bits",
        Level::Must,
        &["fill_value.float.hex-bits"],
        &bits,
        &[],
    )?;

    let digits = format!("{:0width$x}", quiet | 0xab);
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
        ("one-less".into(), format!("\"0x{}\"", &digits[1..])),
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
        (
            "wide-digit".into(),
            format!("\"0x\u{ff10}{}\"", &digits[3..]),
        ),
        ("float".into(), "\"0x1p3\"".into()),
    ];
    for other in [2, 4, 8, 16, 32]
        .into_iter()
        .filter(|other| *other != width)
    {
        rejected.push((
            format!("{other}-digits"),
            format!("\"0x{}\"", "3f".repeat(other / 2)),
        ));
    }
    let accepted: Vec<Text<'_>> = accepted
        .iter()
        .map(|(id, text)| (*id, text.as_str()))
        .collect();
    let rejected: Vec<Text<'_>> = rejected
        .iter()
        .map(|(id, text)| (id.as_str(), text.as_str()))
        .collect();
    topic.parse(
        "parse-hex",
        Level::Must,
        &["fill_value.float.hex"],
        &accepted,
        &rejected,
    )?;
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
    topic.parse(
        "parse-hex-prefix",
        Level::Must,
        &["fill_value.float.hex"],
        &[],
        &prefixes,
    )
}

fn canonical(topic: &mut Topic, format: &FloatFormat) -> Result<(), String> {
    let one = u64::from(format.bias.unsigned_abs()) << format.mantissa_bits;
    let normal = format.mantissa_mask() + 1;
    let infinity = format.infinity_bits().unwrap_or_default();
    let quiet = format.nan_bits().unwrap_or_default();
    let sign = format.sign_mask();
    let mut elements = vec![
        ("zero".to_owned(), 0),
        ("negative-zero".into(), sign),
        ("one".into(), one),
        ("minus-two".into(), (one + normal) | sign),
        ("after-one".into(), one + 1),
        ("below-one".into(), one - 1),
        ("smallest".into(), 1),
        ("second".into(), 2),
        ("below-normal".into(), normal - 1),
        ("normal".into(), normal),
        ("after-normal".into(), normal + 1),
        ("largest".into(), infinity - 1),
        ("smallest-number".into(), (infinity - 1) | sign),
        ("infinity".into(), infinity),
        ("negative-infinity".into(), infinity | sign),
        ("nan".into(), quiet),
        ("negative-nan".into(), quiet | sign),
        ("payload".into(), quiet | 0xab),
        ("signalling".into(), infinity | 1),
    ];
    // Decimals with few digits, and the layouts around them.
    for text in [
        "0.1",
        "0.3",
        "100",
        "65504",
        "0.0001",
        "0.00001",
        "0.000001",
        "1e-7",
        "123.456",
        "1000000",
        "16777216",
        "999999986991104",
        "1e15",
        "9999999198822400",
        "1e16",
        "1e17",
        "1.5e20",
        "1e22",
        "1e23",
        "1e-10",
        "9007199254740993",
        "5e-324",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1e-45",
        "6e-8",
        "0.333251953125",
        "8.5e37",
        "9.5e-5",
    ] {
        let scalar = exactum_metadata::parse_fill_value(topic.data_type, text)
            .map_err(|rejection| rejection.message)?;
        let bits = scalar.component(0);
        if bits != 0 && bits != infinity && !elements.iter().any(|(_, known)| *known == bits) {
            elements.push((format!("from-{text}"), bits));
        }
    }
    // And any others.
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for index in 0..24 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let bits = (state >> 3) & format.mask();
        if !format.is_nan(bits) {
            elements.push((format!("any-{index}"), bits));
        }
    }
    let elements: Vec<(&str, u128)> = elements
        .iter()
        .map(|(id, bits)| (id.as_str(), u128::from(*bits)))
        .collect();
    topic.format("format", &elements)
}
