//! Random data sets and plans.

use serde_json::{Map, Value, json};

use super::choice::Random;
use super::draft::{Draft, members};

/// The integer types, each with its smallest integer and its number of bits.
const INTEGERS: [(&str, i64, u64); 6] = [
    ("i1", -128, 8),
    ("i2", -32_768, 16),
    ("i4", -(1 << 30), 31),
    ("u1", 0, 8),
    ("u2", 0, 16),
    ("u4", 0, 31),
];

const TYPES: [&str; 8] = ["i1", "i2", "i4", "u1", "u2", "u4", "r4", "r8"];

/// Generates an operation on a random data set, or a random plan.
pub(super) fn draft(random: &mut Random) -> Draft {
    let verb = *random.pick(&[
        "convert", "convert", "convert", "read", "read", "write", "write", "set", "lower",
        "missing", "plan", "plan",
    ]);
    let mut asked = match verb {
        "lower" => members([("scaling", scaling(random))]),
        "plan" => plan(random),
        _ => members([("input", data_sets(random))]),
    };
    let mut more = |key: &str, value: Value| asked.insert(key.into(), value);
    match verb {
        "convert" => {
            more("target", any_type(random).into());
        }
        "read" | "write" => {
            let cast = if random.percent(30) {
                "ANY"
            } else {
                any_type(random)
            };
            more("cast", cast.into());
            if random.percent(15) {
                more("external", json!(random.pick(&["fits", "cdf", "wso_ds"])));
            }
        }
        "set" => {
            for key in ["scale", "offset"] {
                if random.percent(60) {
                    more(key, attribute(random));
                }
            }
        }
        _ => {}
    }
    if verb == "write" {
        if random.percent(50) {
            more("storage", any_type(random).into());
        }
        if random.percent(20) {
            more("scaling", random.percent(50).into());
        }
        if random.percent(20) {
            more("fill", real(random, "r8"));
        }
    }
    if verb != "lower" && random.percent(30) {
        more("profile", json!(random.pick(&["tn115", "soi97"])));
    }
    asked.insert("op".into(), format!("sds.{verb}").into());
    Draft {
        row: "sds",
        topic: verb.into(),
        members: asked,
        // Warnings, and the exact attributes, are subject to rulings.
        clauses: vec![match verb {
            "lower" => "sds.lower",
            "plan" => "sds.plan",
            _ => "sds.5.22",
        }],
        elementwise: false,
    }
}

fn any_type(random: &mut Random) -> &'static str {
    if random.percent(2) {
        return random.pick::<&str>(&["c8", "r16"]);
    }
    random.pick::<&str>(&TYPES)
}

fn data_sets(random: &mut Random) -> Value {
    if random.percent(90) {
        return data_set(random);
    }
    let variables: Map<String, Value> = (0..random.below(3))
        .map(|index| (format!("v{index}"), data_set(random)))
        .collect();
    json!({ "variables": variables })
}

fn data_set(random: &mut Random) -> Value {
    let of = any_type(random);
    let integers = INTEGERS.iter().find(|(name, ..)| *name == of);
    let values: Vec<Value> = match integers {
        Some(&(_, least, bits)) => codes(random, least, bits)
            .into_iter()
            .map(Value::from)
            .collect(),
        None => reals(random, of),
    };
    let one = |random: &mut Random| match values.is_empty() || random.percent(50) {
        true => match integers {
            Some(&(_, least, bits)) => {
                let last = least + (1_i64 << bits) - 1;
                json!(random.pick(&[least, least + 1, last - 1, last, 0]))
            }
            None => json!(random.pick(&[json!("NaN"), json!(-9.0), Value::Null])),
        },
        false => random.pick(&values).clone(),
    };
    let fill = match random.percent(50) {
        true => Value::Null,
        false => one(random),
    };
    let infinite = match integers {
        Some(_) if random.percent(25) => {
            let negative = if random.percent(50) {
                one(random)
            } else {
                Value::Null
            };
            json!({"pos": one(random), "neg": negative})
        }
        _ => Value::Null,
    };
    json!({"type": of, "values": values, "scaling": scaling(random), "fill": fill, "infinite": infinite})
}

