//! `exactum run`: judges implementations.

mod summary;
mod update;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use exactum_conformance::changes;
use exactum_conformance::checkout::Checkout;
use exactum_conformance::expectations::Expectations;
use exactum_conformance::output;
use exactum_conformance::pattern::Pattern;
use exactum_conformance::process::Limits;
use exactum_conformance::report::{self, Absent, Outline, Reviewed};
use exactum_conformance::results::Results;
use exactum_conformance::run::{self as runner, Questions, Selection};
use exactum_peers::is_ours;
use exactum_vectors::spec::Clause;
use exactum_vectors::{Suite, side_by_side};
use indicatif::MultiProgress;

use crate::chosen::{Chosen, Wanted, choose, given};
use crate::names::hint_of_id;
use crate::progress;
use crate::random::RandomCases;
use crate::source::Source;
use crate::style;

/// The greatest number of random requests. They and their answers are kept in memory until the end.
const MOST_RANDOM: u64 = 100_000;

/// Judge implementations by the vectors and print which cases they pass.
///
/// Prints a table of rows and implementations, the clauses with unexpected failures, and each known fault
/// once. `--all` prints every clause, and every known fault with its reason.
///
/// The exit code is 0 if all results match the expectations. Known faults of third-party implementations are
/// listed with reasons in conformance/expectations, or in the file of `--expectations`. The vectors are those
/// of the checkout around the current folder; elsewhere, they are those that are built into the program.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Judge only these cases. A case is selected by its id, by the id of its group or of anything above it,
    /// or by a pattern (`*` matches within a segment, `**` across segments).
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Judge only these implementations, whether they are built in or not.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    implementation: Vec<String>,
    /// Also judge third-party implementations (`cargo xtask peers` sets them up), and compare their results
    /// with the committed ones.
    #[arg(long)]
    peers: bool,
    /// With `--peers`: judge their newest releases instead (`cargo xtask peers --newest` sets them up),
    /// and report what has changed since the committed results.
    #[arg(long, requires = "peers", conflicts_with = "update_expectations")]
    newest: bool,
    /// With `--peers`: skip these implementations. An implementation that is missing and not named here is a
    /// finding.
    #[arg(long, value_name = "NAME", num_args = 1.., requires = "peers")]
    without: Vec<String>,
    /// Judge the program given after `--` under this name and by the expectations of this name. Other
    /// implementations are judged only if `--implementation` names them.
    #[arg(long, value_name = "NAME", requires = "program")]
    command: Option<String>,
    /// Run this many processes of each program in parallel.
    #[arg(long, value_name = "N", default_value_t = runner::PROCESS_WORKERS)]
    workers: NonZeroUsize,
    /// Give up on a program after this many unexpected crashes, timeouts or protocol errors.
    #[arg(long, value_name = "N", default_value_t = Limits::default().restarts)]
    restarts: u32,
    /// Wait this many seconds for an answer of a program, and one more second for each MiB of the request.
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().case.as_secs())]
    case_timeout: u64,
    /// Wait this many seconds for a program to start.
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().start.as_secs())]
    start_timeout: u64,
    /// The memory in MiB that a program may use together with all processes that it starts (on Linux).
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().memory >> 20, value_parser = clap::value_parser!(u64).range(1..1 << 20))]
    memory: u64,
    /// Give up on a program after this many seconds, and report the remaining cases as not run.
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().total.as_secs())]
    timeout: u64,
    /// Also judge N random requests that are not in the vectors, at most 100000.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=MOST_RANDOM))]
    fresh: Option<usize>,
    /// Use this seed for the random requests (default: a new one each time).
    #[arg(long, value_name = "S", requires = "fresh")]
    seed: Option<u64>,
    /// Print the whole table of clauses, and every known fault with its reason.
    #[arg(long)]
    all: bool,
    /// Write an HTML page for a browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a report in the XML format of JUnit.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a report in JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a badge for the one implementation that is judged: an image if the file name ends in .svg, and
    /// otherwise the JSON that badge services read.
    #[arg(long, value_name = "FILE")]
    badge: Option<PathBuf>,
    /// Use the vectors in this folder instead of the checkout's or the program's own.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// Read the known faults of the one implementation that is judged from this file. The file need not exist
    /// yet.
    #[arg(long, value_name = "FILE")]
    expectations: Option<PathBuf>,
    /// Write the failures found into the expectations, new ones as `unreviewed`. They are written only into
    /// the file of `--expectations` if it is given; otherwise into the checkout together with the results,
    /// which requires a run of all cases.
    #[arg(long)]
    update_expectations: bool,
    /// With `--command`: the program, which must answer the protocol, and its arguments.
    #[arg(last = true, value_name = "CMD", requires = "command")]
    program: Vec<OsString>,
}

/// The outcome of a run.
#[derive(Default)]
struct RunReport {
    reviewed: Vec<Reviewed>,
    absent: Vec<Absent>,
    /// The results of the random cases, and the number of those that are not as expected.
    random_text: String,
    random_findings: usize,
    random_judged: bool,
    /// The errors that did not prevent the rest of the run.
    troubles: Vec<String>,
}

