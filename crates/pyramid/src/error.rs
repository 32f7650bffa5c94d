//! Errors, and the files that they concern.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exactum_model::{At, Rejection};

/// The reason why an array is not read, or why a pyramid, a view or a packed array is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The options do not fit the input.
    Options(String),
    /// The input is not an array that can be read.
    Input(String),
    /// A clause rejects the options or the document of the input.
    Rejected(Box<Rejection>),
    /// The output folder holds something else.
    Output(String),
    /// A file cannot be read, decoded or written.
    File(FileError),
    /// A packed value is not read back within the promised error.
    Promise(String),
}

/// A file that cannot be read, decoded or written.
#[derive(Clone, Debug)]
pub struct FileError {
    path: PathBuf,
    array: Option<PathBuf>,
    level: Option<usize>,
    cause: Arc<dyn std::error::Error + Send + Sync>,
}

impl FileError {
    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder of the array if the file is one of its chunks.
    #[must_use]
    pub fn array(&self) -> Option<&Path> {
        self.array.as_deref()
    }

    /// Returns the level that was being written, if there was one.
    #[must_use]
    pub fn level(&self) -> Option<usize> {
        self.level
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.cause)?;
        match (&self.array, self.level) {
            (Some(array), Some(level)) => write!(
                f,
                " (a chunk of the array {}, while level {level} was being written)",
                array.display()
            ),
            (Some(array), None) => write!(f, " (a chunk of the array {})", array.display()),
            (None, Some(level)) => write!(f, " (while level {level} was being written)"),
            (None, None) => Ok(()),
        }
    }
}

impl PartialEq for FileError {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for FileError {}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&*self.cause)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Options(words)
            | Error::Input(words)
            | Error::Output(words)
            | Error::Promise(words) => f.write_str(words),
            Error::Rejected(rejection) => f.write_str(&words(rejection)),
            Error::File(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File(fault) => fault.source(),
            Error::Rejected(rejection) => Some(&**rejection),
            Error::Options(_) | Error::Input(_) | Error::Output(_) | Error::Promise(_) => None,
        }
    }
}

impl From<Rejection> for Error {
    fn from(rejection: Rejection) -> Self {
        Error::Rejected(Box::new(rejection))
    }
}

impl Error {
    /// Returns the error of a file that cannot be read, decoded or written, with a message as the reason.
    pub(crate) fn of_file(path: &Path, error: &dyn fmt::Display) -> Self {
        Error::of_cause(path, error.to_string().into())
    }

    /// Returns the error of a file that cannot be read or written.
    pub(crate) fn of_io(path: &Path, error: io::Error) -> Self {
        Error::of_cause(path, error.into())
    }

    fn of_cause(path: &Path, cause: Box<dyn std::error::Error + Send + Sync>) -> Self {
        Error::File(FileError {
            path: path.to_owned(),
            array: None,
            level: None,
            cause: cause.into(),
        })
    }

    /// Returns the error of a chunk that cannot be read or decoded. It belongs to the array in `folder`,
    /// where its file has the name `key`.
    pub(crate) fn of_chunk(
        folder: &Path,
        key: &str,
        error: impl std::error::Error + Send + Sync + 'static,
    ) -> Self {
        Error::File(FileError {
            path: folder.join(key),
            array: Some(folder.to_owned()),
            level: None,
            cause: Arc::new(error),
        })
    }

    /// Adds the level that was being written.
    pub(crate) fn in_level(mut self, level: usize) -> Self {
        if let Error::File(fault) = &mut self {
            fault.level.get_or_insert(level);
        }
        self
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
