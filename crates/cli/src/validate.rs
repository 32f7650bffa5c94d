//! `exactum validate`: judges documents, and reports the place of every fault.

mod files;
mod modernize;
mod numbers;
mod open;
mod plugins;
mod readers;
mod repack;
mod report;
mod required;
mod stages;
mod store;
mod values;
mod version2;

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::iter;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use exactum_conformance::output;
use exactum_conformance::text::clean;
use exactum_metadata::downsample::{Location, Store};
use exactum_metadata::{ArrayDocument, Diagnostic, Faults, Judged, Warning, Warnings};
use exactum_model::{At, Chain, Reason, Rejection, Resolution};

use crate::levels::{self, Level};
use crate::render::{self, Finding, Severity, Text};
use crate::style;
use files::{name_of, read};
pub(crate) use open::Closed;
use readers::Readers;
use report::Format;
pub(crate) use values::{Values, open_values, with_values};

/// The size in MiB above which a document is read only on request: a file is read into memory whole, and
/// judging it takes up to fourteen times as much (docs/reliability.md).
const MAX_MIB: u64 = 64;

/// Validate documents: `zarr.json` files, or all those below a folder.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files, folders to search for every zarr.json, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The kind of the documents. By default, it is taken from the contents of each document.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Treat warnings as errors. Warnings concern what only a ruling of Exactum forbids, and what Exactum
    /// does not know.
    #[arg(long)]
    strict: bool,
    /// The format of the findings.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print nothing about valid documents, and only the findings about the others.
    #[arg(long)]
    quiet: bool,
    /// Read documents of up to this many MiB. Judging a document takes up to fourteen times its size in
    /// memory.
    #[arg(long, value_name = "MIB", default_value_t = MAX_MIB, value_parser = clap::value_parser!(u64).range(1..4096))]
    max_size: u64,
    /// For each array, report which implementations can read it, based on the committed results of cases with
    /// the same forms, data types and codecs.
    #[arg(long)]
    readers: bool,
    /// Exit with code 1 unless all of these implementations read every array, for example
    /// `zarr-python,zarrita`.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    require: Vec<String>,
    /// Print the document with its packing rewritten: by default, scale_offset and cast_value replace
    /// attributes of CF and every numcodecs.fixedscaleoffset; with `=cf`, attributes of CF replace these two
    /// codecs. For a Zarr v2 array, given as its folder or its .zarray, print the Zarr v3 document that reads
    /// the same chunks. Changes of meaning are reported on standard error.
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "codecs")]
    modernize: Option<repack::Form>,
}

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// A Zarr v3 array document.
    Array,
    /// A Zarr v3 group document.
    Group,
    /// A downsample view, as TensorStore writes it.
    Downsample,
    /// A data set of SOI TN 94-115, or several variables.
    Sds,
    /// The attributes of a packed variable of the CF conventions. This kind is never recognized without this
    /// option.
    Cf,
}

impl Kind {
    /// Returns the name in JSON.
    fn name(self) -> &'static str {
        match self {
            Kind::Array => "array",
            Kind::Group => "group",
            Kind::Downsample => "downsample",
            Kind::Sds => "sds",
            Kind::Cf => "cf",
        }
    }
}

/// The verdict on a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// Everything in it is right.
    Valid,
    /// Nothing in it is wrong, but a part of it is unknown to Exactum, or its meaning is open and a ruling of
    /// Exactum forbids it.
    NotJudged,
    /// Something in it is wrong.
    Rejected,
}

impl Verdict {
    const ALL: [Self; 3] = [Self::Valid, Self::NotJudged, Self::Rejected];

    /// Returns the name in JSON.
    fn name(self) -> &'static str {
        match self {
            Verdict::Valid => "valid",
            Verdict::NotJudged => "not_judged",
            Verdict::Rejected => "rejected",
        }
    }

    /// Returns the name for people.
    fn words(self) -> &'static str {
        match self {
            Verdict::NotJudged => "not judged",
            verdict => verdict.name(),
        }
    }
}

