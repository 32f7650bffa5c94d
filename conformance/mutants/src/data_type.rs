//! Mutants of `data_type`: formats that are taken for others, and documents that name them.
//!
//! A wrong format shows wherever elements are numbers: in fill values and in casts. Numbers of
//! documents go through a binary64 here, which holds every value of the vectors that are to find
//! these faults.

use exactum_conformance::model::{
    Cast, CastValue, DataType, FloatFormat, Format, IntegerFormat, Nan, Rejection, Rounding, Scalar,
};
use exactum_conformance::{Fault, Outcome, parse_fill_value};
use exactum_exact::{Exact, Rounded, round};

use super::arithmetic::BINARY64;
use super::{Direction, Mutant, Parts, RIGHT, Witness, refuse};

/// The float format that is taken for that of a data type's numbers; `None` where it is right.
type Taken = fn(DataType) -> Option<FloatFormat>;

/// Whether a data type's components have this format, alone or in pairs.
fn has(data_type: DataType, format: FloatFormat) -> bool {
    matches!(data_type.format(), Format::Float(own) | Format::Complex(own) if own == format)
}

/// A number of a document in a format that is not the data type's.
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
    // Which texts are numbers and names at all, no format changes; hex is the bits anyway.
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
    let rejected = || Fault::Reject(refuse("fill_value.float.range"));
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

/// One element of a cast with a wrong format on either side.
fn cast_as(
    taken: Taken,
    codec: &CastValue,
    direction: Direction,
    bits: u64,
) -> Result<u64, Rejection> {
    let cast = oriented(codec, direction);
    let (from, to) = (taken(cast.from), taken(cast.to));
    if from.is_none() && to.is_none() {
        return exactum_reference::cast_value::cast_element(&cast, bits);
    }
    let format = |taken: Option<FloatFormat>, data_type: DataType| {
        taken.map_or(data_type.format(), Format::Float)
    };
    let value = Exact::from_bits(&format(from, cast.from), bits);
    rounded(&value, &format(to, cast.to), cast.rounding)
}

/// One element of a cast whose subnormal inputs, of eight bits and less, have another value.
fn cast_subnormal(
    codec: &CastValue,
    direction: Direction,
    bits: u64,
    value: impl Fn(&FloatFormat) -> Exact,
) -> Result<u64, Rejection> {
    let cast = oriented(codec, direction);
    let subnormal = float(cast.from).filter(|format| {
        format.bits() <= 8
            && format.zero
            && !format.is_nan(bits)
            && bits & !format.sign_mask() != 0
            && bits & !format.sign_mask() <= format.mantissa_mask()
    });
    match subnormal {
        Some(format) => rounded(&value(&format), &cast.to.format(), cast.rounding),
        None => exactum_reference::cast_value::cast_element(&cast, bits),
    }
}

/// One element of a cast from an integer that is taken for another one.
fn cast_integer(
    codec: &CastValue,
    direction: Direction,
    bits: u64,
    taken: impl Fn(DataType, IntegerFormat) -> Option<IntegerFormat>,
) -> Result<u64, Rejection> {
    let cast = oriented(codec, direction);
    let other = match cast.from.format() {
        Format::Integer(format) => taken(cast.from, format),
        _ => None,
    };
    match other {
        Some(format) => rounded(
            &Exact::from_bits(&Format::Integer(format), bits),
            &cast.to.format(),
            cast.rounding,
        ),
        None => exactum_reference::cast_value::cast_element(&cast, bits),
    }
}

fn oriented(codec: &CastValue, direction: Direction) -> Cast<'_> {
    match direction {
        Direction::Encode => codec.encoding(),
        Direction::Decode => codec.decoding(),
    }
}

/// A value rounded into a format; what does not fit is rejected.
fn rounded(value: &Exact, format: &Format, mode: Rounding) -> Result<u64, Rejection> {
    match round(value, format, mode) {
        Rounded::Bits(bits) => Ok(bits),
        Rounded::OutOfRange { .. } | Rounded::NotANumber | Rounded::NotFinite => {
            Err(refuse("cast_value.range.error"))
        }
    }
}

