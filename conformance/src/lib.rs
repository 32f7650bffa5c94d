//! Judges implementations: the protocol, the runner, comparators, verdicts, expectations and
//! reports.
//!
//! Who is judged implements [`Codecs`] (typed operations, in process) or answers the protocol as a
//! child process; the runner sees only [`Implementation`]: a whole request in, an answer out.
#![forbid(unsafe_code)]

mod adapter_test;
pub mod checkout;
pub mod compare;
mod digest;
pub mod expectations;
pub mod findings;
mod hello;
mod implementation;
mod in_process;
mod line;
mod machine;
mod names;
pub mod output;
pub mod pattern;
pub mod process;
mod protocol;
pub mod report;
pub mod results;
pub mod run;
mod serve;
pub mod text;
mod value;
mod verdict;

/// The nouns that [`Codecs`] speaks in.
pub use exactum_model as model;
/// The vectors that the runner judges by.
pub use exactum_vectors as vectors;

pub use adapter_test::{Tested, adapter_test};
pub use hello::{Domain, Hello};
pub use implementation::{Codecs, Failure, Fault, Implementation, Incident, Outcome};
pub use in_process::{InProcess, parse_fill_value, quietly, validate};
pub use protocol::{Answer, Operation, PROTOCOL, Refusal, Request, Success};
pub use serve::{MAX_LINE, serve};
pub use verdict::Verdict;
