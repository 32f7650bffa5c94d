//! The interface of implementations that can be judged.

use crate::hello::Hello;
use crate::protocol::Answer;
use crate::request::Request;
use crate::verdict::Verdict;

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The implementation died or panicked, in words.
    Crash(String),
    /// The implementation took too long, in words.
    Timeout(String),
    /// What came back is not an answer of the protocol, in words.
    Protocol(String),
    /// The request was not sent, in words: the implementation does not come up, or has failed too
    /// often.
    NotRun(String),
}

impl Failure {
    /// The verdict that it is.
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

    /// The same failure with words added.
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

/// A fault that was not the answer to a call: it did not repeat, or it showed only afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// The case that it is put down to.
    pub case: String,
    /// The failure.
    pub failure: Failure,
    /// Whether it happened again when the request was sent alone: then it is the case's verdict.
    pub repeated: bool,
}

/// An implementation that the runner judges: it takes a whole request and returns an answer.
pub trait Implementation: Send {
    /// Who this is and what it offers.
    ///
    /// # Errors
    /// If it does not come up.
    fn hello(&mut self) -> Result<Hello, Failure>;

    /// Answers one request.
    ///
    /// # Errors
    /// If there is no answer.
    fn call(&mut self, request: &Request) -> Result<Answer, Failure>;

    /// Tells which case the calls that follow belong to.
    fn begin(&mut self, case: &str) {
        let _ = case;
    }

    /// Tells that no call follows, and takes what happened beside the answers.
    fn finish(&mut self) -> Vec<Incident> {
        Vec::new()
    }
}
