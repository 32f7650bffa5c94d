//! One case, shown in numbers and bits.

use exactum_conformance::report::{derivation, level_name};
use exactum_conformance::run::request_of;
use exactum_model::{Array, Scalar};
use exactum_vectors::{Case, Expect, Group, array_from_json, hex};
use serde_json::{Map, Value, json};

/// The number of elements that are shown.
const ELEMENTS: usize = 6;

/// The length in characters to which a value is truncated.
const LENGTH: usize = 1200;

/// Returns the request, the expected answer and, if it is known, the actual answer.
pub(crate) fn example(group: &Group, case: &Case, answer: Option<&str>) -> Value {
    let mut shown = json!({
        "case": group.case_id(case),
        "level": level_name(group.level),
        "clauses": group.case_clauses(case).collect::<Vec<_>>(),
        "note": case.note,
    });
    let request = match request_of(group, case) {
        Ok(request) => request,
        Err(words) => {
            shown["error"] = words.into();
            return shown;
        }
    };
    let input = request.input();
    let members: Map<String, Value> = request
        .members()
        .iter()
        .filter(|(key, _)| *key != "input" || input.is_none())
        .map(|(key, value)| (key.clone(), short(value)))
        .collect();
    shown["request"] = members.into();
    let expected = match &case.expect {
        Expect::Ok(members) => members
            .get("output")
            .and_then(|it| array_from_json(it).ok()),
        Expect::Within(within) => array_from_json(&json!(within.output)).ok(),
        _ => None,
    };
    let answers = answers(answer.unwrap_or_default());
    // The elements from the first wrong answer on are shown.
    let first = answers.first().map_or(0, |(place, _)| *place);
    let got = whole(&answers, expected.as_ref());
    let first = match (&got, &expected) {
        (Some(got), Some(expected)) if got.len() == expected.len() => (0..got.len())
            .find(|&index| got.element(index) != expected.element(index))
            .unwrap_or_default(),
        _ => first,
    };
    let from = if first < ELEMENTS { 0 } else { first };
    if let Some(input) = input.as_deref() {
        shown["input"] = elements(input, from);
    }
    shown["expected"] = match (&expected, &case.expect) {
        (Some(expected), _) => elements(expected, from),
        (None, Expect::Reject(reject)) => json!({ "reject": reject.reason }),
        (None, other) => json!({ "json": short(&json!(other)) }),
    };
    shown["wrong"] = first.into();
    let differs = answer.is_some().then_some(first);
    if let Some((place, steps)) = derivation(&request, differs) {
        let steps = steps.iter().map(|step| json!([step.title, step.facts]));
        shown["derivation"] = json!({ "element": place, "steps": steps.collect::<Vec<_>>() });
    }
    shown["each"] = case.per_element.into();
    if answer.is_some() {
        shown["got"] = match got {
            Some(got) => elements(&got, from),
            None => answers
                .iter()
                .filter(|(place, _)| (from..from + ELEMENTS).contains(place))
                .map(|(place, answer)| json!([place, one(answer)]))
                .collect(),
        };
    }
    shown
}

/// Returns a member of a request, shortened if it is very long.
fn short(value: &Value) -> Value {
    let text = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    match text.char_indices().nth(LENGTH) {
        None => text.into(),
        Some((end, _)) => format!("{} …", &text[..end]).into(),
    }
}

/// Returns the answers in a digest, each with the index of its element. A digest of a whole answer has index 0.
fn answers(digest: &str) -> Vec<(usize, &str)> {
    let split = |part| {
        let (place, answer): (&str, &str) = str::split_once(part, ':')?;
        Some((place.parse().ok()?, answer))
    };
    let parts: Option<Vec<(usize, &str)>> = digest.split(',').map(split).collect();
    parts.unwrap_or_else(|| vec![(0, digest)])
}

/// Returns the array that the digest of a whole answer represents, if the digest contains all of its bytes.
fn whole(answers: &[(usize, &str)], expected: Option<&Array>) -> Option<Array> {
    let [(0, digest)] = answers else { return None };
    let array = array(digest)?;
    expected
        .is_some_and(|expected| expected.len() == array.len())
        .then_some(array)
}

/// Parses an array such as `ok:uint8[1]:ff`.
fn array(digest: &str) -> Option<Array> {
    let (kind, data) = digest.strip_prefix("ok:")?.split_once(':')?;
    let (data_type, shape) = kind.strip_suffix(']')?.split_once('[')?;
    let shape: Option<Vec<u64>> = match shape {
        "" => Some(Vec::new()),
        shape => shape.split('x').map(|extent| extent.parse().ok()).collect(),
    };
    array_from_json(&json!({ "data_type": data_type, "shape": shape?, "data": data })).ok()
}

/// Returns the answer for one element: its value and bits, or its text.
fn one(digest: &str) -> Value {
    match array(digest) {
        Some(array) if array.len() == 1 => element(&array.element(0)),
        _ => match digest.strip_prefix("sha256:") {
            Some(hash) => json!([format!("an answer too long to keep, with hash {hash}"), ""]),
            None => json!([digest.replace(':', ": "), ""]),
        },
    }
}

fn elements(array: &Array, from: usize) -> Value {
    let until = array.len().min(from + ELEMENTS);
    let shown: Vec<Value> = (from..until)
        .map(|index| element(&array.element(index)))
        .collect();
    json!({
        "data_type": array.data_type().name(), "shape": array.shape(),
        "from": from, "count": array.len(), "elements": shown,
    })
}

/// Returns the value of an element and its bits.
fn element(scalar: &Scalar) -> Value {
    let mut bytes = scalar.to_bytes();
    bytes.reverse();
    let value = exactum_exact::canonical(scalar).replace('"', "");
    json!([value, format!("0x{}", hex::encode(bytes))])
}
