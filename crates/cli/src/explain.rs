//! `exactum explain`: explains a case with its request, its reasons and the answers, or a clause, a ruling, a
//! row or an implementation.

mod known;
mod rule;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use exactum_conformance::output;
use exactum_conformance::process::Limits;
use exactum_conformance::report::{self, Absent, Answered};
use exactum_conformance::run::{Selection, judge_alone, request_of};
use exactum_conformance::{Hello, Implementation, Request, Verdict};
use exactum_peers::random;
use exactum_peers::registry::Registry;
use exactum_vectors::{Case, Group, Suite};

use self::known::Grid;
use crate::chosen::{Chosen, Wanted, choose, given};
use crate::names::{hint, hint_of_id};
use crate::run::selection;
use crate::source::Source;
use crate::style;

/// Explain a case, a clause, a ruling, a row or an implementation.
///
/// For a case, it prints the clauses, the input, the expected result, and the answer of each implementation.
/// For a clause or a ruling, it prints the text, the cases that test it, and the implementations that deviate
/// from it in the committed results. For a row or an implementation, it summarizes the committed results in
/// 20 lines.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  exactum explain cast_value\n  exactum explain zarrita\n  exactum explain cast_value.rounding.once\n  exactum explain R5"
)]
pub(crate) struct Args {
    /// The full id of a case or a clause, a ruling such as R5, a row such as cast_value, or the name of an
    /// implementation.
    #[arg(value_name = "CASE|CLAUSE|RULING|ROW|NAME")]
    case: String,
    /// Query only these implementations (default: the built-in ones).
    #[arg(long, value_name = "NAME", num_args = 1..)]
    implementation: Vec<String>,
    /// Query the program given after `--` under this name, and no others unless `--implementation`
    /// names them.
    #[arg(long, value_name = "NAME", requires = "program")]
    command: Option<String>,
    /// Use the vectors in this folder instead of the checkout's or the program's own.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// With `--command`: the program, which must answer the protocol, and its arguments.
    #[arg(last = true, value_name = "CMD", requires = "command")]
    program: Vec<OsString>,
}

/// Explains the named subject.
///
/// # Errors
/// If there is no such case, clause, ruling or implementation, or the vectors cannot be read.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let source = Source::find(args.vectors.as_deref());
    let suite = source.suite()?;
    let everything = Selection::default();
    let mut cases = everything.cases(&suite);
    let Some((group, case, _)) = cases.find(|(_, _, id)| *id == args.case) else {
        let grid = Grid::read(&source, &suite)?;
        let rule = grid.rule(&source, &args.case)?;
        let Some(text) = rule.or_else(|| grid.explain(&args.case, style::width())) else {
            return Err(unknown(&suite, &grid, &args.case));
        };
        output::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
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
        let smallest = match &answer {
            Some(Ok(_)) if judged.verdict.is_failure() => {
                let registry = source.root().map(Registry::open).transpose()?;
                smallest(make().as_mut(), &hello, group, case, |line| {
                    registry.as_ref()?.call(&name, line)
                })?
            }
            _ => String::new(),
        };
        answered.push(Answered {
            name,
            judged,
            answer,
            known,
            smallest,
        });
    }
    let text = report::explain(group, case, &source.clauses()?, &answered)?;
    output::print(&style::verdicts(&text))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a text about the smallest part of a case that still makes an implementation fail, with the request to send.
/// If `call` has a shell command that calls the library without its adapter, the text includes it.
fn smallest(
    implementation: &mut dyn Implementation,
    hello: &Hello,
    group: &Group,
    case: &Case,
    call: impl Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let whole = request_of(group, case)?;
    let small = random::shrink(implementation, hello, group, case)?;
    let request = request_of(&small, &small.cases[0])?;
    let elements = |request: &Request| request.input().map_or(0, |input| input.len());
    let (line, before) = (random::line(&request), random::line(&whole));
    let mut text = String::new();
    let is_smaller = line.len() < before.len();
    if is_smaller {
        let less = match elements(&whole) {
            0 => "a smaller request".to_owned(),
            all => format!("{} of the {all} elements", elements(&request)),
        };
        text = format!("it also fails with {less}; as a line of the protocol:\n    {line}");
    }
    if let Some(call) = call(if is_smaller { &line } else { &before }) {
        let gap = if is_smaller { "\n  " } else { "" };
        text += &format!("{gap}to call the library without its adapter:\n    {call}");
    }
    Ok(text)
}

/// Returns the message for an unknown id, with the ids that were probably meant.
fn unknown(suite: &Suite, grid: &Grid, id: &str) -> String {
    const SHOWN: usize = 10;
    let near: Vec<String> = match selection(&[id.to_owned()]) {
        Ok(selection) => selection.cases(suite).map(|(_, _, id)| id).collect(),
        Err(_) => Vec::new(),
    };
    if near.is_empty() {
        let everything = Selection::default();
        let cases: Vec<String> = everything.cases(suite).map(|(_, _, id)| id).collect();
        let hints = [
            hint_of_id(id, '.', grid.clauses()),
            hint(id, grid.implementations()),
            hint_of_id(id, '/', cases.iter().map(String::as_str)),
        ];
        let hint = hints.into_iter().find(|hint| !hint.is_empty());
        return format!(
            "there is no case, clause, ruling, row or implementation {id}{}",
            hint.unwrap_or_else(|| "; `exactum vectors` lists cases".into())
        );
    }
    let more = match near.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    let shown: Vec<&str> = near.iter().take(SHOWN).map(String::as_str).collect();
    format!(
        "{id} is not a single case; the cases below it are\n  {}{more}",
        shown.join("\n  ")
    )
}
