//! The committed results of a run, and the page that is generated from them.

mod common;

use std::collections::BTreeMap;

use common::{case, output, run_faulty, suite};
use exactum_conformance::changes;
use exactum_conformance::expectations::Expectations;
use exactum_conformance::fairness::Claims;
use exactum_conformance::findings::{Known, page};
use exactum_conformance::report::{Outline, Reviewed};
use exactum_conformance::results::Results;
use exactum_conformance::run::Selection;
use exactum_conformance::vectors::{Expect, Suite};

fn faulty_suite() -> Suite {
    suite(|g| {
        case(g, "fine", &[1], output(&[1]));
        case(g, "wrong", &[103], output(&[103]));
        case(g, "crash", &[100], output(&[100]));
        case(g, "open", &[200], Expect::Open("R5".into()));
    })
}

const KNOWN: &str = r#"
[[expect]]
case = "cast_value/by-hand/*/*"
kind = "bug"
fault = "reads 103 as 7"
reason = "103 | 7"
link = "https://example.org/1"
reported = false
[expect.answers]
"cast_value/by-hand/group/wrong" = "ok:int8[1]:07"

[[expect]]
case = "cast_value/by-hand/*/crash"
kind = "spec_dispute"
fault = "dies of 100"
ruling = 3
clauses = ["cast_value.exact"]
reason = "It says that 100 is not a number."
link = "a letter"
[expect.answers]
"cast_value/by-hand/group/crash" = "crash:element 0 is 100"
"#;

fn reviewed(suite: &Suite, expectations: &str) -> Reviewed {
    let report = run_faulty(suite, &Selection::default()).expect("a suite in order");
    common::reviewed("faulty", suite, report, expectations)
}

fn results(suite: &Suite, expectations: &str) -> Results {
    Results::of(&Outline::of(suite), &reviewed(suite, expectations))
}

/// Loads a file with this text.
fn load(text: &str) -> Result<Option<Results>, String> {
    let scratch = tempfile::tempdir().expect("a folder");
    let folder = scratch.path();
    std::fs::write(Results::path(folder, "faulty"), text).expect("a file");
    assert_eq!(Results::load(folder, "unknown"), Ok(None));
    Results::load(folder, "faulty")
}

/// Returns the results after a round trip through the text of their file.
fn again(text: &str) -> Results {
    load(text).expect("results").expect("a file")
}

