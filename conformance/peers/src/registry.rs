//! The peers that are programs: how each is started, or why it is missing.
//!
//! The environments that `cargo xtask peers` sets up are in one folder: `target/peers` in the checkout, or the folder
//! named by the variable `EXACTUM_PEERS`. It contains a folder for each environment of the lock, with a file
//! `state.json` that holds its [`State`].

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use exactum_conformance::process::{Launch, as_nobody};
use exactum_conformance::{Hello, Implementation};
use serde::{Deserialize, Serialize};

use crate::built_in::adapters;
use crate::lock::{Environment, Lock, NEWEST, Peer};

/// The environment variable that names a folder other than `target/peers`.
pub const FOLDER: &str = "EXACTUM_PEERS";

/// The command that sets peers up.
pub const SET_UP: &str = "cargo xtask peers";

/// The Rust peers that the example `call` calls.
const CALLED: [&str; 5] = [
    "half",
    "zarr-cast-value",
    "zarrs",
    "zarrs-exactum",
    "zfp-rs",
];

/// The peers that are programs, and where they are.
#[derive(Clone, Debug)]
pub struct Registry {
    /// The environments and peers that should be set up.
    pub lock: Lock,
    /// The folder in which environments are set up.
    pub folder: PathBuf,
    /// The folder of the adapters.
    pub adapters: PathBuf,
    /// The path of this program.
    pub exactum: PathBuf,
}

/// The reason why a peer is not set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// The reason.
    pub why: String,
    /// What to do about it.
    pub remedy: String,
    /// Whether the only problem is that a registry does not answer.
    #[serde(default)]
    pub unreachable: bool,
}

impl Missing {
    /// Describes a problem other than a registry that does not answer.
    pub(crate) fn new(why: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            remedy: remedy.into(),
            unreachable: false,
        }
    }

    /// Describes a problem that is solved by setting up the peers.
    pub(crate) fn set_up(why: impl Into<String>) -> Self {
        Self::new(why, SET_UP)
    }
}

/// The outcome of setting up an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The definition that it was made from.
    pub environment: Environment,
    /// The way to start programs in it, or the reason why they cannot be started.
    pub outcome: Result<Runtime, Missing>,
}

/// The way to start programs in an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runtime {
    /// The interpreter, or the program itself.
    pub program: PathBuf,
    /// Whether the user `nobody` can run it; it then does not run as root.
    #[serde(default)]
    pub unprivileged: bool,
}

impl Runtime {
    /// Describes an installed program. If the user is root, it is tried as `nobody`, because other users cannot run
    /// an interpreter in root's own folder. Every one of these programs ends at once on empty input.
    pub(crate) fn of(program: PathBuf) -> Self {
        let mut command = Command::new(&program);
        command
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let unprivileged =
            as_nobody(&mut command) && command.status().is_ok_and(|status| status.success());
        Self {
            program,
            unprivileged,
        }
    }
}

/// Returns whether every user can read a file, by its permissions and those of the folders above it.
#[cfg(unix)]
fn is_open_to_all(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let allows = |path: &Path, bits: u32| {
        fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & bits == bits)
    };
    allows(path, 0o4) && path.ancestors().skip(1).all(|folder| allows(folder, 0o1))
}

#[cfg(not(unix))]
fn is_open_to_all(_path: &Path) -> bool {
    false
}

impl State {
    /// Returns the file that holds the state of an environment.
    #[must_use]
    pub fn path(folder: &Path, environment: &str) -> PathBuf {
        folder.join(environment).join("state.json")
    }

    /// Returns the state of an environment, if one was written.
    #[must_use]
    pub fn load(folder: &Path, environment: &str) -> Option<Self> {
        let text = fs::read_to_string(Self::path(folder, environment)).ok()?;
        serde_json::from_str(&text).ok()
    }
}

impl Registry {
    /// Opens the registry of a checkout.
    ///
    /// # Errors
    /// If the lock cannot be read, or the path of this program is unknown.
    pub fn open(root: &Path) -> Result<Self, String> {
        let folder = match env::var_os(FOLDER).filter(|folder| !folder.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => root.join("target/peers"),
        };
        Ok(Self {
            lock: Lock::load(root)?,
            folder: absolute(&folder)?,
            adapters: absolute(&root.join("conformance/adapters"))?,
            exactum: this_program()?,
        })
    }

    /// Opens the registry of the adapters that this program contains, without a checkout.
    ///
    /// # Errors
    /// If the path of this program is unknown.
    pub fn of_this_program() -> Result<Self, String> {
        Ok(Self {
            lock: Lock::default(),
            folder: PathBuf::new(),
            adapters: PathBuf::new(),
            exactum: this_program()?,
        })
    }

    /// Returns the registry of the newest releases, whose environments are next to those of the lock.
    #[must_use]
    pub fn newest(self) -> Self {
        Self {
            lock: self.lock.newest(),
            folder: self.folder.join(NEWEST),
            ..self
        }
    }

