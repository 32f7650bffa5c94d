//! The second oracle of `fill_value`: serde_json splits the text, the standard library and
//! software floats read the numbers, serde_json writes them back.

use exactum_model::Scalar;
use exactum_model::{Cast, DataType, FloatFormat, Format, IntegerFormat, Nan, Reason, Rounding};
use rustc_apfloat::ieee::{BFloat, Half, Quad};
use rustc_apfloat::{Float, Round, Status};
use serde_json::value::RawValue;

use super::cast_value::to_small;
use super::tables::{Number, table};

/// Reads the JSON text of a scalar.
///
/// # Errors
/// Why it is none of the data type.
pub(crate) fn parse(data_type: DataType, json: &str) -> Result<Scalar, Reason> {
    let raw: &RawValue = serde_json::from_str(json).map_err(|_| Reason::Metadata)?;
    let text = raw.get();
    match data_type.format() {
        Format::Bool => match text {
            "true" => Ok(Scalar::new(data_type, 1)),
            "false" => Ok(Scalar::new(data_type, 0)),
            _ => Err(Reason::FillValue),
        },
        Format::Integer(format) => integer(&format, text)
            .map(|bits| Scalar::new(data_type, bits.into()))
            .ok_or(Reason::FillValue),
        Format::Float(format) => {
            float(data_type, &format, text).map(|bits| Scalar::new(data_type, bits.into()))
        }
        Format::Complex(format) => {
            let parts: Vec<&RawValue> =
                serde_json::from_str(text).map_err(|_| Reason::FillValue)?;
            let [real, imaginary] = parts[..] else {
                return Err(Reason::FillValue);
            };
            let component = component_type(&format).ok_or(Reason::UnsupportedDataType)?;
            Ok(Scalar::complex(
                data_type,
                float(component, &format, real.get())?,
                float(component, &format, imaginary.get())?,
            ))
        }
    }
}

/// The float type of a complex type's components.
fn component_type(format: &FloatFormat) -> Option<DataType> {
    DataType::ALL
        .iter()
        .copied()
        .find(|data_type| data_type.format() == Format::Float(*format))
}

/// By the parser of the 64-bit type of the same sign, then by what is left of the type's width.
fn integer(format: &IntegerFormat, text: &str) -> Option<u64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let spare = 64 - format.bits;
    if format.signed {
        let value: i64 = text.parse().ok()?;
        (value << spare >> spare == value).then_some(value.cast_unsigned() << spare >> spare)
    } else {
        // The parser of unsigned numbers does not know "-0".
        let text = if text == "-0" { "0" } else { text };
        let value: u64 = text.parse().ok()?;
        (value << spare >> spare == value).then_some(value)
    }
}

fn float(data_type: DataType, format: &FloatFormat, text: &str) -> Result<u64, Reason> {
    match text.as_bytes().first() {
        Some(b'"') => {
            let text: String = serde_json::from_str(text).map_err(|_| Reason::Metadata)?;
            named(data_type, &text)
                .or_else(|| hex(format, &text))
                .ok_or(Reason::FillValue)
        }
        Some(b'-' | b'0'..=b'9') => number(data_type, text).ok_or(Reason::FillValue),
        _ => Err(Reason::FillValue),
    }
}

/// The special values, by their names.
fn named(data_type: DataType, name: &str) -> Option<u64> {
    let number = match name {
        "NaN" => Number::Nan,
        "Infinity" => Number::Infinite { negative: false },
        "-Infinity" => Number::Infinite { negative: true },
        _ => return None,
    };
    match (data_type, number) {
        (DataType::Float64, Number::Nan) => Some(0x7ff8_0000_0000_0000),
        (DataType::Float32, Number::Nan) => Some(0x7fc0_0000),
        (DataType::Float64, Number::Infinite { negative }) => {
            let infinity = if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            };
            Some(infinity.to_bits())
        }
        (DataType::Float32, Number::Infinite { negative }) => {
            let infinity = if negative {
                f32::NEG_INFINITY
            } else {
                f32::INFINITY
            };
            Some(infinity.to_bits().into())
        }
        _ => to_small(&into(data_type), number).ok(),
    }
}

/// The cast that rounds a number of the tables into a small type.
fn into(data_type: DataType) -> Cast<'static> {
    Cast {
        from: data_type,
        to: data_type,
        rounding: Rounding::NearestEven,
        out_of_range: None,
        map: &[],
    }
}

fn hex(format: &FloatFormat, text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x")?;
    if digits.len() != 2 * Format::Float(*format).component_bytes() {
        return None;
    }
    let mut bits = 0u64;
    for digit in digits.chars() {
        bits = bits << 4 | u64::from(digit.to_digit(16)?);
    }
    (bits.checked_shr(format.bits()).unwrap_or(0) == 0).then_some(bits)
}

/// A decimal in the nearest value.
fn number(data_type: DataType, text: &str) -> Option<u64> {
    const NEAREST: Round = Round::NearestTiesToEven;
    match data_type {
        DataType::Float64 => text.parse::<f64>().ok().map(f64::to_bits),
        DataType::Float32 => text.parse::<f32>().ok().map(|float| float.to_bits().into()),
        DataType::Float16 => {
            u64::try_from(Half::from_str_r(text, NEAREST).ok()?.value.to_bits()).ok()
        }
        DataType::Bfloat16 => {
            u64::try_from(BFloat::from_str_r(text, NEAREST).ok()?.value.to_bits()).ok()
        }
        _ => to_small(&into(data_type), Number::Real(odd(text)?)).ok(),
    }
}

