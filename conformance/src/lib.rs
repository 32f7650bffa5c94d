//! Judges implementations: the protocol, the runner, comparators, verdicts, expectations and
//! reports.
//!
//! Who is judged implements [`Codecs`] (typed operations, in process) or answers the protocol as a
//! child process; the runner sees only [`Implementation`]: a whole request in, an answer out.
#![forbid(unsafe_code)]

pub mod hello;
pub mod implementation;
pub mod protocol;

pub use hello::{Domain, Hello};
pub use implementation::{Codecs, Failure, Fault, Implementation, Outcome};
pub use protocol::{Answer, Operation, Refusal, Request, Success};
