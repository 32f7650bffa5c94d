//! One topic for each pair of data types, with every rounding mode and range rule.

use exactum_model::{DataType, Format, OutOfRange, Reason, Rounding};
use exactum_vectors::File;

use super::elements::elements;
use super::proof::proof;
use super::{
    Direction, Outcome, Setting, Way, answer, configuration, note, requested, resolve, rule_name,
    rules,
};
use crate::vectors::builder::ZARR_EXTENSIONS;
use crate::vectors::bundles::Bundles;

/// Pairs that are encoded at length because their target types have rules of their own: no zero, no negative zero, or
/// neither infinity nor NaN.
pub(super) const LONG: [(DataType, DataType); 3] = [
    (DataType::Float64, DataType::Float8E8m0fnu),
    (DataType::Float64, DataType::Float8E4m3fnuz),
    (DataType::Float64, DataType::Float4E2m1fn),
];

/// The number of elements that distinguish the default rounding from each of the other modes.
const ENOUGH: usize = 6;

/// Returns the long topic of a pair.
pub(super) fn topic(from: DataType, to: DataType) -> Result<File, String> {
    make(from, to, &[Direction::Encode, Direction::Decode])
}

/// Returns the long topic of a pair that is only encoded.
pub(super) fn encoded_topic(from: DataType, to: DataType) -> Result<File, String> {
    make(from, to, &[Direction::Encode])
}

/// Returns the short topic of a pair: every element in the default mode, the elements with a different outcome in the
/// other modes and under the rules, and elements to decode in the default mode.
pub(super) fn short_topic(from: DataType, to: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", &format!("{from}-{to}"), ZARR_EXTENSIONS);
    let elements = elements(from, to);
    add_default(&mut file, Direction::Encode, from, to, &elements)?;
    add_short(&mut file, "", from, to, &elements)?;
    Ok(file)
}

/// Adds the groups of a short topic. Their names begin with `prefix`.
pub(super) fn add_short(
    file: &mut File,
    prefix: &str,
    from: DataType,
    to: DataType,
    elements: &[u64],
) -> Result<(), String> {
    let even = Setting::new(Direction::Encode, from, to);
    // The outcome of every element in every mode, without a range rule.
    let mut plain = Vec::new();
    for &mode in Rounding::ALL {
        plain.push(even.in_mode(mode).outcomes("short", elements)?);
    }
    let modes_differ = |index: usize| plain.iter().any(|of| of[index] != plain[0][index]);
    for (&mode, outcomes) in Rounding::ALL.iter().zip(&plain) {
        let first = mode == Rounding::NearestEven;
        let without_rule = even.in_mode(mode);
        add_some(file, prefix, &without_rule, elements, |index| {
            first || modes_differ(index)
        })?;
        for &rule in &rules(to)[1..] {
            let ruled = without_rule.under(rule);
            let otherwise = even.under(rule).outcomes("short", elements)?;
            let here = ruled.outcomes("short", elements)?;
            add_some(file, prefix, &ruled, elements, |index| {
                let tells = otherwise[index] != here[index] || outcomes[index] != plain[0][index];
                outcomes[index] != here[index] && (first || tells)
            })?;
        }
    }
    let decoding = Setting::new(Direction::Decode, from, to);
    add(file, prefix, &decoding, true, elements)?;
    if matches!(from.format(), Format::Integer(_)) && matches!(to.format(), Format::Float(_)) {
        // Here the integer type has the rule "wrap", and the result is decoded into the float type (ruling 14).
        let wrapped = decoding.under(Some(OutOfRange::Wrap));
        add_some(file, prefix, &wrapped, elements, |index| {
            plain[0][index] == Err(Reason::OutOfRange)
        })?;
    }
    Ok(())
}

fn make(from: DataType, to: DataType, directions: &[Direction]) -> Result<File, String> {
    let topic = format!("{from}-{to}");
    let mut file = File::new("cast_value", &topic, ZARR_EXTENSIONS);
    let elements = elements(from, to);
    for &direction in directions {
        add_default(&mut file, direction, from, to, &elements)?;
        for &rounding in Rounding::ALL {
            let setting = Setting::new(direction, from, to).in_mode(rounding);
            for &rule in rules(setting.types().1) {
                add(&mut file, "", &setting.under(rule), true, &elements)?;
            }
        }
    }
    Ok(file)
}

/// Adds groups without `rounding`, with elements that the modes distinguish.
fn add_default(
    file: &mut File,
    direction: Direction,
    from: DataType,
    to: DataType,
    elements: &[u64],
) -> Result<(), String> {
    let setting = Setting::new(direction, from, to);
    let mut modes = Vec::new();
    for &rounding in Rounding::ALL {
        modes.push(setting.in_mode(rounding).outcomes("default", elements)?);
    }
    let mut telling = Vec::new();
    let mut counts = vec![0; modes.len()];
    for (index, &bits) in elements.iter().enumerate() {
        let answers: Vec<Outcome> = modes.iter().map(|outcomes| outcomes[index]).collect();
        if answers[0].is_err() {
            continue;
        }
        // A few elements distinguish the default from each of the other modes.
        let mut tells = false;
        for (count, other) in counts.iter_mut().zip(&answers) {
            if *other != answers[0] && *count < ENOUGH {
                *count += 1;
                tells = true;
            }
        }
        if tells {
            telling.push(bits);
        }
    }
    if telling.is_empty() {
        return Ok(());
    }
    add(file, "", &setting, false, &telling)
}

/// Adds the groups of a setting with the elements whose index is selected.
fn add_some(
    file: &mut File,
    prefix: &str,
    setting: &Setting,
    elements: &[u64],
    taken: impl Fn(usize) -> bool,
) -> Result<(), String> {
    let some = (0..).zip(elements).filter(|&(index, _)| taken(index));
    let some: Vec<u64> = some.map(|(_, &bits)| bits).collect();
    add(file, prefix, setting, true, &some)
}

/// Adds the groups of a setting, whose names begin with `prefix`: one for results that the text defines, and one for
/// results that rulings define. `named` states whether the configuration names the mode even if it is the default.
fn add(
    file: &mut File,
    prefix: &str,
    setting: &Setting,
    named: bool,
    elements: &[u64],
) -> Result<(), String> {
    let (decoded, encoded) = setting.types();
    let rounding = named.then_some(setting.rounding);
    let text = configuration(encoded, rounding, setting.rule);
    let codec = resolve(&text, decoded).map_err(|rejection| rejection.to_string())?;
    let cast = super::cast(setting.direction, &codec);
    let name = format!(
        "{prefix}{}-{}-{}",
        setting.direction.name(),
        rounding.map_or("default", Rounding::name),
        rule_name(setting.rule),
    );
    let what = format!("cast_value/{}/{name}", file.topic);

    let mut bundles = Bundles::default();
    for &bits in elements {
        let outcome = answer(&what, &cast, bits)?;
        bundles.add(proof(&cast, bits, outcome), bits, outcome);
    }
    let mut clauses = Vec::new();
    if setting.direction == Direction::Decode {
        clauses.push("cast_value.decode");
    }
    if !named {
        clauses.push("cast_value.rounding.default");
    }
    let request = requested(setting.direction, &text, decoded);
    let types = (setting.from, setting.to);
    let note = |inputs: &[u64]| note(setting.from, inputs);
    bundles.add_groups(file, (&name, &clauses), &request, types, note)
}
