//! A root of a newer Debian, for its Python: where the machine's own is too old, and this is Debian
//! and the user root.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::command::Step;
use super::folder::{cannot_write, clear};
use super::python;
use super::task::Task;
use crate::lock::Packages;
use crate::registry::{Missing, Runtime, below};

/// The virtual environment within the root.
const INNER: &str = "/peers";

/// Variables that may name files which pip needs to reach its index.
const FILES: &[&str] = &[
    "CURL_CA_BUNDLE",
    "PIP_CERT",
    "PIP_CLIENT_CERT",
    "PIP_CONFIG_FILE",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_FILE",
];

/// Makes a root with a virtual environment of these packages inside. `why` is why no Python of
/// this machine will do.
///
/// # Errors
/// The step that failed, or why this cannot be done here.
pub(super) fn make(
    task: &Task<'_>,
    peers: &Path,
    release: &str,
    packages: &Packages,
    why: &Missing,
) -> Result<Runtime, Missing> {
    let root = peers.join(release);
    let runtime = Runtime {
        program: Path::new(INNER).join("bin/python"),
        root: Some(root.clone()),
    };
    let inside = || {
        let mut command = Command::new("chroot");
        command.arg(&root).arg(&runtime.program);
        command
    };
    let refuse = |what: &str| Missing {
        why: format!(
            "{}; and {what}, so that Debian's {release} cannot bring one",
            why.why
        ),
        ..why.clone()
    };
    let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
    if value(&system, "ID") != Some("debian") {
        return Err(refuse("this is not Debian"));
    }
    if !is_root() {
        return Err(refuse("the user is not root"));
    }
    if runtime.seen().exists() && python::check(task, &inside, packages).is_ok() {
        return Ok(runtime);
    }
    let codename = value(&system, "VERSION_CODENAME").unwrap_or("stable");
    let Some(mirror) = mirror(&sources(Path::new("/etc/apt")), codename) else {
        return Err(refuse("apt's sources name no mirror of it"));
    };
    debootstrap_is_there(task)?;
    clear_root(&root)?;
    task.say(&format!("making a root of Debian {release}"));
    let mut command = Command::new("debootstrap");
    command
        .args([
            "--variant=minbase",
            "--include=python3,python3-venv,ca-certificates",
        ])
        .arg(release)
        .arg(&root)
        .arg(mirror);
    task.log.run(Step {
        command,
        limit: Duration::from_secs(900),
        network: true,
        remedy: "name a Python 3.12 or newer instead: cargo xtask peers --python PATH",
    })?;
    bring(&root).map_err(|error| cannot_write(&root, &error))?;
    task.say("making a virtual environment");
    let mut command = Command::new("chroot");
    command.arg(&root).args(["python3", "-m", "venv", INNER]);
    task.log.run(Step {
        command,
        limit: Duration::from_secs(180),
        network: false,
        remedy: "name a Python 3.12 or newer instead: cargo xtask peers --python PATH",
    })?;
    python::install(task, &inside, packages)?;
    Ok(runtime)
}

/// Installs debootstrap where it is missing.
fn debootstrap_is_there(task: &Task<'_>) -> Result<(), Missing> {
    let path = env::var_os("PATH").unwrap_or_default();
    if env::split_paths(&path).any(|folder| folder.join("debootstrap").is_file()) {
        return Ok(());
    }
    task.say("installing debootstrap");
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive");
        task.log.run(Step {
            command,
            limit: Duration::from_secs(600),
            network: true,
            remedy: "install debootstrap, or name a Python 3.12 or newer: cargo xtask peers \
                     --python PATH",
        })
    };
    let install = ["install", "--yes", "--no-install-recommends", "debootstrap"];
    if apt(&install).is_ok() {
        return Ok(());
    }
    // Lists that are missing or too old. Sources of others may fail; what counts is the install.
    let updated = apt(&["update"]);
    apt(&install).map(drop).map_err(|missing| Missing {
        unreachable: missing.unreachable || updated.is_err_and(|error| error.unreachable),
        ..missing
    })
}

