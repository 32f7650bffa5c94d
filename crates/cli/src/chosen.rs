//! Whom a command judges: implementations of this process, programs of others, or the program of
//! the command line.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

use exactum_conformance::Implementation;
use exactum_conformance::process::{Launch, Limits, Process, Program};
use exactum_conformance::report::Absent;
use exactum_conformance::run::in_process_workers;
use exactum_peers::registry::{Missing, Registry};
use exactum_peers::{adapters, all, implementation};

use crate::names::hint;
use crate::source::Source;

/// Someone to judge.
pub(crate) struct Chosen {
    /// The name in the command.
    pub(crate) name: String,
    /// Makes one for each worker.
    pub(crate) make: Box<dyn Fn() -> Box<dyn Implementation> + Sync>,
    /// How many there are.
    pub(crate) workers: NonZeroUsize,
    /// The command line that starts it, where no name stands for it.
    pub(crate) command: Option<String>,
}

/// Whom to choose.
pub(crate) struct Wanted<'a> {
    /// These, wherever they are; those of this process, or all, where there is none.
    pub(crate) names: &'a [String],
    /// Whether programs are wanted too where none is named.
    pub(crate) peers: bool,
    /// Whether only the newest releases of these are wanted.
    pub(crate) newest: bool,
    /// But not these.
    pub(crate) without: &'a [String],
    /// Processes of a program side by side.
    pub(crate) workers: NonZeroUsize,
    /// What a program may take.
    pub(crate) limits: Limits,
    /// Where expectations and the lock of peers come from.
    pub(crate) source: &'a Source,
}

impl Wanted<'_> {
    /// What a program of a name may take. Faults that are known use up none of its restarts.
    fn limits(&self, name: &str) -> Result<Limits, String> {
        let known = self.source.expectations(name)?.known_faults();
        Ok(Limits {
            restarts: self.limits.restarts.saturating_add(known),
            ..self.limits.clone()
        })
    }
}

/// Finds whom to judge, and who is not there.
///
/// # Errors
/// When no implementation has a name, or the lock of peers cannot be read.
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
    for name in programs.into_iter().filter(|name| takes(name)) {
        match program(&registry, &name, wanted, wanted.limits(&name)?) {
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

/// A program of the registry that answers and is the one that is wanted.
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

/// A program that is started as it is asked for.
fn started(name: &str, launch: Launch, workers: NonZeroUsize, limits: Limits) -> Chosen {
    let program = Program::with_limits(launch, limits);
    Chosen {
        name: name.into(),
        make: Box::new(move || Box::new(program.process())),
        workers,
        command: None,
    }
}

/// Starts the program of the command line behind `--`, under a name that no other implementation has.
///
/// # Errors
/// When the name is taken or not a name, or the program does not start and say who it is.
pub(crate) fn given(
    name: &str,
    command: &[OsString],
    others: &[Chosen],
    wanted: &Wanted<'_>,
) -> Result<Chosen, String> {
    if all().iter().any(|(known, _)| *known == name) || others.iter().any(|it| it.name == name) {
        return Err(format!(
            "{name} is there already; give the program another name"
        ));
    }
    if !is_name(name) {
        return Err(format!(
            "{name:?} is not a name: letters, digits, `-`, `_`, `.` and `+`, the first of them a \
             letter or a digit, and at most {LONGEST}"
        ));
    }
    let launch = launch(name, command);
    let command = Some(launch.command_line());
    let program = Program::with_limits(launch, wanted.limits(name)?);
    let mut first = program.process();
    first
        .hello()
        .map_err(|failure| format!("{name}: {}", failure.words()))?;
    // The process that has answered with its name serves the first worker.
    let first = Mutex::new(Some(first));
    let take = move || first.lock().unwrap_or_else(PoisonError::into_inner).take();
    Ok(Chosen {
        name: name.into(),
        make: Box::new(move || Box::new(take().unwrap_or_else(|| program.process()))),
        workers: wanted.workers,
        command,
    })
}

/// Characters of a name.
const LONGEST: usize = 64;

/// Whether a text may name a program. Its expectations are a file of this name.
fn is_name(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(inner)
        && text.len() <= LONGEST
}

/// A command line as something to start.
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
/// When there is no implementation of this name.
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

/// Why a name is refused.
fn unknown_name(name: &str, known: &[&str]) -> String {
    let there = match hint(name, known.iter().copied()) {
        none if none.is_empty() => format!("; there are {}", known.join(", ")),
        meant => meant,
    };
    format!("no implementation {name}{there}")
}