/// A mutant that takes a format for another one.
macro_rules! taken_for {
    ($name:literal, $breaks:expr, $taken:expr, $fault:literal, $witness:expr) => {
        Mutant {
            name: $name,
            breaks: $breaks,
            fault: $fault,
            parts: Parts {
                parse: Some(|data_type, json| parse_as($taken, data_type, json)),
                cast: Some(|codec, direction, bits| cast_as($taken, codec, direction, bits)),
                ..RIGHT
            },
            witness: $witness,
        }
    };
}

/// Another format in the place of one.
macro_rules! instead_of {
    ($right:expr, $wrong:expr) => {
        |data_type| has(data_type, $right).then_some($wrong)
    };
}

const LAYOUT: &[&str] = &["data_type.float.layout"];
const SUBNORMAL: &[&str] = &["data_type.float.subnormal"];
const NEGATIVE_ZERO: &[&str] = &["data_type.float.negative-zero"];
const IEEE: &[&str] = &["data_type.float.ieee"];
const FN: &[&str] = &["data_type.float.fn"];
const FNUZ: &[&str] = &["data_type.float.fnuz"];
const FNU: &[&str] = &["data_type.float.fnu"];
const COMPLEX: &[&str] = &["data_type.complex"];
const INTEGER: &[&str] = &["data_type.integer"];

/// E4M3 as the MX specification has it: no infinities, NaN in the last code only.
const FLOAT8_E4M3FN: FloatFormat = FloatFormat {
    infinity: false,
    nan: Nan::Only(0x7f),
    ..FloatFormat::FLOAT8_E4M3
};

/// The format with another bias.
const fn biased(bias: i32, format: FloatFormat) -> FloatFormat {
    FloatFormat { bias, ..format }
}

/// A format whose only NaN is the sign bit alone, read without that.
const fn with_negative_zero(format: FloatFormat) -> FloatFormat {
    FloatFormat {
        negative_zero: true,
        nan: Nan::None,
        ..format
    }
}

/// The formats of a data type's components, where it has some.
fn float(data_type: DataType) -> Option<FloatFormat> {
    data_type.format().float()
}

