//! Mutants of `fill_value`: what a type does not have, and digits that are not looked at.

use super::*;

const NUMBER: &[&str] = &["fill_value.float.number"];
const NAMES: &[&str] = &["fill_value.float.names"];
const RANGE: &[&str] = &["fill_value.float.range"];
const HEX: &[&str] = &["fill_value.float.hex"];
const COMPLEX: &[&str] = &["fill_value.complex"];

/// The sign of a decimal's text.
fn is_negative(text: &str) -> bool {
    text.starts_with('-')
}

/// The magnitude's digits of a decimal, cut off behind a number of significant ones.
fn cut_off(text: &str, count: usize) -> String {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mut kept = 0;
    let digits: String = mantissa
        .chars()
        .map(|character| {
            if character.is_ascii_digit() && (kept > 0 || character != '0') {
                kept += 1;
            }
            if kept > count && character.is_ascii_digit() {
                '0'
            } else {
                character
            }
        })
        .collect();
    format!("{digits}e{exponent}")
}

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    parse(
        "decimal-through-binary32",
        NUMBER,
        |data_type, json| {
            changed(data_type, json, |text, _| {
                let format = float(data_type).filter(|_| is_number(text))?;
                if format.bits() > 16 {
                    return None;
                }
                let single: f32 = text.parse().ok()?;
                let value = Exact::from_bits(&BINARY32, single.to_bits().into());
                nearest(data_type, &value, Rounding::NearestEven).map(Ok)
            })
        },
        "Decimals are read as binary32 and narrowed: enough for small types, it seems.",
        Witness::Parse("bfloat16", "1.00390625029103830456733703613281250000"),
    ),
    parse(
        "decimal-ties-away",
        NUMBER,
        |data_type, json| {
            changed(data_type, json, |text, _| {
                float(data_type).filter(|format| is_number(text) && format.mantissa_bits > 0)?;
                nearest(data_type, &double(text)?, Rounding::NearestAway).map(Ok)
            })
        },
        "Ties go away from zero; the core says half to even since its pull request 377.",
        Witness::Parse("float16", "2049"),
    ),
    parse(
        "tie-to-the-even-exponent",
        &["fill_value.float.no-even"],
        |data_type, json| {
            changed(data_type, json, |text, scalar| {
                let format = float(data_type).filter(|format| is_number(text) && !format.zero)?;
                let bits = scalar.component(0);
                let value = double(text)?;
                let exact = Exact::from_bits(&Format::Float(format), bits);
                // The right answer lies a third above a tie.
                let tie = exact
                    .multiply(&Exact::integer(3))
                    .divide(&Exact::integer(4));
                let even = (bits.is_multiple_of(2) || bits == 0)
                    || value.compare(&tie) != Some(std::cmp::Ordering::Equal);
                (!even).then(|| Ok(real(data_type, bits - 1)))
            })
        },
        "Bits are rounded to even bits, whatever they mean: 3 in float8_e8m0fnu is 2.",
        Witness::Parse("float8_e8m0fnu", "3"),
    ),
    parse(
        "decimal-nineteen-digits",
        NUMBER,
        |data_type, json| {
            changed(data_type, json, |text, _| {
                float(data_type).filter(|_| is_number(text))?;
                parse_fill_value(data_type, &cut_off(text, 19)).ok().map(Ok)
            })
        },
        "What a 64-bit mantissa does not hold is cut off: the fast path of a decimal parser without its slow one.",
        Witness::Parse(
            "float64",
            "1.000000000000000111022302462515654042363166809082031250000001",
        ),
    ),
    parse(
        "decimal-eight-hundred-digits",
        NUMBER,
        |data_type, json| {
            changed(data_type, json, |text, _| {
                float(data_type).filter(|_| is_number(text))?;
                parse_fill_value(data_type, &cut_off(text, 800))
                    .ok()
                    .map(Ok)
            })
        },
        "More digits than any tie has are dropped, and with them that there was something above the tie.",
        Witness::Parse(
            "float16",
            concat!(
                "1.00048828125",
                "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
                "1"
            ),
        ),
    ),
    parse(
        "absent-nan-is-negative-zero",
        NAMES,
        |data_type, json| {
            accepted(NAMES[0], data_type, json, |text| {
                let format = float(data_type)?;
                (text == "\"NaN\"").then(|| real(data_type, format.sign_mask()))
            })
        },
        "\"NaN\" in a type without one is -0: its bits are those of another NaN, cut down (zarrs, float4_e2m1fn).",
        Witness::Parse("float4_e2m1fn", "\"NaN\""),
    ),
    parse(
        "absent-infinity-is-nan",
        NAMES,
        |data_type, json| {
            accepted(NAMES[0], data_type, json, |text| {
                let nan = float(data_type)?.nan_bits()?;
                text.contains("Infinity\"").then(|| real(data_type, nan))
            })
        },
        "\"Infinity\" in a type without one is NaN (zarrs and tensorstore, the fnuz types).",
        Witness::Parse("float8_e4m3fnuz", "\"Infinity\""),
    ),
    parse(
        "absent-infinity-is-the-largest",
        NAMES,
        |data_type, json| {
            accepted(NAMES[0], data_type, json, |text| {
                float(data_type)?;
                let above = match text {
                    "\"Infinity\"" => true,
                    "\"-Infinity\"" => false,
                    _ => return None,
                };
                Some(real(data_type, largest(&data_type.format(), above)))
            })
        },
        "\"Infinity\" in a type without one is its largest value: conversions that saturate.",
        Witness::Parse("float6_e3m2fn", "\"Infinity\""),
    ),
    parse(
        "escapes-not-decoded",
        NAMES,
        |data_type, json| {
            changed(data_type, json, |text, _| {
                (string(text)?.contains('\\') && float(data_type).is_some())
                    .then(|| Err(Fault::Reject(refuse(NAMES[0]))))
            })
        },
        "Names are compared with the text between the quotation marks, escapes and all.",
        Witness::Parse("float32", "\"\\u004eaN\""),
    ),
    parse(
        "range-saturates",
        RANGE,
        |data_type, json| {
            accepted(RANGE[0], data_type, json, |text| {
                float(data_type)?;
                let above = !is_negative(text);
                Some(real(data_type, largest(&data_type.format(), above)))
            })
        },
        "A number beyond the range of a type without infinities is its largest value (zarrs, float4_e2m1fn).",
        Witness::Parse("float4_e2m1fn", "100"),
    ),
    parse(
        "range-is-nan",
        RANGE,
        |data_type, json| {
            accepted(RANGE[0], data_type, json, |_| {
                Some(real(data_type, float(data_type)?.nan_bits()?))
            })
        },
        "A number that the type does not have is NaN (zarrs: 1000 in the fnuz types, 0 and -1 in float8_e8m0fnu).",
        Witness::Parse("float8_e8m0fnu", "0"),
    ),
    parse(
        "range-zero-is-the-smallest",
        RANGE,
        |data_type, json| {
            accepted(RANGE[0], data_type, json, |text| {
                let format = float(data_type).filter(|format| !format.zero)?;
                let value = double(text)?;
                let small = value.compare(&Exact::integer(1)) == Some(std::cmp::Ordering::Less);
                (format.bits() == 8 && small).then(|| real(data_type, 0))
            })
        },
        "0 in float8_e8m0fnu is the smallest value, whose bits are all 0 (tensorstore takes it).",
        Witness::Parse("float8_e8m0fnu", "0"),
    ),
    parse(
        "hex-bits-above-dropped",
        HEX,
        |data_type, json| {
            accepted(HEX[0], data_type, json, |text| {
                let digits = string(text)?.strip_prefix("0x")?;
                let whole = digits.len() == 2 * data_type.format().component_bytes();
                let bits = u64::from_str_radix(digits, 16).ok()?;
                whole.then(|| real(data_type, bits))
            })
        },
        "Bits above a sub-byte type's own are dropped: \"0x17\" as a float4_e2m1fn (zarrs, tensorstore).",
        Witness::Parse("float4_e2m1fn", "\"0x17\""),
    ),
    parse(
        "hex-capital-x",
        HEX,
        |data_type, json| {
            accepted(HEX[0], data_type, json, |text| {
                let digits = string(text)?.strip_prefix("0X")?;
                parse_fill_value(data_type, &format!("\"0x{digits}\"")).ok()
            })
        },
        "\"0X\" is taken for \"0x\", as scanf and int() do.",
        Witness::Parse("float32", "\"0X7fc00000\""),
    ),
    parse(
        "complex-further-parts-ignored",
        COMPLEX,
        |data_type, json| {
            accepted(COMPLEX[0], data_type, json, |text| {
                let mut parts = text.strip_prefix('[')?.strip_suffix(']')?.split(',');
                let (real, imaginary) = (parts.next()?, parts.next()?);
                parse_fill_value(data_type, &format!("[{real},{imaginary}]")).ok()
            })
        },
        "The first two elements of a longer list are taken.",
        Witness::Parse("complex_bfloat16", "[1, 2, 3]"),
    ),
    parse(
        "complex-one-part-is-real",
        COMPLEX,
        |data_type, json| {
            accepted(COMPLEX[0], data_type, json, |text| {
                let part = text.strip_prefix('[')?.strip_suffix(']')?;
                parse_fill_value(data_type, &format!("[{part}, 0]")).ok()
            })
        },
        "A list of one element has no imaginary part.",
        Witness::Parse("complex64", "[1]"),
    ),
    format(
        "canonical-negative-zero-dropped",
        |scalar| {
            let text = canonical(scalar);
            Ok(if text == "-0.0" { "0.0".into() } else { text })
        },
        "-0 is written as 0.0.",
        Witness::Format("float6_e2m3fn", "-0.0"),
    ),
    format(
        "canonical-hex-of-one-width",
        |scalar| {
            let nan = float(scalar.data_type()).filter(|format| {
                format.bits() < 32
                    && format.is_nan(scalar.component(0))
                    && format.nan_bits() != Some(scalar.component(0))
            });
            Ok(match nan {
                Some(_) => format!("\"0x{:08x}\"", scalar.component(0)),
                None => canonical(scalar),
            })
        },
        "A NaN's hex has eight digits whatever the width of the type.",
        Witness::Format("float8_e5m2", "\"0x7d\""),
    ),
];
