//! Cells of decoding: every pair of data types in every mode and under every rule that makes a difference there, with
//! the few elements that distinguish the cell from the others; and cells of encoding under the rules.
//!
//! All other encoding, and everything about the core types, is in the topics of the pairs.

use std::collections::BTreeSet;

use exactum_model::{DataType, Format, OutOfRange, Reason, Rounding};
use exactum_vectors::{Expect, File, Level};
use rustc_apfloat::Float;

use super::elements::elements;
use super::proof::proof;
use super::sweeps::is_ruling;
use super::{
    Direction, Outcome, Setting, Way, bits, input, is_core, pairs, real, rule_name, rules,
};
use crate::oracle::tables::Number;
use crate::vectors::builder::{TENSORSTORE, ZARR_EXTENSIONS, of_practice, request, row};

/// Pairs within the core for which the topics of the pair only have integers that lie halfway between two floats or
/// next to the limit. Only elements that distinguish modes are added for them here.
const NEEDED: [(DataType, DataType); 1] = [(DataType::Uint32, DataType::Float16)];

/// Returns the topic of a source type. Other pairs within the core are completely covered by their own topics.
pub(super) fn topic(from: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", &format!("decode-{from}"), ZARR_EXTENSIONS);
    for to in real().filter(|&to| !is_core(from, to) || NEEDED.contains(&(from, to))) {
        Pair::new(Direction::Decode, from, to)?.add(&mut file)?;
    }
    Ok(file)
}

/// Returns the topic of the remaining cells of encoding: the range rules, special values, and elements that distinguish
/// cells where the topics of the pairs have none.
pub(super) fn encoded_topic(from: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", &format!("encode-{from}"), ZARR_EXTENSIONS);
    let stands = |to| {
        NEEDED.contains(&(from, to)) || !is_core(from, to) && !pairs::LONG.contains(&(from, to))
    };
    for to in real().filter(|&to| stands(to)) {
        Pair::new(Direction::Encode, from, to)?.add(&mut file)?;
    }
    Ok(file)
}

/// Returns a topic with both directions between a type that the registry lacks and each of the other types. These pairs
/// have no topics of their own.
pub(super) fn topic_of_practice(of: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", of.name(), TENSORSTORE);
    for with in real() {
        for (from, to) in [(of, with), (with, of)] {
            for direction in [Direction::Encode, Direction::Decode] {
                let mut pair = Pair::new(direction, from, to)?;
                pair.alone = true;
                pair.add(&mut file)?;
            }
        }
    }
    Ok(of_practice(file))
}

/// Returns the elements on which a pair is tested; for a small type these are all of its elements.
pub(super) fn inputs(from: DataType, to: DataType) -> Vec<u64> {
    if bits(from) <= 8 {
        (0..=from.format().component_mask()).collect()
    } else {
        elements(from, to)
    }
}

/// Returns integers a quarter of a step above and below values of a float type, which are rounded up in only one
/// directed mode.
fn quarters(from: DataType, to: DataType) -> Vec<u64> {
    let (Format::Integer(_), Format::Float(float)) = (from.format(), to.format()) else {
        return Vec::new();
    };
    let value = 4_u64 << float.mantissa_bits;
    let mask = from.format().component_mask();
    [value + 1, value + 3]
        .into_iter()
        .filter(|&it| bits(from) > 8 && it < mask / 2)
        .flat_map(|it| [it, it.wrapping_neg() & mask])
        .collect()
}

/// A pair of types, in the direction from the first type to the second.
struct Pair {
    direction: Direction,
    from: DataType,
    to: DataType,
    /// The elements on which every setting is tested, followed by a few for modes that these do not distinguish.
    elements: Vec<u64>,
    /// The number of elements on which every setting is tested.
    own: usize,
    /// Every setting, with the outcomes of the elements.
    settings: Vec<(Setting, Vec<Outcome>)>,
    /// Whether the pair has no other topic.
    alone: bool,
}

