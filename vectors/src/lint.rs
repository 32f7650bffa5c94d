//! The rules for a set of vector files that go beyond their form.

use std::collections::{BTreeMap, BTreeSet};

use exactum_model::{Array, DataType, Reason};
use serde_json::{Map, Value};

use crate::file::{Case, Expect, File, Group, Level, Within};
use crate::hex;
use crate::manifest::Withdrawn;
use crate::render::render;
use crate::texts::{text_type_of, texts_from_json};
use crate::wire::{input_from_json, is_generated};

const MAX_FILE_BYTES: usize = 1 << 20;
/// The largest total size of all files, in MiB.
const LIMIT: usize = 28;
/// Some JSON parsers change integers beyond this.
const MAX_SAFE_INTEGER: u64 = 1 << 53;

/// Lints files with their texts against the clauses of the specification with their levels, and against the withdrawn
/// ids. A case of level `must` may cite only clauses that say MUST. Each finding names its file, group or case.
#[must_use]
pub fn lint(
    files: &[(File, String)],
    clauses: &BTreeMap<String, Level>,
    withdrawn: &Withdrawn,
) -> Vec<String> {
    let mut findings = Vec::new();
    let mut ids = BTreeSet::new();
    if !withdrawn.ids.is_sorted() {
        findings.push("withdrawn.json: the ids are not in order".into());
    }
    let total: usize = files.iter().map(|(_, text)| text.len()).sum();
    if total > LIMIT << 20 {
        findings.push(format!(
            "all files together take {total} bytes, more than {LIMIT} MiB"
        ));
    }
    for (file, text) in files {
        let path = file.path();
        if text.len() > MAX_FILE_BYTES {
            findings.push(format!("{path}: {} bytes, more than 1 MiB", text.len()));
        }
        if render(file) != *text {
            findings.push(format!("{path}: not in canonical form"));
        }
        for group in &file.groups {
            let prefix = format!("{}/{}/", file.row, file.topic);
            if !group.id.starts_with(&prefix) {
                findings.push(format!("{}: does not begin with {prefix}", group.id));
            }
            if !ids.insert(group.id.clone()) {
                findings.push(format!("{}: the id is used twice", group.id));
            }
            if group.cases.is_empty() {
                findings.push(format!("{}: no case", group.id));
            }
            for case in &group.cases {
                let id = group.case_id(case);
                if !ids.insert(id.clone()) {
                    findings.push(format!("{id}: the id is used twice"));
                }
                if withdrawn.has(&id) {
                    findings.push(format!("{id}: the id was withdrawn"));
                }
                findings.extend(
                    lint_case(group, case, clauses)
                        .into_iter()
                        .map(|what| format!("{id}: {what}")),
                );
            }
        }
    }
    findings
}

fn lint_case(group: &Group, case: &Case, clauses: &BTreeMap<String, Level>) -> Vec<String> {
    let mut findings = Vec::new();
    for id in [&group.id, &case.id] {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/_-.".contains(c);
        if id.is_empty() || !id.chars().all(plain) {
            findings.push(format!(
                "the id {id:?} may contain only the characters a-z 0-9 _ - . /"
            ));
        }
    }
    if case.id.contains('/') {
        findings.push("a case id must not contain a slash".into());
    }
    for key in case
        .request
        .keys()
        .filter(|key| group.request.contains_key(*key))
    {
        findings.push(format!(
            "{key} is in both the group's request and the case's"
        ));
    }
    let mut cited = BTreeSet::new();
    for clause in group.case_clauses(case) {
        match clauses.get(clause) {
            None => findings.push(format!("the clause {clause} is not in the specification")),
            Some(level) if group.level == Level::Must && *level != Level::Must => {
                findings.push(format!(
                    "the level is must, but the clause {clause} is not at level must"
                ));
            }
            Some(_) => {}
        }
        if !cited.insert(clause) {
            findings.push(format!("the clause {clause} is cited twice"));
        }
    }
    if cited.is_empty() {
        findings.push("no clause".into());
    }
    let request = group.case_request(case);
    if !request.get("op").is_some_and(Value::is_string) {
        findings.push("no op".into());
    }
    if let Some(input) = request.get("input")
        && is_generated(input)
        && let Err(error) = input_from_json(input)
    {
        findings.push(format!("input: {error}"));
    }
    if case.per_element && !matches!(case.expect, Expect::Reject(_)) {
        findings.push("each requires reject".into());
    }
    // The values of data sets are binary64 numbers in decimals.
    let of_data_sets = request
        .get("op")
        .and_then(Value::as_str)
        .is_some_and(|op| op.starts_with("sds."));
    if !of_data_sets {
        lint_numbers(&Value::Object(request), &mut findings);
    }
    lint_expect(&case.expect, of_data_sets, false, &mut findings);
    findings
}

