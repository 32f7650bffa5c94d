//! Runs a third-party program with a time limit, and logs its output.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::symptoms;
use crate::registry::Missing;

/// The interval at which a running program is checked.
const WATCH: Duration = Duration::from_millis(50);

/// The number of last lines that an error shows.
const SHOWN: usize = 8;

/// The number of characters of a line that an error shows.
const WIDTH: usize = 160;

/// The log of one environment.
pub(super) struct Log {
    path: PathBuf,
}

/// A program to run.
pub(super) struct Step<'a> {
    /// The program with its arguments.
    pub(super) command: Command,
    /// The time limit.
    pub(super) limit: Duration,
    /// Whether it accesses a registry.
    pub(super) network: bool,
    /// What to do if it fails.
    pub(super) remedy: &'a str,
}

impl Log {
    /// Creates a log that is written from its beginning.
    pub(super) fn new(path: PathBuf) -> Self {
        // If the file cannot be removed, writing to it reports the reason.
        let _ = fs::remove_file(&path);
        Self { path }
    }

    /// Runs a program and returns what it wrote to both streams.
    ///
    /// # Errors
    /// If the program cannot be started, does not end in time or ends with a failure. The error contains the command,
    /// its last lines, and the remedy.
    pub(super) fn run(&self, step: Step<'_>) -> Result<String, Missing> {
        let Step {
            mut command,
            limit,
            network,
            remedy,
        } = step;
        let line = line(&command);
        let missing = |why: String, unreachable: bool| Missing {
            why,
            remedy: remedy.to_owned(),
            unreachable,
        };
        let begin = match self.begin(&line) {
            Ok(begin) => begin,
            Err(error) => return Err(super::folder::cannot_write(&self.path, &error)),
        };
        let ended = spawn(&mut command, &self.path, limit);
        let words = fs::read(&self.path).unwrap_or_default();
        let words = String::from_utf8_lossy(words.get(begin..).unwrap_or_default()).into_owned();
        let log = self.path.display();
        match ended {
            Err(error) => Err(missing(
                format!("{line}: cannot be started: {error}"),
                false,
            )),
            Ok(None) => {
                let why = format!(
                    "{line}: not finished within {} s{} (full output: {log})",
                    limit.as_secs(),
                    tail(&words)
                );
                Err(missing(why, network))
            }
            Ok(Some(status)) if status.success() => Ok(words),
            Ok(Some(status)) => {
                let why = format!("{line}: {status}{} (full output: {log})", tail(&words));
                Err(missing(why, network && symptoms::unreachable(&words)))
            }
        }
    }

    /// Writes the command to the log, and returns the offset at which its output begins.
    fn begin(&self, line: &str) -> io::Result<usize> {
        let mut log = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path)?;
        writeln!(log, "$ {line}")?;
        let length = fs::metadata(&self.path)?.len();
        Ok(usize::try_from(length).unwrap_or(usize::MAX))
    }
}

/// Runs a program that appends to a file. Returns `None` if it took too long and was killed.
fn spawn(command: &mut Command, log: &Path, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let out = OpenOptions::new().append(true).open(log)?;
    let errors: File = out.try_clone()?;
    // It stays in the process group of this program, so that Ctrl-C ends it too.
    let mut child = command
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(errors)
        .spawn()?;
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begin.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(WATCH);
    }
}

/// Returns a command as it would be typed.
fn line(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    words.extend(command.get_args().map(|word| word.to_string_lossy()));
    words
        .iter()
        .map(|word| {
            if word.is_empty() || word.contains(char::is_whitespace) {
                format!("'{word}'")
            } else {
                word.to_string()
            }
        })
        .collect::<Vec<String>>()
        .join(" ")
}

/// Returns the last lines of the output.
fn tail(words: &str) -> String {
    let lines: Vec<&str> = words
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty())
        .collect();
    lines[lines.len().saturating_sub(SHOWN)..]
        .iter()
        .map(|line| match line.char_indices().nth(WIDTH) {
            Some((end, _)) => format!("\n    {}..", &line[..end]),
            None => format!("\n    {line}"),
        })
        .collect()
}