impl RunReport {
    /// Records an error, and returns the value if there is one.
    fn note<T>(&mut self, result: Result<T, String>) -> Option<T> {
        result.map_err(|trouble| self.troubles.push(trouble)).ok()
    }

    /// Adds the results of another implementation.
    fn add(&mut self, other: Self) {
        self.reviewed.extend(other.reviewed);
        self.random_text.push_str(&other.random_text);
        self.random_findings += other.random_findings;
        self.random_judged |= other.random_judged;
        self.troubles.extend(other.troubles);
    }

    /// Prints the errors, and returns the exit code.
    fn complain(&self) -> ExitCode {
        for trouble in &self.troubles {
            output::complain("exactum", trouble);
        }
        let as_expected = |reviewed: &Reviewed| reviewed.review.findings.is_empty();
        let judged = |reviewed: &Reviewed| {
            let mut cases = reviewed.report.cases.iter();
            cases.any(|it| it.verdict.is_judged())
        };
        let nothing = !self.random_judged && !self.reviewed.iter().any(judged);
        if nothing {
            output::complain("exactum", "nothing was judged");
        }
        let fine = !nothing
            && self.absent.is_empty()
            && self.random_findings == 0
            && self.reviewed.iter().all(as_expected);
        ExitCode::from(match (fine, self.troubles.is_empty()) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 0,
        })
    }
}

/// Runs, prints and writes the reports. The exit code is 1 if a result is not as expected, an implementation
/// is missing or nothing was judged, and 2 if a report could not be written.
///
/// # Errors
/// If the vectors or expectations cannot be read, or nothing is selected.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let source = source(args)?;
    let suite = source.suite()?;
    let clauses = source.clauses()?;
    let selection = selection(&args.only)?;
    let random_cases = match args.fresh {
        None => None,
        Some(count) => Some(RandomCases::make(count, args.seed, &selection, &clauses)?),
    };
    let run = Run {
        args,
        source: &source,
        suite: &suite,
        clauses: &clauses,
        selection: &selection,
        cases: selection.cases(&suite).count(),
        outline: Outline::of(&suite),
        random_cases,
    };
    if run.cases + run.random_cases.as_ref().map_or(0, RandomCases::cases) == 0 {
        return Err(no_case(&suite, &args.only));
    }
    let (chosen, absent) = chosen(args, &source)?;
    // All expectations are read before the first implementation is judged, because judging may take long.
    let known = chosen
        .iter()
        .map(|chosen| match args.update_expectations {
            true => source.expectations_to_update(&chosen.name),
            false => source.expectations(&chosen.name),
        })
        .collect::<Result<Vec<Expectations>, String>>()?;
    let questions = Questions::new(&suite, &selection)?;
    let mut outcome = RunReport {
        absent,
        ..RunReport::default()
    };
    // A program that starts or hangs leaves processors idle, which others can use meanwhile.
    let bars = MultiProgress::new();
    let jobs: Vec<_> = chosen.iter().zip(&known).collect();
    let judged = side_by_side(&jobs, |(chosen, expectations)| {
        run.judge(&questions, chosen, expectations, &bars)
    });
    for judged in judged {
        outcome.add(judged);
    }
    run.write(&mut outcome);
    let mut summary = run.summary(&outcome);
    if args.newest {
        let mut committed = BTreeMap::new();
        for name in outcome.reviewed.iter().map(|reviewed| &reviewed.name) {
            let there = Results::load(&source.checkout()?.results(), name)?;
            committed.extend(there.map(|there| (name.clone(), there)));
        }
        summary.push_str(&changes::render(
            &run.outline,
            &outcome.reviewed,
            &committed,
        ));
    }
    if let Some(random_cases) = &run.random_cases {
        summary.push_str(&random_cases.title());
        summary.push_str(&outcome.random_text);
    }
    outcome.note(output::print(&style::report(&summary)));
    Ok(outcome.complain())
}

/// The settings of a run: the implementations, the cases and the expectations.
struct Run<'a> {
    args: &'a Args,
    source: &'a Source,
    suite: &'a Suite,
    clauses: &'a [Clause],
    selection: &'a Selection,
    /// The number of selected cases.
    cases: usize,
    outline: Outline,
    random_cases: Option<RandomCases>,
}

