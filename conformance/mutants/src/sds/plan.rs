//! Wrong plans: other rules of the same policies, checks left out, and metadata that do something else.

use std::sync::Arc;

use exactum_conformance::model::sds::{Needs, Plan, PlanRequest, Policy, Scaling, SdsType};
use exactum_conformance::model::{Reason, Rejection};
use exactum_reference::sds;
use serde_json::{Map, Value, json};

use super::super::data_sets::{AnswerPart, SdsFaults};
use super::super::{Mutant, Overrides, mutant};
use super::faults;

type Planned = Result<Plan, Rejection>;

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

/// The plan of another request.
fn instead(request: &PlanRequest, change: impl FnOnce(&mut PlanRequest)) -> Planned {
    let mut other = *request;
    change(&mut other);
    sds::plan(&other)
}

/// The right plan of other needs.
fn needing(request: &PlanRequest, change: impl FnOnce(&mut Needs)) -> Planned {
    instead(request, |it| change(&mut it.needs))
}

/// Another policy in the place of one.
fn swapped(request: &PlanRequest, right: Planned, of: Policy, by: Policy) -> Planned {
    match request.policy == of {
        true => instead(request, |it| it.policy = by),
        false => right,
    }
}

fn range(request: &PlanRequest) -> (f64, f64) {
    let number = f64::from_bits;
    (number(request.minimum), number(request.maximum))
}

fn is_single(request: &PlanRequest) -> bool {
    let (least, greatest) = range(request);
    least >= greatest
}

/// The right plan with the steps of another SCALE; itself where there is none.
fn with_scale(request: &PlanRequest, right: Planned, scale: impl FnOnce(f64) -> f64) -> Planned {
    let plan = right?;
    let scale = scale(f64::from_bits(plan.scale));
    let quantum = Policy::Quantum((1.0 / scale).to_bits());
    Ok(instead(request, |it| it.policy = quantum).unwrap_or(plan))
}

/// The right plan with another OFFSET.
fn with_offset(right: Planned, offset: impl FnOnce(f64, f64) -> f64) -> Planned {
    let mut plan = right?;
    let [scale, old] = [plan.scale, plan.offset].map(f64::from_bits);
    plan.offset = (offset(scale, old) + 0.0).to_bits();
    let scaling = Scaling::of(Some(plan.scale), Some(plan.offset));
    plan.zarr_offset = sds::lower(scaling)?.zero;
    Ok(plan)
}

fn of_clause(right: &Planned, clause: &str) -> bool {
    right.as_ref().is_err_and(|it| it.clause == clause)
}

/// What the policy gives, without a look at the codes of the ends.
fn unchecked(request: &PlanRequest, right: Planned) -> Planned {
    let (least, greatest) = range(request);
    if !of_clause(&right, "sds.plan.free") {
        return right;
    }
    let scale = match request.policy {
        Policy::Quantum(bits) => 1.0 / f64::from_bits(bits),
        _ if is_single(request) => 1.0,
        _ => spanned(request) / (greatest - least),
    };
    let offset = (-scale * (least + greatest) / 2.0).clamp(-f64::MAX, f64::MAX);
    let scaling = Scaling::of(Some(scale.to_bits()), Some(offset.to_bits()));
    Ok(Plan {
        scale: scale.to_bits(),
        offset: offset.to_bits(),
        fill: None,
        infinite: None,
        maximum_error: (0.5 / scale).to_bits(),
        headroom: None,
        zarr_offset: sds::lower(scaling)?.zero,
    })
}

/// Three quarters of all codes.
fn spanned(request: &PlanRequest) -> f64 {
    let bits = request.target.bits(request.profile);
    // Reals have no codes, and any number will do.
    3.0 * f64::from(1_u32 << bits.saturating_sub(2))
}

