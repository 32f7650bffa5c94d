//! The smallest part of a failing case that still fails.

use exactum_conformance::run::judge_case;
use exactum_conformance::vectors::{Case, Group};
use exactum_conformance::{Hello, Implementation, Request};
use serde_json::Value;

use super::expect::{elements, expect_again};

/// Shrinks a failing case: to one element where one alone fails, then by the members of its
/// configuration that it fails without. The result fails as well, by the reference's word.
///
/// # Errors
/// If a request or the reference breaks down: a bug of Exactum.
pub fn shrink(
    implementation: &mut dyn Implementation,
    hello: &Hello,
    group: &Group,
    case: &Case,
) -> Result<Case, String> {
    let mut smallest = case.clone();
    loop {
        let mut smaller = None;
        for candidate in candidates(&smallest) {
            let Some(candidate) = expect_again(&smallest, candidate)? else {
                continue;
            };
            let judged = judge_case(implementation, hello, group, &candidate)?;
            if judged.verdict.is_failure() {
                smaller = Some(candidate);
                break;
            }
        }
        match smaller {
            Some(candidate) => smallest = candidate,
            None => return Ok(smallest),
        }
    }
}

/// Requests that are smaller by one step: one element alone, or one member of the configuration
/// less.
fn candidates(case: &Case) -> Vec<Request> {
    let mut candidates = Vec::new();
    let request = Request::new(case.request.clone());
    if let Some(input) = request.input()
        && input.len() > 1
        && input.shape().len() == 1
    {
        for index in 0..input.len() {
            let alone = elements(&input, &[index]);
            candidates.push(request.with_input(alone));
        }
    }
    let configuration = request
        .text("configuration")
        .and_then(|text| serde_json::from_str::<Value>(text).ok());
    if let Some(Value::Object(configuration)) = configuration {
        for key in configuration.keys().filter(|key| *key != "data_type") {
            let mut fewer = configuration.clone();
            fewer.shift_remove(key);
            let mut smaller = request.clone();
            let text = Value::Object(fewer).to_string();
            smaller
                .members_mut()
                .insert("configuration".into(), text.into());
            candidates.push(smaller);
        }
    }
    candidates
}
