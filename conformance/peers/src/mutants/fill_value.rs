//! Mutants of `fill_value`: scalars read from text and written as text.

use exactum_conformance::model::{DataType, FloatFormat, Format, Rounding, Scalar};
use exactum_conformance::{Fault, Outcome, parse_fill_value};
use exactum_exact::{Exact, Rounded, canonical, round};

use super::arithmetic::{BINARY64, bits_through_binary64, largest, saturated};
use super::{Mutant, Parts, RIGHT, Witness, refuse};

const fn parse(
    name: &'static str,
    breaks: &'static [&'static str],
    part: fn(DataType, &str) -> Outcome<Scalar>,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            parse: Some(part),
            ..RIGHT
        },
        witness,
    }
}

const fn format(
    name: &'static str,
    part: fn(&Scalar) -> Outcome<String>,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks: CANONICAL,
        fault,
        parts: Parts {
            format: Some(part),
            ..RIGHT
        },
        witness,
    }
}

/// Right, but where the right answer is a rejection by this clause the fault decides.
fn accepted(
    clause: &str,
    data_type: DataType,
    json: &str,
    fault: impl FnOnce(&str) -> Option<Scalar>,
) -> Outcome<Scalar> {
    match parse_fill_value(data_type, json) {
        Err(Fault::Reject(rejection)) if rejection.clause == clause => {
            fault(json.trim()).ok_or(Fault::Reject(rejection))
        }
        outcome => outcome,
    }
}

/// Right, but where the right answer is a scalar the fault may change it.
fn changed(
    data_type: DataType,
    json: &str,
    fault: impl FnOnce(&str, Scalar) -> Option<Outcome<Scalar>>,
) -> Outcome<Scalar> {
    let scalar = parse_fill_value(data_type, json)?;
    fault(json.trim(), scalar).unwrap_or(Ok(scalar))
}

/// The float format of a data type that is no complex one.
fn float(data_type: DataType) -> Option<FloatFormat> {
    match data_type.format() {
        Format::Float(format) => Some(format),
        _ => None,
    }
}

fn real(data_type: DataType, bits: u64) -> Scalar {
    Scalar::new(data_type, bits.into())
}

fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// The content of a JSON string without escapes.
fn string(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"')
}

/// A number of the host language: rounded to binary64.
fn double(text: &str) -> Option<Exact> {
    let value: f64 = text.parse().ok()?;
    Some(Exact::from_bits(&BINARY64, value.to_bits()))
}

/// A value rounded into a data type; nothing where it has none.
fn nearest(data_type: DataType, value: &Exact, mode: Rounding) -> Option<Scalar> {
    match round(value, &data_type.format(), mode) {
        Rounded::Bits(bits) => Some(real(data_type, bits)),
        _ => None,
    }
}

/// The value of a finite float as binary64.
fn as_double(scalar: &Scalar) -> Option<f64> {
    let format = float(scalar.data_type())?;
    match Exact::from_bits(&Format::Float(format), scalar.component(0)) {
        Exact::Nan | Exact::Infinite { .. } => None,
        value => match round(&value, &BINARY64, Rounding::NearestEven) {
            Rounded::Bits(bits) => Some(f64::from_bits(bits)),
            _ => None,
        },
    }
}

/// Whether a fill value overflows a float: it is a number, and it became infinite.
fn overflow(text: &str, scalar: &Scalar) -> Option<FloatFormat> {
    float(scalar.data_type())
        .filter(|format| is_number(text) && format.is_infinite(scalar.component(0)))
}

const BOOL: &[&str] = &["fill_value.bool"];
const LEXICAL: &[&str] = &["fill_value.integer.lexical"];
const RANGE: &[&str] = &["fill_value.integer.range"];
const NEGATIVE_ZERO: &[&str] = &["fill_value.integer.negative-zero"];
const KIND: &[&str] = &["fill_value.float.kind"];
const NUMBER: &[&str] = &["fill_value.float.number"];
const OVERFLOW: &[&str] = &["fill_value.float.overflow"];
const NAMES: &[&str] = &["fill_value.float.names"];
const NAN: &[&str] = &["fill_value.float.nan"];
const HEX: &[&str] = &["fill_value.float.hex"];
const HEX_BITS: &[&str] = &["fill_value.float.hex-bits"];
const COMPLEX: &[&str] = &["fill_value.complex"];
const CANONICAL: &[&str] = &["fill_value.canonical"];