impl Pair {
    fn new(direction: Direction, from: DataType, to: DataType) -> Result<Self, String> {
        let mut elements = inputs(from, to);
        let own = elements.len();
        elements.extend(quarters(from, to));
        let mut pair = Self {
            direction,
            from,
            to,
            elements,
            own,
            settings: Vec::new(),
            alone: false,
        };
        let encoded = pair.setting(Rounding::NearestEven, None).types().1;
        for &rounding in Rounding::ALL {
            for &rule in rules(encoded) {
                let setting = pair.setting(rounding, rule);
                let outcomes = setting.outcomes("by cell", &pair.elements)?;
                pair.settings.push((setting, outcomes));
            }
        }
        Ok(pair)
    }

    fn setting(&self, rounding: Rounding, rule: Option<OutOfRange>) -> Setting {
        Setting::new(self.direction, self.from, self.to)
            .in_mode(rounding)
            .under(rule)
    }

    /// Returns the outcomes of the elements in a mode without a range rule.
    fn plain(&self, rounding: Rounding) -> &[Outcome] {
        self.of(self.setting(rounding, None))
    }

    /// Returns the outcomes of the elements under a setting.
    fn of(&self, setting: Setting) -> &[Outcome] {
        let of = |(it, _): &&(Setting, Vec<Outcome>)| *it == setting;
        self.settings.iter().find(of).map_or(&[], |(_, it)| it)
    }

    /// Returns whether a mode other than the default gives the same outcomes as the default.
    fn is_like_default(&self, rounding: Rounding) -> bool {
        rounding != Rounding::NearestEven
            && self.plain(rounding) == self.plain(Rounding::NearestEven)
    }

    fn add(&self, file: &mut File) -> Result<(), String> {
        let even = self.plain(Rounding::NearestEven);
        let modes_agree = Rounding::ALL.iter().all(|&mode| self.plain(mode) == even);
        let mut cases = Vec::new();
        for (index, (setting, _)) in self.settings.iter().enumerate() {
            // If all modes agree, the default mode represents all of them; without a range rule it is covered by the
            // short topics.
            let stands = if setting.rounding == Rounding::NearestEven {
                !self.alone
                    && setting.rule.is_none()
                    && !pairs::LONG.contains(&(self.from, self.to))
            } else {
                modes_agree
            };
            if !stands {
                let telling = self.telling(index);
                let further = self.telling_other_modes(index, &telling);
                if !NEEDED.contains(&(self.from, self.to)) {
                    cases.extend(self.cases(index, telling, "")?);
                }
                cases.extend(self.cases(index, further, "-other-modes")?);
            }
        }
        for (level, suffix) in [(Level::Must, ""), (Level::Ruling, "-ruling")] {
            if cases.iter().all(|case| case.level != level) {
                continue;
            }
            let op = format!("cast_value.{}", self.direction.name());
            let mut shared = request([("op", op.into())]);
            let mut clauses = Vec::new();
            if self.direction == Direction::Decode {
                shared.insert("data_type".into(), self.to.name().into());
                clauses.push("cast_value.decode");
            }
            let name = if self.alone {
                format!(
                    "{}-{}-{}{suffix}",
                    self.direction.name(),
                    self.from,
                    self.to
                )
            } else {
                format!("{}{suffix}", self.to)
            };
            let group = file.group(&name, level, &clauses, shared);
            for case in cases.iter().filter(|case| case.level == level) {
                let clauses: Vec<&str> = case.clauses.iter().copied().collect();
                let mut own = request([("configuration", case.configuration.as_str().into())]);
                own.extend(input(self.from, &case.inputs)?);
                let expect = match case.reason {
                    None => Expect::output(&row(self.to, &case.outputs)?),
                    Some(reason) => Expect::reject(reason),
                };
                let added = group.case(&case.name, &clauses, own, expect);
                if case.reason.is_some() {
                    added.per_element();
                }
            }
        }
        Ok(())
    }