fn lint_expect(expect: &Expect, of_data_sets: bool, nested: bool, findings: &mut Vec<String>) {
    match expect {
        Expect::Ok(_) if of_data_sets => {}
        Expect::Ok(members) => {
            lint_numbers(&Value::Object(members.clone()), findings);
            if let Some(Value::Object(output)) = members.get("output") {
                lint_output(output, findings);
            }
            lint_bytes(members, findings);
        }
        Expect::Reject(reject) => {
            if !Reason::ALL
                .iter()
                .any(|reason| reason.name() == reject.reason)
            {
                findings.push(format!(
                    "the reason {} is not in reasons.json",
                    reject.reason
                ));
            }
        }
        Expect::OneOf(_) | Expect::Open(_) if nested => {
            findings.push("one_of may contain only ok, reject and within".into());
        }
        Expect::OneOf(alternatives) => {
            if alternatives.len() < 2 {
                findings.push("one_of needs at least two alternatives".into());
            }
            for alternative in alternatives {
                lint_expect(alternative, of_data_sets, true, findings);
            }
        }
        Expect::Open(ruling) => {
            if ruling.is_empty() {
                findings.push("open must name a ruling".into());
            }
        }
        Expect::Within(within) => lint_within(within, of_data_sets, findings),
    }
}

/// Checks an output with its bound, or members with the bounds of some of them. The path of each bound must exist.
fn lint_within(within: &Within, of_data_sets: bool, findings: &mut Vec<String>) {
    let of_output = !within.output.is_empty();
    if of_output != within.bounds.is_empty() || of_output != within.ok.is_empty() {
        findings.push("within needs either output and bound, or ok and bounds".into());
    }
    if of_output {
        lint_output(&within.output, findings);
    } else if within.nan_bits || !within.bound.is_empty() {
        findings.push("bound and nan_bits require output".into());
    }
    if !of_data_sets {
        lint_numbers(&Value::Object(within.ok.clone()), findings);
    }
    let of_output = of_output.then_some(&within.bound);
    for bound in of_output.into_iter().chain(within.bounds.values()) {
        if !is_bound(bound) {
            findings.push(format!("the bound {bound:?} is not a decimal number"));
        }
    }
    for path in within.bounds.keys() {
        if !leads_somewhere(&within.ok, path) {
            findings.push(format!(
                "the bound of {path:?} belongs to no expected value"
            ));
        }
    }
}

/// Returns whether a text is a decimal number without a sign, in JSON's notation.
fn is_bound(text: &str) -> bool {
    let number = serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_number());
    number && text.starts_with(|c: char| c.is_ascii_digit()) && !text.ends_with(char::is_whitespace)
}

/// Returns whether a path exists; a path joins keys by dots and has indices in brackets.
fn leads_somewhere(members: &Map<String, Value>, path: &str) -> bool {
    let mut here = members;
    let mut rest = path;
    loop {
        // A key may itself contain dots.
        let leads = |key: &&String| {
            let behind = rest.strip_prefix(key.as_str());
            behind.is_some_and(|behind| behind.is_empty() || behind.starts_with(['.', '[']))
        };
        let Some(key) = here.keys().filter(leads).max_by_key(|key| key.len()) else {
            return false;
        };
        let mut value = &here[key];
        rest = &rest[key.len()..];
        while let Some((index, behind)) = rest.strip_prefix('[').and_then(|it| it.split_once(']')) {
            let Some(element) = index
                .parse::<usize>()
                .ok()
                .and_then(|index| value.get(index))
            else {
                return false;
            };
            (value, rest) = (element, behind);
        }
        let Some(below) = rest.strip_prefix('.') else {
            return rest.is_empty();
        };
        let Value::Object(members) = value else {
            return false;
        };
        (here, rest) = (members, below);
    }
}

/// Checks an expected array: the size of its data and of its mask, or the number of its checksums.
fn lint_output(output: &Map<String, Value>, findings: &mut Vec<String>) {
    let whole = Value::Object(output.clone());
    if text_type_of(&whole).is_some() {
        let rank = output.get("shape").and_then(Value::as_array);
        let origin = vec![0; rank.map_or(0, Vec::len)];
        if let Err(error) = texts_from_json(&whole, &origin) {
            findings.push(format!("the output: {error}"));
        }
        return;
    }
    let text = |key: &str| output.get(key).and_then(Value::as_str);
    let Some(data_type) = text("data_type").and_then(|name| name.parse::<DataType>().ok()) else {
        findings.push("the output's data_type is unknown".into());
        return;
    };
    let shape = output.get("shape").and_then(Value::as_array);
    let shape = shape.and_then(|shape| shape.iter().map(Value::as_u64).collect::<Option<Vec<_>>>());
    let Some(bytes) = shape.and_then(|shape| Array::bytes_of(data_type, &shape).ok()) else {
        findings.push("the output's shape is wrong".into());
        return;
    };
    let hex_bytes = |key: &str| text(key).and_then(|text| hex::decode(text).ok());
    match (
        hex_bytes("data"),
        output.get("crc32").and_then(Value::as_array),
    ) {
        (Some(data), None) if data.len() as u64 == bytes => {}
        (None, Some(sums)) if !output.contains_key("data") => {
            let elements = bytes / data_type.element_bytes() as u64;
            if sums.len() as u64 != elements.div_ceil(4096) {
                findings.push("the output has the wrong number of checksums".into());
            }
        }
        _ => findings.push("the output's data does not fit its shape".into()),
    }
    if output.contains_key("mask")
        && hex_bytes("mask").is_none_or(|mask| mask.len() as u64 != bytes)
    {
        findings.push("the output's mask does not fit its shape".into());
    }
}

