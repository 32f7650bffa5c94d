//! Programs that lie, each judged with the command as users run it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use exactum_conformance::text::clean_lines;
use serde_json::Value;

use super::RUNNER;
use super::watch::{Watched, watch};

/// The program, which contains its list of lies.
const PROGRAM: &str = include_str!("liar.py");

/// The cases that it answers.
const CASES: &str = "bytes/uint8/absent-encode";

/// The time limit for the start, in seconds.
pub const START: u64 = 6;

/// The time limit for a case, in seconds.
pub const CASE: u64 = 3;

/// The memory limit for the program and everything that it starts, in MiB.
pub const MEMORY: u64 = 256;

/// The time limit for a run, in seconds: a dozen times the limit of a program.
const LIMIT: u64 = 60;

/// The largest size of a report, in bytes, whatever a program writes.
const REPORT: u64 = 1 << 20;

/// The number of programs that are judged in parallel; most of them wait.
const WORKERS: usize = 8;

/// The verdict on a lying adapter.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The moment of the lie.
    pub when: String,
    /// The kind of lie.
    pub lie: String,
    /// The number of cases by verdict, without passed cases.
    pub verdicts: String,
    /// Time, memory and what was left.
    pub watched: Watched,
    /// The problems with the reports.
    reports: Vec<String>,
}

impl Judged {
    /// Returns the columns of the page that are the same on every machine.
    #[must_use]
    pub fn key(&self) -> String {
        let code = self
            .watched
            .code
            .map_or("killed".into(), |code| code.to_string());
        format!(
            "| {} | {} | {code} | {} |",
            self.when, self.lie, self.verdicts
        )
    }

    /// Returns the problems found.
    pub(super) fn findings(&self) -> Vec<String> {
        let mut findings = self.reports.clone();
        if self.watched.code.is_none() {
            findings.push(format!("it did not end within {LIMIT} s"));
        }
        if self.watched.left > 0 {
            findings.push(format!("{} processes were left running", self.watched.left));
        }
        if self.watched.runner > RUNNER {
            findings.push(format!(
                "the runner used {} bytes of memory",
                self.watched.runner
            ));
        }
        let name = format!("{} {}", self.when, self.lie);
        findings
            .into_iter()
            .map(|finding| format!("{name}: {finding}"))
            .collect()
    }
}

/// Writes the program to a folder, and lists the moments at which it can lie, and the lies.
///
/// # Errors
/// If Python is not available.
pub fn list(folder: &Path) -> Result<(PathBuf, Vec<(String, String)>), String> {
    let program = folder.join("liar.py");
    fs::write(&program, PROGRAM).map_err(|error| format!("{}: {error}", program.display()))?;
    let list = Command::new("python3").arg(&program).arg("--list").output();
    let list = list.map_err(|error| format!("python3: {error}"))?;
    let lies = String::from_utf8_lossy(&list.stdout)
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(when, lie)| (when.to_owned(), lie.to_owned()))
        .collect();
    Ok((program, lies))
}

/// Judges all liars whose name contains `only`.
///
/// # Errors
/// If Python is not available, or the command cannot be started.
pub fn judge(
    exactum: &Path,
    folder: &Path,
    only: &str,
    watcher: &(dyn Fn(&str) + Sync),
) -> Result<Vec<Judged>, String> {
    let (program, lies) = list(folder)?;
    let lies: Vec<(usize, &(String, String))> = lies
        .iter()
        .filter(|(when, lie)| format!("{when} {lie}").contains(only))
        .enumerate()
        .collect();
    let left = Mutex::new(lies.iter());
    let judged = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let Some((index, (when, lie))) =
                        left.lock().ok().and_then(|mut left| left.next())
                    else {
                        return;
                    };
                    watcher(&format!("{when} {lie}"));
                    let own = folder.join(format!("run-{index}"));
                    let result = one(exactum, &program, &own, when, lie);
                    if let Ok(mut judged) = judged.lock() {
                        judged.push((*index, result));
                    }
                }
            });
        }
    });
    let mut judged = judged.into_inner().map_err(|error| error.to_string())?;
    judged.sort_by_key(|(index, _)| *index);
    judged
        .into_iter()
        .map(|(_, result)| result.map_err(|error| format!("exactum: {error}")))
        .collect()
}

fn one(exactum: &Path, program: &Path, folder: &Path, when: &str, lie: &str) -> io::Result<Judged> {
    fs::create_dir_all(folder)?;
    let files = [
        "stdout",
        "stderr",
        "report.json",
        "report.xml",
        "report.html",
    ];
    let [stdout, stderr, json, junit, html] = files.map(|name| folder.join(name));
    let mut command = Command::new(exactum);
    command.args(["run", "--only", CASES, "--command", "liar"]);
    if when == "hello" {
        // With several workers, timing would determine which of them differs from the first.
        command.args(["--workers", "1"]);
    }
    command
        .args(["--case-timeout", &CASE.to_string()])
        .args(["--start-timeout", &START.to_string()])
        .args(["--memory", &MEMORY.to_string()])
        .args(["--timeout", &(LIMIT - 10).to_string()])
        .arg("--json")
        .arg(&json)
        .arg("--junit")
        .arg(&junit)
        .arg("--html")
        .arg(&html)
        .args(["--", "python3", "-B"])
        .arg(program)
        .args([when, lie])
        .stdin(Stdio::null())
        .stdout(File::create(&stdout)?)
        .stderr(File::create(&stderr)?);
    let watched = watch(&mut command, folder, Duration::from_secs(LIMIT))?;
    let mut reports = Vec::new();
    for path in [&stdout, &stderr, &json, &junit, &html] {
        reports.extend(unclean(path));
    }
    Ok(Judged {
        when: when.to_owned(),
        lie: lie.to_owned(),
        verdicts: verdicts(&json),
        watched,
        reports,
    })
}

/// Returns the problem with a report, if there is one.
fn unclean(path: &PathBuf) -> Option<String> {
    let name = path.file_name().unwrap_or_default().display().to_string();
    let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
    if size > REPORT {
        return Some(format!("{name} has {size} bytes"));
    }
    let bytes = fs::read(path).unwrap_or_default();
    let Ok(text) = String::from_utf8(bytes) else {
        return Some(format!("{name} is not text"));
    };
    (clean_lines(&text) != text).then(|| format!("{name} contains control sequences of a terminal"))
}

/// Returns the number of cases by verdict in the JSON report.
fn verdicts(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let report: Value = serde_json::from_str(&text).unwrap_or_default();
    let verdicts = report["implementations"][0]["verdicts"].as_object();
    let counts: Vec<String> = verdicts
        .into_iter()
        .flatten()
        .filter(|(verdict, count)| *verdict != "pass" && count.as_u64() != Some(0))
        .map(|(verdict, count)| format!("{count} {}", verdict.replace('_', " ")))
        .collect();
    match counts.is_empty() {
        true if verdicts.is_some() => "all pass".into(),
        true => "no report".into(),
        false => counts.join(", "),
    }
}
