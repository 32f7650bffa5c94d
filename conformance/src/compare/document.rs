//! Compares answers that are JSON, member by member, and reports the path to the first difference.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use exactum_exact::Exact;
use exactum_model::{FloatFormat, Format};
use exactum_vectors::{array_from_json, text_type_of, texts_from_json};
use serde_json::{Map, Number, Value};

use super::array::{compare_checksums, compare_kind, compare_output, read_array};
use super::within::{Allowance, compare_near, is_near, read_bound};
use super::{Difference, Input, Shown, abbreviate};
use crate::operations::Nans;

/// The rules by which two documents count as equal.
pub(super) struct Documents<'i, 'b> {
    input: Input<'i>,
    /// How NaNs in their arrays are compared.
    nans: Nans,
    /// The largest difference from the expected numbers, by path; a bound also applies to everything below its path.
    bounds: Vec<(&'b str, Exact)>,
}

impl<'i, 'b> Documents<'i, 'b> {
    /// Reads the bounds.
    pub(super) fn new(
        input: Input<'i>,
        nans: Nans,
        bounds: &'b BTreeMap<String, String>,
    ) -> Result<Self, String> {
        let bounds = bounds
            .iter()
            .map(|(path, bound)| Ok((path.as_str(), read_bound(bound)?)))
            .collect::<Result<_, String>>()?;
        Ok(Self {
            input,
            nans,
            bounds,
        })
    }

