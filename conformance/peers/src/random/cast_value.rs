//! Random casts.

use exactum_conformance::model::{DataType, Format, OutOfRange, Rounding, Scalar};
use exactum_conformance::vectors::array_to_json;

use super::choice::{Random, array, near};
use super::draft::{Draft, members};

/// Generates a random codec and random elements near the limits of its types.
pub(super) fn draft(random: &mut Random) -> Draft {
    let (decoded, encoded) = (random.real_type(), random.real_type());
    let decode = random.percent(30);
    let (from, to) = if decode {
        (encoded, decoded)
    } else {
        (decoded, encoded)
    };
    let elements: Vec<Scalar> = (0..=random.below(12))
        .map(|_| near(random, from, to))
        .collect();
    let mut clauses = vec![if decode {
        "cast_value.decode"
    } else {
        "cast_value.exact"
    }];
    let configuration = configuration(random, (decoded, encoded), decode, &elements, &mut clauses);
    let direction = if decode { "decode" } else { "encode" };
    let mut request = members([
        ("op", format!("cast_value.{direction}").into()),
        ("configuration", configuration.into()),
        ("input", array_to_json(&array(from, &elements))),
    ]);
    if decode {
        request.insert("data_type".into(), to.name().into());
    }
    Draft {
        row: "cast_value",
        topic: format!("{from}-{to}"),
        members: request,
        clauses,
        elementwise: true,
    }
}

/// Generates the text of a configuration, and adds to `clauses` those that its rules are about.
pub(super) fn configuration(
    random: &mut Random,
    (decoded, encoded): (DataType, DataType),
    decode: bool,
    elements: &[Scalar],
    clauses: &mut Vec<&'static str>,
) -> String {
    let mut members = vec![format!(r#""data_type": "{encoded}""#)];
    let to = if decode { decoded } else { encoded };
    let rounding = random.percent(75).then(|| *random.pick(Rounding::ALL));
    if let Some(rounding) = rounding {
        members.push(format!(r#""rounding": "{}""#, rounding.name()));
    }
    clauses.push(match rounding {
        None => "cast_value.rounding.default",
        Some(Rounding::NearestEven) => "cast_value.rounding.nearest-even",
        Some(Rounding::TowardsZero) => "cast_value.rounding.towards-zero",
        Some(Rounding::TowardsPositive) => "cast_value.rounding.towards-positive",
        Some(Rounding::TowardsNegative) => "cast_value.rounding.towards-negative",
        Some(Rounding::NearestAway) => "cast_value.rounding.nearest-away",
    });
    if to.format().float().is_some() && rounding.is_some_and(directed) {
        clauses.push("cast_value.rounding.unbounded");
    }
    if to == DataType::Float8E8m0fnu {
        clauses.push("cast_value.rounding.no-zero");
    }
    let wraps = matches!(encoded.format(), Format::Integer(_));
    let rule = match random.below(if wraps { 4 } else { 3 }) {
        0 => None,
        3 => Some(OutOfRange::Wrap),
        _ => Some(OutOfRange::Clamp),
    };
    if let Some(rule) = rule {
        members.push(format!(r#""out_of_range": "{}""#, rule.name()));
    }
    match rule {
        None => clauses.push("cast_value.range.error"),
        Some(OutOfRange::Clamp) => clauses.push("cast_value.range.clamp"),
        Some(OutOfRange::Wrap) if to.format().float().is_some() => {
            clauses.push("cast_value.range.wrap-into-float");
        }
        Some(OutOfRange::Wrap) => clauses.push("cast_value.range.wrap"),
    }
    if random.percent(20) {
        let direction = if decode { "decode" } else { "encode" };
        let entries = entries(random, to, elements, clauses);
        members.push(format!(r#""scalar_map": {{"{direction}": [{entries}]}}"#));
    }
    format!("{{{}}}", members.join(", "))
}

const fn directed(rounding: Rounding) -> bool {
    matches!(
        rounding,
        Rounding::TowardsZero | Rounding::TowardsPositive | Rounding::TowardsNegative
    )
}

/// Generates the entries of a scalar map; some of the keys are among the elements.
fn entries(
    random: &mut Random,
    to: DataType,
    elements: &[Scalar],
    clauses: &mut Vec<&'static str>,
) -> String {
    clauses.push("cast_value.scalar_map.exact");
    let from = elements[0].data_type();
    let entries: Vec<String> = (0..=random.below(3))
        .map(|_| {
            let key = if random.percent(70) {
                *random.pick(elements)
            } else {
                random.scalar(from)
            };
            if let Some(float) = from.format().float() {
                if float.is_nan(key.component(0)) {
                    clauses.push("cast_value.scalar_map.nan-key");
                } else if float.is_zero(key.component(0)) {
                    clauses.push("cast_value.scalar_map.zero-key");
                }
            }
            format!(
                "[{}, {}]",
                exactum_exact::canonical(&key),
                exactum_exact::canonical(&random.scalar(to))
            )
        })
        .collect();
    clauses.dedup();
    entries.join(", ")
}

/// Generates a codec in the form that it has in a list of codecs.
pub(super) fn codec(random: &mut Random, decoded: DataType, encoded: DataType) -> String {
    let keys = [Scalar::new(decoded, 0), random.scalar(decoded)];
    let types = (decoded, encoded);
    let configuration = configuration(random, types, false, &keys, &mut Vec::new());
    format!(r#"{{"name": "cast_value", "configuration": {configuration}}}"#)
}
