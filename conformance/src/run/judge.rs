//! Judges one case: sends its request and judges the answer.

use exactum_model::{Array, Rejection};
use exactum_vectors::{Case, Group};

use crate::compare::{self, Difference};
use crate::digest;
use crate::hello::Hello;
use crate::implementation::{Failure, Implementation};
use crate::protocol::Answer;
use crate::request::Request;
use crate::verdict::Verdict;

/// A case with its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The full case id.
    pub case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The difference from the expected answer, or the reason why there was no answer.
    pub difference: Option<Difference>,
    /// The digest of a failing or observed answer, or an empty string.
    pub digest: String,
    /// The exception, if the answer was a rejection that was not deliberate.
    pub accident: Option<String>,
}

/// Judges a single case, including incidents that occur outside the implementation's answer.
///
/// # Errors
/// The same as for [`judge_case`].
pub fn judge_alone(
    implementation: &mut dyn Implementation,
    hello: &Hello,
    group: &Group,
    case: &Case,
) -> Result<Judged, String> {
    let mut judged = judge_case(implementation, hello, group, case)?;
    for incident in implementation.finish() {
        if incident.repeated && incident.case == judged.case {
            judged.fails(case, &incident.failure);
        }
    }
    Ok(judged)
}

/// Sends the request of a case, but never its expectation, and judges the answer.
///
/// # Errors
/// If the case is at fault: its request or expectation cannot be read.
pub fn judge_case(
    implementation: &mut dyn Implementation,
    hello: &Hello,
    group: &Group,
    case: &Case,
) -> Result<Judged, String> {
    let request =
        request_of(group, case).map_err(|what| format!("{}: {what}", group.case_id(case)))?;
    judge_request(implementation, hello, group, case, &request)
}

pub(super) fn judge_request(
    implementation: &mut dyn Implementation,
    hello: &Hello,
    group: &Group,
    case: &Case,
    request: &Request,
) -> Result<Judged, String> {
    let id = group.case_id(case);
    let fault = |what: String| format!("{id}: {what}");
    implementation.begin(&id);
    let mut accident = None;
    let mut ask = |request: &Request| {
        let answer = implementation.call(request);
        if let Ok(Answer::Reject(rejected)) = &answer
            && rejected.accident
        {
            let words = rejected.message.split(':').next();
            accident = words.map(|name| name.trim().to_owned());
        }
        answer
    };
    let (verdict, difference, digest) = if !hello.declares(request) {
        (Verdict::Unsupported, None, String::new())
    } else if request.is_generated() && request.call().is_err() && request.input().is_none() {
        return Err(fault("the input cannot be generated".into()));
    } else if case.per_element {
        judge_elements(&mut ask, case, request).map_err(fault)?
    } else {
        let answer = ask(request);
        judge_answer(request, case, answer).map_err(fault)?
    };
    Ok(Judged {
        case: id,
        verdict,
        difference,
        digest,
        accident,
    })
}

/// Sends every element of the input alone. The first failure is shown. The digest covers all failures, up to one that
/// ended the program.
fn judge_elements(
    ask: &mut dyn FnMut(&Request) -> Result<Answer, Failure>,
    case: &Case,
    request: &Request,
) -> Result<Verdicted, String> {
    // Parse the documents now, once for all elements.
    let _ = request.call();
    let input = request.input().ok_or("each needs an input")?;
    let mut shown = (Verdict::Pass, None);
    let mut digests = Vec::new();
    for index in 0..input.len() {
        let single = single_of(&input, index).map_err(|rejection| rejection.message)?;
        let alone = request.with_input(single);
        let answer = ask(&alone);
        let ended = answer.is_err();
        let (verdict, difference, digest) = judge_answer(&alone, case, answer)?;
        if verdict != Verdict::Pass {
            if shown.0 == Verdict::Pass || (!shown.0.is_failure() && verdict.is_failure()) {
                let difference = difference.map(|difference| Difference {
                    index: Some(index),
                    input: Some(input.element(index).into()),
                    ..difference
                });
                shown = (verdict, difference);
            }
            digests.push((index, digest));
        }
        if ended {
            break;
        }
    }
    let (verdict, difference) = shown;
    Ok((verdict, difference, digest::of_elements(&digests)))
}

/// Returns the request of a case: the union of the group's members and the case's own.
///
/// # Errors
/// If both have the same member, or if the input cannot be generated.
pub fn request_of(group: &Group, case: &Case) -> Result<Request, String> {
    if let Some(key) = case
        .request
        .keys()
        .find(|key| group.request.contains_key(*key))
    {
        return Err(format!(
            "{key} is in both the group's request and the case's"
        ));
    }
    Ok(Request::new(group.case_request(case)))
}

/// Returns one element of an array as an array.
pub(crate) fn single_of(input: &Array, index: usize) -> Result<Array, Rejection> {
    let bytes = input.element(index).to_bytes();
    Array::new(input.data_type(), vec![1], bytes)
}

/// A verdict, the difference behind it, and the digest by which the answer is recognised.
type Verdicted = (Verdict, Option<Difference>, String);

fn judge_answer(
    request: &Request,
    case: &Case,
    answer: Result<Answer, Failure>,
) -> Result<Verdicted, String> {
    Ok(match answer {
        Err(failure) => judge_failure(case, &failure),
        Ok(answer) => {
            let (verdict, difference) = compare::judge_asked(request, &case.expect, &answer)?;
            let digest = if verdict == Verdict::Pass {
                String::new()
            } else {
                digest::digest(request.op(), &answer)
            };
            (verdict, difference, digest)
        }
    })
}

/// Returns the verdict for a missing answer, with its description and digest.
fn judge_failure(case: &Case, failure: &Failure) -> Verdicted {
    let verdict = failure.verdict();
    let difference = Difference::whole(compare::show_expect(&case.expect), failure.words());
    (verdict, Some(difference), digest::of_failure(failure))
}

impl Judged {
    /// Gives the case the verdict of a failure.
    pub(super) fn fails(&mut self, case: &Case, failure: &Failure) {
        (self.verdict, self.difference, self.digest) = judge_failure(case, failure);
    }
}
