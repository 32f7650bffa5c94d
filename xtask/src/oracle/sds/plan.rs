//! Plans (sds.plan), computed with ratios of natural numbers.

use serde_json::{Map, Value, json};

use super::ratio::{DOUBLE, Ratio};
use super::{Answer, Integers, Refused, Type, double, lowered, rounded};

/// Answers a request of `sds.plan`.
///
/// # Errors
/// If no such plan exists.
pub(super) fn planned(request: &Map<String, Value>) -> Answer<Value> {
    let is_wide = request.get("profile").is_some_and(|it| it == "soi97");
    let target = request["target"].as_str().unwrap_or_default();
    let Type::Integer(to) = Type::named(target, is_wide) else {
        return Err(Refused);
    };
    let end = |key: &str| double(&request[key]).filter(|it| it.is_finite());
    let (Some(least), Some(greatest)) = (end("minimum"), end("maximum")) else {
        return Err(Refused);
    };
    let needs = |name: &str| {
        let all = request["needs"].as_array();
        all.is_some_and(|all| all.iter().any(|need| need == name))
    };
    let (nan, up, down) = (needs("NaN"), needs("Infinity"), needs("-Infinity"));
    if least > greatest || (down && to.negative.is_none()) {
        return Err(Refused);
    }
    let free = Free::of(to, nan, up || down);
    let (one, two) = (Ratio::double(least), Ratio::double(greatest));
    let distance = two.minus(&one);
    let scale = scale(&request["policy"], to, &free, &distance)?;
    let rounded_scale = scale.nearest(DOUBLE).map(f64::from_bits).ok_or(Refused)?;
    if rounded_scale == 0.0 {
        return Err(Refused);
    }
    let half = Ratio::integer(1).over(&Ratio::integer(2));
    let centre = match request["policy"] == "full" {
        true => Ratio::integer(free.low + free.high).times(&half),
        false => Ratio::integer(to.centre),
    };
    let exact_offset = centre.minus(&scale.times(&one.plus(&two).times(&half)));
    let is_single = distance.is_zero();
    let offset = match (is_single, request["policy"] == "decimal") {
        // The single value gets the code 0.
        (true, _) => rounded(&Ratio::integer(0).minus(&scale.times(&one))),
        (false, true) => rounded(&whole(exact_offset)),
        (false, false) => rounded(&exact_offset),
    };
    let by = Ratio::double(rounded_scale);
    let others = lowered(&json!({"scale": rounded_scale, "offset": offset}))?;
    let zero = match is_single {
        true => rounded(&one),
        false => others["zarr"]["offset"].as_f64().ok_or(Refused)?,
    };
    let code = |value: &Ratio| {
        let exact = value.times(&by).plus(&Ratio::double(offset));
        exact.nearest_integer().filter(|code| free.has(*code))
    };
    // The codecs round the difference and the product to doubles.
    let by_codecs = |value: &Ratio| {
        let difference = value.minus(&Ratio::double(zero)).nearest(DOUBLE)?;
        let difference = Ratio::double(f64::from_bits(difference));
        let product = difference.times(&by).nearest(DOUBLE)?;
        let code = Ratio::double(f64::from_bits(product)).nearest_integer();
        code.filter(|code| free.has(*code))
    };
    by_codecs(&one).and(by_codecs(&two)).ok_or(Refused)?;
    let (first, last) = (code(&one).ok_or(Refused)?, code(&two).ok_or(Refused)?);
    let room = (first - free.low).min(free.high - last);
    let headroom = match is_single {
        true => Value::Null,
        false => rounded(&Ratio::integer(room).over(&by.times(&distance))).into(),
    };
    let infinite = match up || down {
        true => json!({"pos": to.positive, "neg": to.negative}),
        false => Value::Null,
    };
    Ok(json!({
        "scale": rounded_scale,
        "offset": offset,
        "fill": nan.then_some(to.missing),
        "infinite": infinite,
        "maximum_error": match is_single {
            true => 0.0,
            false => upwards(&bound(&by, &Ratio::double(zero), &[one, two])),
        },
        "headroom": headroom,
        "codecs": codecs(to, rounded_scale, zero, [nan, up, down]),
    }))
}

/// The codes that are available for numbers.
struct Free {
    low: i64,
    high: i64,
}

impl Free {
    /// Returns the widest run of codes that contains no reserved code.
    fn of(to: Integers, nan: bool, infinite: bool) -> Self {
        let mut taken = Vec::new();
        if nan {
            taken.push(to.missing);
        }
        if infinite {
            taken.push(to.positive);
            taken.extend(to.negative);
        }
        let ends = [to.least - 1, to.greatest + 1];
        let mut borders: Vec<i64> = ends.into_iter().chain(taken).collect();
        borders.sort_unstable();
        let runs = borders.windows(2).map(|pair| (pair[0] + 1, pair[1] - 1));
        let widest = runs.max_by_key(|(low, high)| high - low);
        let (low, high) = widest.unwrap_or((to.least, to.greatest));
        Self { low, high }
    }