/// Judges all paths and prints the findings. The exit code is 0 if nothing is rejected, 1 if something is,
/// and 2 if a file cannot be read.
///
/// # Errors
/// If the standard output cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    if let Some(form) = args.modernize {
        return modernize::run(args, form);
    }
    let mut report = report::Report::new(args.format, args.quiet, style::use_color());
    let readers = match args.readers || !args.require.is_empty() {
        true => Some(Readers::find()?),
        false => None,
    };
    if let Some(readers) = &readers {
        required::check(&args.require, readers)?;
    }
    let mut unreadable = false;
    let mut unread = false;
    let mut complain = |path: &Path, error: &io::Error| {
        output::complain("exactum", &format!("{}: {error}", name_of(path)));
        unreadable = true;
    };
    for given in &args.paths {
        let paths = match given.is_dir() {
            false => vec![given.clone()],
            true => {
                let found = store::search(given);
                for (path, error) in &found.unread {
                    complain(path, error);
                }
                if found.documents.is_empty() && found.unread.is_empty() {
                    let none = "there is no zarr.json in this folder or below it";
                    complain(given, &io::Error::new(io::ErrorKind::NotFound, none));
                }
                found.documents
            }
        };
        let is_store = given.is_dir();
        for (index, path) in paths.iter().enumerate() {
            match read(path, args.max_size) {
                Ok(bytes) => {
                    let below = is_store.then(|| &paths[index..]);
                    let mut judgement = judge_at(path, &bytes, below, args);
                    if is_store && path.parent() != Some(given.as_path()) {
                        judgement.refuse(store::misnamed(path));
                    }
                    if let Some(readers) = &readers {
                        judgement.readers = required::readers_of(readers, &bytes, &judgement);
                        for (reader, why) in required::objections(&judgement, &args.require) {
                            let why = format!("{}: {reader}: {why}", name_of(path));
                            output::complain("exactum", &why);
                            unread = true;
                        }
                    }
                    report.add(&name_of(path), &bytes, &judgement);
                }
                Err(error) => complain(path, &error),
            }
            output::print(&style::verdicts(&report.take()))?;
        }
    }
    output::print(&report.end())?;
    let rejected = u8::from(unread || report.count(Verdict::Rejected) > 0);
    Ok(ExitCode::from(if unreadable { 2 } else { rejected }))
}

/// The report about a document.
struct Judgement {
    kind: Kind,
    verdict: Verdict,
    /// The findings: at most a hundred errors and a hundred warnings.
    problems: Vec<Finding>,
    /// The number of findings beyond these.
    more: u64,
    /// The stages of the numbers, if they are known.
    stages: Option<(Box<ArrayDocument>, Resolution)>,
    /// The implementations that may read the document, if that was asked for.
    readers: Option<Vec<readers::Reader>>,
    /// The codecs, preceded by the packing of CF if attributes say that the elements are packed.
    packed: Option<Chain>,
}

impl Judgement {
    /// Returns a judgement with these findings. Their messages are cleaned here, because they quote the
    /// document. `known` says whether everything in the document could be judged.
    fn new(mut problems: Vec<Finding>, more: u64, known: bool, strict: bool) -> Self {
        for problem in &mut problems {
            if strict && problem.severity == Severity::Warning {
                problem.severity = Severity::Error;
            }
            let related = problem.related.iter_mut().map(|(_, message)| message);
            let words = iter::once(&mut problem.message).chain(&mut problem.help);
            for text in words.chain(related) {
                *text = clean(text);
            }
        }
        let is_error = |problem: &Finding| problem.severity == Severity::Error;
        let verdict = match problems.iter().any(is_error) || (strict && more > 0) {
            true => Verdict::Rejected,
            false if known => Verdict::Valid,
            false => Verdict::NotJudged,
        };
        Self {
            kind: Kind::Array,
            verdict,
            problems,
            more,
            stages: None,
            readers: None,
            packed: None,
        }
    }
}

impl Judgement {
    /// Adds an error, if there is one.
    fn refuse(&mut self, error: Option<Finding>) {
        if let Some(error) = error {
            self.problems.insert(0, error);
            self.verdict = Verdict::Rejected;
        }
    }

    /// Returns the numbers of warnings and of notes; those that are not listed count as warnings.
    fn advice(&self) -> [u64; 2] {
        let count = |severity| {
            let problems = self.problems.iter();
            problems.filter(|it| it.severity == severity).count() as u64
        };
        let more = match self.verdict {
            Verdict::Rejected => 0,
            Verdict::Valid | Verdict::NotJudged => self.more,
        };
        [count(Severity::Warning) + more, count(Severity::Note)]
    }
}

