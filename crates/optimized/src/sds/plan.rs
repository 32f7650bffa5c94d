//! Packings: SCALE and OFFSET for a range of values (sds.plan).

use core::cmp::Ordering;

use exactum_model::sds::{Plan, PlanRequest, Policy, Scaling};
use exactum_model::{Reason, Rejection};

use super::dyadic::{DOUBLE, Dyadic};
use super::line::{Line, double, nearest};
use super::{lower, scale};

/// Plans a packing in which the codes of the range are in the type, and differ from every reserved code
/// (sds.plan).
///
/// # Errors
/// [`Reason::Scaling`]: for ends that are not finite or in the wrong order (sds.plan.range), a type that is
/// not an integer (sds.plan.target) or cannot hold what must survive (sds.plan.needs), a quantum that is not
/// positive (sds.plan.policy) or too fine for the type, data so far from zero that no OFFSET is exact enough
/// (sds.plan.free), and a SCALE that is not a finite double (sds.plan.scale).
///
/// ```
/// use exactum_optimized::model::sds::{Needs, PlanRequest, Policy, Profile, SdsType};
/// use exactum_optimized::sds;
///
/// let plan = sds::plan(&PlanRequest {
///     minimum: 0.0_f64.to_bits(),
///     maximum: 100.0_f64.to_bits(),
///     target: SdsType::I2,
///     needs: Needs { nan: true, ..Needs::default() },
///     policy: Policy::Decimal,
///     profile: Profile::default(),
/// })?;
/// assert_eq!(f64::from_bits(plan.scale), 100.0);
/// assert_eq!(f64::from_bits(plan.offset), -5000.0);
/// assert_eq!(plan.fill, Some(-32768));
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn plan(request: &PlanRequest) -> Result<Plan, Rejection> {
    check(request)?;
    let (least, greatest) = ends(request);
    let (target, profile, needs) = (request.target, request.profile, request.needs);
    let has_infinite = needs.positive_infinity || needs.negative_infinity;
    let (low, high) = free(request, has_infinite);
    let is_single = least == greatest;
    let [first_value, last_value] = [least, greatest].map(Dyadic::of);
    let distance = last_value.subtract(&first_value);

    let ratio = Ratio::of(request, &distance, high - low, is_single);
    let scale = ratio.rounded();
    if scale == 0.0 || scale.is_infinite() {
        let message = "the SCALE of this range is not a finite double";
        return Err(refuse("sds.plan.scale", message, ratio.pointer));
    }

    // Twice the middle of the codes: that of the note or, if all free codes are used, that of the free codes.
    let twice_centre = match request.policy {
        Policy::Full => low + high,
        _ => 2 * scale::centre(target, profile),
    };
    let offset = match is_single {
        true => ratio.offset_to_zero(&first_value),
        false => ratio.offset(twice_centre, &first_value.add(&last_value), request.policy),
    };
    let scaling = Scaling::of(Some(scale.to_bits()), Some(offset.to_bits()));

    let lowered = lower(scaling)?;
    // sds.plan.single: the value itself, with 0 in place of -0.
    let zero = match is_single {
        true => least + 0.0,
        false => f64::from_bits(lowered.zero),
    };
    let line = Line::new(scaling);
    let is_free = |code: Option<i64>| code.filter(|code| (low..=high).contains(code));
    // The codecs compute in binary64 and in a different order; they round the computed number itself.
    let by_codecs = |value: f64| is_free(nearest((value - zero) * scale, || Ordering::Equal));
    let codes = [least, greatest].map(|end| by_codecs(end).and(is_free(line.code(end))));
    let [Some(first), Some(last)] = codes else {
        let message = match request.policy {
            Policy::Quantum(_) => {
                "the range has more steps of the quantum than the type has free codes"
            }
            _ => "the range is too far from zero for its width: no OFFSET is exact enough",
        };
        return Err(refuse("sds.plan.free", message, ratio.pointer));
    };
    let room = Dyadic::integer((first - low).min(high - last));
    let headroom = || {
        let part = room.divided_by(&Dyadic::of(scale).multiply(&distance), DOUBLE);
        part.min(f64::MAX).to_bits()
    };
    Ok(Plan {
        scale: scale.to_bits(),
        offset: offset.to_bits(),
        fill: needs.nan.then(|| target.standard_fill(profile)),
        infinite: has_infinite.then(|| target.standard_infinite(profile)),
        maximum_error: match is_single {
            true => 0.0_f64.to_bits(),
            false => error(scale, zero, [least, greatest]).to_bits(),
        },
        headroom: (!is_single).then(headroom),
        zarr_offset: zero.to_bits(),
    })
}

/// Returns the limits of the range.
fn ends(request: &PlanRequest) -> (f64, f64) {
    let [least, greatest] = [request.minimum, request.maximum].map(f64::from_bits);
    (least, greatest)
}

fn check(request: &PlanRequest) -> Result<(), Rejection> {
    if !request.target.is_integer() {
        let message = "the target must be an integer type";
        return Err(refuse("sds.plan.target", message, "/target"));
    }
    let (least, greatest) = ends(request);
    for (end, pointer) in [(least, "/minimum"), (greatest, "/maximum")] {
        if !end.is_finite() {
            let message = "the ends of the range must be finite numbers";
            return Err(refuse("sds.plan.range", message, pointer));
        }
    }
    if least > greatest {
        let message = "the range is empty: its minimum is above its maximum";
        return Err(refuse("sds.plan.range", message, "/minimum"));
    }
    if request.needs.negative_infinity && !request.target.is_signed() {
        let message = "an unsigned type has no code for -Infinity";
        return Err(refuse("sds.plan.needs", message, "/needs"));
    }
    match request.policy {
        Policy::Quantum(bits) if !is_quantum(f64::from_bits(bits)) => {
            let message = "a quantum must be a positive finite number";
            Err(refuse("sds.plan.policy", message, "/policy"))
        }
        _ => Ok(()),
    }
}

