//! The data of the pages about rows, clauses and implementations.

use std::collections::{BTreeMap, BTreeSet};

use exactum_conformance::report::level_name;
use exactum_vectors::{Expect, Suite};
use serde_json::{Map, Value, json};

use crate::entries::row_of;
use crate::example::example;
use crate::known::{Implementation, Known, Standing};

/// The number of worked examples of a clause.
const EXAMPLES: usize = 3;

/// The weight, in characters, that makes a case without elements rank behind other cases.
const EMPTY: usize = 100_000;

/// Returns the data of the overview: all rows and all implementations.
pub(crate) fn overview(known: &Known<'_>, [date, commit]: &[String; 2]) -> Value {
    let rows: Vec<Value> = known
        .rows()
        .into_iter()
        .map(|row| {
            let clauses = known.clauses.iter().filter(|it| it.row == row).count();
            let cases = known.cases.keys().filter(|id| row_of(id) == row).count();
            json!({
                "id": row, "clauses": clauses, "cases": cases,
                "upstream": known.upstream.get(row),
            })
        })
        .collect();
    let implementations: Vec<Value> = known
        .implementations
        .iter()
        .map(|one| {
            let mut sections: BTreeMap<&str, usize> = BTreeMap::new();
            for cause in &one.causes {
                *sections.entry(cause.section).or_default() += 1;
            }
            let wrong = one.causes.iter();
            let wrong = wrong
                .filter(|it| it.section == "fault" && it.severity == 0)
                .count();
            json!({
                "name": one.known.name, "version": one.results.implementation.version,
                "language": one.results.implementation.language, "rows": standings(one),
                "causes": sections, "wrong": wrong,
                "claims": known.claims.get(&one.known.name),
            })
        })
        .collect();
    json!({
        "suite": known.outline.version, "date": date, "commit": commit,
        "clauses": known.clauses.len(), "cases": known.cases.len(),
        "rows": rows, "implementations": implementations,
    })
}

fn standings(one: &Implementation) -> Map<String, Value> {
    let shown = |it: &Standing| json!([it.passed, it.asked, it.failed, it.readings, it.other_text]);
    one.rows
        .iter()
        .map(|(row, it)| (row.clone(), shown(it)))
        .collect()
}

/// Returns the data of a row: its clauses, each with the implementations that pass and the causes of failure.
pub(crate) fn row(known: &Known<'_>, row: &str) -> Value {
    let mut examples: BTreeMap<&str, Vec<(usize, &String)>> = BTreeMap::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, (group, case)) in &known.cases {
        for clause in group.case_clauses(case) {
            if row_of(clause) == row {
                *counts.entry(clause).or_default() += 1;
                let length = json!([case.request, case.expect, group.request])
                    .to_string()
                    .len();
                // A case that cites few clauses illustrates this clause best, and an array without elements illustrates
                // nothing.
                let is_empty = case.request.get("input").is_some_and(|it| it["data"] == "");
                let weight = length
                    + 200 * group.case_clauses(case).count()
                    + if is_empty { EMPTY } else { 0 };
                let is_open = matches!(case.expect, Expect::Open(_));
                if !is_open {
                    examples.entry(clause).or_default().push((weight, id));
                }
            }
        }
    }
    let clauses: Vec<Value> = known
        .clauses
        .iter()
        .filter(|clause| clause.row == row)
        .map(|clause| {
            let mut cases = examples.remove(clause.id.as_str()).unwrap_or_default();
            cases.sort();
            cases.dedup_by_key(|(weight, _)| *weight);
            let worked = cases.iter().take(EXAMPLES).filter_map(|(_, id)| {
                let (group, case) = known.cases.get(*id)?;
                Some(example(group, case, None))
            });
            let mut standing = Map::new();
            for one in &known.implementations {
                if let Some(counts) = one.results.clauses.get(&clause.id) {
                    standing.insert(one.known.name.clone(), json!(counts));
                }
            }
            let all = known.implementations.iter().flat_map(|one| &one.causes);
            let causes: Vec<&Value> = all
                .filter(|cause| cause.clauses.contains(&clause.id))
                .map(|cause| &cause.shown)
                .collect();
            json!({
                "id": clause.id, "level": level_name(clause.level), "ruling": clause.ruling,
                "document": clause.document, "upstream": clause.upstream, "quote": clause.quote,
                "uncovered": clause.uncovered, "text": clause.text,
                "cases": counts.get(clause.id.as_str()).copied().unwrap_or_default(),
                "examples": worked.collect::<Vec<_>>(), "standing": standing, "causes": causes,
            })
        })
        .collect();
    json!({ "id": row, "upstream": known.upstream.get(row), "clauses": clauses })
}

