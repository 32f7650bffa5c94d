//! Judges implementations: the protocol, the runner, comparators, verdicts, expectations and
//! reports.
//!
//! An implementation under test either implements [`Codecs`] (in process: a [`Call`] in, a value out) or answers the
//! protocol as a child process. The runner sees only [`Implementation`]: a whole request in, an answer out.
#![forbid(unsafe_code)]

mod adapter_test;
mod asked;
mod by_text;
mod call;
pub mod changes;
pub mod checkout;
pub mod compare;
mod digest;
mod downsample;
pub mod expectations;
pub mod fairness;
pub mod findings;
mod hello;
pub mod history;
mod implementation;
mod in_process;
mod line;
mod machine;
mod names;
mod operations;
mod outline;
pub mod output;
pub mod pattern;
pub mod process;
mod protocol;
pub mod report;
mod request;
mod restrictions;
pub mod results;
pub mod rulings;
pub mod run;
mod sds;
mod serve;
pub mod text;
mod value;
mod verdict;

/// The kinds of documents.
pub use exactum_metadata::DocumentKind;
/// The types of the values that [`Codecs`] takes and returns.
pub use exactum_model as model;
/// The vectors that the runner judges against.
pub use exactum_vectors as vectors;

pub use adapter_test::{Tested, adapter_test};
pub use by_text::ByText;
pub use call::{Call, Codec, Document, Stored};
pub use downsample::DownsampleCall;
pub use hello::{Domain, Hello};
pub use implementation::{Failure, Implementation, Incident};
pub use in_process::{Codecs, InProcess, parse_fill_value, quietly};
pub use operations::{Answers, Form, Member, Nans, OPERATIONS, Operation, OutputType, Verb};
pub use protocol::{Answer, Fault, Outcome, PROTOCOL, Rejected, Success};
pub use request::Request;
pub use sds::{Converted, SdsCall, SdsCodec};
pub use serve::{MAX_LINE, serve};
pub use verdict::Verdict;
