//! `exactum pack`: writes arrays with other codecs, and reads them back.

mod promise;

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

use exactum_conformance::output;
use exactum_model::{DataType, Format};
use exactum_plan::number;
use exactum_pyramid::{Compression, Error, Outcome, Pack, Packed, Packing, Part, arrays};
use serde_json::{Value, json};

use crate::downsample::part;
use crate::errors::Errors;
use crate::plan::real;
use crate::progress;

use promise::{planned, promised, proved, request};

/// Pack an array, or all float arrays of a group, and check what was written.
///
/// Before anything is written, the command proves the largest error for the values of the array. Every chunk
/// that is written is read back and compared; the first value that is not within the promised error stops the
/// command with its place and exit code 1. The command may be stopped at any time; when it is run again, it
/// resumes. Packings with few bits use packbits or short floats, which few libraries read; zarr-python reads
/// --target int16 too.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  exactum pack t2m.zarr packed.zarr --max-error 0.005\n  \
                  exactum pack era5.zarr packed.zarr --max-error 0.005 --compress zstd:3\n  \
                  exactum pack t2m.zarr packed.zarr --codecs codecs.json\n  \
                  exactum pack --check t2m.zarr packed.zarr"
)]
pub(crate) struct Args {
    /// The folder of a Zarr 3 array or group. The arrays of a group that do not hold floats are copied
    /// unchanged.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The folder to write.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// A file with a JSON list of codecs, or with the output of `plan --json`. Codecs that are not in the
    /// list are taken from the array.
    #[arg(long, value_name = "FILE")]
    codecs: Option<PathBuf>,
    #[command(flatten)]
    errors: Errors,
    /// Store the values as these integers or floats. By default, the packing with the fewest bits that stays
    /// within the allowed errors is chosen, which is the first one that `exactum plan --scan` lists.
    #[arg(long, value_name = "DATA_TYPE", value_parser = real(), conflicts_with = "codecs")]
    target: Option<DataType>,
    /// How to compress the bytes: zstd:LEVEL, gzip:LEVEL or none. By default, the bytes are compressed as
    /// those of the array are.
    #[arg(long, value_name = "CODEC", value_parser = compression)]
    compress: Option<Compression>,
    /// Write nothing; compare OUT with IN instead. Any program may have packed OUT.
    #[arg(long, conflicts_with_all = ["codecs", "target", "compress", "part", "no_sync"])]
    check: bool,
    /// Do one of N shares of the work, as `exactum downsample` does.
    #[arg(long, value_name = "I/N", value_parser = part)]
    part: Option<Part>,
    /// The number of threads. By default, it is the number of processors of the machine.
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZeroUsize>,
    /// Do not sync the written files. This is faster, but after a crash of the machine (not of the command) a
    /// complete array may have lost its content.
    #[arg(long)]
    no_sync: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

fn compression(text: &str) -> Result<Compression, String> {
    let wrong = || {
        "a compressor is zstd:LEVEL with a level from 1 to 22, gzip:LEVEL with a level from 0 to 9, or none"
            .into()
    };
    match text.split_once(':') {
        Some(("zstd", level)) => match level.parse() {
            Ok(level @ 1..=22) => Ok(Compression::Zstd(level)),
            _ => Err(wrong()),
        },
        Some(("gzip", level)) => match level.parse() {
            Ok(level @ 0..=9) => Ok(Compression::Gzip(level)),
            _ => Err(wrong()),
        },
        _ if text == "none" => Ok(Compression::None),
        _ => Err(wrong()),
    }
}

/// Packs arrays, or checks packed ones.
///
/// # Errors
/// If something cannot be read or written, or no error is proved for the codecs.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let outcome = match args.check {
        true => check(args),
        false => pack(args),
    };
    match outcome {
        Ok(text) => {
            output::print(&text)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(Fault::Promise(words)) => {
            output::complain("exactum", &words);
            Ok(ExitCode::FAILURE)
        }
        Err(Fault::Other(words)) => Err(words),
    }
}

/// The reason why nothing is packed.
enum Fault {
    /// A value does not survive.
    Promise(String),
    Other(String),
}

impl From<Error> for Fault {
    fn from(fault: Error) -> Self {
        match fault {
            Error::Promise(words) => Fault::Promise(words),
            other => Fault::Other(other.to_string()),
        }
    }
}

impl From<String> for Fault {
    fn from(words: String) -> Self {
        Fault::Other(words)
    }
}

/// Returns the folder of an array, given its path in a group.
fn folder_of(folder: &Path, path: &str) -> PathBuf {
    match path.is_empty() {
        true => folder.to_owned(),
        false => folder.join(path),
    }
}

fn threads(args: &Args) -> NonZeroUsize {
    let threads = args.threads.or(available_parallelism().ok());
    threads.unwrap_or(NonZeroUsize::MIN)
}

/// Returns the data type of a document, if it is in the registry.
fn data_type(document: &Value) -> Option<DataType> {
    document["data_type"].as_str()?.parse().ok()
}

/// Returns whether an array of a group has to be packed.
fn is_float(document: &Value) -> bool {
    data_type(document).is_some_and(|it| matches!(it.format(), Format::Float(_)))
}

