//! The computed vectors of `sds`: conversions from every type to every type, with values near all limits.

use exactum_vectors::{Level, Request};
use serde_json::{Value, json};

use super::builder::sds::add;
use super::builder::{Topic, request};
use super::recipes::Computed;

/// The computed groups that recipes name.
pub(crate) const COMPUTED: [Computed; 1] = [("sds", "types", types)];

/// The types that are converted, each with values near zero, at the ends of its range, and irregular ones.
const TYPES: [(&str, &str); 8] = [
    ("i1", "-128, -127, -3, 0, 5, 126, 127"),
    ("i2", "-32768, -32767, -130, 0, 255, 256, 32766, 32767"),
    (
        "i4",
        "-1073741824, -65536, -1, 0, 32768, 8388609, 1073741823",
    ),
    ("u1", "0, 1, 127, 128, 254, 255"),
    ("u2", "0, 100, 255, 32767, 32768, 65534, 65535"),
    ("u4", "0, 65535, 65536, 16777217, 1073741824, 2147483647"),
    ("r4", "-1.5, 0.1, 100.0, 254.5, 16777216.0"),
    ("r8", "-1.5, 0.1, 100.0, 254.5, 1e10, 16777217.0"),
];

/// The number of random data sets for each pair of types.
const RANDOM: u64 = 3;

/// Adds the data sets of each pair of types: the whole range, a narrow part of it, data with attributes, data with a
/// fill value and infinities, and random data.
fn types(topic: &mut Topic) -> Result<(), String> {
    for (from, values) in TYPES {
        let values: Vec<Value> =
            serde_json::from_str(&format!("[{values}]")).map_err(|fault| fault.to_string())?;
        for (to, _) in TYPES {
            if from == to {
                continue;
            }
            let shared = request([("op", "sds.convert".into()), ("target", to.into())]);
            let clauses = clauses(from, to);
            let name = format!("{from}-{to}");
            let group = topic.file.group(&name, Level::Ruling, &clauses, shared);
            let narrow = &values[values.len() / 2..values.len() / 2 + 2];
            let set = |values: &[Value]| json!({"type": from, "values": values});
            let with = |mut set: Value, key: &str, value: Value| {
                set[key] = value;
                set
            };
            let scaling = json!({"scale": 0.25, "offset": 3});
            let mut cases = vec![
                ("whole".to_owned(), set(&values)),
                ("narrow".to_owned(), set(narrow)),
                (
                    "set".to_owned(),
                    with(set(narrow), "scaling", scaling.clone()),
                ),
                (
                    "set-whole".to_owned(),
                    with(set(&values), "scaling", scaling),
                ),
            ];
            if from.starts_with('r') {
                let mut special = values.clone();
                special.push("NaN".into());
                cases.push(("nan".to_owned(), set(&special)));
                if from == "r8" {
                    special.extend(["Infinity".into(), "-Infinity".into()]);
                    cases.push(("special".to_owned(), set(&special)));
                }
            } else {
                let filled = with(set(&values), "fill", values[0].clone());
                cases.push(("fill".to_owned(), filled.clone()));
                let infinite = with(filled, "infinite", json!({ "pos": values.last() }));
                cases.push(("special".to_owned(), infinite));
            }
            for seed in 0..RANDOM {
                let seed =
                    seed + 1000 * u64::from(from.as_bytes()[1]) + u64::from(to.as_bytes()[0]);
                cases.push((format!("random-{seed}"), random(from, seed)));
            }
            for (id, input) in cases {
                let mut asked: Request = group.request.clone();
                asked.insert("input".into(), input);
                add(group, &id, &[], asked)?;
            }
        }
    }
    Ok(())
}

/// Returns the clauses that a conversion tests.
fn clauses(from: &str, to: &str) -> Vec<&'static str> {
    let (real, signed) = (
        |of: &str| of.starts_with('r'),
        |of: &str| of.starts_with('i'),
    );
    match (real(from), real(to)) {
        (false, true) => vec!["sds.2.6", "sds.5.16"],
        (true, false) => vec!["sds.5.16", "sds.5.17", "sds.5.22"],
        (true, true) => vec!["sds.5.16"],
        (false, false) if signed(from) == signed(to) => vec!["sds.5.22", "sds.6.6"],
        (false, false) => vec!["sds.5.12", "sds.5.22", "sds.6.6"],
    }
}

/// Returns six pseudo-random values within a random part of the type's range, with random attributes.
fn random(of: &str, seed: u64) -> Value {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let (least, bits) = match of {
        "i1" => (-128, 8),
        "i2" => (-32768, 16),
        "i4" => (-(1_i64 << 30), 31),
        "u1" => (0, 8),
        "u2" => (0, 16),
        "u4" => (0, 31),
        _ => (-(1_i64 << 30), 31),
    };
    let width = 1 + next() % bits;
    let start = next() % ((1 << bits) - (1 << width) + 1);
    let values: Vec<Value> = (0..6)
        .map(|_| {
            let code = least + i64::try_from(start + next() % (1 << width)).unwrap_or(0);
            match of {
                // Singles have few digits, and doubles have many.
                "r4" => json!(f64::from(i32::try_from(code >> 8).unwrap_or(0)) / 64.0),
                "r8" => json!(f64::from(i32::try_from(code).unwrap_or(0)) / 1000.0),
                _ => code.into(),
            }
        })
        .collect();
    let eighths = |bits: u64| f64::from(u32::try_from(bits % 4096).unwrap_or(0)) / 8.0;
    let scaling = match next() % 3 {
        0 => Value::Null,
        1 => json!({"scale": 0.125 + eighths(next()), "offset": null}),
        _ => json!({"scale": -0.01 - eighths(next()) / 100.0, "offset": eighths(next()) - 200.3}),
    };
    json!({"type": of, "values": values, "scaling": scaling})
}
