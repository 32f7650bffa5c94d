//! Python's virtual environments.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use exactum_conformance::process::as_nobody;

use super::command::Step;
use super::folder::clear;
use super::task::Task;
use crate::lock::{NEWEST, Packages};
use crate::registry::{Missing, Runtime};

/// The names of interpreters to try, the system's own first.
const NAMES: &[&str] = &[
    "python3",
    "python3.14",
    "python3.13",
    "python3.12",
    "python3.11",
    "/usr/bin/python3",
];

const PROBE: &str = "import sys; print('%d.%d' % sys.version_info[:2])";

/// Finds a Python that is not older than `minimum`: the one that was named, the system's own, or one that pyenv has
/// installed. If the user is root, an interpreter that other users can run is preferred, so that adapters need not run
/// as root.
///
/// # Errors
/// If there is none.
pub(super) fn find(minimum: &str, named: Option<&Path>) -> Result<PathBuf, Missing> {
    let mut seen = Vec::new();
    let mut of_root = None;
    // The named interpreter comes first; if it is too old, the system's own may be new enough.
    let candidates = named.into_iter().chain(NAMES.iter().map(Path::new));
    let candidates = candidates.map(Path::to_owned).chain(pyenv(&pyenv_root()));
    for candidate in candidates {
        match version(&candidate) {
            Some(version) if at_least(&version, minimum) => {
                if Some(candidate.as_path()) == named || is_for_all(&candidate) {
                    return Ok(candidate);
                }
                of_root.get_or_insert(candidate);
            }
            Some(version) => seen.push(format!("{} is {version}", candidate.display())),
            None if Some(candidate.as_path()) == named => {
                seen.push(format!("{} does not run", candidate.display()));
            }
            None => {}
        }
    }
    if let Some(candidate) = of_root {
        return Ok(candidate);
    }
    let seen = if seen.is_empty() {
        "none was found".into()
    } else {
        seen.join(", ")
    };
    Err(Missing::new(
        format!("it needs Python {minimum} or newer; {seen}"),
        format!("specify one: {} --python PATH", crate::registry::SET_UP),
    ))
}

/// Returns the folder of pyenv.
fn pyenv_root() -> PathBuf {
    let folder = |variable: &str| env::var_os(variable).map(PathBuf::from);
    folder("PYENV_ROOT")
        .or_else(|| Some(folder("HOME")?.join(".pyenv")))
        .unwrap_or_default()
}

/// Returns the Pythons that pyenv has installed, the oldest first, so that none is newer than necessary.
fn pyenv(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root.join("versions")).into_iter().flatten();
    let mut found: Vec<(Vec<u32>, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let version = numbers(entry.file_name().to_str()?)?;
            Some((version, entry.path().join("bin/python3")))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}

/// Returns whether the user `nobody` can run a Python, or whether that does not matter because the user is not root.
/// The path is resolved first, because a search for the name as `nobody` might find another Python.
fn is_for_all(python: &Path) -> bool {
    let mut command = Command::new(python);
    let Ok(output) = command
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
    else {
        return false;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let mut command = Command::new(text.trim());
    command.current_dir("/").args(["-c", PROBE]);
    !as_nobody(&mut command) || command.output().is_ok_and(|output| output.status.success())
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

/// Creates a virtual environment with exactly these packages.
///
/// # Errors
/// If a step fails. The error names it.
pub(super) fn make(
    task: &Task<'_>,
    peers: &Path,
    python: &Path,
    packages: &Packages,
    hashes: &Path,
) -> Result<Runtime, Missing> {
    let folder = peers.join(task.name);
    let inner = if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    };
    let program = folder.join(inner);
    // An environment that lacks its state may still be complete.
    if program.exists() && !is_newest(packages) && check(task, &program, packages).is_ok() {
        return Ok(Runtime::of(program));
    }
    task.say("making a virtual environment");
    clear(&folder)?;
    let mut command = Command::new(python);
    command.args(["-m", "venv"]).arg(&folder);
    task.log.run(Step {
        command,
        limit: Duration::from_secs(180),
        network: false,
        remedy: "install the modules venv and ensurepip (on Debian and Ubuntu: apt-get install \
                 python3-venv)",
    })?;
    install(task, &program, packages, hashes)?;
    Ok(Runtime::of(program))
}

/// Returns whether the newest releases are requested.
fn is_newest(packages: &Packages) -> bool {
    packages.values().all(|version| version == NEWEST)
}

/// Installs packages and checks that they are present: either with bytes whose hash is known, or in their newest
/// releases with all dependencies.
fn install(
    task: &Task<'_>,
    program: &Path,
    packages: &Packages,
    hashes: &Path,
) -> Result<(), Missing> {
    task.say(&format!("installing {} packages", packages.len()));
    let mut command = Command::new(program);
    command.args([
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
        // Nothing is built during the installation.
        "--only-binary=:all:",
        "--retries=2",
        "--timeout=60",
    ]);
    if is_newest(packages) {
        command.arg("--upgrade").args(packages.keys());
    } else {
        // The lock contains all dependencies.
        command.args(["--no-deps", "--require-hashes", "--requirement"]);
        command.arg(hashes);
    }
    task.log.run(Step {
        command,
        limit: Duration::from_secs(900),
        network: true,
        remedy: "check that pip can reach its index; if the index has no package for this Python \
                 or machine, leave the peer out (--without) or specify another Python (--python \
                 PATH)",
    })?;
    check(task, program, packages)
}

/// Checks that exactly these packages are installed.
fn check(task: &Task<'_>, program: &Path, packages: &Packages) -> Result<(), Missing> {
    let mut command = Command::new(program);
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
    let newest = is_newest(packages) && packages.keys().all(|name| there.contains_key(name));
    if newest || there == *packages {
        return Ok(());
    }
    Err(Missing::set_up(format!(
        "{}: pip installed {there:?}, but the lock has {packages:?}",
        task.name
    )))
}

/// Returns the packages in the output of `pip list --format=freeze` under their normalised names, without those that
/// are part of every environment.
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
    fn those_of_pyenv_are_tried_from_the_oldest() {
        let scratch = tempfile::tempdir().expect("a folder");
        let root = scratch.path();
        for version in ["3.9.18", "3.13.0", "3.12.1", "pypy3.10"] {
            fs::create_dir_all(root.join("versions").join(version)).expect("a folder");
        }
        let found = pyenv(root);
        let versions = ["3.9.18", "3.12.1", "3.13.0"];
        let path = |version| root.join("versions").join(version).join("bin/python3");
        assert_eq!(found, versions.map(path));
        assert_eq!(pyenv(&root.join("none")), [] as [PathBuf; 0]);
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
