//! Each verdict is given where it is deserved, and the first difference is reported.

mod common;

use common::{bytes, case, members, output, run_faulty, suite, sweep};
use exactum_conformance::Verdict;
use exactum_conformance::model::{DataType, Reason};
use exactum_conformance::pattern::Pattern;
use exactum_conformance::run::Selection;
use exactum_conformance::vectors::{
    Expect, Group, Level, Withdrawn, array_to_json, checksums, lint, splitmix_input,
};
use serde_json::json;

/// Runs one case and checks its verdict and difference.
fn check(fill: impl FnOnce(&mut Group), verdict: Verdict, difference: &str) {
    let suite = suite(fill);
    let report = run_faulty(&suite, &Selection::default()).expect("a suite in order");
    let [judged] = report.cases.as_slice() else {
        panic!("one case, not {}", report.cases.len());
    };
    assert_eq!(judged.verdict, verdict, "{judged:?}");
    let shown = judged.difference.as_ref().map(ToString::to_string);
    assert_eq!(shown.unwrap_or_default(), difference, "{judged:?}");
    assert_eq!(
        judged.digest.is_empty(),
        !verdict.is_failure() && verdict != Verdict::Observed
    );
}

#[test]
fn equal_bits_pass() {
    check(
        |g| case(g, "c", &[1, 2], output(&[1, 2])),
        Verdict::Pass,
        "",
    );
}

#[test]
fn the_first_wrong_element_is_named() {
    check(
        |g| case(g, "c", &[1, 103, 103], output(&[1, 103, 103])),
        Verdict::WrongValue,
        "element 1: 0x67 (103) became 0x07 (7), expected 0x67 (103)",
    );
}

#[test]
fn another_shape_or_type_is_wrong() {
    check(
        |g| case(g, "c", &[1], output(&[1, 2])),
        Verdict::WrongValue,
        "int8 of shape [1], expected int8 of shape [2]",
    );
    check(
        |g| case(g, "c", &[1], Expect::output(&bytes(&[1]))),
        Verdict::WrongValue,
        "int8 of shape [1], expected uint8 of shape [1]",
    );
}

#[test]
fn rejections_are_judged_by_being_one() {
    check(
        |g| case(g, "c", &[150], Expect::reject(Reason::NotFinite)),
        Verdict::Pass,
        "",
    );
    check(
        |g| case(g, "c", &[200], Expect::reject(Reason::OutOfRange)),
        Verdict::Accepted,
        "int8 [1] [-56], expected a rejection (out_of_range)",
    );
    check(
        |g| case(g, "c", &[150], output(&[1])),
        Verdict::Rejected,
        "a rejection (out_of_range): 150 is out of range (cast_value.range.error), \
         expected int8 [1] [1]",
    );
}

#[test]
fn each_element_is_sent_alone() {
    let case = |input: &'static [u8]| {
        move |g: &mut Group| {
            let request = members(json!({"input": array_to_json(&bytes(input))}));
            g.case("c", &[], request, Expect::reject(Reason::OutOfRange))
                .per_element();
        }
    };
    check(case(&[128, 255]), Verdict::Pass, "");
    check(
        case(&[128, 200, 255]),
        Verdict::Accepted,
        "element 1: 0xc8 (200) became int8 [1] [-56], expected a rejection (out_of_range)",
    );
}

#[test]
fn every_element_that_fails_is_in_the_digest() {
    let digest = |input: &'static [u8]| {
        let suite = suite(|g| {
            let request = members(json!({"input": array_to_json(&bytes(input))}));
            g.case("c", &[], request, Expect::reject(Reason::OutOfRange))
                .per_element();
        });
        let report = run_faulty(&suite, &Selection::default()).expect("a suite in order");
        report.cases[0].digest.clone()
    };
    assert_eq!(digest(&[128, 255]), "");
    assert_eq!(
        digest(&[128, 200, 255, 5]),
        "1:ok:int8[1]:c8,3:ok:int8[1]:05"
    );
    // An implementation that has crashed is not asked again.
    assert_eq!(
        digest(&[200, 100, 5]),
        "0:ok:int8[1]:c8,1:crash:element 0 is 100"
    );
}

#[test]
fn a_crash_is_never_a_rejection() {
    check(
        |g| case(g, "c", &[1, 100], Expect::reject(Reason::OutOfRange)),
        Verdict::Crash,
        "element 1 is 100, expected a rejection (out_of_range)",
    );
}

#[test]
fn unsupported_counts_only_outside_of_what_is_declared() {
    check(
        |g| case(g, "c", &[101], output(&[101])),
        Verdict::Skipped,
        "unsupported: no 101 here, expected int8 [1] [101]",
    );
    let wide = |g: &mut Group| {
        let input = json!({"data_type": "uint16", "shape": [1], "data": "0100"});
        g.case("c", &[], members(json!({"input": input})), output(&[1]));
    };
    check(wide, Verdict::Unsupported, "");
}

#[test]
fn the_adapters_own_fault_is_a_violation() {
    check(
        |g| case(g, "c", &[102], Expect::reject(Reason::OutOfRange)),
        Verdict::Protocol,
        "error: the adapter lost its way, expected a rejection (out_of_range)",
    );
}