/// Both ends have a code by the attributes, whatever the codecs make of them.
fn by_attributes(request: &PlanRequest, right: Planned) -> Planned {
    let (least, greatest) = range(request);
    let plan = unchecked(request, right.clone())?;
    let (scale, offset) = (f64::from_bits(plan.scale), f64::from_bits(plan.offset));
    let (low, high) = request.target.range(request.profile);
    let within = |end: f64| {
        let code = end.mul_add(scale, offset);
        let (low, high) = (super::sets::float(low), super::sets::float(high));
        low < code && code < high
    };
    match right {
        Err(_) if within(least) && within(greatest) => Ok(plan),
        right => right,
    }
}

fn empty_swapped(request: &PlanRequest, right: Planned) -> Planned {
    match of_clause(&right, "sds.plan.range") {
        true => instead(request, |it| {
            (it.minimum, it.maximum) = (it.maximum, it.minimum);
        }),
        false => right,
    }
}

fn ends_limited(request: &PlanRequest, right: Planned) -> Planned {
    let limited = |bits: u64| f64::from_bits(bits).clamp(-1e300, 1e300).to_bits();
    match of_clause(&right, "sds.plan.range") {
        true => instead(request, |it| {
            (it.minimum, it.maximum) = (limited(it.minimum), limited(it.maximum));
        }),
        false => right,
    }
}

fn reals_are_integers(request: &PlanRequest, right: Planned) -> Planned {
    match of_clause(&right, "sds.plan.target") {
        true => instead(request, |it| it.target = SdsType::I4),
        false => right,
    }
}

fn one_infinity(request: &PlanRequest, right: Planned) -> Planned {
    let mut plan = right?;
    if let Some(codes) = &mut plan.infinite {
        codes.negative = codes.negative.filter(|_| request.needs.negative_infinity);
    }
    Ok(plan)
}

fn by_magnitude(request: &PlanRequest, right: Planned) -> Planned {
    match request.policy {
        Policy::Quantum(bits) if of_clause(&right, "sds.plan.policy") => {
            let magnitude = f64::from_bits(bits).abs().to_bits();
            instead(request, |it| it.policy = Policy::Quantum(magnitude))
        }
        _ => right,
    }
}

/// A quantum of zero counts as none.
fn zero_is_none(request: &PlanRequest, right: Planned) -> Planned {
    match request.policy {
        Policy::Quantum(0) => instead(request, |it| it.policy = Policy::Tn115),
        _ => right,
    }
}

fn quantum_is_scale(request: &PlanRequest, right: Planned) -> Planned {
    match request.policy {
        Policy::Quantum(_) => with_scale(request, right, |scale| 1.0 / scale),
        _ => right,
    }
}

fn power_above(request: &PlanRequest, right: Planned, of: Policy, base: f64) -> Planned {
    match request.policy == of && !is_single(request) {
        true => with_scale(request, right, |scale| scale * base),
        false => right,
    }
}

/// A ratio that is a power itself counts as above it.
fn power_below(request: &PlanRequest, right: Planned) -> Planned {
    let (least, greatest) = range(request);
    let ratio = spanned(request) / (greatest - least);
    match (request.policy, &right) {
        (Policy::PowerOfTwo, Ok(plan)) if plan.scale == ratio.to_bits() => {
            with_scale(request, right, |scale| scale / 2.0)
        }
        _ => right,
    }
}

fn scale_without_limit(request: &PlanRequest, right: Planned) -> Planned {
    match of_clause(&right, "sds.plan.scale") {
        true => instead(request, |it| it.policy = Policy::Quantum(1.0_f64.to_bits())),
        false => right,
    }
}

/// The codes of all bits.
fn of_all_codes(request: &PlanRequest, right: Planned) -> Planned {
    match request.policy == Policy::Full {
        true => needing(request, |it| *it = Needs::default()).or(right),
        false => right,
    }
}

/// OFFSET by the SCALE that was rounded, in binary64.
fn offset_in_steps(request: &PlanRequest, right: Planned) -> Planned {
    let (least, greatest) = range(request);
    let bits = request.target.bits(request.profile);
    let centre = match request.target.is_signed() {
        true => 0.0,
        false => f64::from((1_u32 << bits.saturating_sub(1)) - 1),
    };
    match request.policy {
        Policy::Tn115 => with_offset(right, |scale, _| {
            centre - scale * ((least + greatest) / 2.0)
        }),
        _ => right,
    }
}

