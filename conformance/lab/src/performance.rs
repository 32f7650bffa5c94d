//! The performance page, which is generated from committed measurements, and the measurements themselves.

mod page;

use std::fs;
use std::path::Path;

use exactum_conformance::output;
use exactum_optimized::Instructions;
use serde_json::{Value, json};

use crate::bench::{self, Options, Outside};

pub use page::{middle, page};

/// The folder of the measurements, relative to the root.
pub const FOLDER: &str = "docs/performance";

/// The name of the list of comparisons with the reference, which is stored with the measurements.
pub const EXHAUSTIVE: &str = "exhaustive";

/// A file of measurements, and how they are made.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The name of its file.
    pub name: &'static str,
    cached: bool,
    instructions: Option<Instructions>,
    /// The peers that take part, or `None` for all.
    pub peers: Option<&'static [&'static str]>,
}

const ALL: Measurement = Measurement {
    name: "memory",
    cached: false,
    instructions: None,
    peers: None,
};

/// All files of measurements. Instructions can only be limited further in a process, so the widest come first.
pub const MEASUREMENTS: [Measurement; 4] = [
    ALL,
    Measurement {
        name: "cached",
        cached: true,
        peers: Some(&["numkong"]),
        ..ALL
    },
    Measurement {
        name: "avx2",
        instructions: Some(Instructions::Avx2),
        peers: Some(&[]),
        ..ALL
    },
    Measurement {
        name: "portable",
        instructions: Some(Instructions::Portable),
        peers: Some(&[]),
        ..ALL
    },
];

impl Measurement {
    /// Returns whether this machine can make the measurement. A limit to instructions that the machine uses anyway
    /// would measure the same thing twice.
    fn is_possible(self) -> bool {
        self.instructions.is_none_or(|it| it < Instructions::best())
    }

    /// Measures one row, or all, and returns the results as JSON.
    #[must_use]
    pub fn make(
        self,
        row: Option<&str>,
        outside: &Outside,
        progress: impl FnMut(&str),
    ) -> Option<String> {
        if !self.is_possible() {
            return None;
        }
        let options = Options {
            row: row.map(str::to_owned),
            cached: self.cached,
            instructions: self.instructions,
            // Enough for medians over hundreds of cases, and few enough to measure them within half an hour.
            rounds: Some(4),
            ..Options::default()
        };
        Some(bench::json(&bench::run(&options, outside, progress)))
    }
}

/// Describes the properties of this machine that affect the measurements.
#[must_use]
pub fn machine() -> Value {
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpu.lines().find(|line| line.starts_with(name));
        let value = line.and_then(|line| line.split_once(':'));
        value
            .map_or("unknown", |(_, value)| value.trim())
            .to_owned()
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    json!({
        "processor": field("model name"),
        "family": field("cpu family"),
        "model": field("model"),
        "cache": field("cache size"),
        "instructions": format!("{:?}", Instructions::best()),
        "threads": threads,
        "system": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
    })
}

/// Reads the measurements in a file; a missing file has none.
///
/// # Errors
/// If it is not JSON.
pub fn load(root: &Path, name: &str) -> Result<Vec<Value>, String> {
    let path = root.join(FOLDER).join(format!("{name}.json"));
    let Ok(text) = fs::read_to_string(&path) else {
        return Ok(Vec::new());
    };
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file of measurements, one per line, so that changes are readable.
///
/// # Errors
/// If it cannot be written.
pub fn save(root: &Path, name: &str, rows: &[Value]) -> Result<(), String> {
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    output::write(&root.join(FOLDER).join(format!("{name}.json")), &text)
}
