//! Every element of the types of 16 bits and less into every type, by checksum.

use std::collections::BTreeSet;

use exactum_model::{Cast, DataType, Format, OutOfRange, Reason, Rounding};
use exactum_vectors::{Expect, File, Group, Level, checksums, sweep_input};
use serde_json::json;

use super::proof::{self, proof, rounding_clause};
use super::{
    Direction, answer, array, configuration, input, is_core, note, real, resolve, rule_name,
};
use crate::oracle::tables::Number;
use crate::vectors::builder::{ZARR_EXTENSIONS, request};

/// The most elements of a case that are sent one by one.
const MOST_REJECTED: usize = 32;

type Outcome = Result<u64, Reason>;

/// The topic of a source. Pairs within the core have every mode and rule, others those that make
/// a difference to some element.
pub(super) fn topic(from: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", &format!("sweep-{from}"), ZARR_EXTENSIONS);
    for to in real() {
        let even = Setting::new(from, to, Rounding::NearestEven, None);
        let all = is_core(from, to);
        let exact = !all && even.outcomes(&file)?.1.iter().all(Result::is_ok) && holds(from, to);
        let modes = if exact {
            &[Rounding::NearestEven][..]
        } else {
            Rounding::ALL
        };
        // By rule: what became of the elements in the default mode.
        let mut first: [Option<Vec<Outcome>>; 3] = [const { None }; 3];
        for &rounding in modes {
            let mut without_rule = Vec::new();
            let rules = [None, Some(OutOfRange::Clamp), Some(OutOfRange::Wrap)];
            for (index, rule) in rules.into_iter().enumerate() {
                if rule == Some(OutOfRange::Wrap) && !matches!(to.format(), Format::Integer(_)) {
                    continue;
                }
                let setting = Setting::new(from, to, rounding, rule);
                let (text, outcomes) = setting.outcomes(&file)?;
                if rule.is_none() {
                    without_rule.clone_from(&outcomes);
                }
                let as_without_rule = rule.is_some() && outcomes == without_rule;
                let as_in_default_mode = first[index].as_ref() == Some(&outcomes);
                if all || !(as_without_rule || as_in_default_mode) {
                    setting.add(&mut file, &text, &outcomes, &without_rule)?;
                }
                first[index].get_or_insert(outcomes);
            }
        }
    }
    Ok(file)
}

/// Whether every finite value of one type is a value of the other.
fn holds(from: DataType, to: DataType) -> bool {
    let mode = |rounding| {
        let cast = Cast {
            from,
            to,
            rounding,
            out_of_range: None,
            map: &[],
        };
        let mask = from.format().component_mask();
        (0..=mask).all(|bits| match Number::of(from, bits) {
            Number::Nan | Number::Infinite { .. } => true,
            number => crate::oracle::cast_value::cast(&cast, bits)
                .is_ok_and(|output| Number::of(to, output).same_value(number)),
        })
    };
    mode(Rounding::TowardsZero)
}

/// A configuration without a map.
struct Setting {
    from: DataType,
    to: DataType,
    rounding: Rounding,
    rule: Option<OutOfRange>,
}

/// The elements of one level that have results.
#[derive(Default)]
struct Accepted {
    ranges: Vec<(u64, u64)>,
    outputs: Vec<u64>,
    clauses: BTreeSet<&'static str>,
}

impl Accepted {
    fn add(&mut self, bits: u64, output: u64, clauses: impl FnOnce() -> Vec<&'static str>) {
        match self.ranges.last_mut() {
            Some((_, last)) if *last + 1 == bits => {
                *last = bits;
                // Clauses are asked for along a run now and then.
                if bits.is_multiple_of(16) {
                    self.clauses.extend(clauses());
                }
            }
            _ => {
                self.ranges.push((bits, bits));
                self.clauses.extend(clauses());
            }
        }
        self.outputs.push(output);
    }

