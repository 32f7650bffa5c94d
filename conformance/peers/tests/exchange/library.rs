//! A Python library, called through a short program.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use exactum_conformance::model::Array;
use exactum_conformance::vectors::{array_from_json, array_to_json};
use exactum_peers::registry::{Registry, Runtime};
use libtest_mimic::Failed;

/// The elements of an array.
pub(crate) struct Values(pub(crate) Array);

/// How a library is called.
pub(crate) struct Library {
    name: String,
    runtime: Runtime,
}

/// Reads or writes an array, and prints its elements in the format of the vectors.
const PROGRAM: &str = include_str!("library.py");

impl Library {
    /// Returns a library that is set up.
    pub(crate) fn of(registry: &Registry, name: &str) -> Result<Self, Failed> {
        let peer = registry
            .lock
            .peers
            .get(name)
            .ok_or_else(|| format!("{name} is not in the lock"))?;
        let runtime = registry
            .runtime(&peer.environment)
            .map_err(|missing| format!("{name}: {}; {}", missing.why, missing.remedy))?;
        Ok(Self {
            name: name.to_owned(),
            runtime,
        })
    }

    /// Returns a new folder that the library can access.
    pub(crate) fn folder(&self, array: &str) -> Result<PathBuf, Failed> {
        let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let name = format!(
            "exactum-exchange-{}-{}-{array}",
            std::process::id(),
            self.name
        );
        let folder = place.join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Reads all elements of the array in a folder.
    pub(crate) fn read(&self, folder: &Path) -> Result<Values, Failed> {
        let told = self.ask("read", folder, "")?;
        let json = serde_json::from_str(&told)?;
        array_from_json(&json)
            .map(Values)
            .map_err(|fault| format!("{}: {fault:?} in {told}", self.name).into())
    }

    /// Stores all elements of the array in a folder.
    pub(crate) fn write(&self, folder: &Path, values: &Values) -> Result<(), Failed> {
        self.ask("write", folder, &array_to_json(&values.0).to_string())
            .map(drop)
    }

    fn ask(&self, what: &str, folder: &Path, input: &str) -> Result<String, Failed> {
        let mut child = Command::new(&self.runtime.program)
            .args(["-c", PROGRAM, &self.name, what])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes())?;
        }
        let output = child.wait_with_output()?;
        if output.status.success() {
            return Ok(String::from_utf8(output.stdout)?);
        }
        let told = String::from_utf8_lossy(&output.stderr);
        Err(format!("{} does not {what}: {told}", self.name).into())
    }
}
