use std::process::Command;
use std::time::Duration;

use super::command::{Log, Step};
use super::*;

fn step(script: &str, network: bool) -> Step<'_> {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    Step {
        command,
        limit: Duration::from_millis(400),
        network,
        remedy: "mend it",
    }
}

#[cfg(unix)]
#[test]
fn a_command_that_fails_says_what_and_why() {
    let scratch = tempfile::tempdir().expect("a folder");
    let log = Log::new(scratch.path().join("log"));
    assert_eq!(log.run(step("echo fine", false)), Ok("fine\n".into()));
    for (script, network, parts, unreachable) in [
        (
            "seq 20; echo broken >&2; exit 3",
            true,
            vec!["sh -c", "exit status: 3", "\n    20\n    broken", "log)"],
            false,
        ),
        (
            "echo connection refused; exit 1",
            true,
            vec!["connection refused"],
            true,
        ),
        (
            "echo connection refused; exit 1",
            false,
            vec!["connection refused"],
            false,
        ),
        ("sleep 20", true, vec!["not finished within 0 s"], true),
        ("sleep 20", false, vec!["not finished within 0 s"], false),
    ] {
        let missing = log.run(step(script, network)).expect_err(script);
        for part in parts {
            assert!(missing.why.contains(part), "{script}: {}", missing.why);
        }
        assert!(
            !missing.why.contains("\n    1\n"),
            "only the last lines: {}",
            missing.why
        );
        assert_eq!(missing.unreachable, unreachable, "{script}");
        assert_eq!(missing.remedy, "mend it");
    }
    let mut nowhere = step("", true);
    nowhere.command = Command::new("no-such-program");
    let missing = log.run(nowhere).expect_err("it cannot be started");
    assert!(missing.why.contains("cannot be started"), "{}", missing.why);
}

/// Programs that are built with the same tools request them at the same time, and neither removes the files that the
/// other creates.
#[test]
fn an_environment_that_several_need_is_made_once() {
    let scratch = tempfile::tempdir().expect("a folder");
    // No Python is this new, so nothing is downloaded.
    let lock = "[environments.tools]\nkind = \"python\"\nminimum = \"9.0\"\npackages = { a = \"1\" }\n\
                [peers.a]\nenvironment = \"tools\"\nadapter = \"a.py\"\n";
    let registry = Registry {
        lock: crate::lock::Lock::parse(lock).expect("a lock"),
        folder: scratch.path().to_owned(),
        adapters: scratch.path().to_owned(),
        exactum: scratch.path().join("exactum"),
    };
    let ended = std::sync::Mutex::new(Vec::new());
    let watch = |name: &str, step: Option<&str>| {
        if step.is_none() {
            ended.lock().expect("nothing panics").push(name.to_owned());
        }
    };
    let options = Options {
        without: Vec::new(),
        python: None,
    };
    let maker = Maker {
        registry: &registry,
        root: scratch.path(),
        options: &options,
        watch: &watch,
        made: BTreeMap::from([("tools", OnceLock::new())]),
    };
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert!(maker.environment("tools").is_err()));
        }
    });
    assert_eq!(*ended.lock().expect("nothing panics"), ["tools"]);
}