/// Copies into the root what pip needs to reach its index as it does outside.
fn bring(root: &Path) -> io::Result<()> {
    let resolver = PathBuf::from("/etc/resolv.conf");
    let mut paths = vec![
        resolver,
        "/etc/hosts".into(),
        "/etc/ssl/certs/ca-certificates.crt".into(),
        "/etc/pip.conf".into(),
    ];
    if let Some(home) = env::var_os("HOME").map(PathBuf::from) {
        paths.push(home.join(".config/pip/pip.conf"));
        paths.push(home.join(".pip/pip.conf"));
    }
    paths.extend(FILES.iter().filter_map(env::var_os).map(PathBuf::from));
    for path in paths.iter().filter(|path| path.is_absolute()) {
        // What a link points to, not the link.
        if let Ok(content) = fs::read(path) {
            let target = below(root, path);
            if let Some(folder) = target.parent() {
                fs::create_dir_all(folder)?;
            }
            // It may be a link there, to a file that is not.
            if fs::symlink_metadata(&target).is_ok() {
                fs::remove_file(&target)?;
            }
            fs::write(&target, content)?;
        }
    }
    let wheels = env::var_os("PIP_FIND_LINKS").unwrap_or_default();
    for folder in folders(&wheels) {
        copy_files(&folder, &below(root, &folder))?;
    }
    Ok(())
}

/// The folders among the places that `PIP_FIND_LINKS` names.
fn folders(value: &OsString) -> Vec<PathBuf> {
    let value = value.to_string_lossy();
    let words = value.split_whitespace().map(PathBuf::from);
    words
        .filter(|path| path.is_absolute() && path.is_dir())
        .collect()
}

fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Removes a root. One that was left half made may still have a file system of the machine mounted
/// below it, and that must not be emptied.
fn clear_root(root: &Path) -> Result<(), Missing> {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    for mount in mounts_below(&mounts, root).iter().rev() {
        let unmounted = Command::new("umount").arg(mount).status();
        if !unmounted.is_ok_and(|status| status.success()) {
            return Err(Missing {
                why: format!("{} is mounted and cannot be unmounted", mount.display()),
                remedy: format!("unmount it, then {}", crate::registry::SET_UP),
                unreachable: false,
            });
        }
    }
    clear(root)
}

/// What is mounted below a folder, in the order in which it was.
fn mounts_below(mounts: &str, root: &Path) -> Vec<PathBuf> {
    mounts
        .lines()
        .filter_map(|line| line.split(' ').nth(1))
        .map(|path| PathBuf::from(path.replace("\\040", " ")))
        .filter(|path| path.starts_with(root) && path != root)
        .collect()
}

/// Whether the user is root; by the owner of this process's own entry.
#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

#[cfg(not(target_os = "linux"))]
fn is_root() -> bool {
    false
}

/// The value of a key in the lines `KEY=value` of a file.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let value = line.strip_prefix(key)?.strip_prefix('=')?;
        Some(value.trim_matches('"'))
    })
}

/// The texts of apt's sources, by their kind: whether they are paragraphs of keys.
fn sources(folder: &Path) -> Vec<(bool, String)> {
    let mut paths = BTreeSet::from([folder.join("sources.list")]);
    let parts = fs::read_dir(folder.join("sources.list.d")).into_iter();
    paths.extend(parts.flatten().flatten().map(|entry| entry.path()));
    paths
        .into_iter()
        .filter_map(|path| {
            let paragraphs = match path.extension()?.to_str()? {
                "list" => false,
                "sources" => true,
                _ => return None,
            };
            Some((paragraphs, fs::read_to_string(&path).ok()?))
        })
        .collect()
}

/// The first mirror of Debian itself: one that has a suite of the name of this release, or of a
/// name that Debian gives to its releases. Other makers' sources have suites of their own.
fn mirror(sources: &[(bool, String)], codename: &str) -> Option<String> {
    let names = [
        codename,
        "stable",
        "oldstable",
        "testing",
        "unstable",
        "sid",
    ];
    sources
        .iter()
        .flat_map(|(paragraphs, text)| {
            if *paragraphs {
                entries_of_paragraphs(text)
            } else {
                entries_of_lines(text)
            }
        })
        .find(|(uri, suites)| {
            uri.starts_with("http") && suites.iter().any(|suite| names.contains(&suite.as_str()))
        })
        .map(|(uri, _)| uri)
}

