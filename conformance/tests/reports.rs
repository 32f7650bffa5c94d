//! The human-readable reports.

mod common;

use std::sync::Arc;

use common::{Faulty, case, members, output, run_faulty, suite};
use exactum_conformance::model::{Array, Reason};
use exactum_conformance::report::{
    Absent, Answered, Outline, Reviewed, badge, explain, failures, html, json, junit, new_faults,
    overview, summary, table,
};
use exactum_conformance::run::{self, Selection, request_of};
use exactum_conformance::vectors::spec::{Clause, parse};
use exactum_conformance::vectors::{Expect, Group, Level, Suite, array_to_json};
use exactum_conformance::{Call, Codec, Codecs, Hello, Implementation, InProcess, Outcome};
use serde_json::json as object;

/// A cast that is correct for everything here.
struct Right;

impl Codecs for Right {
    fn hello(&self) -> Hello {
        Hello::new("right", "2.0", "rust").offering(&["cast_value.encode"])
    }

    fn call(&self, call: &Call) -> Outcome {
        let Call::Encode(codec @ Codec::CastValue(cast), input) = call else {
            return call.not_offered();
        };
        if input.data().iter().any(|&byte| byte > 127) {
            return Faulty.call(&Call::Encode(codec.clone(), common::bytes(&[255])));
        }
        let (shape, data) = (input.shape().to_vec(), input.data().to_vec());
        Ok(Array::new(cast.encoded, shape, data)?.into())
    }
}

fn example() -> Suite {
    suite(|g: &mut Group| {
        case(g, "fine", &[1], output(&[1]));
        case(g, "wrong", &[1, 103], output(&[1, 103]));
        case(g, "crash", &[100], output(&[100]));
        case(g, "out", &[150], Expect::reject(Reason::OutOfRange));
        case(g, "open", &[1], Expect::Open("R5".into()));
        let wide = object!({"input": {"data_type": "uint16", "shape": [1], "data": "0100"}});
        let clauses = &["cast_value.range.clamp", "chain.<order>"];
        g.case(
            "wide",
            clauses,
            members(wide),
            Expect::reject(Reason::OutOfRange),
        );
        g.level = Level::Must;
    })
}

const KNOWN: &str = r#"
[[expect]]
case = "cast_value/**"
kind = "bug"
reason = "103 is read as 7"
link = "https://example.org/1"
[expect.answers]
"cast_value/by-hand/group/wrong" = "ok:int8[2]:0107"
"#;

fn reviewed(suite: &Suite) -> Vec<Reviewed> {
    let selection = Selection::default();
    let right: run::Factory<'_> = &|| Box::new(InProcess::new(Arc::new(Right)));
    [
        (
            "right",
            run::run(suite, &selection, right, run::in_process_workers(), &|| {}),
            "",
        ),
        ("faulty", run_faulty(suite, &selection), KNOWN),
    ]
    .into_iter()
    .map(|(name, report, expectations)| {
        let report = report.expect("a suite in order");
        common::reviewed(name, suite, report, expectations)
    })
    .collect()
}

/// Returns an absent implementation.
fn gone() -> Absent {
    Absent {
        name: "gone".into(),
        why: "not set up".into(),
        remedy: "set it up".into(),
    }
}

fn clauses() -> Vec<Clause> {
    let text = "**cast_value.exact** (MUST; upstream \"exactly representable\"): An input whose \
        value is a value of the output type becomes that value, <whatever> else is configured. \
        What counts is the number, not the bits: int32 5 becomes float64 5.0.\n";
    parse("cast_value", text).expect("a clause")
}

#[test]
fn the_table_counts_by_clause() {
    let suite = example();
    let all = reviewed(&suite);
    insta::assert_snapshot!(table(&Outline::of(&suite), &all));
}

#[test]
fn the_overview_counts_by_row() {
    let suite = example();
    let all = reviewed(&suite);
    assert!(!all[0].has_nothing_to_judge());
    insta::assert_snapshot!(overview(&all));
}

