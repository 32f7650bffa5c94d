//! Implementations that run as separate programs, in any language. Requests and answers are JSON objects, one per line.
//!
//! A [`Program`] is what is judged; a [`Process`] is one worker's child process that runs it. The child has its own
//! process group and, on Linux, a token that all its descendants inherit, so that everything it started ends with it,
//! even in other groups and sessions. When something goes wrong, the group is killed, and the request in progress is
//! sent once more, alone, to a new child. If that fails too, the failure is the verdict. If it succeeds, the answer is
//! judged, and the fault becomes an [`Incident`] of the report. (A request that is known to take too long is not sent
//! again.) A fault may also show only after the answer, as an extra line or as the end of the process. The *previous*
//! request is then sent alone again, followed by `hello`, so that the fault cannot be attributed to the wrong case.
//!
//! A signal from the terminal (Ctrl-C) reaches the runner only. A command that is ended by a signal calls [`close`]
//! first. If it cannot, as after SIGKILL, the children end because their input ends; a child that hangs then stays.

mod answer;
mod child;
#[cfg(target_os = "linux")]
mod family;
mod group;
mod launch;
#[cfg(target_os = "linux")]
mod memory;
mod pipes;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::hello::Hello;
use crate::implementation::{Failure, Implementation, Incident};
use crate::protocol::{Answer, PROTOCOL, Success};
use crate::request::Request;

pub(crate) use answer::read as read_answer;
pub(crate) use child::Child;
pub use group::as_nobody;
pub use launch::{Launch, Limits};

/// Whether programs may no longer be started.
static CLOSING: AtomicBool = AtomicBool::new(false);

fn is_closing() -> bool {
    CLOSING.load(Ordering::SeqCst)
}

/// Ends all programs and everything that they have started, for a command that is about to end; no program can be
/// started afterwards. On Linux this ends everything that this process has started, so it is meant for commands that
/// start only the programs under test.
pub fn close() {
    CLOSING.store(true, Ordering::SeqCst);
    group::end_all();
}

/// A program under test: how it is started and which limits apply. Clones share the remaining restarts.
#[derive(Clone, Debug)]
pub struct Program {
    launch: Launch,
    limits: Limits,
    shared: Arc<Mutex<Shared>>,
}

/// The state that all children of a program share.
#[derive(Debug)]
struct Shared {
    restarts_left: u32,
    /// When it was first started.
    began: Option<Instant>,
    /// The number of requests so far, and the total time that their answers took.
    requests: u32,
    waited: Duration,
    /// Its introduction, which must be the same after every restart.
    hello: Option<Hello>,
    /// Why it is not started any more, if it was given up.
    given_up: Option<String>,
}

impl Program {
    /// Returns a program under the default limits.
    #[must_use]
    pub fn new(launch: Launch) -> Self {
        Self::with_limits(launch, Limits::default())
    }

    /// Returns a program under the given limits.
    #[must_use]
    pub fn with_limits(launch: Launch, limits: Limits) -> Self {
        let shared = Shared {
            restarts_left: limits.restarts,
            began: None,
            requests: 0,
            waited: Duration::ZERO,
            hello: None,
            given_up: None,
        };
        Self {
            launch,
            limits,
            shared: Arc::new(Mutex::new(shared)),
        }
    }

    /// Returns a child of the program for another worker. The child is started on first use.
    #[must_use]
    pub fn process(&self) -> Process {
        Process {
            program: self.clone(),
            running: None,
            requests: 0,
            case: String::new(),
            incidents: Vec::new(),
        }
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        // No code panics while it holds the lock.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Uses up one of the restarts, or gives the program up if none is left.
    fn take_restart(&self, case: &str) -> bool {
        let mut shared = self.shared();
        if let Some(left) = shared.restarts_left.checked_sub(1) {
            shared.restarts_left = left;
            return shared.given_up.is_none();
        }
        let limit = self.limits.restarts;
        shared
            .given_up
            .get_or_insert_with(|| {
                let last = match case {
                    "" => "at its start".to_owned(),
                    case => format!("on {case}"),
                };
                format!(
                    "it failed more than {limit} times, the last time {last}; `--restarts N` allows more"
                )
            });
        false
    }

    /// Returns the time that is left of the run. If there is none, the program is given up with a message that states
    /// how long its answers took.
    fn time_left(&self) -> Duration {
        let mut shared = self.shared();
        let total = self.limits.total;
        let left = total.saturating_sub(shared.began.get_or_insert_with(Instant::now).elapsed());
        if left.is_zero() {
            let (requests, seconds) = (shared.requests, total.as_secs_f64());
            let each = shared.waited.as_secs_f64() / f64::from(requests.max(1));
            shared.given_up.get_or_insert(format!(
                "the time limit of {seconds:.0} s for the run has expired, after {requests} \
                 requests with {each:.2} s for each answer"
            ));
        }
        left
    }

    /// Records how long an answer took.
    fn answered(&self, took: Duration) {
        let mut shared = self.shared();
        shared.requests = shared.requests.saturating_add(1);
        shared.waited = shared.waited.saturating_add(took);
    }

    fn give_up(&self, why: &str) {
        self.shared().given_up.get_or_insert(why.to_owned());
    }
}

/// One child of a [`Program`].
pub struct Process {
    program: Program,
    running: Option<Running>,
    /// The number of requests so far, which is also the id of the next one.
    requests: u64,
    /// The case to which the current calls belong.
    case: String,
    incidents: Vec<Incident>,
}

struct Running {
    child: Child,
    /// The request that was answered last, with its case.
    last: Option<(String, Message)>,
}

/// A request as it is sent, except for its id.
#[derive(Clone)]
struct Message {
    op: String,
    members: Arc<str>,
}

impl Message {
    fn new(request: &Request) -> Self {
        Self {
            op: request.op().to_owned(),
            members: serde_json::to_string(&*request.sent())
                .expect("strings, numbers and lists of them are JSON")
                .into(),
        }
    }

