//! Folders for tests, and checks of the output of the command.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

/// A folder that is removed at the end.
pub(crate) struct Scratch(TempDir);

impl Scratch {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    #[allow(dead_code, reason = "every test file uses its own part")]
    pub(crate) fn file(&self, name: &str) -> String {
        self.path().join(name).display().to_string()
    }
}

pub(crate) fn exactum(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_exactum"));
    command.args(arguments);
    command
}

/// Checks the exit code and the output of a command. Returns what it printed to both streams.
#[track_caller]
pub(crate) fn said(command: &str, output: &Output, code: i32, says: &[&str]) -> String {
    let text = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert_eq!(output.status.code(), Some(code), "{command}\n{text}");
    for part in says {
        assert!(text.contains(part), "{command} does not say {part}\n{text}");
    }
    text
}

/// Runs a command and checks it, as [`said`] does.
#[track_caller]
pub(crate) fn check_command(command: &mut Command, code: i32, says: &[&str]) -> String {
    let output = command.output().expect("it starts");
    said(&format!("{command:?}"), &output, code, says)
}