    /// Returns the cases of some elements in a setting: accepted elements, and rejected ones for each reason.
    fn cases(&self, index: usize, elements: Vec<usize>, suffix: &str) -> Result<Vec<Case>, String> {
        let (setting, outcomes) = &self.settings[index];
        let cast = setting.cast();
        let mut cases: Vec<Case> = Vec::new();
        for element in elements {
            let (bits, outcome) = (self.elements[element], outcomes[element]);
            let proof = proof(&cast, bits, outcome);
            let reason = outcome.err();
            let found = cases
                .iter()
                .position(|case| case.level == proof.level && case.reason == reason);
            let place = found.unwrap_or_else(|| {
                cases.push(Case {
                    name: self.name(*setting, suffix, reason),
                    level: proof.level,
                    reason,
                    clauses: BTreeSet::new(),
                    configuration: setting.configuration(),
                    inputs: Vec::new(),
                    outputs: Vec::new(),
                });
                cases.len() - 1
            });
            let case = &mut cases[place];
            case.clauses.extend(proof.clauses);
            case.inputs.push(bits);
            case.outputs.extend(outcome.ok());
        }
        Ok(cases)
    }

    fn name(&self, setting: Setting, more: &str, reason: Option<Reason>) -> String {
        let suffix = match reason {
            None => "",
            Some(Reason::NotANumber) => "-nan",
            Some(Reason::NotFinite) => "-infinity",
            Some(_) => "-rejected",
        };
        let rule = rule_name(setting.rule);
        format!("{}-{rule}{more}{suffix}", setting.rounding.name())
    }

    /// Returns whether the short topics contain an element under a setting.
    fn is_in_short_topics(&self, index: usize, element: usize) -> bool {
        let (setting, outcomes) = &self.settings[index];
        let default = setting.rounding == Rounding::NearestEven;
        let even = self.of(setting.in_mode(Rounding::NearestEven));
        let plain = self.plain(setting.rounding);
        let here = outcomes[element];
        let by_mode =
            even[element] != here || plain[element] != self.plain(Rounding::NearestEven)[element];
        match setting.rule {
            None => {
                let mut modes = Rounding::ALL.iter().map(|&mode| self.plain(mode)[element]);
                let first = modes.next();
                default || modes.any(|outcome| Some(outcome) != first)
            }
            Some(_) => here != plain[element] && (default || by_mode),
        }
    }

    /// Returns whether an element of the short topics distinguishes a setting from another.
    fn is_told_in_short_topics(&self, index: usize, other: usize) -> bool {
        let (outcomes, there) = (&self.settings[index].1, &self.settings[other].1);
        self.short_topics_have(index, |element| outcomes[element] != there[element])
    }

    /// Returns whether the short topics contain a certain kind of element under a setting.
    fn short_topics_have(&self, index: usize, of_kind: impl Fn(usize) -> bool) -> bool {
        let has_short_topics = !self.alone && self.direction == Direction::Encode;
        has_short_topics
            && (0..self.own)
                .any(|element| of_kind(element) && self.is_in_short_topics(index, element))
    }

    /// Returns the settings with which a setting is compared: in decoding, all settings; in encoding, the next mode and
    /// the other rules, unless the topics of the pairs already distinguish them.
    fn others(&self, index: usize) -> Vec<usize> {
        let (setting, _) = &self.settings[index];
        let all = 0..self.settings.len();
        if self.alone || self.direction == Direction::Decode {
            return all.collect();
        }
        let next = if setting.rounding == Rounding::NearestEven {
            Rounding::TowardsZero
        } else {
            Rounding::NearestEven
        };
        all.filter(|&other| {
            let (it, _) = &self.settings[other];
            let same_rule = it.rule == setting.rule && it.rounding == next;
            let same_mode = it.rounding == setting.rounding && it.rule != setting.rule;
            let compared = match self.is_like_default(setting.rounding) {
                true => it.rule == setting.rule || same_mode,
                false => same_rule || same_mode,
            };
            compared && !self.is_told_in_short_topics(index, other)
        })
        .collect()
    }

