//! Runs a command and measures its memory, its processor time, and the processes that it leaves behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// The interval at which the command is sampled. The shortest commands run for less than 30 ms, and the memory that
/// they use at the end counts.
const PAUSE: Duration = Duration::from_millis(1);

/// The processes started by the command are sampled only once in this number of samples, because that takes longer.
const OTHERS: u32 = 50;

/// The resources that a process was observed to use.
#[derive(Clone, Debug)]
pub struct Watched {
    /// Its exit code, or `None` if it had to be killed.
    pub code: Option<i32>,
    /// The time from its start to its end, in seconds.
    pub seconds: f64,
    /// Processor time in seconds.
    pub worked: f64,
    /// Its largest memory use, in bytes.
    pub runner: u64,
    /// The largest memory use, in bytes, of everything that it started, according to the samples; shared memory counts
    /// once.
    pub others: u64,
    /// The number of processes that it started and that still exist after it has ended.
    pub left: usize,
}

/// Runs a command in a folder in which nothing else works, and kills its remaining processes.
///
/// # Errors
/// If it cannot be started.
pub fn watch(command: &mut Command, folder: &Path, limit: Duration) -> io::Result<Watched> {
    let folder = fs::canonicalize(folder)?;
    let mut child = command.current_dir(&folder).spawn()?;
    let begin = Instant::now();
    let id = child.id();
    let mut watched = Watched {
        code: None,
        seconds: 0.0,
        worked: 0.0,
        runner: 0,
        others: 0,
        left: 0,
    };
    for turn in 0u32.. {
        if let Some(status) = child.try_wait()? {
            watched.code = status.code();
            break;
        }
        if begin.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break;
        }
        watched.runner = watched.runner.max(kibibytes(id, "status", "VmHWM:"));
        watched.worked = watched.worked.max(worked(id));
        if turn % OTHERS == 0 {
            // A child that has not yet executed another program still shares the memory of the command.
            let itself = program(id);
            let others = inside(&folder).into_iter();
            let others = others.filter(|&other| other != id && program(other) != itself);
            let taken = others.map(|other| kibibytes(other, "smaps_rollup", "Pss:"));
            watched.others = watched.others.max(taken.sum());
        }
        thread::sleep(PAUSE);
    }
    watched.seconds = begin.elapsed().as_secs_f64();
    let left = inside(&folder);
    watched.left = left.len();
    for process in left {
        // The process may end by itself at the same time.
        let _ = Command::new("kill")
            .args(["-KILL", &process.to_string()])
            .status();
    }
    Ok(watched)
}

/// Returns the processes whose working directory is in a folder. Processes inherit it like their environment, but
/// seldom leave it; processes that have ended have none.
fn inside(folder: &Path) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|id| fs::read_link(format!("/proc/{id}/cwd")).is_ok_and(|it| it == folder))
        .collect()
}

/// Returns the program that a process runs.
fn program(id: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{id}/exe")).ok()
}

/// Returns a number from a file of a process, in bytes.
fn kibibytes(id: u32, file: &str, key: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let number = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or_default() << 10
}

/// Returns the processor time of a process in seconds, with a resolution of a hundredth.
fn worked(id: u32) -> f64 {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_ascii_whitespace().skip(11).take(2);
    // Linux reports 100 ticks per second on every machine.
    ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}
