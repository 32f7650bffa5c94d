//! The implementations that a command judges: those of this process, third-party programs, or the program
//! given on the command line.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use exactum_conformance::process::{Launch, Limits, Process, Program};
use exactum_conformance::report::Absent;
use exactum_conformance::run::in_process_workers;
use exactum_conformance::{Implementation, Verdict};
use exactum_peers::registry::{Missing, Registry};
use exactum_peers::{adapters, all, implementation};
use exactum_vectors::side_by_side;

use crate::names::hint;
use crate::source::Source;

/// An implementation to judge.
pub(crate) struct Chosen {
    /// The name by which commands refer to it.
    pub(crate) name: String,
    /// Makes one instance for each worker.
    pub(crate) make: Box<dyn Fn() -> Box<dyn Implementation> + Send + Sync>,
    /// The number of workers.
    pub(crate) workers: NonZeroUsize,
    /// The command line that starts the program, if the implementation is not known by its name alone.
    pub(crate) command: Option<String>,
}

/// The selection of the implementations to judge.
pub(crate) struct Wanted<'a> {
    /// The names that were given. If there are none, the implementations of this process are chosen, or all
    /// of them.
    pub(crate) names: &'a [String],
    /// Whether programs are included when no name is given.
    pub(crate) peers: bool,
    /// Whether only the newest releases of these programs are judged.
    pub(crate) newest: bool,
    /// The names to leave out.
    pub(crate) without: &'a [String],
    /// The number of processes to run side by side for each program.
    pub(crate) workers: NonZeroUsize,
    /// The limits of a program.
    pub(crate) limits: Limits,
    /// The source of the expectations and of the lock of peers.
    pub(crate) source: &'a Source,
}

impl Wanted<'_> {
    /// Returns the limits of the program with a name. Known faults do not count against its restarts.
    fn limits(&self, name: &str) -> Result<Limits, String> {
        let expectations = self.source.expectations(name)?;
        let known = u32::try_from(expectations.known_faults().count()).unwrap_or(u32::MAX);
        let hangs = expectations.known_faults();
        let hangs = hangs.filter(|(_, digest)| *digest == Verdict::Timeout.name());
        Ok(Limits {
            restarts: self.limits.restarts.saturating_add(known),
            hangs: hangs.map(|(case, _)| case.clone()).collect(),
            ..self.limits.clone()
        })
    }
}

/// Finds the implementations to judge, and those that are missing.
///
/// # Errors
/// If there is no implementation of a given name, or the lock of peers cannot be read.
pub(crate) fn choose(wanted: &Wanted<'_>) -> Result<(Vec<Chosen>, Vec<Absent>), String> {
    let inside = all();
    let is_inside = |name: &String| inside.iter().any(|(known, _)| known == name);
    let takes = |name: &str| {
        let named = wanted.names.iter().any(|wanted| wanted == name);
        (named || wanted.names.is_empty()) && !wanted.without.iter().any(|left| left == name)
    };
    let (mut chosen, mut absent) = (Vec::new(), Vec::new());
    let here = inside.iter().filter(|_| !wanted.newest);
    for &(name, constructor) in here.filter(|(name, _)| takes(name)) {
        chosen.push(Chosen {
            name: name.into(),
            make: Box::new(move || implementation(constructor)),
            workers: in_process_workers(),
            command: None,
        });
    }
    let outside = wanted.peers || !wanted.names.iter().all(is_inside);
    if !outside {
        return Ok((chosen, absent));
    }
    let mut registry = match wanted.source.root() {
        Some(root) => Registry::open(root)?,
        None if wanted.peers => {
            wanted.source.checkout()?;
            Registry::of_this_program()?
        }
        None => Registry::of_this_program()?,
    };
    let mut programs = registry.names();
    if wanted.newest {
        registry = registry.newest();
        programs = registry.lock.peers.keys().cloned().collect();
    }
    let known = |name: &&String| is_inside(name) || programs.contains(name);
    if let Some(unknown) = wanted
        .names
        .iter()
        .chain(wanted.without)
        .find(|name| !known(name))
    {
        let inside = inside.iter().map(|(name, _)| *name);
        let names: Vec<&str> = inside.chain(programs.iter().map(String::as_str)).collect();
        return Err(unknown_name(unknown, &names));
    }
    programs.retain(|name| takes(name));
    let greeted = side_by_side(&programs, |name| {
        let limits = wanted.limits(name)?;
        Ok::<_, String>(program(&registry, name, wanted, limits))
    });
    for (name, greeted) in programs.into_iter().zip(greeted) {
        match greeted? {
            Ok(program) => chosen.push(program),
            Err(missing) => absent.push(Absent {
                name,
                why: missing.why,
                remedy: missing.remedy,
            }),
        }
    }
    Ok((chosen, absent))
}

