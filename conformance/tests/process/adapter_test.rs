//! The messages of `adapter-test` for the author of an adapter.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use exactum_conformance::model::Reason;
use exactum_conformance::pattern::Pattern;
use exactum_conformance::process::{Launch, Limits, Program};
use exactum_conformance::run::{self, PROCESS_WORKERS, Selection};
use exactum_conformance::vectors::{Expect, Suite};
use exactum_conformance::{Verdict, adapter_test};
use libtest_mimic::Failed;

use super::common::{case, output, suite};
use super::liar::CULPRIT;
use super::{State, launch, limits};

/// Liars whose report is a snapshot.
pub(crate) const LIARS: &[&str] = &[
    "honest",
    "always ok",
    "calls all else an error",
    "dies at the start",
    "dies of junk",
    "exits with 3",
    "hangs",
    "has no such exception",
    "id is a number",
    "is narrower than it says",
    "makes noise",
    "misspells a restriction",
    "never starts",
    "output too short",
    "says more later",
    "shows a dict",
    "stops within a request",
    "talks at the start",
];

/// Compares the output with the snapshot.
pub(crate) fn check(name: &str) -> Result<(), Failed> {
    let suite = suite(|group| {
        for byte in [CULPRIT, 1] {
            case(group, &format!("c{byte}"), &[byte, 2], output(&[byte, 2]));
        }
        for byte in [128, 255] {
            let expect = Expect::reject(Reason::OutOfRange);
            case(group, &format!("c{byte}"), &[byte], expect);
        }
    });
    let state = State::new();
    let mut launch = launch(name, &state);
    let limits = Limits {
        start: if name == "never starts" {
            Duration::from_millis(300)
        } else {
            limits().start
        },
        answer: 4 << 20,
        ..limits()
    };
    let mut text = String::new();
    let tested = adapter_test(&launch, &limits, &suite, &mut |part| text.push_str(part))?;
    let faults = tested.wrong + tested.doubtful;
    assert_eq!(faults == 0, name == "honest", "{text}");
    let program = launch.program.display().to_string();
    insta::assert_snapshot!(name.replace(' ', "_"), text.replace(&program, "adapter"));

    launch.program = "there/is/no/such/program".into();
    let error = adapter_test(&launch, &limits, &suite, &mut |_| {});
    assert!(error.is_err_and(|words| words.contains("cannot be started")));
    Ok(())
}

/// The README of the adapters, which contains a program.
const README: &str = include_str!("../../adapters/README.md");

/// The command that runs the program.
const PYTHON: &str = "python3";

/// Returns whether Python is available. The default build does not need it.
pub(crate) fn has_python() -> bool {
    let version = Command::new(PYTHON).arg("--version").output();
    version.is_ok_and(|output| output.status.success())
}

/// The adapter in the README speaks the protocol, and computes correctly what it offers.
pub(crate) fn check_readme() -> Result<(), Failed> {
    let (_, after) = README.split_once("```python\n").ok_or("no program")?;
    let (program, _) = after.split_once("```").ok_or("no end of the program")?;
    let file = State::new();
    fs::write(file.path(), program)?;
    let launch = Launch {
        name: "struct".into(),
        program: PYTHON.into(),
        arguments: vec![file.path().into()],
        ..Launch::default()
    };
    let suite = Suite::load(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../vectors")
            .as_path(),
    )
    .map_err(|error| error.to_string())?;
    let mut text = String::new();
    let tested = adapter_test(&launch, &Limits::default(), &suite, &mut |part| {
        text.push_str(part);
    })?;
    assert_eq!((tested.wrong, tested.doubtful), (0, 0), "{text}");

    let selection = Selection::new(vec![Pattern::selecting("cast_value/float*-float*")?]);
    let program = Program::new(launch);
    let make: run::Factory<'_> = &|| Box::new(program.process());
    let report = run::run(&suite, &selection, make, PROCESS_WORKERS, &|| {})?;
    let failures: Vec<_> = report.failures().collect();
    assert!(failures.is_empty(), "{failures:#?}");
    let passed = report.verdicts().get(&Verdict::Pass).copied();
    assert!(passed > Some(25), "{:?}", report.verdicts());
    Ok(())
}
