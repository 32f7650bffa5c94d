//! A command, with the memory and the processor time that it takes, and what it leaves behind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// How often the command is looked at. The shortest ones run for less than 30 ms, and what they take at their end counts.
const PAUSE: Duration = Duration::from_millis(1);

/// What the command has started is looked at once in this number of times, since that takes longer.
const OTHERS: u32 = 50;

/// The resources that a process was seen to take.
#[derive(Clone, Debug)]
pub struct Watched {
    /// Its exit code; none where it had to be killed.
    pub code: Option<i32>,
    /// From its start to its end.
    pub seconds: f64,
    /// Processor time in seconds.
    pub worked: f64,
    /// Bytes of memory that it took at most.
    pub runner: u64,
    /// Bytes of memory that all that it started took at most, in what was sampled; what is shared
    /// counts once.
    pub others: u64,
    /// Processes that it has started and that are there when it has ended.
    pub left: usize,
}

/// Runs a command in a folder that nothing else works in, and kills what is left of it.
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
            // A child that has not become another program yet still has the memory of the command.
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
        // It may end by itself at the same time.
        let _ = Command::new("kill")
            .args(["-KILL", &process.to_string()])
            .status();
    }
    Ok(watched)
}

/// The processes that work in a folder, which they inherit like their environment, but seldom leave;
/// those that have ended have none.
fn inside(folder: &Path) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|id| fs::read_link(format!("/proc/{id}/cwd")).is_ok_and(|it| it == folder))
        .collect()
}

/// The program that a process runs.
fn program(id: u32) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{id}/exe")).ok()
}

/// A number of a file of a process, in bytes.
fn kibibytes(id: u32, file: &str, key: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let number = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or_default() << 10
}

/// Seconds that a process has worked, in hundredths.
fn worked(id: u32) -> f64 {
    let text = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_ascii_whitespace().skip(11).take(2);
    // 100 ticks a second, as Linux tells it on every machine.
    ticks
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}