    /// Compares the expected members of an answer. Further members are free, as in all comparisons.
    pub(super) fn compare(
        &self,
        expected: &Map<String, Value>,
        got: &Map<String, Value>,
    ) -> Result<Option<Difference>, String> {
        for (key, want) in expected {
            let found = self.value(key, Some(want), got.get(key))?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Compares the values at a path.
    fn value(
        &self,
        path: &str,
        want: Option<&Value>,
        have: Option<&Value>,
    ) -> Result<Option<Difference>, String> {
        let same = match (want, have) {
            (Some(Value::Number(want)), Some(Value::Number(have))) => {
                let (want, have) = (exact(want), exact(have));
                match self.bound(path) {
                    Some(bound) => is_near(&want, &have, bound),
                    None => want.compare(&have) == Some(Ordering::Equal),
                }
            }
            (Some(Value::Array(want)), Some(Value::Array(have))) if is_set(path) => {
                self.is_within(path, want, have)? && self.is_within(path, have, want)?
            }
            (Some(Value::Array(want)), Some(Value::Array(have))) => {
                for index in 0..want.len().max(have.len()) {
                    let path = format!("{path}[{index}]");
                    let found = self.value(&path, want.get(index), have.get(index))?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                true
            }
            (Some(want), Some(have)) if is_texts(want) => {
                return texts(path, want, have);
            }
            (Some(Value::Object(want)), Some(have)) if is_array(want) => {
                return self.array(path, want, have);
            }
            (Some(Value::Object(want)), Some(Value::Object(have))) => {
                let further = have.keys().filter(|key| !want.contains_key(*key));
                for key in want.keys().chain(further) {
                    let path = format!("{path}.{key}");
                    let found = self.value(&path, want.get(key), have.get(key))?;
                    if found.is_some() {
                        return Ok(found);
                    }
                }
                true
            }
            (want, have) => want == have,
        };
        Ok((!same).then(|| different(path, want, have)))
    }

    /// Returns whether all of some values are among others.
    fn is_within(&self, path: &str, some: &[Value], others: &[Value]) -> Result<bool, String> {
        for value in some {
            let mut found = false;
            for other in others {
                found |= self.value(path, Some(value), Some(other))?.is_none();
            }
            if !found {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compares an array of the protocol.
    fn array(
        &self,
        path: &str,
        want: &Map<String, Value>,
        have: &Value,
    ) -> Result<Option<Difference>, String> {
        let Ok(got) = array_from_json(have) else {
            let want = Value::Object(want.clone());
            return Ok(Some(different(path, Some(&want), Some(have))));
        };
        let found = match self.bound(path) {
            Some(bound) => match compare_kind(want, &got)? {
                None => {
                    let allowance = Allowance {
                        bound,
                        nan_bits: self.nans == Nans::Bits,
                    };
                    compare_near(self.input, &read_array(want)?, &got, &allowance)
                }
                found => found,
            },
            None if want.contains_key("crc32") => compare_checksums(want, &got)?,
            None => compare_output(self.input, want, &got, self.nans)?,
        };
        Ok(found.map(|found| Difference {
            path: Some(path.into()),
            ..found
        }))
    }

    /// Returns the bound of the longest path that leads to this one.
    fn bound(&self, path: &str) -> Option<&Exact> {
        let leads = |start: &str| {
            let rest = path.strip_prefix(start);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let leading = self.bounds.iter().filter(|(start, _)| leads(start));
        let longest = leading.max_by_key(|(start, _)| start.len());
        longest.map(|(_, bound)| bound)
    }
}

/// Returns whether the list at this path is a set, in which order and repetition have no meaning.
fn is_set(path: &str) -> bool {
    path.rsplit('.').next() == Some("warnings")
}

/// Returns whether an expected object is an array of the protocol.
fn is_array(members: &Map<String, Value>) -> bool {
    ["data_type", "shape"]
        .iter()
        .all(|key| members.contains_key(*key))
        && (members.contains_key("data") || members.contains_key("crc32"))
}

/// Returns whether an expected value is an array of the protocol whose elements are not numbers.
fn is_texts(want: &Value) -> bool {
    let has = |key| want.get(key).is_some();
    has("shape") && (has("data") || has("values")) && text_type_of(want).is_some()
}

/// Compares arrays whose elements are not numbers. JSON values are compared by value, regardless of their spelling
/// (downsample.mode.json).
fn texts(path: &str, want: &Value, have: &Value) -> Result<Option<Difference>, String> {
    let read = |array: &Value| {
        let rank = array
            .get("shape")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        texts_from_json(array, &vec![0; rank])
    };
    let expected = read(want).map_err(|error| format!("the expected {path}: {error}"))?;
    let Ok(got) = read(have) else {
        return Ok(Some(different(path, Some(want), Some(have))));
    };
    if (expected.data_type(), expected.domain()) != (got.data_type(), got.domain()) {
        return Ok(Some(different(path, Some(want), Some(have))));
    }
    let pairs = expected.elements().iter().zip(got.elements());
    let first = pairs.enumerate().find(|(_, (want, have))| want != have);
    Ok(first.map(|(index, (want, have))| {
        let [want, have] = [want, have].map(|element| Value::from(element.to_string()));
        different(&format!("{path}.values[{index}]"), Some(&want), Some(&have))
    }))
}

fn exact(number: &Number) -> Exact {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(integer), ..) => Exact::integer(integer.into()),
        (_, Some(integer), _) => Exact::integer(integer.into()),
        (.., Some(float)) => {
            Exact::from_bits(&Format::Float(FloatFormat::FLOAT64), float.to_bits())
        }
        _ => Exact::Nan,
    }
}

fn different(path: &str, want: Option<&Value>, have: Option<&Value>) -> Difference {
    let shown = |value: Option<&Value>| match value {
        Some(value) => Shown::words(abbreviate(&value.to_string())),
        None => Shown::words("nothing"),
    };
    Difference {
        path: Some(path.into()),
        expected: shown(want),
        got: shown(have),
        ..Difference::default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::Documents;
    use crate::operations::Nans;

    /// Returns the description of the difference under bounds, or an empty string if the documents are equal.
    fn difference(want: &Value, have: &Value, bounds: &[(&str, &str)]) -> String {
        let bounds: BTreeMap<String, String> = bounds
            .iter()
            .map(|&(path, bound)| (path.into(), bound.into()))
            .collect();
        let documents = Documents::new(&|| None, Nans::Alike, &bounds).expect("bounds");
        let (Value::Object(want), Value::Object(have)) = (want, have) else {
            panic!("documents are objects");
        };
        let found = documents.compare(want, have).expect("an expectation");
        found.map(|found| found.to_string()).unwrap_or_default()
    }

    fn check(want: Value, have: Value, words: &str) {
        assert_eq!(difference(&want, &have, &[]), words, "{want} {have}");
    }

    #[test]
    fn values_are_compared_as_json() {
        check(json!({}), json!({}), "");
        check(json!({"a": 1}), json!({"a": 1.0}), "");
        check(json!({"a": 1}), json!({"a": 1, "b": 2}), "");
        check(json!({"a": 1}), json!({}), "a: nothing, expected 1");
        check(json!({"a": 1}), json!({"a": "1"}), "a: \"1\", expected 1");
        check(
            json!({"a": "1.0"}),
            json!({"a": "1"}),
            "a: \"1\", expected \"1.0\"",
        );
        check(json!({"a": null}), json!({}), "a: nothing, expected null");
        check(json!({"a": true}), json!({"a": true}), "");
        // Two integers that have the same binary64.
        let (low, high) = (9_007_199_254_740_992_u64, 9_007_199_254_740_993_u64);
        check(
            json!({"a": low}),
            json!({"a": high}),
            "a: 9007199254740993, expected 9007199254740992",
        );
        check(
            json!({"a": u64::MAX}),
            json!({"a": -1}),
            "a: -1, expected 18446744073709551615",
        );
    }

    #[test]
    fn the_path_leads_to_the_first_difference() {
        let variables =
            |value: Value| json!({"output": {"variables": {"a": {"values": [0, 1, 2, value]}}}});
        check(variables(json!(3)), variables(json!(3)), "");
        check(
            variables(json!(3)),
            variables(json!("NaN")),
            "output.variables.a.values[3]: \"NaN\", expected 3",
        );
        check(
            json!({"a": {"b": [1]}}),
            json!({"a": {"b": [1, 2]}}),
            "a.b[1]: 2, expected nothing",
        );
        check(
            json!({"a": {"b": 1}}),
            json!({"a": {"b": 1, "c": 2}}),
            "a.c: 2, expected nothing",
        );
    }

    #[test]
    fn warnings_are_a_set() {
        let warnings = |list: Value| json!({"warnings": list});
        let (one, two) = (json!(["a", "b"]), json!(["b", "a", "a"]));
        check(warnings(one.clone()), warnings(two), "");
        for other in [json!(["a"]), json!(["a", "b", "c"])] {
            let words = format!("warnings: {other}, expected {one}");
            check(warnings(one.clone()), warnings(other), &words);
        }
        check(
            json!({"others": ["a", "b"]}),
            json!({"others": ["b", "a"]}),
            "others[0]: \"b\", expected \"a\"",
        );
    }

    fn array(data: &str) -> Value {
        json!({"data_type": "float32", "shape": [2], "data": data})
    }

    #[test]
    fn arrays_in_an_answer_are_compared_as_arrays() {
        let named =
            |data: &str| json!({"arrays": {"a": array("0000803f0000803f"), "b": array(data)}});
        check(named("0000803f0000c07f"), named("0000803f0000c07f"), "");
        check(named("0000803f0000c07f"), named("0000803F0100C0FF"), "");
        check(
            named("0000803f00000040"),
            named("0000803f00004040"),
            "arrays.b: element 1: 0x40400000 (3.0), expected 0x40000000 (2.0)",
        );
        check(
            json!({"a": array("0000803f0000803f")}),
            json!({"a": 1}),
            "a: 1, expected {\"data_type\":\"float32\",\"shape\":[2],\"data\":\"0000803f0000803f\"}",
        );
        check(
            json!({"a": {"data_type": "uint8", "shape": [2], "crc32": ["b6cc4292"]}}),
            json!({"a": {"data_type": "uint8", "shape": [2], "data": "0001"}}),
            "a: element 0: CRC-32 36de2269, expected 4096 elements with CRC-32 b6cc4292",
        );
    }

    #[test]
    fn texts_are_compared_by_what_they_say() {
        let of = |data_type: &str, values: [&str; 2]| json!({"output": {"data_type": data_type, "shape": [2], "values": values}});
        check(of("string", ["a", "b"]), of("string", ["a", "b"]), "");
        check(
            of("string", ["a", "1"]),
            of("string", ["a", "1.0"]),
            "output.values[1]: \"1.0\", expected \"1\"",
        );
        check(of("json", ["1", "{}"]), of("json", ["1.0", "{ }"]), "");
        check(
            of("json", ["-1", "{}"]),
            of("json", ["18446744073709551615", "{}"]),
            "output.values[0]: \"18446744073709551615\", expected \"-1\"",
        );
        let [ustring, string] = ["ustring", "string"].map(|data_type| of(data_type, ["a", "b"]));
        assert!(!difference(&ustring, &string, &[]).is_empty());
        let bytes =
            |data: &str| json!({"output": {"data_type": "byte", "shape": [2], "data": data}});
        check(bytes("0aff"), bytes("0AFF"), "");
        check(
            bytes("0aff"),
            bytes("0a0f"),
            "output.values[1]: \"0x0f\", expected \"0xff\"",
        );
    }

    #[test]
    fn a_bound_is_of_what_its_path_leads_to() {
        let of = |a: f64, b: f64| json!({"a": {"values": [a, "NaN"]}, "ab": b});
        let bounded =
            |have: &Value, bounds: &[(&str, &str)]| difference(&of(1.0, 2.0), have, bounds);
        assert_eq!(bounded(&of(1.25, 2.0), &[("a", "0.25")]), "");
        assert_eq!(bounded(&of(1.25, 2.0), &[("a.values[0]", "0.25")]), "");
        assert_eq!(
            bounded(&of(1.25, 2.0), &[("a", "9"), ("a.values", "0.125")]),
            "a.values[0]: 1.25, expected 1.0"
        );
        assert_eq!(
            bounded(&of(1.0, 2.25), &[("a", "0.25")]),
            "ab: 2.25, expected 2.0"
        );
        let arrays = |data: &str| json!({"output": array(data)});
        let (want, have) = (arrays("0000803f00000040"), arrays("0000803f00004040"));
        assert_eq!(difference(&want, &have, &[("output", "1")]), "");
        assert_eq!(
            difference(&want, &have, &[("output", "0.5")]),
            "output: element 1: 0x40400000 (3.0), expected 0x40000000 (2.0)"
        );
    }
}
