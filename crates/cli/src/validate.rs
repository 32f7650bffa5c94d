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

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use exactum_conformance::output;
use exactum_conformance::text::clean;
use exactum_metadata::downsample::{Bases, Location, Store};
use exactum_metadata::{
    Accepted, ArrayDocument, Diagnostic, Document, DocumentKind, Related, Report, Severity,
};
use exactum_model::{Chain, Reason, Rejection, Resolution};

use crate::levels::{self, Level};
use crate::render::{self, Finding, Text};
use crate::style;
use files::{name_of, read};
pub(crate) use open::Closed;
use readers::Readers;
use report::Format;
pub(crate) use values::{Values, open_values, with_values};

/// The size in MiB above which a document is read only on request. The whole file is read into memory, and judging it
/// takes up to fourteen times as much (docs/reliability.md).
const MAX_MIB: u64 = 64;

/// Validate documents: `zarr.json` files, or all those below a folder.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files, folders to search for every zarr.json, or `-` for standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The kind of the documents. By default, it is taken from the contents of each document.
    #[arg(long, value_parser = kinds())]
    kind: Option<DocumentKind>,
    /// Treat warnings as errors. Warnings are about things that only a ruling of Exactum forbids, or that
    /// Exactum does not know.
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

/// Returns the parser of `--kind`.
fn kinds() -> impl TypedValueParser<Value = DocumentKind> {
    let values = DocumentKind::ALL.map(|kind| {
        PossibleValue::new(kind.name()).help(match kind {
            DocumentKind::Array => "A Zarr v3 array document",
            DocumentKind::Group => "A Zarr v3 group document",
            DocumentKind::Downsample => "A downsample view, as TensorStore writes it",
            DocumentKind::Sds => "A data set of SOI TN 94-115, or several variables",
            DocumentKind::Cf => {
                "The attributes of a packed variable of the CF conventions. This kind is never \
                 recognized without this option"
            }
        })
    });
    // The values are the names of all kinds.
    PossibleValuesParser::new(values)
        .map(|name| DocumentKind::named(&name).unwrap_or(DocumentKind::Array))
}

/// The verdict on a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// The whole document is valid.
    Valid,
    /// The document has no errors, but a part of it is unknown to Exactum, or its meaning is open and a ruling of
    /// Exactum forbids it.
    NotJudged,
    /// The document has an error.
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
    kind: DocumentKind,
    verdict: Verdict,
    /// The findings: at most a hundred errors and a hundred warnings.
    problems: Vec<Finding>,
    /// The number of findings beyond these.
    more: u64,
    /// The shape of an array, as its document states it.
    shape: Option<Vec<u64>>,
    /// The stages of the numbers, if they are known.
    stages: Option<(Box<ArrayDocument>, Resolution)>,
    /// The implementations that may read the document, if they were requested.
    readers: Option<Vec<readers::Reader>>,
    /// The codecs, preceded by the packing of CF if attributes say that the elements are packed.
    packed: Option<Chain>,
}