    /// Returns the names of all peers that are programs: those of the lock, then those of this binary.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let ours = adapters().into_iter().map(|(name, _)| name.to_owned());
        self.lock.peers.keys().cloned().chain(ours).collect()
    }

    /// Returns the version that a peer of the lock must report.
    #[must_use]
    pub fn version(&self, name: &str) -> Option<&str> {
        self.lock.version(name)
    }

    /// Returns the command that starts a peer.
    ///
    /// # Errors
    /// If it is not set up. The error contains the remedy.
    pub fn launch(&self, name: &str) -> Result<Launch, Missing> {
        if adapters().iter().any(|(known, _)| *known == name) {
            return Ok(Launch {
                name: name.to_owned(),
                program: self.exactum.clone(),
                arguments: vec!["adapter".into(), name.into()],
                ..Launch::default()
            });
        }
        let peer = self.peer(name)?;
        let runtime = self.runtime(&peer.environment)?;
        self.start(name, peer, &runtime)
    }

    /// Returns the command that starts another script of the adapters' folder in the environment of a peer.
    ///
    /// # Errors
    /// The same as for [`launch`](Self::launch).
    pub fn launch_script(&self, name: &str, script: &str) -> Result<Launch, Missing> {
        let peer = Peer {
            adapter: Some(script.to_owned()),
            ..self.peer(name)?.clone()
        };
        let runtime = self.runtime(&peer.environment)?;
        self.start(name, &peer, &runtime)
    }

    fn peer(&self, name: &str) -> Result<&Peer, Missing> {
        let missing = || {
            let remedy = format!("see {}", crate::lock::LOCK);
            Missing::new("there is no such peer", remedy)
        };
        self.lock.peers.get(name).ok_or_else(missing)
    }

    /// Asks a peer for its introduction and compares the version with the lock.
    ///
    /// # Errors
    /// If it does not answer or has another version.
    pub fn greet(&self, name: &str, peer: &mut dyn Implementation) -> Result<Hello, Missing> {
        let hello = peer.hello().map_err(|failure| {
            Missing::set_up(format!("it does not answer hello: {}", failure.words()))
        })?;
        match self.version(name) {
            Some(version) if version != hello.version => Err(Missing::set_up(format!(
                "it reports {} {}, but {} has {version}",
                hello.name,
                hello.version,
                crate::lock::LOCK
            ))),
            _ => Ok(hello),
        }
    }

    /// Returns the way to start programs in an environment.
    ///
    /// # Errors
    /// If programs cannot be started in it. The error contains the reason.
    pub fn runtime(&self, environment: &str) -> Result<Runtime, Missing> {
        let state = State::load(&self.folder, environment)
            .ok_or_else(|| Missing::set_up(format!("{environment} is not set up")))?;
        if self.lock.environments.get(environment) != Some(&state.environment) {
            let why = format!("{environment} is set up with other versions than those of the lock");
            return Err(Missing::set_up(why));
        }
        let runtime = state.outcome?;
        if fs::symlink_metadata(&runtime.program).is_err() {
            let why = format!("{environment} no longer has {}", runtime.program.display());
            return Err(Missing::set_up(why));
        }
        Ok(runtime)
    }

    /// Returns the shell command in which a library answers a request without its adapter, using its program in
    /// `conformance/calls`; or `None` if there is no such program or the library is not set up.
    #[must_use]
    pub fn call(&self, name: &str, request: &str) -> Option<String> {
        let asked = format!("printf '%s\\n' '{}'", request.replace('\'', r"'\''"));
        if CALLED.contains(&name) {
            let called = "cargo run --quiet --package exactum-peers --example call";
            return Some(format!("{asked} | {called} {name}"));
        }
        let peer = self.peer(name).ok()?;
        let program = self.runtime(&peer.environment).ok()?.program;
        // Two versions of a library share an adapter and a program in `conformance/calls`.
        let adapter = Path::new(peer.adapter.as_ref()?);
        let (library, suffix) = (adapter.parent()?.to_str()?, adapter.extension()?.to_str()?);
        let call = self.adapters.with_file_name("calls");
        let call = call.join(format!("call-{library}.{suffix}"));
        if !call.is_file() {
            return None;
        }
        let (program, call) = (program.display(), call.display());
        Some(if suffix == "py" {
            format!("{asked} | {program} {call}")
        } else {
            // Node looks for packages next to the program, so it evaluates the program in the environment's folder.
            let environment = self.folder.join(&peer.environment);
            let evaluated = format!("{program} --input-type=module -e \"$(cat {call})\"");
            format!("cd {} && {asked} | {evaluated}", environment.display())
        })
    }

    fn start(&self, name: &str, peer: &Peer, runtime: &Runtime) -> Result<Launch, Missing> {
        let mut launch = Launch {
            name: name.to_owned(),
            program: runtime.program.clone(),
            environment: variables(),
            unprivileged: runtime.unprivileged,
            ..Launch::default()
        };
        let Some(adapter) = &peer.adapter else {
            return Ok(launch);
        };
        let path = self.adapters.join(adapter);
        if !path.is_file() {
            return Err(Missing::new(
                format!("{} does not exist", path.display()),
                "write the adapter as described in conformance/adapters/README.md",
            ));
        }
        launch.unprivileged &= is_open_to_all(&path);
        launch.directory = Some(self.adapters.clone());
        if adapter.ends_with(".py") {
            // Python's `-u` makes its output unbuffered.
            launch.arguments.push("-u".into());
        }
        launch.arguments.push(path.into());
        Ok(launch)
    }
}

/// Returns environment variables that keep the user's environment from changing results, and two workers from using
/// more than two processors.
fn variables() -> Vec<(OsString, OsString)> {
    [
        ("PYTHONPATH", ""),
        ("PYTHONHOME", ""),
        ("PYTHONNOUSERSITE", "1"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
        ("NODE_OPTIONS", ""),
        ("OMP_NUM_THREADS", "1"),
        ("OPENBLAS_NUM_THREADS", "1"),
    ]
    .map(|(key, value)| (key.into(), value.into()))
    .into()
}

fn this_program() -> Result<PathBuf, String> {
    env::current_exe().map_err(|error| format!("this program: {error}"))
}

fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests;