    fn has(&self, code: i64) -> bool {
        self.low <= code && code <= self.high
    }
}

/// Returns SCALE without rounding.
fn scale(policy: &Value, to: Integers, free: &Free, distance: &Ratio) -> Answer<Ratio> {
    let one = Ratio::integer(1);
    if let Some(quantum) = policy.get("quantum") {
        let quantum = double(quantum).filter(|it| it.is_finite() && *it > 0.0);
        return Ok(one.over(&Ratio::double(quantum.ok_or(Refused)?)));
    }
    if distance.is_zero() {
        return Ok(one);
    }
    let three_quarters = Ratio::integer(to.span).over(distance);
    Ok(match policy.as_str() {
        Some("tn115") => three_quarters,
        Some("full") => Ratio::integer(free.high - free.low).over(distance),
        Some("power_of_two") => power(&three_quarters, 2),
        Some("decimal") => power(&three_quarters, 10),
        _ => return Err(Refused),
    })
}

/// Returns the greatest power of a base that does not exceed a number. The exponent is found by bisection over the
/// exponents of doubles.
fn power(limit: &Ratio, base: i64) -> Ratio {
    let (mut low, mut high) = (-1100, 1100);
    while high - low > 1 {
        let middle = (low + high) / 2;
        match raised(base, middle).compare(limit).is_le() {
            true => low = middle,
            false => high = middle,
        }
    }
    raised(base, low)
}

fn raised(base: i64, exponent: i32) -> Ratio {
    let mut left = exponent.unsigned_abs();
    let (mut power, mut square) = (Ratio::integer(1), Ratio::integer(base));
    while left > 0 {
        if left & 1 == 1 {
            power = power.times(&square);
        }
        square = square.times(&square);
        left >>= 1;
    }
    match exponent < 0 {
        true => Ratio::integer(1).over(&power),
        false => power,
    }
}

/// Returns the nearest integer if the offset is below 2^52; otherwise returns the offset unchanged.
fn whole(offset: Ratio) -> Ratio {
    let limit = Ratio::integer(1 << 52);
    let near = match offset.magnitude().compare(&limit).is_lt() {
        true => offset.nearest_integer_below(1 << 53),
        false => None,
    };
    near.map_or(offset, Ratio::integer)
}

fn bound(scale: &Ratio, zero: &Ratio, ends: &[Ratio; 2]) -> Ratio {
    let step = Ratio::integer(1).over(scale);
    let unit = Ratio::integer(1).over(&Ratio::integer(1 << 50));
    let mut sum = step.clone();
    for end in ends {
        sum = sum.plus(&end.magnitude());
        sum = sum.plus(&end.minus(zero).magnitude());
    }
    let half = step.over(&Ratio::integer(2));
    half.plus(&sum.times(&unit))
}

/// Returns the least double that is not less than a positive number, or the greatest double.
fn upwards(value: &Ratio) -> f64 {
    let near = rounded(value);
    match Ratio::double(near).compare(value).is_lt() && near < f64::MAX {
        true => f64::from_bits(near.to_bits() + 1),
        false => near,
    }
}

fn codecs(to: Integers, scale: f64, zero: f64, needs: [bool; 3]) -> Value {
    let (name, bytes) = match to.name {
        "i1" => ("int8", 1),
        "i2" => ("int16", 2),
        "i4" => ("int32", 4),
        "u1" => ("uint8", 1),
        "u2" => ("uint16", 2),
        _ => ("uint32", 4),
    };
    let down = to.negative.unwrap_or_default();
    let all = [
        ("NaN", to.missing),
        ("Infinity", to.positive),
        ("-Infinity", down),
    ];
    let mut cast = json!({"data_type": name, "rounding": "nearest-away"});
    let (mut encode, mut decode) = (Vec::new(), Vec::new());
    for ((value, code), needed) in all.into_iter().zip(needs) {
        if needed {
            encode.push(json!([value, code]));
            decode.push(json!([code, value]));
        }
    }
    if !encode.is_empty() {
        cast["scalar_map"] = json!({"encode": encode, "decode": decode});
    }
    let last = match bytes {
        1 => json!({"name": "bytes"}),
        _ => json!({"name": "bytes", "configuration": {"endian": "little"}}),
    };
    json!([
        {"name": "scale_offset", "configuration": {"offset": zero, "scale": scale}},
        {"name": "cast_value", "configuration": cast},
        last,
    ])
}
