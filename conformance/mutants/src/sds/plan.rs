//! Wrong plans: other rules for the same policies, missing checks, and metadata that have another effect.

use std::cmp::Ordering;
use std::sync::Arc;

use exactum_conformance::model::Rejection;
use exactum_conformance::model::sds::{Needs, Plan, PlanRequest, Policy, Scaling, SdsType};
use exactum_exact::Exact;
use exactum_reference::Reference;
use exactum_reference::sds::{self, PlanRange, Planning};
use serde_json::{Map, Value, json};

use super::super::data_sets::{AnswerPart, SdsFaults};
use super::super::{Mutant, Overrides, mutant};
use super::faults;
use crate::arithmetic::{BINARY64, saturated};

type Planned = Result<Plan, Rejection>;

/// Makes plans by the reference with one decision replaced.
macro_rules! decided {
    ($($decision:tt)+) => {
        plans(|request, _| sds::plan_with(&wrong!(Planning: $($decision)+), request))
    };
}

fn plans(part: fn(&PlanRequest, Planned) -> Planned) -> Overrides {
    faults(SdsFaults {
        planned: Some(Arc::new(part)),
        ..SdsFaults::NONE
    })
}

fn answers(part: AnswerPart) -> Overrides {
    faults(SdsFaults {
        codecs: Some(part),
        ..SdsFaults::NONE
    })
}

/// Returns the plan of another request.
fn instead(request: &PlanRequest, change: impl FnOnce(&mut PlanRequest)) -> Planned {
    let mut other = *request;
    change(&mut other);
    sds::plan(&other)
}

/// Returns the right plan for other needs.
fn needing(request: &PlanRequest, change: impl FnOnce(&mut Needs)) -> Planned {
    instead(request, |it| change(&mut it.needs))
}

/// Returns the plan of another request if a clause rejects the right one.
fn unless(
    clause: &str,
    request: &PlanRequest,
    right: Planned,
    change: impl FnOnce(&mut PlanRequest),
) -> Planned {
    match right {
        Err(rejection) if rejection.clause == clause => instead(request, change),
        right => right,
    }
}

/// Replaces one policy by another.
fn swapped(request: &PlanRequest, right: Planned, of: Policy, by: Policy) -> Planned {
    match request.policy == of {
        true => instead(request, |it| it.policy = by),
        false => right,
    }
}

/// Returns the binary64 nearest to a value.
fn number(value: &Exact) -> f64 {
    f64::from_bits(saturated(value, &BINARY64))
}

fn exact(number: f64) -> Exact {
    Exact::from_bits(&BINARY64, number.to_bits())
}

/// Returns the OFFSET for which the least value has the code 0.
fn least_is_zero(range: &PlanRange, scale: &Exact) -> Exact {
    Exact::integer(0).subtract(&scale.multiply(&range.least))
}

/// Returns the OFFSET for the rounded SCALE, computed in binary64.
fn offset_in_steps(range: &PlanRange, scale: &Exact, centre: &Exact) -> Exact {
    let [least, greatest, scale, centre] =
        [&range.least, &range.greatest, scale, centre].map(number);
    exact(centre - scale * ((least + greatest) / 2.0))
}

fn half_a_step(scale: &Exact) -> Exact {
    exact(0.5).divide(scale)
}

fn ends_limited(request: &PlanRequest, right: Planned) -> Planned {
    let limited = |bits: u64| f64::from_bits(bits).clamp(-1e300, 1e300).to_bits();
    unless("sds.plan.range", request, right, |it| {
        (it.minimum, it.maximum) = (limited(it.minimum), limited(it.maximum));
    })
}

fn one_infinity(request: &PlanRequest, right: Planned) -> Planned {
    let mut plan = right?;
    if let Some(codes) = &mut plan.infinite {
        codes.negative = codes.negative.filter(|_| request.needs.negative_infinity);
    }
    Ok(plan)
}