/// Generates codes in a part of the range or at its ends.
fn codes(random: &mut Random, least: i64, bits: u64) -> Vec<i64> {
    let width = random.between(1, bits);
    let start = random.between(0, (1 << bits) - (1 << width));
    let ends = random.percent(20);
    (0..random.below(9))
        .map(|_| {
            let place = match ends && random.percent(40) {
                true => *random.pick(&[0, 1, (1 << bits) - 2, (1 << bits) - 1]),
                false => start + random.between(0, (1 << width) - 1),
            };
            least + i64::try_from(place).unwrap_or_default()
        })
        .collect()
}

fn reals(random: &mut Random, of: &str) -> Vec<Value> {
    let count = random.below(9);
    if of == "c8" {
        return (0..count).map(|_| json!([1.5, -2])).collect();
    }
    let (middle, width) = (number(random), number(random));
    let special = random.percent(30);
    (0..count)
        .map(|_| match special && random.percent(40) {
            true => real(random, of),
            false => {
                let part = f64::from(u32::try_from(random.between(0, 1000)).unwrap_or(0)) / 1000.0;
                written(middle + width * part, of)
            }
        })
        .collect()
}

/// Generates a number of some magnitude, with few digits or many.
fn number(random: &mut Random) -> f64 {
    let digits = random.bits() >> random.between(11, 62);
    let exponent = match random.percent(80) {
        true => random.between(0, 20),
        false => random.between(0, 600),
    };
    let text = format!(
        "{}{digits}e{}{}",
        if random.percent(50) { "-" } else { "" },
        if random.percent(50) { "-" } else { "" },
        exponent / 2
    );
    text.parse().unwrap_or(1.0)
}

/// Generates any real number, and occasionally NaN or an infinity.
fn real(random: &mut Random, of: &str) -> Value {
    match random.below(6) {
        0 => "NaN".into(),
        1 if of == "r8" => "Infinity".into(),
        2 if of == "r8" => "-Infinity".into(),
        3 => written(f64::from_bits(random.bits()), of),
        _ => written(number(random), of),
    }
}

/// Returns a number in the digits of its width, or NaN if it is not a number there.
fn written(value: f64, of: &str) -> Value {
    let value = match of {
        "r4" => format!("{value:e}")
            .parse::<f32>()
            .ok()
            .filter(|it| it.is_finite())
            .and_then(|it| format!("{it:e}").parse::<f64>().ok()),
        _ => Some(value).filter(|it| it.is_finite()),
    };
    value.map_or("NaN".into(), Value::from)
}

fn scaling(random: &mut Random) -> Value {
    match random.below(6) {
        0..=2 => json!({"scale": null, "offset": null}),
        3 => json!({"scale": attribute(random), "offset": null}),
        4 => json!({"scale": null, "offset": attribute(random)}),
        _ => json!({"scale": attribute(random), "offset": attribute(random)}),
    }
}

fn attribute(random: &mut Random) -> Value {
    match random.below(8) {
        0 => json!(random.pick(&[0.0, 1.0, -1.0, 0.25, 4.0, 1024.0])),
        1 => real(random, "r8"),
        _ => {
            let digits = random.between(1, 40_000);
            let value = f64::from(u32::try_from(digits).unwrap_or(1)) / 8.0;
            let value = value * *random.pick(&[1.0, 0.01, 100.0, -1.0, -0.125]);
            value.into()
        }
    }
}

fn plan(random: &mut Random) -> Map<String, Value> {
    let middle = number(random);
    let width = match random.below(4) {
        0 => 0.0,
        1 => middle.abs() * 1e-9,
        _ => number(random).abs(),
    };
    let policy = match random.below(6) {
        0 => json!({"quantum": width / *random.pick(&[1.0, 10.0, 100.0, 255.0, 60_000.0])}),
        1 => json!({"quantum": real(random, "r8")}),
        _ => json!(random.pick(&["tn115", "full", "power_of_two", "decimal"])),
    };
    let needs: Vec<&str> = ["NaN", "Infinity", "-Infinity"]
        .into_iter()
        .filter(|_| random.percent(35))
        .collect();
    members([
        ("minimum", written(middle, "r8")),
        ("maximum", written(middle + width, "r8")),
        ("target", any_type(random).into()),
        ("needs", needs.into()),
        ("policy", policy),
    ])
}
