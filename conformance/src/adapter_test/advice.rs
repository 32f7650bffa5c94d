//! Explains what is wrong with a line and how to fix it.

use std::fmt;

use serde_json::Value;

use super::WIDTH;
use crate::implementation::Failure;
use crate::process::read_answer;
use crate::protocol::Answer;
use crate::report::wrapped;

/// The number of characters that are shown of a request or an answer.
const SHOWN: usize = 160;

/// The number of lines of stderr that are shown.
const LINES: usize = 6;

/// A problem with an adapter, or with the library behind it.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    pub(super) what: String,
    /// Whether the library may be the cause, behind a correct adapter.
    pub(super) doubtful: bool,
    sent: Box<str>,
    got: Box<str>,
    stderr: Box<str>,
    /// Whether it contains a Python traceback.
    traceback: bool,
    help: String,
}

impl Problem {
    pub(super) fn new(what: &str) -> Self {
        Self {
            what: what.into(),
            ..Self::default()
        }
    }

    /// Describes a child that did not answer.
    pub(super) fn of(failure: &Failure) -> Self {
        let help = match failure {
            Failure::Timeout(words) if words.contains("not read") => {
                "Read whole lines of any length: a line may have up to 64 MiB. Some line readers \
                 have a limit that must be raised."
            }
            Failure::Timeout(_) => {
                "If it has written its answer, the answer is still in a buffer: end each answer \
                 with a line feed and flush standard output (in Python: print(..., flush=True))."
            }
            Failure::Crash(_) => {
                "Answer in a loop until standard input ends, and turn exceptions into reject or \
                 error instead of exiting."
            }
            _ => "",
        };
        Self::new(failure.words()).help(help)
    }

    pub(super) fn sent(mut self, sent: &str) -> Self {
        self.sent = shortened(sent).into();
        self
    }

    pub(super) fn got(mut self, got: &str) -> Self {
        self.got = shortened(got).into();
        self
    }

    /// Marks the problem as possibly the library's.
    pub(super) fn doubtful(mut self) -> Self {
        self.doubtful = true;
        self
    }

    /// Adds the last lines of stderr.
    pub(super) fn stderr(mut self, stderr: &str) -> Self {
        let lines: Vec<&str> = stderr
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty())
            .collect();
        self.traceback = lines.contains(&"Traceback (most recent call last):");
        self.stderr = lines[lines.len().saturating_sub(LINES)..]
            .join("\n         ")
            .into();
        self
    }

    pub(super) fn help(mut self, help: &str) -> Self {
        self.help = help.into();
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stderr = if self.traceback {
            "a Python traceback on stderr, which ends:\n         "
        } else {
            "stderr "
        };
        for (name, text) in [
            ("", self.what.as_str()),
            ("sent   ", &*self.sent),
            ("got    ", &*self.got),
            (stderr, &*self.stderr),
        ] {
            if !text.is_empty() {
                writeln!(f, "         {name}{text}")?;
            }
        }
        if self.help.is_empty() {
            return Ok(());
        }
        let help = wrapped(&self.help, WIDTH, "                ");
        writeln!(f, "         help   {}", help.trim_start())
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}

/// Reads the answer to a request, or explains why it is not one.
pub(super) fn explain(id: &str, op: &str, line: &[u8]) -> Result<Answer, Problem> {
    read_answer(id, op, line).map_err(|what| {
        Problem::new(&what)
            .got(&String::from_utf8_lossy(line))
            .help(&help(id, line))
    })
}

/// Returns advice on how to fix a line that is not an answer.
fn help(id: &str, line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return not_json(text).into();
    };
    let Some(members) = value.as_object() else {
        return "An answer is one JSON object on one line.".into();
    };
    match members.get("id") {
        Some(Value::String(given)) if given == id => {}
        Some(Value::String(_)) => {
            return "Answer each request once, in order, with its own id.".into();
        }
        None => return "Return the id of the request.".into(),
        Some(Value::Null) if members.contains_key("error") => {
            return "It did not recognize the request. The id null is only for a line that cannot \
                    be parsed; otherwise return the id of the request."
                .into();
        }
        Some(_) => return format!("Return the id unchanged, as the string \"{id}\"."),
    }
    if let Some(output) = members.get("ok").and_then(|ok| ok.get("output")) {
        return output_help(output).into();
    }
    match members.get("error").or_else(|| members.get("unsupported")) {
        Some(Value::String(_)) => {
            r#"Put the text into a member: {"error": {"message": "..."}}."#.into()
        }
        _ => r#"Besides id, an answer has exactly one of ok {...}, reject {"reason", "message"}, unsupported {"message"}, error {"message"}."#
            .into(),
    }
}

fn not_json(text: &str) -> &'static str {
    if text.starts_with("{'") {
        return "This is how Python prints a dict, not JSON: use print(json.dumps(answer)).";
    }
    if text.starts_with('{') && (text.contains("NaN") || text.contains("Infinity")) {
        return "JSON has no NaN and no Infinity: write elements as hex, and texts of fill values as strings.";
    }
    if text.starts_with('{') && text.contains("}{") {
        return "Write each answer on its own line.";
    }
    if text.starts_with('{') {
        return "Write the answer with a JSON library, without line feeds in it.";
    }
    "Standard output is for answers only; everything else goes to standard error."
}

fn output_help(output: &Value) -> &'static str {
    if !output.is_object() {
        return r#"output is an array: {"data_type": "int8", "shape": [2], "data": "01ff"}."#;
    }
    match output.get("data") {
        Some(Value::String(data)) if data.starts_with("0x") => {
            "data is hex without 0x, the bytes of all elements one after another."
        }
        Some(Value::Array(_)) => {
            "data is one string: the bytes of all elements in hex, not a list of numbers."
        }
        _ => {
            "data holds the bytes of all elements in hex (little-endian, in C order); each element \
             of a type below 8 bits takes one byte. data_type is the name in the registry."
        }
    }
}