fn by_magnitude(request: &PlanRequest, right: Planned) -> Planned {
    unless("sds.plan.policy", request, right, |it| {
        if let Policy::Quantum(bits) = it.policy {
            it.policy = Policy::Quantum(f64::from_bits(bits).abs().to_bits());
        }
    })
}

fn error_downwards(right: Planned) -> Planned {
    let mut plan = right?;
    plan.maximum_error = f64::from_bits(plan.maximum_error).next_down().to_bits();
    Ok(plan)
}

/// Returns SCALE and OFFSET as defined by CF.
fn of_cf(right: Planned) -> Planned {
    let mut plan = right?;
    let lowered = sds::lower(Scaling::of(Some(plan.scale), Some(plan.offset)))?;
    (plan.scale, plan.offset) = (lowered.factor, lowered.zero);
    Ok(plan)
}

/// Returns the configuration of a codec of the plan in the answer.
fn configuration(answer: &mut Map<String, Value>, codec: usize) -> Option<&mut Map<String, Value>> {
    let codec = answer.get_mut("codecs")?.get_mut(codec)?;
    codec.get_mut("configuration")?.as_object_mut()
}

fn cast(answer: &mut Map<String, Value>, change: impl FnOnce(&mut Map<String, Value>)) {
    if let Some(cast) = configuration(answer, 1) {
        change(cast);
    }
}

fn without_map(answer: &mut Map<String, Value>, way: &str) {
    cast(answer, |cast| {
        let map = cast.get_mut("scalar_map").and_then(Value::as_object_mut);
        if let Some(map) = map {
            map.shift_remove(way);
        }
    });
}

fn own_offset(answer: &mut Map<String, Value>) {
    let offset = answer.get("offset").cloned().unwrap_or_default();
    if let Some(scale) = configuration(answer, 0) {
        scale.insert("offset".into(), offset);
    }
}

fn big_endian(answer: &mut Map<String, Value>) {
    if let Some(bytes) = configuration(answer, 2) {
        bytes.insert("endian".into(), json!("big"));
    }
}

pub(super) fn mutants() -> Vec<Mutant> {
    [ranges(), scales(), offsets(), singles(), ends(), codecs()].concat()
}

#[rustfmt::skip] // A table.
fn ranges() -> Vec<Mutant> {
    vec![
        mutant("sds-plan-of-cf", "sds.plan",
            "SCALE and OFFSET are those of CF, which take codes to values.", plans(|_, right| of_cf(right))),
        mutant("sds-plan-empty-swapped", "sds.plan.range",
            "The ends of an empty range are swapped.",
            plans(|request, right| unless("sds.plan.range", request, right, |it| {
                (it.minimum, it.maximum) = (it.maximum, it.minimum);
            }))),
        mutant("sds-plan-ends-limited", "sds.plan.range",
            "An infinite end is a large number.", plans(ends_limited)),
        mutant("sds-plan-reals-are-integers", "sds.plan.target",
            "A real target counts as the integers of its width.",
            plans(|request, right| unless("sds.plan.target", request, right, |it| it.target = SdsType::I4))),
        mutant("sds-plan-nan-unneeded", "sds.plan.needs",
            "NaN has no code.",
            plans(|request, right| right.and(needing(request, |it| it.nan = false)))),
        mutant("sds-plan-nan-always", "sds.plan.needs",
            "NaN has a code even if it is not needed.",
            plans(|request, right| { let plan = right?; Ok(needing(request, |it| it.nan = true).unwrap_or(plan)) })),
        mutant("sds-plan-infinity-unneeded", "sds.plan.needs",
            "Infinity has no code.",
            plans(|request, right| right.and(needing(request, |it| it.positive_infinity = false)))),
        mutant("sds-plan-negative-infinity-unneeded", "sds.plan.needs",
            "-Infinity has no code.",
            plans(|request, right| right.and(needing(request, |it| it.negative_infinity = false)))),
        mutant("sds-plan-negative-infinity-in-unsigned", "sds.plan.needs",
            "-Infinity is left out if there is no code for it.",
            plans(|request, right| unless("sds.plan.needs", request, right, |it| {
                it.needs.negative_infinity = false;
            }))),
        mutant("sds-plan-one-infinity", "sds.plan.needs",
            "A signed type reserves the code of only one infinity.", plans(one_infinity)),
    ]
}

