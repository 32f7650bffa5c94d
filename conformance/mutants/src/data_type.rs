//! Mutants of `data_type`: formats that are mistaken for others, and documents that name them.
//!
//! A wrong format affects every operation that treats elements as numbers: fill values and casts. Numbers in documents
//! are converted through binary64 here, which represents all values in the vectors that must detect these faults.

use std::sync::Arc;

use exactum_conformance::model::{
    DataType, FloatFormat, Format, IntegerFormat, Nan, Rounding, Scalar,
};
use exactum_conformance::{Fault, Outcome, parse_fill_value};
use exactum_exact::{Exact, Rounded, round};

use super::arithmetic::{BINARY64, integer, is_subnormal};
use super::cast_value::{Element, elements};
use super::{Mutant, NONE, Overrides, Wrong, give, mutant, reject, some_rejection};

/// The float format that is mistaken for that of a data type, or `None` if the format is right.
type Taken = fn(DataType) -> Option<FloatFormat>;

/// Returns whether a data type's components have this format, as real numbers or as complex parts.
fn has(data_type: DataType, format: FloatFormat) -> bool {
    matches!(data_type.format(), Format::Float(own) | Format::Complex(own) if own == format)
}

/// Parses a number of a document in a format other than that of the data type.
fn misread(format: &FloatFormat, text: &str) -> Option<u64> {
    let sign = |negative: bool| if negative { format.sign_mask() } else { 0 };
    match text {
        "\"NaN\"" => format.nan_bits(),
        "\"Infinity\"" => format.infinity_bits(),
        "\"-Infinity\"" => format.infinity_bits().map(|bits| bits | sign(true)),
        _ => {
            let value: f64 = text.parse().ok()?;
            let exact = Exact::from_bits(&BINARY64, value.to_bits());
            match round(&exact, &Format::Float(*format), Rounding::NearestEven) {
                Rounded::Bits(bits) => Some(bits),
                Rounded::OutOfRange { above, .. } => {
                    format.infinity_bits().map(|bits| bits | sign(!above))
                }
                Rounded::NotANumber | Rounded::NotFinite => None,
            }
        }
    }
}

/// `fill_value.parse` with a wrong format.
fn parse_as(taken: Taken, data_type: DataType, json: &str) -> Outcome<Scalar> {
    let right = parse_fill_value(data_type, json);
    let Some(format) = taken(data_type) else {
        return right;
    };
    // The format does not affect which texts are numbers or names, and hex gives the bits directly.
    let text = json.trim();
    let in_doubt = match &right {
        Ok(_) => !text.contains("0x"),
        Err(Fault::Reject(rejection)) => {
            ["fill_value.float.range", "fill_value.float.names"].contains(&rejection.clause)
        }
        Err(_) => false,
    };
    if !in_doubt {
        return right;
    }
    let rejected = || Fault::Reject(some_rejection());
    if data_type.format().components() == 1 {
        let bits = misread(&format, text).ok_or_else(rejected)?;
        return Ok(Scalar::new(data_type, bits.into()));
    }
    let parts: Option<Vec<u64>> = text
        .trim_start_matches('[')
        .trim_end_matches(']')
        .split(',')
        .map(|part| misread(&format, part.trim()))
        .collect();
    match parts.as_deref() {
        Some(&[real, imaginary]) => Ok(Scalar::complex(data_type, real, imaginary)),
        _ => Err(rejected()),
    }
}

/// Returns a mutant that mistakes a format for another one.
fn taken_for(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    taken: Taken,
) -> Mutant {
    let overrides = Overrides {
        parse: Some(Arc::new(move |data_type, json| {
            parse_as(taken, data_type, json)
        })),
        ..elements(move |it| {
            let (from, to) = (taken(it.cast.from), taken(it.cast.to));
            from.or(to)?;
            let value = Exact::from_bits(&from.map_or(it.from, Format::Float), it.bits);
            rounded(&value, &to.map_or(it.to, Format::Float), it.cast.rounding)
        })
    };
    mutant(name, clause, fault, overrides)
}

/// Rounds a value into a format, and rejects a value that does not fit.
fn rounded(value: &Exact, format: &Format, mode: Rounding) -> Wrong {
    match round(value, format, mode) {
        Rounded::Bits(bits) => give(bits),
        Rounded::OutOfRange { .. } | Rounded::NotANumber | Rounded::NotFinite => reject(),
    }
}