    /// Returns elements that distinguish a mode under a range rule from the other modes, if neither the chosen elements
    /// nor the short topics do so.
    fn telling_other_modes(&self, index: usize, chosen: &[usize]) -> Vec<usize> {
        let (setting, outcomes) = &self.settings[index];
        let mut telling: Vec<usize> = Vec::new();
        for (it, there) in &self.settings {
            if it.rule != setting.rule {
                continue;
            }
            let differs = |element: usize| outcomes[element] != there[element];
            // A rejection cites the clauses about ranges, and proves nothing about rounding.
            let rounds_apart = |element: usize| {
                differs(element) && outcomes[element].is_ok() && there[element].is_ok()
            };
            let has = |telling: &[usize], of_kind: &dyn Fn(usize) -> bool| {
                chosen.iter().chain(telling).any(|&it| of_kind(it))
            };
            let all = 0..outcomes.len();
            if !has(&telling, &differs) && !self.short_topics_have(index, differs) {
                telling.extend(all.clone().find(|&it| differs(it)));
            }
            // The short topics have few integers that lie between floats.
            let short = self.own == self.elements.len();
            let known = has(&telling, &rounds_apart)
                || short && self.short_topics_have(index, rounds_apart);
            if !known {
                telling.extend(all.clone().find(|&it| rounds_apart(it)));
            }
        }
        telling
    }

    /// Returns the elements that distinguish a setting from every other one: one of each sign, accepted and rejected,
    /// by the text and by a ruling. Under the rules of the default mode, special values are added.
    fn telling(&self, index: usize) -> Vec<usize> {
        let (setting, outcomes) = &self.settings[index];
        let default = setting.rounding == Rounding::NearestEven;
        let (cast, plain) = (setting.cast(), self.plain(setting.rounding));
        let others = self.others(index);
        // A number that becomes a negative zero, although the source type has no negative zero.
        let negative_zero = |of: DataType| of.format().float().filter(|it| it.negative_zero);
        let sign = negative_zero(self.to).filter(|_| negative_zero(self.from).is_none());
        let sign = sign.map(|format| format.sign_mask());
        let vanishes = |outcome: Outcome| outcome.is_ok() && outcome.ok() == sign;
        let mut seen = BTreeSet::new();
        let mut special = BTreeSet::new();
        let mut telling = Vec::new();
        for (element, &bits) in self.elements[..self.own].iter().enumerate() {
            let outcome = outcomes[element];
            let (kind, negative) = match Number::of(self.from, bits) {
                Number::Nan => ("nan", false),
                Number::Infinite { negative } => ("infinity", negative),
                number if number.quad().is_zero() => ("zero", number.quad().is_negative()),
                number if vanishes(outcome) => ("vanishing", number.quad().is_negative()),
                number => ("number", number.quad().is_negative()),
            };
            let encoded = self.direction == Direction::Encode;
            let plain_zero = encoded && (kind, negative) == ("zero", false);
            let is_special = kind != "number" && !plain_zero;
            let mut tells = is_special && default && special.insert((kind, negative));
            for &other in &others {
                if self.settings[other].1[element] != outcome {
                    let ruling = is_ruling(&cast, bits, outcome, plain[element].is_err());
                    let difference = match self.direction {
                        // A single element is enough.
                        Direction::Encode => (other, false, None, false),
                        Direction::Decode => (other, negative, outcome.err(), ruling),
                    };
                    tells |= seen.insert(difference);
                }
            }
            if tells {
                telling.push(element);
            }
        }
        telling
    }
}

/// A case under construction.
struct Case {
    name: String,
    level: Level,
    reason: Option<Reason>,
    clauses: BTreeSet<&'static str>,
    configuration: String,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}