/// The mutants of this file.
pub(super) const MUTANTS: &[Mutant] = &[
    taken_for!(
        "fnuz-with-the-ieee-bias",
        LAYOUT,
        |data_type| match data_type {
            DataType::Float8E4m3fnuz => Some(biased(7, FloatFormat::FLOAT8_E4M3FNUZ)),
            DataType::Float8E5m2fnuz => Some(biased(15, FloatFormat::FLOAT8_E5M2FNUZ)),
            _ => None,
        },
        "The fnuz formats keep the bias of their IEEE cousins, one less than theirs: every value doubles.",
        Witness::Parse("float8_e4m3fnuz", "1")
    ),
    taken_for!(
        "b11-overlooked",
        LAYOUT,
        instead_of!(
            FloatFormat::FLOAT8_E4M3B11FNUZ,
            FloatFormat::FLOAT8_E4M3FNUZ
        ),
        "float8_e4m3b11fnuz is read as float8_e4m3fnuz: the b11 in its name is its bias.",
        Witness::Parse("float8_e4m3b11fnuz", "1")
    ),
    taken_for!(
        "float6-exchanged",
        LAYOUT,
        |data_type| {
            if has(data_type, FloatFormat::FLOAT6_E2M3FN) {
                Some(FloatFormat::FLOAT6_E3M2FN)
            } else {
                has(data_type, FloatFormat::FLOAT6_E3M2FN).then_some(FloatFormat::FLOAT6_E2M3FN)
            }
        },
        "The two formats of six bits are exchanged.",
        Witness::Parse("float6_e2m3fn", "7.5")
    ),
    taken_for!(
        "e3m4-as-e4m3",
        LAYOUT,
        instead_of!(FloatFormat::FLOAT8_E3M4, FloatFormat::FLOAT8_E4M3),
        "The digits of the name are read as mantissa and exponent: float8_e3m4 is float8_e4m3.",
        Witness::Parse("float8_e3m4", "1")
    ),
    taken_for!(
        "bfloat16-as-float16",
        LAYOUT,
        instead_of!(FloatFormat::BFLOAT16, FloatFormat::FLOAT16),
        "Sixteen bits are binary16 whatever they are called.",
        Witness::Parse("bfloat16", "1")
    ),
    Mutant {
        name: "subnormals-with-the-hidden-bit",
        breaks: SUBNORMAL,
        fault: "Exponent bits 0 are an exponent like any other: the smallest numbers have the implicit 1.",
        parts: Parts {
            cast: Some(|codec, direction, bits| {
                cast_subnormal(codec, direction, bits, |format| {
                    let without = FloatFormat {
                        zero: false,
                        ..*format
                    };
                    Exact::from_bits(&Format::Float(without), bits)
                })
            }),
            ..RIGHT
        },
        witness: Witness::Cast("float4_e2m1fn", TO_FLOAT64, "[0.5]"),
    },
    Mutant {
        name: "subnormals-one-exponent-lower",
        breaks: SUBNORMAL,
        fault: "Subnormal numbers have the exponent -bias; it is 1 - bias.",
        parts: Parts {
            cast: Some(|codec, direction, bits| {
                cast_subnormal(codec, direction, bits, |format| {
                    let right = Exact::from_bits(&Format::Float(*format), bits);
                    right.divide(&Exact::integer(2))
                })
            }),
            ..RIGHT
        },
        witness: Witness::Cast("float8_e5m2", TO_FLOAT64, "[0.0000152587890625]"),
    },
    taken_for!(
        "mx-negative-zero-lost",
        NEGATIVE_ZERO,
        |data_type| {
            let format = float(data_type).filter(|format| format.nan == Nan::None)?;
            Some(FloatFormat {
                negative_zero: false,
                ..format
            })
        },
        "-0 becomes 0 in the types of the MX specification.",
        Witness::Parse("float4_e2m1fn", "-0.0")
    ),
    taken_for!(
        "e4m3-as-e4m3fn",
        IEEE,
        instead_of!(FloatFormat::FLOAT8_E4M3, FLOAT8_E4M3FN),
        "float8_e4m3 is read as float8_e4m3fn, which reaches 448 and has no infinities (what the registry's own \"See also\" points to).",
        Witness::Parse("float8_e4m3", "\"Infinity\"")
    ),
    taken_for!(
        "mx-with-ieee-specials",
        FN,
        |data_type| {
            let format = float(data_type).filter(|format| format.nan == Nan::None)?;
            Some(FloatFormat {
                infinity: true,
                nan: Nan::Ieee,
                ..format
            })
        },
        "Exponent bits that are all 1 are infinity and NaN in every format: float4_e2m1fn 6 is NaN.",
        Witness::Parse("float4_e2m1fn", "6")
    ),
    taken_for!(
        "fnuz-nan-as-negative-zero",
        FNUZ,
        |data_type| {
            let format = float(data_type).filter(|format| !format.negative_zero && format.zero)?;
            Some(with_negative_zero(format))
        },
        "0x80 is read as -0, and there is no NaN.",
        Witness::Parse("float8_e4m3fnuz", "\"NaN\"")
    ),
    taken_for!(
        "fnuz-with-ieee-specials",
        FNUZ,
        |data_type| {
            let format = float(data_type).filter(|format| !format.negative_zero && format.zero)?;
            Some(FloatFormat {
                negative_zero: true,
                infinity: true,
                nan: Nan::Ieee,
                ..format
            })
        },
        "The fnuz formats have infinities and the NaNs of IEEE 754.",
        Witness::Parse("float8_e5m2fnuz", "57344")
    ),
    taken_for!(
        "e8m0-with-a-zero",
        FNU,
        |data_type| has(data_type, FloatFormat::FLOAT8_E8M0FNU).then_some(FloatFormat {
            zero: true,
            ..FloatFormat::FLOAT8_E8M0FNU
        }),
        "0x00 is zero, as in every other float.",
        Witness::Cast(
            "float8_e8m0fnu",
            r#"{"data_type": "float64"}"#,
            "[\"0x00\"]"
        )
    ),
    taken_for!(
        "e8m0-without-nan",
        FNU,
        |data_type| has(data_type, FloatFormat::FLOAT8_E8M0FNU).then_some(FloatFormat {
            nan: Nan::None,
            ..FloatFormat::FLOAT8_E8M0FNU
        }),
        "0xff is 2^128.",
        Witness::Parse("float8_e8m0fnu", "\"NaN\"")
    ),
    taken_for!(
        "complex-components-as-published",
        COMPLEX,
        |data_type| match data_type {
            DataType::ComplexFloat4E2m1fn
            | DataType::ComplexFloat6E2m3fn
            | DataType::ComplexFloat6E3m2fn
            | DataType::ComplexFloat8E5m2 => Some(FloatFormat::FLOAT8_E8M0FNU),
            _ => None,
        },
        "Four complex types have the components that their published schemas name, float8_e8m0fnu.",
        Witness::Parse("complex_float8_e5m2", "[1, 1]")
    ),
    Mutant {
        name: "complex-imaginary-part-first",
        breaks: COMPLEX,
        fault: "The imaginary part comes first in an element.",
        parts: Parts {
            parse: Some(|data_type, json| {
                let scalar = parse_fill_value(data_type, json)?;
                Ok(match data_type.format() {
                    Format::Complex(_) => {
                        Scalar::complex(data_type, scalar.component(1), scalar.component(0))
                    }
                    _ => scalar,
                })
            }),
            ..RIGHT
        },
        witness: Witness::Parse("complex128", "[1, 2]"),
    },
    Mutant {
        name: "complex-alias-unknown",
        breaks: &["data_type.alias"],
        fault: "complex_float32 and complex_float64 are not known: they stand in the registry only.",
        parts: Parts {
            parse: Some(|data_type, json| match data_type {
                DataType::ComplexFloat32 | DataType::ComplexFloat64 => {
                    Err(Fault::Reject(refuse("data_type.alias")))
                }
                _ => parse_fill_value(data_type, json),
            }),
            refuses: Some(|document| {
                document.contains("\"complex_float32\"") || document.contains("\"complex_float64\"")
            }),
            ..RIGHT
        },
        witness: Witness::Parse("complex_float32", "[1, 2]"),
    },
    Mutant {
        name: "bool-true-lost",
        breaks: &["data_type.bool"],
        fault: "A program without booleans reads true as text that is no number, which is 0.",
        parts: Parts {
            parse: Some(|data_type, json| {
                let scalar = parse_fill_value(data_type, json)?;
                Ok(match data_type {
                    DataType::Bool => Scalar::new(data_type, 0),
                    _ => scalar,
                })
            }),
            ..RIGHT
        },
        witness: Witness::Parse("bool", "true"),
    },
    Mutant {
        name: "small-integers-not-extended",
        breaks: INTEGER,
        fault: "int2 and int4 are taken as they lie in their byte: the highest of their bits is no sign.",
        parts: Parts {
            cast: Some(|codec, direction, bits| {
                cast_integer(codec, direction, bits, |data_type, format| {
                    matches!(data_type, DataType::Int2 | DataType::Int4).then_some(IntegerFormat {
                        signed: false,
                        ..format
                    })
                })
            }),
            ..RIGHT
        },
        witness: Witness::Cast("int4", r#"{"data_type": "int64"}"#, "[-1]"),
    },
    Mutant {
        name: "unsigned-integers-as-signed",
        breaks: INTEGER,
        fault: "Unsigned integers are held in signed ones of their width (Java).",
        parts: Parts {
            cast: Some(|codec, direction, bits| {
                cast_integer(codec, direction, bits, |_, format| {
                    (!format.signed).then_some(IntegerFormat {
                        signed: true,
                        ..format
                    })
                })
            }),
            ..RIGHT
        },
        witness: Witness::Cast("uint8", r#"{"data_type": "uint64"}"#, "[255]"),
    },
];

/// A cast to the type that holds every value of the others.
const TO_FLOAT64: &str = r#"{"data_type": "float64"}"#;
