//! Sets up the third-party programs that are judged, for `cargo xtask peers`.
//!
//! An environment is set up completely or not at all: its [`State`] is removed first and written last, and a folder
//! without a state is set up again. An environment that already has the versions of the lock is left alone, so that a
//! second run is quick. At the end, every peer is started and asked for its introduction; it is ready if it answers.

mod cargo;
mod command;
mod folder;
mod hashes;
mod npm;
mod python;
mod symptoms;
mod task;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;

use exactum_conformance::process::Process;

use crate::lock::{Environment, HASHES};
use crate::registry::{Missing, Registry, Runtime, State};
use command::Log;
use folder::{cannot_write, forget};
use task::Task;

pub use hashes::lock;
pub use task::Watch;

/// The file, in the folder of the peers, that lists the peers whose registry did not answer.
pub const UNREACHABLE: &str = "unreachable";

/// The options for setting up peers.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Peers to leave out.
    pub without: Vec<String>,
    /// The Python to use if the system's own is too old.
    pub python: Option<PathBuf>,
}

/// The outcome of setting up a peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetUp {
    /// It answers, and has this version.
    Ready(String),
    /// It is missing.
    Missing(Missing),
    /// It was left out on request.
    LeftOut,
}

/// Sets up the requested peers, and returns the outcome for every peer by name.
///
/// # Errors
/// If a peer to leave out does not exist, or the folder of the peers cannot be written.
pub fn set_up(
    registry: &Registry,
    root: &Path,
    options: &Options,
    watch: Watch<'_>,
) -> Result<Vec<(String, SetUp)>, String> {
    let names: Vec<String> = registry.lock.peers.keys().cloned().collect();
    if let Some(unknown) = options.without.iter().find(|name| !names.contains(name)) {
        return Err(format!(
            "unknown peer {unknown}; the peers are {}",
            names.join(", ")
        ));
    }
    let folder = &registry.folder;
    let at = |error: io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(at)?;
    // Two simultaneous runs would remove each other's files.
    let guard = File::create(folder.join("lock")).map_err(at)?;
    if guard.try_lock().is_err() {
        watch("peers", Some("waiting for another setup to finish"));
        guard.lock().map_err(at)?;
        watch("peers", None);
    }
    let wanted = |name: &String| !options.without.contains(name);
    let needed: BTreeSet<&str> = registry
        .lock
        .peers
        .iter()
        .filter(|(name, _)| wanted(name))
        .map(|(_, peer)| peer.environment.as_str())
        .collect();
    let environments = registry.lock.environments.keys();
    let maker = Maker {
        registry,
        root,
        options,
        watch,
        made: environments
            .map(|name| (name.as_str(), OnceLock::new()))
            .collect(),
    };
    thread::scope(|scope| {
        for name in &needed {
            scope.spawn(|| maker.environment(name));
        }
    });
    let outcomes: BTreeMap<String, SetUp> = thread::scope(|scope| {
        let asked: Vec<_> = names
            .iter()
            .map(|name| {
                let ask = scope.spawn(move || ask(registry, name));
                (name, wanted(name).then_some(ask))
            })
            .collect();
        asked
            .into_iter()
            .map(|(name, ask)| {
                let outcome = match ask.map(thread::ScopedJoinHandle::join) {
                    None => SetUp::LeftOut,
                    Some(Ok(outcome)) => outcome,
                    Some(Err(payload)) => std::panic::resume_unwind(payload),
                };
                (name.clone(), outcome)
            })
            .collect()
    });
    let unreachable: String = outcomes
        .iter()
        .filter(|(_, outcome)| matches!(outcome, SetUp::Missing(missing) if missing.unreachable))
        .map(|(name, _)| format!("{name}\n"))
        .collect();
    fs::write(folder.join(UNREACHABLE), unreachable).map_err(at)?;
    Ok(outcomes.into_iter().collect())
}

/// Starts a peer and asks for its introduction.
fn ask(registry: &Registry, name: &str) -> SetUp {
    let launch = match registry.launch(name) {
        Ok(launch) => launch,
        Err(missing) => return SetUp::Missing(missing),
    };
    match registry.greet(name, &mut Process::new(launch)) {
        Ok(hello) => SetUp::Ready(hello.version),
        Err(missing) => SetUp::Missing(missing),
    }
}

/// Sets up environments.
struct Maker<'a> {
    registry: &'a Registry,
    root: &'a Path,
    options: &'a Options,
    watch: Watch<'a>,
    /// The outcome for each environment. Several programs may be built with the same tools at the same time.
    made: BTreeMap<&'a str, OnceLock<Result<Runtime, Missing>>>,
}

impl Maker<'_> {
    /// Sets up an environment, at most once, unless it already exists.
    fn environment(&self, name: &str) -> Result<Runtime, Missing> {
        let make = || self.environment_anew(name);
        self.made
            .get(name)
            .map_or_else(make, |made| made.get_or_init(make).clone())
    }

    /// Sets up an environment unless it already exists, and records the outcome.
    fn environment_anew(&self, name: &str) -> Result<Runtime, Missing> {
        let folder = &self.registry.folder;
        let Some(environment) = self.registry.lock.environments.get(name) else {
            return Err(Missing::set_up(format!(
                "the lock has no environment {name}"
            )));
        };
        // Only cargo knows what has to be rebuilt, and only the registries know the newest releases.
        let built = matches!(environment, Environment::Cargo { .. }) || environment.is_newest();
        if let (false, None, Ok(runtime)) =
            (built, &self.options.python, self.registry.runtime(name))
        {
            return Ok(runtime);
        }
        let task = Task {
            name,
            log: Log::new(folder.join(format!("{name}.log"))),
            watch: self.watch,
        };
        let outcome = self.make(&task, environment);
        let state = State {
            environment: environment.clone(),
            outcome: outcome.clone(),
        };
        let written = serde_json::to_string_pretty(&state)
            .map_err(io::Error::from)
            .and_then(|text| {
                fs::create_dir_all(folder.join(name))?;
                fs::write(State::path(folder, name), text + "\n")
            });
        (self.watch)(name, None);
        written.map_err(|error| cannot_write(folder, &error))?;
        outcome
    }

    fn make(&self, task: &Task<'_>, environment: &Environment) -> Result<Runtime, Missing> {
        let folder = &self.registry.folder;
        forget(&State::path(folder, task.name))?;
        let hashes = self.root.join(HASHES).join(environment.hashes(task.name));
        match environment {
            Environment::Python { minimum, packages } => {
                let python = python::find(minimum, self.options.python.as_deref())?;
                python::make(task, folder, &python, packages, &hashes)
            }
            Environment::Npm {
                node,
                engines,
                packages,
            } => npm::make(task, folder, (node, engines), packages, &hashes),
            Environment::Cargo {
                manifest,
                program,
                tools,
            } => {
                let tools = || self.environment(tools);
                cargo::make(task, folder, &self.root.join(manifest), program, &tools)
            }
        }
    }
}

#[cfg(test)]
mod tests;
