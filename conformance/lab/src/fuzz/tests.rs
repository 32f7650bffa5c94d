//! A short run over every row that has vectors, and findings that can be repeated.

use std::path::Path;

use exactum_conformance::vectors::Suite;
use exactum_conformance::vectors::spec::clauses;

use super::{Fuzzer, Tally};

fn suite() -> (Suite, Vec<exactum_conformance::vectors::spec::Clause>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let suite = Suite::load(&root.join("vectors")).expect("the vectors");
    (suite, clauses(&root).expect("the specification"))
}

#[test]
fn nothing_is_found_in_any_row() {
    let (suite, clauses) = suite();
    let mut rows: Vec<&str> = suite.files.iter().map(|(file, _)| &*file.row).collect();
    rows.dedup();
    for row in rows {
        let mut fuzzer = Fuzzer::new(&suite, &clauses, row).expect("a row of the suite");
        let mut tally = Tally::default();
        for seed in 0..1_500 {
            if let Err(finding) = fuzzer.run(seed, &mut tally) {
                panic!("{row}: {finding}");
            }
        }
        assert!(tally.ok > 50 && tally.rejected > 50, "{row}: {tally:?}");
    }
}

#[test]
fn a_seed_gives_the_same_request() {
    let (suite, clauses) = suite();
    let fuzzer = Fuzzer::new(&suite, &clauses, "chain").expect("a row of the suite");
    assert_eq!(fuzzer.request(7), fuzzer.request(7));
    assert_ne!(fuzzer.request(7), fuzzer.request(8));
}

#[test]
fn an_unknown_row_is_named() {
    let (suite, clauses) = suite();
    let error = Fuzzer::new(&suite, &clauses, "rows")
        .err()
        .expect("no such row");
    assert!(error.contains("cast_value, "), "{error}");
}
