//! Many quick faults from several workers: every verdict is right, and nothing is left behind.
//!
//! It runs in a separate process, so that leftover processes can be counted.

use std::num::NonZeroUsize;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use exactum_conformance::Verdict;
use exactum_conformance::process::Limits;
use libtest_mimic::Failed;

use super::common::{case, output, suite};
use super::liar::{CULPRIT, TURNS};
use super::{State, compare, judge, limits, program};

/// The argument that makes this program run the stress test.
pub(crate) const STRESS: &str = "--stress";

/// The number of faults of each kind.
const ROUNDS: usize = 12;

/// Starts the stress test and reads its exit code.
pub(crate) fn check() -> Result<(), Failed> {
    let output = Command::new(env::current_exe()?).arg(STRESS).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
}

/// Runs the stress test. A panic is its report.
pub(crate) fn run() -> ExitCode {
    let suite = suite(|group| {
        for round in 0..ROUNDS {
            for turn in 0..TURNS.len() {
                let turn = u8::try_from(turn).expect("a few");
                let input = [CULPRIT, turn];
                case(group, &format!("{turn}-{round}"), &input, output(&input));
                case(
                    group,
                    &format!("right-{turn}-{round}"),
                    &[turn],
                    output(&[turn]),
                );
            }
        }
    });
    let limits = Limits {
        restarts: 10_000,
        case: Duration::from_secs(20),
        ..limits()
    };
    let state = State::new();
    let before = (threads(), files());
    let workers = NonZeroUsize::new(4).expect("not 0");
    let report = judge(&suite, &program("by turns", &state, limits), workers);
    let report = report.expect("a suite in order");
    let names: Vec<String> = (0..ROUNDS)
        .flat_map(|round| (0..TURNS.len()).map(move |turn| format!("{turn}-{round}")))
        .collect();
    let expected: Vec<(&str, Verdict)> = names
        .iter()
        .map(|name| {
            let protocol = name.starts_with('2') || name.starts_with('4');
            let verdict = if protocol {
                Verdict::Protocol
            } else {
                Verdict::Crash
            };
            (name.as_str(), verdict)
        })
        .collect();
    if let Err(failed) = compare(&report, &expected) {
        panic!("{}", failed.message().unwrap_or_default());
    }
    assert_eq!(report.notices, [], "all faults repeat");
    // The threads at the pipes end on their own soon after the processes.
    let begin = Instant::now();
    while (threads(), files()) != before && begin.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!((threads(), files()), before, "threads and open files");
    assert_eq!(children(), "", "children");
    ExitCode::SUCCESS
}

fn threads() -> usize {
    entries("/proc/self/task")
}

fn files() -> usize {
    entries("/proc/self/fd")
}

fn entries(folder: &str) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}

/// Lists the children of the first thread and of ended threads; returns an empty text on systems other than Linux.
fn children() -> String {
    let id = std::process::id();
    fs::read_to_string(format!("/proc/self/task/{id}/children")).unwrap_or_default()
}
