//! Incidents outside the answers are reported: repeatable ones as verdicts, others as notices, and cases that did not
//! run with their cause.

mod common;

use std::num::NonZeroUsize;

use common::{Faulty, case, output, suite};
use exactum_conformance::report::{Outline, Reviewed, failures, html, json};
use exactum_conformance::run::{self, Selection};
use exactum_conformance::vectors::Suite;
use exactum_conformance::{
    Answer, Failure, Hello, Implementation, InProcess, Incident, Request, Verdict,
};
use std::sync::Arc;

/// Answers as [`Faulty`] does and reports incidents at its end, or does not start at all.
struct Unsteady {
    inner: InProcess<Faulty>,
    starts: bool,
    begun: Vec<String>,
}

impl Implementation for Unsteady {
    fn hello(&mut self) -> Result<Hello, Failure> {
        if self.starts {
            return self.inner.hello();
        }
        Err(Failure::NotRun("it does not start: no licence".into()))
    }

    fn call(&mut self, request: &Request) -> Result<Answer, Failure> {
        self.inner.call(request)
    }

    fn begin(&mut self, case: &str) {
        self.begun.push(case.into());
    }

    fn finish(&mut self) -> Vec<Incident> {
        let told = |(place, case): (usize, &String)| Incident {
            case: case.clone(),
            failure: Failure::Crash(format!("<died> {place}")),
            repeated: place == 1,
        };
        self.begun.iter().enumerate().take(2).map(told).collect()
    }
}

fn judged(suite: &Suite, starts: bool, command: Option<&str>) -> Reviewed {
    let make: run::Factory<'_> = &|| {
        Box::new(Unsteady {
            inner: InProcess::new(Arc::new(Faulty)),
            starts,
            begun: Vec::new(),
        })
    };
    let report = run::run(
        suite,
        &Selection::default(),
        make,
        NonZeroUsize::MIN,
        &|| {},
    );
    Reviewed {
        command: command.map(str::to_owned),
        ..common::reviewed("unsteady", suite, report.expect("a suite in order"), "")
    }
}

fn three() -> Suite {
    suite(|group| {
        for byte in [1, 2, 3] {
            case(group, &format!("c{byte}"), &[byte], output(&[byte]));
        }
    })
}

#[test]
fn what_repeats_is_a_verdict_and_what_does_not_a_notice() {
    let suite = three();
    let unsteady = judged(&suite, true, None);
    let verdicts: Vec<Verdict> = unsteady.report.cases.iter().map(|c| c.verdict).collect();
    assert_eq!(verdicts, [Verdict::Pass, Verdict::Crash, Verdict::Pass]);
    // The digest of the second failure; the first one differed.
    assert_eq!(unsteady.report.cases[1].digest, "crash:<died> 1");
    let outline = Outline::of(&suite);
    let all = [unsteady];
    let said = "cast_value/by-hand/group/c1: crash: <died> 0";
    let text = failures(&outline, &all);
    assert!(text.contains(&format!(
        "unsteady: 1 fault that did not repeat when the request was sent alone\n  {said}\n"
    )));
    let report = json(&outline, &all, &[]);
    let notices = &report["implementations"][0]["notices"];
    assert_eq!(
        *notices,
        serde_json::json!([{
            "case": "cast_value/by-hand/group/c1", "verdict": "crash", "words": "<died> 0",
        }])
    );
    let page = html(&outline, &[], &all, &[]);
    assert!(page.contains("c1: crash: &lt;died&gt; 0"), "{page}");
}

#[test]
fn cases_that_did_not_run_are_counted_by_cause() {
    let suite = three();
    let all = [judged(&suite, false, None)];
    let text = failures(&Outline::of(&suite), &all);
    assert_eq!(
        text,
        "\nunsteady: 3 findings not as expected\n  \
         not run: 3 cases: it does not start: no licence\n"
    );
}

#[test]
fn a_program_without_a_name_is_shown_again_by_its_command_line() {
    let suite = three();
    let all = [judged(&suite, true, Some("python3 'my adapter.py'"))];
    let text = failures(&Outline::of(&suite), &all);
    let command = "exactum explain cast_value/by-hand/group/c2 --command unsteady -- \
        python3 'my adapter.py'";
    assert!(text.contains(command), "{text}");
}

#[test]
fn a_case_judged_alone_takes_what_comes_behind_its_answer() {
    let suite = three();
    let group = &suite.files[0].0.groups[0];
    let mut unsteady = Unsteady {
        inner: InProcess::new(Arc::new(Faulty)),
        starts: true,
        // Its second case dies after its answer.
        begun: vec!["before".into()],
    };
    let hello = unsteady.hello().expect("it starts");
    let judged = run::judge_alone(&mut unsteady, &hello, group, &group.cases[0]);
    assert_eq!(judged.expect("a case in order").verdict, Verdict::Crash);
}
