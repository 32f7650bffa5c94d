//! Liars: the culprit of each gets the verdict that it deserves, and all other cases keep theirs.
//!
//! This program starts itself as the liar, so that only Rust is needed.

mod adapter_test;
#[path = "../common/mod.rs"]
mod common;
mod culprits;
mod liar;
mod stress;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use common::{case, output, suite};
use exactum_conformance::model::Reason;
use exactum_conformance::process::{Launch, Limits, Program};
use exactum_conformance::run::{self, Notice, PROCESS_WORKERS, Report, Selection};
use exactum_conformance::vectors::{Expect, Suite};
use exactum_conformance::{Implementation as _, Verdict};
use liar::{CULPRIT, LIAR, STATE};
use libtest_mimic::{Arguments, Failed, Trial};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::NamedTempFile;

/// A separate test.
type Check = fn() -> Result<(), Failed>;

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    match arguments.next().as_deref() {
        Some(LIAR) => {
            liar::run(&arguments.next().unwrap_or_default());
            return ExitCode::SUCCESS;
        }
        Some(stress::STRESS) => return stress::run(),
        _ => {}
    }
    let mut trials = culprits::trials();
    let others: [(&str, Check); 14] = [
        ("honest adapters pass", honest_adapters_pass),
        ("always ok", always_ok),
        ("fails once", fails_once),
        ("does not start", does_not_start),
        ("restarts are used up", restarts_are_used_up),
        (
            "known hangs are waited for once",
            known_hangs_are_waited_for_once,
        ),
        ("killed from outside", killed_from_outside),
        ("children of a child", children_of_a_child),
        ("nothing is left behind", nothing_is_left_behind),
        ("stops reading", stops_reading),
        ("words are cut and cleaned", words_are_cut_and_cleaned),
        ("the run ends in time", the_run_ends_in_time),
        ("no such program", no_such_program),
        ("many quick faults", stress::check),
    ];
    trials.extend(adapter_test::LIARS.iter().map(|&name| {
        Trial::test(format!("adapter-test: {name}"), move || {
            adapter_test::check(name)
        })
    }));
    trials.push(
        Trial::test("the adapter in the README", adapter_test::check_readme)
            .with_ignored_flag(!adapter_test::has_python()),
    );
    trials.extend(others.map(|(name, check)| Trial::test(name, check)));
    let mut arguments = Arguments::from_args();
    // Most of these tests wait for a program that hangs, so more of them run at a time than there are processors.
    arguments.test_threads.get_or_insert(4);
    libtest_mimic::run(&arguments, trials).exit_code()
}

use Verdict::{Crash, Protocol, Timeout};

/// Cases around the culprit: results, rejections, and a request that is too large for a pipe.
fn cases() -> Suite {
    suite(|group| {
        for byte in [1, 2, 3, CULPRIT, 4, 5] {
            case(group, &format!("c{byte}"), &[byte], output(&[byte]));
        }
        case(group, "large", &vec![9; 300_000], output(&vec![9; 300_000]));
        for byte in [128, 255] {
            let expect = Expect::reject(Reason::OutOfRange);
            case(group, &format!("c{byte}"), &[byte], expect);
        }
    })
}

fn limits() -> Limits {
    Limits {
        start: Duration::from_secs(20),
        case: Duration::from_secs(2),
        hangs: BTreeSet::new(),
        case_per_mebibyte: Duration::from_secs(1),
        memory: 256 << 20,
        answer: 1 << 20,
        restarts: 8,
        total: Duration::from_secs(600),
        grace: Duration::from_millis(500),
    }
}

/// A liar's own file, which is deleted afterwards.
struct State(NamedTempFile);

