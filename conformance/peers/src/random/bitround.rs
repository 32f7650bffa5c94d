//! Random bit rounding.

use exactum_conformance::model::{DataType, Format, Scalar};
use exactum_conformance::vectors::array_to_json;

use super::choice::{Random, array, border};
use super::draft::{Draft, members};

/// Generates a random number of bits, rarely more than the type has, and random elements, many of them near the limits
/// of the type.
pub(super) fn draft(random: &mut Random) -> Draft {
    let data_type = random.real_type();
    let elements: Vec<Scalar> = (0..=random.below(12))
        .map(|_| match random.percent(30) {
            true => border(random, data_type),
            false => random.scalar(data_type),
        })
        .collect();
    let decode = random.percent(10);
    let clause = match (decode, data_type.format()) {
        (true, _) => "bitround.decode",
        (false, Format::Integer(_)) => "bitround.integer.nearest",
        (false, _) => "bitround.float.nearest",
    };
    let direction = if decode { "decode" } else { "encode" };
    Draft {
        row: "bitround",
        topic: data_type.to_string(),
        members: members([
            ("op", format!("bitround.{direction}").into()),
            ("configuration", configuration(random, data_type).into()),
            ("input", array_to_json(&array(data_type, &elements))),
        ]),
        clauses: vec![clause],
        elementwise: true,
    }
}

/// Generates the text of a configuration. A configuration without a number of bits must be rejected.
fn configuration(random: &mut Random, data_type: DataType) -> String {
    let most = match data_type.format() {
        Format::Float(format) => format.mantissa_bits,
        format => format.component_bits(),
    };
    format!(
        r#"{{"keepbits": {}}}"#,
        random.between(0, u64::from(most) + 2)
    )
}

/// Generates a codec in the form that it has in a list of codecs.
pub(super) fn codec(random: &mut Random, data_type: DataType) -> String {
    let configuration = configuration(random, data_type);
    format!(r#"{{"name": "bitround", "configuration": {configuration}}}"#)
}
