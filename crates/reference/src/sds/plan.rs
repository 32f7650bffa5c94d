//! The planning of packings, which are SCALE and OFFSET for a range of values (sds.plan).

use exactum_exact::{Exact, Rounded, round};
use exactum_model::sds::{Lowered, Plan, PlanRequest, Policy, Scaling};
use exactum_model::{DataType, Reason, Rejection, Rounding, ScaleOffset};

use super::Codes;
use crate::Reference;

use super::element::{binary64, nearest_away, offset_of, round_real};
use super::lower::lower;
use super::scale::code;

/// A requested range, with the codes that are free for it.
#[derive(Clone, Debug)]
pub struct PlanRange {
    /// The request.
    pub request: PlanRequest,
    /// The smallest value of the range.
    pub least: Exact,
    /// The largest value of the range.
    pub greatest: Exact,
    /// The first and the last code that values may have.
    pub free: (i64, i64),
}

impl PlanRange {
    /// Returns the difference between the largest and the smallest value.
    #[must_use]
    pub fn width(&self) -> Exact {
        self.greatest.subtract(&self.least)
    }

    /// Returns whether the range is a single value.
    #[must_use]
    pub fn is_single(&self) -> bool {
        matches!(self.width(), Exact::Zero { .. })
    }

    /// Returns the SCALE with which three quarters of all codes cover the range.
    #[must_use]
    pub fn three_quarters(&self) -> Exact {
        let bits = self.request.target.bits(self.request.profile);
        Exact::integer(3 << (bits - 2)).divide(&self.width())
    }
}

/// The decisions that planning makes. Each method implements its clause. Overriding a method plans a packing with one
/// decision that is deliberately wrong.
pub trait Planning {
    /// Returns SCALE before rounding (sds.plan.scale, sds.plan.single).
    fn scale(&self, range: &PlanRange) -> Exact {
        let (low, high) = range.free;
        match range.request.policy {
            Policy::Quantum(bits) => Exact::integer(1).divide(&read(bits)),
            _ if range.is_single() => Exact::integer(1),
            Policy::Tn115 => range.three_quarters(),
            Policy::Full => Exact::integer((high - low).into()).divide(&range.width()),
            Policy::PowerOfTwo => self.power_not_above(&range.three_quarters(), 2),
            Policy::Decimal => self.power_not_above(&range.three_quarters(), 10),
        }
    }

    /// Returns the largest power of a base that does not exceed a positive number (sds.plan.scale).
    fn power_not_above(&self, limit: &Exact, base: i128) -> Exact {
        power_not_above(limit, base)
    }

    /// Returns OFFSET before it is rounded to binary64 (sds.plan.offset, sds.plan.single).
    fn offset(&self, range: &PlanRange, scale: &Exact) -> Exact {
        if range.is_single() {
            return Exact::integer(0).subtract(&scale.multiply(&range.least));
        }
        let middle = range.least.add(&range.greatest).divide(&Exact::integer(2));
        let offset = self.centre(range).subtract(&scale.multiply(&middle));
        match range.request.policy {
            Policy::Decimal => self.whole_offset(offset),
            _ => offset,
        }
    }

    /// Returns the middle of the codes. This is the middle that the note defines, or the middle of the free codes if
    /// the policy uses all of them (sds.plan.offset).
    fn centre(&self, range: &PlanRange) -> Exact {
        let (request, (low, high)) = (range.request, range.free);
        match request.policy {
            Policy::Full => Exact::integer((low + high).into()).divide(&Exact::integer(2)),
            _ if request.target.is_signed() => Exact::integer(0),
            _ => Exact::integer((1 << (request.target.bits(request.profile) - 1)) - 1),
        }
    }

    /// Rounds an OFFSET to the nearest integer, with halves away from zero, if its magnitude is below 2^52. Larger
    /// doubles are integers (sds.plan.offset).
    fn whole_offset(&self, offset: Exact) -> Exact {
        match &offset {
            Exact::Finite(finite) if finite.floor_log2() < 52 => {
                nearest_away(&offset).map_or(offset, |whole| Exact::integer(whole.into()))
            }
            _ => offset,
        }
    }

    /// Returns the codes of both ends, if the codes computed by the attributes and those computed by the codecs are all
    /// free (sds.plan.free).
    fn ends(
        &self,
        range: &PlanRange,
        by_attributes: [Option<i64>; 2],
        by_codecs: [Option<i64>; 2],
    ) -> Option<[i64; 2]> {
        let (low, high) = range.free;
        let is_free = |code: &Option<i64>| code.is_some_and(|code| low <= code && code <= high);
        let are_free = by_attributes.iter().chain(&by_codecs).all(is_free);
        let [first, last] = by_attributes;
        first.zip(last).filter(|_| are_free).map(Into::into)
    }

    /// Returns the bound of the error before rounding. It is half a step, plus the error that four operations in
    /// binary64 may add: encoding subtracts the offset and multiplies, and decoding divides and adds
    /// (sds.plan.error). A single value is read back exactly (sds.plan.single).
    fn error(&self, range: &PlanRange, scale: &Exact, zero: &Exact) -> Exact {
        if range.is_single() {
            return Exact::integer(0);
        }
        let step = Exact::integer(1).divide(&magnitude(scale));
        let sum = [&range.least, &range.greatest]
            .map(|end| magnitude(&end.subtract(zero)).add(&magnitude(end)))
            .iter()
            .fold(step.clone(), |sum, more| sum.add(more));
        let unit = Exact::integer(1).divide(&Exact::integer(1 << 50));
        step.divide(&Exact::integer(2)).add(&sum.multiply(&unit))
    }

