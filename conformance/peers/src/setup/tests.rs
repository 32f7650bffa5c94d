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

/// A log in a folder that is gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("exactum-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays behind harms nobody.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(unix)]
#[test]
fn a_command_that_fails_says_what_and_why() {
    let scratch = Scratch::new("setup-log");
    let log = Log::new(scratch.0.join("log"));
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
        ("sleep 20", true, vec!["not done within 0 s"], true),
        ("sleep 20", false, vec!["not done within 0 s"], false),
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