#[track_caller]
fn check_findings(then: &Results, now: &Results, expected: &[&str]) {
    let found: Vec<String> = now
        .findings(Some(then))
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn results_are_text_a_case_a_line() {
    let suite = faulty_suite();
    let results = results(&suite, KNOWN);
    let text = results.render();
    insta::assert_snapshot!(text);
    assert_eq!(again(&text), results);
}

/// `check` reads results without running anything, so the results must be consistent in themselves.
#[test]
fn results_that_were_edited_are_no_results() {
    let text = results(&faulty_suite(), KNOWN).render();
    for (from, to) in [
        // A count that differs from the list, another format, and a list that differs from its count.
        ("\"wrong value\":1", "\"wrong value\":0"),
        ("\"failures\": [", "\"failures\":  ["),
        ("\"verdict\":\"crash\"", "\"verdict\":\"timeout\""),
    ] {
        assert!(text.contains(from), "{text}");
        let why = load(&text.replacen(from, to, 1)).expect_err(from);
        assert!(why.contains("differs from what Exactum writes"), "{why}");
    }
}

#[test]
fn what_is_other_than_committed_is_found() {
    let suite = faulty_suite();
    let now = results(&suite, KNOWN);
    check_findings(&now, &now, &[]);
    let then = |from: &str, to: &str| again(&now.render().replacen(from, to, 1));
    check_findings(
        &then(
            "\"answer\":\"ok:int8[1]:c8\"",
            "\"answer\":\"ok:int8[1]:c9\"",
        ),
        &now,
        &[
            "different from the committed results: cast_value/by-hand/group/open: observed \
             ok:int8[1]:c9 became observed ok:int8[1]:c8",
        ],
    );
    check_findings(
        &then(
            "\"answer\":\"crash:element 0 is 100\"",
            "\"answer\":\"crash:element 0 is 101\"",
        ),
        &now,
        &[
            "different from the committed results: cast_value/by-hand/group/crash: crash \
             (crash:element 0 is 101) became crash (crash:element 0 is 100)",
        ],
    );
    check_findings(
        &then("\"version\":\"1.0\"", "\"version\":\"0.9\""),
        &now,
        &["different from the committed results: faulty: \
           {\"name\":\"faulty\",\"version\":\"0.9\",\"language\":\"rust\"} became \
           {\"name\":\"faulty\",\"version\":\"1.0\",\"language\":\"rust\"}"],
    );
    check_findings(
        &then(
            "\"conditions\"",
            "\"arrays\": {\"data_types\":[\"int8\"]},\n \"conditions\"",
        ),
        &now,
        &[
            "different from the committed results: chain.decode: {\"data_types\":[\"int8\"]} became null",
        ],
    );
    let without = now.findings(None);
    assert_eq!(without.len(), 1);
    assert!(
        without[0].detail.contains("no committed results yet"),
        "{}",
        without[0]
    );
}

#[test]
fn another_kind_of_machine_is_not_compared() {
    let suite = faulty_suite();
    let text = KNOWN.replacen(
        "kind = \"bug\"",
        "when = { architecture = \"z80\" }\nkind = \"bug\"",
        1,
    );
    let now = results(&suite, &text);
    assert_eq!(now.conditions.get("architecture z80"), Some(&false));
    let elsewhere = again(&now.render().replace("z80\":false", "z80\":true"));
    check_findings(&elsewhere, &now, &[]);
}

#[test]
fn the_newest_releases_are_held_against_what_is_committed() {
    let suite = faulty_suite();
    let then = results(&suite, KNOWN)
        .render()
        .replace("\"version\":\"1.0\"", "\"version\":\"0.9\"")
        .replace(
            "\"answer\":\"ok:int8[1]:c8\"",
            "\"answer\":\"ok:int8[1]:c9\"",
        );
    let committed = [("faulty".to_owned(), again(&then))].into();
    let told = |expectations: &str| {
        let reviewed = reviewed(&suite, expectations);
        changes::render(&Outline::of(&suite), &[reviewed], &committed)
    };
    insta::assert_snapshot!(told(&KNOWN.replace("ok:int8[1]:07", "ok:int8[1]:08")));
    let never = KNOWN.replace(
        "group/wrong\" = \"ok:int8[1]:07",
        "group/fine\" = \"ok:int8[1]:02",
    );
    insta::assert_snapshot!(told(&never));
}

fn claims() -> BTreeMap<String, Claims> {
    let link = "https://example.org/claims".to_owned();
    let claims = Claims::from([("cast_value".to_owned(), link)]);
    [("faulty".to_owned(), claims)].into()
}

fn known(expectations: &str, results: Option<Results>) -> Vec<Known> {
    vec![Known {
        name: "faulty".into(),
        expectations: Expectations::parse(expectations).expect("expectations"),
        results,
    }]
}

#[test]
fn the_page_has_a_line_for_each_fault() {
    let suite = faulty_suite();
    let known = known(KNOWN, Some(results(&suite, KNOWN)));
    let text = page(&Outline::of(&suite), &claims(), &known).expect("a page");
    insta::assert_snapshot!(text);
}

#[test]
fn expectations_and_results_have_to_agree() {
    let suite = faulty_suite();
    let outline = Outline::of(&suite);
    let results = results(&suite, KNOWN);
    let check = |expectations: &str, results: Option<Results>, expected: &str| {
        let problems =
            page(&outline, &claims(), &known(expectations, results)).expect_err(expected);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].contains(expected), "{problems:?}");
    };
    check(KNOWN, None, "no results");
    let fewer = KNOWN.replace(
        "\"cast_value/by-hand/group/wrong\" = \"ok:int8[1]:07\"\n",
        "",
    );
    check(
        &fewer,
        Some(results.clone()),
        "no expectation lists cast_value/by-hand/group/wrong",
    );
    let more = format!("{KNOWN}\"cast_value/by-hand/x/crash\" = \"crash\"\n");
    check(
        &more,
        Some(results),
        "its results do not list cast_value/by-hand/x/crash",
    );
}

