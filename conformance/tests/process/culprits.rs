//! Liars that lie about one request: its case gets the verdict, and all others pass.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use exactum_conformance::Verdict::{self, Crash, Protocol, Timeout, WrongValue};
use exactum_conformance::run::PROCESS_WORKERS;
use libtest_mimic::{Failed, Trial};

use super::{State, compare, judge_liar, quiet, said, says};

/// Each liar with the verdict on its culprit and the message about it.
const CULPRITS: &[(&str, Verdict, &str)] = &[
    ("aborts", Crash, "SIGABRT"),
    ("panics", Crash, "exit code 101; stderr ends: "),
    ("panics", Crash, "a culprit was seen"),
    ("kills itself", Crash, "SIGKILL"),
    ("exits", Crash, "it ended with exit code 0"),
    (
        "exits with 3",
        Crash,
        "it ended with exit code 3; stderr ends: giving up",
    ),
    (
        "exits within its answer",
        Crash,
        "exit code 0 within a line, 20 bytes into it",
    ),
    ("dies later", Crash, "SIGABRT"),
    ("leaves a child", Crash, "exit code 4"),
    ("leaves a child out of its group", Crash, "exit code 4"),
    ("hangs", Timeout, "no answer within 2.0 s"),
    ("makes noise", Protocol, "not JSON"),
    (
        "says a number",
        Protocol,
        "a line that is not a JSON object: 77",
    ),
    ("wrong id", Protocol, "the id is \"99\", not "),
    (
        "id is a number",
        Protocol,
        "the id is a number, not the string ",
    ),
    ("no id", Protocol, "an answer without id"),
    (
        "neither ok nor reject",
        Protocol,
        "exactly one of ok, reject",
    ),
    ("ok and reject", Protocol, "exactly one of ok, reject"),
    ("output too short", Protocol, "shape"),
    ("output is a text", Protocol, "output"),
    ("message is a number", Protocol, "message is not a string"),
    (
        "another data type",
        WrongValue,
        "uint8 of shape [1], expected int8 of shape [1]",
    ),
    (
        "writes one line without end",
        Protocol,
        "a line longer than 1048576 bytes",
    ),
    ("writes lines without end", Protocol, "not JSON"),
    ("answers twice on a line", Protocol, "trailing characters"),
    ("answers twice", Protocol, "(after its answer)"),
    ("says more later", Protocol, "done."),
    (
        "closes stdout",
        Protocol,
        "it closed its standard output but is still running",
    ),
    ("closes stdin", Protocol, "it closed its standard input"),
    (
        "changes its group and hangs",
        Timeout,
        "no answer within 2.0 s",
    ),
    (
        "repeats a member",
        Protocol,
        "the member \"id\" occurs twice",
    ),
    (
        "repeats a member of its output",
        Protocol,
        "the member \"shape\" occurs twice",
    ),
    #[cfg(target_os = "linux")]
    ("takes memory in children", Crash, "the limit is 256 MiB"),
    #[cfg(target_os = "linux")]
    ("writes files in memory", Crash, "the limit is 256 MiB"),
    #[cfg(target_os = "linux")]
    (
        "takes all memory",
        Crash,
        "memory allocation of 1073741824 bytes failed",
    ),
];

/// Returns a test for each row.
pub(crate) fn trials() -> Vec<Trial> {
    let rows = CULPRITS.iter();
    rows.map(|&(name, verdict, words)| Trial::test(name, move || check(name, verdict, words)))
        .collect()
}

fn check(name: &str, verdict: Verdict, words: &str) -> Result<(), Failed> {
    let state = State::new();
    // One worker, so that the fault occurs in the middle of other cases; and two, as usual.
    for workers in [NonZeroUsize::MIN, PROCESS_WORKERS] {
        let begin = Instant::now();
        let report = judge_liar(name, &state, workers)?;
        compare(&report, &[("c77", verdict)])?;
        says(&said(&report, "c77"), words)?;
        quiet(&report)?;
        let took = begin.elapsed();
        if took > Duration::from_secs(15) {
            return Err(format!("it took {took:?}").into());
        }
    }
    Ok(())
}
