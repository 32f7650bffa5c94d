//! Random cases: requests that no vector contains, so that an implementation cannot pass by knowing the vectors. The
//! expected answer is that of the reference. The same seed always generates the same cases.

mod bitround;
mod bytes;
mod cast_value;
mod cf;
mod chain;
mod choice;
mod draft;
mod expect;
mod fill_value;
mod packbits;
mod scale_offset;
mod sds;
mod shrink;
mod zfp;

use std::collections::BTreeMap;
use std::sync::Arc;

use exactum_conformance::vectors::spec::Clause;
use exactum_conformance::vectors::{
    Case, Expect, File, Group, Level, Manifest, Suite, array_from_json,
};
use exactum_conformance::{Implementation, InProcess, Request};
use serde_json::{Map, Value};

use crate::ours::Reference;
use draft::Draft;
use expect::{answer, elements, with_input};

pub use choice::Random;
pub use shrink::shrink;

/// Generates drafts of a row.
type Drafter = fn(&mut Random) -> Draft;

/// The drafters of all rows, with the row and the relative frequency of each.
const DRAFTERS: &[(&str, usize, Drafter)] = &[
    ("bitround", 2, bitround::draft),
    ("bytes", 1, bytes::draft),
    ("cast_value", 4, cast_value::draft),
    ("cf", 2, cf::draft),
    ("chain", 2, chain::draft),
    ("fill_value", 2, fill_value::draft),
    ("packbits", 2, packbits::draft),
    ("scale_offset", 3, scale_offset::draft),
    ("sds", 2, sds::draft),
    ("zfp", 2, zfp::draft),
];

/// The origin of the requests. The expectations follow the text of the specification, as they do for vectors.
const UPSTREAM: &str = "random";

/// Generates the given number of random requests from a seed, with their expected answers, as a suite. `clauses` are
/// those of the specification; a case that cites a ruling has the level `ruling`.
///
/// # Errors
/// If the reference gives no answer, which is a bug of Exactum.
pub fn suite(count: usize, seed: u64, clauses: &[Clause]) -> Result<Suite, String> {
    let rulings: Vec<&str> = clauses
        .iter()
        .filter(|clause| clause.level != Level::Must)
        .map(|clause| clause.id.as_str())
        .collect();
    let mut reference = InProcess::new(Arc::new(Reference));
    let mut files: BTreeMap<(&str, String), File> = BTreeMap::new();
    for index in 0..count {
        // Every case has its own seed, so that `--seed` with that seed generates it again.
        let seed = seed.wrapping_add(index as u64);
        let draft = draft(seed);
        let (row, topic) = (draft.row, draft.topic.clone());
        let cases = split(&mut reference, draft)?;
        let file = files
            .entry((row, topic.clone()))
            .or_insert_with(|| File::new(row, &topic, UPSTREAM));
        for (name, (members, clauses, expectation, per_element)) in cases {
            let ruling = clauses
                .iter()
                .any(|clause| rulings.contains(&clause.as_str()));
            let level = if ruling { Level::Ruling } else { Level::Must };
            let cited: Vec<&str> = clauses.iter().map(String::as_str).collect();
            let group = file.group(&format!("random-{seed}-{name}"), level, &cited, Map::new());
            let case = group.case("case", &[], members, expectation);
            if per_element {
                case.per_element();
            }
        }
    }
    let files: Vec<(File, String)> = files
        .into_values()
        .map(|file| {
            let text = exactum_conformance::vectors::render(&file);
            (file, text)
        })
        .collect();
    Ok(Suite {
        manifest: Manifest::of(&files),
        files,
    })
}

/// Generates the draft of a seed.
fn draft(seed: u64) -> Draft {
    let mut random = Random::new(seed);
    let mut place = random.below(DRAFTERS.iter().map(|(_, weight, _)| weight).sum());
    for (_, weight, drafter) in DRAFTERS {
        match place.checked_sub(*weight) {
            Some(rest) => place = rest,
            None => return drafter(&mut random),
        }
    }
    unreachable!("the place is below the sum of the weights")
}

/// Generates a random request of a row.
#[must_use]
pub fn request_of(row: &str, random: &mut Random) -> Option<Request> {
    let (_, _, drafter) = DRAFTERS.iter().find(|(name, ..)| *name == row)?;
    Some(Request::new(drafter(random).members))
}

/// A case before it is put into a group: the members of its request, the clauses, the expectation, and whether every
/// element is sent alone.
type Loose = (Map<String, Value>, Vec<String>, Expect, bool);

/// Determines the expectation of a draft. If elements are converted one by one, those that the reference accepts form
/// one case, and those that it rejects another.
/// takes are one case and those that it rejects are another.
fn split(
    reference: &mut dyn Implementation,
    draft: Draft,
) -> Result<Vec<(&'static str, Loose)>, String> {
    let clauses: Vec<String> = draft.clauses.iter().map(|&clause| clause.into()).collect();
    let input = draft.members.get("input").map(array_from_json);
    let (true, Some(Ok(input))) = (draft.elementwise, input) else {
        let (expectation, clause) = answer(reference, &draft.members)?;
        let clauses = clause.map_or(clauses, |clause| vec![clause]);
        return Ok(vec![(
            "whole",
            (draft.members, clauses, expectation, false),
        )]);
    };
    let mut taken = Vec::new();
    let mut rejected: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for index in 0..input.len() {
        let alone = with_input(&draft.members, &elements(&input, &[index]));
        match answer(reference, &alone)? {
            (_, None) => taken.push(index),
            (_, Some(clause)) => rejected.entry(clause).or_default().push(index),
        }
    }
    let mut cases = Vec::new();
    if !taken.is_empty() {
        let members = with_input(&draft.members, &elements(&input, &taken));
        let (expectation, _) = answer(reference, &members)?;
        cases.push(("taken", (members, clauses, expectation, false)));
    }
    if let Some((clause, indices)) = rejected.into_iter().next() {
        let members = with_input(&draft.members, &elements(&input, &indices));
        let (expectation, _) = answer(reference, &members)?;
        cases.push(("rejected", (members, vec![clause], expectation, true)));
    }
    Ok(cases)
}

/// Returns the group and the case that have this id in a random suite.
#[must_use]
pub fn find<'a>(suite: &'a Suite, id: &str) -> Option<(&'a Group, &'a Case)> {
    suite
        .files
        .iter()
        .flat_map(|(file, _)| &file.groups)
        .flat_map(|group| group.cases.iter().map(move |case| (group, case)))
        .find(|(group, case)| group.case_id(case) == id)
}

/// Returns the seed in the id of a random case, which generates the case again.
#[must_use]
pub fn seed_of(id: &str) -> Option<u64> {
    let (_, rest) = id.rsplit_once("/random-")?;
    rest.split_once('-')?.0.parse().ok()
}

/// Returns a request as a line of the protocol, without the line feed.
#[must_use]
pub fn line(request: &Request) -> String {
    let mut members = Map::new();
    members.insert("id".into(), "1".into());
    members.extend(request.sent().into_owned());
    Value::Object(members).to_string()
}

#[cfg(test)]
mod tests;
