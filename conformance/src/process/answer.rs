//! Parses the lines of a child as answers, and shortens them for display.

use serde_json::{Map, Value};

use crate::line::object;
use crate::protocol::{Answer, Success};
use crate::text::{brief, clean};

/// The number of bytes of a line that are shown.
const SHOWN: usize = 120;

/// The number of characters of stderr that are shown in a message.
const TAIL: usize = 400;

/// Reads the answer to the request with this id. Its messages are shortened and cleaned.
///
/// # Errors
/// If the line is not such an answer. The message explains why.
pub(crate) fn read(id: &str, op: &str, line: &[u8]) -> Result<Answer, String> {
    let members = object(line)?;
    check_id(id, &members)?;
    Answer::from_json(op, &members)
        .map(|answer| cleaned(op, answer))
        .map_err(|why| brief(&why))
}

/// Returns an answer whose messages are fit for a report.
fn cleaned(op: &str, mut answer: Answer) -> Answer {
    match &mut answer {
        Answer::Reject(rejected) => {
            rejected.reason = brief(&rejected.reason);
            rejected.message = brief(&rejected.message);
        }
        Answer::Unsupported(message) | Answer::Error(message) => *message = brief(message),
        Answer::Ok(Success::Document(members)) if op == "hello" => {
            for key in ["name", "version", "language"] {
                if let Some(Value::String(text)) = members.get_mut(key) {
                    *text = brief(text);
                }
            }
        }
        Answer::Ok(_) => {}
    }
    answer
}

fn check_id(expected: &str, members: &Map<String, Value>) -> Result<(), String> {
    match members.get("id") {
        None => Err("an answer without id".into()),
        Some(Value::String(id)) if id == expected => Ok(()),
        Some(Value::String(id)) => {
            let id = brief(id);
            Err(format!("the id is {id:?}, not {expected:?}"))
        }
        Some(id) => {
            let kind = match id {
                Value::Null => "null",
                Value::Bool(_) => "a boolean",
                Value::Number(_) => "a number",
                Value::Array(_) => "a list",
                _ => "an object",
            };
            Err(format!("the id is {kind}, not the string {expected:?}"))
        }
    }
}

/// Returns the beginning of a line, without anything that a terminal would obey.
pub(super) fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]);
    let mut text = clean(&text);
    if line.len() > SHOWN {
        text.push_str("...");
    }
    text
}

/// Returns the last lines of stderr, joined into one.
pub(super) fn tail(stderr: &str) -> String {
    let lines: Vec<String> = stderr
        .lines()
        .map(|line| clean(line.trim()))
        .filter(|line| !line.is_empty())
        .collect();
    let text = lines.join(" | ");
    match text.char_indices().rev().nth(TAIL) {
        Some((at, _)) => format!("...{}", &text[at..]),
        None => text,
    }
}
