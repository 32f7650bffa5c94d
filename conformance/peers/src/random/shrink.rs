//! The smallest part of a failing case that still fails.

use exactum_conformance::run::judge_case;
use exactum_conformance::vectors::{Case, Expect, Group};
use exactum_conformance::{Hello, Implementation, Request};
use serde_json::{Map, Value};

use super::expect::{elements, expect_again};

/// Above this number of elements, only halves are tried, not individual elements.
const FEW: usize = 64;

/// Shrinks a failing case: repeatedly to half of its elements, to one element if that fails alone, and then by removing
/// members of its configuration. Returns a group with one case, which still fails according to the reference. Returns
/// the case itself if several answers are right, if bits are left open, or if nothing smaller fails.
///
/// # Errors
/// If a request or the reference breaks down, which is a bug of Exactum.
pub fn shrink(
    implementation: &mut dyn Implementation,
    hello: &Hello,
    group: &Group,
    case: &Case,
) -> Result<Group, String> {
    let mut smallest = Case {
        request: group.case_request(case),
        ..case.clone()
    };
    let group = &Group {
        request: Map::new(),
        cases: Vec::new(),
        ..group.clone()
    };
    let alone = |case| Group {
        cases: vec![case],
        ..group.clone()
    };
    if !is_settled(&case.expect) {
        return Ok(alone(smallest));
    }
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
            None => return Ok(alone(smallest)),
        }
    }
}

/// Returns whether exactly one answer is right, in all its bits.
fn is_settled(expect: &Expect) -> bool {
    match expect {
        Expect::Ok(members) => members.values().all(|member| member.get("mask").is_none()),
        Expect::Reject(_) => true,
        _ => false,
    }
}

/// Returns requests that are smaller by one step: half of the elements, one element alone, or one member of the
/// configuration less.
fn candidates(case: &Case) -> Vec<Request> {
    let mut candidates = Vec::new();
    let request = Request::new(case.request.clone());
    if let Some(input) = request.input()
        && input.len() > 1
        && input.shape().len() == 1
    {
        let all: Vec<usize> = (0..input.len()).collect();
        let size = if all.len() > FEW {
            all.len().div_ceil(2)
        } else {
            1
        };
        for part in all.chunks(size) {
            candidates.push(request.with_input(elements(&input, part)));
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
