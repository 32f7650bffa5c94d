#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod carried;
mod failure;
mod judge;

pub use exactum_conformance as conformance;
pub use exactum_conformance::model;
pub use exactum_conformance::{Call, Codec, Codecs, Fault, Hello, Outcome, Stored, Success};

pub use judge::Judge;

/// Generates the `main` of a test without a harness: every group of the vectors that an implementation must answer
/// becomes a test.
///
/// The first argument is a value whose type implements [`Codecs`]. The optional second argument is the path of its
/// known faults, relative to the package's folder (see [`Judge::expectations`]).
///
/// ```
/// use exactum_suite::{Call, Codecs, Hello, Outcome};
///
/// struct Nothing;
///
/// impl Codecs for Nothing {
///     fn hello(&self) -> Hello {
///         Hello::new("nothing", "0.1.0", "rust")
///     }
///
///     fn call(&self, call: &Call) -> Outcome {
///         call.not_offered()
///     }
/// }
///
/// mod tests {
///     exactum_suite::suite!(super::Nothing, "tests/expectations.toml");
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! suite {
    ($implementation:expr $(, $expectations:expr)? $(,)?) => {
        /// Runs the suite.
        pub fn main() -> ::std::process::ExitCode {
            $crate::Judge::codecs($implementation)$(.expectations($expectations))?.main()
        }
    };
}

/// Like [`suite!`], but for a function from the text of a request to the text of its answer, each one line of the
/// protocol, so that the parsing of documents is judged, too.
///
/// ```
/// fn answer(request: &str) -> String {
///     let request: serde_json::Value = serde_json::from_str(request).unwrap_or_default();
///     serde_json::json!({"id": request["id"], "unsupported": {"message": "nothing yet"}}).to_string()
/// }
///
/// mod tests {
///     exactum_suite::text_suite!(super::answer);
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! text_suite {
    ($answer:expr $(, $expectations:expr)? $(,)?) => {
        /// Runs the suite.
        pub fn main() -> ::std::process::ExitCode {
            $crate::Judge::text($answer)$(.expectations($expectations))?.main()
        }
    };
}
