//! Compares answers with the expected ones and finds the first difference.

mod array;
mod document;
mod resolution;
mod within;

use std::borrow::Cow;
use std::collections::BTreeMap;

use exactum_model::{Array, DataType, Scalar};
use exactum_vectors::{Expect, Within, array_from_json, array_from_members, hex};
use serde_json::{Map, Value, json};

use crate::operations::{Nans, Operation};
use crate::protocol::{Answer, Success};
use crate::request::Request;
use crate::value::{bits_text, text};
use crate::verdict::Verdict;
use array::{
    compare_checksums, compare_kind, compare_output, equal_under, read_array, read_mask,
    repeats_sign,
};
use document::Documents;
use resolution::compare_resolutions;
use within::{Allowance, compare_near, read_bound};

/// The first place where an answer differs from the expected one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// The path within an answer that has members, such as `output.variables.a.values[3]`.
    pub path: Option<String>,
    /// The index of the element in C order, or `None` if the whole answer differs.
    pub index: Option<usize>,
    /// The input at that place: bits and value.
    pub input: Option<Shown>,
    /// The expected part.
    pub expected: Shown,
    /// The part that was returned.
    pub got: Shown,
}

/// A value in a form for display: its bits, if it has any, and its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The bits as a number in hex, or an empty string.
    pub bits: String,
    /// A description of the value.
    pub value: String,
}

impl From<Scalar> for Shown {
    fn from(element: Scalar) -> Self {
        Self {
            bits: bits_text(&element),
            value: text(&element),
        }
    }
}

impl Shown {
    /// Returns a description without bits.
    pub(crate) fn words(value: impl Into<String>) -> Self {
        Self {
            bits: String::new(),
            value: value.into(),
        }
    }
}

impl Difference {
    /// Returns a difference between whole answers.
    pub(crate) fn whole(expected: impl Into<String>, got: impl Into<String>) -> Self {
        Self {
            expected: Shown::words(expected),
            got: Shown::words(got),
            ..Self::default()
        }
    }
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.bits.is_empty() {
            f.write_str(&self.value)
        } else {
            write!(f, "{} ({})", self.bits, self.value)
        }
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{path}: ")?;
        }
        if let Some(index) = self.index {
            write!(f, "element {index}: ")?;
        }
        if let Some(input) = &self.input {
            write!(f, "{input} became ")?;
        }
        write!(f, "{}, expected {}", self.got, self.expected)
    }
}

/// A verdict with the difference that explains it.
pub type Judgement = (Verdict, Option<Difference>);

/// Judges the answer to a request of operation `op`. `input` is the request's array, if it has one; it is used only in
/// the explanation.
///
/// # Errors
/// If the expectation itself cannot be read, which is a fault of the vectors.
pub fn judge(
    op: &str,
    input: Option<&Array>,
    expect: &Expect,
    answer: &Answer,
) -> Result<Judgement, String> {
    let asked = Asked {
        op,
        data_type: None,
        input: &|| input.map(Cow::Borrowed),
    };
    judge_answer(&asked, expect, answer)
}

/// Judges the answer to a request, as [`judge`] does.
pub(crate) fn judge_asked(
    request: &Request,
    expect: &Expect,
    answer: &Answer,
) -> Result<Judgement, String> {
    let asked = Asked {
        op: request.op(),
        data_type: request.text("data_type").and_then(|name| name.parse().ok()),
        input: &|| request.input(),
    };
    judge_answer(&asked, expect, answer)
}

/// Returns the request's array; called only if there is a difference to explain.
type Input<'a> = &'a dyn Fn() -> Option<Cow<'a, Array>>;

/// The parts of a request that the comparison needs.
struct Asked<'a> {
    op: &'a str,
    /// The member `data_type`, if it is known: the type of `bits`.
    data_type: Option<DataType>,
    input: Input<'a>,
}

