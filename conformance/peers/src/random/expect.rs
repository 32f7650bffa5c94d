//! The expectation of a random request, which is the answer of the reference.

use std::sync::Arc;

use exactum_conformance::model::Array;
use exactum_conformance::vectors::{Case, Expect, ExpectedRejection, array_to_json};
use exactum_conformance::{Answer, Implementation, InProcess, Request, Success};
use serde_json::{Map, Value};

use super::choice::array;
use crate::ours::Reference;

/// Returns the reference's answer as an expectation, and the clause by which it rejects.
pub(super) fn answer(
    reference: &mut dyn Implementation,
    members: &Map<String, Value>,
) -> Result<(Expect, Option<String>), String> {
    let request = Request::new(members.clone());
    match reference.call(&request) {
        Ok(Answer::Ok(success)) => Ok((ok(&success), None)),
        Ok(Answer::Reject(rejected)) => {
            // A rejection by Exactum's implementations ends with its clause in parentheses.
            let clause = rejected
                .message
                .rsplit_once(" (")
                .and_then(|(_, clause)| clause.strip_suffix(')'))
                .ok_or_else(|| format!("a rejection without clause: {}", rejected.message))?
                .to_owned();
            let reject = ExpectedRejection {
                reason: rejected.reason,
            };
            Ok((Expect::Reject(reject), Some(clause)))
        }
        other => Err(format!(
            "the reference gave no answer to {}: {other:?}",
            Value::Object(members.clone())
        )),
    }
}

fn ok(success: &Success) -> Expect {
    Expect::ok(success.to_json())
}

/// Returns some elements of an array, in one dimension.
pub(super) fn elements(input: &Array, indices: &[usize]) -> Array {
    let scalars: Vec<_> = indices.iter().map(|&index| input.element(index)).collect();
    array(input.data_type(), &scalars)
}

pub(super) fn with_input(members: &Map<String, Value>, input: &Array) -> Map<String, Value> {
    let mut members = members.clone();
    members.insert("input".into(), array_to_json(input));
    members
}

/// Returns a case with another request and the reference's answer to it, or `None` if that answer says nothing about
/// the same elements.
pub(super) fn expect_again(case: &Case, request: Request) -> Result<Option<Case>, String> {
    let elements = request.input().map(|input| input.len());
    if case.per_element && elements != Some(1) {
        return Ok(None);
    }
    let mut reference = InProcess::new(Arc::new(Reference));
    // Use this request's own input, not that of the whole case, which is still among the members.
    let sent = request.sent().into_owned();
    let (expectation, _) = answer(&mut reference, &sent)?;
    let mut smaller = case.clone();
    smaller.per_element = false;
    smaller.request = sent;
    smaller.expect = expectation;
    Ok(Some(smaller))
}
