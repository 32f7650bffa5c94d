//! `exactum run`: judges implementations.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use exactum_conformance::Verdict;
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
use exactum_peers::registry::SET_UP;
use exactum_vectors::Suite;
use exactum_vectors::spec::Clause;

use crate::chosen::{Chosen, Wanted, choose, given};
use crate::names::hint_of_id;
use crate::progress;
use crate::random::RandomCases;
use crate::source::Source;
use crate::style;

/// Random requests that are judged at most. They and their answers are kept until the end.
const MOST_RANDOM: u64 = 100_000;

/// More implementations than a table of clauses has room for.
const MANY: usize = 6;

/// Judge implementations by the vectors and print who passes what.
///
/// Prints a table of rows and implementations, the clauses with unexpected failures, and the known faults, each once;
/// `--all` prints every clause and every known fault with its reason.
///
/// Exit code 0 means that all results matched expectations; known faults of other implementations are
/// listed with reasons in conformance/expectations, or in the file of `--expectations`. The vectors are
/// those of the checkout around the current folder or, anywhere else, those that the program carries.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Judge only these cases: the id of a case, of a group or of anything above it, or a pattern
    /// (`*` matches within a segment, `**` across segments).
    #[arg(long, value_name = "GLOB", num_args = 1..)]
    only: Vec<String>,
    /// Judge only these implementations, built in or not.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    implementation: Vec<String>,
    /// Judge the implementations of others too (`cargo xtask peers` sets them up), and compare the
    /// results with those that are committed.
    #[arg(long)]
    peers: bool,
    /// With `--peers`: judge their newest releases instead (`cargo xtask peers --newest` sets them up),
    /// and report what has changed since the committed results.
    #[arg(long, requires = "peers", conflicts_with = "update_expectations")]
    newest: bool,
    /// With `--peers`: do without these. An implementation that is missing and not named here is a
    /// finding.
    #[arg(long, value_name = "NAME", num_args = 1.., requires = "peers")]
    without: Vec<String>,
    /// Judge the program given after `--` under this name and by the expectations of this name, and
    /// no others unless `--implementation` names them.
    #[arg(long, value_name = "NAME", requires = "program")]
    command: Option<String>,
    /// Run this many processes of a program side by side.
    #[arg(long, value_name = "N", default_value_t = runner::PROCESS_WORKERS)]
    workers: NonZeroUsize,
    /// Give up on a program after this many unexpected crashes, timeouts or protocol errors.
    #[arg(long, value_name = "N", default_value_t = Limits::default().restarts)]
    restarts: u32,
    /// Wait for an answer of a program for this many seconds, and one more for each MiB of the request.
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().case.as_secs())]
    case_timeout: u64,
    /// Wait for a program to start for this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().start.as_secs())]
    start_timeout: u64,
    /// Memory that a program may take with all that it starts, in MiB (on Linux).
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
    /// Print the whole table of clauses, and all known faults with their reasons.
    #[arg(long)]
    all: bool,
    /// Write an HTML page for a browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a report in JUnit's XML format.
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write a report in JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a badge of the one implementation that is judged: an image if the name ends in .svg, else
    /// the JSON that badge services read.
    #[arg(long, value_name = "FILE")]
    badge: Option<PathBuf>,
    /// Use the vectors in this folder instead of the checkout's or the program's own.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// Take the known faults of the one implementation that is judged from this file, which need not
    /// be there yet.
    #[arg(long, value_name = "FILE")]
    expectations: Option<PathBuf>,
    /// Write the failures found into the expectations, new ones as `unreviewed`: into the file of
    /// `--expectations` and nothing else, or into the checkout with the results, which needs all cases.
    #[arg(long)]
    update_expectations: bool,
    /// With `--command`: the program, which answers the protocol, and its arguments.
    #[arg(last = true, value_name = "CMD", requires = "command")]
    program: Vec<OsString>,
}

/// What a run has come to.
#[derive(Default)]
struct RunReport {
    reviewed: Vec<Reviewed>,
    absent: Vec<Absent>,
    /// What became of random cases, and how many are not as expected.
    random_text: String,
    random_findings: usize,
    random_judged: bool,
    /// What could not be done. It does not keep the rest from being done.
    troubles: Vec<String>,
}

impl RunReport {
    /// Notes what went wrong.
    fn note<T>(&mut self, result: Result<T, String>) -> Option<T> {
        result.map_err(|trouble| self.troubles.push(trouble)).ok()
    }
}

