//! Types of 8 bits and less: every element, under a few parameters each.

mod configurations;
mod steps;

use exactum_model::{DataType, Format, IntegerFormat, Reason, Scalar};
use exactum_vectors::{Expect, File, Level};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::Quad;

use self::steps::proof;
use super::Direction::{self, Decode, Encode};
use super::Topic;
use crate::oracle::tables::table;
use crate::vectors::builder::{output, request};

/// The most elements of a case that are sent one by one.
const MOST_REJECTED: usize = 24;

/// The bits of `offset` and `scale`.
type Parameters = (Option<u64>, Option<u64>);

/// The topic of a type.
pub(super) fn topic(data_type: DataType) -> Result<File, String> {
    let own = !super::TYPES.contains(&data_type);
    let name = if own {
        data_type.name().to_owned()
    } else {
        format!("all-{data_type}")
    };
    let mut topic = Topic::new(&name, data_type);
    for parameters in parameters(data_type) {
        for direction in [Encode, Decode] {
            add(&mut topic, direction, parameters)?;
        }
    }
    if own {
        configurations::add(&mut topic)?;
    }
    Ok(topic.file)
}

/// The parameters that a type is tried under. None has a scale of zero.
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
    let each: Vec<Option<u64>> = numbers.iter().map(|&number| bits(number)).collect();
    let mut all = vec![(None, None)];
    all.extend(each.iter().map(|&offset| (offset, None)));
    all.extend(each.iter().map(|&scale| (None, scale)));
    for (index, &offset) in each.iter().enumerate() {
        for (other, &scale) in each.iter().enumerate() {
            // All combinations of the narrowest types, some of the others.
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
    // What a type does not have is absent, and such parameters stand there already.
    let mut seen = Vec::new();
    all.retain(|parameters| {
        !seen.contains(parameters) && {
            seen.push(*parameters);
            true
        }
    });
    all
}

/// The bits of a number of halves in a float type.
fn code(data_type: DataType, halves: i128) -> Option<u64> {
    let value = Quad::from_i128(halves).value.scalbn(-1);
    let ascending = &table(data_type)?.ascending;
    let found = ascending.iter().find(|(of, _)| *of == value);
    found.map(|(_, bits)| *bits)
}

/// The text of a parameter, and what it is called in a group's name.
fn text(data_type: DataType, bits: u64) -> (String, String) {
    let text = exactum_exact::canonical(&Scalar::new(data_type, bits.into()));
    let name = match data_type.format() {
        Format::Integer(_) => text.replace('-', "minus-"),
        _ => format!("0x{bits:02x}"),
    };
    (text, name)
}

/// Adds the groups of one configuration: what the text says, and what rulings say.
fn add(topic: &mut Topic, direction: Direction, parameters: Parameters) -> Result<(), String> {
    let data_type = topic.data_type;
    let mut name = match direction {
        Encode => "every-encode".to_owned(),
        Decode => "every-decode".to_owned(),
    };
    let mut members = Vec::new();
    for (key, bits) in [("offset", parameters.0), ("scale", parameters.1)] {
        if let Some(bits) = bits {
            let (text, short) = text(data_type, bits);
            name.push_str(&format!("-{key}-{short}"));
            members.push(format!("\"{key}\":{text}"));
        }
    }
    let configuration = format!("{{{}}}", members.join(","));
    let what = topic.what(&name, "every");
    let codec = topic.codec(&what, &configuration)?;
    if (codec.offset, codec.scale) != parameters {
        return Err(format!("{what}: {configuration} is read as {codec:?}"));
    }
    let elements: Vec<u64> = (0..=data_type.format().component_mask()).collect();
    let answers = topic.answers(&what, direction, &codec, &elements)?;
    let mut bundles: Vec<Bundle> = Vec::new();
    for (&bits, &answer) in elements.iter().zip(&answers) {
        let Some((level, case, clauses)) = proof(&codec, direction, bits, answer) else {
            continue;
        };
        let reason = answer.err();
        let found = bundles
            .iter_mut()
            .find(|bundle| (bundle.level, bundle.case) == (level, case));
        match found {
            Some(bundle) => {
                bundle.inputs.push(bits);
                bundle.outputs.extend(answer.ok());
            }
            None => bundles.push(Bundle {
                level,
                case,
                clauses,
                reason,
                inputs: vec![bits],
                outputs: answer.ok().into_iter().collect(),
            }),
        }
    }
    for (level, suffix) in [(Level::Must, ""), (Level::Ruling, "-ruling")] {
        let cases: Vec<&Bundle> = bundles.iter().filter(|it| it.level == level).collect();
        if !cases.is_empty() {
            let name = format!("{name}{suffix}");
            add_group(topic, &name, level, direction, &configuration, &cases)?;
        }
    }
    Ok(())
}

/// Elements of one case.
struct Bundle {
    level: Level,
    case: &'static str,
    clauses: &'static [&'static str],
    reason: Option<Reason>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

fn add_group(
    topic: &mut Topic,
    name: &str,
    level: Level,
    direction: Direction,
    configuration: &str,
    cases: &[&Bundle],
) -> Result<(), String> {
    let mut made = Vec::new();
    for bundle in cases {
        made.push(match bundle.reason {
            None => (
                topic.input(&bundle.inputs)?,
                output(&topic.array(&bundle.outputs)?)?,
            ),
            Some(reason) => {
                let few = bundle.inputs.len().min(MOST_REJECTED);
                (topic.input(&bundle.inputs[..few])?, Expect::reject(reason))
            }
        });
    }
    let request = request([
        ("op", direction.operation().into()),
        ("configuration", configuration.into()),
    ]);
    let group = topic.file.group(name, level, &[], request);
    for (bundle, (input, expect)) in cases.iter().zip(made) {
        let case = group.case(bundle.case, bundle.clauses, input, expect);
        if bundle.reason.is_some() {
            case.each();
        }
    }
    Ok(())
}
