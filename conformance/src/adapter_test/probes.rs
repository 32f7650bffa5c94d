//! Checks whether an adapter speaks the protocol: what every adapter must do, regardless of what it offers.

use exactum_model::DataType;
use serde_json::{Map, Value};

use super::advice::Problem;
use super::dialogue::{Dialogue, hello_request};
use super::{Table, request_text};
use crate::hello::Hello;
use crate::operations::Operation;
use crate::protocol::{Answer, Success};
use crate::request::Request;

/// An operation that does not exist.
const UNKNOWN: &str = "exactum.unknown";

/// A line that is not a request.
const JUNK: &str = "this is not JSON";

/// The number of bytes in a long line.
const LONG: usize = 1 << 20;

/// Checks that the introduction can be used as it is.
pub(super) fn introduction(hello: &Hello) -> Result<(), Problem> {
    if hello.operations.is_empty() {
        return Err(Problem::new("operations is empty, so nothing would be tested").help(
            r#"List what the library supports: "operations": {"cast_value.encode": {"from": ["float32"], "to": ["int8"]}}."#,
        ));
    }
    for (operation, domain) in &hello.operations {
        if Operation::named(operation).is_none() {
            let what = format!("operations: unknown operation {operation:?}");
            return Err(Problem::new(&what)
                .help("The operations and their members are listed in vectors/README.md."));
        }
        for key in ["from", "to"] {
            for value in domain.get(key).into_iter().flatten() {
                let known = value
                    .as_str()
                    .is_some_and(|name| name.parse::<DataType>().is_ok());
                if !known {
                    let what = format!("{operation}: {key} has {value}, which is not a data type");
                    return Err(Problem::new(&what)
                        .help("Data types have the names of vectors/data_types.json."));
                }
            }
        }
    }
    Ok(())
}

/// Makes the checks.
pub(super) fn protocol(
    dialogue: &mut Dialogue<'_>,
    hello: &Hello,
    sample: &Request,
    table: &mut Table<'_>,
) {
    table.check(
        "gives the same answer to hello again",
        again(dialogue, hello),
    );
    table.check("answers an unknown operation", unknown(dialogue));
    table.check("answers a line that is not a request", junk(dialogue));
    table.check(
        "answers requests that are sent ahead, in order",
        ahead(dialogue, sample),
    );
    let plain = dialogue.ask(sample);
    table.check(
        "ignores unknown members and the order of members",
        same(dialogue, sample, &strange(sample, "?"), plain.as_ref().ok()),
    );
    table.check(
        "reads a line of 1 MiB",
        same(
            dialogue,
            sample,
            &strange(sample, &"?".repeat(LONG)),
            plain.as_ref().ok(),
        ),
    );
}

fn again(dialogue: &mut Dialogue<'_>, hello: &Hello) -> Result<(), Problem> {
    let request = hello_request();
    let answer = dialogue.ask(&request)?;
    if let Answer::Ok(Success::Document(members)) = &answer
        && Hello::from_members(members).as_ref() == Ok(hello)
    {
        return Ok(());
    }
    Err(dialogue.wrong(
        &request,
        &answer,
        "its answer to hello differs from the previous one",
    ))
}

fn unknown(dialogue: &mut Dialogue<'_>) -> Result<(), Problem> {
    let request = Request::new(Map::from_iter([("op".to_owned(), UNKNOWN.into())]));
    // Any `ok` can be read as an answer to `metadata.validate`; here any `ok` is wrong.
    let answer = dialogue.ask_as(&request, "metadata.validate")?;
    let what = match &answer {
        Answer::Error(_) | Answer::Unsupported(_) => return Ok(()),
        Answer::Ok(_) => "ok for an operation that does not exist",
        Answer::Reject(_) => "reject for an operation that does not exist",
    };
    Err(dialogue
        .wrong(&request, &answer, what)
        .help(r#"Answer unknown operations with unsupported {"message": "..."}."#))
}

fn junk(dialogue: &mut Dialogue<'_>) -> Result<(), Problem> {
    let help = r#"Parse the line inside the try block, and answer {"id": null, "error": {"message": "..."}}."#;
    let line = dialogue
        .ask_raw(JUNK)
        .map_err(|problem| problem.help(help))?;
    let answer: Value = serde_json::from_slice(&line).unwrap_or_default();
    let message = answer.get("error").and_then(|error| error.get("message"));
    if message.is_some_and(Value::is_string) {
        return dialogue.hello().map(drop);
    }
    let got = String::from_utf8_lossy(&line);
    let problem = Problem::new("a line that is not JSON was not answered with error")
        .sent(JUNK)
        .got(&got)
        .help(help);
    Err(dialogue.broken(problem))
}

fn ahead(dialogue: &mut Dialogue<'_>, sample: &Request) -> Result<(), Problem> {
    let hello = hello_request();
    dialogue.ask_ahead(&[sample, &hello, sample]).map(drop)
}

/// Checks that a request gets the same answer as another one.
fn same(
    dialogue: &mut Dialogue<'_>,
    sample: &Request,
    request: &Request,
    plain: Option<&Answer>,
) -> Result<(), Problem> {
    let Some(plain) = plain else {
        // In that case a simpler problem exists, which is reported elsewhere.
        return dialogue.ask(sample).map(drop);
    };
    let answer = dialogue.ask(request)?;
    if answer == *plain {
        return Ok(());
    }
    let what = format!(
        "the answer differs from that without the additional members ({})",
        plain.to_json().0
    );
    Err(dialogue
        .wrong(request, &answer, &what)
        .help("Look up members by name, and ignore unknown ones."))
}

/// Returns a request with an unknown member first, its own members in reverse order, and its id last.
fn strange(sample: &Request, filler: &str) -> Request {
    let mut members = Map::from_iter([(
        "unknown".to_owned(),
        Value::Array(vec![filler.into(), Value::Null]),
    )]);
    for (key, value) in sample.sent().iter().rev() {
        members.insert(key.clone(), value.clone());
    }
    members.insert("id".to_owned(), Value::Null);
    debug_assert!(request_text(sample).len() < LONG);
    Request::new(members)
}