#[rustfmt::skip] // A table.
fn scales() -> Vec<Mutant> {
    vec![
        mutant("sds-plan-quantum-by-magnitude", "sds.plan.policy",
            "A negative quantum counts by its magnitude.", plans(by_magnitude)),
        mutant("sds-plan-quantum-zero-is-none", "sds.plan.policy",
            "A quantum of zero counts as none.",
            plans(|request, right| swapped(request, right, Policy::Quantum(0), Policy::Tn115))),
        mutant("sds-plan-quantum-is-scale", "sds.plan.scale",
            "The quantum is SCALE.",
            decided!(
                fn scale(&self, range: &PlanRange) -> Exact {
                    match range.request.policy {
                        Policy::Quantum(bits) => Exact::from_bits(&BINARY64, bits),
                        _ => Reference.scale(range),
                    }
                }
            )),
        mutant("sds-plan-tn115-is-full", "sds.plan.scale",
            "All codes are used although three quarters are requested.",
            plans(|request, right| swapped(request, right, Policy::Tn115, Policy::Full))),
        mutant("sds-plan-full-is-tn115", "sds.plan.scale",
            "Three quarters of the codes are used although all are requested.",
            plans(|request, right| swapped(request, right, Policy::Full, Policy::Tn115))),
        mutant("sds-plan-full-of-all", "sds.plan.scale",
            "Codes with a special meaning are used as well.",
            plans(|request, right| match request.policy {
                Policy::Full => needing(request, |it| *it = Needs::default()).or(right),
                _ => right,
            })),
        mutant("sds-plan-power-is-tn115", "sds.plan.scale",
            "The request for a power of two is ignored.",
            plans(|request, right| swapped(request, right, Policy::PowerOfTwo, Policy::Tn115))),
        mutant("sds-plan-power-above", "sds.plan.scale",
            "The next greater power of two is used.",
            decided!(
                fn power_not_above(&self, limit: &Exact, base: i128) -> Exact {
                    let power = Reference.power_not_above(limit, base);
                    if base == 2 { power.multiply(&Exact::integer(2)) } else { power }
                }
            )),
        mutant("sds-plan-power-below", "sds.plan.scale",
            "A smaller power of two is used even if the ratio is itself a power of two.",
            decided!(
                fn power_not_above(&self, limit: &Exact, base: i128) -> Exact {
                    let power = Reference.power_not_above(limit, base);
                    match power.compare(limit) {
                        Some(Ordering::Equal) if base == 2 => power.divide(&Exact::integer(2)),
                        _ => power,
                    }
                }
            )),
        mutant("sds-plan-decimal-is-power-of-two", "sds.plan.scale",
            "A power of two is used although a power of ten is requested.",
            plans(|request, right| swapped(request, right, Policy::Decimal, Policy::PowerOfTwo))),
        mutant("sds-plan-scale-unlimited", "sds.plan.scale",
            "A SCALE beyond binary64 is 1.",
            plans(|request, right| unless("sds.plan.scale", request, right, |it| {
                it.policy = Policy::Quantum(1.0_f64.to_bits());
            }))),
    ]
}

