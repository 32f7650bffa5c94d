//! The computed vectors of `fill_value`. The other groups are recipes in the folder beside this file.

mod canonical;
mod ties;

use ties::hairs;

use super::builder::{Case, Topic, accept, reject};
use super::recipes::Computed;
use crate::oracle::data_type::{Description, Kind, Layout, description};
use crate::oracle::decimal::Decimal;

pub(super) const COMPUTED: [Computed; 5] = [
    ("fill_value", "ties", all_ties),
    ("fill_value", "ends", ends),
    ("fill_value", "parts-rounded", parts_rounded),
    ("fill_value", "canonical", canonical::canonical),
    ("fill_value", "elements", elements),
];

/// Returns the layout of the floats of a topic, or of their components.
fn layout(topic: &Topic) -> Result<&'static Layout, String> {
    match description(topic.own_type()?) {
        Description::Float(layout) | Description::Complex(layout) => Ok(layout),
        _ => Err(format!("{} is not a float", topic.file.topic)),
    }
}

fn all_ties(topic: &mut Topic) -> Result<(), String> {
    let layout = layout(topic)?;
    ties::ties(topic, layout)?;
    ties::twice(topic, layout)?;
    ties::long(topic, layout)
}

/// Adds decimals around the largest value and beyond it.
fn ends(topic: &mut Topic) -> Result<(), String> {
    let layout = layout(topic)?;
    let [below, tie, above] = hairs(&layout.middle(layout.largest()).plain());
    let largest = layout.plain(layout.largest());
    if layout.infinity().is_some() {
        let digits = largest.split('.').next().unwrap_or_default().len();
        return topic.computed(
            "parse-overflow ruling fill_value.float.overflow fill_value.parse",
            &[
                accept("tie", tie.clone()),
                accept("tie-negative", format!("-{tie}")),
                accept("above", above),
                accept("next-power", format!("1e{digits}")),
                accept("far", "1e400"),
                accept("far-negative", "-1e400"),
                accept("farthest", "1e99999999999999999999"),
            ],
        );
    }
    // A type without infinities has nothing to which larger values could be rounded.
    let mut cases = vec![
        accept("largest", largest.clone()),
        accept("below-the-end", below.clone()),
    ];
    let rejected = [
        reject("end", tie.clone()),
        reject("above-the-end", above.clone()),
        reject("beyond", "1e39"),
        reject("far", "1e400"),
        reject("farthest", "1e99999999999999999999"),
    ];
    if layout.kind == Kind::Fnu {
        let [below, tie, above] = hairs(&Decimal::binary(1, -128).plain());
        cases.push(accept("half-of-the-smallest", tie));
        cases.push(accept("above-half-of-the-smallest", above));
        cases.extend(rejected);
        cases.push(reject("below-half-of-the-smallest", below));
        for (id, text) in [
            ("zero", "0"),
            ("zero-fraction", "0.0"),
            ("negative-zero", "-0.0"),
            ("negative-one", "-1"),
            ("negative-smallest", "-1e-38"),
            ("negative-far", "-1e400"),
            ("far-below", "1e-400"),
            ("farthest-below", "1e-99999999999999999999"),
        ] {
            cases.push(reject(id, text));
        }
    } else {
        cases.push(accept("smallest", format!("-{largest}")));
        cases.push(accept("below-the-end-negative", format!("-{below}")));
        cases.extend(rejected);
        cases.push(reject("end-negative", format!("-{tie}")));
        cases.push(reject("above-the-end-negative", format!("-{above}")));
        cases.push(reject("far-negative", "-1e400"));
    }
    topic.computed(
        "parse-range ruling fill_value.float.range fill_value.parse",
        &cases,
    )
}

/// Adds ties, and decimals that are rounded wrongly if they are rounded twice, in both components of a complex number.
fn parts_rounded(topic: &mut Topic) -> Result<(), String> {
    let layout = layout(topic)?;
    let [below, tie, above] = hairs(&layout.middle(layout.one()).plain());
    let mut cases = vec![
        accept("twice", format!("[{above}, {below}]")),
        accept("twice-exchanged", format!("[{below}, {above}]")),
    ];
    if layout.kind != Kind::Fnu {
        cases.push(accept("ties", format!("[{tie}, {tie}]")));
    }
    topic.computed(
        "parse-parts-rounded must fill_value.float.number fill_value.parse",
        &cases,
    )
}

/// Adds elements in both components, with the interesting ones side by side.
fn elements(topic: &mut Topic) -> Result<(), String> {
    let layout = layout(topic)?;
    let (one, sign, largest) = (layout.one(), layout.sign_bit(), layout.largest());
    let mut parts = vec![
        ("one", one),
        ("after-one", one + 1),
        ("zero", 0),
        ("smallest", 1),
        ("largest", largest),
    ];
    if sign != 0 && layout.kind != Kind::Fnuz {
        parts.push(("negative-zero", sign));
    }
    if sign != 0 {
        parts.push(("negative-largest", sign | largest));
    }
    if let Some(nan) = layout.nan {
        parts.push(("nan", nan));
        if let Some(infinity) = layout.infinity() {
            parts.extend([
                ("infinity", infinity),
                ("negative-infinity", infinity | sign),
                ("other-nan", nan | 1),
                ("negative-nan", nan | sign),
            ]);
        }
    }
    let width = 4 * layout.hex_digits();
    let cases: Vec<Case> = parts
        .iter()
        .zip(parts.iter().cycle().skip(1))
        .map(|((real, bits), (imaginary, others))| {
            let bits = u128::from(*bits) | u128::from(*others) << width;
            accept(format!("{real}-and-{imaginary}"), bits.to_string())
        })
        .collect();
    topic.computed(
        "format ruling fill_value.canonical fill_value.format",
        &cases,
    )
}