/// `deb [options] URI suite components..`
fn entries_of_lines(text: &str) -> Vec<(String, Vec<String>)> {
    text.lines()
        .filter_map(|line| {
            let line = line.trim().strip_prefix("deb ")?.trim_start();
            let line = match line.strip_prefix('[') {
                Some(options) => options.split_once(']')?.1,
                None => line,
            };
            let mut words = line.split_whitespace();
            Some((words.next()?.to_owned(), vec![words.next()?.to_owned()]))
        })
        .collect()
}

/// Paragraphs with `URIs` and `Suites`, each a list.
fn entries_of_paragraphs(text: &str) -> Vec<(String, Vec<String>)> {
    text.split("\n\n")
        .filter_map(|paragraph| {
            let list = |key: &str| {
                let line = paragraph.lines().find_map(|line| {
                    let (name, value) = line.split_once(':')?;
                    name.eq_ignore_ascii_case(key).then_some(value)
                })?;
                Some(
                    line.split_whitespace()
                        .map(str::to_owned)
                        .collect::<Vec<_>>(),
                )
            };
            if list("Types").is_some_and(|types| !types.iter().any(|kind| kind == "deb")) {
                return None;
            }
            let uri = list("URIs")?.into_iter().next()?;
            Some((uri, list("Suites")?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_mirror(paragraphs: bool, text: &str, expected: Option<&str>) {
        let found = mirror(&[(paragraphs, text.to_owned())], "bookworm");
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn the_mirror_is_debians_own() {
        check_mirror(
            true,
            "Types: deb\nURIs: https://node.example\nSuites: nodistro\nComponents: main\n\n\
             Types: deb-src\nURIs: http://sources.example\nSuites: bookworm\n\n\
             Types: deb\n# the next one\nURIs: http://mirror.example/debian http://b.example\n\
             Suites: bookworm bookworm-updates\nComponents: main\n",
            Some("http://mirror.example/debian"),
        );
        check_mirror(
            false,
            "# deb http://old.example bookworm main\ndeb-src http://s.example bookworm main\n\
             deb https://cloud.example/apt cloud-bookworm main\n\
             deb http://security.example bookworm-security main\n\
             deb [arch=amd64 signed-by=/key.gpg] http://mirror.example/debian bookworm main\n",
            Some("http://mirror.example/debian"),
        );
        check_mirror(
            false,
            "deb http://mirror.example stable main",
            Some("http://mirror.example"),
        );
        check_mirror(false, "deb cdrom:[Debian]/ bookworm main", None);
        check_mirror(true, "", None);
    }

    #[test]
    fn mounts_below_a_root_are_seen() {
        let mounts = "proc /proc proc rw 0 0\nproc /a\\040b/trixie/proc proc rw 0 0\n\
                      x /a\\040b/trixie/proc/y x rw 0 0\nx /a\\040b/trixie2 x rw 0 0\n";
        assert_eq!(
            mounts_below(mounts, Path::new("/a b/trixie")),
            [
                Path::new("/a b/trixie/proc"),
                Path::new("/a b/trixie/proc/y")
            ]
        );
    }

    #[test]
    fn keys_have_values() {
        let text = "PRETTY_NAME=\"Debian\"\nID=debian\nVERSION_CODENAME=\"bookworm\"\n";
        assert_eq!(value(text, "ID"), Some("debian"));
        assert_eq!(value(text, "VERSION_CODENAME"), Some("bookworm"));
        assert_eq!(value(text, "VERSION"), None);
    }

    #[test]
    fn only_folders_are_copied_of_what_pip_looks_into() {
        let here = env!("CARGO_MANIFEST_DIR");
        let value = format!("https://a.example/ {here} /no/such/folder");
        assert_eq!(folders(&value.into()), [PathBuf::from(here)]);
    }
}
