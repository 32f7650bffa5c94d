//! Communicates with an adapter line by line.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::advice::{Problem, explain};
use super::request_text;
use crate::hello::Hello;
use crate::implementation::Failure;
use crate::process::{Child, Launch, Limits};
use crate::protocol::{Answer, PROTOCOL, Success};
use crate::request::Request;

/// An adapter that is restarted after each fault.
pub(super) struct Dialogue<'a> {
    launch: &'a Launch,
    limits: &'a Limits,
    child: Option<Child>,
    requests: u64,
}

/// Returns the request `hello`.
pub(super) fn hello_request() -> Request {
    Request::new(Map::from_iter([
        ("op".to_owned(), "hello".into()),
        ("protocol".to_owned(), PROTOCOL.into()),
    ]))
}

impl<'a> Dialogue<'a> {
    pub(super) fn new(launch: &'a Launch, limits: &'a Limits) -> Self {
        Self {
            launch,
            limits,
            child: None,
            requests: 0,
        }
    }

    /// Starts the adapter without sending a request.
    pub(super) fn start(&mut self) -> Result<(), Failure> {
        self.child = None;
        self.requests = 0;
        self.child = Some(Child::start(self.launch, self.limits)?);
        Ok(())
    }

    /// Makes sure that an adapter is running that has answered `hello`.
    fn ensure(&mut self) -> Result<(), Problem> {
        if self.child.is_some() {
            return Ok(());
        }
        self.start()
            .map_err(|failure| Problem::new(failure.words()))?;
        self.hello().map(drop)
    }

    /// Asks the adapter for its introduction.
    pub(super) fn hello(&mut self) -> Result<Hello, Problem> {
        let request = hello_request();
        let id = self.send(&request);
        match self.receive(&id, "hello", &request_text(&request), self.limits.start)? {
            Answer::Ok(Success::Document(members)) => {
                Hello::from_members(&members).map_err(|why| {
                    let problem = Problem::new(&why).sent(&request_text(&request));
                    self.broken(
                        problem.help(
                            "conformance/adapters/README.md describes the answer to hello.",
                        ),
                    )
                })
            }
            answer => Err(self
                .wrong(&request, &answer, "hello was not answered with ok")
                .help("Answer hello with ok and its members: protocol, name, version, language and operations.")),
        }
    }

    /// Sends a request followed by `hello`. Any extra output after the answer then appears in place of the answer to
    /// `hello`.
    pub(super) fn ask(&mut self, request: &Request) -> Result<Answer, Problem> {
        self.ask_as(request, request.op())
    }

    /// Does the same as [`ask`](Self::ask), but reads the answer as one to another operation.
    pub(super) fn ask_as(&mut self, request: &Request, op: &str) -> Result<Answer, Problem> {
        self.ensure()?;
        let id = self.send(request);
        let sent = request_text(request);
        let patience = self.limits.patience(sent.len());
        let answer = self.receive(&id, op, &sent, patience)?;
        self.hello().map_err(|mut problem| {
            problem.what = format!("after its answer: {}", problem.what);
            problem.sent(&sent)
        })?;
        Ok(answer)
    }

    /// Sends requests without waiting, then reads the answers.
    pub(super) fn ask_ahead(&mut self, requests: &[&Request]) -> Result<Vec<Answer>, Problem> {
        self.ensure()?;
        let ids: Vec<String> = requests.iter().map(|request| self.send(request)).collect();
        requests
            .iter()
            .zip(ids)
            .map(|(request, id)| {
                self.receive(&id, request.op(), &request_text(request), self.limits.case)
            })
            .collect()
    }

    /// Sends a line that is not a request, and returns the line that comes back.
    pub(super) fn ask_raw(&mut self, line: &str) -> Result<Vec<u8>, Problem> {
        self.ensure()?;
        if let Some(child) = &self.child {
            child.send(format!("{line}\n").into_bytes().into());
        }
        self.line(line, self.limits.case)
    }

    /// Ends the adapter's input and waits for the adapter to exit.
    pub(super) fn end(&mut self) -> Result<(), Problem> {
        self.ensure()?;
        let Some(mut child) = self.child.take() else {
            return Ok(());
        };
        child.end().map_err(|failure| {
            Problem::new(failure.words()).stderr(&child.stderr()).help(
                "When standard input ends, the work is done: leave the loop and exit with code 0.",
            )
        })
    }

    /// Returns a problem with an answer that could be read, including the adapter's output on stderr.
    pub(super) fn wrong(&self, request: &Request, answer: &Answer, what: &str) -> Problem {
        let (kind, value) = answer.to_json();
        let problem = Problem::new(what)
            .sent(&request_text(request))
            .got(&json!({kind: value}).to_string());
        match &self.child {
            Some(child) => problem.stderr(&child.stderr()),
            None => problem,
        }
    }

    fn send(&mut self, request: &Request) -> String {
        let id = self.requests.to_string();
        self.requests += 1;
        // The id comes first, except in requests that contain an id to specify otherwise.
        let mut members = Map::from_iter([("id".to_owned(), Value::from(id.as_str()))]);
        if request.members().contains_key("id") {
            members.clear();
        }
        for (key, value) in request.sent().iter() {
            let value = if key == "id" {
                id.as_str().into()
            } else {
                value.clone()
            };
            members.insert(key.clone(), value);
        }
        let line: Arc<[u8]> = format!("{}\n", Value::Object(members)).into_bytes().into();
        if let Some(child) = &self.child {
            child.send(line);
        }
        id
    }

    fn receive(
        &mut self,
        id: &str,
        op: &str,
        sent: &str,
        patience: Duration,
    ) -> Result<Answer, Problem> {
        let line = self.line(sent, patience)?;
        explain(id, op, &line).map_err(|problem| self.broken(problem.sent(sent)))
    }

    fn line(&mut self, sent: &str, patience: Duration) -> Result<Vec<u8>, Problem> {
        let Some(child) = &mut self.child else {
            return Err(Problem::new("it is not running"));
        };
        child.receive(patience).map_err(|failure| {
            let problem = Problem::of(&failure).sent(sent);
            self.broken(problem)
        })
    }

    /// Kills the child because of a problem, which it returns.
    pub(super) fn broken(&mut self, problem: Problem) -> Problem {
        let Some(mut child) = self.child.take() else {
            return problem;
        };
        child.kill();
        problem.stderr(&child.stderr())
    }
}
