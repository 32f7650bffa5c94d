//! Random scalars and their texts.

use exactum_conformance::model::{DataType, Format};
use exactum_conformance::vectors::hex;

use super::choice::{Random, border};
use super::draft::{Draft, members};

/// Generates a random text to parse or a random scalar to format.
pub(super) fn draft(random: &mut Random) -> Draft {
    let data_type = *random.pick(DataType::ALL);
    let (members, clauses) = if random.percent(30) {
        let scalar = random.scalar(data_type);
        let members = members([
            ("op", "fill_value.format".into()),
            ("data_type", data_type.name().into()),
            ("bits", hex::encode(scalar.to_bytes()).into()),
        ]);
        (members, vec!["fill_value.canonical"])
    } else {
        let members = members([
            ("op", "fill_value.parse".into()),
            ("data_type", data_type.name().into()),
            ("json", text(random, data_type).into()),
        ]);
        (members, vec![clause(data_type)])
    };
    Draft {
        row: "fill_value",
        topic: data_type.to_string(),
        members,
        clauses,
        elementwise: false,
    }
}

fn clause(data_type: DataType) -> &'static str {
    match data_type.format() {
        Format::Bool => "fill_value.bool",
        Format::Integer(_) => "fill_value.integer.range",
        // A number that is too large is subject to a ruling, and therefore every random text is, too.
        Format::Float(_) | Format::Complex(_) => "fill_value.float.overflow",
    }
}

/// Generates a text that some type may accept: the canonical text of a random scalar, a number, a name, or hex.
fn text(random: &mut Random, data_type: DataType) -> String {
    match data_type.format() {
        Format::Complex(_) => {
            let part = |random: &mut Random| component(random, data_type);
            let (real, imaginary) = (part(random), part(random));
            if random.percent(95) {
                format!("[{real}, {imaginary}]")
            } else {
                real
            }
        }
        Format::Bool if random.percent(50) => random.percent(50).to_string(),
        _ => component(random, data_type),
    }
}

fn component(random: &mut Random, data_type: DataType) -> String {
    match random.below(10) {
        0 => random
            .pick(&[
                r#""NaN""#,
                r#""Infinity""#,
                r#""-Infinity""#,
                r#""+Infinity""#,
                "-0.0",
                "-0",
                "1.0",
                "1e3",
                "null",
                "true",
            ])
            .to_string(),
        1 => format!(
            r#""0x{}""#,
            digits(random, 2 * data_type.format().component_bytes(), 16)
        ),
        2..=4 if !matches!(data_type.format(), Format::Complex(_)) => {
            let canonical = exactum_exact::canonical(&border(random, data_type));
            // Another digit gives a number nearby; after a string it is not JSON.
            if canonical.ends_with('"') || random.percent(40) {
                canonical
            } else {
                let digit = random.below(10);
                format!("{canonical}{digit}")
            }
        }
        _ => number(random),
    }
}

/// Generates a JSON number of any length and size.
fn number(random: &mut Random) -> String {
    let mut text = String::new();
    if random.percent(30) {
        text.push('-');
    }
    let count = mostly(random, 6, 22);
    let whole = digits(random, 1 + count, 10);
    let whole = whole.trim_start_matches('0');
    text.push_str(if whole.is_empty() { "0" } else { whole });
    if random.percent(60) {
        let count = mostly(random, 10, 60);
        text.push('.');
        text.push_str(&digits(random, 1 + count, 10));
    }
    if random.percent(30) {
        let sign = *random.pick(&["", "-", "+"]);
        let exponent = mostly(random, 20, 400);
        text.push_str(&format!("e{sign}{exponent}"));
    }
    text
}

/// Returns a number below `usual`, and occasionally one below `seldom`.
fn mostly(random: &mut Random, usual: usize, seldom: usize) -> usize {
    let end = if random.percent(80) { usual } else { seldom };
    random.below(end)
}

fn digits(random: &mut Random, count: usize, base: u32) -> String {
    (0..count)
        .filter_map(|_| {
            let digit = u32::try_from(random.below(16)).unwrap_or_default() % base;
            char::from_digit(digit, base)
        })
        .collect()
}