/// Returns a program of the registry if it answers and is the expected one.
fn program(
    registry: &Registry,
    name: &str,
    wanted: &Wanted<'_>,
    limits: Limits,
) -> Result<Chosen, Missing> {
    let launch = registry.launch(name)?;
    registry.greet(name, &mut Process::new(launch.clone()))?;
    Ok(started(name, launch, wanted.workers, limits))
}

/// Returns an implementation that is started by a command line.
fn started(name: &str, launch: Launch, workers: NonZeroUsize, limits: Limits) -> Chosen {
    let program = Program::with_limits(launch, limits);
    Chosen {
        name: name.into(),
        make: Box::new(move || Box::new(program.process())),
        workers,
        command: None,
    }
}

/// Starts the program given after `--` on the command line, under a name that no other implementation has.
///
/// # Errors
/// If the name is taken or malformed, or the program does not start and introduce itself.
pub(crate) fn given(
    name: &str,
    command: &[OsString],
    others: &[Chosen],
    wanted: &Wanted<'_>,
) -> Result<Chosen, String> {
    if all().iter().any(|(known, _)| *known == name) || others.iter().any(|it| it.name == name) {
        return Err(format!(
            "the name {name} is taken; give the program another name"
        ));
    }
    if !is_name(name) {
        return Err(format!(
            "{name:?} is not a valid name: a name consists of at most {LONGEST} letters, digits, \
             `-`, `_`, `.` and `+`, and begins with a letter or a digit"
        ));
    }
    let launch = launch(name, command);
    let command = Some(launch.command_line());
    let program = Program::with_limits(launch, wanted.limits(name)?);
    let mut first = program.process();
    first
        .hello()
        .map_err(|failure| format!("{name}: {}", failure.words()))?;
    // The process that has already answered with its name serves the first worker.
    let first = Mutex::new(Some(first));
    let take = move || first.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(Chosen {
        name: name.into(),
        make: Box::new(move || Box::new(take().unwrap_or_else(|| program.process()))),
        workers: wanted.workers,
        command,
    })
}

/// The greatest number of characters in a name.
const LONGEST: usize = 64;

/// Returns whether a text may name a program. The file of its expectations has the same name.
fn is_name(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(inner)
        && text.len() <= LONGEST
}

/// Returns the launch settings for a command line.
pub(crate) fn launch(name: &str, command: &[OsString]) -> Launch {
    let (program, arguments) = command.split_first().unzip();
    Launch {
        name: name.into(),
        program: program.cloned().unwrap_or_default().into(),
        arguments: arguments.map(<[OsString]>::to_vec).unwrap_or_default(),
        ..Launch::default()
    }
}

/// Returns the implementation of this binary that `exactum adapter` runs under a name.
///
/// # Errors
/// If there is no implementation of this name.
pub(crate) fn built_in(name: &str) -> Result<Box<dyn Implementation>, String> {
    let (inside, own) = (all(), adapters());
    if let Some((_, constructor)) = inside.iter().find(|(known, _)| *known == name) {
        return Ok(implementation(*constructor));
    }
    if let Some((_, adapter)) = own.iter().find(|(known, _)| *known == name) {
        return Ok(adapter());
    }
    let names = inside.iter().map(|(name, _)| *name);
    let names: Vec<&str> = names.chain(own.iter().map(|(name, _)| *name)).collect();
    Err(unknown_name(name, &names))
}

/// Returns the message for an unknown name.
fn unknown_name(name: &str, known: &[&str]) -> String {
    let there = match hint(name, known.iter().copied()) {
        none if none.is_empty() => format!("; the known ones are {}", known.join(", ")),
        meant => meant,
    };
    format!("there is no implementation {name}{there}")
}