#[test]
fn the_summary_says_who_passes_what() {
    let suite = example();
    let all = reviewed(&suite);
    assert_eq!(all.iter().map(Reviewed::asked).collect::<Vec<_>>(), [6, 5]);
    insta::assert_snapshot!(summary(&Outline::of(&suite), &all, 80));
}

#[test]
fn the_summary_of_many_has_a_line_for_each() {
    let suite = example();
    let outline = Outline::of(&suite);
    let [right, faulty] = &reviewed(&suite)[..] else {
        panic!("two of them");
    };
    let many: Vec<Reviewed> = (0..30)
        .map(|place| Reviewed {
            name: format!("implementation-{place}"),
            ..if place == 7 { faulty } else { right }.clone()
        })
        .collect();
    let text = summary(&outline, &many, 24);
    let words = |line: usize| -> Vec<&str> {
        let line = text.lines().nth(line).unwrap_or_default();
        line.split_whitespace().collect()
    };
    assert_eq!(words(2 + 6), ["implementation-6", "100"], "{text}");
    assert_eq!(words(2 + 7), ["implementation-7", "50✗"], "{text}");
    let table = text.lines().take_while(|line| !line.is_empty());
    assert_eq!(table.clone().count(), 2 + many.len() + 1, "{text}");
    let text = summary(&outline, &many, 80);
    assert!(text.contains("implementation-7   2 !1 ✗1 ?1"), "{text}");
}

#[test]
fn new_faults_are_grouped_by_cause() {
    let suite = example();
    let all = reviewed(&suite);
    let faults = new_faults(&Outline::of(&suite), &all[1]);
    let [fault] = &faults[..] else {
        panic!("one fault: {faults:?}");
    };
    assert_eq!(fault.pattern, "cast_value/by-hand/group/crash");
    assert_eq!(fault.clause.as_deref(), Some("cast_value.exact"));
    assert_eq!(fault.cases, ["cast_value/by-hand/group/crash"]);
}

#[test]
fn failures_are_listed_with_a_way_to_see_them() {
    let suite = example();
    let all = reviewed(&suite);
    insta::assert_snapshot!(failures(&Outline::of(&suite), &all));
}

#[test]
fn findings_of_one_cause_are_told_together() {
    let suite = suite(|g: &mut Group| {
        for id in ["wrong-1", "wrong-2", "wrong-3"] {
            case(g, id, &[1, 103], output(&[1, 103]));
        }
        case(g, "crash", &[100], output(&[100]));
        case(g, "fine", &[1], output(&[1]));
    });
    let report = run_faulty(&suite, &Selection::default()).expect("a suite in order");
    let all = [Reviewed {
        command: Some("./faulty".into()),
        ..common::reviewed("faulty", &suite, report, "")
    }];
    insta::assert_snapshot!(failures(&Outline::of(&suite), &all));
}

#[test]
fn a_case_is_explained() {
    let suite = example();
    let group = &suite.files[0].0.groups[0];
    let case = &group.cases[1];
    let request = request_of(group, case).expect("a request");
    let implementations: [Box<dyn Implementation>; 2] = [
        Box::new(InProcess::new(Arc::new(Right))),
        Box::new(InProcess::new(Arc::new(Faulty))),
    ];
    let answered: Vec<Answered> = implementations
        .into_iter()
        .map(|mut implementation| {
            let hello = implementation.hello().expect("it is there");
            let known = if hello.name == "faulty" {
                "bug: 103 is read as 7"
            } else {
                ""
            };
            Answered {
                judged: run::judge_case(implementation.as_mut(), &hello, group, case)
                    .expect("a case in order"),
                answer: Some(implementation.call(&request)),
                name: hello.name,
                known: known.into(),
                smallest: String::new(),
            }
        })
        .collect();
    let text = explain(group, case, &clauses(), &answered).expect("a case in order");
    insta::assert_snapshot!(text);
}