impl State {
    fn new() -> Self {
        Self(NamedTempFile::new().expect("a file"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Waits for the number that the liar writes, and returns it.
    fn number(&self) -> i32 {
        for _ in 0..1000 {
            let text = fs::read_to_string(self.path()).unwrap_or_default();
            if let Ok(number) = text.parse() {
                return number;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("the liar has not written its number");
    }
}

fn program(name: &str, state: &State, limits: Limits) -> Program {
    Program::with_limits(launch(name, state), limits)
}

fn launch(name: &str, state: &State) -> Launch {
    Launch {
        name: name.into(),
        program: env::current_exe().expect("a program"),
        arguments: vec![LIAR.into(), name.into()],
        environment: vec![
            (STATE.into(), state.path().into()),
            ("RUST_BACKTRACE".into(), "0".into()),
        ],
        ..Launch::default()
    }
}

fn judge(suite: &Suite, program: &Program, workers: NonZeroUsize) -> Result<Report, Failed> {
    let make: run::Factory<'_> = &|| Box::new(program.process());
    Ok(run::run(
        suite,
        &Selection::default(),
        make,
        workers,
        &|| {},
    )?)
}

/// Judges a liar by the cases around the culprit, under the default limits.
fn judge_liar(name: &str, state: &State, workers: NonZeroUsize) -> Result<Report, Failed> {
    judge(&cases(), &program(name, state, limits()), workers)
}

/// Compares all verdicts. Cases that are not listed must pass.
fn compare(report: &Report, exceptions: &[(&str, Verdict)]) -> Result<(), Failed> {
    for judged in &report.cases {
        let id = judged.case.rsplit('/').next().unwrap_or_default();
        let exception = exceptions.iter().find(|(case, _)| *case == id);
        let expected = exception.map_or(Verdict::Pass, |(_, verdict)| *verdict);
        if judged.verdict != expected {
            return Err(format!(
                "{id}: {} instead of {expected}\n{report:#?}",
                judged.verdict
            )
            .into());
        }
    }
    Ok(())
}

fn said(report: &Report, case: &str) -> String {
    let judged = report
        .cases
        .iter()
        .find(|judged| judged.case.ends_with(case));
    judged
        .and_then(|judged| judged.difference.as_ref())
        .map(ToString::to_string)
        .unwrap_or_default()
}

fn says(text: &str, words: &str) -> Result<(), Failed> {
    if text.contains(words) {
        return Ok(());
    }
    Err(format!("{words:?} is not said, but {text:?}").into())
}

fn quiet(report: &Report) -> Result<(), Failed> {
    if report.notices.is_empty() {
        return Ok(());
    }
    Err(format!("{:?}", report.notices).into())
}

fn only_notice(report: &Report) -> Result<&Notice, Failed> {
    match report.notices.as_slice() {
        [notice] => Ok(notice),
        notices => Err(format!("{notices:?}").into()),
    }
}

fn honest_adapters_pass() -> Result<(), Failed> {
    let state = State::new();
    for name in ["honest", "slow start"] {
        for workers in [1, 2, 5] {
            let workers = NonZeroUsize::new(workers).expect("not 0");
            let report = judge_liar(name, &state, workers)?;
            compare(&report, &[])?;
            quiet(&report)?;
            let order: Vec<&str> = report
                .cases
                .iter()
                .filter_map(|judged| judged.case.rsplit('/').next())
                .collect();
            assert_eq!(
                order,
                ["c1", "c2", "c3", "c77", "c4", "c5", "large", "c128", "c255"]
            );
            assert_eq!(report.hello.name, "liar");
        }
    }
    Ok(())
}

fn always_ok() -> Result<(), Failed> {
    let state = State::new();
    let report = judge_liar("always ok", &state, PROCESS_WORKERS)?;
    compare(
        &report,
        &[("c128", Verdict::Accepted), ("c255", Verdict::Accepted)],
    )
}

/// A fault that does not repeat is not a verdict, but it is reported.
fn fails_once() -> Result<(), Failed> {
    let state = State::new();
    let report = judge_liar("fails once", &state, PROCESS_WORKERS)?;
    compare(&report, &[])?;
    let notice = only_notice(&report)?;
    says(&notice.case, "/c77")?;
    assert_eq!(notice.verdict, Crash);
    says(&notice.words, "SIGABRT")
}

fn does_not_start() -> Result<(), Failed> {
    let state = State::new();
    let short = Limits {
        start: Duration::from_millis(300),
        ..limits()
    };
    for (name, limits, words) in [
        (
            "never starts",
            short.clone(),
            "it does not start: no answer within 0.3 s",
        ),
        (
            "slow start",
            short,
            "it does not start: no answer within 0.3 s",
        ),
        (
            "dies at the start",
            limits(),
            "exit code 1; stderr ends: no module named liar",
        ),
        ("talks at the start", limits(), "not JSON"),
        (
            "misspells a restriction",
            limits(),
            "cannot be restricted by \"fron\"; the nearest key is \"from\"",
        ),
    ] {
        let report = judge(&cases(), &program(name, &state, limits), PROCESS_WORKERS)?;
        if report
            .cases
            .iter()
            .any(|judged| judged.verdict != Verdict::NotRun)
        {
            return Err(format!("{report:#?}").into());
        }
        says(&said(&report, "c1"), words)?;
    }
    Ok(())
}

/// Restarts are counted per program, not per worker. Cases that were already judged keep their verdicts.
fn restarts_are_used_up() -> Result<(), Failed> {
    let suite = suite(|group| {
        case(group, "right", &[1], output(&[1]));
        for index in 0..6 {
            case(
                group,
                &format!("wrong{index}"),
                &[CULPRIT],
                output(&[CULPRIT]),
            );
        }
        case(group, "left", &[1], output(&[1]));
    });
    let state = State::new();
    let limits = Limits {
        restarts: 3,
        ..limits()
    };
    let program = program("aborts", &state, limits);
    let report = judge(&suite, &program, NonZeroUsize::MIN)?;
    compare(
        &report,
        &[
            ("wrong0", Crash),
            ("wrong1", Crash),
            ("wrong2", Crash),
            // It still gets its verdict, but without a second attempt.
            ("wrong3", Crash),
            ("wrong4", Verdict::NotRun),
            ("wrong5", Verdict::NotRun),
            ("left", Verdict::NotRun),
        ],
    )?;
    says(
        &said(&report, "left"),
        "it failed more than 3 times, the last time on ",
    )?;
    says(&said(&report, "left"), "wrong3; `--restarts N` allows more")
}

/// A request that is known to take too long is sent only once.
fn known_hangs_are_waited_for_once() -> Result<(), Failed> {
    let (state, suite, all) = (State::new(), cases(), Selection::default());
    let ids = all.cases(&suite).map(|(_, _, id)| id);
    let known = Limits {
        hangs: ids.filter(|id| id.ends_with("/c77")).collect(),
        ..limits()
    };
    let report = judge(&suite, &program("hangs", &state, known), NonZeroUsize::MIN)?;
    compare(&report, &[("c77", Timeout)])?;
    quiet(&report)?;
    // A second attempt would be mentioned: "again when sent alone".
    says(&said(&report, "c77"), "no answer within 2.0 s, expected")
}

/// If another process kills the adapter during a request or between two, no case is lost.
fn killed_from_outside() -> Result<(), Failed> {
    let state = State::new();
    let program = program("waits to be killed", &state, limits());
    let report = thread::scope(|scope| {
        scope.spawn(|| {
            let pid = Pid::from_raw(state.number()).expect("a number of a process");
            kill_process(pid, Signal::KILL).expect("it lives");
        });
        judge(&cases(), &program, PROCESS_WORKERS)
    })?;
    compare(&report, &[])?;
    let notice = only_notice(&report)?;
    says(&notice.words, "SIGKILL")
}

/// Everything that a child has started ends with it: its group everywhere, and on Linux also descendants in a session
/// of their own, and those that hide their environment while their parent lives.
fn children_of_a_child() -> Result<(), Failed> {
    let elsewhere = !cfg!(target_os = "linux");
    for (name, verdict, stays) in [
        ("leaves a child", Crash, false),
        ("leaves a child out of its group", Crash, elsewhere),
        ("starts what hides and hangs", Timeout, elsewhere),
    ] {
        let state = State::new();
        let report = judge_liar(name, &state, NonZeroUsize::MIN)?;
        compare(&report, &[("c77", verdict)])?;
        let lives = liar::lives(state.number());
        if lives != stays {
            return Err(format!("{name}: its child lives: {lives}").into());
        }
    }
    Ok(())
}

/// Messages are short and plain in the report, regardless of their original length and content.
fn words_are_cut_and_cleaned() -> Result<(), Failed> {
    let state = State::new();
    let name = "says much and colours it";
    let report = judge_liar(name, &state, NonZeroUsize::MIN)?;
    compare(&report, &[("c77", Protocol)])?;
    let said = said(&report, "c77");
    if said.len() > 2000 || exactum_conformance::text::clean(&said) != said {
        return Err(format!("{} bytes: {said:.200}", said.len()).into());
    }
    says(&said, "reference  1  100 %")
}

/// A program that stays within the limit of each case cannot prolong the run without end.
fn the_run_ends_in_time() -> Result<(), Failed> {
    let state = State::new();
    let short = Limits {
        total: Duration::from_secs(2),
        ..limits()
    };
    let begin = Instant::now();
    let report = judge(
        &cases(),
        &program("takes its time", &state, short),
        NonZeroUsize::MIN,
    )?;
    let took = begin.elapsed();
    if took > Duration::from_secs(8) {
        return Err(format!("it took {took:?}").into());
    }
    let last = report.cases.last().map(|judged| judged.verdict);
    assert_eq!(last, Some(Verdict::NotRun));
    assert!(
        report
            .cases
            .iter()
            .all(|judged| matches!(judged.verdict, Verdict::Pass | Verdict::NotRun)),
        "{report:#?}"
    );
    says(
        &said(&report, "c255"),
        "the time limit of 2 s for the run has expired, after ",
    )
}

fn no_such_program() -> Result<(), Failed> {
    let state = State::new();
    let launch = Launch {
        program: "there/is/no/such/program".into(),
        ..launch("honest", &state)
    };
    let why = Program::new(launch).process().hello();
    let why = why.expect_err("there is no such program");
    says(why.words(), "there/is/no/such/program cannot be started: ")
}

/// When a process is dropped, it ends at once if it reads its input, and is killed otherwise.
fn nothing_is_left_behind() -> Result<(), Failed> {
    let state = State::new();
    for (name, most) in [("honest", 400), ("stops reading", 1500)] {
        let mut process = program(name, &state, limits()).process();
        process
            .hello()
            .map_err(|failure| failure.words().to_owned())?;
        let request = common::members(serde_json::json!({
            "op": "cast_value.encode",
            "configuration": r#"{"data_type":"int8"}"#,
            "input": {"data_type": "uint8", "shape": [1], "data": "4d"},
        }));
        let answer = process.call(&exactum_conformance::Request::new(request));
        answer.map_err(|failure| failure.words().to_owned())?;
        let id = process.id().and_then(|id| i32::try_from(id).ok());
        let begin = Instant::now();
        drop(process);
        let took = begin.elapsed();
        if took > Duration::from_millis(most) || id.is_none_or(liar::lives) {
            return Err(format!("{name}: {took:?}").into());
        }
        let reaped = !PathBuf::from(format!("/proc/{}", id.unwrap_or_default())).exists();
        assert!(reaped, "{name}: a zombie");
    }
    Ok(())
}

/// The program answers and then stops reading: the next request is stuck in the pipe, and the verdict goes to the
/// previous request. If it stops reading in the middle of a request, that request is the culprit.
fn stops_reading() -> Result<(), Failed> {
    let suite = suite(|group| {
        case(group, "c77", &[CULPRIT], output(&[CULPRIT]));
        case(group, "large", &vec![9; 300_000], output(&vec![9; 300_000]));
        case(group, "after", &[1], output(&[1]));
    });
    let state = State::new();
    let one = NonZeroUsize::MIN;
    let report = judge(&suite, &program("stops reading", &state, limits()), one)?;
    compare(&report, &[("c77", Timeout)])?;
    quiet(&report)?;
    let report = judge(
        &suite,
        &program("stops within a request", &state, limits()),
        one,
    )?;
    compare(&report, &[("large", Timeout)])?;
    says(&said(&report, "large"), "it has not read the whole request")
}
