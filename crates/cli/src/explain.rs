//! `exactum explain`: one case, what it asks, why, and what came; or a clause or a ruling.

mod rule;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use exactum_conformance::Verdict;
use exactum_conformance::output;
use exactum_conformance::process::Limits;
use exactum_conformance::report::{self, Absent, Answered};
use exactum_conformance::run::{Selection, judge_alone, request_of};
use exactum_vectors::{Case, Group, Suite};

use crate::chosen::{Chosen, Wanted, choose, given};
use crate::run::selection;
use crate::source::Source;

/// Explain a case: its clauses, its input, the expected result, and each implementation's answer. Or a
/// clause or a ruling: what it says, the cases that test it, and who does otherwise by the committed results.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  exactum explain cast_value.rounding.once\n  exactum explain R5"
)]
pub(crate) struct Args {
    /// The full id of a case, or the id of a clause, or a ruling such as R5.
    #[arg(value_name = "CASE|CLAUSE|RULING")]
    case: String,
    /// Ask only these implementations (default: those that are built in).
    #[arg(long, value_name = "NAME", num_args = 1..)]
    implementation: Vec<String>,
    /// Ask the program given after `--` under this name, and no others unless `--implementation`
    /// names them.
    #[arg(long, value_name = "NAME", requires = "program")]
    command: Option<String>,
    /// Use the vectors in this folder instead of the checkout's or the program's own.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// With `--command`: the program, which answers the protocol, and its arguments.
    #[arg(last = true, value_name = "CMD", requires = "command")]
    program: Vec<OsString>,
}

/// Explains what is named.
///
/// # Errors
/// When there is no such case, clause, ruling or implementation, or the vectors cannot be read.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let source = Source::find(args.vectors.as_deref());
    let suite = source.suite()?;
    if let Some(text) = rule::explain(&source, &suite, &args.case)? {
        output::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    let (group, case) = find(&suite, &args.case)?;
    let request = request_of(group, case)?;
    let wanted = Wanted {
        names: &args.implementation,
        peers: false,
        newest: false,
        without: &[],
        workers: NonZeroUsize::MIN,
        limits: Limits::default(),
        source: &source,
    };
    let (mut chosen, absent) = if args.command.is_some() && args.implementation.is_empty() {
        (Vec::new(), Vec::new())
    } else {
        choose(&wanted)?
    };
    if let Some(Absent { name, why, remedy }) = absent.first() {
        return Err(format!("{name} is missing: {why}\n  {remedy}"));
    }
    if let Some(name) = &args.command {
        chosen.push(given(name, &args.program, &chosen, &wanted)?);
    }
    let mut answered = Vec::new();
    for Chosen { name, make, .. } in chosen {
        let mut implementation = make();
        let hello = implementation
            .hello()
            .map_err(|failure| format!("{name}: {}", failure.words()))?;
        let judged = judge_alone(implementation.as_mut(), &hello, group, case)?;
        let answer =
            (judged.verdict != Verdict::Unsupported).then(|| implementation.call(&request));
        let expectations = source.expectations(&name)?;
        let known = expectations
            .entry_of(&args.case, &hello.version)
            .map(|entry| format!("{}: {} {}", entry.kind.name(), entry.reason, entry.link))
            .unwrap_or_default();
        answered.push(Answered {
            name,
            judged,
            answer,
            known,
        });
    }
    let text = report::explain(group, case, &source.clauses()?, &answered)?;
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The case of a full id.
///
/// # Errors
/// When there is none; with the cases that may be meant.
fn find<'a>(suite: &'a Suite, id: &str) -> Result<(&'a Group, &'a Case), String> {
    const SHOWN: usize = 10;
    let everything = Selection::default();
    if let Some((group, case, _)) = everything.cases(suite).find(|(_, _, known)| known == id) {
        return Ok((group, case));
    }
    let near: Vec<String> = match selection(&[id.to_owned()]) {
        Ok(selection) => selection.cases(suite).map(|(_, _, id)| id).collect(),
        Err(_) => Vec::new(),
    };
    if near.is_empty() {
        return Err(format!(
            "no case {id}, nor a clause or ruling; `exactum vectors` lists cases"
        ));
    }
    let more = match near.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    let shown: Vec<&str> = near.iter().take(SHOWN).map(String::as_str).collect();
    Err(format!(
        "{id} is no case, but there are\n  {}{more}",
        shown.join("\n  ")
    ))
}