#[test]
fn one_of_and_open() {
    let either = || Expect::OneOf(vec![output(&[1]), Expect::reject(Reason::OutOfRange)]);
    check(|g| case(g, "c", &[150], either()), Verdict::Pass, "");
    check(|g| case(g, "c", &[1], either()), Verdict::Pass, "");
    check(
        |g| case(g, "c", &[2], either()),
        Verdict::WrongValue,
        "element 0: 0x02 (2) became 0x02 (2), expected 0x01 (1)",
    );
    let open = || Expect::Open("R5".into());
    check(|g| case(g, "c", &[150], open()), Verdict::Observed, "");
    check(
        |g| case(g, "c", &[100], open()),
        Verdict::Crash,
        "element 0 is 100, expected anything (open: R5)",
    );
}

#[test]
fn sweeps_are_compared_by_checksum() {
    let right = |wrong: bool| {
        move |g: &mut Group| {
            let data: Vec<u8> = (0..100).collect();
            let mut sums = checksums(&common::int8(&data));
            if wrong {
                sums[0] = "00000000".into();
            }
            let output = json!({"data_type": "int8", "shape": [100], "crc32": sums});
            let input = json!({"data_type": "uint8", "ranges": [["00", "63"]]});
            let expect = Expect::ok(json!({"output": output}));
            g.case("c", &[], members(json!({"input": input})), expect);
        }
    };
    check(right(false), Verdict::Pass, "");
    let data: Vec<u8> = (0..100).collect();
    let sum = checksums(&common::int8(&data)).remove(0);
    check(
        right(true),
        Verdict::WrongValue,
        &format!("element 0: CRC-32 {sum}, expected 4096 elements with CRC-32 00000000"),
    );
    check(
        |g| sweep(g, "c", Expect::reject(Reason::OutOfRange)),
        Verdict::Crash,
        "element 100 is 100, expected a rejection (out_of_range)",
    );
}

#[test]
fn inputs_of_a_seed_are_made_and_sent() {
    let seeded = |last: u8| {
        move |g: &mut Group| {
            let input = splitmix_input(DataType::Uint8, &[4], 14);
            let sums = checksums(&common::int8(&[62, 5, 7, last]));
            let output = json!({"data_type": "int8", "shape": [4], "crc32": sums});
            let expect = Expect::ok(json!({"output": output}));
            g.case("c", &[], members(json!({"input": input})), expect);
        }
    };
    check(seeded(99), Verdict::Pass, "");
    let suite = suite(seeded(100));
    let report = run_faulty(&suite, &Selection::default()).expect("a suite in order");
    assert_eq!(report.cases[0].verdict, Verdict::WrongValue, "{report:?}");
}

#[test]
fn a_selection_runs_what_it_names() {
    let suite = suite(|g| {
        case(g, "a", &[1], output(&[1]));
        case(g, "b", &[2], output(&[2]));
    });
    let ids = |pattern: &str| {
        let selection = Selection::new(vec![Pattern::selecting(pattern).expect("a pattern")]);
        let report = run_faulty(&suite, &selection).expect("a suite in order");
        report.cases.len()
    };
    assert_eq!(ids("cast_value"), 2);
    assert_eq!(ids("cast_value/by-hand/group/b"), 1);
    assert_eq!(ids("**/a"), 1);
    assert_eq!(ids("chain"), 0);
}

#[test]
fn a_run_counts_against_the_manifest() {
    let mut suite = suite(|g| case(g, "a", &[1], output(&[1])));
    suite.manifest.cases += 1;
    let error = run_faulty(&suite, &Selection::default()).expect_err("a case too few");
    assert!(error.contains("1 groups and 1 cases ran"), "{error}");
}

#[test]
fn a_vector_that_cannot_be_read_is_no_verdict() {
    let suite = suite(|g| {
        let expect = Expect::ok(json!({"output": {"data_type": "int8", "shape": [1]}}));
        case(g, "a", &[1], expect);
    });
    let error = run_faulty(&suite, &Selection::default()).expect_err("no data");
    assert!(error.starts_with("cast_value/by-hand/group/a: "), "{error}");
}

#[test]
fn a_member_of_group_and_case_is_a_fault_of_the_vectors() {
    let suite = suite(|g| {
        let request = members(json!({"op": "cast_value.decode"}));
        g.case("a", &[], request, output(&[1]));
    });
    let error = run_faulty(&suite, &Selection::default()).expect_err("two ops");
    assert!(
        error.contains("op is in both the group's request and the case's"),
        "{error}"
    );
    let clauses = [("cast_value.exact".to_owned(), Level::Must)].into();
    let withdrawn = Withdrawn {
        format: String::new(),
        version: 1,
        ids: Vec::new(),
    };
    let findings = lint(&suite.files, &clauses, &withdrawn);
    assert!(
        findings
            .iter()
            .any(|finding| finding.contains("op is in both the group's request and the case's")),
        "{findings:?}"
    );
}