fn judge_answer(asked: &Asked<'_>, expect: &Expect, answer: &Answer) -> Result<Judgement, String> {
    match answer {
        Answer::Unsupported(_) => return Ok(failed(Verdict::Skipped, expect, answer)),
        Answer::Error(_) => return Ok(failed(Verdict::Protocol, expect, answer)),
        Answer::Ok(_) | Answer::Reject(_) => {}
    }
    Ok(match (expect, answer) {
        (Expect::Open(_), _) => (Verdict::Observed, None),
        (Expect::OneOf(alternatives), _) => {
            let mut first = None;
            for alternative in alternatives {
                let judgement = judge_answer(asked, alternative, answer)?;
                if judgement.0 == Verdict::Pass {
                    return Ok(judgement);
                }
                first.get_or_insert(judgement);
            }
            first.ok_or("one_of is empty")?
        }
        (Expect::Reject(_), Answer::Reject(_)) => (Verdict::Pass, None),
        (Expect::Reject(_), answer) => failed(Verdict::Accepted, expect, answer),
        (Expect::Ok(_) | Expect::Within(_), Answer::Reject(_)) => {
            failed(Verdict::Rejected, expect, answer)
        }
        (Expect::Within(within), Answer::Ok(success)) => {
            from_difference(compare_within(asked, within, success)?)
        }
        (Expect::Ok(members), Answer::Ok(success)) => {
            from_difference(compare_success(asked, members, success)?)
        }
        (_, Answer::Unsupported(_) | Answer::Error(_)) => (Verdict::Protocol, None),
    })
}

fn from_difference(difference: Option<Difference>) -> Judgement {
    match difference {
        None => (Verdict::Pass, None),
        difference => (Verdict::WrongValue, difference),
    }
}

fn failed(verdict: Verdict, expect: &Expect, got: &Answer) -> Judgement {
    let difference = Difference::whole(show_expect(expect), show_answer(got));
    (verdict, Some(difference))
}

/// Describes an expectation.
#[must_use]
pub fn show_expect(expect: &Expect) -> String {
    match expect {
        Expect::Ok(members) => {
            let ok = Value::Object(members.clone());
            match members.get("output").map(array_from_json) {
                Some(Ok(array)) => show_array(&array),
                _ => abbreviate(&ok.to_string()),
            }
        }
        Expect::Reject(reject) => format!("a rejection ({})", reject.reason),
        Expect::OneOf(alternatives) => {
            let shown: Vec<String> = alternatives.iter().map(show_expect).collect();
            shown.join(", or ")
        }
        Expect::Open(ruling) => format!("anything (open: {ruling})"),
        Expect::Within(within) if within.output.is_empty() => {
            let ok = abbreviate(&Value::Object(within.ok.clone()).to_string());
            let bounds: Vec<String> = within
                .bounds
                .iter()
                .map(|(path, bound)| format!("{path} within {bound}"))
                .collect();
            format!("{ok}, {}", bounds.join(", "))
        }
        Expect::Within(within) => {
            let shown = match array_from_members(&within.output) {
                Ok(array) => show_array(&array),
                Err(_) => abbreviate(&Value::Object(within.output.clone()).to_string()),
            };
            format!("{shown}, each within {}", within.bound)
        }
    }
}

/// Describes an answer.
#[must_use]
pub fn show_answer(answer: &Answer) -> String {
    match answer {
        Answer::Ok(success) => show_success(success),
        Answer::Reject(rejected) => {
            format!("a rejection ({}): {}", rejected.reason, rejected.message)
        }
        Answer::Unsupported(message) => format!("unsupported: {message}"),
        Answer::Error(message) => format!("error: {message}"),
    }
}

fn show_success(success: &Success) -> String {
    match success {
        Success::Output(array) => show_array(array),
        success => abbreviate(&success.to_json().to_string()),
    }
}

/// Describes an array by its type, shape and first values.
#[must_use]
pub fn show_array(array: &Array) -> String {
    const SHOWN: usize = 8;
    let mut values: Vec<String> = (0..array.len().min(SHOWN))
        .map(|index| text(&array.element(index)))
        .collect();
    if array.len() > SHOWN {
        values.push("...".into());
    }
    format!(
        "{} {:?} [{}]",
        array.data_type(),
        array.shape(),
        values.join(", ")
    )
}

