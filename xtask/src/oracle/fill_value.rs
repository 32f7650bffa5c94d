//! The second oracle of `fill_value`. serde_json splits the text, and the standard library parses binary32 and
//! binary64. Other floats are found by comparing strings of digits with the middles between their values. serde_json
//! formats numbers.

use exactum_model::{DataType, Reason, Scalar};
use serde_json::value::RawValue;

use super::data_type::{Description, Layout, Meaning, description};
use super::decimal::Decimal;

/// Parses the JSON text of a scalar.
///
/// # Errors
/// If the text is not a scalar of the data type, with the reason.
pub(crate) fn parse(data_type: DataType, json: &str) -> Result<Scalar, Reason> {
    let raw: &RawValue = serde_json::from_str(json).map_err(|_| Reason::Metadata)?;
    let text = raw.get();
    match description(data_type) {
        Description::Bool => match text {
            "true" => Ok(Scalar::new(data_type, 1)),
            "false" => Ok(Scalar::new(data_type, 0)),
            _ => Err(Reason::FillValue),
        },
        Description::Integer(bits, signed) => integer(*bits, *signed, text)
            .map(|bits| Scalar::new(data_type, bits.into()))
            .ok_or(Reason::FillValue),
        Description::Float(layout) => {
            float(data_type, layout, text).map(|bits| Scalar::new(data_type, bits.into()))
        }
        Description::Complex(layout) => {
            let parts: Vec<&RawValue> =
                serde_json::from_str(text).map_err(|_| Reason::FillValue)?;
            let [real, imaginary] = parts[..] else {
                return Err(Reason::FillValue);
            };
            let component = match layout.bits() {
                64 => DataType::Float64,
                32 => DataType::Float32,
                _ => data_type,
            };
            Ok(Scalar::complex(
                data_type,
                float(component, layout, real.get())?,
                float(component, layout, imaginary.get())?,
            ))
        }
    }
}

/// Parses an integer with the parser of the 64-bit type of the same signedness, then checks the width of the type.
fn integer(bits: u32, signed: bool, text: &str) -> Option<u64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let spare = 64 - bits;
    if signed {
        let value: i64 = text.parse().ok()?;
        (value << spare >> spare == value).then_some(value.cast_unsigned() << spare >> spare)
    } else {
        // The parser of unsigned numbers does not know "-0".
        let text = if text == "-0" { "0" } else { text };
        let value: u64 = text.parse().ok()?;
        (value << spare >> spare == value).then_some(value)
    }
}

/// Parses a float: with the standard library for its two types, and with the tables of `spec/data_type.md` for all
/// others. Names and hex texts are parsed with these tables for all types.
fn float(data_type: DataType, layout: &Layout, text: &str) -> Result<u64, Reason> {
    match text.as_bytes().first() {
        Some(b'"') => {
            let text: String = serde_json::from_str(text).map_err(|_| Reason::Metadata)?;
            match text.as_str() {
                "NaN" => layout.nan,
                "Infinity" => layout.infinity(),
                "-Infinity" => layout.infinity().map(|code| code | layout.sign_bit()),
                other => hex(layout, other),
            }
            .ok_or(Reason::FillValue)
        }
        Some(b'-' | b'0'..=b'9') => number(data_type, layout, text).ok_or(Reason::FillValue),
        _ => Err(Reason::FillValue),
    }
}

fn hex(layout: &Layout, text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    if digits.len() != layout.hex_digits() {
        return None;
    }
    let mut bits = 0u64;
    for digit in digits.chars() {
        bits = bits << 4 | u64::from(digit.to_digit(16)?);
    }
    (bits.checked_shr(layout.bits()).unwrap_or(0) == 0).then_some(bits)
}

/// Returns the value nearest to a decimal.
fn number(data_type: DataType, layout: &Layout, text: &str) -> Option<u64> {
    match data_type {
        DataType::Float64 => text.parse::<f64>().ok().map(f64::to_bits),
        DataType::Float32 => text.parse::<f32>().ok().map(|float| float.to_bits().into()),
        _ => {
            let (negative, decimal) = Decimal::read(text)?;
            let infinity = || {
                let sign = if negative { layout.sign_bit() } else { 0 };
                layout.infinity().map(|code| code | sign)
            };
            layout.nearest(negative, &decimal).or_else(infinity)
        }
    }
}

/// Returns the canonical text of a scalar.
pub(crate) fn format(scalar: &Scalar) -> String {
    let bits = scalar.component(0);
    match description(scalar.data_type()) {
        Description::Bool => if bits == 1 { "true" } else { "false" }.into(),
        Description::Integer(width, true) => {
            let spare = 64 - width;
            ((bits << spare).cast_signed() >> spare).to_string()
        }
        Description::Integer(_, false) => bits.to_string(),
        Description::Float(layout) => format_float(layout, bits),
        Description::Complex(layout) => format!(
            "[{},{}]",
            format_float(layout, bits),
            format_float(layout, scalar.component(1))
        ),
    }
}

fn format_float(layout: &Layout, bits: u64) -> String {
    match layout.meaning(bits) {
        Meaning::Nan if Some(bits) == layout.nan => "\"NaN\"".into(),
        Meaning::Nan => format!("\"0x{bits:0width$x}\"", width = layout.hex_digits()),
        Meaning::Infinity(false) => "\"Infinity\"".into(),
        Meaning::Infinity(true) => "\"-Infinity\"".into(),
        Meaning::Number(negative, _) => {
            let magnitude = bits & !layout.sign_bit();
            let digits = match layout.bits() {
                64 => serde_json::to_string(&f64::from_bits(magnitude)).unwrap_or_default(),
                32 => {
                    let bits = u32::try_from(magnitude).unwrap_or_default();
                    serde_json::to_string(&f32::from_bits(bits)).unwrap_or_default()
                }
                _ => layout.shortest(magnitude).scientific(),
            };
            // These digits are few enough to be those of a binary64 too, so serde_json can format them.
            let text = digits
                .parse::<f64>()
                .ok()
                .and_then(|float| serde_json::to_string(&float).ok())
                .unwrap_or_default();
            let sign = if negative { "-" } else { "" };
            format!("{sign}{}", text.replace("e+", "e"))
        }
    }
}

#[cfg(test)]
mod tests;
