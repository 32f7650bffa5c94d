//! Tables in `spec/rulings.md` of what implementations do where a text is open. They are generated from the committed
//! results, between marks, and are not edited by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use exactum_vectors::spec::Clause;

use crate::findings::Known;
use crate::report::Outline;
use crate::results::Results;

/// The marks around a table.
const BEGIN: &str = "<!-- made of the results by `cargo xtask findings` -->\n";
const END: &str = "<!-- end -->\n";

/// Returns the text of the rulings with a table at the end of every entry.
///
/// # Errors
/// If a mark is missing its counterpart.
pub fn with_results(
    text: &str,
    clauses: &[Clause],
    outline: &Outline,
    all: &[Known],
) -> Result<String, String> {
    let mut made = String::new();
    for (index, section) in text.split("\n## ").enumerate() {
        let section = without_table(section)?;
        if index == 0 {
            made.push_str(section.trim_end());
            continue;
        }
        made.truncate(made.trim_end().len());
        // Writing to a String cannot fail.
        let _ = write!(made, "\n\n## {}\n", section.trim_end());
        let number = section
            .strip_prefix('R')
            .and_then(|it| it.split(':').next());
        let number: Option<u32> = number.and_then(|number| number.parse().ok());
        let ruled = clauses
            .iter()
            .filter(|it| it.ruling.is_some() && it.ruling == number);
        let rows: Vec<String> = ruled
            .filter_map(|clause| row(&clause.id, outline, all))
            .collect();
        if !rows.is_empty() {
            let rows = rows.concat();
            let _ = write!(
                made,
                "\n{BEGIN}| clause | as ruled | otherwise |\n|---|---|---|\n{rows}{END}"
            );
        }
    }
    Ok(made.trim_end().to_owned() + "\n")
}

/// Returns the entry of a ruling without its table, or `None` if there is no such ruling.
///
/// # Errors
/// If a mark is missing its counterpart.
pub fn entry(text: &str, number: u32) -> Result<Option<String>, String> {
    let title = format!("R{number}:");
    let mut sections = text.split("\n## ");
    let entry = sections.find(|section| section.starts_with(&title));
    entry.map(without_table).transpose()
}

/// Returns an entry without its table.
fn without_table(section: &str) -> Result<String, String> {
    let title = section.lines().next().unwrap_or_default();
    let Some((before, rest)) = section.split_once(BEGIN) else {
        return Ok(section.to_owned());
    };
    let rest = format!("{rest}\n");
    match rest.split_once(END) {
        Some((_, after)) => Ok(format!("{before}{after}")),
        None => Err(format!("spec/rulings.md: {title}: a table has no end")),
    }
}

/// Returns the table line of a clause, or `None` if no implementation was asked.
fn row(clause: &str, outline: &Outline, all: &[Known]) -> Option<String> {
    let [same, others] = by_answer(clause, outline, all);
    let none = same.is_empty() && others.is_empty();
    let (same, others) = (same.join(", "), others.join(", "));
    (!none).then(|| format!("| `{clause}` | {same} | {others} |\n"))
}

/// Returns the implementations that follow a clause, and those that do something else, among those that were asked.
#[must_use]
pub fn by_answer(clause: &str, outline: &Outline, all: &[Known]) -> [Vec<String>; 2] {
    let mut same = Vec::new();
    let mut others = Vec::new();
    for known in all {
        let Some(results) = &known.results else {
            continue;
        };
        let Some(counts) = results.clauses.get(clause) else {
            continue;
        };
        let who = &results.implementation;
        let who = format!("{} {}", who.name, who.version);
        let told = [
            differs(clause, outline, known, results),
            observed(clause, outline, results),
        ];
        let told: Vec<String> = told.into_iter().flatten().collect();
        if told.is_empty() {
            let passed = counts.get("pass").copied().unwrap_or_default();
            same.push(format!("{who} ({passed})"));
        } else {
            others.push(format!("{who} ({})", told.join("; ")));
        }
    }
    [same, others]
}