/// A decimal in binary128, rounded to odd: what is cut off leaves its mark in the last digit, so
/// that rounding into a shorter type afterwards is as from the decimal itself.
fn odd(text: &str) -> Option<Quad> {
    let cut = Quad::from_str_r(text, Round::TowardZero).ok()?;
    let bits = cut.value.to_bits();
    Some(if cut.status.contains(Status::INEXACT) {
        Quad::from_bits(bits | 1)
    } else {
        cut.value
    })
}

/// The canonical text of a scalar; nothing for bfloat16 and float8_e8m0fnu, whose range is too
/// wide for the integers here.
pub(crate) fn format(scalar: &Scalar) -> Option<String> {
    let data_type = scalar.data_type();
    let bits = scalar.component(0);
    match data_type.format() {
        Format::Bool => Some(if bits == 1 { "true" } else { "false" }.into()),
        Format::Integer(format) => Some(if format.signed {
            let spare = 64 - format.bits;
            ((bits << spare).cast_signed() >> spare).to_string()
        } else {
            bits.to_string()
        }),
        Format::Float(format) => format_float(data_type, &format, bits),
        Format::Complex(format) => {
            let component = component_type(&format)?;
            let real = format_float(component, &format, bits)?;
            let imaginary = format_float(component, &format, scalar.component(1))?;
            Some(format!("[{real},{imaginary}]"))
        }
    }
}

fn format_float(data_type: DataType, format: &FloatFormat, bits: u64) -> Option<String> {
    for name in ["NaN", "Infinity", "-Infinity"] {
        if named(data_type, name) == Some(bits) {
            return Some(format!("\"{name}\""));
        }
    }
    if matches!(Number::of(data_type, bits), Number::Nan) {
        let width = 2 * Format::Float(*format).component_bytes();
        return Some(format!("\"0x{bits:0width$x}\""));
    }
    let text = match data_type {
        DataType::Float64 => serde_json::to_string(&f64::from_bits(bits)),
        DataType::Float32 => {
            // Its shortest digits, and the layout of a binary64, whose shortest digits they are too.
            let digits = serde_json::to_string(&f32::from_bits(u32::try_from(bits).ok()?)).ok()?;
            serde_json::to_string(&digits.parse::<f64>().ok()?)
        }
        // Its few digits are the shortest ones of a binary64 as well.
        _ => serde_json::to_string(&shortest(data_type, format, bits)?.parse::<f64>().ok()?),
    };
    Some(text.ok()?.replace("e+", "e"))
}

/// The shortest decimal of a finite value of a small type: the multiple of the largest power of
/// ten that lies where numbers round to the value, as digits and exponent.
fn shortest(data_type: DataType, format: &FloatFormat, bits: u64) -> Option<String> {
    /// All values and the midpoints between them are multiples of 2 to the minus this.
    const UNIT: i32 = 31;
    if format.exponent_bits > 5 || format.nan == Nan::Only(0xff) {
        return None;
    }
    let table = table(data_type)?;
    let sign = bits >> (format.bits() - 1);
    let code = bits - (sign << (format.bits() - 1));
    let sign = if sign == 1 { "-" } else { "" };
    let index = table.ascending.iter().position(|&(_, at)| at == code)?;
    let units = |value: Quad| Some(value.scalbn(UNIT - 1).to_u128(128).value);
    let value = units(table.ascending[index].0)?;
    if value == 0 {
        return Some(format!("{sign}0"));
    }
    let below = units(table.ascending[index - 1].0)?;
    let above = match table.ascending.get(index + 1) {
        Some(&(above, _)) => units(above)?,
        None => units(table.past)?,
    };
    let (low, value, high) = (below + value, 2 * value, value + above);
    let even = code.is_multiple_of(2);
    let candidates = |exponent: i32| {
        // Everything times 10^-exponent, or the step times 10^exponent.
        let power = 10u128.pow(exponent.unsigned_abs());
        let (step, times) = if exponent >= 0 {
            (power << UNIT, 1)
        } else {
            (1 << UNIT, power)
        };
        let (low, value, high) = (low * times, value * times, high * times);
        let mut found = Vec::new();
        for multiple in [value / step, value / step + 1] {
            let at = multiple * step;
            let inside = (low < at && at < high) || (even && (at == low || at == high));
            if multiple > 0 && inside {
                // Distances of different exponents are compared at the scale of 10^-20.
                let scale = 10u128.pow(20) / times;
                let distance = at.abs_diff(value).saturating_mul(scale);
                found.push((distance, multiple % 2, multiple, exponent));
            }
        }
        found
    };
    let mut exponent = 5;
    let mut found = loop {
        let found = candidates(exponent);
        if !found.is_empty() {
            break found;
        }
        exponent -= 1;
        if exponent < -20 {
            return None;
        }
    };
    // A power of ten has one digit, and so has nine tenths of it.
    if found.iter().any(|&(_, _, multiple, _)| multiple == 1) {
        found.extend(
            candidates(exponent - 1)
                .into_iter()
                .filter(|&(_, _, multiple, _)| multiple < 10),
        );
    }
    let (_, _, multiple, exponent) = found.into_iter().min()?;
    Some(format!("{sign}{multiple}e{exponent}"))
}

#[cfg(test)]
mod tests;