fn not_centred(request: &PlanRequest, right: Planned) -> Planned {
    let (least, _) = range(request);
    match (request.policy, request.target.is_signed()) {
        (Policy::Tn115, false) => with_offset(right, |scale, _| -scale * least),
        _ => right,
    }
}

/// The middle of all codes in the place of that of the free ones.
fn full_off_centre(request: &PlanRequest, right: Planned) -> Planned {
    let whole = match (request.policy, request.target.is_signed()) {
        (Policy::Full, true) => 0.0,
        _ => return right,
    };
    let (least, greatest) = range(request);
    with_offset(right, |scale, _| whole - scale * ((least + greatest) / 2.0))
}

fn decimal_offset(
    request: &PlanRequest,
    right: Planned,
    change: impl FnOnce(f64) -> f64,
) -> Planned {
    let plan = right?;
    if request.policy != Policy::Decimal {
        return Ok(plan);
    }
    let exact = with_scale(request, Ok(plan), |scale| scale)?;
    with_offset(Ok(plan), |_, _| change(f64::from_bits(exact.offset)))
}

fn single_of_width_one(request: &PlanRequest, right: Planned) -> Planned {
    match (request.policy, is_single(request)) {
        (Policy::Quantum(_), _) | (_, false) => right,
        _ => with_scale(request, right, |_| spanned(request)),
    }
}

fn single_centred(request: &PlanRequest, right: Planned) -> Planned {
    let (least, _) = range(request);
    let (low, high) = request.target.range(request.profile);
    match is_single(request) {
        true => with_offset(right, |scale, _| {
            super::sets::float(low.midpoint(high)) - scale * least
        }),
        false => right,
    }
}

fn headroom(right: Planned, change: impl FnOnce(f64) -> f64) -> Planned {
    let mut plan = right?;
    plan.headroom = plan
        .headroom
        .map(|bits| change(f64::from_bits(bits)).to_bits());
    Ok(plan)
}

/// The room of both sides together.
fn room_of_both(request: &PlanRequest, right: Planned) -> Planned {
    let (least, greatest) = range(request);
    let codes = {
        let (low, high) = request.target.range(request.profile);
        super::sets::float(high - low)
    };
    let plan = right?;
    let scale = f64::from_bits(plan.scale);
    headroom(Ok(plan), |_| codes / (scale * (greatest - least)) - 1.0)
}

fn single_has_room(right: Planned) -> Planned {
    let mut plan = right?;
    plan.headroom = plan.headroom.or(Some(0));
    Ok(plan)
}

fn half_a_step(right: Planned) -> Planned {
    let mut plan = right?;
    plan.maximum_error = (0.5 / f64::from_bits(plan.scale)).to_bits();
    Ok(plan)
}

fn error_downwards(right: Planned) -> Planned {
    let mut plan = right?;
    plan.maximum_error = f64::from_bits(plan.maximum_error).next_down().to_bits();
    Ok(plan)
}

/// SCALE and OFFSET as CF has them.
fn of_cf(right: Planned) -> Planned {
    let mut plan = right?;
    let lowered = sds::lower(Scaling::of(Some(plan.scale), Some(plan.offset)))?;
    (plan.scale, plan.offset) = (lowered.factor, lowered.zero);
    Ok(plan)
}

/// The configuration of a codec of the plan, in the answer.
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

/// What is not right, and why, for the faults that refuse.
fn refused(right: Planned) -> Planned {
    let plan = right?;
    match plan.headroom {
        Some(0) => Err(Rejection::new(Reason::Scaling, "sds.plan.free", "no room")),
        _ => Ok(plan),
    }
}

pub(super) fn mutants() -> Vec<Mutant> {
    [ranges_and_scales(), offsets_and_codecs()].concat()
}

