//! Packings: SCALE and OFFSET for a range of values (sds.plan).

use exactum_exact::Exact;
use exactum_model::sds::{Lowered, Plan, PlanRequest, Policy, Scaling};
use exactum_model::{DataType, Reason, Rejection, ScaleOffset};

use super::Codes;
use crate::Reference;

use super::element::{binary64, nearest_away, offset_of, round_real};
use super::lower::lower;
use super::scale::code;

/// Plans a packing in which the codes of the range are in the type, and differ from every reserved code
/// (sds.plan).
///
/// # Errors
/// [`Reason::Scaling`]: for ends that are not finite or in the wrong order (sds.plan.range), a type that is
/// not an integer (sds.plan.target) or cannot hold what must survive (sds.plan.needs), a quantum that is not
/// positive (sds.plan.policy) or too fine for the type, data so far from zero that no OFFSET is exact enough
/// (sds.plan.free), and a SCALE that is not a finite double (sds.plan.scale).
pub fn plan(request: &PlanRequest) -> Result<Plan, Rejection> {
    let read = |bits| Exact::from_bits(&binary64(), bits);
    let (least, greatest) = (read(request.minimum), read(request.maximum));
    check(request, &least, &greatest)?;
    let needs = request.needs;
    let infinite = needs.positive_infinity || needs.negative_infinity;
    let codes = Codes {
        rules: &Reference,
        of: request.target,
        profile: request.profile,
        fill: needs.nan,
        infinite,
    };
    let (low, high) = free(&codes);
    let bits = request.target.bits(request.profile);
    let distance = greatest.subtract(&least);
    let is_single = matches!(distance, Exact::Zero { .. });
    let three_quarters = Exact::integer(3 << (bits - 2)).divide(&distance);
    // sds.plan.scale
    let scale = match request.policy {
        Policy::Quantum(bits) => Exact::integer(1).divide(&read(bits)),
        _ if is_single => Exact::integer(1),
        Policy::Tn115 => three_quarters,
        Policy::Full => Exact::integer((high - low).into()).divide(&distance),
        Policy::PowerOfTwo => power_not_above(&three_quarters, 2),
        Policy::Decimal => power_not_above(&three_quarters, 10),
    };
    let rounded_scale = round_scale(&scale, request.policy)?;

    let offset = match is_single {
        true => Exact::integer(0).subtract(&scale.multiply(&least)),
        false => centred(request, &scale, &least.add(&greatest), low + high),
    };
    let scaling = Scaling::of(Some(rounded_scale), Some(offset_of(&offset)));

    let mut lowered = lower(scaling)?;
    if is_single {
        // Adding 0 turns -0 into 0.
        lowered.zero = offset_of(&Exact::integer(0).add(&least));
    }
    let is_free = |code: &i64| (low..=high).contains(code);
    let end = |value: &Exact| code(value, scaling).filter(is_free);
    // The codecs compute in binary64, and in a different order.
    let by_codecs = |bits| code_by_codecs(lowered, bits).filter(is_free);
    let (Some(first), Some(last), Some(_), Some(_)) = (
        end(&least),
        end(&greatest),
        by_codecs(request.minimum),
        by_codecs(request.maximum),
    ) else {
        return Err(without_a_code(request.policy));
    };
    let scale = read(rounded_scale);
    // sds.plan.headroom
    let room = [first - low, high - last].into_iter().min().unwrap_or(0);
    let headroom = Exact::integer(room.into()).divide(&scale.multiply(&distance));
    let standard = request.target.standard_infinite(request.profile);
    Ok(Plan {
        scale: rounded_scale,
        offset: offset_of(&offset),
        fill: needs
            .nan
            .then(|| request.target.standard_fill(request.profile)),
        infinite: infinite.then_some(standard),
        maximum_error: match is_single {
            true => 0,
            false => error(&scale, &read(lowered.zero), &least, &greatest),
        },
        headroom: (!is_single).then(|| offset_of(&headroom)),
        zarr_offset: lowered.zero,
    })
}

/// Returns the OFFSET by which a middle of codes stands for the middle of a range, whose ends add up to `sum`
/// (sds.plan.offset). The middle of all codes is that of the note; the middle of the free codes, whose ends
/// add up to `free`, is used if all of them are used.
fn centred(request: &PlanRequest, scale: &Exact, sum: &Exact, free: i64) -> Exact {
    let two = Exact::integer(2);
    let centre = match request.policy {
        Policy::Full => Exact::integer(free.into()).divide(&two),
        _ if request.target.is_signed() => Exact::integer(0),
        _ => Exact::integer((1 << (request.target.bits(request.profile) - 1)) - 1),
    };
    let offset = centre.subtract(&scale.multiply(&sum.divide(&two)));
    match request.policy {
        Policy::Decimal => rounded_offset(offset),
        _ => offset,
    }
}

/// Returns the rejection of a range whose ends have no free code (sds.plan.free).
fn without_a_code(policy: Policy) -> Rejection {
    match policy {
        Policy::Quantum(_) => refuse(
            "sds.plan.free",
            "the range has more steps of the quantum than the type has free codes",
            "/policy",
        ),
        _ => refuse(
            "sds.plan.free",
            "the range is too far from zero for its width: no OFFSET is exact enough",
            "/minimum",
        ),
    }
}