/// Judges the document in a file. If its store was searched, `below` holds the documents that were found:
/// this one and those after it.
fn judge_at(path: &Path, bytes: &[u8], below: Option<&[PathBuf]>, args: &Args) -> Judgement {
    if let Some(finding) = store::version_2(path) {
        return Judgement::new(vec![finding], 0, false, args.strict);
    }
    match args.kind.unwrap_or_else(|| kind_of(bytes)) {
        Kind::Array => judge(bytes, args.strict),
        Kind::Group => judge_group(path, bytes, below, args),
        Kind::Downsample => judge_view(bytes, args),
        Kind::Sds => judge_sets(bytes, args.strict),
        Kind::Cf => judge_packing(bytes, args.strict),
    }
}

/// Returns the kind of a document according to its contents.
fn kind_of(bytes: &[u8]) -> Kind {
    match exactum_metadata::is_group(bytes) {
        true => Kind::Group,
        false if exactum_metadata::downsample::is_downsample(bytes) => Kind::Downsample,
        false if exactum_metadata::sds::is_sds(bytes) => Kind::Sds,
        false => Kind::Array,
    }
}

/// Judges a group document and the documents that it repeats, and compares these with the documents beside
/// it.
fn judge_group(path: &Path, bytes: &[u8], below: Option<&[PathBuf]>, args: &Args) -> Judgement {
    let (problems, more) = match exactum_metadata::judge_group(bytes) {
        Err(faults) => {
            return Judgement {
                kind: Kind::Group,
                ..rejected(*faults, Vec::new(), args.strict)
            };
        }
        Ok(None) => (Vec::new(), 0),
        Ok(Some(copies)) => {
            let folder = match path.is_dir() {
                true => path,
                false => path.parent().unwrap_or(path),
            };
            // Standard input has no documents beside it.
            let beside = (path.as_os_str() != "-").then_some(folder);
            store::judge_copies(beside, below, bytes, &copies, args.max_size)
        }
    };
    Judgement {
        kind: Kind::Group,
        ..Judgement::new(problems, more, true, args.strict)
    }
}

/// Judges the document of a view. If its base is an existing folder with a Zarr 3 array, the view is checked
/// against the document of that array. Other bases that are stored elsewhere are not opened.
fn judge_view(bytes: &[u8], args: &Args) -> Judgement {
    let strict = args.strict;
    let document = |location: &Location| match location.store {
        Store::Memory => Ok(None),
        Store::File => match read(&Path::new(&location.path).join("zarr.json"), args.max_size) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(Rejection::new(
                Reason::Metadata,
                "downsample.document.base.stored",
                format!("the array at {location} cannot be read: {fault}"),
            )),
        },
    };
    let faults = exactum_metadata::downsample::judge_downsample_of(bytes, &document).err();
    of_kind(Kind::Downsample, faults, strict)
}

/// Judges a document of data sets.
fn judge_sets(bytes: &[u8], strict: bool) -> Judgement {
    let faults = exactum_metadata::sds::judge_sds(bytes).err();
    of_kind(Kind::Sds, faults, strict)
}

/// Returns the judgement on a document that is right, or has these faults.
fn of_kind(kind: Kind, faults: Option<Box<Faults>>, strict: bool) -> Judgement {
    let judgement = match faults {
        Some(faults) => rejected(*faults, Vec::new(), strict),
        None => Judgement::new(Vec::new(), 0, true, strict),
    };
    Judgement { kind, ..judgement }
}

/// Judges the attributes of a packed variable.
fn judge_packing(bytes: &[u8], strict: bool) -> Judgement {
    of_kind(Kind::Cf, exactum_metadata::judge_cf(bytes).err(), strict)
}

