//! Each known fault must show with the recorded answer, and no other fault may show.

mod common;

use common::{case, output, run_faulty, suite};
use exactum_conformance::expectations::{Expectations, Kind, NewFault};
use exactum_conformance::pattern::Pattern;
use exactum_conformance::report::Outline;
use exactum_conformance::run::Selection;
use exactum_conformance::vectors::Suite;

fn faulty_suite() -> Suite {
    suite(|g| {
        case(g, "fine", &[1], output(&[1]));
        case(g, "wrong", &[103], output(&[103]));
        case(g, "crash", &[100], output(&[100]));
    })
}

const WRONG: &str = r#"
[[expect]]
case = "cast_value/by-hand/*/*"
kind = "bug"
fault = "103 is 7"
reason = "103 is read as 7"
link = "https://example.org/1"
reported = false
[expect.answers]
"cast_value/by-hand/group/wrong" = "ok:int8[1]:07"
"cast_value/by-hand/group/crash" = "crash:element 0 is 100"
"#;

/// Checks the findings of a run with expectations.
fn check(expectations: &str, selection: &Selection, findings: &[&str]) {
    let suite = faulty_suite();
    let report = run_faulty(&suite, selection).expect("a suite in order");
    let expectations = Expectations::parse(expectations).expect("expectations");
    let review = expectations.review(&report, &Outline::of(&suite), selection);
    let found: Vec<String> = review.findings.iter().map(ToString::to_string).collect();
    assert_eq!(found, findings);
}

#[test]
fn expected_failures_are_no_findings() {
    check(WRONG, &Selection::default(), &[]);
}

#[test]
fn an_answer_that_differs_from_run_to_run_is_expected_whatever_it_is() {
    let any = WRONG.replace("ok:int8[1]:07", "any");
    check(&any, &Selection::default(), &[]);
    let suite = faulty_suite();
    let report = run_faulty(&suite, &Selection::default()).expect("a suite in order");
    let expectations = Expectations::parse(&any).expect("expectations");
    assert_eq!(
        expectations.updated(&report, &Selection::default(), &[]),
        expectations
    );
}

#[test]
fn unexpected_failures_are() {
    check(
        "",
        &Selection::default(),
        &[
            "unexpected failure: cast_value/by-hand/group/wrong: wrong value: \
             element 0: 0x67 (103) became 0x07 (7), expected 0x67 (103)",
            "unexpected failure: cast_value/by-hand/group/crash: crash: \
             element 0 is 100, expected int8 [1] [100]",
        ],
    );
}

#[test]
fn unexpected_passes_are() {
    let also_fine = format!("{WRONG}\"cast_value/by-hand/group/fine\" = \"ok:int8[1]:02\"\n");
    check(
        &also_fine,
        &Selection::default(),
        &["unexpected pass: cast_value/by-hand/group/fine: pass"],
    );
}

#[test]
fn different_wrong_answers_are() {
    check(
        &WRONG.replace("ok:int8[1]:07", "ok:int8[1]:08"),
        &Selection::default(),
        &[
            "different wrong answer: cast_value/by-hand/group/wrong: ok:int8[1]:07 instead of ok:int8[1]:08",
        ],
    );
}

#[test]
fn stale_entries_are() {
    let gone = format!("{WRONG}\"cast_value/by-hand/group/gone\" = \"ok:int8[1]:02\"\n");
    check(
        &gone,
        &Selection::default(),
        &["stale expectation: cast_value/by-hand/group/gone: the suite has no such case"],
    );
    let nothing = format!("{WRONG}\n[[expect]]\ncase = \"chain/**\"\nkind = \"bug\"\n");
    check(
        &nothing,
        &Selection::default(),
        &["stale expectation: chain/**: no case of the suite matches"],
    );
}

#[test]
fn what_is_not_selected_is_not_judged() {
    let only = Selection::new(vec![Pattern::selecting("**/fine").expect("a pattern")]);
    check(WRONG, &only, &[]);
}

#[test]
fn conditions_decide_where_a_fault_shows() {
    for (condition, applies) in [
        ("version = \"1.0\"", true),
        ("version = \"2.0\"", false),
        ("architecture = \"z80\"", false),
    ] {
        let text = WRONG.replace("kind =", &format!("when = {{ {condition} }}\nkind ="));
        let suite = faulty_suite();
        let report = run_faulty(&suite, &Selection::default()).expect("a suite in order");
        let expectations = Expectations::parse(&text).expect("expectations");
        let review = expectations.review(&report, &Outline::of(&suite), &Selection::default());
        assert_eq!(review.findings.is_empty(), applies, "{condition}");
    }
}