/// Runs, prints and writes the reports; exit code 1 where something is not as expected, an
/// implementation is missing or nothing was judged, 2 where a report could not be written.
///
/// # Errors
/// If the vectors or expectations cannot be read, or nothing is selected.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let source = source(args)?;
    let suite = source.suite()?;
    let clauses = source.clauses()?;
    let selection = selection(&args.only)?;
    let cases = selection.cases(&suite).count();
    let random_cases = match args.fresh {
        None => None,
        Some(count) => Some(RandomCases::make(count, args.seed, &selection, &clauses)?),
    };
    if cases + random_cases.as_ref().map_or(0, RandomCases::cases) == 0 {
        return Err(no_case(&suite, &args.only));
    }
    let (chosen, absent) = chosen(args, &source)?;
    // All of them before anybody is judged, which may take long.
    let known = chosen
        .iter()
        .map(|chosen| match args.update_expectations {
            true => source.expectations_to_update(&chosen.name),
            false => source.expectations(&chosen.name),
        })
        .collect::<Result<Vec<Expectations>, String>>()?;
    let outline = Outline::of(&suite);
    let questions = Questions::new(&suite, &selection)?;
    let mut outcome = RunReport {
        absent,
        ..RunReport::default()
    };
    for (chosen, expectations) in chosen.into_iter().zip(known) {
        let progress = progress::bar(cases as u64, "{msg:>16} {bar:40} {pos}/{len}");
        progress.set_message(chosen.name.clone());
        let make = &*chosen.make;
        let report = questions.ask(make, chosen.workers, &|| progress.inc(1));
        progress.finish_and_clear();
        let Some(report) = outcome.note(report) else {
            continue;
        };
        let review = expectations.review(&report, &suite, &selection);
        if let Some(random_cases) = &random_cases {
            let judged = random_cases.judge(&chosen, &expectations, &clauses);
            if let Some(judged) = outcome.note(judged) {
                outcome.random_text.push_str(&judged.text);
                outcome.random_findings += judged.findings;
                outcome.random_judged |= judged.any;
            }
        }
        let mut reviewed = Reviewed {
            name: chosen.name,
            command: chosen.command,
            report,
            expectations,
            review,
        };
        if !is_ours(&reviewed.name) {
            if args.update_expectations {
                let updated = update(&source, &suite, &outline, &selection, &mut reviewed);
                outcome.note(updated);
            }
            if args.peers
                && !args.newest
                && selection.is_all()
                && reviewed.review.findings.is_empty()
            {
                let results = source.checkout().map(Checkout::results);
                let there = results.and_then(|folder| Results::load(&folder, &reviewed.name));
                if let Some(there) = outcome.note(there) {
                    let now = Results::of(&outline, &reviewed);
                    reviewed.review.findings = now.findings(there.as_ref());
                }
            }
        }
        outcome.reviewed.push(reviewed);
    }
    write(args, &outline, &clauses, &mut outcome);
    let mut summary = summary(args, &suite, &outline, cases, &outcome);
    if args.newest {
        let mut committed = BTreeMap::new();
        for name in outcome.reviewed.iter().map(|reviewed| &reviewed.name) {
            let there = Results::load(&source.checkout()?.results(), name)?;
            committed.extend(there.map(|there| (name.clone(), there)));
        }
        summary.push_str(&changes::render(&outline, &outcome.reviewed, &committed));
    }
    if let Some(random_cases) = &random_cases {
        summary.push_str(&random_cases.title());
        summary.push_str(&outcome.random_text);
    }
    outcome.note(output::print(&style::report(&summary)));
    for trouble in &outcome.troubles {
        output::complain("exactum", trouble);
    }
    let as_expected = |reviewed: &Reviewed| reviewed.review.findings.is_empty();
    let judged = |reviewed: &Reviewed| {
        reviewed
            .report
            .cases
            .iter()
            .any(|it| it.verdict.is_judged())
    };
    let nothing = !outcome.random_judged && !outcome.reviewed.iter().any(judged);
    if nothing {
        output::complain("exactum", "nothing was judged");
    }
    let fine = !nothing
        && outcome.absent.is_empty()
        && outcome.random_findings == 0
        && outcome.reviewed.iter().all(as_expected);
    Ok(ExitCode::from(match (fine, outcome.troubles.is_empty()) {
        (false, _) => 1,
        (true, false) => 2,
        (true, true) => 0,
    }))
}

/// Where vectors and expectations come from.
///
/// # Errors
/// If a file of expectations is named and not whose they are.
fn source(args: &Args) -> Result<Source, String> {
    let source = Source::find(args.vectors.as_deref());
    let Some(file) = &args.expectations else {
        if args.update_expectations {
            source.checkout().map_err(|why| {
                format!("{why}; `--expectations FILE` names a file of one's own to update")
            })?;
        }
        return Ok(source);
    };
    match (&args.command, args.implementation.as_slice()) {
        (Some(name), []) => Ok(source.with_expectations(name, file)),
        (None, [name]) => Ok(source.with_expectations(name, file)),
        _ => Err(
            "--expectations is about one implementation: name it with --command or \
             --implementation"
                .into(),
        ),
    }
}