/// The mutants of this file.
pub(super) const MUTANTS: &[Mutant] = &[
    parse(
        "bool-from-numbers",
        BOOL,
        |data_type, json| {
            accepted(BOOL[0], data_type, json, |text| match text {
                "0" => Some(real(data_type, 0)),
                "1" => Some(real(data_type, 1)),
                _ => None,
            })
        },
        "0 and 1 are taken as booleans (zarr-python).",
        Witness::Parse("bool", "1"),
    ),
    parse(
        "bool-from-strings",
        BOOL,
        |data_type, json| {
            accepted(BOOL[0], data_type, json, |text| match string(text)? {
                "false" => Some(real(data_type, 0)),
                "true" => Some(real(data_type, 1)),
                _ => None,
            })
        },
        "\"true\" is taken as a boolean (zarr-python).",
        Witness::Parse("bool", "\"true\""),
    ),
    parse(
        "integer-with-fraction",
        LEXICAL,
        |data_type, json| {
            accepted(LEXICAL[0], data_type, json, |text| {
                let whole = text.strip_suffix(".0")?;
                parse_fill_value(data_type, whole).ok()
            })
        },
        "1.0 is taken as an integer (tensorstore; zarr-python on purpose): a parsed number does not show how it was written.",
        Witness::Parse("int16", "1.0"),
    ),
    parse(
        "integer-with-exponent",
        LEXICAL,
        |data_type, json| {
            accepted(LEXICAL[0], data_type, json, |text| {
                let exponent = text.contains(['e', 'E']);
                let value = double(text).filter(super::arithmetic::is_integer)?;
                exponent
                    .then(|| nearest(data_type, &value, Rounding::TowardsZero))
                    .flatten()
            })
        },
        "1e3 is taken as an integer (tensorstore).",
        Witness::Parse("int16", "1e3"),
    ),
    parse(
        "integer-in-a-string",
        LEXICAL,
        |data_type, json| {
            accepted(LEXICAL[0], data_type, json, |text| {
                parse_fill_value(data_type, string(text)?)
                    .ok()
                    .filter(|_| string(text).is_some_and(is_number))
            })
        },
        "\"5\" is taken as an integer (zarr-python 3.3.0).",
        Witness::Parse("int16", "\"5\""),
    ),
    parse(
        "integer-wraps",
        RANGE,
        |data_type, json| {
            accepted(RANGE[0], data_type, json, |text| {
                let value: i128 = text.parse().ok()?;
                let mask = i128::from(data_type.format().component_mask());
                u64::try_from(value & mask)
                    .ok()
                    .map(|bits| real(data_type, bits))
            })
        },
        "256 as a uint8 becomes 0: the number is stored into a typed array (zarrita 0.7.5).",
        Witness::Parse("uint8", "256"),
    ),
    parse(
        "integer-saturates",
        RANGE,
        |data_type, json| {
            accepted(RANGE[0], data_type, json, |text| {
                let above = !text.starts_with('-');
                Some(real(data_type, largest(&data_type.format(), above)))
            })
        },
        "256 as a uint8 becomes 255.",
        Witness::Parse("uint8", "256"),
    ),
    parse(
        "integer-through-binary64",
        RANGE,
        |data_type, json| {
            changed(data_type, json, |_, scalar| {
                matches!(data_type.format(), Format::Integer(_)).then(|| {
                    let bits = bits_through_binary64(&data_type.format(), scalar.component(0));
                    Ok(real(data_type, bits))
                })
            })
        },
        "Integers are read as binary64 and lose what is above 2^53 (JavaScript's JSON.parse).",
        Witness::Parse("int64", "9007199254740993"),
    ),
    parse(
        "integer-negative-zero-rejected",
        NEGATIVE_ZERO,
        |data_type, json| {
            changed(data_type, json, |text, _| {
                (text == "-0" && matches!(data_type.format(), Format::Integer(_))).then(|| {
                    Err(Fault::Reject(refuse("fill_value.integer.negative-zero")))
                })
            })
        },
        "-0 is parsed as a float, since only floats have it, and then it is no integer (serde_json).",
        Witness::Parse("int16", "-0"),
    ),
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
                (text == "\"NaN\"")
                    .then(|| Ok(real(data_type, scalar.component(0) | format.mantissa_mask())))
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
                let value = Exact::from_bits(
                    &narrow.format(),
                    u64::from_str_radix(digits, 16).ok()?,
                );
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
    parse(
        "complex-from-one-number",
        COMPLEX,
        |data_type, json| {
            accepted(COMPLEX[0], data_type, json, |text| {
                is_number(text)
                    .then(|| parse_fill_value(data_type, &format!("[{text}, 0]")).ok())
                    .flatten()
            })
        },
        "A bare number is a complex one without imaginary part, as in the second version of the format.",
        Witness::Parse("complex64", "1"),
    ),
    parse(
        "complex-parts-exchanged",
        COMPLEX,
        |data_type, json| {
            changed(data_type, json, |_, scalar| {
                (data_type.format().components() == 2).then(|| {
                    let (real, imaginary) = (scalar.component(0), scalar.component(1));
                    Ok(Scalar::complex(data_type, imaginary, real))
                })
            })
        },
        "The imaginary part is taken first.",
        Witness::Parse("complex64", "[1, 2]"),
    ),
    format(
        "canonical-of-binary64",
        |scalar| {
            Ok(as_double(scalar)
                .and_then(|value| serde_json::to_string(&value).ok())
                .unwrap_or_else(|| canonical(scalar)))
        },
        "Narrow floats are written with the digits that a binary64 needs: 0.1 as 0.10000000149011612 (Python, JavaScript).",
        Witness::Format("float32", "0.1"),
    ),
    format(
        "canonical-seventeen-digits",
        |scalar| {
            Ok(as_double(scalar)
                .filter(|value| *value != 0.0)
                .map_or_else(|| canonical(scalar), |value| format!("{value:.16e}")))
        },
        "Always seventeen digits, which are always enough: C's %.17g.",
        Witness::Format("float64", "0.1"),
    ),
    format(
        "canonical-integral-floats-plain",
        |scalar| {
            let text = canonical(scalar);
            Ok(match (float(scalar.data_type()), text.strip_suffix(".0")) {
                (Some(_), Some(whole)) => whole.to_owned(),
                _ => text,
            })
        },
        "1.0 is written as 1, JavaScript's way.",
        Witness::Format("float32", "1.0"),
    ),
    format(
        "canonical-every-nan-is-nan",
        |scalar| {
            let nan = float(scalar.data_type())
                .is_some_and(|format| format.is_nan(scalar.component(0)));
            Ok(if nan {
                "\"NaN\"".into()
            } else {
                canonical(scalar)
            })
        },
        "Other NaNs are written as \"NaN\" and lose their bits.",
        Witness::Format("float32", "\"0x7fc00001\""),
    ),
    format(
        "canonical-uppercase-hex",
        |scalar| {
            let text = canonical(scalar);
            Ok(match text.strip_prefix("\"0x") {
                Some(digits) => format!("\"0x{}", digits.to_uppercase()),
                None => text,
            })
        },
        "Hex digits in upper case.",
        Witness::Format("float32", "\"0x7fc00001\""),
    ),
    format(
        "canonical-unsigned-as-signed",
        |scalar| {
            let data_type = scalar.data_type();
            Ok(match data_type.format() {
                Format::Integer(format) if !format.signed => {
                    let bits = i128::from(scalar.component(0));
                    let negative = bits >> (format.bits - 1) & 1 == 1;
                    let modulus = if negative { 1i128 << format.bits } else { 0 };
                    (bits - modulus).to_string()
                }
                _ => canonical(scalar),
            })
        },
        "Unsigned integers are printed as signed ones: a language without unsigned types (Java).",
        Witness::Format("uint64", "18446744073709551615"),
    ),
    format(
        "canonical-integer-through-binary64",
        |scalar| {
            let data_type = scalar.data_type();
            Ok(match data_type.format() {
                Format::Integer(_) => {
                    let format = data_type.format();
                    let value = super::arithmetic::through(
                        &Exact::from_bits(&format, scalar.component(0)),
                        &BINARY64,
                    );
                    canonical(&real(data_type, saturated(&value, &format)))
                }
                _ => canonical(scalar),
            })
        },
        "Integers pass through a binary64 on their way to text (JavaScript).",
        Witness::Format("int64", "9007199254740993"),
    ),
];