/// Judges an array document.
fn judge(bytes: &[u8], strict: bool) -> Judgement {
    let document = match exactum_metadata::judge_whole_array(bytes) {
        Err(faults) => return rejected(*faults, plugins::findings(bytes), strict),
        Ok(Judged::Known(document)) => document,
        Ok(Judged::NotNumbers(warnings)) => {
            return Judgement::new(listed(&warnings), warnings.more, true, strict);
        }
        Ok(Judged::Foreign(warnings)) => {
            let mut problems = listed(&warnings);
            problems.extend(plugins::findings(bytes));
            return Judgement::new(problems, warnings.more, false, strict);
        }
        // There are no other kinds.
        Ok(_) => return Judgement::new(Vec::new(), 0, false, strict),
    };
    let Warnings { more, foreign, .. } = document.warnings;
    let mut problems = listed(&document.warnings);
    let packed = values::judge_attributes(bytes, &document, &mut problems);
    let fill_value = document.fill_value_place.clone();
    match exactum_reference::chain::resolve(&document.chain) {
        Err(fault) => {
            // `judge_whole_array` has checked that this is text.
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            let fault = exactum_metadata::locate(text, fault);
            problems.push(about_fill_value(fault, fill_value));
            Judgement::new(problems, more, false, strict)
        }
        Ok(resolution) => {
            if !resolution.round_trips {
                problems.push(Finding {
                    severity: Severity::Warning,
                    clause: "chain.survives",
                    level: levels::of("chain.survives"),
                    message: "the fill value is not read back unchanged through the whole chain"
                        .into(),
                    help: Some(
                        "unwritten elements read as another value than stored ones; choose \
                                a fill value that all codecs return unchanged"
                            .into(),
                    ),
                    pointer: "/fill_value".into(),
                    place: fill_value,
                    related: Vec::new(),
                });
            }
            Judgement {
                stages: Some((document, resolution)),
                packed,
                ..Judgement::new(problems, more, !foreign, strict)
            }
        }
    }
}

/// Returns the finding for a rejection of the resolved document. If the fill value is refused, the finding
/// shows it as well.
fn about_fill_value(diagnostic: Diagnostic, fill_value: Range<usize>) -> Finding {
    let is_about = diagnostic.rejection.reason == Reason::FillValue;
    let mut finding = rejection(diagnostic);
    if is_about {
        let related = (fill_value, "the fill value".into());
        finding.related.push(related);
    }
    finding.help.get_or_insert_with(|| {
        "choose a fill value that every codec accepts, or map it with scalar_map".into()
    });
    finding
}

/// Returns the judgement on a document with faults, and with others that were found elsewhere.
fn rejected(faults: Faults, mut problems: Vec<Finding>, strict: bool) -> Judgement {
    problems.extend(faults.listed.into_iter().map(rejection));
    problems.extend(listed(&faults.warnings));
    problems.sort_by_key(|problem| problem.place.start);
    let more = faults.warnings.more + faults.more.values().sum::<u64>();
    let judgement = Judgement::new(problems, more, false, strict);
    let is_error = |clause: &&str| severity(clause) == Severity::Error;
    match faults.more.keys().any(is_error) {
        true => Judgement {
            verdict: Verdict::Rejected,
            ..judgement
        },
        false => judgement,
    }
}

/// Returns the severity of breaking a clause: if only a ruling forbids something, it is a warning.
fn severity(clause: &str) -> Severity {
    match levels::of(clause) {
        Some(Level::Ruling(_)) => Severity::Warning,
        _ => Severity::Error,
    }
}

/// Returns the finding for a rejection.
fn rejection(diagnostic: Diagnostic) -> Finding {
    let clause = diagnostic.rejection.clause;
    Finding {
        severity: severity(clause),
        clause,
        level: levels::of(clause),
        message: diagnostic.rejection.message,
        help: diagnostic.rejection.help,
        pointer: match diagnostic.rejection.at {
            Some(At::Pointer(pointer)) => pointer,
            _ => String::new(),
        },
        place: diagnostic.place,
        related: diagnostic
            .related
            .into_iter()
            .map(|related| (related.place, related.message))
            .collect(),
    }
}

fn listed(warnings: &Warnings) -> Vec<Finding> {
    warnings.listed.iter().map(warning).collect()
}

fn warning(warning: &Warning) -> Finding {
    Finding {
        severity: match warning.is_note {
            true => Severity::Note,
            false => Severity::Warning,
        },
        clause: warning.clause,
        // Advice breaks no clause.
        level: match levels::of(warning.clause) {
            Some(Level::Ruling(ruling)) => Some(Level::Ruling(ruling)),
            _ => None,
        },
        message: warning.message.clone(),
        help: Some(warning.help.clone()),
        pointer: warning.pointer.clone(),
        place: warning.place.clone(),
        related: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
