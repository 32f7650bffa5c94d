//! The interface of implementations that can be judged.

use crate::hello::Hello;
use crate::protocol::Answer;
use crate::request::Request;
use crate::verdict::Verdict;

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The implementation died or panicked; the string describes how.
    Crash(String),
    /// The implementation took too long; the string describes how long.
    Timeout(String),
    /// The output is not an answer of the protocol; the string describes why.
    Protocol(String),
    /// The request was not sent, because the implementation does not start or has failed too often. The string states
    /// the reason.
    NotRun(String),
}

impl Failure {
    /// Returns the verdict for this failure.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self {
            Failure::Crash(_) => Verdict::Crash,
            Failure::Timeout(_) => Verdict::Timeout,
            Failure::Protocol(_) => Verdict::Protocol,
            Failure::NotRun(_) => Verdict::NotRun,
        }
    }

    /// Returns the description of the failure.
    #[must_use]
    pub fn words(&self) -> &str {
        let (Failure::Crash(words)
        | Failure::Timeout(words)
        | Failure::Protocol(words)
        | Failure::NotRun(words)) = self;
        words
    }

    /// Returns the same failure with a sentence added to its description.
    #[must_use]
    pub(crate) fn and(mut self, more: &str) -> Self {
        let (Failure::Crash(words)
        | Failure::Timeout(words)
        | Failure::Protocol(words)
        | Failure::NotRun(words)) = &mut self;
        words.push_str(more);
        self
    }
}

/// A fault that was not the answer to a call: it did not repeat, or it was noticed only later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// The case that it is attributed to.
    pub case: String,
    /// The failure.
    pub failure: Failure,
    /// Whether it happened again when the request was sent alone. If so, it is the verdict on the case.
    pub repeated: bool,
}

/// An implementation that the runner judges: it takes a whole request and returns an answer.
pub trait Implementation: Send {
    /// Returns the implementation's name and the operations that it offers.
    ///
    /// # Errors
    /// If it does not start.
    fn hello(&mut self) -> Result<Hello, Failure>;

    /// Answers one request.
    ///
    /// # Errors
    /// If there is no answer.
    fn call(&mut self, request: &Request) -> Result<Answer, Failure>;

    /// Announces the case to which the following calls belong.
    fn begin(&mut self, case: &str) {
        let _ = case;
    }

    /// Announces that no further calls follow, and returns the incidents that occurred outside the answers.
    fn finish(&mut self) -> Vec<Incident> {
        Vec::new()
    }
}
