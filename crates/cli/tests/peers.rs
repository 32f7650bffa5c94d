//! Tests how the command runs third-party programs, and that nothing is lost if a file cannot be written. The programs
//! are scripts, so that the tests do not need a registry.
#![cfg(unix)]

mod support;

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use exactum_peers::lock::Lock;
use exactum_peers::registry::{Missing, Registry, Runtime, State};
use serde_json::Value;
use support::{Scratch, check_command, exactum, said};

const PAIR: &str = "cast_value/float64-float16";

/// The peer that needs no adapter.
const PEER: &str = "zfp-c";

impl Scratch {
    /// Records the state of the environment of the peer.
    fn state(&self, outcome: Result<Runtime, Missing>) {
        let state = State {
            environment: lock().environments[PEER].clone(),
            outcome,
        };
        let text = serde_json::to_string(&state).expect("JSON");
        fs::create_dir_all(self.path().join(PEER)).expect("a folder");
        fs::write(State::path(self.path(), PEER), text).expect("a file");
    }

    /// Turns the peer into a script that reports a version.
    fn script(&self, version: &str) {
        let hello = format!(
            r#"{{"id":"0","ok":{{"protocol":1,"name":"{PEER}","version":"{version}","language":"sh","operations":{{}}}}}}"#
        );
        let program = self.path().join("script");
        let text = format!("#!/bin/sh\nread line\necho '{hello}'\nread line\n");
        fs::write(&program, text).expect("a file");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
        self.state(Ok(Runtime {
            program,
            unprivileged: false,
        }));
    }

    fn exactum(&self, arguments: &[&str]) -> Command {
        let mut command = exactum(arguments);
        command.env("EXACTUM_PEERS", self.path());
        command
    }

    #[track_caller]
    fn check(&self, arguments: &[&str], code: i32, says: &[&str]) -> String {
        check_command(&mut self.exactum(arguments), code, says)
    }
}

fn lock() -> Lock {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Lock::load(&root).expect("a lock")
}

/// Returns the arguments of `run --peers` for one peer and no other program.
fn run<'a>(without: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["run", "--peers", "--only", PAIR, "--without"];
    arguments.extend(without.iter().map(String::as_str));
    arguments.extend(more);
    arguments
}

fn others() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = Registry::open(&root).expect("a registry").names();
    names.into_iter().filter(|name| name != PEER).collect()
}

#[test]
fn who_is_missing_is_reported_and_the_others_are_judged() {
    let scratch = Scratch::new();
    let (without, json, junit) = (others(), scratch.file("json"), scratch.file("junit"));
    let files = ["--json", &json, "--junit", &junit];
    scratch.check(
        &run(&without, &files),
        1,
        &[
            "reference",
            "zfp-c is missing: zfp-c is not set up",
            "cargo xtask peers",
            "1 missing",
            "0 not as expected",
        ],
    );
    let report: Value =
        serde_json::from_str(&fs::read_to_string(json).expect("a report")).expect("JSON");
    assert_eq!(report["missing"][0]["name"], PEER);
    let junit = fs::read_to_string(junit).expect("a report");
    assert!(junit.contains("<testsuite name=\"zfp-c\" tests=\"1\" failures=\"1\""));

    let mut all = without.clone();
    all.push(PEER.into());
    scratch.check(&run(&all, &[]), 0, &["5 implementations ran "]);

    scratch.state(Err(Missing {
        why: "cargo build: exit status: 101".into(),
        remedy: "get a C compiler".into(),
        unreachable: false,
    }));
    scratch.check(
        &run(&without, &[]),
        1,
        &["missing: cargo build: exit status: 101", "get a C compiler"],
    );
    scratch.check(
        &["explain", &first_case(), "--implementation", PEER],
        2,
        &["zfp-c is missing"],
    );
    scratch.check(
        &["run", "--peers", "--without", "unheard-of"],
        2,
        &["there is no implementation unheard-of"],
    );
    scratch.check(&["run", "--without", PEER], 2, &["--peers"]);
}

/// Returns the id of a case of the pair.
fn first_case() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let text = fs::read_to_string(root.join(format!("{PAIR}.json"))).expect("vectors");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let group = &file["groups"][0];
    let id = |value: &Value| value["id"].as_str().expect("an id").to_owned();
    format!("{}/{}", id(group), id(&group["cases"][0]))
}

#[test]
fn a_version_that_is_not_the_locks_is_reported() {
    let scratch = Scratch::new();
    let without = others();
    scratch.script("0.9");
    scratch.check(
        &run(&without, &[]),
        1,
        &["it reports zfp-c 0.9, but conformance/peers.lock has 1.0.1"],
    );
    scratch.script("1.0.1");
    scratch.check(
        &run(&without, &[]),
        0,
        &["Nothing to judge: zfp-rs, zfp-c.", "0 not as expected"],
    );
    scratch.check(
        &["run", "--implementation", PEER, "--only", PAIR],
        1,
        &["Nothing to judge", "nothing was judged"],
    );
}

