//! Mutants of `fill_value`: floats.

use super::*;

const KIND: &[&str] = &["fill_value.float.kind"];
const NUMBER: &[&str] = &["fill_value.float.number"];
const OVERFLOW: &[&str] = &["fill_value.float.overflow"];
const NAMES: &[&str] = &["fill_value.float.names"];
const NAN: &[&str] = &["fill_value.float.nan"];
const HEX: &[&str] = &["fill_value.float.hex"];
const HEX_BITS: &[&str] = &["fill_value.float.hex-bits"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    parse(
        "float-in-a-string",
        KIND,
        |data_type, json| {
            // Which clause rejects a string that is no name is a matter of words.
            parse_fill_value(data_type, json).or_else(|fault| {
                match (float(data_type), string(json.trim())) {
                    (Some(_), Some(text)) if is_number(text) && !text.starts_with("0x") => {
                        parse_fill_value(data_type, text)
                    }
                    _ => Err(fault),
                }
            })
        },
        "\"1.5\" is taken as a number (zarr-python 3.3.0).",
        Witness::Parse("float32", "\"1.5\""),
    ),
    parse(
        "float-from-booleans",
        KIND,
        |data_type, json| {
            accepted(KIND[0], data_type, json, |text| match text {
                "true" => nearest(data_type, &Exact::integer(1), Rounding::NearestEven),
                "false" => Some(real(data_type, 0)),
                _ => None,
            })
        },
        "true is taken as 1.0 (zarr-python 3.3.0).",
        Witness::Parse("float32", "true"),
    ),
    parse(
        "float-from-null",
        KIND,
        |data_type, json| {
            accepted(KIND[0], data_type, json, |text| {
                (text == "null").then(|| real(data_type, 0))
            })
        },
        "null is the type's default, as in the second version of the format.",
        Witness::Parse("float32", "null"),
    ),
    parse(
        "decimal-through-binary64",
        NUMBER,
        |data_type, json| {
            changed(data_type, json, |text, _| {
                float(data_type).filter(|_| is_number(text))?;
                nearest(data_type, &double(text)?, Rounding::NearestEven).map(Ok)
            })
        },
        "Decimals are rounded to binary64 first and then to the type (every implementation looked at).",
        Witness::Parse("float32", "1.00000005960464477539062500000001"),
    ),
    parse(
        "decimal-cut-off",
        NUMBER,
        |data_type, json| {
            changed(data_type, json, |text, _| {
                float(data_type).filter(|_| is_number(text))?;
                nearest(data_type, &double(text)?, Rounding::TowardsZero).map(Ok)
            })
        },
        "The binary64 is narrowed by cutting off its mantissa.",
        Witness::Parse("float32", "0.1"),
    ),
    parse(
        "decimal-zero-loses-sign",
        NUMBER,
        |data_type, json| {
            changed(data_type, json, |text, scalar| {
                let format = float(data_type)?;
                (is_number(text) && format.is_zero(scalar.component(0)))
                    .then(|| Ok(real(data_type, 0)))
            })
        },
        "-0.0 becomes 0: numbers that are integers are read as integers (JSON libraries that have both kinds).",
        Witness::Parse("float32", "-0.0"),
    ),
    parse(
        "decimal-subnormal-flushed",
        NUMBER,
        |data_type, json| {
            changed(data_type, json, |text, scalar| {
                let format = float(data_type)?;
                let bits = scalar.component(0);
                let field = bits >> format.mantissa_bits & format.max_exponent_field();
                (is_number(text) && field == 0 && format.zero)
                    .then(|| Ok(real(data_type, bits & format.sign_mask())))
            })
        },
        "Decimals below the smallest normal value become zero.",
        Witness::Parse("float32", "1e-40"),
    ),
    parse(
        "decimal-overflow-rejected",
        OVERFLOW,
        |data_type, json| {
            changed(data_type, json, |text, scalar| {
                overflow(text, &scalar)
                    .map(|_| Err(Fault::Reject(refuse("fill_value.float.overflow"))))
            })
        },
        "A number beyond the range is rejected (zarrs, where the JSON parser refuses 1e400).",
        Witness::Parse("float32", "1e39"),
    ),
    parse(
        "decimal-overflow-saturates",
        OVERFLOW,
        |data_type, json| {
            changed(data_type, json, |text, scalar| {
                let format = overflow(text, &scalar)?;
                let above = scalar.component(0) & format.sign_mask() == 0;
                Some(Ok(real(data_type, largest(&data_type.format(), above))))
            })
        },
        "A number beyond the range is the largest finite value.",
        Witness::Parse("float32", "1e39"),
    ),
    parse(
        "names-of-other-languages",
        NAMES,
        |data_type, json| {
            accepted(NAMES[0], data_type, json, |text| {
                let name = match string(text)? {
                    "+Infinity" | "inf" | "Inf" | "+inf" | "infinity" => "\"Infinity\"",
                    "-inf" | "-Inf" | "-infinity" => "\"-Infinity\"",
                    "nan" | "NAN" | "-NaN" => "\"NaN\"",
                    _ => return None,
                };
                parse_fill_value(data_type, name).ok()
            })
        },
        "Whatever Python's float() reads is taken: \"+Infinity\", \"inf\", \"nan\" (zarr-python 3.3.0).",
        Witness::Parse("float32", "\"+Infinity\""),
    ),
    parse(
        "nan-negative",
        NAN,
        |data_type, json| {
            changed(data_type, json, |text, scalar| {
                let format = float(data_type)?;
                (text == "\"NaN\"")
                    .then(|| Ok(real(data_type, scalar.component(0) | format.sign_mask())))
            })
        },
        "\"NaN\" has its sign bit set: the NaN that an x86 computes.",
        Witness::Parse("float32", "\"NaN\""),
    ),
    parse(
        "nan-all-ones",
        NAN,
        |data_type, json| {
            changed(data_type, json, |text, scalar| {
                let format = float(data_type)?;
                (text == "\"NaN\"").then(|| {
                    Ok(real(
                        data_type,
                        scalar.component(0) | format.mantissa_mask(),
                    ))
                })
            })
        },
        "\"NaN\" has all mantissa bits set: the default NaN of some CPUs and of CUDA.",
        Witness::Parse("float32", "\"NaN\""),
    ),
    parse(
        "hex-width-from-its-length",
        HEX,
        |data_type, json| {
            accepted(HEX[0], data_type, json, |text| {
                let digits = string(text)?.strip_prefix("0x")?;
                let narrow = match digits.len() {
                    4 => DataType::Float16,
                    8 => DataType::Float32,
                    16 => DataType::Float64,
                    _ => return None,
                };
                let value =
                    Exact::from_bits(&narrow.format(), u64::from_str_radix(digits, 16).ok()?);
                nearest(data_type, &value, Rounding::NearestEven)
            })
        },
        "The width of the digits chooses the type: \"0x3fc0\" as a float32 is read as a float16, 1.9375 (zarr-python).",
        Witness::Parse("float32", "\"0x3fc0\""),
    ),
    parse(
        "hex-short",
        HEX,
        |data_type, json| {
            accepted(HEX[0], data_type, json, |text| {
                let digits = string(text)?.strip_prefix("0x")?;
                let width = 2 * data_type.format().component_bytes();
                (digits.len() < width)
                    .then(|| u64::from_str_radix(digits, 16).ok())
                    .flatten()
                    .map(|bits| real(data_type, bits))
            })
        },
        "Leading zeros may be missing: \"0x1\" (tensorstore).",
        Witness::Parse("float32", "\"0x7fc0\""),
    ),
    parse(
        "hex-uppercase-digits-rejected",
        HEX,
        |data_type, json| {
            changed(data_type, json, |text, _| {
                let digits = string(text)?.strip_prefix("0x")?;
                digits
                    .bytes()
                    .any(|digit| digit.is_ascii_uppercase())
                    .then(|| Err(Fault::Reject(refuse("fill_value.float.hex"))))
            })
        },
        "Digits in upper case are refused: the canonical form is taken for the only one.",
        Witness::Parse("float32", "\"0x7FC00000\""),
    ),
    parse(
        "hex-little-endian",
        HEX_BITS,
        |data_type, json| {
            changed(data_type, json, |text, scalar| {
                float(data_type)?;
                string(text)?.strip_prefix("0x")?;
                let mut bytes = scalar.to_bytes();
                bytes.reverse();
                Scalar::from_bytes(data_type, &bytes).map(Ok)
            })
        },
        "The digits are the bytes as a little-endian chunk has them.",
        Witness::Parse("float32", "\"0x7fc00001\""),
    ),
    parse(
        "hex-nan-made-default",
        HEX_BITS,
        |data_type, json| {
            changed(data_type, json, |_, scalar| {
                let format = float(data_type)?;
                format
                    .is_nan(scalar.component(0))
                    .then(|| format.nan_bits().map(|bits| Ok(real(data_type, bits))))
                    .flatten()
            })
        },
        "Every NaN becomes the default one: the value is kept as a number of the host language.",
        Witness::Parse("float32", "\"0x7fc00001\""),
    ),
    parse(
        "hex-nan-quieted",
        HEX_BITS,
        |data_type, json| {
            changed(data_type, json, |_, scalar| {
                let format = float(data_type)?;
                let bits = scalar.component(0);
                (format.is_nan(bits) && format.mantissa_bits > 1)
                    .then(|| Ok(real(data_type, bits | 1 << (format.mantissa_bits - 1))))
            })
        },
        "A signalling NaN becomes quiet when it is converted, as float32 to a Python float and back.",
        Witness::Parse("float32", "\"0x7f800001\""),
    ),
];