#[rustfmt::skip] // A table.
fn ranges_and_scales() -> Vec<Mutant> {
    vec![
        mutant("sds-plan-of-cf", "sds.plan",
            "SCALE and OFFSET are those of CF: values of codes.", plans(|_, right| of_cf(right))),
        mutant("sds-plan-empty-swapped", "sds.plan.range",
            "The ends of an empty range are swapped.", plans(empty_swapped)),
        mutant("sds-plan-ends-limited", "sds.plan.range",
            "An infinite end is a large number.", plans(ends_limited)),
        mutant("sds-plan-reals-are-integers", "sds.plan.target",
            "A real target is taken for the integers of its width.", plans(reals_are_integers)),
        mutant("sds-plan-nan-unneeded", "sds.plan.needs",
            "NaN has no code.",
            plans(|request, right| right.and(needing(request, |it| it.nan = false)))),
        mutant("sds-plan-nan-always", "sds.plan.needs",
            "NaN has a code whether it is needed or not.",
            plans(|request, right| { let plan = right?; Ok(needing(request, |it| it.nan = true).unwrap_or(plan)) })),
        mutant("sds-plan-infinity-unneeded", "sds.plan.needs",
            "Infinity has no code.",
            plans(|request, right| right.and(needing(request, |it| it.positive_infinity = false)))),
        mutant("sds-plan-negative-infinity-unneeded", "sds.plan.needs",
            "-Infinity has no code.",
            plans(|request, right| right.and(needing(request, |it| it.negative_infinity = false)))),
        mutant("sds-plan-negative-infinity-in-unsigned", "sds.plan.needs",
            "-Infinity is left out where there is no code for it.",
            plans(|request, right| match of_clause(&right, "sds.plan.needs") {
                true => needing(request, |it| it.negative_infinity = false),
                false => right,
            })),
        mutant("sds-plan-one-infinity", "sds.plan.needs",
            "A signed type keeps the code of one infinity alone.", plans(one_infinity)),
        mutant("sds-plan-quantum-by-magnitude", "sds.plan.policy",
            "A negative quantum counts by its magnitude.", plans(by_magnitude)),
        mutant("sds-plan-quantum-zero-is-none", "sds.plan.policy",
            "A quantum of zero counts as none.", plans(zero_is_none)),
        mutant("sds-plan-quantum-is-scale", "sds.plan.scale",
            "The quantum is SCALE.", plans(quantum_is_scale)),
        mutant("sds-plan-tn115-is-full", "sds.plan.scale",
            "All codes are used where three quarters are asked for.",
            plans(|request, right| swapped(request, right, Policy::Tn115, Policy::Full))),
        mutant("sds-plan-full-is-tn115", "sds.plan.scale",
            "Three quarters are used where all codes are asked for.",
            plans(|request, right| swapped(request, right, Policy::Full, Policy::Tn115))),
        mutant("sds-plan-full-of-all", "sds.plan.scale",
            "Codes that stand for something else are used as well.", plans(of_all_codes)),
        mutant("sds-plan-power-is-tn115", "sds.plan.scale",
            "A power of two is not looked for.",
            plans(|request, right| swapped(request, right, Policy::PowerOfTwo, Policy::Tn115))),
        mutant("sds-plan-power-above", "sds.plan.scale",
            "The least power of two is taken that is above.",
            plans(|request, right| power_above(request, right, Policy::PowerOfTwo, 2.0))),
        mutant("sds-plan-power-below", "sds.plan.scale",
            "The power of two is below, also where the ratio is one.", plans(power_below)),
        mutant("sds-plan-decimal-is-power-of-two", "sds.plan.scale",
            "The power is one of two where one of ten is asked for.",
            plans(|request, right| swapped(request, right, Policy::Decimal, Policy::PowerOfTwo))),
        mutant("sds-plan-scale-unlimited", "sds.plan.scale",
            "A SCALE beyond binary64 is 1.", plans(scale_without_limit)),
    ]
}