/// Reports are written to several files, one of which is on a full disk. The others are still written.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_keeps_no_other_report_and_no_exit_code() {
    let scratch = Scratch::new();
    let flags = ["--json", "--junit", "--html"];
    let names = flags.map(|flag| scratch.file(flag.trim_start_matches('-')));
    for full in 0..flags.len() {
        let mut arguments = vec!["run", "--implementation", "reference", "--only", PAIR];
        for (place, flag) in flags.iter().enumerate() {
            let name = if place == full {
                "/dev/full"
            } else {
                &names[place]
            };
            arguments.extend([*flag, name]);
        }
        scratch.check(&arguments, 2, &["/dev/full: ", "0 not as expected"]);
        let written = names.iter().filter(|name| fs::remove_file(name).is_ok());
        assert_eq!(written.count(), 2, "{}", flags[full]);
    }
    // The finding still determines the exit code.
    let without = others();
    scratch.check(
        &run(&without, &["--html", "/dev/full"]),
        1,
        &["1 missing", "/dev/full: "],
    );
    // A report in another file is not affected.
    let output = scratch
        .exactum(&run(&without, &["--json", &names[0]]))
        .stdout(
            File::options()
                .write(true)
                .open("/dev/full")
                .expect("a device"),
        )
        .output()
        .expect("it starts");
    said("run", &output, 1, &["standard output: "]);
    assert!(fs::metadata(&names[0]).is_ok_and(|file| file.len() > 100));
}

#[test]
fn a_reader_that_goes_away_takes_nothing_along() {
    let scratch = Scratch::new();
    let (without, json) = (others(), scratch.file("report.json"));
    for (names, code) in [(others(), 1), ([without, vec![PEER.into()]].concat(), 0)] {
        let mut child = scratch
            .exactum(&run(&names, &["--json", &json]))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        said("run", &output, code, &[]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        fs::remove_file(&json).expect("a report");
    }
}

/// Returns whether a process runs; a process that has ended and waits to be reaped does not.
#[cfg(target_os = "linux")]
fn lives(id: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_survives_an_interruption() {
    use std::thread::sleep;
    use std::time::Duration;
    for signal in ["INT", "TERM", "HUP"] {
        let scratch = Scratch::new();
        let (program, ids) = (scratch.path().join("hangs"), scratch.file("ids"));
        // It answers nothing, reads nothing, and has started a process with a separate session.
        let text = format!(
            "#!/bin/sh\nsetsid sleep 1000 &\nprintf '%s ' $! $$ >>{ids}\nexec sleep 1000\n"
        );
        fs::write(&program, text).expect("a file");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
        let mut command = scratch.exactum(&["run", "--only", PAIR, "--command", "hangs", "--"]);
        command
            .arg(&program)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut runner = command.spawn().expect("it starts");
        // The first start only shows that it can be started.
        let started = || fs::read_to_string(&ids).unwrap_or_default();
        for _ in 0..3000 {
            if started().split_whitespace().filter(|id| lives(id)).count() > 1 {
                break;
            }
            sleep(Duration::from_millis(10));
        }
        sleep(Duration::from_millis(100));
        let kill = Command::new("kill")
            .args([format!("-{signal}"), runner.id().to_string()])
            .status();
        assert!(kill.expect("it starts").success());
        let status = runner.wait().expect("it ends");
        assert_eq!(status.code(), None, "{signal}: {status}");
        let ids = started();
        let alive: Vec<&str> = ids.split_whitespace().filter(|id| lives(id)).collect();
        assert!(alive.is_empty(), "{signal}: {alive:?} of {ids}");
    }
}

/// SIGKILL leaves the command no time to end its children: a program ends because its input does. To be notified of the
/// death of its parent, a process has to ask the kernel between fork and exec, which takes unsafe code.
#[cfg(target_os = "linux")]
#[test]
fn a_reader_ends_with_a_runner_that_was_killed() {
    use std::thread::sleep;
    use std::time::Duration;
    let scratch = Scratch::new();
    let (program, ids) = (scratch.path().join("reads"), scratch.file("ids"));
    let text = format!("#!/bin/sh\nprintf '%s ' $$ >>{ids}\nwhile read line; do :; done\n");
    fs::write(&program, text).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    let mut command = scratch.exactum(&["run", "--only", PAIR, "--command", "reads", "--"]);
    command
        .arg(&program)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut runner = command.spawn().expect("it starts");
    let alive = || {
        let ids = fs::read_to_string(&ids).unwrap_or_default();
        ids.split_whitespace().filter(|id| lives(id)).count()
    };
    let wait_until = |done: &dyn Fn() -> bool| {
        (0..3000).any(|_| {
            sleep(Duration::from_millis(10));
            done()
        })
    };
    assert!(wait_until(&|| alive() > 0), "it starts");
    runner.kill().expect("it is ours");
    runner.wait().expect("it ends");
    assert!(wait_until(&|| alive() == 0), "{} are left", alive());
}
