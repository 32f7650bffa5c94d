//! Sweeps: every element of the types of 16 bits or fewer is cast to every type and compared by checksum.

use std::collections::BTreeSet;

use exactum_model::{Cast, DataType, Format, OutOfRange, Reason, Rounding};
use exactum_vectors::{Expect, File, Group, Level, checksums, sweep_input};
use rustc_apfloat::{Float, Round};
use serde_json::json;

use super::proof::{self, proof, rounding_clause};
use super::{
    Direction, Outcome, Setting, answer, input, is_core, note, real, requested, resolve, rule_name,
    rules,
};
use crate::oracle::tables::Number;
use crate::vectors::builder::{ZARR_EXTENSIONS, request, row};

/// The largest number of elements in a case that are sent one by one.
const MOST_REJECTED: usize = 32;

/// Returns the topic of a source type. Pairs within the core have every mode and rule; other pairs have those that make
/// a difference to some element.
pub(super) fn topic(from: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", &format!("sweep-{from}"), ZARR_EXTENSIONS);
    for to in real() {
        let all = is_core(from, to);
        let plain = Plain::new(&file, from, to)?;
        let modes = if all || plain.inexact.contains(&true) {
            Rounding::ALL
        } else {
            &[Rounding::NearestEven]
        };
        for &rule in rules(to) {
            let mut in_default_mode: Option<Vec<Outcome>> = None;
            for &rounding in modes {
                let setting = Setting::new(Direction::Encode, from, to)
                    .in_mode(rounding)
                    .under(rule);
                let without_rule = plain.of(rounding);
                let outcomes = match rule {
                    None => without_rule.to_vec(),
                    Some(rule) => plain.under(&file, &setting, rule, in_default_mode.as_deref())?,
                };
                let as_without_rule = rule.is_some() && outcomes == without_rule;
                let as_in_default_mode = in_default_mode.as_ref() == Some(&outcomes);
                if all || !(as_without_rule || as_in_default_mode) {
                    setting.add_sweep(&mut file, &outcomes, without_rule)?;
                }
                in_default_mode.get_or_insert(outcomes);
            }
        }
    }
    Ok(file)
}

/// The outcome of every element without a range rule. The oracles are not asked again about an element if its outcome
/// cannot differ between modes or rules, because the sweeps of a 16-bit type have millions of such elements.
struct Plain {
    /// Whether each element is rounded or out of range.
    inexact: Vec<bool>,
    /// Whether each element is out of range both when rounded up and when rounded down, and therefore in every mode.
    outside: Vec<bool>,
    /// Whether each element is an integer, which rounding to an integer does not change.
    integral: Vec<bool>,
    outcomes: Vec<(Rounding, Vec<Outcome>)>,
}

impl Plain {
    fn new(file: &File, from: DataType, to: DataType) -> Result<Self, String> {
        let in_mode = |rounding, known| {
            let outcomes = Setting::new(Direction::Encode, from, to)
                .in_mode(rounding)
                .swept(file, known)?;
            Ok::<_, String>((rounding, outcomes))
        };
        let even = in_mode(Rounding::NearestEven, None)?;
        let inexact: Vec<bool> = (0..)
            .zip(&even.1)
            .map(|(bits, &outcome)| !is_settled(from, to, bits, outcome))
            .collect();
        let down = in_mode(Rounding::TowardsNegative, Some((&even.1, &inexact)))?;
        let up = in_mode(Rounding::TowardsPositive, Some((&even.1, &inexact)))?;
        let out = Err(Reason::OutOfRange);
        let outside: Vec<bool> = down
            .1
            .iter()
            .zip(&up.1)
            .map(|(down, up)| *down == out && *up == out)
            .collect();
        let between: Vec<bool> = inexact
            .iter()
            .zip(&outside)
            .map(|(inexact, outside)| *inexact && !outside)
            .collect();
        let zero = in_mode(Rounding::TowardsZero, Some((&even.1, &between)))?;
        let away = in_mode(Rounding::NearestAway, Some((&even.1, &between)))?;
        let integral = (0..)
            .zip(&even.1)
            .map(|(bits, _)| match Number::of(from, bits) {
                Number::Integer(_) => true,
                Number::Real(real) => real.round_to_integral(Round::TowardZero).value == real,
                Number::Nan | Number::Infinite { .. } => false,
            })
            .collect();
        Ok(Self {
            inexact,
            outside,
            integral,
            outcomes: vec![even, down, up, zero, away],
        })
    }

    fn of(&self, rounding: Rounding) -> &[Outcome] {
        self.outcomes
            .iter()
            .find(|(mode, _)| *mode == rounding)
            .map_or(&[], |(_, outcomes)| outcomes)
    }

