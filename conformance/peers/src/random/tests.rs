//! Random cases are the same for the same seed, cover every kind, are passed by Exactum's implementations, and are
//! failed by wrong ones; a failing case shrinks.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use exactum_conformance::run::{Selection, in_process_workers, run};
use exactum_conformance::vectors::Suite;
use exactum_conformance::vectors::spec::clauses;
use exactum_conformance::{
    Call, Codec, Codecs, Hello, Implementation, InProcess, Outcome, Verdict,
};

use super::{find, shrink, suite};
use crate::ours::{Optimized, Reference};

fn random(count: usize, seed: u64) -> Suite {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let clauses = clauses(&root).expect("the specification");
    suite(count, seed, &clauses).expect("the reference answers")
}

fn texts(suite: &Suite) -> Vec<&str> {
    suite.files.iter().map(|(_, text)| text.as_str()).collect()
}

#[test]
fn the_same_seed_gives_the_same_cases() {
    assert_eq!(texts(&random(50, 1)), texts(&random(50, 1)));
    assert_ne!(texts(&random(50, 1)), texts(&random(50, 100)));
}

#[test]
fn every_case_can_be_made_alone() {
    let all = random(20, 5);
    let alone = random(1, 5 + 13);
    for (file, _) in &alone.files {
        for group in &file.groups {
            for case in &group.cases {
                assert!(find(&all, &group.case_id(case)).is_some());
            }
        }
    }
}

#[test]
fn every_row_and_both_kinds_of_answer_occur() {
    let suite = random(1_500, 0);
    let mut rows = BTreeSet::new();
    let mut kinds = BTreeSet::new();
    for (file, _) in &suite.files {
        for case in file.groups.iter().flat_map(|group| &group.cases) {
            rows.insert(file.row.as_str());
            kinds.insert((
                file.row.as_str(),
                matches!(case.expect, exactum_conformance::vectors::Expect::Reject(_)),
            ));
        }
    }
    assert_eq!(rows.len(), super::DRAFTERS.len(), "{rows:?}");
    assert_eq!(kinds.len(), 2 * rows.len(), "{kinds:?}");
}

#[test]
fn the_optimized_implementation_passes() {
    let suite = random(2_000, 77);
    let report = run(
        &suite,
        &Selection::default(),
        &|| Box::new(InProcess::new(Arc::new(Optimized))),
        in_process_workers(),
        &|| {},
    )
    .expect("a sound suite");
    let failures: Vec<_> = report.failures().collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Truncates where it should round to nearest, and supports nothing else.
struct Truncating;

impl Codecs for Truncating {
    fn hello(&self) -> Hello {
        Hello::new("truncating", "1", "rust").offering(&["cast_value.encode"])
    }

    fn call(&self, call: &Call) -> Outcome {
        let mut call = call.clone();
        if let Call::Encode(Codec::CastValue(codec), _) = &mut call {
            codec.rounding = exactum_conformance::model::Rounding::TowardsZero;
        }
        Reference.call(&call)
    }
}

#[test]
fn a_wrong_implementation_fails_and_its_case_shrinks_to_one_element() {
    let suite = random(400, 3);
    let make = || InProcess::new(Arc::new(Truncating));
    let report = run(
        &suite,
        &Selection::default(),
        &|| Box::new(make()),
        in_process_workers(),
        &|| {},
    )
    .expect("a sound suite");
    let failure = report
        .failures()
        .find(|judged| judged.verdict == Verdict::WrongValue)
        .expect("truncation shows");
    let (group, case) = find(&suite, &failure.case).expect("a case of the suite");
    let mut implementation = make();
    let hello = implementation.hello().expect("in process");
    let group = &shrink(&mut implementation, &hello, group, case).expect("a sound case");
    let smallest = group.cases[0].clone();
    let request = exactum_conformance::Request::new(smallest.request.clone());
    let input = request.input().expect("an input");
    assert_eq!(input.len(), 1);
    let judged =
        exactum_conformance::run::judge_case(&mut implementation, &hello, group, &smallest)
            .expect("a sound case");
    assert!(judged.verdict.is_failure());
    // The expected element is the reference's answer, and truncation gives a different number.
    let mut reference = InProcess::new(Arc::new(Reference));
    let hello = reference.hello().expect("in process");
    let judged = exactum_conformance::run::judge_case(&mut reference, &hello, group, &smallest);
    assert_eq!(judged.expect("a sound case").verdict, Verdict::Pass);
}