/// Writes the expectations that the report asks for and, where everything ran and they are a
/// checkout's, the results.
///
/// # Errors
/// If they cannot be written, or the report is not whole.
fn update(
    source: &Source,
    suite: &Suite,
    outline: &Outline,
    selection: &Selection,
    reviewed: &mut Reviewed,
) -> Result<(), String> {
    let name = &reviewed.name;
    let mut verdicts = reviewed.report.cases.iter().map(|judged| judged.verdict);
    if verdicts.any(|verdict| verdict == Verdict::NotRun) {
        return Err(format!(
            "{name}: some cases did not run, so nothing is updated"
        ));
    }
    let is_own = source.own(name).is_some();
    if !is_own {
        may_replace_results(source, selection, reviewed)?;
    }
    let faults = report::new_faults(outline, reviewed);
    let updated = reviewed
        .expectations
        .updated(&reviewed.report, selection, &faults);
    let written = |expectations: &Expectations| match is_own {
        true => expectations.clone(),
        false => expectations.entries_alone(),
    };
    let text = written(&updated);
    if text != written(&reviewed.expectations) {
        output::replace(&source.expectations_file(name)?, &text.render()?)?;
    }
    reviewed.review = updated.review(&reviewed.report, suite, selection);
    reviewed.expectations = updated;
    if !is_own {
        let path = Results::path(&source.checkout()?.results(), &reviewed.name);
        output::replace(&path, &Results::of(outline, reviewed).render())?;
    }
    Ok(())
}

/// Whether the run may replace the results of a checkout, which hold every answer.
///
/// # Errors
/// If it asked for some of the cases only, or runs where recorded faults cannot show.
fn may_replace_results(
    source: &Source,
    selection: &Selection,
    reviewed: &Reviewed,
) -> Result<(), String> {
    let name = &reviewed.name;
    if !selection.is_all() {
        return Err(format!(
            "{name}: its results hold the answers to all cases, so an update needs a run without --only"
        ));
    }
    let Ok(Some(committed)) = Results::load(&source.checkout()?.results(), name) else {
        return Ok(());
    };
    let version = &reviewed.report.hello.version;
    let now = reviewed.expectations.conditions(version);
    let lost = committed
        .conditions
        .iter()
        .find(|(condition, held)| **held && now.get(*condition) == Some(&false));
    match lost {
        Some((condition, _)) => Err(format!(
            "{name}: its results were made with {condition}, without which an update would lose answers"
        )),
        None => Ok(()),
    }
}

/// Writes the reports. One that cannot be written keeps none of the others.
fn write(args: &Args, outline: &Outline, clauses: &[Clause], outcome: &mut RunReport) {
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
                "--badge is of one implementation: name it with --implementation or --command"
                    .into(),
            ),
        };
        troubles.extend(written.err());
    }
}

/// The text that is printed; its last line counts what was asked of whom.
fn summary(
    args: &Args,
    suite: &Suite,
    outline: &Outline,
    cases: usize,
    outcome: &RunReport,
) -> String {
    let all = outcome.reviewed.as_slice();
    let sum = |count: fn(&Reviewed) -> usize| all.iter().map(count).sum::<usize>();
    let findings = sum(|reviewed| reviewed.review.findings.len());
    let known = sum(|reviewed| reviewed.review.expected.len());
    let mut text = if args.all {
        let table = if all.len() > MANY {
            report::overview(all)
        } else {
            report::table(outline, all)
        };
        table + &report::failures(outline, all)
    } else {
        report::summary(outline, all, style::width())
    };
    let idle = all
        .iter()
        .filter(|reviewed| reviewed.has_nothing_to_judge());
    let idle: Vec<&str> = idle.map(|reviewed| reviewed.name.as_str()).collect();
    // Writing to a String cannot fail.
    if !idle.is_empty() {
        let _ = write!(
            text,
            "\nNothing to judge: {}. No case asks for what they offer.\n",
            idle.join(", ")
        );
    }
    text.push_str(&output::missing(&outcome.absent));
    let missing = match outcome.absent.len() {
        0 => String::new(),
        count => format!(", {count} missing (`{SET_UP}` gets them, `--without NAME` does without)"),
    };
    let _ = writeln!(
        text,
        "\nsuite {}: {}; {known} known failures, {findings} not as expected{missing}",
        suite.manifest.suite,
        asked(all, cases),
    );
    text
}

/// Who was asked how many of the selected cases.
fn asked(all: &[Reviewed], cases: usize) -> String {
    let counts = all.iter().map(Reviewed::asked);
    let (least, most) = (counts.clone().min(), counts.max());
    match (all, least.unwrap_or_default(), most.unwrap_or_default()) {
        ([one], asked, _) => format!("{} was asked {asked} of {cases} cases", one.name),
        (all, least, most) if least == most => {
            format!(
                "{} implementations were asked {most} of {cases} cases",
                all.len()
            )
        }
        (all, least, most) => format!(
            "{} implementations were asked {least} to {most} of {cases} cases",
            all.len()
        ),
    }
}

/// Why nothing is selected.
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

/// Who is to be judged, and who is not there.
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

/// The selection of some patterns.
///
/// # Errors
/// What is not a pattern.
pub(crate) fn selection(patterns: &[String]) -> Result<Selection, String> {
    let patterns = patterns
        .iter()
        .map(|text| Pattern::selecting(text))
        .collect::<Result<Vec<Pattern>, String>>()?;
    Ok(Selection::new(patterns))
}