#[rustfmt::skip] // A table.
fn offsets_and_codecs() -> Vec<Mutant> {
    vec![
        mutant("sds-plan-offset-in-steps", "sds.plan.offset",
            "OFFSET is computed in binary64 of the rounded SCALE.", plans(offset_in_steps)),
        mutant("sds-plan-least-is-zero", "sds.plan.offset",
            "The least value has the code 0 of an unsigned type.", plans(not_centred)),
        mutant("sds-plan-full-off-centre", "sds.plan.offset",
            "All codes are used, and the middle is 0 all the same.", plans(full_off_centre)),
        mutant("sds-plan-decimal-offset-exact", "sds.plan.offset",
            "OFFSET is not an integer beside a power of ten.",
            plans(|request, right| decimal_offset(request, right, |offset| offset))),
        mutant("sds-plan-decimal-offset-cut", "sds.plan.offset",
            "OFFSET is cut beside a power of ten.",
            plans(|request, right| decimal_offset(request, right, f64::trunc))),
        mutant("sds-plan-decimal-offset-even", "sds.plan.offset",
            "OFFSET goes to the even integer beside a power of ten.",
            plans(|request, right| decimal_offset(request, right, f64::round_ties_even))),
        mutant("sds-plan-single-of-width-one", "sds.plan.single",
            "A single value has a range of width 1.", plans(single_of_width_one)),
        mutant("sds-plan-single-centred", "sds.plan.single",
            "A single value has the code in the middle, as a range has.", plans(single_centred)),
        mutant("sds-plan-single-whole", "sds.plan.single",
            "The OFFSET of a single value is an integer beside a power of ten, so that the value does not come back.",
            plans(|request, right| match is_single(request) {
                true => decimal_offset(request, right, f64::round),
                false => right,
            })),
        mutant("sds-plan-single-within-half-a-step", "sds.plan.single",
            "A single value has an error of half a step.",
            plans(|request, right| match is_single(request) {
                true => half_a_step(right),
                false => right,
            })),
        mutant("sds-plan-ends-unchecked", "sds.plan.free",
            "It is not checked whether the ends have a code.", plans(unchecked)),
        mutant("sds-plan-codecs-unchecked", "sds.plan.free",
            "The ends have a code by the attributes, and the codecs are not checked.", plans(by_attributes)),
        mutant("sds-plan-wants-room", "sds.plan.free",
            "The last code at an end is not used.", plans(|_, right| refused(right))),
        mutant("sds-plan-half-a-step", "sds.plan.error",
            "The error is half a step, and the roundings of binary64 count for nothing.", plans(|_, right| half_a_step(right))),
        mutant("sds-plan-error-downwards", "sds.plan.error",
            "The error is rounded downwards.", plans(|_, right| error_downwards(right))),
        mutant("sds-plan-room-is-a-sixth", "sds.plan.headroom",
            "Headroom is a sixth, as of three quarters of the codes.",
            plans(|_, right| headroom(right, |_| 1.0 / 6.0))),
        mutant("sds-plan-room-of-both", "sds.plan.headroom",
            "Headroom is that of both sides together.", plans(room_of_both)),
        mutant("sds-plan-single-has-room", "sds.plan.headroom",
            "The headroom of a single value is zero.", plans(|_, right| single_has_room(right))),
        mutant("sds-plan-rounding-unnamed", "sds.plan.codecs",
            "The cast rounds as it does by default, to even.",
            answers(|_, answer| cast(answer, |cast| { cast.shift_remove("rounding"); }))),
        mutant("sds-plan-clamps", "sds.plan.codecs",
            "The cast clamps what leaves the range, onto codes that stand for something else.",
            answers(|_, answer| cast(answer, |cast| { cast.insert("out_of_range".into(), json!("clamp")); }))),
        mutant("sds-plan-map-one-way", "sds.plan.codecs",
            "What is not a number is not decoded.",
            answers(|_, answer| without_map(answer, "decode"))),
        mutant("sds-plan-map-other-way", "sds.plan.codecs",
            "What is not a number is not encoded.",
            answers(|_, answer| without_map(answer, "encode"))),
        mutant("sds-plan-offset-of-codes", "sds.plan.codecs",
            "The offset of the codec is OFFSET, which counts codes.", answers(|_, answer| own_offset(answer))),
        mutant("sds-plan-big-endian", "sds.plan.codecs",
            "Codes are stored big-endian.", answers(|_, answer| big_endian(answer))),
    ]
}
