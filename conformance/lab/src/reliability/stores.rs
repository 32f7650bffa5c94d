//! Arrays with hostile stored chunks, each passed to the commands that read arrays.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::watch::{Watched, watch};

const PROGRAM: &str = include_str!("stores.py");

/// The number of bytes of memory that a command may use, whatever size its 16 elements claim to have.
pub const MEMORY: u64 = 200_000_000;

/// The time limit for a command, in seconds.
const LIMIT: u64 = 60;

/// The largest size of an error message, in bytes.
const ERROR_BYTES: usize = 2_000;

/// The commands that read arrays. Each gets an array and its own folder for output.
const COMMANDS: [(&str, Arguments); 6] = [
    ("plan --scan", |array, _| {
        Ok(words(&["plan", "--scan", array, "--target", "uint8"]))
    }),
    ("prove --scan", |array, _| {
        Ok(words(&["prove", array, "--scan", array]))
    }),
    ("downsample", |array, _| {
        let options = "out --factors 2 --method mean --levels 1".split(' ');
        let options: Vec<&str> = ["downsample", array].into_iter().chain(options).collect();
        Ok(words(&options))
    }),
    ("downsample of a view", |array, folder| {
        view(array, folder, None)
    }),
    ("downsample of a reversed view", |array, folder| {
        let document = fs::read_to_string(Path::new(array).join("zarr.json"))?;
        let document: Value = serde_json::from_str(&document)?;
        let extent = document["shape"][0].as_u64().unwrap_or_default();
        let transform = json!({
            "input_shape": [extent],
            "output": [{"offset": extent.saturating_sub(1), "stride": -1, "input_dimension": 0}],
        });
        view(array, folder, Some(transform))
    }),
    ("pack", |array, folder| {
        fs::write(folder.join("codecs.json"), json!(["bytes"]).to_string())?;
        Ok(words(&["pack", array, "out", "--codecs", "codecs.json"]))
    }),
];

/// Returns the arguments for a view of an array, or for what a transform selects from it.
fn view(array: &str, folder: &Path, transform: Option<Value>) -> io::Result<Vec<String>> {
    let mut base = json!({"driver": "zarr3", "kvstore": {"driver": "file", "path": array}});
    if let Some(transform) = transform {
        base["transform"] = transform;
    }
    let view = json!({
        "driver": "downsample",
        "base": base,
        "downsample_factors": [2],
        "downsample_method": "mean",
    });
    fs::write(folder.join("view.json"), view.to_string())?;
    Ok(words(&["downsample", "view.json", "out"]))
}

/// Returns the arguments of a command.
type Arguments = fn(array: &str, folder: &Path) -> io::Result<Vec<String>>;

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|&word| word.to_owned()).collect()
}

/// The outcome for one array.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The hostile property of the array.
    pub what: String,
    /// The command that read it.
    pub command: &'static str,
    /// Time and memory.
    pub watched: Watched,
    /// Whether the command named the chunk or read the array.
    pub is_named: bool,
    /// The number of bytes of its error message.
    error_bytes: usize,
}

impl Tried {
    /// Returns the columns of the page that are the same on every machine.
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

    /// Returns the problems found.
    pub(super) fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        if !matches!(self.watched.code, Some(0 | 2)) {
            findings.push(format!("exit code {:?}", self.watched.code));
        }
        if self.watched.runner > MEMORY {
            findings.push(format!("it used {} bytes of memory", self.watched.runner));
        }
        if self.error_bytes > ERROR_BYTES {
            findings.push(format!("its error message has {} bytes", self.error_bytes));
        }
        let name = format!("{}, {}", self.what, self.command);
        findings
            .into_iter()
            .map(|finding| format!("{name}: {finding}"))
            .collect()
    }
}

/// Returns the names of the commands.
pub fn commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(command, _)| *command)
}

/// Creates the arrays in a folder, and returns the path of that folder and the names of the arrays.
///
/// # Errors
/// If Python is not available.
pub fn make(folder: &Path) -> Result<(PathBuf, Vec<String>), String> {
    let (program, stores) = (folder.join("stores.py"), folder.join("stores"));
    let at = |error: std::io::Error| format!("stores: {error}");
    fs::write(&program, PROGRAM).map_err(at)?;
    let made = Command::new("python3")
        .arg("-B")
        .args([&program, &stores])
        .status();
    if !made.map_err(|error| format!("python3: {error}"))?.success() {
        return Err("python3 could not make the hostile arrays".into());
    }
    let entries = fs::read_dir(&stores).map_err(at)?.flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok((stores, names))
}

/// Lets all commands read all arrays.
///
/// # Errors
/// If Python is not available, or a command cannot be started.
pub fn read(exactum: &Path, folder: &Path, watcher: &dyn Fn(&str)) -> Result<Vec<Tried>, String> {
    let at = |error: io::Error| format!("stores: {error}");
    let (stores, names) = make(folder)?;
    let mut tried = Vec::new();
    for what in names {
        for (command, arguments) in COMMANDS {
            watcher(&format!("{command} of {what}"));
            let own = folder.join("store");
            fs::create_dir_all(&own).map_err(at)?;
            let errors = own.join("stderr");
            let array = stores.join(&what).display().to_string();
            let mut started = Command::new(exactum);
            started
                .args(arguments(&array, &own).map_err(at)?)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(File::create(&errors).map_err(at)?);
            let watched = watch(&mut started, &own, Duration::from_secs(LIMIT)).map_err(at)?;
            let text = fs::read_to_string(&errors).unwrap_or_default();
            fs::remove_dir_all(&own).map_err(at)?;
            tried.push(Tried {
                is_named: watched.code == Some(0) || text.contains("/c/0"),
                what: what.clone(),
                command,
                watched,
                error_bytes: text.len(),
            });
        }
    }
    Ok(tried)
}
