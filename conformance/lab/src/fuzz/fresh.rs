//! Fresh data sets from a seed, and the properties that each of them must have: codes survive a conversion to reals and
//! back, codes whose scaling was determined automatically never equal a reserved code, and a plan keeps its promise.

use exactum_conformance::model::Rejection;
use exactum_conformance::model::sds::{
    DataSet, Fill, Infinite, NAN, Needs, Plan, PlanRequest, Policy, Profile, Scaling, SdsType,
    Values, Warning, Warnings,
};
use exactum_optimized::sds as optimized;
use exactum_peers::random::Random;
use exactum_reference::sds as reference;

const INTEGERS: [SdsType; 6] = [
    SdsType::I1,
    SdsType::I2,
    SdsType::I4,
    SdsType::U1,
    SdsType::U2,
    SdsType::U4,
];

type Converted = Result<(DataSet, Warnings), Rejection>;

/// Checks these properties for the data sets of a seed.
///
/// # Errors
/// If a property does not hold. The error explains which.
pub(super) fn data_sets(random: &mut Random) -> Result<(), String> {
    there_and_back(random)?;
    never_reserved(random)?;
    planned(random)
}

/// Returns the result of converting a data set, which must be the same in both implementations.
fn converted(input: &DataSet, target: SdsType, profile: Profile) -> Converted {
    let right = reference::convert(input, target, profile);
    let fast = optimized::convert(input, target, profile);
    match (&right, &fast) {
        (Ok(one), Ok(two)) if one == two => right,
        (Err(one), Err(two)) if one.reason == two.reason => right,
        _ => Err(some(format!(
            "reference says {right:?}, optimized {fast:?}"
        ))),
    }
}

fn some(message: String) -> Rejection {
    Rejection::new(
        exactum_conformance::model::Reason::Metadata,
        "sds.2.6",
        message,
    )
}

fn profile(random: &mut Random) -> Profile {
    *random.pick(&[Profile::Tn115, Profile::Soi97])
}

/// Returns integers in a part of the range or at its ends.
fn codes(random: &mut Random, of: SdsType, profile: Profile) -> Vec<i64> {
    let (least, greatest) = of.range(profile);
    let bits = u64::from(of.bits(profile));
    let width = 1_i64 << random.between(0, bits);
    let span = greatest - least;
    let room = u64::try_from(span - (width - 1)).unwrap_or_default();
    let start = least + i64::try_from(random.between(0, room)).unwrap_or_default();
    let last = u64::try_from(width - 1).unwrap_or_default();
    (0..=random.below(7))
        .map(|_| match random.percent(10) {
            true => *random.pick(&[least, least + 1, greatest - 1, greatest]),
            false => start + i64::try_from(random.between(0, last)).unwrap_or_default(),
        })
        .collect()
}

/// Returns a number of some magnitude with few digits.
fn number(random: &mut Random, magnitude: u64) -> f64 {
    let digits = float(random.between(1, 999_999)) / 8.0;
    let power = float(random.between(0, magnitude));
    let sign = if random.percent(50) { 1.0 } else { -1.0 };
    let up = if random.percent(50) { power } else { -power };
    sign * digits * 10f64.powf(up)
}

fn float(value: u64) -> f64 {
    u32::try_from(value).map_or(f64::MAX, f64::from)
}

