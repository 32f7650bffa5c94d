//! Arrays whose stored chunks are hostile, each given to the commands that read arrays.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::watch::{Watched, watch};

const PROGRAM: &str = include_str!("stores.py");

/// Bytes of memory that a command may take, whatever its 16 elements claim to be.
pub const MEMORY: u64 = 200_000_000;

/// Seconds that a command may take.
const LIMIT: u64 = 60;

/// Bytes that a command may say.
const WORDS: usize = 2_000;

/// The commands with the arguments behind the array.
const COMMANDS: [(&str, &[&str], &[&str]); 2] = [
    ("plan --scan", &["plan", "--scan"], &["--target", "uint8"]),
    (
        "downsample",
        &["downsample"],
        &["out", "--factors", "2", "--method", "mean", "--levels", "1"],
    ),
];

/// What came of an array.
#[derive(Clone, Debug)]
pub struct Tried {
    /// What is hostile in it.
    pub what: String,
    /// The command that read it.
    pub command: &'static str,
    /// Time and memory.
    pub watched: Watched,
    /// Whether the command named the chunk, or the array was read.
    pub is_named: bool,
    /// Bytes that it said.
    words: usize,
}

impl Tried {
    /// The columns of the page that are the same on every machine.
    #[must_use]
    pub fn key(&self) -> String {
        let code = self.watched.code;
        let code = code.map_or("killed".into(), |code| code.to_string());
        let named = match (self.watched.code, self.is_named) {
            (Some(0), _) => "is read",
            (_, true) => "names the chunk",
            (_, false) => "refuses the array",
        };
        format!("| {} | {} | {code} | {named} |", self.what, self.command)
    }

    /// What must not be.
    pub(super) fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        if !matches!(self.watched.code, Some(0 | 2)) {
            findings.push(format!("exit code {:?}", self.watched.code));
        }
        if self.watched.runner > MEMORY {
            findings.push(format!("it took {} bytes", self.watched.runner));
        }
        if self.words > WORDS {
            findings.push(format!("it said {} bytes", self.words));
        }
        let name = format!("{}, {}", self.what, self.command);
        findings
            .into_iter()
            .map(|finding| format!("{name}: {finding}"))
            .collect()
    }
}

/// Has all commands read all arrays.
///
/// # Errors
/// When there is no Python, or a command cannot be started.
pub fn read(exactum: &Path, folder: &Path, watcher: &dyn Fn(&str)) -> Result<Vec<Tried>, String> {
    let (program, stores) = (folder.join("stores.py"), folder.join("stores"));
    let at = |error: std::io::Error| format!("stores: {error}");
    fs::write(&program, PROGRAM).map_err(at)?;
    let made = Command::new("python3")
        .arg("-B")
        .args([&program, &stores])
        .status();
    if !made.map_err(|error| format!("python3: {error}"))?.success() {
        return Err("python3 makes no hostile arrays".into());
    }
    let entries = fs::read_dir(&stores).map_err(at)?.flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut tried = Vec::new();
    for what in names {
        for (command, before, behind) in COMMANDS {
            watcher(&format!("{command} of {what}"));
            let own = folder.join("store");
            fs::create_dir_all(&own).map_err(at)?;
            let words = own.join("stderr");
            let mut started = Command::new(exactum);
            started
                .args(before)
                .arg(stores.join(&what))
                .args(behind)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(File::create(&words).map_err(at)?);
            let watched = watch(&mut started, &own, Duration::from_secs(LIMIT)).map_err(at)?;
            let said = fs::read_to_string(&words).unwrap_or_default();
            fs::remove_dir_all(&own).map_err(at)?;
            tried.push(Tried {
                is_named: watched.code == Some(0) || said.contains("/c/0"),
                what: what.clone(),
                command,
                watched,
                words: said.len(),
            });
        }
    }
    Ok(tried)
}
