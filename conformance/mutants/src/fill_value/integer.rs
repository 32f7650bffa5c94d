//! Mutants of `fill_value`: booleans, integers and complex numbers.

use super::*;

const BOOL: &[&str] = &["fill_value.bool"];
const LEXICAL: &[&str] = &["fill_value.integer.lexical"];
const RANGE: &[&str] = &["fill_value.integer.range"];
const NEGATIVE_ZERO: &[&str] = &["fill_value.integer.negative-zero"];
const COMPLEX: &[&str] = &["fill_value.complex"];

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
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
                let value = double(text).filter(crate::arithmetic::is_integer)?;
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
                (text == "-0" && matches!(data_type.format(), Format::Integer(_)))
                    .then(|| Err(Fault::Reject(refuse("fill_value.integer.negative-zero"))))
            })
        },
        "-0 is parsed as a float, since only floats have it, and then it is no integer (serde_json).",
        Witness::Parse("int16", "-0"),
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
];
