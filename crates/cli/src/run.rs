//! `exactum run`: judges implementations.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use exactum_conformance::Implementation;
use exactum_conformance::expectations::Expectations;
use exactum_conformance::pattern::Pattern;
use exactum_conformance::process::{Launch, Limits, Program};
use exactum_conformance::report::{self, Outline, Reviewed};
use exactum_conformance::run::{self as runner, Selection};
use exactum_peers::{Constructor, all, implementation, is_ours};
use exactum_vectors::Suite;
use indicatif::{ProgressBar, ProgressStyle};

use crate::checkout::Checkout;
use crate::output;

/// Judge implementations by the vectors and print a table of clauses.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only the cases of these ids: a case, what stands above it, or a pattern (`*` within a
    /// segment, `**` across).
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Only these implementations.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    implementation: Vec<String>,
    /// Judge the program that stands behind `--`, which answers the protocol, under this name and
    /// with the expectations of this name; alone, unless `--implementation` is there too.
    #[arg(long, value_name = "NAME", requires = "program")]
    command: Option<String>,
    /// How many processes of a program are judged side by side.
    #[arg(long, value_name = "N", default_value_t = runner::PROCESS_WORKERS)]
    workers: NonZeroUsize,
    /// After how many faults a program is given up.
    #[arg(long, value_name = "N", default_value_t = Limits::default().restarts)]
    restarts: u32,
    /// Write a page to look at in a browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a report in the XML of JUnit.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a report in JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The folder of the vectors, instead of the checkout's own.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// Write today's failures into the expectations; new ones as `unreviewed`.
    #[arg(long)]
    update_expectations: bool,
    /// With `--command`: the program and its arguments.
    #[arg(last = true, value_name = "CMD", requires = "command")]
    program: Vec<OsString>,
}

/// Someone to judge.
struct Chosen {
    name: String,
    make: Box<dyn Fn() -> Box<dyn Implementation> + Sync>,
    workers: NonZeroUsize,
}

/// Runs, prints and writes the reports; exit code 1 where something is not as expected.
///
/// # Errors
/// When the vectors or expectations cannot be read, or nothing is selected.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let checkout = Checkout::find(args.vectors.as_deref());
    let chosen = chosen(args)?;
    let suite = checkout.suite()?;
    let clauses = checkout.clauses()?;
    let selection = selection(&args.only)?;
    let cases = selection.cases(&suite).count();
    if cases == 0 {
        return Err("no case matches --only; `exactum vectors` lists them".into());
    }
    let mut all = Vec::new();
    for Chosen {
        name,
        make,
        workers,
    } in chosen
    {
        let progress = progress(cases, &name);
        let report = runner::run(&suite, &selection, &*make, workers, &|| progress.inc(1));
        progress.finish_and_clear();
        let report = report?;
        let mut expectations = Expectations::load(&checkout.expectations(), &name)?;
        if is_ours(&name) && !expectations.entries.is_empty() {
            return Err(format!("{name} is ours and has no expectations"));
        }
        if args.update_expectations && !is_ours(&name) {
            let updated = expectations.updated(&report, &selection);
            if updated != expectations {
                let path = checkout.expectations().join(format!("{name}.toml"));
                output::write(&path, &updated.render()?)?;
                expectations = updated;
            }
        }
        let review = expectations.review(&report, &suite, &selection);
        all.push(Reviewed {
            name,
            report,
            expectations,
            review,
        });
    }
    let outline = Outline::of(&suite);
    if let Some(path) = &args.json {
        output::write(path, &format!("{:#}\n", report::json(&outline, &all)))?;
    }
    if let Some(path) = &args.junit {
        output::write(path, &report::junit(&all))?;
    }
    if let Some(path) = &args.html {
        output::write(path, &report::html(&outline, &clauses, &all))?;
    }
    output::print(&summary(&suite, &outline, cases, &all))?;
    let findings = all
        .iter()
        .any(|reviewed| !reviewed.review.findings.is_empty());
    Ok(ExitCode::from(u8::from(findings)))
}

fn summary(suite: &Suite, outline: &Outline, cases: usize, all: &[Reviewed]) -> String {
    let findings: usize = all
        .iter()
        .map(|reviewed| reviewed.review.findings.len())
        .sum();
    let known: usize = all
        .iter()
        .map(|reviewed| reviewed.review.expected.len())
        .sum();
    format!(
        "{}{}\nsuite {}: {cases} of {} cases, {} implementation{}; {known} known failures, \
         {findings} not as expected\n",
        report::table(outline, all),
        report::failures(outline, all),
        suite.manifest.suite,
        suite.manifest.cases,
        all.len(),
        if all.len() == 1 { "" } else { "s" },
    )
}

/// Who is to be judged.
fn chosen(args: &Args) -> Result<Vec<Chosen>, String> {
    let mut chosen = Vec::new();
    if args.command.is_none() || !args.implementation.is_empty() {
        for (name, constructor) in implementations(&args.implementation)? {
            chosen.push(Chosen {
                name: name.into(),
                make: Box::new(move || implementation(constructor)),
                workers: runner::in_process_workers(),
            });
        }
    }
    if let Some(name) = &args.command {
        if all().iter().any(|(known, _)| known == name) {
            return Err(format!("{name} is built in; give the program another name"));
        }
        let limits = Limits {
            restarts: args.restarts,
            ..Limits::default()
        };
        let program = Program::with_limits(launch(name, &args.program), limits);
        chosen.push(Chosen {
            name: name.clone(),
            make: Box::new(move || Box::new(program.process())),
            workers: args.workers,
        });
    }
    Ok(chosen)
}

/// A command line as something to start.
pub(crate) fn launch(name: &str, command: &[OsString]) -> Launch {
    let (program, arguments) = command.split_first().unzip();
    Launch {
        name: name.into(),
        program: program.cloned().unwrap_or_default().into(),
        arguments: arguments.map(<[OsString]>::to_vec).unwrap_or_default(),
        directory: None,
        environment: Vec::new(),
    }
}

/// The implementations of these names in the order of the registry; all where there is none.
///
/// # Errors
/// A name that no implementation has.
pub(crate) fn implementations(
    names: &[String],
) -> Result<Vec<(&'static str, Constructor)>, String> {
    let known: Vec<&str> = all().iter().map(|(name, _)| *name).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!(
            "no implementation {unknown}; there are {}",
            known.join(", ")
        ));
    }
    let mut chosen = all();
    chosen.retain(|(name, _)| names.is_empty() || names.iter().any(|wanted| wanted == name));
    Ok(chosen)
}

/// The selection of some patterns.
///
/// # Errors
/// What is no pattern.
pub(crate) fn selection(patterns: &[String]) -> Result<Selection, String> {
    let patterns = patterns
        .iter()
        .map(|text| Pattern::selecting(text))
        .collect::<Result<Vec<Pattern>, String>>()?;
    Ok(Selection::new(patterns))
}

/// A bar on a terminal, nothing in a pipe.
fn progress(cases: usize, name: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(cases as u64).with_message(name.to_owned());
    match ProgressStyle::with_template("{msg:>16} {bar:40} {pos}/{len}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