    /// Returns the headroom of a range whose ends have these codes, or `None` if the range is a single value
    /// (sds.plan.headroom).
    fn headroom(&self, range: &PlanRange, ends: [i64; 2], scale: &Exact) -> Option<Exact> {
        let room = (ends[0] - range.free.0).min(range.free.1 - ends[1]);
        let width = scale.multiply(&range.width());
        (!range.is_single()).then(|| Exact::integer(room.into()).divide(&width))
    }
}

impl Planning for Reference {}

/// Plans a packing in which the codes of the range are codes of the type and differ from every reserved code
/// (sds.plan).
///
/// # Errors
/// [`Reason::Scaling`] if the ends of the range are not finite or in the wrong order (sds.plan.range), if the type is
/// not an integer type (sds.plan.target) or cannot hold a special value that must survive (sds.plan.needs), if the
/// quantum is not a positive finite number (sds.plan.policy), if it is too fine for the type or the range is too far
/// from zero for any OFFSET to be exact enough (sds.plan.free), or if SCALE is not a finite double (sds.plan.scale).
pub fn plan(request: &PlanRequest) -> Result<Plan, Rejection> {
    plan_with(&Reference, request)
}

/// Plans a packing with the given decisions.
///
/// # Errors
/// The same as for [`plan`].
pub fn plan_with(rules: &dyn Planning, request: &PlanRequest) -> Result<Plan, Rejection> {
    let (least, greatest) = (read(request.minimum), read(request.maximum));
    check(request, &least, &greatest)?;
    let needs = request.needs;
    let infinite = needs.positive_infinity || needs.negative_infinity;
    let range = &PlanRange {
        request: *request,
        least,
        greatest,
        free: free(&Codes {
            rules: &Reference,
            of: request.target,
            profile: request.profile,
            fill: needs.nan,
            infinite,
        }),
    };
    let scale = rules.scale(range);
    let rounded_scale = round_scale(&scale, request.policy)?;
    let offset = offset_of(&rules.offset(range, &scale));
    let scaling = Scaling::of(Some(rounded_scale), Some(offset));

    let mut lowered = lower(scaling)?;
    if range.is_single() {
        // Adding 0 turns -0 into 0.
        lowered.zero = offset_of(&Exact::integer(0).add(&range.least));
    }
    let by_attributes = [&range.least, &range.greatest].map(|end| code(end, scaling));
    // The codecs compute in binary64 and in a different order.
    let by_codecs = [request.minimum, request.maximum].map(|end| code_by_codecs(lowered, end));
    let ends = rules
        .ends(range, by_attributes, by_codecs)
        .ok_or_else(|| without_a_code(request.policy))?;
    let scale = read(rounded_scale);
    let fill = request.target.standard_fill(request.profile);
    let standard = request.target.standard_infinite(request.profile);
    Ok(Plan {
        scale: rounded_scale,
        offset,
        fill: needs.nan.then_some(fill),
        infinite: infinite.then_some(standard),
        maximum_error: upwards(&rules.error(range, &scale, &read(lowered.zero))),
        headroom: rules
            .headroom(range, ends, &scale)
            .map(|room| offset_of(&room)),
        zarr_offset: lowered.zero,
    })
}

fn read(bits: u64) -> Exact {
    Exact::from_bits(&binary64(), bits)
}

/// Returns the rejection of a range whose ends do not both have a free code (sds.plan.free).
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

/// Returns the code that `scale_offset` and `cast_value` compute for a binary64 number (sds.plan.free).
fn code_by_codecs(lowered: Lowered, bits: u64) -> Option<i64> {
    let codec = ScaleOffset::new(DataType::Float64)
        .offset(lowered.zero)
        .scale(lowered.scale);
    let scaled = crate::scale_offset::encode_element(&codec, bits).ok()?;
    nearest_away(&read(scaled))
}

fn check(request: &PlanRequest, least: &Exact, greatest: &Exact) -> Result<(), Rejection> {
    if !request.target.is_integer() {
        return Err(refuse(
            "sds.plan.target",
            "the target must be an integer type",
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
        let quantum = read(bits);
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

/// Returns the first and the last code between the reserved codes (sds.plan.needs). Reserved codes are among the
/// first two and the last two codes of the type. A range cannot use a free code beyond a reserved one.
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
    let is_zero = |bits: &u64| matches!(read(*bits), Exact::Zero { .. });
    bits.filter(|bits| !is_zero(bits)).ok_or_else(|| {
        let pointer = match policy {
            Policy::Quantum(_) => "/policy",
            _ => "/minimum",
        };
        let message = "the SCALE of this range is not a finite double";
        refuse("sds.plan.scale", message, pointer)
    })
}

/// Returns the largest power of a base that does not exceed a positive number (sds.plan.scale).
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

fn magnitude(value: &Exact) -> Exact {
    match value.is_negative() {
        true => value.negate(),
        false => value.clone(),
    }
}

/// Returns the smallest double that is not below a bound, or the largest finite double if the bound exceeds it
/// (sds.plan.error).
fn upwards(bound: &Exact) -> u64 {
    match round(bound, &binary64(), Rounding::TowardsPositive) {
        Rounded::Bits(bits) => bits,
        _ => offset_of(bound),
    }
}
