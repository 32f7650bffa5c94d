//! How a program is started, and its limits.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use crate::serve::MAX_LINE;

/// The command that starts a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The name by which the command refers to it.
    pub name: String,
    /// The program, which is searched for like any command.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The working directory; that of the runner if absent.
    pub directory: Option<PathBuf>,
    /// Environment variables in addition to those of the runner.
    pub environment: Vec<(OsString, OsString)>,
    /// Whether it runs as the user `nobody` if the user is root (on Linux).
    pub unprivileged: bool,
}

/// The limits of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The time from the start to the answer to `hello`.
    pub start: Duration,
    /// The time for an answer.
    pub case: Duration,
    /// The cases that are known to take longer. Their requests are not sent a second time.
    pub hangs: BTreeSet<String>,
    /// Additional time for each MiB of the request.
    pub case_per_mebibyte: Duration,
    /// The number of bytes of memory that one process may write to, and that the program may use together with
    /// everything that it starts (on Linux; other systems have no limit).
    pub memory: u64,
    /// The number of bytes of an answer, however long the request is.
    pub answer: usize,
    /// The number of faults after which the program is restarted, counted over all workers. The restart that sends the
    /// request alone and the restart after it count as one.
    pub restarts: u32,
    /// The time for the whole run, from the first start in any worker.
    pub total: Duration,
    /// The time that the program may take to exit after its input has ended, before it is killed.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(60),
            case: Duration::from_secs(10),
            hangs: BTreeSet::new(),
            case_per_mebibyte: Duration::from_secs(1),
            memory: 2 << 30,
            answer: MAX_LINE,
            restarts: 20,
            total: Duration::from_secs(3600),
            grace: Duration::from_secs(2),
        }
    }
}

impl Limits {
    /// Returns the time limit for an answer to a request of this length.
    #[must_use]
    pub fn patience(&self, bytes: usize) -> Duration {
        let mebibytes = u32::try_from(bytes >> 20).unwrap_or(u32::MAX);
        let more = self.case_per_mebibyte.saturating_mul(mebibytes);
        self.case.saturating_add(more)
    }
}

/// Bytes of answer allowed for each byte of the request: one packed bit may become a complex number of 16 bytes, and
/// both are in hex.
const EXPANDS: usize = 256;

/// Bytes allowed for every answer.
const ANSWER: usize = 1 << 20;

impl Limits {
    /// Returns the number of bytes that the answer to a request of this length may have.
    #[must_use]
    pub fn answer_to(&self, bytes: usize) -> usize {
        bytes
            .saturating_mul(EXPANDS)
            .saturating_add(ANSWER)
            .min(self.answer)
    }
}

impl Launch {
    /// Returns the program and its arguments quoted for a shell.
    #[must_use]
    pub fn command_line(&self) -> String {
        let arguments = self.arguments.iter().map(OsString::as_os_str);
        let words: Vec<String> = std::iter::once(self.program.as_os_str())
            .chain(arguments)
            .map(quoted)
            .collect();
        words.join(" ")
    }
}

/// Returns a word of a command line quoted for a shell.
fn quoted(word: &OsStr) -> String {
    let word = word.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