/// Checks expected bytes: they are hex, and a mask has the same length.
fn lint_bytes(members: &Map<String, Value>, findings: &mut Vec<String>) {
    let hex_bytes = |key: &str| {
        let text = members.get(key)?.as_str()?;
        hex::decode(text).ok()
    };
    if members.contains_key("bytes") && hex_bytes("bytes").is_none() {
        findings.push("the expected bytes are not hex".into());
    }
    if members.contains_key("mask")
        && hex_bytes("mask").map(|mask| mask.len()) != hex_bytes("bytes").map(|bytes| bytes.len())
    {
        findings.push("the mask does not fit the expected bytes".into());
    }
}

/// Checks that no float or integer occurs that some JSON parser would change.
fn lint_numbers(value: &Value, findings: &mut Vec<String>) {
    match value {
        Value::Number(number) => {
            let safe = number.as_u64().is_some_and(|n| n <= MAX_SAFE_INTEGER)
                || number
                    .as_i64()
                    .is_some_and(|n| n.unsigned_abs() <= MAX_SAFE_INTEGER);
            if !safe {
                findings.push(format!(
                    "the number {number} is not safe in every JSON parser"
                ));
            }
        }
        Value::Array(values) => values
            .iter()
            .for_each(|value| lint_numbers(value, findings)),
        Value::Object(members) => members
            .values()
            .for_each(|value| lint_numbers(value, findings)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use std::collections::BTreeMap;

    use super::{lint_case, lint_expect};
    use crate::file::{Expect, File, Level, Request};

    fn check(expect: Value, findings: &[&str]) {
        let read: Expect = serde_json::from_value(expect.clone()).expect("an expectation");
        let written = serde_json::to_value(&read).expect("JSON");
        assert_eq!(written, expect);
        let mut found = Vec::new();
        lint_expect(&read, false, false, &mut found);
        assert_eq!(found, findings, "{expect}");
    }

    /// A case at `must` cannot cite a ruling, even together with other clauses.
    #[test]
    fn the_level_of_a_case_is_not_above_that_of_its_clauses() {
        let clauses = BTreeMap::from([
            ("row.a".to_owned(), Level::Must),
            ("row.b".to_owned(), Level::Ruling),
        ]);
        let found = |level, cited: &[&str]| {
            let mut file = File::new("row", "topic", "text");
            let request = Request::from_iter([("op".to_owned(), json!("bytes.encode"))]);
            let group = file.group("group", level, cited, request);
            group.case("case", &[], Request::new(), Expect::ok(json!({})));
            lint_case(&file.groups[0], &file.groups[0].cases[0], &clauses)
        };
        let none: &[String] = &[];
        assert_eq!(found(Level::Must, &["row.a"]), none);
        assert_eq!(found(Level::Ruling, &["row.a", "row.b"]), none);
        assert_eq!(
            found(Level::Must, &["row.a", "row.b"]),
            ["the level is must, but the clause row.b is not at level must"]
        );
    }

    #[test]
    fn what_is_within_a_bound_has_one_of_two_forms() {
        let output = json!({"data_type": "int8", "shape": [1], "data": "01"});
        let ok = json!({"a": {"b.c": [[1, 2]]}, "d": 3});
        check(json!({"within": {"output": output, "bound": "0.5"}}), &[]);
        check(
            json!({"within": {"output": output, "bound": "1e-3", "nan_bits": true}}),
            &[],
        );
        check(
            json!({"within": {"ok": ok, "bounds": {"a.b.c[0][1]": "0.5", "d": "1", "a": "2"}}}),
            &[],
        );
        for bound in ["-1", "NaN", "1 ", ".5", "0x1"] {
            let words = format!("the bound {bound:?} is not a decimal number");
            check(
                json!({"within": {"output": output, "bound": bound}}),
                &[&words],
            );
        }
        for path in [
            "b",
            "a.b",
            "a.b.c[1]",
            "a.b.c[0][2]",
            "a.b.c[x]",
            "d.e",
            "d[0]",
            "a.b.c[0].x",
        ] {
            let words = format!("the bound of {path:?} belongs to no expected value");
            check(
                json!({"within": {"ok": ok, "bounds": {path: "1"}}}),
                &[&words],
            );
        }
        let forms = "within needs either output and bound, or ok and bounds";
        check(
            json!({"within": {"output": output, "bound": "1", "ok": ok}}),
            &[forms],
        );
        check(json!({"within": {"ok": ok}}), &[forms]);
        check(
            json!({"within": {"ok": ok, "bounds": {"d": "1"}, "nan_bits": true}}),
            &["bound and nan_bits require output"],
        );
        check(
            json!({"within": {"output": output}}),
            &["the bound \"\" is not a decimal number"],
        );
    }
}
