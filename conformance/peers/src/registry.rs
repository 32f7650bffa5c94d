//! The peers that are programs: how each is started, or why it is not there.
//!
//! What `cargo xtask peers` has set up lies in one folder, `target/peers` of the checkout or the one
//! that the variable `EXACTUM_PEERS` names: a folder for each environment of the lock, and beside
//! it `<environment>.json`, its [`State`].

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use exactum_conformance::process::Launch;
use exactum_conformance::{Hello, Implementation};
use serde::{Deserialize, Serialize};

use crate::built_in::adapters;
use crate::copies;
use crate::lock::{Environment, Lock, Peer};

/// The variable that names another folder than `target/peers`.
pub const FOLDER: &str = "EXACTUM_PEERS";

/// The command that sets peers up.
pub const SET_UP: &str = "cargo xtask peers";

/// The peers that are programs, and where they are.
#[derive(Clone, Debug)]
pub struct Registry {
    /// What is wanted.
    pub lock: Lock,
    /// The folder of what was set up.
    pub folder: PathBuf,
    /// The folder of the adapters.
    pub adapters: PathBuf,
    /// This program.
    pub exactum: PathBuf,
}

/// Why a peer is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Missing {
    /// What is the matter.
    pub why: String,
    /// What to do.
    pub remedy: String,
    /// Whether all that is the matter is a registry that does not answer.
    #[serde(default)]
    pub unreachable: bool,
}

impl Missing {
    /// For something that setting up mends.
    pub(crate) fn set_up(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            remedy: SET_UP.into(),
            unreachable: false,
        }
    }
}

/// What became of an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// What it was made of.
    pub environment: Environment,
    /// How programs are started in it, or why they cannot be.
    pub outcome: Result<Runtime, Missing>,
}

/// How programs are started in an environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Runtime {
    /// The interpreter, or the program itself; within `root`, if there is one.
    pub program: PathBuf,
    /// The root of a system of its own, which is entered by `chroot`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<PathBuf>,
}

impl Runtime {
    /// The program as it is seen from here.
    #[must_use]
    pub fn seen(&self) -> PathBuf {
        match &self.root {
            Some(root) => below(root, &self.program),
            None => self.program.clone(),
        }
    }
}

