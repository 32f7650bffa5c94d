//! Output to the terminal, or to the caller that captures it.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::Path;
use std::{fs, process};

use crate::report::Absent;
use crate::text::clean_lines;

/// The captured output of a command that was called as a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The standard output.
    pub output: String,
    /// The standard error.
    pub complaints: String,
}

thread_local! {
    static PRINTED: RefCell<Option<Printed>> = const { RefCell::new(None) };
}

/// Runs `work` and returns its result together with everything that it printed on this thread. None of that output
/// reaches the terminal.
///
/// ```
/// use exactum_conformance::output::{captured, complain, print};
///
/// let (_, printed) = captured(|| {
///     complain("exactum", "no such file");
///     print("done")
/// });
/// assert_eq!(printed.output, "done");
/// assert_eq!(printed.complaints, "exactum: no such file\n");
/// ```
pub fn captured<T>(work: impl FnOnce() -> T) -> (T, Printed) {
    let outer = PRINTED.replace(Some(Printed::default()));
    let result = work();
    (result, PRINTED.replace(outer).unwrap_or_default())
}

/// Passes the text to the caller that captures this thread's output, and returns whether there is one.
fn capture(write: impl FnOnce(&mut Printed)) -> bool {
    PRINTED.with_borrow_mut(|printed| printed.as_mut().map(write).is_some())
}

/// Prints text. A reader that has closed the pipe is not an error of this program: the command completes its work and
/// keeps its exit code.
///
/// # Errors
/// If the output cannot be written for another reason, such as a full disk.
pub fn print(text: &str) -> Result<(), String> {
    if capture(|printed| printed.output.push_str(text)) {
        return Ok(());
    }
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes());
    unless_closed(written.and_then(|()| stdout.flush()))
}

/// Returns the result of writing to standard output, where a closed pipe is not an error.
///
/// # Errors
/// If it failed for another reason.
pub fn unless_closed(written: io::Result<()>) -> Result<(), String> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(|error| format!("standard output: {error}")),
    }
}

/// Returns a description of the missing implementations, grouped by reason, with the remedy for each.
#[must_use]
pub fn missing(absent: &[Absent]) -> String {
    let mut reasons: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for Absent { name, why, remedy } in absent {
        match reasons
            .iter_mut()
            .find(|(w, r, _)| (*w, *r) == (why, remedy))
        {
            Some((.., names)) => names.push(name),
            None => reasons.push((why, remedy, vec![name])),
        }
    }
    let told = reasons.iter().map(|(why, remedy, names)| {
        let (are, names) = (
            if names.len() == 1 { "is" } else { "are" },
            names.join(", "),
        );
        format!("\n{names} {are} missing: {why}\n  {remedy}\n")
    });
    clean_lines(&told.collect::<String>())
}

/// Prints to standard error why a command cannot be carried out.
pub fn complain(command: &str, message: &str) {
    let line = format!("{command}: {message}\n");
    if !capture(|printed| printed.complaints.push_str(&line)) {
        // If standard error is closed as well, there is nowhere to report that.
        let _ = io::stderr().write_all(line.as_bytes());
    }
}

/// Writes a report to a file.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Replaces a file of the checkout atomically: either the new text is written completely, or the old file stays.
///
/// # Errors
/// If it cannot be written.
pub fn replace(path: &Path, text: &str) -> Result<(), String> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}", process::id()));
    let unfinished = Path::new(&unfinished);
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(unfinished, text))
        .and_then(|()| fs::rename(unfinished, path));
    written.map_err(|error| {
        // A leftover temporary file does no harm.
        let _ = fs::remove_file(unfinished);
        format!("{}: {error}", path.display())
    })
}
