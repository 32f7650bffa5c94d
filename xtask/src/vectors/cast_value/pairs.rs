//! One topic a pair of data types: every rounding and rule.

use exactum_model::{DataType, Format, OutOfRange, Reason, Rounding};
use exactum_vectors::{Expect, File, Group, Level};

use super::elements::elements;
use super::proof::{Proof, proof};
use super::{
    Direction, Way, answer, array, configuration, input, note, requested, resolve, rule_name,
};
use crate::vectors::builder::ZARR_EXTENSIONS;

/// Pairs into types with rules of their own, encoded at length: no zero, no negative zero, neither
/// infinity nor NaN.
pub(super) const LONG: [(DataType, DataType); 3] = [
    (DataType::Float64, DataType::Float8E8m0fnu),
    (DataType::Float64, DataType::Float8E4m3fnuz),
    (DataType::Float64, DataType::Float4E2m1fn),
];

/// The most elements of a case that are sent one by one: the first ones tell most.
const MOST_REJECTED: usize = 24;

/// How many elements tell the default rounding from each of the other modes.
const ENOUGH: usize = 6;

const RULES: [Option<OutOfRange>; 3] = [None, Some(OutOfRange::Clamp), Some(OutOfRange::Wrap)];

/// The long topic of a pair.
pub(super) fn topic(from: DataType, to: DataType) -> Result<File, String> {
    make(from, to, &[Direction::Encode, Direction::Decode])
}

/// The long topic of a pair that is only encoded.
pub(super) fn encoded_topic(from: DataType, to: DataType) -> Result<File, String> {
    make(from, to, &[Direction::Encode])
}

/// The short topic of a pair: in the default mode every element, in the other modes and under the
/// rules those that become something else there; decoded, in the default mode.
pub(super) fn short_topic(from: DataType, to: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", &format!("{from}-{to}"), ZARR_EXTENSIONS);
    let elements = elements(from, to);
    add_default(&mut file, Direction::Encode, from, to, &elements)?;
    add_short(&mut file, "", from, to, &elements)?;
    Ok(file)
}

