//! Random scalings.

use exactum_conformance::model::{DataType, Format, Scalar};
use exactum_conformance::vectors::array_to_json;

use super::choice::{Random, array, border};
use super::draft::{Draft, members};

/// Generates random parameters and random elements, many of them near the limits of the type.
pub(super) fn draft(random: &mut Random) -> Draft {
    let data_type = random.real_type();
    let elements: Vec<Scalar> = (0..=random.below(12))
        .map(|_| element(random, data_type))
        .collect();
    let decode = random.percent(50);
    let direction = if decode { "decode" } else { "encode" };
    let integer = matches!(data_type.format(), Format::Integer(_));
    let mut clauses = vec![match (decode, integer) {
        (true, _) => "scale_offset.decode",
        (false, _) => "scale_offset.encode",
    }];
    clauses.push(match (decode, integer) {
        (_, false) => "scale_offset.arithmetic.rounding",
        (true, true) => "scale_offset.integer.division",
        (false, true) => "scale_offset.arithmetic",
    });
    Draft {
        row: "scale_offset",
        topic: data_type.to_string(),
        members: members([
            ("op", format!("scale_offset.{direction}").into()),
            ("configuration", configuration(random, data_type).into()),
            ("input", array_to_json(&array(data_type, &elements))),
        ]),
        clauses,
        elementwise: true,
    }
}

/// Generates a border value, a small number or any element.
fn element(random: &mut Random, data_type: DataType) -> Scalar {
    match random.below(3) {
        0 => border(random, data_type),
        1 => small(random, data_type),
        _ => random.scalar(data_type),
    }
}

/// Generates a number of small magnitude, with a fraction if the type has one.
fn small(random: &mut Random, data_type: DataType) -> Scalar {
    let text = match data_type.format() {
        Format::Integer(integer) if integer.signed => {
            let magnitude = random.between(0, u64::try_from(integer.max()).unwrap_or(0).min(20));
            format!("{}{magnitude}", if random.percent(50) { "-" } else { "" })
        }
        Format::Integer(integer) => {
            let most = u64::try_from(integer.max()).unwrap_or(20).min(20);
            random.between(0, most).to_string()
        }
        _ => format!("{}.{}", random.below(4), random.below(100)),
    };
    exactum_conformance::parse_fill_value(data_type, &text)
        .unwrap_or_else(|_| border(random, data_type))
}

/// Generates the text of a configuration. The scale may be zero, which must be rejected.
pub(super) fn configuration(random: &mut Random, data_type: DataType) -> String {
    let mut members = Vec::new();
    for key in ["offset", "scale"] {
        if random.percent(75) {
            let value = if random.percent(70) {
                small(random, data_type)
            } else {
                element(random, data_type)
            };
            members.push(format!(r#""{key}": {}"#, exactum_exact::canonical(&value)));
        }
    }
    format!("{{{}}}", members.join(", "))
}

/// Generates a codec in the form that it has in a list of codecs.
pub(super) fn codec(random: &mut Random, data_type: DataType) -> String {
    let configuration = configuration(random, data_type);
    format!(r#"{{"name": "scale_offset", "configuration": {configuration}}}"#)
}
