//! The command `exactum`.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// Runs a command line and returns the exit code together with everything written to standard output and standard
/// error.
#[pyfunction]
pub(crate) fn call(py: Python<'_>, arguments: Vec<OsString>) -> (u8, String, String) {
    let called = py.detach(|| exactum::call(arguments));
    (called.code, called.output, called.complaints)
}

/// Runs a command line as the installed command does and returns the exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| exactum::run(arguments));
    let number = (0..=u8::MAX).find(|number| ExitCode::from(*number) == code);
    number.unwrap_or(u8::MAX)
}
