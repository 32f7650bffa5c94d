//! Virtual environments of Python.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::command::Step;
use super::folder::clear;
use super::task::Task;
use crate::lock::Packages;
use crate::registry::{Missing, Runtime};

/// Interpreters that are looked for, the machine's own first.
const NAMES: &[&str] = &[
    "python3",
    "python3.14",
    "python3.13",
    "python3.12",
    "python3.11",
];

const PROBE: &str = "import sys; print('%d.%d' % sys.version_info[:2])";

/// Finds a Python that is not older than `minimum`: the machine's own, or the one that was named.
///
/// # Errors
/// When there is none.
pub(super) fn find(minimum: &str, named: Option<&Path>) -> Result<PathBuf, Missing> {
    let mut seen = Vec::new();
    // The one that was named comes first; but where it is too old the machine's own may do.
    let candidates = named.into_iter().chain(NAMES.iter().map(Path::new));
    for candidate in candidates {
        match version(candidate) {
            Some(version) if at_least(&version, minimum) => return Ok(candidate.to_owned()),
            Some(version) => seen.push(format!("{} is {version}", candidate.display())),
            None if Some(candidate) == named => {
                seen.push(format!("{} does not run", candidate.display()));
            }
            None => {}
        }
    }
    let seen = if seen.is_empty() {
        "there is none".into()
    } else {
        seen.join(", ")
    };
    Err(Missing {
        why: format!("it needs Python {minimum} or newer; {seen}"),
        remedy: format!("name one: {} --python PATH", crate::registry::SET_UP),
        unreachable: false,
    })
}

fn version(python: &Path) -> Option<String> {
    let output = Command::new(python).args(["-c", PROBE]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let version = text.trim();
    (output.status.success() && numbers(version).is_some()).then(|| version.to_owned())
}

fn numbers(version: &str) -> Option<Vec<u32>> {
    version.split('.').map(|part| part.parse().ok()).collect()
}

fn at_least(version: &str, minimum: &str) -> bool {
    numbers(version) >= numbers(minimum)
}

/// Makes a virtual environment with these packages and no others.
///
/// # Errors
/// The step that failed.
pub(super) fn make(
    task: &Task<'_>,
    peers: &Path,
    python: &Path,
    packages: &Packages,
) -> Result<Runtime, Missing> {
    let folder = peers.join(task.name);
    let inner = if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    };
    let runtime = Runtime {
        program: folder.join(inner),
        root: None,
    };
    let interpreter = || Command::new(&runtime.program);
    // One that was left without its state may still be whole.
    if runtime.program.exists() && check(task, &interpreter, packages).is_ok() {
        return Ok(runtime);
    }
    task.say("making a virtual environment");
    clear(&folder)?;
    let mut command = Command::new(python);
    command.args(["-m", "venv"]).arg(&folder);
    task.log.run(Step {
        command,
        limit: Duration::from_secs(180),
        network: false,
        remedy: "the modules venv and ensurepip are needed (on Debian and Ubuntu: apt-get \
                 install python3-venv)",
    })?;
    install(task, &interpreter, packages)?;
    Ok(runtime)
}

/// Installs packages and sees that they are there.
///
/// # Errors
/// The step that failed.
pub(super) fn install(
    task: &Task<'_>,
    interpreter: &dyn Fn() -> Command,
    packages: &Packages,
) -> Result<(), Missing> {
    task.say(&format!("installing {} packages", packages.len()));
    let mut command = interpreter();
    command.args([
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
        // All that is needed is in the lock, and nothing is built on the way.
        "--no-deps",
        "--only-binary=:all:",
        "--retries=2",
        "--timeout=60",
    ]);
    command.args(
        packages
            .iter()
            .map(|(name, version)| format!("{name}=={version}")),
    );
    task.log.run(Step {
        command,
        limit: Duration::from_secs(900),
        network: true,
        remedy: "see whether pip reaches its index; where it has no package for this Python or \
                 machine, leave the peer out (--without) or name another Python (--python PATH)",
    })?;
    check(task, interpreter, packages)
}

/// Sees that exactly these packages are there.
pub(super) fn check(
    task: &Task<'_>,
    interpreter: &dyn Fn() -> Command,
    packages: &Packages,
) -> Result<(), Missing> {
    let mut command = interpreter();
    let pip = [
        "-m",
        "pip",
        "list",
        "--format=freeze",
        "--disable-pip-version-check",
    ];
    command.args(pip);
    let listing = task.log.run(Step {
        command,
        limit: Duration::from_secs(120),
        network: false,
        remedy: crate::registry::SET_UP,
    })?;
    let there = listed(&listing);
    if there == *packages {
        return Ok(());
    }
    Err(Missing::set_up(format!(
        "{}: pip installed {there:?}, the lock has {packages:?}",
        task.name
    )))
}

/// The packages of `pip list --format=freeze`, by their normal names; what comes with every
/// environment is left out.
fn listed(listing: &str) -> Packages {
    listing
        .lines()
        .filter_map(|line| line.split_once("=="))
        .map(|(name, version)| (name.to_lowercase().replace(['_', '.'], "-"), version))
        .filter(|(name, _)| !matches!(name.as_str(), "pip" | "setuptools" | "wheel"))
        .map(|(name, version)| (name, version.trim().to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        for (version, minimum, expected) in [
            ("3.12", "3.12", true),
            ("3.9", "3.12", false),
            ("3.13", "3.9", true),
            ("4.0", "3.12", true),
        ] {
            assert_eq!(at_least(version, minimum), expected, "{version} {minimum}");
        }
    }

    #[test]
    fn a_python_that_is_too_old_is_told() {
        let missing = find("99.0", Some(Path::new("no-such-python"))).expect_err("too old");
        assert!(missing.why.contains("99.0 or newer"), "{missing:?}");
        assert!(
            missing.why.contains("no-such-python does not run"),
            "{missing:?}"
        );
        assert!(missing.remedy.contains("--python PATH"), "{missing:?}");
    }

    #[test]
    fn packages_are_known_by_their_normal_names() {
        let there = listed("PyYAML==6.0.3\nml_dtypes==0.6.0\npip==25.1.1\n[notice] new\n");
        let expected = [("ml-dtypes", "0.6.0"), ("pyyaml", "6.0.3")];
        assert_eq!(
            there,
            expected
                .map(|(name, version)| (name.into(), version.into()))
                .into()
        );
    }
}
