//! Every element of the 8-bit and 16-bit types into every type, by checksum.

use std::collections::BTreeSet;

use exactum_model::{Cast, DataType, Format, OutOfRange, Reason, Rounding};
use exactum_vectors::{Expect, File, Level, checksums, sweep_input};
use serde_json::json;

use super::proof::rounding_clause;
use super::{Direction, TYPES, answer, array, configuration, input, note, resolve, rule_name};
use crate::oracle::tables::Number;
use crate::vectors::builder::{ZARR_EXTENSIONS, request};

/// The types whose every element is tried.
pub(super) const SOURCES: [DataType; 5] = [
    DataType::Int8,
    DataType::Int16,
    DataType::Uint8,
    DataType::Uint16,
    DataType::Float16,
];

/// The most elements of a case that are sent one by one.
const MOST_REJECTED: usize = 32;

type Outcome = Result<u64, Reason>;

/// The topic of a source.
pub(super) fn topic(from: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", &format!("sweep-{from}"), ZARR_EXTENSIONS);
    for to in TYPES {
        for &rounding in Rounding::ALL {
            let mut without_rule = Vec::new();
            for rule in [None, Some(OutOfRange::Clamp), Some(OutOfRange::Wrap)] {
                if rule == Some(OutOfRange::Wrap) && !matches!(to.format(), Format::Integer(_)) {
                    continue;
                }
                let outcomes = sweep(&mut file, from, to, rounding, rule, &without_rule)?;
                if rule.is_none() {
                    without_rule = outcomes;
                }
            }
        }
    }
    Ok(file)
}

/// Adds a group and returns what became of every element. `without_rule` holds that of the same
/// casts without a range rule.
fn sweep(
    file: &mut File,
    from: DataType,
    to: DataType,
    rounding: Rounding,
    rule: Option<OutOfRange>,
    without_rule: &[Outcome],
) -> Result<Vec<Outcome>, String> {
    let text = configuration(to, Some(rounding), rule);
    let codec = resolve(&text, from).map_err(|rejection| rejection.to_string())?;
    let cast = Direction::Encode.of(&codec);
    let name = format!("{to}-{}-{}", rounding.name(), rule_name(rule));
    let what = format!("cast_value/{}/{name}", file.topic);
    let outcomes = (0..=from.format().component_mask())
        .map(|bits| answer(&what, &cast, bits))
        .collect::<Result<Vec<Outcome>, String>>()?;

    let ranges = accepted_ranges(&cast, &outcomes);
    let mut outputs = Vec::new();
    let mut clauses = BTreeSet::new();
    for bits in ranges.iter().flat_map(|&(first, last)| first..=last) {
        if let Some(Ok(output)) = at(&outcomes, bits) {
            outputs.push(output);
            let ruled = at(without_rule, bits).is_some_and(|outcome| outcome.is_err());
            clauses.extend(proved(&cast, bits, output, ruled));
        }
    }
    let clauses: Vec<&str> = clauses.into_iter().collect();
    let request = Direction::Encode.request(&text, from);
    let group = file.group(&name, Level::Must, &[], request);
    let output = json!({
        "data_type": to.name(),
        "shape": [outputs.len()],
        "crc32": checksums(&array(to, &outputs)?),
    });
    group.case(
        "accepted",
        &clauses,
        self::request([("input", sweep_input(from, &ranges))]),
        Expect::ok(json!({"output": output})),
    );
    for (reason, id, clause) in [
        (Reason::OutOfRange, "out-of-range", "cast_value.range.error"),
        (Reason::NotANumber, "nan", "cast_value.special.nan-error"),
        (
            Reason::NotFinite,
            "infinity",
            "cast_value.special.infinity-error",
        ),
    ] {
        let ends = ends_of_rejected(&outcomes, reason);
        if ends.is_empty() {
            continue;
        }
        let case = group
            .case(id, &[clause], input(from, &ends)?, Expect::reject(reason))
            .each();
        if let Some(note) = note(from, &ends) {
            case.note(note);
        }
    }
    Ok(outcomes)
}

fn at(outcomes: &[Outcome], bits: u64) -> Option<Outcome> {
    outcomes.get(usize::try_from(bits).ok()?).copied()
}

/// Runs of bit patterns with a result. -0 into a type without it stands in the topics of the
/// pairs: what becomes of it is a ruling.
fn accepted_ranges(cast: &Cast<'_>, outcomes: &[Outcome]) -> Vec<(u64, u64)> {
    let sign_lost = |bits| match cast.to.format() {
        Format::Float(format) if format.negative_zero => false,
        _ => matches!(
            Number::of(cast.from, bits),
            Number::Real(real) if rustc_apfloat::Float::is_neg_zero(real)
        ),
    };
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for (bits, outcome) in (0..).zip(outcomes) {
        if outcome.is_err() || sign_lost(bits) {
            continue;
        }
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == bits => *last = bits,
            _ => ranges.push((bits, bits)),
        }
    }
    ranges
}

/// The clauses that an accepted element is about. `ruled`: a range rule gave the result.
fn proved(cast: &Cast<'_>, bits: u64, output: u64, ruled: bool) -> Vec<&'static str> {
    let (from, to) = (Number::of(cast.from, bits), Number::of(cast.to, output));
    let into_float = matches!(cast.to.format(), Format::Float(_));
    match from {
        Number::Nan => vec!["cast_value.special.nan"],
        Number::Infinite { .. } => vec!["cast_value.special.infinity"],
        _ if ruled => vec![match cast.out_of_range {
            Some(OutOfRange::Wrap) => "cast_value.range.wrap",
            _ if into_float => "cast_value.range.clamp-infinity",
            _ => "cast_value.range.clamp",
        }],
        Number::Real(real) if rustc_apfloat::Float::is_neg_zero(real) => {
            vec!["cast_value.special.signed-zero"]
        }
        _ if from.same_value(to) => vec!["cast_value.exact"],
        _ if into_float => vec![
            rounding_clause(cast.rounding),
            "cast_value.rounding.every-inexact",
        ],
        _ => vec![rounding_clause(cast.rounding)],
    }
}

/// The first and the last element of every run that is rejected for a reason.
fn ends_of_rejected(outcomes: &[Outcome], reason: Reason) -> Vec<u64> {
    let rejected =
        |bits: Option<u64>| bits.and_then(|bits| at(outcomes, bits)) == Some(Err(reason));
    let mut ends: Vec<u64> = (0..)
        .zip(outcomes)
        .map(|(bits, _)| bits)
        .filter(|&bits: &u64| {
            rejected(Some(bits))
                && !(rejected(bits.checked_sub(1)) && rejected(bits.checked_add(1)))
        })
        .collect();
    ends.truncate(MOST_REJECTED);
    ends
}