/// Returns the code to which `scale_offset` and `cast_value` convert a binary64 number (sds.plan.free).
fn code_by_codecs(lowered: Lowered, bits: u64) -> Option<i64> {
    let codec = ScaleOffset {
        data_type: DataType::Float64,
        offset: Some(lowered.zero),
        scale: Some(lowered.scale),
    };
    let scaled = crate::scale_offset::encode_element(&codec, bits).ok()?;
    nearest_away(&Exact::from_bits(&binary64(), scaled))
}

fn check(request: &PlanRequest, least: &Exact, greatest: &Exact) -> Result<(), Rejection> {
    if !request.target.is_integer() {
        return Err(refuse(
            "sds.plan.target",
            "values are packed into integers",
            "/target",
        ));
    }
    for (end, pointer) in [(least, "/minimum"), (greatest, "/maximum")] {
        if matches!(end, Exact::Nan | Exact::Infinite { .. }) {
            return Err(refuse(
                "sds.plan.range",
                "the ends of the range must be finite numbers",
                pointer,
            ));
        }
    }
    if least
        .compare(greatest)
        .is_some_and(std::cmp::Ordering::is_gt)
    {
        return Err(refuse(
            "sds.plan.range",
            "the range is empty: its minimum is above its maximum",
            "/minimum",
        ));
    }
    if request.needs.negative_infinity && !request.target.is_signed() {
        return Err(refuse(
            "sds.plan.needs",
            "an unsigned type has no code for -Infinity",
            "/needs",
        ));
    }
    if let Policy::Quantum(bits) = request.policy {
        let quantum = Exact::from_bits(&binary64(), bits);
        if !matches!(&quantum, Exact::Finite(finite) if !finite.negative) {
            return Err(refuse(
                "sds.plan.policy",
                "a quantum must be a positive finite number",
                "/policy",
            ));
        }
    }
    Ok(())
}

fn refuse(clause: &'static str, message: &str, pointer: &str) -> Rejection {
    Rejection::new(Reason::Scaling, clause, message).at_pointer(pointer)
}

/// Returns the codes between all that stand for something else (sds.plan.needs). Those are the first or the
/// last two of the type; a free code beyond them is of no use to a range.
fn free(codes: &Codes<'_>) -> (i64, i64) {
    let (low, high) = codes.of.range(codes.profile);
    let is_taken = |code: &i64| codes.usable(Some(*code)).is_none();
    let below = [low + 1, low].into_iter().find(is_taken);
    let above = [high - 1, high].into_iter().find(is_taken);
    (
        below.map_or(low, |code| code + 1),
        above.map_or(high, |code| code - 1),
    )
}

fn round_scale(scale: &Exact, policy: Policy) -> Result<u64, Rejection> {
    let bits = round_real(scale, exactum_model::sds::SdsType::R8);
    let is_zero = |bits: &u64| matches!(Exact::from_bits(&binary64(), *bits), Exact::Zero { .. });
    bits.filter(|bits| !is_zero(bits)).ok_or_else(|| {
        let pointer = match policy {
            Policy::Quantum(_) => "/policy",
            _ => "/minimum",
        };
        let message = "the SCALE of this range is not a finite double";
        refuse("sds.plan.scale", message, pointer)
    })
}

/// Returns the nearest integer, with a half rounded away from zero, of a number below 2^52: greater doubles
/// are integers.
fn rounded_offset(offset: Exact) -> Exact {
    match &offset {
        Exact::Finite(finite) if finite.floor_log2() < 52 => {
            nearest_away(&offset).map_or(offset, |whole| Exact::integer(whole.into()))
        }
        _ => offset,
    }
}

/// Returns the greatest power of a base that is not above a positive number (sds.plan.scale).
#[must_use]
pub fn power_not_above(limit: &Exact, base: i128) -> Exact {
    let base = Exact::integer(base);
    let above = |power: &Exact| power.compare(limit).is_some_and(std::cmp::Ordering::is_gt);
    let mut power = Exact::integer(1);
    while above(&power) {
        power = power.divide(&base);
    }
    loop {
        let next = power.multiply(&base);
        if above(&next) {
            return power;
        }
        power = next;
    }
}

/// Returns half a step, plus what four operations in binary64 may add: subtracting the offset and multiplying
/// when encoding, dividing and adding when decoding. The result is rounded upwards (sds.plan.error).
fn error(scale: &Exact, zero: &Exact, least: &Exact, greatest: &Exact) -> u64 {
    let magnitude = |value: &Exact| {
        if value.is_negative() {
            value.negate()
        } else {
            value.clone()
        }
    };
    let step = Exact::integer(1).divide(&magnitude(scale));
    let sum = [least, greatest]
        .iter()
        .map(|end| magnitude(&end.subtract(zero)).add(&magnitude(end)))
        .fold(step.clone(), |sum, more| sum.add(&more));
    let unit = Exact::integer(1).divide(&Exact::integer(1 << 50));
    let bound = step.divide(&Exact::integer(2)).add(&sum.multiply(&unit));
    match exactum_exact::round(
        &bound,
        &binary64(),
        exactum_model::Rounding::TowardsPositive,
    ) {
        exactum_exact::Rounded::Bits(bits) => bits,
        _ => offset_of(&bound),
    }
}