/// A path of a system whose root is `root`, as it is seen from outside.
pub(crate) fn below(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

impl State {
    /// Where the state of an environment stands.
    #[must_use]
    pub fn path(folder: &Path, environment: &str) -> PathBuf {
        folder.join(format!("{environment}.json"))
    }

    /// The state of an environment, if one was written.
    #[must_use]
    pub fn load(folder: &Path, environment: &str) -> Option<Self> {
        let text = fs::read_to_string(Self::path(folder, environment)).ok()?;
        serde_json::from_str(&text).ok()
    }
}

impl Registry {
    /// The registry of a checkout.
    ///
    /// # Errors
    /// When the lock cannot be read, or it is unknown where this program is.
    pub fn open(root: &Path) -> Result<Self, String> {
        let exactum = env::current_exe().map_err(|error| format!("this program: {error}"))?;
        let folder = match env::var_os(FOLDER).filter(|folder| !folder.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => root.join("target/peers"),
        };
        Ok(Self {
            lock: Lock::load(root)?,
            folder: absolute(&folder)?,
            adapters: absolute(&root.join("conformance/adapters"))?,
            exactum,
        })
    }

    /// The names of all peers that are programs: those of the lock, then those of this binary.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let ours = adapters().into_iter().map(|(name, _)| name.to_owned());
        self.lock.peers.keys().cloned().chain(ours).collect()
    }

    /// The version that a peer of the lock must tell.
    #[must_use]
    pub fn version(&self, name: &str) -> Option<&str> {
        self.lock.version(name)
    }

    /// How a peer is started.
    ///
    /// # Errors
    /// Why it is not there, and what to do.
    pub fn launch(&self, name: &str) -> Result<Launch, Missing> {
        if adapters().iter().any(|(known, _)| *known == name) {
            return Ok(Launch {
                name: name.to_owned(),
                program: self.exactum.clone(),
                arguments: vec!["adapter".into(), name.into()],
                directory: None,
                environment: Vec::new(),
            });
        }
        let peer = self.peer(name)?;
        let runtime = self.runtime(&peer.environment)?;
        self.start(name, peer, &runtime)
    }

    /// How another script of the folder of adapters is started in the environment of a peer.
    ///
    /// # Errors
    /// As for [`launch`](Self::launch).
    pub fn launch_script(&self, name: &str, script: &str) -> Result<Launch, Missing> {
        let peer = Peer {
            adapter: Some(script.to_owned()),
            ..self.peer(name)?.clone()
        };
        let runtime = self.runtime(&peer.environment)?;
        self.start(name, &peer, &runtime)
    }

    fn peer(&self, name: &str) -> Result<&Peer, Missing> {
        self.lock.peers.get(name).ok_or_else(|| Missing {
            why: "there is no such peer".into(),
            remedy: format!("see {}", crate::lock::LOCK),
            unreachable: false,
        })
    }

    /// Asks a peer who it is, and sees that it is what the lock has.
    ///
    /// # Errors
    /// When it does not answer, or has another version.
    pub fn greet(&self, name: &str, peer: &mut dyn Implementation) -> Result<Hello, Missing> {
        let hello = peer
            .hello()
            .map_err(|failure| Missing::set_up(format!("it has no hello: {}", failure.words())))?;
        match self.version(name) {
            Some(version) if version != hello.version => Err(Missing::set_up(format!(
                "it says that it is {} {}, and {} has {version}",
                hello.name,
                hello.version,
                crate::lock::LOCK
            ))),
            _ => Ok(hello),
        }
    }

    /// How programs are started in an environment.
    ///
    /// # Errors
    /// Why they cannot be.
    pub fn runtime(&self, environment: &str) -> Result<Runtime, Missing> {
        let state = State::load(&self.folder, environment)
            .ok_or_else(|| Missing::set_up(format!("{environment} is not set up")))?;
        if self.lock.environments.get(environment) != Some(&state.environment) {
            let why = format!("{environment} is set up for other versions than the lock has");
            return Err(Missing::set_up(why));
        }
        let runtime = state.outcome?;
        let program = runtime.seen();
        if fs::symlink_metadata(&program).is_err() {
            let why = format!("{environment} has lost {}", program.display());
            return Err(Missing::set_up(why));
        }
        Ok(runtime)
    }

    fn start(&self, name: &str, peer: &Peer, runtime: &Runtime) -> Result<Launch, Missing> {
        let mut launch = Launch {
            name: name.to_owned(),
            program: runtime.program.clone(),
            arguments: Vec::new(),
            directory: None,
            environment: variables(),
        };
        let Some(adapter) = &peer.adapter else {
            return Ok(launch);
        };
        if !self.adapters.join(adapter).is_file() {
            return Err(Missing {
                why: format!("there is no {}", self.adapters.join(adapter).display()),
                remedy: "write the adapter; conformance/adapters/README.md tells how".into(),
                unreachable: false,
            });
        }
        let python = adapter.ends_with(".py");
        launch.directory = Some(self.adapters.clone());
        let mut arguments: Vec<OsString> = Vec::new();
        let place = if let Some(root) = &runtime.root {
            let copies = Path::new("/adapters");
            let copy = self.copied(&below(root, copies))?;
            arguments.extend([root.into(), runtime.program.clone().into()]);
            launch.program = "chroot".into();
            copies.join(copy)
        } else {
            self.adapters.clone()
        };
        if python {
            // Unbuffered.
            arguments.push("-u".into());
        }
        arguments.push(place.join(adapter).into());
        launch.arguments = arguments;
        Ok(launch)
    }

    fn copied(&self, into: &Path) -> Result<String, Missing> {
        copies::copy(&self.adapters, into).map_err(|why| Missing {
            why,
            remedy: "it needs to write there; on Debian's root that takes the user root".into(),
            unreachable: false,
        })
    }
}

/// What of the user's own surroundings must not change a result, and what keeps two workers on
/// two processors.
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

fn absolute(path: &Path) -> Result<PathBuf, String> {
    std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests;