    fn add_case(&self, group: &mut Group, from: DataType, to: DataType) -> Result<(), String> {
        let clauses: Vec<&str> = self.clauses.iter().copied().collect();
        let output = json!({
            "data_type": to.name(),
            "shape": [self.outputs.len()],
            "crc32": checksums(&array(to, &self.outputs)?),
        });
        group.case(
            "accepted",
            &clauses,
            request([("input", sweep_input(from, &self.ranges))]),
            Expect::ok(json!({"output": output})),
        );
        Ok(())
    }
}

impl Setting {
    fn new(from: DataType, to: DataType, rounding: Rounding, rule: Option<OutOfRange>) -> Self {
        Self {
            from,
            to,
            rounding,
            rule,
        }
    }

    fn name(&self) -> String {
        format!(
            "{}-{}-{}",
            self.to,
            self.rounding.name(),
            rule_name(self.rule)
        )
    }

    /// The configuration's text, and what becomes of every element.
    fn outcomes(&self, file: &File) -> Result<(String, Vec<Outcome>), String> {
        let text = configuration(self.to, Some(self.rounding), self.rule);
        let codec = resolve(&text, self.from).map_err(|rejection| rejection.to_string())?;
        let cast = Direction::Encode.of(&codec);
        let what = format!("cast_value/{}/{}", file.topic, self.name());
        let outcomes = (0..=self.from.format().component_mask())
            .map(|bits| answer(&what, &cast, bits))
            .collect::<Result<Vec<Outcome>, String>>()?;
        Ok((text, outcomes))
    }

    /// Adds a group of what the text says, and one of what rulings say. `without_rule` holds what
    /// becomes of the elements without a range rule.
    fn add(
        &self,
        file: &mut File,
        text: &str,
        outcomes: &[Outcome],
        without_rule: &[Outcome],
    ) -> Result<(), String> {
        let (from, to) = (self.from, self.to);
        let cast = Cast {
            from,
            to,
            rounding: self.rounding,
            out_of_range: self.rule,
            map: &[],
        };
        let ruling: Vec<bool> = (0..)
            .zip(outcomes)
            .zip(without_rule)
            .map(|((bits, &outcome), without_rule)| {
                is_ruling(&cast, bits, outcome, without_rule.is_err())
            })
            .collect();
        let mut accepted = [Accepted::default(), Accepted::default()];
        for ((bits, outcome), &ruling) in (0..).zip(outcomes).zip(&ruling) {
            let Ok(output) = *outcome else { continue };
            if is_negative_zero(from, bits) && !has_negative_zero(to) {
                continue;
            }
            let ruled = at(without_rule, bits).is_some_and(|outcome| outcome.is_err());
            accepted[usize::from(ruling)].add(bits, output, || {
                if ruling {
                    proof(&cast, bits, *outcome).clauses
                } else {
                    proved(&cast, bits, output, ruled)
                }
            });
        }
        let request = Direction::Encode.request(text, from);
        let of_level = |ruled: bool| -> Vec<Option<Outcome>> {
            let level =
                |(&outcome, &ruling): (&Outcome, &bool)| (ruling == ruled).then_some(outcome);
            outcomes.iter().zip(&ruling).map(level).collect()
        };
        let split = ruling.contains(&true);
        let group = file.group(&self.name(), Level::Must, &[], request.clone());
        if !accepted[0].outputs.is_empty() {
            accepted[0].add_case(group, from, to)?;
        }
        self.add_rejected(group, &of_level(false), None)?;
        if group.cases.is_empty() {
            file.groups.pop();
        }
        if split {
            let name = format!("{}-ruling", self.name());
            let group = file.group(&name, Level::Ruling, &[], request);
            if !accepted[1].outputs.is_empty() {
                accepted[1].add_case(group, from, to)?;
            }
            self.add_rejected(group, &of_level(true), Some(&cast))?;
        }
        Ok(())
    }