fn is_quantum(quantum: f64) -> bool {
    quantum.is_finite() && quantum > 0.0
}

fn refuse(clause: &'static str, message: &str, pointer: &str) -> Rejection {
    Rejection::new(Reason::Scaling, clause, message).at_pointer(pointer)
}

/// Returns the limits of the free codes, beyond all reserved ones (sds.plan.needs).
fn free(request: &PlanRequest, has_infinite: bool) -> (i64, i64) {
    let (low, high) = request.target.range(request.profile);
    let missing = i64::from(request.needs.nan);
    match (has_infinite, request.target.is_signed()) {
        (true, true) => (low + 2, high - 1),
        (true, false) => (low, high - 2),
        (false, true) => (low + missing, high),
        (false, false) => (low, high - missing),
    }
}

/// The SCALE before it is rounded (sds.plan.scale), as a fraction of two positive numbers.
struct Ratio {
    top: Dyadic,
    bottom: Dyadic,
    /// The input of the plan.
    pointer: &'static str,
}

impl Ratio {
    fn of(request: &PlanRequest, distance: &Dyadic, codes: i64, is_single: bool) -> Self {
        let bits = request.target.bits(request.profile);
        let three_quarters = Dyadic::integer(3i64 << (bits - 2));
        let (top, bottom) = match request.policy {
            Policy::Quantum(bits) => (Dyadic::integer(1), Dyadic::of(f64::from_bits(bits))),
            _ if is_single => (Dyadic::integer(1), Dyadic::integer(1)),
            Policy::Tn115 => (three_quarters, distance.clone()),
            Policy::Full => (Dyadic::integer(codes), distance.clone()),
            Policy::PowerOfTwo => power_not_above(&three_quarters, distance, 2),
            Policy::Decimal => power_not_above(&three_quarters, distance, 10),
        };
        let pointer = match request.policy {
            Policy::Quantum(_) => "/policy",
            _ => "/minimum",
        };
        Self {
            top,
            bottom,
            pointer,
        }
    }

    fn rounded(&self) -> f64 {
        self.top.divided_by(&self.bottom, DOUBLE)
    }

    /// Returns `-SCALE * value`, for which the value has the code 0 (sds.plan.single).
    fn offset_to_zero(&self, value: &Dyadic) -> f64 {
        let numerator = self.top.multiply(value).negate();
        scale::finite(numerator.divided_by(&self.bottom, DOUBLE) + 0.0)
    }

    /// Returns `C - SCALE * middle`, given twice the middle of the codes and twice that of the values
    /// (sds.plan.offset).
    fn offset(&self, twice_centre: i64, twice_middle: &Dyadic, policy: Policy) -> f64 {
        let centre = Dyadic::integer(twice_centre).multiply(&self.bottom);
        let numerator = centre.subtract(&self.top.multiply(twice_middle));
        let divisor = self.bottom.multiply(&Dyadic::integer(2));
        // Only one zero is used here.
        let offset = numerator.divided_by(&divisor, DOUBLE) + 0.0;
        if !matches!(policy, Policy::Decimal) {
            return scale::finite(offset);
        }
        let rest = |with| numerator.subtract(&divisor.multiply(&Dyadic::of(with)));
        let whole = nearest(offset, || rest(offset).sign());
        whole.map_or(scale::finite(offset), double)
    }
}

/// Returns the greatest power of a base that is not above a ratio, as a ratio itself.
fn power_not_above(top: &Dyadic, bottom: &Dyadic, base: i64) -> (Dyadic, Dyadic) {
    let base = Dyadic::integer(base);
    let one = Dyadic::integer(1);
    let above = |up: &Dyadic, down: &Dyadic| {
        let difference = up.multiply(bottom).subtract(&top.multiply(down));
        difference.sign().is_gt()
    };
    let (mut up, mut down) = (one.clone(), one);
    while above(&up, &down) {
        down = down.multiply(&base);
    }
    if down.subtract(&Dyadic::integer(1)).sign().is_eq() {
        loop {
            let next = up.multiply(&base);
            if above(&next, &down) {
                break;
            }
            up = next;
        }
    }
    (up, down)
}

/// Returns half a step plus what the roundings of the codecs may add, rounded upwards (sds.plan.error).
fn error(scale: f64, zero: f64, ends: [f64; 2]) -> f64 {
    let magnitude = |value: Dyadic| match value.sign() {
        Ordering::Less => value.negate(),
        _ => value,
    };
    let by = Dyadic::of(scale);
    // The sum is multiplied by SCALE: half a code, and the rest in units of 2^-50 codes.
    let mut units = Dyadic::integer((1 << 49) + 1);
    for end in ends.map(Dyadic::of) {
        let away = magnitude(end.subtract(&Dyadic::of(zero))).add(&magnitude(end));
        units = units.add(&away.multiply(&by));
    }
    let bound = units.multiply(&Dyadic::of(f64::from_bits((1023 - 50) << 52)));
    let near = bound.divided_by(&by, DOUBLE);
    match bound.subtract(&Dyadic::of(near).multiply(&by)).sign() {
        Ordering::Greater => near.next_up(),
        _ => near,
    }
}