    fn hello() -> Self {
        Self {
            op: "hello".into(),
            members: format!(r#"{{"op":"hello","protocol":{PROTOCOL}}}"#).into(),
        }
    }

    /// Returns the line with this id.
    fn line(&self, id: &str) -> Arc<[u8]> {
        let rest = &self.members[1..];
        let comma = if rest == "}" { "" } else { "," };
        format!("{{\"id\":\"{id}\"{comma}{rest}\n")
            .into_bytes()
            .into()
    }
}

impl Process {
    /// Returns the only child of a program under the default limits.
    #[must_use]
    pub fn new(launch: Launch) -> Self {
        Program::new(launch).process()
    }

    /// Returns the process id of the running child, if there is one.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.child.id())
    }

    /// Starts a child and asks for its introduction.
    fn start(&mut self) -> Result<(), Failure> {
        self.running = None;
        let child = Child::start(&self.program.launch, &self.program.limits)?;
        self.running = Some(Running { child, last: None });
        self.requests = 0;
        let hello = self.greet(self.program.limits.start)?;
        let known = self
            .program
            .shared()
            .hello
            .get_or_insert_with(|| hello.clone())
            == &hello;
        if known {
            return Ok(());
        }
        self.running = None;
        let words = "the answer to hello differs from that at the first start";
        Err(Failure::Protocol(words.into()))
    }

    /// Makes sure that a child is running. A failed start is retried once.
    fn ensure(&mut self) -> Result<(), Failure> {
        self.program.time_left();
        if let Some(why) = &self.program.shared().given_up {
            self.running = None;
            return Err(Failure::NotRun(why.clone()));
        }
        if self.running.is_some() {
            return Ok(());
        }
        let Err(first) = self.start() else {
            return Ok(());
        };
        let again = if self.program.take_restart(&self.case) {
            self.start().err()
        } else {
            Some(first.clone())
        };
        let Some(again) = again else {
            self.note(first);
            return Ok(());
        };
        let why = format!("it does not start: {}", again.words());
        self.program.give_up(&why);
        Err(Failure::NotRun(why))
    }

    /// Sends `hello` and reads the introduction.
    fn greet(&mut self, patience: Duration) -> Result<Hello, Failure> {
        let answer = self.exchange(&Message::hello(), patience)?;
        let words = match answer {
            Answer::Ok(Success::Document(members)) => match Hello::from_members(&members) {
                Ok(hello) => return Ok(hello),
                Err(why) => why,
            },
            Answer::Error(message) | Answer::Unsupported(message) => message,
            Answer::Reject(rejected) => rejected.message,
            Answer::Ok(_) => String::new(),
        };
        let failure = Failure::Protocol(format!("hello was not answered with ok: {words}"));
        Err(self.fail(failure))
    }

    /// Sends a request and reads its answer. After a failure, no child is running.
    fn exchange(&mut self, message: &Message, patience: Duration) -> Result<Answer, Failure> {
        let id = self.requests.to_string();
        self.requests += 1;
        let left = self.program.time_left();
        let Some(Running { child, .. }) = &mut self.running else {
            return Err(Failure::NotRun("no process is running".into()));
        };
        let begin = Instant::now();
        child.send(message.line(&id));
        let answer = child.receive(patience.min(left)).and_then(|line| {
            answer::read(&id, &message.op, &line)
                .map_err(|why| Failure::Protocol(format!("{why}: {}", answer::shown(&line))))
        });
        self.program.answered(begin.elapsed());
        answer.map_err(|failure| {
            let failure = self.fail(failure);
            // The request that was interrupted by the end of the run is not at fault.
            match (
                &failure,
                self.program.time_left(),
                &self.program.shared().given_up,
            ) {
                (Failure::Timeout(_), Duration::ZERO, Some(why)) => Failure::NotRun(why.clone()),
                _ => failure,
            }
        })
    }

