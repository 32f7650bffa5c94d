//! Mutants of `cast_value`: types of 8 bits and less, and bfloat16.

use exactum_conformance::model::{DataType, FloatFormat, IntegerFormat, Nan};

use super::*;
use crate::arithmetic::BINARY32;

const EXACT: &[&str] = &["cast_value.exact"];
const ONCE: &[&str] = &["cast_value.rounding.once"];
const NEAREST_EVEN: &[&str] = &["cast_value.rounding.nearest-even"];
const NO_ZERO: &[&str] = &["cast_value.rounding.no-zero"];
const RANGE_ERROR: &[&str] = &["cast_value.range.error"];
const CLAMP: &[&str] = &["cast_value.range.clamp"];
const WRAP: &[&str] = &["cast_value.range.wrap"];
const NAN: &[&str] = &["cast_value.special.nan"];
const NAN_ERROR: &[&str] = &["cast_value.special.nan-error"];
const INFINITY: &[&str] = &["cast_value.special.infinity"];
const INFINITY_ERROR: &[&str] = &["cast_value.special.infinity-error"];
const ZERO_SIGN_LOST: &[&str] = &["cast_value.special.zero-sign-lost"];

/// The float format of the output, if it is one without infinities and with a sign.
fn finite_float(cast: &Cast<'_>) -> Option<FloatFormat> {
    let Format::Float(format) = cast.to.format() else {
        return None;
    };
    (!format.infinity && format.zero).then_some(format)
}

/// A format of which -0 is the only NaN.
fn fnuz(data_type: DataType) -> Option<FloatFormat> {
    match data_type.format() {
        Format::Float(format) => (format.zero && !format.negative_zero).then_some(format),
        _ => None,
    }
}

fn small_integer(data_type: DataType) -> Option<IntegerFormat> {
    match data_type.format() {
        Format::Integer(format) if format.bits < 8 => Some(format),
        _ => None,
    }
}