/// Describes in how many of its cases an implementation differs from a clause, and how.
fn differs(clause: &str, outline: &Outline, known: &Known, results: &Results) -> Option<String> {
    let cites = |case: &str| outline.clauses(case).iter().any(|it| it == clause);
    let mut faults = BTreeSet::new();
    let mut failed = 0;
    for failure in results.failures.iter().filter(|it| cites(&it.case)) {
        failed += 1;
        let mut entries = known.expectations.entries.iter();
        let entry = entries.find(|entry| entry.answers.contains_key(&failure.case));
        faults.extend(entry.map(|entry| entry.fault.replace('|', "\\|")));
    }
    let asked: usize = results.clauses.get(clause)?.values().sum();
    let faults: Vec<String> = faults.into_iter().collect();
    (failed > 0).then(|| format!("{failed} of {asked}: {}", faults.join("; ")))
}

/// Describes an implementation's answers in the open cases of a clause.
fn observed(clause: &str, outline: &Outline, results: &Results) -> Option<String> {
    let mut counted: BTreeMap<&str, usize> = BTreeMap::new();
    for observed in &results.observed {
        if outline
            .clauses(&observed.case)
            .iter()
            .any(|it| it == clause)
        {
            let what = match observed.answer.split(':').next().unwrap_or_default() {
                "ok" | "sha256" => "answered",
                "reject" => "refused",
                "unsupported" => "not supported",
                _ => "failed",
            };
            *counted.entry(what).or_default() += 1;
        }
    }
    let words: Vec<String> = counted
        .into_iter()
        .map(|(what, count)| format!("{count} {what}"))
        .collect();
    (!words.is_empty()).then(|| format!("open: {}", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use exactum_vectors::spec;

    use super::*;
    use crate::expectations::Expectations;

    fn results(verdicts: &str, failures: &str, observed: &str) -> Known {
        let text = format!(
            r#"{{"format": "exactum-results", "version": 2,
            "implementation": {{"name": "a", "version": "1", "language": "rust"}},
            "conditions": {{}}, "verdicts": {{}}, "clauses": {{"row.b": {verdicts}}},
            "failures": [{failures}], "observed": [{observed}]}}"#
        );
        let entry = "[[expect]]\ncase = \"row/t/**\"\nkind = \"bug\"\nfault = \"goes on\"\n\
                     [expect.answers]\n\"row/t/g/c\" = \"ok:00\"\n";
        Known {
            name: "a".into(),
            expectations: Expectations::parse(entry).expect("expectations"),
            results: Some(serde_json::from_str(&text).expect("results")),
        }
    }

    fn table(known: &Known) -> String {
        let clauses = "**row.b** (RULING 2; upstream \"x\"): B.\n";
        let clauses = spec::parse("row", clauses).expect("a clause");
        let level = exactum_vectors::Level::Ruling;
        let cited = |case: &str| (case.to_owned(), (level, ["row.b".to_owned()].into()));
        let outline = Outline {
            version: "1".into(),
            cases: ["row/t/g/c", "row/t/g/open"].map(cited).into(),
        };
        let text = "# R\n\n## R1: one\n\n- No.\n\n## R2: two\n\n- Yes.\n";
        let all = std::slice::from_ref(known);
        let made = with_results(text, &clauses, &outline, all).expect("a text");
        let again = with_results(&made, &clauses, &outline, all).expect("a text");
        assert_eq!(
            made, again,
            "a table is made in the place of the one that is there"
        );
        assert!(made.starts_with("# R\n\n## R1: one\n\n- No.\n\n## R2: two\n\n- Yes.\n"));
        made.lines().rev().nth(1).unwrap_or_default().to_owned()
    }

    #[test]
    fn tables_tell_who_does_what() {
        let failed = r#"{"case": "row/t/g/c", "verdict": "wrong value", "answer": "ok:00"}"#;
        let open = r#"{"case": "row/t/g/open", "answer": "reject:metadata"}"#;
        for (known, expected) in [
            (
                results(r#"{"pass": 3}"#, "", ""),
                "| `row.b` | a 1 (3) |  |",
            ),
            (
                results(r#"{"pass": 3, "wrong value": 1}"#, failed, ""),
                "| `row.b` |  | a 1 (1 of 4: goes on) |",
            ),
            (
                results(r#"{"observed (open)": 1}"#, "", open),
                "| `row.b` |  | a 1 (open: 1 refused) |",
            ),
        ] {
            assert_eq!(table(&known), expected);
        }
    }
}