#[rustfmt::skip] // A table.
fn offsets() -> Vec<Mutant> {
    vec![
        mutant("sds-plan-offset-in-steps", "sds.plan.offset",
            "OFFSET is computed in binary64 from the rounded SCALE.",
            decided!(
                fn offset(&self, range: &PlanRange, scale: &Exact) -> Exact {
                    match range.request.policy {
                        Policy::Tn115 => offset_in_steps(range, scale, &self.centre(range)),
                        _ => Reference.offset(range, scale),
                    }
                }
            )),
        mutant("sds-plan-least-is-zero", "sds.plan.offset",
            "The least value has the code 0 of an unsigned type.",
            decided!(
                fn offset(&self, range: &PlanRange, scale: &Exact) -> Exact {
                    match (range.request.policy, range.request.target.is_signed()) {
                        (Policy::Tn115, false) => least_is_zero(range, scale),
                        _ => Reference.offset(range, scale),
                    }
                }
            )),
        mutant("sds-plan-full-off-centre", "sds.plan.offset",
            "All codes are used, but the middle is still 0.",
            decided!(
                fn centre(&self, range: &PlanRange) -> Exact {
                    match (range.request.policy, range.request.target.is_signed()) {
                        (Policy::Full, true) => Exact::integer(0),
                        _ => Reference.centre(range),
                    }
                }
            )),
        mutant("sds-plan-decimal-offset-exact", "sds.plan.offset",
            "With a power of ten, OFFSET is not an integer.",
            decided!(fn whole_offset(&self, offset: Exact) -> Exact { offset })),
        mutant("sds-plan-decimal-offset-cut", "sds.plan.offset",
            "With a power of ten, OFFSET is truncated.",
            decided!(fn whole_offset(&self, offset: Exact) -> Exact { exact(number(&offset).trunc()) })),
        mutant("sds-plan-decimal-offset-even", "sds.plan.offset",
            "With a power of ten, ties of OFFSET go to the even integer.",
            decided!(fn whole_offset(&self, offset: Exact) -> Exact { exact(number(&offset).round_ties_even()) })),
    ]
}

#[rustfmt::skip] // A table.
fn singles() -> Vec<Mutant> {
    vec![
        mutant("sds-plan-single-of-width-one", "sds.plan.single",
            "A single value has a range of width 1.",
            decided!(
                fn scale(&self, range: &PlanRange) -> Exact {
                    let mut other = range.clone();
                    if range.is_single() {
                        other.greatest = range.least.add(&Exact::integer(1));
                    }
                    Reference.scale(&other)
                }
            )),
        mutant("sds-plan-single-centred", "sds.plan.single",
            "A single value has the code in the middle, like the middle of a range.",
            decided!(
                fn offset(&self, range: &PlanRange, scale: &Exact) -> Exact {
                    match range.is_single() {
                        true => least_is_zero(range, scale).add(&self.centre(range)),
                        false => Reference.offset(range, scale),
                    }
                }
            )),
        mutant("sds-plan-single-whole", "sds.plan.single",
            "With a power of ten, the OFFSET of a single value is an integer.",
            decided!(
                fn offset(&self, range: &PlanRange, scale: &Exact) -> Exact {
                    let offset = Reference.offset(range, scale);
                    match range.request.policy {
                        Policy::Decimal => self.whole_offset(offset),
                        _ => offset,
                    }
                }
            )),
        mutant("sds-plan-single-within-half-a-step", "sds.plan.single",
            "A single value has an error of half a step.",
            decided!(
                fn error(&self, range: &PlanRange, scale: &Exact, zero: &Exact) -> Exact {
                    match range.is_single() {
                        true => half_a_step(scale),
                        false => Reference.error(range, scale, zero),
                    }
                }
            )),
    ]
}