/// Checks that integers with set attributes survive a conversion to reals and back (sds.3.1).
fn there_and_back(random: &mut Random) -> Result<(), String> {
    let profile = profile(random);
    let of = *random.pick(&INTEGERS);
    let values = codes(random, of, profile);
    let through = match random.percent(30) && !matches!(of, SdsType::I4 | SdsType::U4) {
        true => SdsType::R4,
        false => SdsType::R8,
    };
    let scale = random.percent(80).then(|| number(random, 12));
    let offset = (scale.is_none() || random.percent(70)).then(|| {
        let offset = number(random, 3);
        if random.percent(50) {
            offset.round()
        } else {
            offset
        }
    });
    let scaling = Scaling::of(scale.map(f64::to_bits), offset.map(f64::to_bits));
    // The fill value of the type itself, which the data set has again after the conversion back.
    let fill = match random.percent(60) {
        true => Fill::Code(of.standard_fill(profile)),
        false => Fill::Undefined,
    };
    let infinite =
        (through == SdsType::R8 && random.percent(40)).then(|| of.standard_infinite(profile));
    let set = DataSet::new(
        of,
        Values::Integers(values),
        scaling,
        fill,
        infinite,
        profile,
    );
    let set = set.map_err(|it| it.to_string())?;
    // Precision: half a code must be more than what the real type loses.
    let digits = match through {
        SdsType::R4 => 8_388_608.0,
        _ => 4_503_599_627_370_496.0,
    };
    let (_, greatest) = of.range(profile);
    let reach = f64::from(u32::try_from(greatest).unwrap_or(u32::MAX)) + 1.0;
    if reach + offset.unwrap_or(0.0).abs() >= digits / 2.0 {
        return Ok(());
    }
    let fault = |what: &str| format!("{what}: {set:?} through {through}");
    let (reals, _) = converted(&set, through, profile).map_err(|it| fault(&it.to_string()))?;
    let (back, warnings) = converted(&reals, of, profile).map_err(|it| fault(&it.to_string()))?;
    if reals.scaling != set.scaling || back.scaling != set.scaling {
        return Err(fault("the attributes are not kept"));
    }
    // With an undefined fill value, a code that equals the standard one now means missing, and missing values are
    // encoded as that same code.
    if back.values() != set.values() {
        return Err(fault(&format!(
            "the round trip gives other codes, {:?}",
            back.values()
        )));
    }
    let reserved = |code: &i64| *code == of.standard_fill(profile);
    let Values::Integers(codes) = set.values() else {
        return Err(fault("the codes are not integers"));
    };
    let taken = fill == Fill::Undefined && codes.iter().any(reserved);
    match warnings.contains(&Warning::DataOutOfRange) && !taken {
        true => Err(fault("a value is out of range")),
        false => Ok(()),
    }
}

/// Checks reals and wide integers whose scaling is determined (sds.5.22).
fn never_reserved(random: &mut Random) -> Result<(), String> {
    let profile = profile(random);
    let target = *random.pick(&INTEGERS);
    let (middle, width) = (number(random, 30), number(random, 30));
    let single = random.percent(30);
    let special = random.percent(50);
    let values: Vec<f64> = (0..=random.below(9))
        .map(|_| match (special && random.percent(30), random.below(3)) {
            (true, 0) if !single => f64::INFINITY,
            (true, 1) if !single => f64::NEG_INFINITY,
            (true, _) => f64::NAN,
            (false, _) => middle + width * float(random.between(0, 100_000)) / 100_000.0,
        })
        .collect();
    let (of, values) = match single {
        true => {
            let one = |value: &f64| {
                let single: f32 = format!("{value:e}").parse().unwrap_or(0.0);
                match value.is_nan() || single.is_infinite() {
                    true => 0x7fc0_0000,
                    false => single.to_bits(),
                }
            };
            (
                SdsType::R4,
                Values::Singles(values.iter().map(one).collect()),
            )
        }
        false => {
            let one = |value: &f64| if value.is_nan() { NAN } else { value.to_bits() };
            (
                SdsType::R8,
                Values::Doubles(values.iter().map(one).collect()),
            )
        }
    };
    let set = DataSet::new(of, values, Scaling::UNSET, Fill::Nan, None, profile);
    let set = set.map_err(|it| it.to_string())?;
    let fault = |what: &str| format!("{what}: {set:?} to {target}");
    let (made, warnings) = converted(&set, target, profile).map_err(|it| fault(&it.to_string()))?;
    let Values::Integers(codes) = made.values() else {
        return Err(fault("the codes are not integers"));
    };
    let ill = warnings.contains(&Warning::OffsetIllConditioned);
    if warnings.contains(&Warning::DataOutOfRange) && !ill {
        return Err(fault("a value has no code"));
    }
    let missing = target.standard_fill(profile);
    let infinite = made.infinite();
    for (value, &code) in numbers(&set).iter().zip(codes) {
        let expected = match (value.is_nan(), value.is_infinite(), *value > 0.0) {
            (true, ..) => Some(missing),
            (_, true, true) => infinite.map(|it| it.positive),
            (_, true, false) => infinite.map(|it| it.negative.unwrap_or(missing)),
            _ => None,
        };
        let is_reserved = code == missing || infinite.is_some_and(|it| stands(&it, code));
        let is_right = match expected {
            Some(expected) => code == expected,
            // Where OFFSET has no digits left, a value may be missing; that is a warning.
            None => !is_reserved || (ill && code == missing),
        };
        if !is_right || made.fill() != Fill::Code(missing) {
            return Err(fault(&format!("{value:e} is {code} in {made:?}")));
        }
    }
    Ok(())
}

