//! The hashes of the packages in the lock, for `cargo xtask peers --lock`: those of every wheel, determined by uv, and
//! those of every package for Node, determined by npm. An environment is installed from exactly these bytes or not at
//! all.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{self, Command, Stdio};

use super::npm::{manifest, npm};
use crate::lock::{Environment, HASHES, Lock, Packages};

/// Regenerates the files of hashes in the folder of the checkout, and returns their names.
///
/// # Errors
/// If a registry does not have a package of the lock, or uv or npm is missing.
pub fn lock(root: &Path, lock: &Lock) -> Result<Vec<String>, String> {
    let mut files = BTreeMap::new();
    for (name, environment) in &lock.environments {
        let text = match environment {
            Environment::Python { minimum, packages } => of_wheels(minimum, packages),
            Environment::Npm {
                node,
                engines,
                packages,
            } => of_npm(&manifest(node, engines, packages).to_string()),
            Environment::Cargo { .. } => continue,
        };
        let text = text.map_err(|why| format!("{name}: {why}"))?;
        files.insert(environment.hashes(name), text);
    }
    let folder = root.join(HASHES);
    let written = fs::create_dir_all(&folder).and_then(|()| {
        for entry in fs::read_dir(&folder)? {
            fs::remove_file(entry?.path())?;
        }
        files
            .iter()
            .try_for_each(|(name, text)| fs::write(folder.join(name), text))
    });
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(files.into_keys().collect())
}

/// Returns requirements in pip's format, each with the hashes of its wheels for all platforms.
fn of_wheels(minimum: &str, packages: &Packages) -> Result<String, String> {
    let mut command = Command::new("uv");
    command.args(["pip", "compile", "--quiet", "--no-deps", "--no-build"]);
    command.args(["--universal", "--generate-hashes"]);
    command.args(["--no-header", "--no-annotate", "--python-version", minimum]);
    let requirements: String = packages
        .iter()
        .map(|(name, version)| format!("{name}=={version}\n"))
        .collect();
    let hashes = output(command.arg("-"), &requirements)
        .map_err(|why| format!("{why}; uv is needed (pip install uv)"))?;
    Ok(format!(
        "# The bytes of every wheel; made by `cargo xtask peers --lock`.\n{hashes}"
    ))
}

/// Returns the `package-lock.json` of a manifest, with the integrity of every package and without addresses.
fn of_npm(manifest: &str) -> Result<String, String> {
    let folder = std::env::temp_dir().join(format!("exactum-lock-{}", process::id()));
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(at)?;
    let mut command = npm();
    command.current_dir(&folder).args([
        "install",
        "--package-lock-only",
        "--ignore-scripts",
        "--omit-lockfile-registry-resolved",
        "--no-audit",
        "--no-fund",
    ]);
    let made = fs::write(folder.join("package.json"), manifest)
        .map_err(at)
        .and_then(|()| output(&mut command, ""))
        .and_then(|_| fs::read_to_string(folder.join("package-lock.json")).map_err(at));
    // A leftover folder does no harm.
    let _ = fs::remove_dir_all(&folder);
    made
}

/// Returns the output of a program.
fn output(command: &mut Command, input: &str) -> Result<String, String> {
    let program = command.get_program().display().to_string();
    let failed = |error: std::io::Error| format!("{program}: {error}");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    if !output.status.success() {
        return Err(format!("{program}: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{program}: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// Returns the packages in a requirements file that have hashes.
    fn of_requirements(text: &str) -> Packages {
        let mut packages = Packages::new();
        for line in text.lines() {
            let words = line.trim_end_matches('\\').trim();
            if let Some((name, version)) = words.split_once("==") {
                packages.insert(name.to_owned(), format!("{version} without hashes"));
            } else if let Some(hash) = words.strip_prefix("--hash=sha256:")
                && hash.len() == 64
                && let Some(mut last) = packages.last_entry()
            {
                let version = last.get().split(' ').next().unwrap_or_default().to_owned();
                last.insert(version);
            }
        }
        packages
    }

    /// Returns the packages in a `package-lock.json` that have an integrity and no address.
    fn of_package_lock(text: &str) -> Packages {
        let lock: Value = serde_json::from_str(text).expect("JSON");
        let packages = lock["packages"].as_object().expect("packages");
        let entries = packages.iter().filter_map(|(path, package)| {
            let name = path.strip_prefix("node_modules/")?;
            let hash = package["integrity"].as_str().unwrap_or_default();
            let version = package["version"].as_str().unwrap_or_default();
            let pinned = hash.starts_with("sha512-") && package["resolved"].is_null();
            let version = if pinned {
                version
            } else {
                "no hash, or an address"
            };
            Some((name.to_owned(), version.to_owned()))
        });
        entries.collect()
    }

    #[test]
    fn every_package_of_the_lock_has_its_hashes() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let lock = Lock::load(&root).expect("a lock");
        let folder = root.join(HASHES);
        let mut files = Vec::new();
        for (name, environment) in &lock.environments {
            let read = || fs::read_to_string(folder.join(environment.hashes(name))).expect(name);
            let (there, wanted) = match environment {
                Environment::Python { packages, .. } => {
                    (of_requirements(&read()), packages.clone())
                }
                Environment::Npm {
                    node,
                    engines,
                    packages,
                } => {
                    let engines = engines.iter().map(|engine| (engine.clone(), node.clone()));
                    let wanted = packages.clone().into_iter().chain(engines).collect();
                    (of_package_lock(&read()), wanted)
                }
                Environment::Cargo { .. } => continue,
            };
            assert_eq!(
                there, wanted,
                "{name}: `cargo xtask peers --lock` generates it"
            );
            files.push(environment.hashes(name));
        }
        let mut there: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        there.sort();
        files.sort();
        assert_eq!(there, files, "and no others");
    }
}