    /// Kills the child because of a failure, and adds the child's output on stderr to the failure.
    fn fail(&mut self, failure: Failure) -> Failure {
        let Some(mut running) = self.running.take() else {
            return failure;
        };
        running.child.kill();
        match answer::tail(&running.child.stderr()) {
            said if said.is_empty() => failure,
            said => failure.and(&format!("; stderr ends: {said}")),
        }
    }

    /// Sends a request that belongs to a case.
    fn ask(&mut self, case: &str, message: &Message) -> Result<Answer, Failure> {
        self.ensure()?;
        let patience = self.program.limits.patience(message.members.len());
        let answer = self.exchange(message, patience)?;
        if let Some(running) = &mut self.running {
            running.last = Some((case.to_owned(), message.clone()));
        }
        Ok(answer)
    }

    /// Sends a request alone to a new child, followed by `hello`. Any extra output after the answer then appears in
    /// place of the answer to `hello`.
    fn alone(&mut self, case: &str, message: &Message) -> Result<Answer, Failure> {
        self.running = None;
        let answer = self.ask(case, message)?;
        let patience = self.program.limits.case;
        self.greet(patience)
            .map_err(|failure| failure.and(" (after its answer)"))?;
        Ok(answer)
    }

    /// Investigates a fault that showed after the answer to the last request.
    fn suspect(&mut self, last: Option<(String, Message)>, failure: Failure) {
        let Some((case, message)) = last else {
            self.note(failure);
            return;
        };
        let again = self
            .program
            .take_restart(&case)
            .then(|| self.alone(&case, &message));
        let (failure, repeated) = match again {
            Some(Err(again)) if !matches!(again, Failure::NotRun(_)) => (again, true),
            _ => (failure, false),
        };
        self.incidents.push(Incident {
            case,
            failure,
            repeated,
        });
    }

    fn note(&mut self, failure: Failure) {
        self.incidents.push(Incident {
            case: self.case.clone(),
            failure,
            repeated: false,
        });
    }

    /// Checks for unrequested output since the last answer.
    fn settle(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        if let Err(failure) = running.child.quiet() {
            let last = running.last.take();
            let failure = self.fail(failure);
            self.suspect(last, failure);
        }
    }
}

impl Implementation for Process {
    fn hello(&mut self) -> Result<Hello, Failure> {
        self.ensure()?;
        let hello = self.program.shared().hello.clone();
        hello.ok_or_else(|| Failure::NotRun("it has not answered hello".into()))
    }

    fn call(&mut self, request: &Request) -> Result<Answer, Failure> {
        let message = Message::new(request);
        self.settle();
        let case = self.case.clone();
        let last = self
            .running
            .as_ref()
            .and_then(|running| running.last.clone());
        let first = match self.ask(&case, &message) {
            Err(failure) if !matches!(failure, Failure::NotRun(_)) => failure,
            answer => return answer,
        };
        if !self.program.take_restart(&self.case) {
            return Err(first);
        }
        if matches!(first, Failure::Timeout(_)) && self.program.limits.hangs.contains(&case) {
            return Err(first);
        }
        let again = self.alone(&case, &message);
        if let Err(Failure::NotRun(_)) = again {
            return Err(first);
        }
        // The output may have belonged to the previous request, whatever the result of sending this one alone.
        let mut blamed = false;
        if let Some((case, before)) = last {
            match self.alone(&case, &before) {
                Ok(_) | Err(Failure::NotRun(_)) => {}
                Err(failure) => {
                    blamed = true;
                    self.incidents.push(Incident {
                        case,
                        failure,
                        repeated: true,
                    });
                }
            }
        }
        match again {
            Ok(answer) => {
                if !blamed {
                    self.note(first);
                }
                Ok(answer)
            }
            Err(again) if again == first => Err(again.and(" (again when sent alone)")),
            Err(again) => {
                let before = format!(" (sent alone; before that: {})", first.words());
                Err(again.and(&before))
            }
        }
    }

    fn begin(&mut self, case: &str) {
        case.clone_into(&mut self.case);
    }

    fn finish(&mut self) -> Vec<Incident> {
        self.settle();
        if let Some(last) = self
            .running
            .as_mut()
            .and_then(|running| running.last.take())
        {
            let patience = self.program.limits.case;
            if let Err(failure) = self.greet(patience) {
                self.suspect(Some(last), failure);
            }
        }
        self.running = None;
        std::mem::take(&mut self.incidents)
    }
}