/// Returns the codecs of a file, and the fill value if the file has one.
fn read_codecs(path: &Path) -> Result<(Value, Option<Value>), String> {
    let unread = |fault: &dyn std::fmt::Display| format!("{}: {fault}", path.display());
    let file = exactum_pyramid::open_regular(path).map_err(|fault| unread(&fault))?;
    let read: Value =
        serde_json::from_reader(std::io::BufReader::new(file)).map_err(|fault| unread(&fault))?;
    match read {
        Value::Array(_) => Ok((read, None)),
        Value::Object(mut plan) => match plan.remove("codecs") {
            Some(codecs @ Value::Array(_)) => Ok((codecs, plan.remove("fill_value"))),
            _ => Err(unread(&"the file has no list of codecs")),
        },
        _ => Err(unread(&"the file is neither a list of codecs nor a plan")),
    }
}

/// Returns how an array is packed.
fn packing(args: &Args, path: &str, document: &Value) -> Result<Option<Packing>, Fault> {
    if !path.is_empty() && !is_float(document) {
        return Ok(None);
    }
    let folder = folder_of(&args.input, path);
    let named = |words: String| Fault::Other(format!("{}: {words}", folder.display()));
    if !data_type(document).is_some_and(DataType::is_real) {
        return Err(named(
            "the values are not real numbers, so they cannot be packed".into(),
        ));
    }
    let request = request(&folder, &args.errors).map_err(named)?;
    let (codecs, fill_value) = match &args.codecs {
        Some(file) => read_codecs(file)?,
        None => (json!([]), None),
    };
    let packing = Packing {
        codecs,
        fill_value,
        bound: 0.0,
        compression: args.compress.clone(),
    };
    let packing = match args.codecs {
        None => planned(&request, document, args.target, packing),
        Some(_) => promised(&request, document, packing),
    };
    packing.map(Some).map_err(named)
}

fn pack(args: &Args) -> Result<String, Fault> {
    let Errors {
        max_error,
        max_relative_error,
        ..
    } = &args.errors;
    if args.codecs.is_none() && max_error.is_none() && max_relative_error.is_none() {
        return Err(Fault::Other(
            "choose how the values are packed with --max-error ERROR, --max-relative-error PART or \
             --codecs FILE".into(),
        ));
    }
    let mut pack = Pack::open(&args.input, &args.output, |path, document| {
        packing(args, path, document)
    })?;
    if args.no_sync {
        pack.without_sync();
    }
    let bar = progress::bar(0, "{bar:40} {pos}/{len} chunks, {eta} left");
    let part = args.part.unwrap_or(Part::WHOLE);
    let outcome = pack.run(part, threads(args), &|progress| {
        bar.set_length(progress.all);
        bar.set_position(progress.made);
    });
    bar.finish_and_clear();
    match outcome? {
        Outcome::Complete => {
            let heading = match args.no_sync {
                true => "is complete (not synced: a crash of the machine may still lose it)",
                false => "is complete",
            };
            Ok(report(args, heading, &pack.report()?))
        }
        Outcome::Waiting(chunks) if args.json => {
            let waiting = json!({ "complete": false, "missing_chunks": chunks });
            Ok(format!("{waiting:#}\n"))
        }
        Outcome::Waiting(chunks) => Ok(format!(
            "Part {} of {} is done. {chunks} chunks of other parts are still missing. The part \
             that ends last completes {}.\n",
            part.index(),
            part.count(),
            args.output.display()
        )),
    }
}

fn check(args: &Args) -> Result<String, Fault> {
    let mut all = Vec::new();
    for (path, document) in arrays(&args.input)? {
        if !path.is_empty() && !is_float(&document) {
            continue;
        }
        let (from, to) = (
            folder_of(&args.input, &path),
            folder_of(&args.output, &path),
        );
        let bound = match &args.errors.max_error {
            Some(most) => f64::from_bits(number::below(most)),
            None => {
                let named = |words: String| Fault::Other(format!("{}: {words}", to.display()));
                let packed = arrays(&to)?.into_iter().find(|(path, _)| path.is_empty());
                let (_, packed) = packed.ok_or_else(|| named("it is not an array".into()))?;
                let request = request(&from, &args.errors)?;
                proved(&request, &packed).map_err(named)?
            }
        };
        let bar = progress::bar(0, "{bar:40} {pos}/{len} chunks, {eta} left");
        let checked = exactum_pyramid::check(&from, &to, bound, threads(args), &|progress| {
            bar.set_length(progress.all);
            bar.set_position(progress.made);
        });
        bar.finish_and_clear();
        all.push(Packed { path, ..checked? });
    }
    Ok(report(args, "is within the promised error", &all))
}

/// Returns the report about the arrays.
fn report(args: &Args, heading: &str, all: &[Packed]) -> String {
    if args.json {
        let arrays = all.iter().map(|array| {
            json!({
                "path": array.path,
                "bytes_before": array.before,
                "bytes_after": array.after,
                "largest_error": array.seen.largest_error,
                "promised_error": array.promised,
                "reserved": array.seen.reserved,
            })
        });
        let report = json!({ "complete": true, "arrays": arrays.collect::<Value>() });
        return format!("{report:#}\n");
    }
    let mut text = format!("{} {heading}\n", args.output.display());
    for array in all {
        // Writing to a String cannot fail.
        let mut line = |name: &str, what: String| {
            let _ = writeln!(text, "  {name:<15}{what}");
        };
        if !array.path.is_empty() {
            line("array", array.path.clone());
        }
        line(
            "bytes",
            format!("{} before, {} after", array.before, array.after),
        );
        line(
            "largest error",
            format!(
                "{} seen, {} promised",
                array.seen.largest_error, array.promised
            ),
        );
        line(
            "reserved code",
            format!("{} values became the fill value", array.seen.reserved),
        );
    }
    text
}