fn abbreviate(text: &str) -> String {
    const SHOWN: usize = 200;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn compare_success(
    asked: &Asked<'_>,
    members: &Map<String, Value>,
    success: &Success,
) -> Result<Option<Difference>, String> {
    let Asked { op, input, .. } = *asked;
    match success {
        Success::Output(got) => {
            let expected = members
                .get("output")
                .and_then(Value::as_object)
                .ok_or("the expectation has no output")?;
            if expected.contains_key("crc32") {
                compare_checksums(expected, got)
            } else {
                compare_output(input, expected, got, nans_of(op))
            }
        }
        Success::Document(got) => {
            Documents::new(input, nans_of(op), &BTreeMap::new())?.compare(members, got)
        }
        Success::Resolution(got) => match Success::from_json(op, members)? {
            Success::Resolution(expected) => Ok(compare_resolutions(&expected, got)),
            _ => Err("the expectation is not a resolution".into()),
        },
        Success::Bytes(got) if members.contains_key("mask") => {
            compare_masked_bytes(op, members, got)
        }
        got => {
            let expected = Success::from_json(op, members)?;
            let same = match (&expected, got, asked.data_type) {
                (Success::Bits(want), Success::Bits(have), Some(data_type)) => {
                    want == have || repeats_sign(data_type, want, have)
                }
                _ => expected == *got,
            };
            let shown = |success: &Success| abbreviate(&success.to_json().to_string());
            Ok((!same).then(|| Difference::whole(shown(&expected), shown(got))))
        }
    }
}

/// Returns how NaNs in the outputs of an operation are compared.
fn nans_of(op: &str) -> Nans {
    Operation::named(op).map_or(Nans::Bits, |operation| operation.nans)
}

/// Compares bytes under a mask; the bits outside it are free.
fn compare_masked_bytes(
    op: &str,
    members: &Map<String, Value>,
    got: &[u8],
) -> Result<Option<Difference>, String> {
    let Success::Bytes(expected) = Success::from_json(op, members)? else {
        return Err("the expectation has a mask but no bytes".into());
    };
    let mask = members.get("mask").unwrap_or(&Value::Null);
    let mask = read_mask(mask, expected.len())?;
    let same = expected.len() == got.len() && equal_under(&mask, &expected, got);
    let shown = |bytes: &[u8]| abbreviate(&json!({"bytes": hex::encode(bytes)}).to_string());
    let shown_mask = || abbreviate(&hex::encode(&mask));
    Ok((!same).then(|| {
        let expected = format!("{} under the mask {}", shown(&expected), shown_mask());
        Difference::whole(expected, shown(got))
    }))
}

/// Compares an output, or members of an answer, that may differ from the expectation by a bound.
fn compare_within(
    asked: &Asked<'_>,
    within: &Within,
    success: &Success,
) -> Result<Option<Difference>, String> {
    let Asked { op, input, .. } = *asked;
    if within.output.is_empty() {
        let documents = Documents::new(input, nans_of(op), &within.bounds)?;
        return match success.to_json() {
            Value::Object(got) => documents.compare(&within.ok, &got),
            _ => Err("an answer has members".into()),
        };
    }
    let bound = read_bound(&within.bound)?;
    let got = match success {
        Success::Output(got) => Cow::Borrowed(got),
        Success::Document(members) => match members.get("output").map(array_from_json) {
            Some(Ok(got)) => Cow::Owned(got),
            _ => {
                let got = show_success(success);
                return Ok(Some(Difference::whole("an output array", got)));
            }
        },
        _ => return Err("only an output can be within a bound".into()),
    };
    if let Some(difference) = compare_kind(&within.output, &got)? {
        return Ok(Some(difference));
    }
    let allowance = Allowance {
        bound: &bound,
        nan_bits: within.nan_bits,
    };
    let expected = read_array(&within.output)?;
    Ok(compare_near(input, &expected, &got, &allowance))
}
