//! What keeps a pyramid from being made.

use std::fmt;
use std::path::Path;

use exactum_model::{At, Rejection};

/// Why there is no pyramid, in words for whoever asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// What was asked for does not go with the input.
    Options(String),
    /// The input is no array that can be read.
    Input(String),
    /// What is there already is another pyramid, or something else.
    Output(String),
    /// A file could not be read or written.
    Storage(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Options(words)
            | Error::Input(words)
            | Error::Output(words)
            | Error::Storage(words) => f.write_str(words),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// What was asked for is rejected by a clause.
    pub(crate) fn of_options(rejection: &Rejection) -> Self {
        Error::Options(words(rejection))
    }

    /// What is to be read is rejected by a clause.
    pub(crate) fn of_input(rejection: &Rejection) -> Self {
        Error::Input(words(rejection))
    }

    /// A file could not be read or written.
    pub(crate) fn of_file(path: &Path, error: &dyn fmt::Display) -> Self {
        Error::Storage(format!("{}: {error}", path.display()))
    }
}

fn words(rejection: &Rejection) -> String {
    let place = match &rejection.at {
        Some(At::Pointer(pointer)) if !pointer.is_empty() => format!(", at {pointer}"),
        _ => String::new(),
    };
    let help = rejection.help.as_ref().map(|help| format!("; {help}"));
    format!("{rejection}{place}{}", help.unwrap_or_default())
}