#[test]
fn machines_get_the_same_counts() {
    let suite = example();
    let all = reviewed(&suite);
    let report = json(&Outline::of(&suite), &all, &[gone()]);
    assert_eq!(
        report,
        object!({
            "suite": {"version": suite.manifest.suite, "cases": 6},
            "implementations": [
                {
                    "name": "right",
                    "version": "2.0",
                    "language": "rust",
                    "verdicts": {"pass": 5, "observed (open)": 1},
                    "clauses": {
                        "cast_value.exact": {"pass": 5, "observed (open)": 1},
                        "cast_value.range.clamp": {"pass": 1},
                        "chain.<order>": {"pass": 1},
                    },
                    "failures": [],
                    "notices": [],
                },
                {
                    "name": "faulty",
                    "version": "1.0",
                    "language": "rust",
                    "verdicts": {"pass": 2, "wrong value": 1, "crash": 1,
                        "unsupported (declared)": 1, "observed (open)": 1},
                    "clauses": {
                        "cast_value.exact": {"pass": 2, "wrong value": 1, "crash": 1,
                            "unsupported (declared)": 1, "observed (open)": 1},
                        "cast_value.range.clamp": {"unsupported (declared)": 1},
                        "chain.<order>": {"unsupported (declared)": 1},
                    },
                    "failures": [
                        {
                            "case": "cast_value/by-hand/group/wrong",
                            "verdict": "wrong value",
                            "expected": true,
                        },
                        {
                            "case": "cast_value/by-hand/group/crash",
                            "verdict": "crash",
                            "expected": false,
                        },
                    ],
                    "notices": [],
                },
            ],
            "missing": [{"name": "gone", "why": "not set up", "remedy": "set it up"}],
        })
    );
}

#[test]
fn junit_fails_only_for_findings() {
    let suite = example();
    let text = junit(&reviewed(&suite), &[gone()]);
    insta::assert_snapshot!(text.replace("><", ">\n<"));
}

#[test]
fn the_page_is_escaped_and_whole() {
    let suite = example();
    let page = html(
        &Outline::of(&suite),
        &clauses(),
        &reviewed(&suite),
        &[gone()],
    );
    for part in [
        "exactum explain cast_value/by-hand/group/wrong --implementation faulty",
        "element 1: 0x67 (103) became 0x07 (7), expected 0x67 (103)",
        "bug: 103 is read as 7",
        "chain.&lt;order&gt;",
        "&lt;whatever&gt;",
        "<strong>gone is missing: </strong>not set up",
        "id=\"i1-cast_value.exact\"",
        "href=\"#i1-cast_value.exact\"",
    ] {
        assert!(page.contains(part), "{part} is not in the page");
    }
    for part in ["<order>", "<whatever>", "<script", "src=", "@import"] {
        assert!(!page.contains(part), "{part} is in the page");
    }
}

#[test]
fn inputs_of_requests_are_found() {
    let suite = example();
    let group = &suite.files[0].0.groups[0];
    let request = request_of(group, &group.cases[0]).expect("a request");
    let input = request.input().map(|array| array_to_json(&array));
    assert_eq!(input, Some(array_to_json(&common::bytes(&[1]))));
}

#[test]
fn a_badge_counts_what_binds() {
    let suite = example();
    let all = reviewed(&suite);
    let outline = Outline::of(&suite);
    let json: serde_json::Value =
        serde_json::from_str(&badge(&outline, &all[1], false)).expect("JSON");
    assert_eq!(
        json,
        object!({"schemaVersion": 1, "label": "exactum", "message": "2 of 5", "color": "orange"})
    );
    let svg = badge(&outline, &all[0], true);
    let svg = roxmltree::Document::parse(&svg).expect("XML");
    assert!(svg.descendants().any(|node| node.text() == Some("5 of 6")));
}