/// Returns a mutant of casts that reads elements as other values.
fn read_as(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    value: fn(&Element<'_>) -> Option<Exact>,
) -> Mutant {
    let overrides = elements(move |it| rounded(&value(it)?, &it.to, it.cast.rounding));
    mutant(name, clause, fault, overrides)
}

/// Returns a mutant of `fill_value.parse`.
fn parse(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    change: fn(Scalar) -> Scalar,
) -> Mutant {
    let parse = move |data_type, json: &str| Ok(change(parse_fill_value(data_type, json)?));
    let overrides = Overrides {
        parse: Some(Arc::new(parse)),
        ..NONE
    };
    mutant(name, clause, fault, overrides)
}

/// Returns the format of an element that is a subnormal float of at most eight bits.
fn subnormal(it: &Element<'_>) -> Option<FloatFormat> {
    let float = it.from.float().filter(|float| float.bits() <= 8)?;
    let nonzero = it.bits & !float.sign_mask() != 0;
    (nonzero && is_subnormal(&float, it.bits)).then_some(float)
}

/// Returns the value of an integer that is read with or without a sign.
fn with_sign(it: &Element<'_>, signed: bool) -> Option<Exact> {
    let format = IntegerFormat {
        signed,
        ..integer(&it.from)?
    };
    Some(Exact::from_bits(&Format::Integer(format), it.bits))
}

/// Returns the format with another bias.
const fn biased(bias: i32, format: FloatFormat) -> FloatFormat {
    FloatFormat { bias, ..format }
}

/// Returns the format of a type's components, if it is a format without NaN from the MX specification.
fn mx(data_type: DataType) -> Option<FloatFormat> {
    data_type
        .format()
        .float()
        .filter(|float| float.nan == Nan::None)
}

/// Returns the format of a type's components, if its only NaN is the sign bit alone.
fn fnuz(data_type: DataType) -> Option<FloatFormat> {
    let float = data_type.format().float();
    float.filter(|float| !float.negative_zero && float.zero)
}

/// Rejects names of complex types that are only in the registry.
fn alias_unknown(data_type: DataType, json: &str) -> Outcome<Scalar> {
    match data_type {
        DataType::ComplexFloat32 | DataType::ComplexFloat64 => Err(Fault::Reject(some_rejection())),
        _ => parse_fill_value(data_type, json),
    }
}

pub(super) fn mutants() -> Vec<Mutant> {
    [float_layouts(), special_floats(), other_types()].concat()
}

#[rustfmt::skip] // A table.
fn float_layouts() -> Vec<Mutant> {
    vec![
        taken_for("fnuz-with-the-ieee-bias", "data_type.float.layout",
            "The fnuz formats keep the bias of their IEEE cousins, one less than theirs: every value doubles.",
            |it| match it {
                DataType::Float8E4m3fnuz => Some(biased(7, FloatFormat::FLOAT8_E4M3FNUZ)),
                DataType::Float8E5m2fnuz => Some(biased(15, FloatFormat::FLOAT8_E5M2FNUZ)),
                _ => None,
            }),
        taken_for("b11-overlooked", "data_type.float.layout",
            "float8_e4m3b11fnuz is read as float8_e4m3fnuz: the b11 in its name is its bias.",
            |it| has(it, FloatFormat::FLOAT8_E4M3B11FNUZ).then_some(FloatFormat::FLOAT8_E4M3FNUZ)),
        taken_for("float6-exchanged", "data_type.float.layout",
            "The two formats of six bits are swapped.",
            |it| match it.format().float()? {
                FloatFormat::FLOAT6_E2M3FN => Some(FloatFormat::FLOAT6_E3M2FN),
                FloatFormat::FLOAT6_E3M2FN => Some(FloatFormat::FLOAT6_E2M3FN),
                _ => None,
            }),
        taken_for("e3m4-as-e4m3", "data_type.float.layout",
            "The digits of the name are read as mantissa and exponent: float8_e3m4 is float8_e4m3.",
            |it| has(it, FloatFormat::FLOAT8_E3M4).then_some(FloatFormat::FLOAT8_E4M3)),
        taken_for("bfloat16-as-float16", "data_type.float.layout",
            "Every type of sixteen bits is binary16, regardless of its name.",
            |it| has(it, FloatFormat::BFLOAT16).then_some(FloatFormat::FLOAT16)),
        read_as("subnormals-with-the-hidden-bit", "data_type.float.subnormal",
            "Exponent bits of 0 are an exponent like any other: the smallest numbers have the implicit 1.",
            |it| {
                let without = FloatFormat {
                    zero: false,
                    ..subnormal(it)?
                };
                Some(Exact::from_bits(&Format::Float(without), it.bits))
            }),
        read_as("subnormals-one-exponent-lower", "data_type.float.subnormal",
            "Subnormal numbers have the exponent -bias; it is 1 - bias.",
            |it| subnormal(it).map(|_| it.value.divide(&Exact::integer(2)))),
        taken_for("mx-negative-zero-lost", "data_type.float.negative-zero",
            "-0 becomes 0 in the types of the MX specification.",
            |it| {
                Some(FloatFormat {
                    negative_zero: false,
                    ..mx(it)?
                })
            }),
    ]
}

#[rustfmt::skip] // A table.
fn special_floats() -> Vec<Mutant> {
    vec![
        taken_for("e4m3-as-e4m3fn", "data_type.float.ieee",
            r#"float8_e4m3 is read as float8_e4m3fn, which reaches 448 and has no infinities (what the registry's own "See also" points to)."#,
            |it| has(it, FloatFormat::FLOAT8_E4M3).then_some(FloatFormat::FLOAT8_E4M3FN)),
        taken_for("mx-with-ieee-specials", "data_type.float.fn",
            "Exponent bits that are all 1 are infinity and NaN in every format: float4_e2m1fn 6 is NaN.",
            |it| {
                Some(FloatFormat {
                    infinity: true,
                    nan: Nan::Ieee,
                    ..mx(it)?
                })
            }),
        taken_for("e4m3fn-without-nan", "data_type.float.fn-nan",
            "A format without infinities has no NaN either: 0x7f is 480.",
            |it| {
                let right = FloatFormat::FLOAT8_E4M3FN;
                has(it, right).then_some(FloatFormat {
                    nan: Nan::None,
                    ..right
                })
            }),
        taken_for("e4m3fn-with-one-nan", "data_type.float.fn-nan",
            "The only NaN is 0x7f; 0xff is -480.",
            |it| {
                let right = FloatFormat::FLOAT8_E4M3FN;
                has(it, right).then_some(FloatFormat {
                    nan: Nan::Only(0x7f),
                    ..right
                })
            }),
        taken_for("e4m3fn-as-e4m3", "data_type.float.fn-nan",
            "float8_e4m3fn is read as the registry's float8_e4m3, which has infinities and ends at 240.",
            |it| has(it, FloatFormat::FLOAT8_E4M3FN).then_some(FloatFormat::FLOAT8_E4M3)),
        taken_for("e4m3fn-as-e4m3fnuz", "data_type.float.fn-nan",
            "float8_e4m3fn is read as float8_e4m3fnuz, whose bias is 8.",
            |it| has(it, FloatFormat::FLOAT8_E4M3FN).then_some(FloatFormat::FLOAT8_E4M3FNUZ)),
        taken_for("fnuz-nan-as-negative-zero", "data_type.float.fnuz",
            "0x80 is read as -0, and there is no NaN.",
            |it| {
                Some(FloatFormat {
                    negative_zero: true,
                    nan: Nan::None,
                    ..fnuz(it)?
                })
            }),
        taken_for("fnuz-with-ieee-specials", "data_type.float.fnuz",
            "The fnuz formats have infinities and the NaNs of IEEE 754.",
            |it| {
                Some(FloatFormat {
                    negative_zero: true,
                    infinity: true,
                    nan: Nan::Ieee,
                    ..fnuz(it)?
                })
            }),
        taken_for("e8m0-with-a-zero", "data_type.float.fnu",
            "0x00 is zero, as in every other float.",
            |it| {
                let right = FloatFormat::FLOAT8_E8M0FNU;
                has(it, right).then_some(FloatFormat {
                    zero: true,
                    ..right
                })
            }),
        taken_for("e8m0-without-nan", "data_type.float.fnu",
            "0xff is 2^128.",
            |it| {
                let right = FloatFormat::FLOAT8_E8M0FNU;
                has(it, right).then_some(FloatFormat {
                    nan: Nan::None,
                    ..right
                })
            }),
    ]
}

#[rustfmt::skip] // A table.
fn other_types() -> Vec<Mutant> {
    vec![
        taken_for("complex-components-as-published", "data_type.complex",
            "Four complex types have the components that their published schemas name, float8_e8m0fnu.",
            |it| match it {
                DataType::ComplexFloat4E2m1fn
                | DataType::ComplexFloat6E2m3fn
                | DataType::ComplexFloat6E3m2fn
                | DataType::ComplexFloat8E5m2 => Some(FloatFormat::FLOAT8_E8M0FNU),
                _ => None,
            }),
        parse("complex-imaginary-part-first", "data_type.complex",
            "The imaginary part comes first in an element.",
            |it| match it.data_type().format() {
                Format::Complex(_) => {
                    Scalar::complex(it.data_type(), it.component(1), it.component(0))
                }
                _ => it,
            }),
        mutant("complex-alias-unknown", "data_type.alias",
            "complex_float32 and complex_float64 are unknown, since only the registry has them.",
            Overrides {
                parse: Some(Arc::new(alias_unknown)),
                refuses: Some(Arc::new(|document: &str| {
                    document.contains("\"complex_float32\"")
                        || document.contains("\"complex_float64\"")
                })),
                ..NONE
            }),
        parse("bool-true-lost", "data_type.bool",
            "A program without booleans reads true as text that is not a number, and therefore as 0.",
            |it| match it.data_type() {
                DataType::Bool => Scalar::new(DataType::Bool, 0),
                _ => it,
            }),
        read_as("small-integers-not-extended", "data_type.integer",
            "int2 and int4 are read as unsigned bytes: the highest of their bits is not a sign.",
            |it| match it.cast.from {
                DataType::Int2 | DataType::Int4 => with_sign(it, false),
                _ => None,
            }),
        read_as("unsigned-integers-as-signed", "data_type.integer",
            "Unsigned integers are stored in signed integers of the same width (Java).",
            |it| with_sign(it, true).filter(|_| integer(&it.from).is_some_and(|from| !from.signed))),
    ]
}
