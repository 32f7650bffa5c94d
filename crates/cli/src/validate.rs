//! `exactum validate`: documents judged, with the place of every fault.

mod modernize;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use comfy_table::{Table, presets};
use exactum_metadata::{ArrayDocument, Diagnostic, Warning, Warnings};
use exactum_model::{ArrayToBytes, Endian, Pipeline, Reason, Resolution};

use crate::render::{self, Finding, Severity, Text};

/// A larger document is not read unless it is asked for, in MiB: a file is read into memory whole, and
/// reading it takes about ten times as much.
const MAX_MIB: u64 = 64;

/// Stages that a table shows; a document may have a million.
const MAX_STAGES: usize = 200;

/// Characters of a fill value or a name that a table shows.
const MAX_CELL: usize = 60;

/// Validate documents: `zarr.json` files, or the folders of arrays.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files, folders that hold a zarr.json, or `-` for the standard input.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The kind of the documents; by default they say it themselves.
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Take warnings for errors.
    #[arg(long)]
    strict: bool,
    /// Read documents of up to this many MiB. Judging a document takes about ten times its size in
    /// memory.
    #[arg(long, value_name = "MIB", default_value_t = MAX_MIB, value_parser = clap::value_parser!(u64).range(1..4096))]
    max_size: u64,
    /// Print the document with scale_offset and cast_value in the place of every
    /// numcodecs.fixedscaleoffset; what they do otherwise is said on the standard error.
    #[arg(long)]
    modernize: bool,
}

/// A kind of document.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Kind {
    /// A Zarr v3 array document.
    Array,
}

/// What became of a document; the worst of all is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Fine,
    Findings,
    Unreadable,
}

/// Judges all paths and prints what it finds. The exit code is 0 where all is fine, 1 where
/// something is found, 2 where a file cannot be read.
pub(crate) fn run(args: &Args) -> ExitCode {
    if args.modernize {
        return modernize::run(args);
    }
    let color = render::use_color();
    // Array documents are the only kind so far, so a document need not say which it is.
    let Kind::Array = args.kind.unwrap_or(Kind::Array);
    let mut worst = Verdict::Fine;
    for (index, path) in args.paths.iter().enumerate() {
        let name = name_of(path);
        let verdict = match read(path, args.max_size) {
            Ok(bytes) => {
                let (mut text, verdict) = judge(&name, &bytes, args.strict, color);
                if index + 1 < args.paths.len() {
                    text.push('\n');
                }
                if io::stdout().write_all(text.as_bytes()).is_err() {
                    // Nobody reads any further.
                    return ExitCode::from(2);
                }
                verdict
            }
            Err(error) => {
                let _ = writeln!(io::stderr(), "exactum: {name}: {error}");
                Verdict::Unreadable
            }
        };
        worst = worst.max(verdict);
    }
    ExitCode::from(match worst {
        Verdict::Fine => 0,
        Verdict::Findings => 1,
        Verdict::Unreadable => 2,
    })
}

/// What a document is called in what is printed.
fn name_of(path: &Path) -> String {
    match path.as_os_str() == "-" {
        true => "(standard input)".to_owned(),
        false => render::printable(&path.display().to_string()),
    }
}

/// Reads a file, the `zarr.json` of a folder, or the standard input.
fn read(path: &Path, mib: u64) -> io::Result<Vec<u8>> {
    if path.as_os_str() == "-" {
        return read_limited(io::stdin().lock(), mib);
    }
    if path.is_dir() {
        let document = path.join("zarr.json");
        return File::open(&document)
            .and_then(|file| read_limited(file, mib))
            .map_err(|error| {
                io::Error::new(error.kind(), format!("the folder's zarr.json: {error}"))
            });
    }
    read_limited(File::open(path)?, mib)
}

fn read_limited(file: impl io::Read, mib: u64) -> io::Result<Vec<u8>> {
    let limit = mib << 20;
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!(
                "larger than {mib} MiB; if it is a document all the same, allow more with --max-size"
            ),
        ));
    }
    Ok(bytes)
}

/// Judges an array document.
fn judge(name: &str, bytes: &[u8], strict: bool, color: bool) -> (String, Verdict) {
    let (findings, table) = match exactum_metadata::diagnose_array(bytes) {
        Err(diagnostic) => (vec![error(*diagnostic)].into(), None),
        Ok(document) => resolve(bytes, document),
    };
    let (mut output, verdict) = show(name, bytes, findings, strict, color);
    let conclusion = match verdict {
        Verdict::Fine => "valid",
        _ => "rejected",
    };
    let _ = writeln!(output, "{name}: {conclusion}");
    output.push_str(&table.unwrap_or_default());
    (output, verdict)
}

/// What is found in a document: what can be shown, and how many warnings there are beyond.
struct Findings {
    listed: Vec<Finding>,
    more: u64,
}

impl From<Vec<Finding>> for Findings {
    fn from(listed: Vec<Finding>) -> Self {
        Self { listed, more: 0 }
    }
}

impl From<&Warnings> for Findings {
    fn from(warnings: &Warnings) -> Self {
        Self {
            listed: warnings.listed.iter().map(warning).collect(),
            more: warnings.more,
        }
    }
}