fn stands(infinite: &Infinite, code: i64) -> bool {
    infinite.positive == code || infinite.negative == Some(code)
}

fn numbers(set: &DataSet) -> Vec<f64> {
    match set.values() {
        Values::Singles(values) => values.iter().map(|it| f32::from_bits(*it).into()).collect(),
        Values::Doubles(values) => values.iter().map(|it| f64::from_bits(*it)).collect(),
        _ => Vec::new(),
    }
}

/// Checks a plan, and the results of its codecs for values in its range (sds.plan.free, sds.plan.error).
fn planned(random: &mut Random) -> Result<(), String> {
    let request = plan_request(random);
    let right = reference::plan(&request);
    let fast = optimized::plan(&request);
    let fault = |what: &str| format!("{what}: {request:?}");
    let plan = match (&right, &fast) {
        (Ok(one), Ok(two)) if one == two => one,
        (Err(one), Err(two)) if one.clause == two.clause && one.at == two.at => return Ok(()),
        _ => {
            let what = format!("reference says {right:?}, optimized {fast:?}");
            return Err(fault(&what));
        }
    };
    let [least, greatest] = [request.minimum, request.maximum].map(f64::from_bits);
    for part in 0..4 {
        let within = least + (greatest - least) * float(random.between(0, 1000)) / 1000.0;
        let value = match part {
            0 => least,
            1 => greatest,
            _ if within.is_finite() => within.clamp(least, greatest),
            _ => continue,
        };
        keeps(&request, plan, value).map_err(|what| fault(&what))?;
    }
    Ok(())
}

fn keeps(request: &PlanRequest, plan: &Plan, value: f64) -> Result<(), String> {
    let [scale, zero, error] =
        [plan.scale, plan.zarr_offset, plan.maximum_error].map(f64::from_bits);
    let code = ((value - zero) * scale).round();
    let (low, high) = request.target.range(request.profile);
    let number =
        |code: i64| i32::try_from(code).map_or_else(|_| float(code.unsigned_abs()), f64::from);
    let reserved = plan.fill.map(number).into_iter();
    let infinite = plan.infinite.iter();
    let infinite = infinite.flat_map(|it| [Some(number(it.positive)), it.negative.map(number)]);
    let mut reserved = reserved.chain(infinite.flatten());
    if !(number(low)..=number(high)).contains(&code) || reserved.any(|it| it == code) {
        return Err(format!("{value:e} has the code {code} of {plan:?}"));
    }
    let back = code / scale + zero;
    match (back - value).abs() <= error {
        true => Ok(()),
        false => Err(format!("{value:e} comes back as {back:e}, by {plan:?}")),
    }
}

fn plan_request(random: &mut Random) -> PlanRequest {
    let middle = number(random, 15);
    let width = match random.below(5) {
        0 => 0.0,
        1 => middle.abs() * 10f64.powf(-float(random.between(0, 17))),
        _ => number(random, 15).abs(),
    };
    let target = *random.pick(&INTEGERS);
    let mut need = || random.percent(40);
    let needs = Needs {
        nan: need(),
        positive_infinity: need(),
        negative_infinity: need() && target.is_signed(),
    };
    let steps = *random.pick(&[1.0, 3.0, 100.0, 254.0, 255.0, 65_534.0, 1e9]);
    PlanRequest {
        minimum: middle.to_bits(),
        maximum: (middle + width).to_bits(),
        target,
        needs,
        policy: *random.pick(&[
            Policy::Tn115,
            Policy::Full,
            Policy::PowerOfTwo,
            Policy::Decimal,
            Policy::Quantum((width / steps).to_bits()),
        ]),
        profile: profile(random),
    }
}
