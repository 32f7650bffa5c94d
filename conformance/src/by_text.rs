//! Implementations in this process that are asked in text and answer in text.

use std::sync::Arc;

use crate::hello::Hello;
use crate::implementation::{Failure, Implementation};
use crate::in_process::quietly;
use crate::process::read_answer;
use crate::protocol::{Answer, PROTOCOL, Success};
use crate::request::Request;

/// Makes an [`Implementation`] from a function that maps a line of the protocol to the answering line. Documents reach
/// it as they were written, so that its own parser is judged. A panic is a crash.
pub struct ByText<T: ?Sized> {
    answer: Arc<T>,
    requests: u64,
}

impl<T: Fn(&str) -> String + Send + Sync + ?Sized> ByText<T> {
    /// Wraps a function.
    pub fn new(answer: Arc<T>) -> Self {
        Self {
            answer,
            requests: 0,
        }
    }

    /// Sends a request without its `id`, a JSON object with at least one member.
    fn ask(&mut self, op: &str, members: &str) -> Result<Answer, Failure> {
        let id = self.requests.to_string();
        self.requests += 1;
        let line = format!("{{\"id\":\"{id}\",{}", &members[1..]);
        let answer = Arc::clone(&self.answer);
        let line = quietly(|| answer(&line))?;
        read_answer(&id, op, line.trim_end_matches('\n').as_bytes()).map_err(Failure::Protocol)
    }
}

impl<T: Fn(&str) -> String + Send + Sync + ?Sized> Implementation for ByText<T> {
    fn hello(&mut self) -> Result<Hello, Failure> {
        let members = format!(r#"{{"op":"hello","protocol":{PROTOCOL}}}"#);
        match self.ask("hello", &members)? {
            Answer::Ok(Success::Document(members)) => {
                Hello::from_members(&members).map_err(Failure::Protocol)
            }
            answer => Err(Failure::Protocol(format!(
                "hello was answered with {}",
                crate::compare::show_answer(&answer)
            ))),
        }
    }

    fn call(&mut self, request: &Request) -> Result<Answer, Failure> {
        let members = serde_json::to_string(&*request.sent())
            .map_err(|error| Failure::NotRun(error.to_string()))?;
        self.ask(request.op(), &members)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn answer(line: &str) -> String {
        let request: Value = serde_json::from_str(line).expect("JSON");
        let answer = match request["op"].as_str() {
            Some("hello") => json!({"ok": {
                "protocol": 1, "name": "text", "version": "1", "language": "rust",
                "operations": {"fill_value.format": {}},
            }}),
            Some("fill_value.format") => json!({"ok": {"json": request["bits"]}}),
            Some("fill_value.parse") => panic!("no reader"),
            _ => return "nothing".into(),
        };
        let mut answer = answer.as_object().cloned().expect("an object");
        answer.insert("id".into(), request["id"].clone());
        Value::Object(answer).to_string()
    }

    fn ask(members: Value) -> Result<Answer, Failure> {
        let mut text = ByText::new(Arc::new(answer));
        assert_eq!(text.hello().map(|hello| hello.name), Ok("text".into()));
        text.call(&Request::new(
            members.as_object().cloned().unwrap_or_default(),
        ))
    }

    #[test]
    fn a_line_goes_in_and_a_line_comes_out() {
        let format = json!({"op": "fill_value.format", "data_type": "int8", "bits": "07"});
        assert!(matches!(ask(format), Ok(Answer::Ok(_))));
        let parse = ask(json!({"op": "fill_value.parse"}));
        assert_eq!(parse, Err(Failure::Crash("no reader".into())));
        let other = ask(json!({"op": "bytes.encode"}));
        assert!(matches!(other, Err(Failure::Protocol(_))), "{other:?}");
    }
}