/// The findings as text, and what they come to.
fn show(
    name: &str,
    bytes: &[u8],
    findings: Findings,
    strict: bool,
    color: bool,
) -> (String, Verdict) {
    let mut output = String::new();
    let mut verdict = match strict && findings.more > 0 {
        true => Verdict::Findings,
        false => Verdict::Fine,
    };
    let text = Text::new(bytes);
    for mut finding in findings.listed {
        if strict {
            finding.severity = Severity::Error;
        }
        if finding.severity == Severity::Error {
            verdict = Verdict::Findings;
        }
        output.push_str(&render::finding(name, &text, &finding, color));
    }
    if findings.more > 0 {
        let more = findings.more;
        let _ = writeln!(output, "{name}: {more} more warnings are not shown");
    }
    (output, verdict)
}

/// Takes the fill value through the chain.
fn resolve(bytes: &[u8], document: ArrayDocument) -> (Findings, Option<String>) {
    let mut findings = Findings::from(&document.warnings);
    let fill_value = document.fill_value_place.clone();
    match exactum_reference::chain::resolve(&document.chain) {
        Err(rejection) => {
            // `diagnose_array` took it for a text.
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            let fault = exactum_metadata::locate(text, rejection);
            findings.listed.push(about_fill_value(fault, fill_value));
            (findings, None)
        }
        Ok(resolution) => {
            if !resolution.survives {
                findings.listed.push(Finding {
                    severity: Severity::Warning,
                    clause: "chain.survives",
                    message: "the fill value does not come back from the whole chain".into(),
                    help: Some("elements that were never written read differently than stored ones; choose a fill value that all codecs give back".into()),
                    place: fill_value,
                    related: Vec::new(),
                });
            }
            let stages = stages(&document, &resolution);
            (findings, Some(stages))
        }
    }
}

/// A rejection of the resolved document, with the fill value beside it where that is refused.
fn about_fill_value(diagnostic: Diagnostic, fill_value: Range<usize>) -> Finding {
    let is_about = diagnostic.rejection.reason == Reason::FillValue;
    let mut finding = error(diagnostic);
    if is_about {
        let related = (fill_value, "the fill value".into());
        finding.related.push(related);
    }
    finding.help.get_or_insert_with(|| {
        "choose a fill value that every codec can take, or map it with scalar_map".into()
    });
    finding
}

fn error(diagnostic: Diagnostic) -> Finding {
    Finding {
        severity: Severity::Error,
        clause: diagnostic.rejection.clause,
        message: diagnostic.rejection.message,
        help: diagnostic.rejection.help,
        place: diagnostic.place,
        related: diagnostic
            .related
            .into_iter()
            .map(|related| (related.place, related.message))
            .collect(),
    }
}

fn warning(warning: &Warning) -> Finding {
    Finding {
        severity: Severity::Warning,
        clause: warning.clause,
        message: warning.message.clone(),
        help: Some(warning.help.clone()),
        place: warning.place.clone(),
        related: Vec::new(),
    }
}

/// The stages as a table, then what becomes of the bytes.
fn stages(document: &ArrayDocument, resolution: &Resolution) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(["codec", "data type", "shape", "fill value"]);
    for stage in resolution.stages.iter().take(MAX_STAGES) {
        table.add_row([
            cell(stage.codec.as_deref().unwrap_or("(array)")),
            stage.data_type.to_string(),
            cell(&format!("{:?}", stage.shape)),
            cell(&exactum_exact::canonical(&stage.fill_value)),
        ]);
    }
    let mut output = String::new();
    for line in table.to_string().lines() {
        let _ = writeln!(output, "  {}", line.trim());
    }
    if let Some(more) = resolution.stages.len().checked_sub(MAX_STAGES + 1) {
        let _ = writeln!(output, "  ... and {} more", more + 1);
    }
    let _ = writeln!(
        output,
        "  array shape: {}",
        cell(&format!("{:?}", document.shape))
    );
    let _ = writeln!(
        output,
        "  to bytes: {}",
        cell(&to_bytes(&document.chain.pipeline))
    );
    let _ = match resolution.encoded_bytes {
        Some(bytes) => writeln!(output, "  encoded chunk: {bytes} bytes"),
        None => writeln!(
            output,
            "  encoded chunk: its size does not follow from the shape"
        ),
    };
    output
}

/// The codecs from the array -> bytes codec on, those of a shard's inner chunks in brackets.
fn to_bytes(pipeline: &Pipeline) -> String {
    let mut text = match &pipeline.array_to_bytes {
        ArrayToBytes::Bytes(codec) => match codec.endian {
            None => "bytes".into(),
            Some(Endian::Little) => "bytes (little)".into(),
            Some(Endian::Big) => "bytes (big)".into(),
        },
        ArrayToBytes::PackBits(codec) => {
            format!("packbits (bits {} to {})", codec.first_bit, codec.last_bit)
        }
        ArrayToBytes::Sharding {
            chunk_shape,
            pipeline,
        } => {
            format!("sharding_indexed {chunk_shape:?} ({})", to_bytes(pipeline))
        }
        ArrayToBytes::Foreign(name) => format!("{name} (by name only)"),
    };
    for name in &pipeline.bytes_to_bytes {
        text.push_str(", ");
        text.push_str(name);
    }
    text
}

/// A text that fits a table.
fn cell(text: &str) -> String {
    let text = render::printable(text);
    if text.chars().count() <= MAX_CELL {
        return text;
    }
    text.chars().take(MAX_CELL - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests;