/// Adds the groups of a short topic; `prefix` begins their names.
pub(super) fn add_short(
    file: &mut File,
    prefix: &str,
    from: DataType,
    to: DataType,
    elements: &[u64],
) -> Result<(), String> {
    let setting = |direction, rounding, rule| Setting {
        prefix,
        direction,
        from,
        to,
        rounding: Some(rounding),
        rule,
    };
    let even = |direction, rule| setting(direction, Rounding::NearestEven, rule);
    // What every element becomes in every mode, without a rule.
    let mut plain = Vec::new();
    for &mode in Rounding::ALL {
        plain.push(setting(Direction::Encode, mode, None).outcomes(elements)?);
    }
    let modes_differ = |index: usize| plain.iter().any(|of| of[index] != plain[0][index]);
    for (&mode, outcomes) in Rounding::ALL.iter().zip(&plain) {
        let first = mode == Rounding::NearestEven;
        setting(Direction::Encode, mode, None)
            .add_some(file, elements, |index| first || modes_differ(index))?;
        let mut rules = vec![OutOfRange::Clamp];
        if matches!(to.format(), Format::Integer(_)) {
            rules.push(OutOfRange::Wrap);
        }
        for rule in rules {
            let ruled = setting(Direction::Encode, mode, Some(rule));
            let otherwise = even(Direction::Encode, Some(rule)).outcomes(elements)?;
            let here = ruled.outcomes(elements)?;
            ruled.add_some(file, elements, |index| {
                let tells = otherwise[index] != here[index] || outcomes[index] != plain[0][index];
                outcomes[index] != here[index] && (first || tells)
            })?;
        }
    }
    even(Direction::Decode, None).add(file, elements)?;
    if matches!(from.format(), Format::Integer(_)) && matches!(to.format(), Format::Float(_)) {
        // "wrap" stands beside the integer here, and the float is decoded into (ruling 14).
        even(Direction::Decode, Some(OutOfRange::Wrap)).add_some(file, elements, |index| {
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
            for rule in RULES {
                let (_, encoded) = roles(direction, from, to);
                let wrap = rule == Some(OutOfRange::Wrap);
                if wrap && !matches!(encoded.format(), Format::Integer(_)) {
                    continue;
                }
                let setting = Setting {
                    prefix: "",
                    direction,
                    from,
                    to,
                    rounding: Some(rounding),
                    rule,
                };
                setting.add(&mut file, &elements)?;
            }
        }
    }
    Ok(file)
}

/// The array's data type and the configured one.
fn roles(direction: Direction, from: DataType, to: DataType) -> (DataType, DataType) {
    match direction {
        Direction::Encode => (from, to),
        Direction::Decode => (to, from),
    }
}

/// Groups without `rounding`, of elements that the modes tell apart.
fn add_default(
    file: &mut File,
    direction: Direction,
    from: DataType,
    to: DataType,
    elements: &[u64],
) -> Result<(), String> {
    let setting = Setting {
        prefix: "",
        direction,
        from,
        to,
        rounding: None,
        rule: None,
    };
    let modes: Vec<String> = Rounding::ALL
        .iter()
        .map(|&mode| setting.configuration(Some(mode)))
        .collect();
    let (decoded, _) = roles(direction, from, to);
    let codecs = modes
        .iter()
        .map(|text| resolve(text, decoded).map_err(|rejection| rejection.to_string()))
        .collect::<Result<Vec<_>, _>>()?;
    let mut telling = Vec::new();
    let mut counts = vec![0; codecs.len()];
    for &bits in elements {
        let mut answers = Vec::new();
        for codec in &codecs {
            answers.push(answer("default", &super::cast(direction, codec), bits)?);
        }
        if answers[0].is_err() {
            continue;
        }
        // A few elements for each of the other modes.
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
    setting.add(file, &telling)
}

/// A configuration without a map, and a way.
struct Setting<'a> {
    /// What the names of its groups begin with.
    prefix: &'a str,
    direction: Direction,
    from: DataType,
    to: DataType,
    rounding: Option<Rounding>,
    rule: Option<OutOfRange>,
}

/// Elements of one case.
struct Bundle {
    proof: Proof,
    reason: Option<Reason>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl Setting<'_> {
    fn configuration(&self, rounding: Option<Rounding>) -> String {
        let (_, encoded) = roles(self.direction, self.from, self.to);
        configuration(encoded, rounding, self.rule)
    }

    /// What becomes of each element.
    fn outcomes(&self, elements: &[u64]) -> Result<Vec<Result<u64, Reason>>, String> {
        let (decoded, _) = roles(self.direction, self.from, self.to);
        let codec = resolve(&self.configuration(self.rounding), decoded)
            .map_err(|rejection| rejection.to_string())?;
        let cast = super::cast(self.direction, &codec);
        elements
            .iter()
            .map(|&bits| answer("short", &cast, bits))
            .collect()
    }

    /// Adds the groups of this configuration with the elements whose index is taken.
    fn add_some(
        &self,
        file: &mut File,
        elements: &[u64],
        taken: impl Fn(usize) -> bool,
    ) -> Result<(), String> {
        let some: Vec<u64> = elements
            .iter()
            .enumerate()
            .filter(|&(index, _)| taken(index))
            .map(|(_, &bits)| bits)
            .collect();
        self.add(file, &some)
    }

    /// Adds the groups of this configuration: what the text says, and what rulings say.
    fn add(&self, file: &mut File, elements: &[u64]) -> Result<(), String> {
        let (decoded, _) = roles(self.direction, self.from, self.to);
        let text = self.configuration(self.rounding);
        let codec = resolve(&text, decoded).map_err(|rejection| rejection.to_string())?;
        let cast = super::cast(self.direction, &codec);
        let name = format!(
            "{}{}-{}-{}",
            self.prefix,
            self.direction.name(),
            self.rounding.map_or("default", Rounding::name),
            rule_name(self.rule),
        );
        let what = format!("cast_value/{}/{name}", file.topic);

        let mut bundles: Vec<Bundle> = Vec::new();
        for &bits in elements {
            let outcome = answer(&what, &cast, bits)?;
            let proof = proof(&cast, bits, outcome);
            let reason = outcome.err();
            let bundle = match bundles
                .iter_mut()
                .find(|bundle| bundle.proof == proof && bundle.reason == reason)
            {
                Some(bundle) => bundle,
                None => {
                    bundles.push(Bundle {
                        proof,
                        reason,
                        inputs: Vec::new(),
                        outputs: Vec::new(),
                    });
                    bundles.last_mut().ok_or("a bundle was just added")?
                }
            };
            bundle.inputs.push(bits);
            bundle.outputs.extend(outcome.ok());
        }

        let mut clauses = Vec::new();
        if self.direction == Direction::Decode {
            clauses.push("cast_value.decode");
        }
        if self.rounding.is_none() {
            clauses.push("cast_value.rounding.default");
        }
        for (level, suffix) in [(Level::Must, ""), (Level::Ruling, "-ruling")] {
            let of_level: Vec<&Bundle> = bundles
                .iter()
                .filter(|bundle| bundle.proof.level == level)
                .collect();
            if of_level.is_empty() {
                continue;
            }
            let request = requested(self.direction, &text, decoded);
            let group = file.group(&format!("{name}{suffix}"), level, &clauses, request);
            for bundle in of_level {
                self.add_case(group, bundle)?;
            }
        }
        Ok(())
    }

    fn add_case(&self, group: &mut Group, bundle: &Bundle) -> Result<(), String> {
        let Proof { case, clauses, .. } = &bundle.proof;
        match bundle.reason {
            None => {
                let expect = Expect::output(&array(self.to, &bundle.outputs)?);
                let request = input(self.from, &bundle.inputs)?;
                let added = group.case(case, clauses, request, expect);
                if let Some(note) = note(self.from, &bundle.inputs) {
                    added.note(note);
                }
            }
            Some(reason) => {
                let few = &bundle.inputs[..bundle.inputs.len().min(MOST_REJECTED)];
                let request = input(self.from, few)?;
                let added = group
                    .case(case, clauses, request, Expect::reject(reason))
                    .per_element();
                if let Some(note) = note(self.from, few) {
                    added.note(note);
                }
            }
        }
        Ok(())
    }
}