    /// Returns the outcome of every element under a range rule. `in_default_mode` is the same result in the default
    /// mode.
    fn under(
        &self,
        file: &File,
        setting: &Setting,
        rule: OutOfRange,
        in_default_mode: Option<&[Outcome]>,
    ) -> Result<Vec<Outcome>, String> {
        let mut known = self.of(setting.rounding).to_vec();
        let mut marked: Vec<bool> = known
            .iter()
            .map(|outcome| *outcome == Err(Reason::OutOfRange))
            .collect();
        if let Some(default) = in_default_mode {
            for index in 0..known.len() {
                let same = rule == OutOfRange::Clamp || self.integral[index];
                if self.outside[index] && same {
                    known[index] = default[index];
                    marked[index] = false;
                }
            }
        }
        setting.swept(file, Some((&known, &marked)))
    }
}

/// Returns whether the outcome of an element is independent of the rounding mode and the range rule.
fn is_settled(from: DataType, to: DataType, bits: u64, outcome: Outcome) -> bool {
    match outcome {
        Ok(output) => Number::of(from, bits).same_value(Number::of(to, output)),
        Err(reason) => reason != Reason::OutOfRange,
    }
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
                // Within a run, clauses are only collected for every 16th element.
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
            "crc32": checksums(&row(to, &self.outputs)?),
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
    fn sweep_name(&self) -> String {
        format!(
            "{}-{}-{}",
            self.to,
            self.rounding.name(),
            rule_name(self.rule)
        )
    }

    /// Returns the outcome of every element. `known` contains outcomes, which are valid for the elements that are not
    /// marked.
    fn swept(
        &self,
        file: &File,
        known: Option<(&[Outcome], &[bool])>,
    ) -> Result<Vec<Outcome>, String> {
        let codec =
            resolve(&self.configuration(), self.from).map_err(|rejection| rejection.to_string())?;
        let cast = super::cast(Direction::Encode, &codec);
        let what = format!("cast_value/{}/{}", file.topic, self.sweep_name());
        let known = |index: usize| match known {
            Some((outcomes, marked)) if !marked[index] => Some(outcomes[index]),
            _ => None,
        };
        (0..=self.from.format().component_mask())
            .zip(0..)
            .map(|(bits, index)| known(index).map_or_else(|| answer(&what, &cast, bits), Ok))
            .collect()
    }

    /// Adds a group for the results that the text defines, and one for the results that rulings define. `without_rule`
    /// contains the outcomes of the elements without a range rule.
    fn add_sweep(
        &self,
        file: &mut File,
        outcomes: &[Outcome],
        without_rule: &[Outcome],
    ) -> Result<(), String> {
        let (from, to) = (self.from, self.to);
        let cast = self.cast();
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
        let request = requested(Direction::Encode, &self.configuration(), from);
        let of_level = |ruled: bool| -> Vec<Option<Outcome>> {
            let level =
                |(&outcome, &ruling): (&Outcome, &bool)| (ruling == ruled).then_some(outcome);
            outcomes.iter().zip(&ruling).map(level).collect()
        };
        let split = ruling.contains(&true);
        let group = file.group(&self.sweep_name(), Level::Must, &[], request.clone());
        if !accepted[0].outputs.is_empty() {
            accepted[0].add_case(group, from, to)?;
        }
        self.add_rejected(group, &of_level(false), None)?;
        if group.cases.is_empty() {
            file.groups.pop();
        }
        if split {
            let name = format!("{}-ruling", self.sweep_name());
            let group = file.group(&name, Level::Ruling, &[], request);
            if !accepted[1].outputs.is_empty() {
                accepted[1].add_case(group, from, to)?;
            }
            self.add_rejected(group, &of_level(true), Some(&cast))?;
            // The topics of the pairs cover the result of -0.
            if group.cases.is_empty() {
                file.groups.pop();
            }
        }
        Ok(())
    }

    /// Adds a case for each reason of a rejection. `ruled` is present if rulings define the rejections.
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
            let infinite = matches!(self.to.format(), Format::Float(format) if format.infinity);
            let id = match reason {
                Reason::OutOfRange if ruled.is_some() && infinite => "overflow",
                _ => id,
            };
            let case = group
                .case(
                    id,
                    &clauses,
                    input(self.from, &ends)?,
                    Expect::reject(reason),
                )
                .per_element();
            if let Some(note) = note(self.from, &ends) {
                case.note(note);
            }
        }
        Ok(())
    }
}

/// Returns whether a ruling, and not the text, defines the outcome of an element. `past` states whether the value is
/// out of range without a range rule.
pub(super) fn is_ruling(cast: &Cast<'_>, bits: u64, outcome: Outcome, past: bool) -> bool {
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
    if outcome.is_err() && proof::overflows_to_infinity(cast, number) {
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
        Number::Real(real) if real.is_neg_zero()
    )
}

fn has_negative_zero(of: DataType) -> bool {
    matches!(of.format(), Format::Float(format) if format.negative_zero)
}

fn at(outcomes: &[Outcome], bits: u64) -> Option<Outcome> {
    outcomes.get(usize::try_from(bits).ok()?).copied()
}

/// Returns the clauses that an accepted element tests. `ruled` states whether a range rule gave the result.
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
        Number::Real(real) if real.is_neg_zero() => {
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

/// Returns the first and the last element of every run that is rejected for a reason.
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