/// Returns the data of an implementation: what it offers, and the causes of its failures.
pub(crate) fn implementation(known: &Known<'_>, one: &Implementation) -> Value {
    let causes: Vec<&Value> = one.causes.iter().map(|cause| &cause.shown).collect();
    let version = &one.results.implementation.version;
    let library = known.history.of(&one.known.name);
    let gone: Vec<Value> = library
        .into_iter()
        .flat_map(|it| it.gone(version))
        .map(|(fault, last)| json!({ "fault": fault, "last": last }))
        .collect();
    json!({
        "name": one.known.name, "version": version,
        "versions": library.map(|it| &it.versions), "gone": gone,
        "language": one.results.implementation.language,
        "claims": known.claims.get(&one.known.name), "arrays": one.results.arrays,
        "verdicts": one.results.verdicts, "rows": standings(one), "causes": causes,
    })
}

/// Returns the data about who can read which arrays: for each implementation, what it offers, the causes of its
/// failures by codec and data type, and its failures by operation.
pub(crate) fn readers(known: &Known<'_>) -> Value {
    let all: Vec<Value> = known
        .implementations
        .iter()
        .map(|one| {
            let causes: Vec<Value> = one
                .causes
                .iter()
                .filter(|cause| cause.section != "other-text")
                .map(|cause| {
                    json!({
                        "id": cause.id, "fault": cause.fault, "section": cause.section,
                        "severity": cause.shown["severity"], "rows": cause.shown["rows"],
                        "data_types": cause.data_types, "codecs": cause.codecs,
                    })
                })
                .collect();
            let mut operations: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
            for failed in &one.results.failures {
                let asked = known.cases.get(&failed.case).and_then(|(group, case)| {
                    let op = group.request.get("op").or_else(|| case.request.get("op"));
                    op.and_then(Value::as_str)
                });
                if let Some(operation) = asked {
                    let verdicts = operations.entry(operation).or_default();
                    *verdicts.entry(&failed.verdict).or_default() += 1;
                }
            }
            json!({
                "name": one.known.name, "version": one.results.implementation.version,
                "arrays": one.results.arrays, "rows": standings(one), "causes": causes,
                "operations": operations, "computes": computes(known, one),
            })
        })
        .collect();
    json!({ "implementations": all })
}

/// Returns the rows in which an implementation was asked for numbers or bytes, and not only about documents.
fn computes<'a>(known: &'a Known<'_>, one: &Implementation) -> BTreeSet<&'a str> {
    let clauses = known.clauses.iter().filter(|clause| !clause.document);
    clauses
        .filter(|clause| one.results.clauses.contains_key(&clause.id))
        .map(|clause| clause.row.as_str())
        .collect()
}

/// Returns the data of the search: clauses, causes, implementations and groups of cases.
pub(crate) fn search(known: &Known<'_>, suite: &Suite) -> Value {
    let clauses: Vec<Value> = known
        .clauses
        .iter()
        .map(|clause| json!([clause.id, clause.text, level_name(clause.level)]))
        .collect();
    let causes: Vec<Value> = known
        .implementations
        .iter()
        .flat_map(|one| one.causes.iter().map(move |cause| (one, cause)))
        .map(|(one, cause)| json!([one.known.name, cause.id, cause.fault, cause.clauses]))
        .collect();
    let groups: Vec<Value> = suite
        .files
        .iter()
        .flat_map(|(file, _)| &file.groups)
        .map(|group| {
            let first = group.cases.first();
            let clause = first.and_then(|case| group.case_clauses(case).next());
            json!([group.id, group.cases.len(), clause])
        })
        .collect();
    json!({ "clauses": clauses, "causes": causes, "groups": groups })
}