#[rustfmt::skip] // A table.
fn ends() -> Vec<Mutant> {
    vec![
        mutant("sds-plan-ends-unchecked", "sds.plan.free",
            "It is not checked whether the ends have a code.",
            decided!(
                fn ends(&self, _: &PlanRange, of: [Option<i64>; 2], _: [Option<i64>; 2]) -> Option<[i64; 2]> {
                    Some(of.map(Option::unwrap_or_default))
                }
            )),
        mutant("sds-plan-codecs-unchecked", "sds.plan.free",
            "The ends have codes according to the attributes; the codecs are not checked.",
            decided!(
                fn ends(&self, range: &PlanRange, of: [Option<i64>; 2], _: [Option<i64>; 2]) -> Option<[i64; 2]> {
                    Reference.ends(range, of, of)
                }
            )),
        mutant("sds-plan-attributes-unchecked", "sds.plan.free",
            "The ends have codes according to the codecs; the attributes are not checked.",
            decided!(
                fn ends(&self, range: &PlanRange, _: [Option<i64>; 2], by: [Option<i64>; 2]) -> Option<[i64; 2]> {
                    Reference.ends(range, by, by)
                }
            )),
        mutant("sds-plan-wants-room", "sds.plan.free",
            "The last code at an end is not used.",
            decided!(
                fn ends(&self, range: &PlanRange, of: [Option<i64>; 2], by: [Option<i64>; 2]) -> Option<[i64; 2]> {
                    let free = (range.free.0 + 1, range.free.1 - 1);
                    Reference.ends(&PlanRange { free, ..range.clone() }, of, by)
                }
            )),
        mutant("sds-plan-half-a-step", "sds.plan.error",
            "The error is half a step, without the rounding errors of binary64.",
            decided!(fn error(&self, _: &PlanRange, scale: &Exact, _: &Exact) -> Exact { half_a_step(scale) })),
        mutant("sds-plan-error-downwards", "sds.plan.error",
            "The error is rounded downwards.", plans(|_, right| error_downwards(right))),
        mutant("sds-plan-room-is-a-sixth", "sds.plan.headroom",
            "Headroom is a sixth, as of three quarters of the codes.",
            decided!(
                fn headroom(&self, range: &PlanRange, _: [i64; 2], _: &Exact) -> Option<Exact> {
                    (!range.is_single()).then(|| exact(1.0 / 6.0))
                }
            )),
        mutant("sds-plan-room-of-both", "sds.plan.headroom",
            "Headroom is the sum of both sides.",
            decided!(
                fn headroom(&self, range: &PlanRange, [first, last]: [i64; 2], scale: &Exact) -> Option<Exact> {
                    let (low, high) = range.free;
                    let both = (first - low) + (high - last);
                    Reference.headroom(range, [low + both, high - both], scale)
                }
            )),
        mutant("sds-plan-single-has-room", "sds.plan.headroom",
            "The headroom of a single value is zero.",
            decided!(
                fn headroom(&self, range: &PlanRange, ends: [i64; 2], scale: &Exact) -> Option<Exact> {
                    Reference.headroom(range, ends, scale).or(Some(Exact::integer(0)))
                }
            )),
    ]
}

#[rustfmt::skip] // A table.
fn codecs() -> Vec<Mutant> {
    vec![
        mutant("sds-plan-rounding-unnamed", "sds.plan.codecs",
            "The cast rounds as it does by default, to even.",
            answers(|_, answer| cast(answer, |cast| { cast.shift_remove("rounding"); }))),
        mutant("sds-plan-clamps", "sds.plan.codecs",
            "The cast clamps values out of range, onto codes with a special meaning.",
            answers(|_, answer| cast(answer, |cast| { cast.insert("out_of_range".into(), json!("clamp")); }))),
        mutant("sds-plan-map-one-way", "sds.plan.codecs",
            "Codes of NaN and infinities are not decoded.",
            answers(|_, answer| without_map(answer, "decode"))),
        mutant("sds-plan-map-other-way", "sds.plan.codecs",
            "NaN and infinities are not encoded.",
            answers(|_, answer| without_map(answer, "encode"))),
        mutant("sds-plan-offset-of-codes", "sds.plan.codecs",
            "The offset of the codec is OFFSET, which counts codes.", answers(|_, answer| own_offset(answer))),
        mutant("sds-plan-big-endian", "sds.plan.codecs",
            "Codes are stored big-endian.", answers(|_, answer| big_endian(answer))),
    ]
}
