//! Writing to the terminal or whatever stands in its place.

use std::io::{self, Write};
use std::path::Path;
use std::{fs, process};

/// Prints text. A reader that has gone away is no fault of ours and ends the command.
///
/// # Errors
/// When the output cannot be written for another reason.
pub(crate) fn print(text: &str) -> Result<(), String> {
    let mut stdout = io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
        written => written.map_err(|error| format!("standard output: {error}")),
    }
}

/// Says why the command cannot be carried out.
pub(crate) fn complain(message: &str) {
    // Where stderr is closed too, there is nobody to tell.
    let _ = writeln!(io::stderr(), "exactum: {message}");
}

/// Writes a report to a file.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
