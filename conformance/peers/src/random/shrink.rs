//! The smallest part of a failing case that still fails.

use exactum_conformance::run::judge_case;
use exactum_conformance::vectors::{Case, Expect, Group};
use exactum_conformance::{Hello, Implementation, Request};
use serde_json::{Map, Value};

use super::expect::{elements, expect_again};

/// Above this number of elements, halves are tried, and not each element alone.
const FEW: usize = 64;

/// Shrinks a failing case: to half of its elements again and again, to one where one alone fails, then by the members of
/// its configuration that it fails without. Returns a group of this one case, which fails as well, by the reference's
/// word: the case itself where more than one answer is right, where bits are left open, or where nothing smaller fails.
///
/// # Errors
/// If a request or the reference breaks down: a bug of Exactum.
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

/// Whether one answer is right, in all its bits.
fn is_settled(expect: &Expect) -> bool {
    match expect {
        Expect::Ok(members) => members.values().all(|member| member.get("mask").is_none()),
        Expect::Reject(_) => true,
        _ => false,
    }
}

/// Requests that are smaller by one step: half of the elements, one element alone, or one member of the configuration less.
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
