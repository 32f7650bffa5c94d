//! The report for machines.

use serde_json::{Map, Value, json};

use super::{Absent, Outline, Reviewed, Tally};

/// Returns the JSON report: the suite; for each implementation its verdicts, in total and by clause, its failures, and
/// the faults that did not repeat; and the missing implementations with the reasons.
#[must_use]
pub fn json(outline: &Outline, all: &[Reviewed], absent: &[Absent]) -> Value {
    let implementations: Vec<Value> = all
        .iter()
        .map(|reviewed| implementation(outline, reviewed))
        .collect();
    let missing: Vec<Value> = absent
        .iter()
        .map(|absent| json!({"name": absent.name, "why": absent.why, "remedy": absent.remedy}))
        .collect();
    json!({
        "suite": {"version": outline.version, "cases": outline.cases.len()},
        "implementations": implementations,
        "missing": missing,
    })
}

fn implementation(outline: &Outline, reviewed: &Reviewed) -> Value {
    let clauses: Map<String, Value> = outline
        .by_clause(reviewed)
        .into_iter()
        .map(|(clause, tally)| (clause, verdicts(&tally)))
        .collect();
    let failures: Vec<Value> = reviewed
        .report
        .failures()
        .map(|judged| {
            json!({
                "case": judged.case,
                "verdict": judged.verdict.name(),
                "expected": reviewed.expects(&judged.case),
            })
        })
        .collect();
    let notices: Vec<Value> = reviewed
        .report
        .notices
        .iter()
        .map(|notice| {
            json!({
                "case": notice.case,
                "verdict": notice.verdict.name(),
                "words": notice.words,
            })
        })
        .collect();
    json!({
        "name": reviewed.name,
        "version": reviewed.report.hello.version,
        "language": reviewed.report.hello.language,
        "verdicts": verdicts(&reviewed.tally()),
        "clauses": clauses,
        "failures": failures,
        "notices": notices,
    })
}

fn verdicts(tally: &Tally) -> Value {
    tally
        .verdicts
        .iter()
        .map(|(verdict, count)| (verdict.name().to_owned(), Value::from(*count)))
        .collect::<Map<String, Value>>()
        .into()
}
