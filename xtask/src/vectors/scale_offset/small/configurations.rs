//! Parameters of small types to accept and to reject.

use exactum_model::{DataType, FloatFormat, Format, IntegerFormat};

use super::{code, text};
use crate::vectors::scale_offset::{Topic, must, ruling};

type Documents = Vec<(String, String)>;

/// Configurations, and the element that shows that they are accepted.
#[derive(Default)]
struct Found {
    element: String,
    accepted: Documents,
    rejected: Documents,
    zeros: Documents,
}

/// Adds the groups of parameters and of zero scales.
pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.data_type;
    let found = match data_type.format() {
        Format::Integer(format) => integers(&format),
        Format::Float(format) => floats(data_type, &format)?,
        Format::Bool | Format::Complex(_) => return Err(format!("{data_type} is no real type")),
    };
    topic.configurations(
        "parameters",
        must(&["scale_offset.parameters"]),
        &found.element,
        &pairs(&found.accepted),
        &pairs(&found.rejected),
    )?;
    if found.zeros.is_empty() {
        return Ok(());
    }
    topic.configurations(
        "scale-zero",
        ruling(&["scale_offset.scale.zero"]),
        &found.element,
        &[("one", r#"{"scale":1}"#)],
        &pairs(&found.zeros),
    )
}

fn pairs(list: &Documents) -> Vec<(&str, &str)> {
    list.iter()
        .map(|(id, text)| (id.as_str(), text.as_str()))
        .collect()
}

fn offset(id: &str, text: &str) -> (String, String) {
    (format!("offset-{id}"), format!(r#"{{"offset":{text}}}"#))
}

fn scale(id: &str, text: &str) -> (String, String) {
    (format!("scale-{id}"), format!(r#"{{"scale":{text}}}"#))
}

fn integers(format: &IntegerFormat) -> Found {
    let (min, max) = (format.min(), format.max());
    let mut found = Found {
        // Less the smallest and less the largest number, it stays in range.
        element: if format.signed { -1 } else { max }.to_string(),
        ..Found::default()
    };
    for (id, number) in [("smallest", min), ("largest", max)] {
        found.accepted.push(offset(id, &number.to_string()));
    }
    for (id, number) in [("below", min - 1), ("above", max + 1)] {
        found.rejected.push(offset(id, &number.to_string()));
        found.rejected.push(scale(id, &number.to_string()));
    }
    for (id, text) in [
        ("fraction", "1.0"),
        ("exponent", "1e0"),
        ("hex", r#""0x01""#),
    ] {
        found.rejected.push(offset(id, text));
        found.rejected.push(scale(id, text));
    }
    found.zeros.push(scale("zero", "0"));
    found
}

fn floats(data_type: DataType, format: &FloatFormat) -> Result<Found, String> {
    let value = |halves| code(data_type, halves).ok_or("no such value");
    let (one, two) = (value(2)?, value(4)?);
    let hex = |bits: u64| format!("\"0x{bits:02x}\"");
    let mut found = Found {
        element: text(data_type, two).0,
        ..Found::default()
    };
    found
        .accepted
        .push(offset("decimal", &text(data_type, one).0));
    found.accepted.push(offset("hex", &hex(one)));
    found.accepted.push(scale("hex", &hex(one)));
    for (id, text) in [
        ("hex-long", r#""0x0001""#),
        ("hex-short", r#""0x1""#),
        ("string", r#""1""#),
        ("true", "true"),
        ("null", "null"),
    ] {
        found.rejected.push(offset(id, text));
        found.rejected.push(scale(id, text));
    }
    if format.nan_bits().is_none() {
        found.rejected.push(offset("nan", r#""NaN""#));
        found.rejected.push(scale("nan", r#""NaN""#));
    }
    if !format.infinity {
        found.rejected.push(offset("infinity", r#""Infinity""#));
        found.rejected.push(scale("beyond", "1e40"));
    }
    if format.bits() < 8 {
        found
            .rejected
            .push(offset("hex-above", &hex(1 << format.bits() | one)));
    }
    if format.zero {
        found.zeros.push(scale("zero", "0"));
        found.zeros.push(scale("becomes-zero", "1e-30"));
        found.zeros.push(scale("hex-zero", &hex(0)));
    } else {
        found.rejected.push(offset("zero", "0"));
        found.rejected.push(offset("negative", "-1"));
    }
    Ok(found)
}
