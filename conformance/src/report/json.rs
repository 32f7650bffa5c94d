//! The report for machines.

use serde_json::{Map, Value, json};

use super::{Outline, Reviewed, Tally};

/// The JSON report: the suite, and of each implementation its verdicts, those by clause, and its
/// failures.
#[must_use]
pub fn json(outline: &Outline, all: &[Reviewed]) -> Value {
    let implementations: Vec<Value> = all
        .iter()
        .map(|reviewed| implementation(outline, reviewed))
        .collect();
    json!({
        "suite": {"version": outline.version, "cases": outline.cases.len()},
        "implementations": implementations,
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
    json!({
        "name": reviewed.name,
        "version": reviewed.report.hello.version,
        "language": reviewed.report.hello.language,
        "verdicts": verdicts(&reviewed.tally()),
        "clauses": clauses,
        "failures": failures,
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