#[test]
fn an_update_writes_what_failed() {
    let suite = faulty_suite();
    let everything = Selection::default();
    let report = run_faulty(&suite, &everything).expect("a suite in order");

    let new = Expectations::default().updated(&report, &everything, &[]);
    let [entry] = new.entries.as_slice() else {
        panic!("one entry, not {}", new.entries.len());
    };
    assert_eq!(
        (entry.case.as_str(), entry.kind),
        ("cast_value/by-hand/**", Kind::Unreviewed)
    );
    assert_eq!(new.lint(), ["cast_value/by-hand/**: unreviewed"]);
    let again = Expectations::parse(&new.render().expect("TOML")).expect("its own text");
    assert_eq!(again, new);
    assert_eq!(
        again
            .review(&report, &Outline::of(&suite), &everything)
            .findings,
        []
    );

    // Failures with one cause become one entry, with its clause.
    let fault = NewFault {
        pattern: "cast_value/by-hand/group/*".into(),
        clause: Some("cast_value.exact".into()),
        cases: vec!["cast_value/by-hand/group/wrong".into()],
    };
    let by_cause = Expectations::default().updated(&report, &everything, &[fault]);
    let entries = by_cause.entries.iter();
    let entries: Vec<_> = entries
        .map(|entry| {
            (
                entry.case.as_str(),
                entry.clauses.first().map(String::as_str),
                entry.answers.len(),
            )
        })
        .collect();
    assert_eq!(
        entries,
        [
            ("cast_value/by-hand/group/*", Some("cast_value.exact"), 1),
            ("cast_value/by-hand/**", None, 1),
        ]
    );
    assert_eq!(
        by_cause
            .review(&report, &Outline::of(&suite), &everything)
            .findings,
        []
    );

    // Known entries keep their texts, get the current digests and lose the cases that no longer fail.
    let outdated = WRONG.replace("ok:int8[1]:07", "ok:int8[1]:08")
        + "\"cast_value/by-hand/group/fine\" = \"ok:int8[1]:02\"\n";
    let updated = Expectations::parse(&outdated)
        .expect("expectations")
        .updated(&report, &everything, &[]);
    assert_eq!(updated, Expectations::parse(WRONG).expect("expectations"));
    assert_eq!(updated.lint(), [""; 0]);
}

#[test]
fn links_lead_to_what_was_judged_and_decisions_to_who_decided() {
    let lint = |text: &str| Expectations::parse(text).expect("expectations").lint();
    let branch = "the link points to a branch: use the tag or the commit that was judged";
    for (link, fault) in [
        ("https://github.com/a/b/blob/v1.2/src/c.rs", None),
        ("https://github.com/a/b/issues/7", None),
        ("https://docs.rs/crate/a/1.2.0/source/src/lib.rs", None),
        ("https://github.com/a/b/blob/main/src/c.rs", Some(branch)),
        ("https://github.com/a/b/tree/master", Some(branch)),
        ("https://github.com/a/b#readme", Some(branch)),
        ("https://github.com/a/b", Some(branch)),
    ] {
        let found = lint(&WRONG.replace("https://example.org/1", link));
        let expected: Vec<String> = fault
            .map(|fault| format!("cast_value/by-hand/*/*: {fault}"))
            .into_iter()
            .collect();
        assert_eq!(found, expected, "{link}");
    }
    let kept = WRONG.replace("\"bug\"", "\"wont_fix\"");
    let words = "cast_value/by-hand/*/*: the kind wont_fix requires `decision`, and only this kind may have it";
    assert_eq!(lint(&kept), [words]);
    let decided = "decision = \"https://example.org/2\"\n[expect.answers]";
    assert_eq!(lint(&kept.replace("[expect.answers]", decided)), [""; 0]);
    assert_eq!(lint(&WRONG.replace("[expect.answers]", decided)), [words]);
}

#[test]
fn an_update_leaves_cases_where_they_stand() {
    let text = format!(
        "[[expect]]\ncase = \"cast_value/**\"\nkind = \"bug\"\n\
         [expect.answers]\n\"cast_value/by-hand/group/crash\" = \"crash:element 0 is 100\"\n\n{}",
        WRONG
            .replace("by-hand/*/*", "nowhere/**\"\nalso = [\"**/wrong")
            .replace("**/wrong\"", "**/wrong\"]")
            .replace(
                "\"cast_value/by-hand/group/crash\" = \"crash:element 0 is 100\"\n",
                "",
            ),
    );
    let expectations = Expectations::parse(&text).expect("expectations");
    let suite = faulty_suite();
    let everything = Selection::default();
    let report = run_faulty(&suite, &everything).expect("a suite in order");
    assert_eq!(
        expectations.updated(&report, &everything, &[]),
        expectations
    );
    assert_eq!(
        expectations.stale(&Outline::of(&suite), &everything)[0].case,
        "cast_value/nowhere/**"
    );

    // A new failure joins the first entry that matches it.
    let fewer = text.replace(
        "\"cast_value/by-hand/group/wrong\" = \"ok:int8[1]:07\"\n",
        "",
    );
    let updated =
        Expectations::parse(&fewer)
            .expect("expectations")
            .updated(&report, &everything, &[]);
    let [entry] = updated.entries.as_slice() else {
        panic!("one entry, not {}", updated.entries.len());
    };
    assert_eq!(entry.answers.len(), 2);
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (text, message) in [
        (WRONG.replace("bug", "feature"), "unknown variant `feature`"),
        (WRONG.replace("link =", "lnk ="), "unknown field `lnk`"),
        (WRONG.replace("by-hand/*/*", "other/*/*"), "does not match"),
        (
            WRONG.replace("kind", "when = { cpu = \"abacus\" }\nkind"),
            "unknown feature",
        ),
        (
            WRONG.replace("by-hand/*/*", "by-hand/[/*"),
            "error parsing glob",
        ),
        (format!("{WRONG}{WRONG}"), "is listed in two entries"),
    ] {
        let error = Expectations::parse(&text).expect_err(message);
        assert!(error.contains(message), "{error}");
    }
}