/// Returns the entries of `KNOWN` as a checkout has them: answers are kept elsewhere, and a case belongs to the first
/// entry that matches it.
fn entries_alone() -> String {
    let entries = KNOWN.split("[[expect]]").skip(1);
    let alone: Vec<String> = entries
        .map(|entry| {
            let human = entry.split("[expect.answers]").next().unwrap_or_default();
            format!("[[expect]]{human}")
        })
        .collect();
    alone.into_iter().rev().collect()
}

#[test]
fn answers_of_a_checkout_come_from_its_results() {
    let suite = faulty_suite();
    let selection = Selection::default();
    let report = run_faulty(&suite, &selection).expect("a suite in order");
    let now = results(&suite, KNOWN);
    let check = |entries: &str, results: &Results, findings: &[&str]| {
        let entries = Expectations::parse(entries).expect("expectations");
        let joined = entries.with_results(Some(results)).expect("no answers");
        let review = joined.review(&report, &Outline::of(&suite), &selection);
        let found: Vec<String> = review.findings.iter().map(ToString::to_string).collect();
        assert_eq!(found, findings);
        joined
    };
    let entries = entries_alone();
    let joined = check(&entries, &now, &[]);
    let fault = |case| joined.entry_of(case, "1.0").map(|it| it.fault.as_str());
    assert_eq!(fault("cast_value/by-hand/group/crash"), Some("dies of 100"));
    assert_eq!(
        fault("cast_value/by-hand/group/wrong"),
        Some("reads 103 as 7")
    );
    assert_eq!(
        joined.entries_alone().render(),
        Expectations::parse(&entries).expect("entries").render()
    );

    let other = |from: &str, to: &str| again(&now.render().replacen(from, to, 1));
    check(
        &entries,
        &other("ok:int8[1]:07", "ok:int8[1]:08"),
        &[
            "different wrong answer: cast_value/by-hand/group/wrong: ok:int8[1]:07 instead of ok:int8[1]:08",
        ],
    );
    check(&entries, &other("ok:int8[1]:07", "any"), &[]);
    let never = now
        .render()
        .replace("\n  {\"case\":\"cast_value/by-hand/group/wrong\",\"verdict\":\"wrong value\",\"answer\":\"ok:int8[1]:07\"}", "")
        .replace("100\"},]", "100\"}]")
        .replacen(",\"wrong value\":1}", "}", 1);
    check(
        &entries,
        &again(&never),
        &[
            "unexpected failure: cast_value/by-hand/group/wrong: wrong value: \
           element 0: 0x67 (103) became 0x07 (7), expected 0x67 (103)",
        ],
    );
    // An entry that was not in force when the results were made gets none of their answers.
    let elsewhere = entries.replacen("kind =", "when = { version = \"2.0\" }\nkind =", 1);
    let idle =
        "stale expectation: cast_value/by-hand/*/crash: none of its cases cites cast_value.exact";
    let joined = check(&elsewhere, &now, &[idle]);
    assert!(joined.entries[0].answers.is_empty());

    let both = Expectations::parse(KNOWN).expect("expectations");
    let why = both
        .with_results(Some(&now))
        .expect_err("a fact stands once");
    assert!(
        why.contains("answers belong in conformance/results"),
        "{why}"
    );
}

#[test]
fn an_answer_that_varies_is_recorded_as_any() {
    let suite = faulty_suite();
    let selection = Selection::default();
    let report = run_faulty(&suite, &selection).expect("a suite in order");
    let varies = entries_alone().replacen("kind =", "varies = true\nkind =", 1);
    let entries = Expectations::parse(&varies).expect("expectations");
    let updated = entries.updated(&report, &selection, &[]);
    let text = updated.render().expect("TOML");
    let now = results(&suite, &text).render();
    assert!(
        now.contains("group/crash\",\"verdict\":\"crash\",\"answer\":\"any\""),
        "{now}"
    );
    assert!(now.contains("\"answer\":\"ok:int8[1]:07\""), "{now}");
}
