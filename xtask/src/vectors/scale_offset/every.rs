//! Every element of the types of 8 bits or fewer, each under a few parameters.

use exactum_model::{DataType, Format, IntegerFormat, Scalar};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::Quad;

use super::steps::proof;
use crate::oracle::tables::table;
use crate::vectors::builder::{Topic, request};
use crate::vectors::bundles::{Bundles, Proof};
use crate::vectors::opinions::{Direction, Elementwise, Way};

/// The bits of `offset` and `scale`.
type Parameters = (Option<u64>, Option<u64>);

/// Adds the groups of every configuration.
pub(super) fn add(topic: &mut Topic) -> Result<(), String> {
    let data_type = topic.own_type()?;
    for parameters in parameters(data_type) {
        for direction in Direction::BOTH {
            add_configuration(topic, data_type, direction, parameters)?;
        }
    }
    Ok(())
}

/// Returns the parameters under which a type is tested. No scale is zero.
fn parameters(data_type: DataType) -> Vec<Parameters> {
    match data_type.format() {
        Format::Integer(format) => integers(&format),
        _ => floats(data_type),
    }
}

fn integers(format: &IntegerFormat) -> Vec<Parameters> {
    let numbers: &[i128] = match (format.bits, format.signed) {
        (2, true) => &[1, -1, -2],
        (2, false) => &[1, 2, 3],
        (4, true) => &[1, 2, 3, 7, -1, -3, -8],
        (4, false) => &[1, 2, 3, 7, 15],
        (_, true) => &[2, 7, 100, 127, -1, -10, -128],
        (_, false) => &[2, 7, 100, 128, 255],
    };
    let bits = |number: i128| u64::try_from(number & i128::from(format.mask())).ok();
    let encoded: Vec<Option<u64>> = numbers.iter().map(|&number| bits(number)).collect();
    let mut all = vec![(None, None)];
    all.extend(encoded.iter().map(|&offset| (offset, None)));
    all.extend(encoded.iter().map(|&scale| (None, scale)));
    for (index, &offset) in encoded.iter().enumerate() {
        for (other, &scale) in encoded.iter().enumerate() {
            // The narrowest types have all combinations, the others some of them.
            if format.bits == 2 || (index * 3 + other) % 4 == 0 {
                all.push((offset, scale));
            }
        }
    }
    all
}

fn floats(data_type: DataType) -> Vec<Parameters> {
    let code = |halves| code(data_type, halves);
    let Some(format) = data_type.format().float() else {
        return Vec::new();
    };
    let sign = |bits: Option<u64>| {
        bits.filter(|_| format.signed)
            .map(|it| it | format.sign_mask())
    };
    let (half, one, two) = (code(1), code(2), code(4));
    let (three_halves, three) = (code(3), code(6));
    let largest = Some(format.max_finite_bits());
    let smallest = Some(u64::from(format.zero));
    let mut all = vec![
        (None, None),
        (one, None),
        (largest, None),
        (smallest, None),
        (sign(largest), None),
        (sign(one), None),
        (None, one),
        (None, two),
        (None, half),
        (None, three_halves),
        (None, three),
        (None, largest),
        (None, smallest),
        (None, sign(two)),
        (one, three_halves),
        (one, sign(half)),
        (three, half),
        (sign(three_halves), three),
        (sign(largest), half),
        (largest, two),
        (half, sign(largest)),
    ];
    // A number that the type lacks is an absent parameter, so the same parameters may occur twice.
    let mut seen = Vec::new();
    all.retain(|parameters| {
        !seen.contains(parameters) && {
            seen.push(*parameters);
            true
        }
    });
    all
}

/// Returns the bits of a multiple of one half in a float type.
fn code(data_type: DataType, halves: i128) -> Option<u64> {
    let value = Quad::from_i128(halves).value.scalbn(-1);
    let ascending = &table(data_type)?.ascending;
    let found = ascending.iter().find(|(of, _)| *of == value);
    found.map(|(_, bits)| *bits)
}

/// Returns the text of a parameter, and its name in the name of a group.
fn text(data_type: DataType, bits: u64) -> (String, String) {
    let text = exactum_exact::canonical(&Scalar::new(data_type, bits.into()));
    let name = match data_type.format() {
        Format::Integer(_) => text.replace('-', "minus-"),
        _ => format!("0x{bits:02x}"),
    };
    (text, name)
}

/// Adds the groups of one configuration: one for results that the text defines, and one for results that rulings
/// define.
fn add_configuration(
    topic: &mut Topic,
    data_type: DataType,
    direction: Direction,
    parameters: Parameters,
) -> Result<(), String> {
    let mut name = format!("every-{}", direction.name());
    let mut members = Vec::new();
    for (key, bits) in [("offset", parameters.0), ("scale", parameters.1)] {
        if let Some(bits) = bits {
            let (text, short) = text(data_type, bits);
            name.push_str(&format!("-{key}-{short}"));
            members.push(format!("\"{key}\":{text}"));
        }
    }
    let configuration = format!("{{{}}}", members.join(","));
    let codec = super::codec(topic, &configuration)?;
    if (codec.offset, codec.scale) != parameters {
        return Err(format!("{name}: {configuration} is read as {codec:?}"));
    }
    let mut bundles = Bundles::default();
    for bits in 0..=data_type.format().component_mask() {
        let answer = Elementwise::new(codec).answer(&name, direction, bits)?;
        if let Some((level, case, clauses)) = proof(&codec, direction, bits, answer) {
            let proof = Proof {
                case: case.into(),
                level,
                clauses: clauses.to_vec(),
            };
            bundles.add(proof, bits, answer);
        }
    }
    let shared = request([
        ("op", format!("scale_offset.{}", direction.name()).into()),
        ("configuration", configuration.into()),
    ]);
    let types = (data_type, data_type);
    bundles.add_groups(&mut topic.file, (&name, &[]), &shared, types, |_| None)
}