impl Run<'_> {
    /// Judges an implementation.
    fn judge(
        &self,
        questions: &Questions<'_>,
        chosen: &Chosen,
        expectations: &Expectations,
        bars: &MultiProgress,
    ) -> RunReport {
        let mut outcome = RunReport::default();
        let progress = progress::bar(self.cases as u64, "{msg:>16} {bar:40} {pos}/{len}");
        let progress = bars.add(progress);
        progress.set_message(chosen.name.clone());
        let report = questions.ask(&*chosen.make, chosen.workers, &|| progress.inc(1));
        progress.finish_and_clear();
        let Some(report) = outcome.note(report) else {
            return outcome;
        };
        if let Some(random_cases) = &self.random_cases {
            let judged = random_cases.judge(chosen, expectations, self.clauses);
            if let Some(judged) = outcome.note(judged) {
                outcome.random_text.push_str(&judged.text);
                outcome.random_findings += judged.findings;
                outcome.random_judged |= judged.any;
            }
        }
        let mut reviewed = Reviewed {
            review: expectations.review(&report, &self.outline, self.selection),
            name: chosen.name.clone(),
            command: chosen.command.clone(),
            report,
            expectations: expectations.clone(),
        };
        if !is_ours(&reviewed.name) {
            if self.args.update_expectations {
                outcome.note(self.update(&mut reviewed));
            }
            if self.args.peers
                && !self.args.newest
                && self.selection.is_all()
                && reviewed.review.findings.is_empty()
            {
                let results = self.source.checkout().map(Checkout::results);
                let there = results.and_then(|folder| Results::load(&folder, &reviewed.name));
                if let Some(there) = outcome.note(there) {
                    let now = Results::of(&self.outline, &reviewed);
                    reviewed.review.findings = now.findings(there.as_ref());
                }
            }
        }
        outcome.reviewed.push(reviewed);
        outcome
    }

    /// Writes the reports. If one of them cannot be written, the others are still written.
    fn write(&self, outcome: &mut RunReport) {
        let Self {
            args,
            outline,
            clauses,
            ..
        } = self;
        let RunReport {
            reviewed,
            absent,
            troubles,
            ..
        } = outcome;
        let mut write = |path: &Option<PathBuf>, text: &dyn Fn() -> String| {
            if let Some(path) = path {
                troubles.extend(output::write(path, &text()).err());
            }
        };
        write(&args.json, &|| {
            format!("{:#}\n", report::json(outline, reviewed, absent))
        });
        write(&args.junit, &|| report::junit(reviewed, absent));
        write(&args.html, &|| {
            report::html(outline, clauses, reviewed, absent)
        });
        if let Some(path) = &args.badge {
            let svg = path.extension().is_some_and(|ending| ending == "svg");
            let written = match reviewed.as_slice() {
                [one] => output::write(path, &report::badge(outline, one, svg)),
                _ => Err(
                    "--badge applies to one implementation; name it with --implementation or --command"
                        .into(),
                ),
            };
            troubles.extend(written.err());
        }
    }
}

/// Returns the source of the vectors and expectations.
///
/// # Errors
/// If a file of expectations is given, but the implementation to which it belongs is not clear.
fn source(args: &Args) -> Result<Source, String> {
    let source = Source::find(args.vectors.as_deref());
    let Some(file) = &args.expectations else {
        if args.update_expectations {
            source.checkout().map_err(|why| {
                format!("{why}; use `--expectations FILE` to update a file of your own")
            })?;
        }
        return Ok(source);
    };
    match (&args.command, args.implementation.as_slice()) {
        (Some(name), []) => Ok(source.with_expectations(name, file)),
        (None, [name]) => Ok(source.with_expectations(name, file)),
        _ => Err(
            "--expectations applies to one implementation; name it with --command or \
             --implementation"
                .into(),
        ),
    }
}

/// Returns the message for an empty selection.
fn no_case(suite: &Suite, patterns: &[String]) -> String {
    let everything = Selection::default();
    let ids: Vec<String> = everything.cases(suite).map(|(_, _, id)| id).collect();
    let known = ids.iter().map(String::as_str);
    let hints: String = patterns
        .iter()
        .map(|pattern| hint_of_id(pattern, '/', known.clone()))
        .collect();
    format!(
        "no case matches --only {}; `exactum vectors` lists them{hints}",
        patterns.join(" ")
    )
}

/// Returns the implementations to judge, and those that are missing.
fn chosen(args: &Args, source: &Source) -> Result<(Vec<Chosen>, Vec<Absent>), String> {
    let wanted = Wanted {
        names: &args.implementation,
        peers: args.peers,
        newest: args.newest,
        without: &args.without,
        workers: args.workers,
        limits: Limits {
            start: Duration::from_secs(args.start_timeout),
            case: Duration::from_secs(args.case_timeout),
            memory: args.memory << 20,
            restarts: args.restarts,
            total: Duration::from_secs(args.timeout),
            ..Limits::default()
        },
        source,
    };
    let alone = args.command.is_some() && args.implementation.is_empty() && !args.peers;
    let (mut chosen, absent) = if alone {
        (Vec::new(), Vec::new())
    } else {
        choose(&wanted)?
    };
    if let Some(name) = &args.command {
        let program = given(name, &args.program, &chosen, &wanted)?;
        chosen.push(program);
    }
    Ok((chosen, absent))
}

/// Returns the selection that the patterns describe.
///
/// # Errors
/// If a text is not a pattern.
pub(crate) fn selection(patterns: &[String]) -> Result<Selection, String> {
    let patterns = patterns
        .iter()
        .map(|text| Pattern::selecting(text))
        .collect::<Result<Vec<Pattern>, String>>()?;
    Ok(Selection::new(patterns))
}