/// Right but for inputs that are read as other values.
fn read_as(
    codec: &CastValue,
    direction: Direction,
    bits: u64,
    other: impl FnOnce(&Cast<'_>) -> Option<Exact>,
) -> Result<u64, Rejection> {
    unless(codec, direction, bits, |cast, _| {
        let value = other(cast)?;
        let to = cast.to.format();
        Some(match round(&value, &to, cast.rounding) {
            Rounded::Bits(bits) => Ok(bits),
            Rounded::OutOfRange { above, .. } if cast.out_of_range == Some(OutOfRange::Clamp) => {
                Ok(clamp(&to, above))
            }
            _ => Err(refuse("cast_value.exact")),
        })
    })
}

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    mutant(
        "small-floats-through-binary32",
        ONCE,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let small = cast.to.format().component_bits() <= 8;
                let float = matches!(cast.to.format(), Format::Float(_));
                let there = through(value, &BINARY32);
                if !(small && float && matches!(there, Exact::Finite(_))) {
                    return None;
                }
                match round(&there, &cast.to.format(), cast.rounding) {
                    Rounded::Bits(bits) => Some(Ok(bits)),
                    _ => None,
                }
            })
        },
        "float64 reaches the small floats through float32 (ml_dtypes 0.6.0, zarrs): 1 + 2^-4 + 2^-40 gives 1 in float8_e4m3.",
        Witness::Cast(
            "float64",
            r#"{"data_type":"float8_e4m3"}"#,
            r#"["0x3ff1000000001000"]"#,
        ),
    ),
    mutant(
        "bfloat16-cut-off",
        NEAREST_EVEN,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let single = cast.from == DataType::Float32 && cast.to == DataType::Bfloat16;
                (single
                    && cast.rounding == Rounding::NearestEven
                    && matches!(value, Exact::Finite(_)))
                .then_some(Ok(bits >> 16))
            })
        },
        "The lower 16 bits of a float32 are cut off: the usual way to bfloat16 in a hurry.",
        Witness::Cast(
            "float32",
            r#"{"data_type":"bfloat16"}"#,
            r#"["0x3f80ffff"]"#,
        ),
    ),
    mutant(
        "bfloat16-nan-rounded",
        NAN,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let single = cast.from == DataType::Float32 && cast.to == DataType::Bfloat16;
                let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1));
                (single && *value == Exact::Nan).then_some(Ok(rounded >> 16 & 0xffff))
            })
        },
        "Rounding by adding to the bits is done before NaN is looked for: the NaN with all bits set becomes -0.",
        Witness::Cast(
            "float32",
            r#"{"data_type":"bfloat16"}"#,
            r#"["0x7fffffff"]"#,
        ),
    ),
    mutant(
        "int4-wrapped-in-8-bits",
        WRAP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Wrap),
                codec,
                direction,
                bits,
                |cast, rounded, _| {
                    small_integer(cast.to).map(|_| {
                        let byte = IntegerFormat {
                            bits: 8,
                            signed: true,
                        };
                        Ok(wrap(&byte, rounded))
                    })
                },
            )
        },
        "int4 is held in a byte and wraps where the byte does: 200 becomes -56, which is no int4.",
        Witness::Cast(
            "int16",
            r#"{"data_type":"int4","out_of_range":"wrap"}"#,
            "[200]",
        ),
    ),
    mutant(
        "int4-in-the-range-of-a-byte",
        RANGE_ERROR,
        |codec, direction, bits| {
            out_of_range(None, codec, direction, bits, |cast, rounded, _| {
                let format = small_integer(cast.to)?;
                let byte = IntegerFormat { bits: 8, ..format };
                match round(rounded, &Format::Integer(byte), cast.rounding) {
                    Rounded::Bits(bits) => Some(Ok(bits)),
                    _ => None,
                }
            })
        },
        "The range that is tested is that of the byte which holds the element: 100 is taken for an int4.",
        Witness::Cast("int16", r#"{"data_type":"int4"}"#, "[100]"),
    ),
    mutant(
        "int4-clamped-to-the-byte",
        CLAMP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Clamp),
                codec,
                direction,
                bits,
                |cast, _, above| {
                    let format = small_integer(cast.to)?;
                    let byte = IntegerFormat { bits: 8, ..format };
                    Some(Ok(clamp(&Format::Integer(byte), above)))
                },
            )
        },
        "Clamping goes to the limits of the byte that holds the element: 1000 becomes 127 in int4.",
        Witness::Cast(
            "int16",
            r#"{"data_type":"int4","out_of_range":"clamp"}"#,
            "[1000]",
        ),
    ),
    mutant(
        "int4-without-its-sign",
        EXACT,
        |codec, direction, bits| {
            read_as(codec, direction, bits, |cast| {
                let format = small_integer(cast.from)?;
                let negative = format.signed && bits >> (format.bits - 1) == 1;
                negative.then(|| Exact::integer(bits.into()))
            })
        },
        "The sign of int2 and int4 is not extended: -1 is read as 15.",
        Witness::Cast("int4", r#"{"data_type":"int8"}"#, "[-1]"),
    ),
    mutant(
        "uint4-with-a-sign",
        EXACT,
        |codec, direction, bits| {
            read_as(codec, direction, bits, |cast| {
                let format = small_integer(cast.from)?;
                let high = !format.signed && bits >> (format.bits - 1) == 1;
                high.then(|| Exact::integer(i128::from(bits) - (1 << format.bits)))
            })
        },
        "Unsigned nibbles pass through the code of the signed ones: 15 is read as -1.",
        Witness::Cast("uint4", r#"{"data_type":"int8"}"#, "[15]"),
    ),
    mutant(
        "fnuz-keeps-negative-zero",
        ZERO_SIGN_LOST,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let format = fnuz(cast.to)?;
                let zero = cast_element(cast, bits).is_ok_and(|bits| bits == 0);
                (zero && value.is_negative()).then_some(Ok(format.sign_mask()))
            })
        },
        "The sign bit is put beside a zero in a fnuz type, where 80 is NaN.",
        Witness::Cast("float32", r#"{"data_type":"float8_e4m3fnuz"}"#, "[-0.0]"),
    ),
    mutant(
        "fnuz-with-the-bias-of-ieee",
        EXACT,
        |codec, direction, bits| {
            read_as(codec, direction, bits, |cast| {
                let format = fnuz(cast.from)?;
                let ieee = FloatFormat {
                    bias: (1 << (format.exponent_bits - 1)) - 1,
                    ..format
                };
                (!format.is_nan(bits) && bits != 0)
                    .then(|| Exact::from_bits(&Format::Float(ieee), bits))
            })
        },
        "The fnuz types are read with the bias of IEEE formats: values are twice as large or more.",
        Witness::Cast("float8_e5m2fnuz", r#"{"data_type":"float32"}"#, "[1.0]"),
    ),
    mutant(
        "fnuz-nan-is-the-largest",
        NAN,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let format = fnuz(cast.to)?;
                (*value == Exact::Nan).then(|| Ok(format.max_finite_bits()))
            })
        },
        "NaN is written with all exponent and mantissa bits set, which is the largest value of a fnuz type.",
        Witness::Cast(
            "float32",
            r#"{"data_type":"float8_e5m2fnuz"}"#,
            r#"["NaN"]"#,
        ),
    ),
    mutant(
        "finite-float-overflow-is-nan",
        RANGE_ERROR,
        |codec, direction, bits| {
            out_of_range(None, codec, direction, bits, |cast, _, _| {
                finite_float(cast)?.nan_bits().map(Ok)
            })
        },
        "What is too large for a fnuz type becomes its NaN (ml_dtypes 0.6.0).",
        Witness::Cast("float32", r#"{"data_type":"float8_e4m3fnuz"}"#, "[1000]"),
    ),
    mutant(
        "finite-float-clamped-to-nan",
        CLAMP,
        |codec, direction, bits| {
            out_of_range(
                Some(OutOfRange::Clamp),
                codec,
                direction,
                bits,
                |cast, _, _| finite_float(cast)?.nan_bits().map(Ok),
            )
        },
        "Under clamp, too, what is too large for a fnuz type becomes its NaN: the conversion library knows no other way.",
        Witness::Cast(
            "float32",
            r#"{"data_type":"float8_e4m3fnuz","out_of_range":"clamp"}"#,
            "[1000]",
        ),
    ),
    mutant(
        "finite-float-overflow-is-the-largest",
        RANGE_ERROR,
        |codec, direction, bits| {
            out_of_range(None, codec, direction, bits, |cast, _, above| {
                let format = cast.to.format();
                finite_float(cast)?
                    .nan_bits()
                    .is_none()
                    .then(|| Ok(largest(&format, above)))
            })
        },
        "What is too large for float4 and float6 saturates (ml_dtypes 0.6.0, the OCP conversions).",
        Witness::Cast("float32", r#"{"data_type":"float4_e2m1fn"}"#, "[100]"),
    ),
    mutant(
        "infinity-is-the-largest-of-finite-floats",
        INFINITY_ERROR,
        |codec, direction, bits| {
            infinity_error(Some(OutOfRange::Clamp), codec, direction, bits, largest)
        },
        "Under clamp an infinity becomes the largest value of a type without: 6 in float4 (zarrs).",
        Witness::Cast(
            "float32",
            r#"{"data_type":"float4_e2m1fn","out_of_range":"clamp"}"#,
            r#"["Infinity"]"#,
        ),
    ),
    mutant(
        "infinity-is-nan-in-finite-floats",
        INFINITY_ERROR,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let nan = cast.to.format().float()?.nan_bits()?;
                let lost = cast.to.format().float()?.infinity_bits().is_none();
                (lost && matches!(value, Exact::Infinite { .. })).then_some(Ok(nan))
            })
        },
        "An infinity becomes NaN in a fnuz type (ml_dtypes 0.6.0).",
        Witness::Cast(
            "float32",
            r#"{"data_type":"float8_e5m2fnuz"}"#,
            r#"["Infinity"]"#,
        ),
    ),
    mutant(
        "nan-is-negative-zero-in-finite-floats",
        NAN_ERROR,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let format = finite_float(cast)?;
                (*value == Exact::Nan && format.nan == Nan::None).then(|| Ok(format.sign_mask()))
            })
        },
        "NaN becomes -0 in float4 and float6 (ml_dtypes 0.6.0; zarrs, as a fill value).",
        Witness::Cast("float32", r#"{"data_type":"float4_e2m1fn"}"#, r#"["NaN"]"#),
    ),
    mutant(
        "float8_e4m3-is-float8_e4m3fn",
        INFINITY,
        |codec, direction, bits| {
            read_as(codec, direction, bits, |cast| {
                let infinite = cast.from == DataType::Float8E4m3 && bits & 0x7f == 0x78;
                infinite.then(|| Exact::integer(if bits == 0x78 { 256 } else { -256 }))
            })
        },
        "float8_e4m3 is taken for float8_e4m3fn, which has no infinity: 78 is read as 256 (the two names are mixed up in the type's own description).",
        Witness::Cast(
            "float8_e4m3",
            r#"{"data_type":"float32"}"#,
            r#"["Infinity"]"#,
        ),
    ),
    mutant(
        "float8_e4m3-reaches-448",
        RANGE_ERROR,
        |codec, direction, bits| {
            out_of_range(None, codec, direction, bits, |cast, rounded, above| {
                let finite = FloatFormat {
                    infinity: false,
                    nan: Nan::Only(0x7f),
                    ..FloatFormat::FLOAT8_E4M3
                };
                if cast.to != DataType::Float8E4m3 || !above {
                    return None;
                }
                match round(rounded, &Format::Float(finite), cast.rounding) {
                    Rounded::Bits(bits) => Some(Ok(bits)),
                    _ => None,
                }
            })
        },
        "float8_e4m3 is taken for float8_e4m3fn, whose largest value is 448.",
        Witness::Cast("float32", r#"{"data_type":"float8_e4m3"}"#, "[256]"),
    ),
    mutant(
        "no-zero-read-as-zero",
        EXACT,
        |codec, direction, bits| {
            read_as(codec, direction, bits, |cast| {
                let format = cast.from.format().float()?;
                (!format.zero && bits == 0).then_some(Exact::Zero { negative: false })
            })
        },
        "The code 00 of float8_e8m0fnu is read as zero, as in every other format; it is 2^-127.",
        Witness::Cast(
            "float8_e8m0fnu",
            r#"{"data_type":"float32"}"#,
            r#"["0x00"]"#,
        ),
    ),
    mutant(
        "no-zero-nan-read-as-a-number",
        NAN,
        |codec, direction, bits| {
            read_as(codec, direction, bits, |cast| {
                let format = cast.from.format().float()?;
                let one = Exact::integer(1 << 126);
                let four = one.add(&one).add(&one).add(&one);
                (!format.zero && bits == 0xff).then_some(four)
            })
        },
        "The code ff of float8_e8m0fnu is read as the next power of two, 2^128.",
        Witness::Cast("float8_e8m0fnu", r#"{"data_type":"float64"}"#, r#"["NaN"]"#),
    ),
    mutant(
        "no-zero-ties-to-even-code",
        NO_ZERO,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let format = cast.to.format().float()?;
                let Exact::Finite(finite) = value else {
                    return None;
                };
                let tie = finite.in_quanta(finite.floor_log2() - 1);
                let three = tie.0.bits() == 2 && tie.0.bit(0) && tie.1.bits() == 0;
                let nearest = cast.rounding == Rounding::NearestEven;
                if format.zero || !three || !nearest {
                    return None;
                }
                let right = cast_element(&Cast { map: &[], ..*cast }, bits).ok()?;
                Some(Ok(right - (right & 1)))
            })
        },
        "Ties in float8_e8m0fnu go to the even code, as the bits of any other format would have it.",
        Witness::Cast("float32", r#"{"data_type":"float8_e8m0fnu"}"#, "[12.0]"),
    ),
    mutant(
        "no-zero-takes-magnitudes",
        NO_ZERO,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let format = cast.to.format().float()?;
                if format.zero || !matches!(value, Exact::Finite(_)) || !value.is_negative() {
                    return None;
                }
                match round(&value.negate(), &cast.to.format(), cast.rounding) {
                    Rounded::Bits(bits) => Some(Ok(bits)),
                    _ => None,
                }
            })
        },
        "The sign of a number is dropped on the way into float8_e8m0fnu, which has none.",
        Witness::Cast("float32", r#"{"data_type":"float8_e8m0fnu"}"#, "[-2.0]"),
    ),
    mutant(
        "no-zero-makes-nan",
        NO_ZERO,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let format = cast.to.format().float()?;
                let finite = matches!(value, Exact::Finite(_) | Exact::Zero { .. });
                let positive = matches!(value, Exact::Finite(finite) if !finite.negative);
                (!format.zero && finite && !positive)
                    .then(|| format.nan_bits().map(Ok))
                    .flatten()
            })
        },
        "Zero and negative numbers become NaN in float8_e8m0fnu (ml_dtypes 0.6.0; zarrs, as fill values).",
        Witness::Cast("float32", r#"{"data_type":"float8_e8m0fnu"}"#, "[0.0]"),
    ),
    mutant(
        "no-zero-subnormal-inputs-up",
        NEAREST_EVEN,
        |codec, direction, bits| {
            unless(codec, direction, bits, |cast, value| {
                let Exact::Finite(finite) = value else {
                    return None;
                };
                let single = cast.from == DataType::Float32 && cast.to == DataType::Float8E8m0fnu;
                let between = !finite.negative && finite.floor_log2() == -127;
                let exact = finite.in_quanta(-127).1.bits() == 0;
                let nearest = cast.rounding == Rounding::NearestEven;
                (single && between && !exact && nearest).then_some(Ok(1))
            })
        },
        "Subnormal float32 values just above 2^-127 become 2^-126 in float8_e8m0fnu (ml_dtypes 0.6.0).",
        Witness::Cast(
            "float32",
            r#"{"data_type":"float8_e8m0fnu"}"#,
            r#"["0x00400001"]"#,
        ),
    ),
];