impl Judgement {
    /// Returns a judgement with these findings. Their messages are cleaned here, because they quote the
    /// document. `known` says whether everything in the document could be judged.
    fn new(mut problems: Vec<Finding>, more: u64, known: bool, strict: bool) -> Self {
        for Finding { diagnostic, .. } in &mut problems {
            if strict && diagnostic.severity == Severity::Warning {
                diagnostic.severity = Severity::Error;
            }
            let rejection = &mut diagnostic.rejection;
            let related = diagnostic.related.iter_mut().map(|it| &mut it.message);
            let words = iter::once(&mut rejection.message).chain(&mut rejection.help);
            for text in words.chain(related) {
                *text = clean(text);
            }
        }
        let is_error = |problem: &Finding| problem.diagnostic.severity == Severity::Error;
        let verdict = match problems.iter().any(is_error) || (strict && more > 0) {
            true => Verdict::Rejected,
            false if known => Verdict::Valid,
            false => Verdict::NotJudged,
        };
        Self {
            kind: DocumentKind::Array,
            verdict,
            problems,
            more,
            shape: None,
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
            problems
                .filter(|it| it.diagnostic.severity == severity)
                .count() as u64
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
    let strict = args.strict;
    if let Some(finding) = store::version_2(path) {
        let document = Document::scan_as(bytes, DocumentKind::Array).ok();
        return Judgement {
            shape: document.as_ref().and_then(shape_of),
            ..Judgement::new(vec![finding], 0, false, strict)
        };
    }
    let scanned = match args.kind {
        Some(kind) => Document::scan_as(bytes, kind),
        None => Document::scan(bytes),
    };
    let kind = args.kind.unwrap_or(DocumentKind::Array);
    let kind = scanned.as_ref().map_or(kind, Document::kind);
    let judged = scanned.and_then(|document| {
        let document = document.all_errors();
        let (problems, more) = match kind {
            DocumentKind::Array => return Ok(judge_array(&document, strict)),
            DocumentKind::Group => match document.group()? {
                Some(copies) => {
                    let folder = match path.is_dir() {
                        true => path,
                        false => path.parent().unwrap_or(path),
                    };
                    // Standard input has no documents beside it.
                    let beside = (path.as_os_str() != "-").then_some(folder);
                    store::judge_copies(beside, below, bytes, &copies, args.max_size)
                }
                None => (Vec::new(), 0),
            },
            DocumentKind::Downsample => {
                judge_view(&document, args.max_size)?;
                (Vec::new(), 0)
            }
            DocumentKind::Sds => document.data_sets(None).map(|_| (Vec::new(), 0))?,
            DocumentKind::Cf => document.variable().map(|_| (Vec::new(), 0))?,
        };
        Ok(Judgement::new(problems, more, true, strict))
    });
    let judgement = judged.unwrap_or_else(|report| rejected(report, Vec::new(), strict));
    Judgement { kind, ..judgement }
}

/// Reads the document of a view. If its base is an existing folder with a Zarr 3 array, the view is checked
/// against the document of that array. Other bases that are stored elsewhere are not opened.
fn judge_view(document: &Document<'_>, mib: u64) -> Result<(), Report> {
    let documents = |location: &Location| match location.store {
        Store::Memory => Ok(None),
        Store::File => match read(&Path::new(&location.path).join("zarr.json"), mib) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(Rejection::new(
                Reason::Metadata,
                "downsample.document.base.stored",
                format!("the array at {location} cannot be read: {fault}"),
            )),
        },
    };
    let bases = Bases {
        documents: &documents,
        required: false,
    };
    document.view(Some(bases)).map(drop)
}

/// Judges the text of an array document.
fn judge(bytes: &[u8], strict: bool) -> Judgement {
    match Document::scan_as(bytes, DocumentKind::Array) {
        Ok(document) => judge_array(&document.all_errors(), strict),
        Err(report) => rejected(report, Vec::new(), strict),
    }
}

/// Judges an array document.
fn judge_array(document: &Document<'_>, strict: bool) -> Judgement {
    let judgement = match document.array(Accepted::All) {
        Err(report) => rejected(report, plugins::findings(document), strict),
        Ok(judged) => {
            let known = !judged.warnings.foreign;
            let more = judged.warnings.more();
            let mut problems = findings(judged.warnings);
            match judged.array {
                Some(array) => {
                    let packed = values::judge_attributes(document, &array, &mut problems);
                    let resolved = resolve(document, &array, &mut problems);
                    let is_resolved = resolved.is_some();
                    Judgement {
                        packed: packed.filter(|_| is_resolved),
                        stages: resolved.map(|resolution| (array, resolution)),
                        ..Judgement::new(problems, more, known && is_resolved, strict)
                    }
                }
                None => {
                    if !known {
                        problems.extend(plugins::findings(document));
                    }
                    Judgement::new(problems, more, known, strict)
                }
            }
        }
    };
    Judgement {
        shape: shape_of(document),
        ..judgement
    }
}

/// Returns the shape of an array, as its document states it.
fn shape_of(document: &Document<'_>) -> Option<Vec<u64>> {
    serde_json::from_str(document.value("/shape")?).ok()
}

/// Passes the fill value of an array through its codecs, and adds the findings.
fn resolve(
    document: &Document<'_>,
    array: &ArrayDocument,
    problems: &mut Vec<Finding>,
) -> Option<Resolution> {
    let fill_value = array.fill_value_place.clone();
    let resolution = match exactum_reference::chain::resolve(&array.chain) {
        Ok(resolution) => resolution,
        Err(fault) => {
            problems.push(about_fill_value(document.locate(fault), fill_value));
            return None;
        }
    };
    if !resolution.round_trips {
        problems.push(Finding::warning(
            "chain.survives",
            "the fill value is not read back unchanged through the whole chain",
            "unwritten elements are read as a different value than stored ones; choose a fill value that all \
             codecs return unchanged",
            "/fill_value",
            fill_value,
        ));
    }
    Some(resolution)
}

/// Returns the finding for a rejection of the resolved document. If the fill value is refused, the finding
/// shows it as well.
fn about_fill_value(mut fault: Diagnostic, fill_value: Range<usize>) -> Finding {
    if fault.rejection.reason == Reason::FillValue {
        fault.related.push(Related {
            place: fill_value,
            message: "the fill value".into(),
        });
    }
    fault.rejection.help.get_or_insert_with(|| {
        "choose a fill value that every codec accepts, or map it with scalar_map".into()
    });
    Finding::new(fault)
}

/// Returns the judgement on a document with errors. `problems` are further findings from other checks.
fn rejected(report: Report, mut problems: Vec<Finding>, strict: bool) -> Judgement {
    let more = report.more();
    let is_error = |clause: &&str| !matches!(levels::of(clause), Some(Level::Ruling(_)));
    let more_are_errors = report.more_errors.keys().any(is_error);
    problems.extend(findings(report));
    problems.sort_by_key(|problem| problem.diagnostic.place.start);
    let mut judgement = Judgement::new(problems, more, false, strict);
    if more_are_errors {
        judgement.verdict = Verdict::Rejected;
    }
    judgement
}

/// Returns the listed findings of a report.
fn findings(report: Report) -> Vec<Finding> {
    report.listed.into_iter().map(Finding::new).collect()
}

#[cfg(test)]
mod tests;
