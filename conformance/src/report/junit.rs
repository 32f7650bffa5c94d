//! The report for continuous integration, in JUnit's XML format.

use std::collections::BTreeMap;

use maud::{PreEscaped, html};

use super::{Absent, Reviewed};
use crate::expectations::{Finding, describe};
use crate::text::clean_lines;
use crate::verdict::Verdict;

/// Returns the JUnit report: a suite for each implementation, and a test for each case that it was asked. Expected
/// failures count as skipped. Unexpected results and missing implementations fail. The number of cases that were not
/// asked, because the implementation does not offer them, is a property of the suite.
#[must_use]
pub fn junit(all: &[Reviewed], absent: &[Absent]) -> String {
    let body = html! {
        testsuites name="exactum" {
            @for reviewed in all {
                (suite(reviewed))
            }
            @for absent in absent {
                testsuite name=(absent.name) tests="1" failures="1" skipped="0" {
                    testcase classname=(absent.name) name="is there" {
                        failure message=(absent.why) { (absent.remedy) }
                    }
                }
            }
        }
    };
    // XML cannot contain control characters, not even escaped ones; the reason for a missing implementation may.
    let body = clean_lines(&body.into_string());
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{body}\n")
}

fn suite(reviewed: &Reviewed) -> PreEscaped<String> {
    let tally = reviewed.tally();
    let skipped = tally.known + tally.of(Verdict::Observed);
    let not_asked = tally.of(Verdict::Unsupported);
    let findings = &reviewed.review.findings;
    let mut strays: BTreeMap<&str, &Finding> = findings
        .iter()
        .map(|finding| (finding.case.as_str(), finding))
        .collect();
    let found: Vec<Option<&Finding>> = reviewed
        .report
        .cases
        .iter()
        .map(|judged| strays.remove(judged.case.as_str()))
        .collect();
    // The remaining findings are about entries of the expectations and belong to no case that ran.
    let cases = reviewed.report.cases.iter().zip(found);
    // An entry may expect the failure of a case that was not even asked: that is a finding, too.
    let asked = cases
        .filter(|(judged, finding)| judged.verdict != Verdict::Unsupported || finding.is_some());
    let asked: Vec<_> = asked.collect();
    html! {
        testsuite name=(reviewed.name) tests=(asked.len() + strays.len())
            failures=(findings.len()) skipped=(skipped)
        {
            @if not_asked > 0 {
                properties { property name="cases not sent" value=(not_asked) {} }
            }
            @for (judged, finding) in asked {
                @let (group, case) = judged.case.rsplit_once('/').unwrap_or(("", &judged.case));
                testcase classname={ (reviewed.name) "." (group) } name=(case) {
                    @if let Some(finding) = finding {
                        failure message=(finding.to_string()) { (describe(judged)) }
                    } @else if judged.verdict != Verdict::Pass {
                        skipped message=(describe(judged)) {}
                    }
                }
            }
            @for finding in strays.values() {
                testcase classname={ (reviewed.name) ".expectations" } name=(finding.case) {
                    failure message=(finding.to_string()) {}
                }
            }
        }
    }
}