    /// Adds a case for each reason of a rejection; `ruled` where rulings say so.
    fn add_rejected(
        &self,
        group: &mut Group,
        outcomes: &[Option<Outcome>],
        ruled: Option<&Cast<'_>>,
    ) -> Result<(), String> {
        for (reason, id, clause) in [
            (Reason::OutOfRange, "out-of-range", "cast_value.range.error"),
            (Reason::NotANumber, "nan", "cast_value.special.nan-error"),
            (
                Reason::NotFinite,
                "infinity",
                "cast_value.special.infinity-error",
            ),
        ] {
            let ends = ends_of_rejected(outcomes, reason);
            if ends.is_empty() {
                continue;
            }
            let clauses: BTreeSet<&str> = match ruled {
                None => BTreeSet::from([clause]),
                Some(cast) => ends
                    .iter()
                    .flat_map(|&bits| proof(cast, bits, Err(reason)).clauses)
                    .collect(),
            };
            let clauses: Vec<&str> = clauses.into_iter().collect();
            let case = group
                .case(
                    id,
                    &clauses,
                    input(self.from, &ends)?,
                    Expect::reject(reason),
                )
                .each();
            if let Some(note) = note(self.from, &ends) {
                case.note(note);
            }
        }
        Ok(())
    }
}

/// Whether a ruling, not the text, says what becomes of an element. `past` tells that the value is
/// out of range unless a rule helps.
fn is_ruling(cast: &Cast<'_>, bits: u64, outcome: Outcome, past: bool) -> bool {
    let Format::Float(format) = cast.to.format() else {
        return false;
    };
    let number = Number::of(cast.from, bits);
    if matches!(number, Number::Nan | Number::Infinite { .. }) {
        return false;
    }
    if past
        && (outcome.is_err() || format.infinity)
        && proof::stays_at_largest_in_ieee(cast, number)
    {
        return true;
    }
    if !format.zero {
        return proof::below_no_zero(cast, number)
            || proof::tie_past_no_zero(cast, number)
            || proof::is_tie(cast, number, bits);
    }
    outcome.is_ok_and(|output| proof::loses_zero_sign(cast, number, Number::of(cast.to, output)))
}

fn is_negative_zero(of: DataType, bits: u64) -> bool {
    matches!(
        Number::of(of, bits),
        Number::Real(real) if rustc_apfloat::Float::is_neg_zero(real)
    )
}

fn has_negative_zero(of: DataType) -> bool {
    matches!(of.format(), Format::Float(format) if format.negative_zero)
}

fn at(outcomes: &[Outcome], bits: u64) -> Option<Outcome> {
    outcomes.get(usize::try_from(bits).ok()?).copied()
}

/// The clauses that an accepted element is about. `ruled`: a range rule gave the result.
fn proved(cast: &Cast<'_>, bits: u64, output: u64, ruled: bool) -> Vec<&'static str> {
    let (from, to) = (Number::of(cast.from, bits), Number::of(cast.to, output));
    let into_float = matches!(cast.to.format(), Format::Float(_));
    match from {
        Number::Nan => vec!["cast_value.special.nan"],
        Number::Infinite { .. } => vec!["cast_value.special.infinity"],
        _ if ruled => vec![match cast.out_of_range {
            Some(OutOfRange::Wrap) => "cast_value.range.wrap",
            _ if into_float => "cast_value.range.clamp-infinity",
            _ => "cast_value.range.clamp",
        }],
        Number::Real(real) if rustc_apfloat::Float::is_neg_zero(real) => {
            vec!["cast_value.special.signed-zero"]
        }
        _ if from.same_value(to) => vec!["cast_value.exact"],
        _ if into_float => vec![
            rounding_clause(cast.rounding),
            "cast_value.rounding.every-inexact",
        ],
        _ => vec![rounding_clause(cast.rounding)],
    }
}

/// The first and the last element of every run that is rejected for a reason.
fn ends_of_rejected(outcomes: &[Option<Outcome>], reason: Reason) -> Vec<u64> {
    let rejected = |index: Option<usize>| {
        index.and_then(|index| outcomes.get(index).copied().flatten()) == Some(Err(reason))
    };
    let mut ends: Vec<u64> = (0..)
        .zip(0..outcomes.len())
        .filter(|&(_, index)| {
            rejected(Some(index))
                && !(rejected(index.checked_sub(1)) && rejected(index.checked_add(1)))
        })
        .map(|(bits, _)| bits)
        .collect();
    ends.truncate(MOST_REJECTED);
    ends
}
