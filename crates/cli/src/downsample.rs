//! `exactum downsample`: writes a multiscale pyramid of a Zarr array.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use exactum_conformance::output;
use exactum_model::{Method, NanPolicy, Source as _};
use exactum_pyramid::{Options, Outcome, Part, Progress, Pyramid, View};

use crate::{missing, progress};

/// Write a multiscale pyramid of a Zarr array, downsampled exactly as specified.
///
/// OUT becomes a group whose arrays `0`, `1` and so on have the chunk shape and the codecs of the array. The
/// command may be stopped at any time; when it is run again, it resumes. The document of the group is written
/// once all levels are complete. If the array belongs to an OME-Zarr 0.5 image, the pyramid is such an image
/// too.
///
/// When the command is run again for a complete OUT, OUT is checked again, and refused if IN has changed
/// since. IN counts as unchanged while its document and the names, sizes and modification times of its chunk
/// files are the same; contents are not compared. Chunks of more than 4 GiB are refused.
///
/// IN may also be the document of a view in the form of TensorStore's driver `downsample`: a view of an
/// inline array, of a `zarr3` array in the store `file`, or of another view. OUT then becomes the single
/// array that the document describes, with the factors and the method of the document.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "exactum downsample <ARRAY> <OUT> --factors <FACTOR,...> --method <METHOD> [OPTIONS]\n       \
                      exactum downsample <VIEW.json> <OUT> [OPTIONS]",
    after_help = "Examples:\n  exactum downsample labels.zarr pyramid.zarr --factors 1,2,2 --method mode --levels 4\n  \
                  exactum downsample labels.zarr pyramid.zarr --factors 2,2,2 --method mode --skip-value 0\n  \
                  exactum downsample volume.zarr pyramid.zarr --factors 1,2,2 --factors 2,2,2 --method mean\n  \
                  exactum downsample image.zarr pyramid.zarr --factors 2,2,2 --method mean --part 3/8\n  \
                  exactum downsample view.json smaller.zarr"
)]
pub(crate) struct Args {
    /// The folder of a Zarr 3 array, or of an OME-Zarr 0.5 image, whose first level is used; or the file with
    /// the document of a view.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The folder to which the pyramid or the array is written.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The factors by which each level is smaller than the level before it, one for each dimension. If the
    /// option is given once, its factors apply to all levels; if it is given several times, each use applies
    /// to one level.
    #[arg(long, value_name = "FACTOR,...", value_parser = factors)]
    factors: Vec<Factors>,
    /// The method that reduces the elements of a block to one element.
    #[arg(long, value_parser = method())]
    method: Option<Method>,
    /// A value that all methods except stride leave out, such as the background of labels or a missing value.
    /// A block that contains nothing else becomes this value. It is written like a fill value: 0, 1.5, NaN,
    /// true. For times (numpy.datetime64, numpy.timedelta64), it is NaT by default.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    skip_value: Option<String>,
    /// Treat every element as a value, including those that attributes of CF declare missing. If there are
    /// such attributes, the command requires this option or --skip-value.
    #[arg(long, conflicts_with = "skip_value")]
    raw: bool,
    /// How mean, min, max and median treat NaN: either they leave it out, or every block that contains NaN
    /// becomes NaN. By default, the mean of such a block is NaN, min and max leave NaN out, and for the
    /// median NaN is larger than all numbers.
    #[arg(long, value_name = "POLICY", value_parser = policy())]
    nan: Option<NanPolicy>,
    /// The number of levels above the array. By default, levels are added until one fits into a chunk.
    #[arg(long, value_name = "COUNT")]
    levels: Option<u32>,
    /// Compute every level from the array itself instead of from the level before it. For mode the results
    /// can differ, because a mode of modes is not the mode.
    #[arg(long)]
    from_base: bool,
    /// Do not copy the array as level 0.
    #[arg(long)]
    without_base: bool,
    /// Do one of N shares of the work. All shares can run at the same time, on different machines; the share
    /// that ends last completes the pyramid.
    #[arg(long, value_name = "I/N", value_parser = part)]
    part: Option<Part>,
    /// The number of threads. By default, it is the number of processors of the machine.
    #[arg(long, value_name = "COUNT")]
    threads: Option<NonZeroUsize>,
    /// Do not sync the written files. This is faster, but after a crash of the machine (not of the command) a
    /// complete pyramid may have lost its content.
    #[arg(long)]
    no_sync: bool,
}

/// The factors, one for each dimension.
#[derive(Clone, Debug)]
struct Factors(Vec<u64>);

fn factors(text: &str) -> Result<Factors, String> {
    let factor = |text: &str| {
        number(text).ok_or_else(|| {
            format!("{text:?} is not a factor; write one for each dimension, as in 1,2,2")
        })
    };
    let all: Result<_, String> = match text {
        "" => Ok(Vec::new()),
        _ => text.split(',').map(factor).collect(),
    };
    all.map(Factors)
}

/// Reads a number that is written in digits, without a sign.
fn number(text: &str) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

fn method() -> impl TypedValueParser<Value = Method> {
    let names = Method::ALL.iter().map(|method| method.name());
    PossibleValuesParser::new(names).try_map(|name| {
        let mut all = Method::ALL.iter().copied();
        all.find(|method| method.name() == name)
            .ok_or("there is no method of this name")
    })
}

fn policy() -> impl TypedValueParser<Value = NanPolicy> {
    let names = NanPolicy::ALL.iter().map(|policy| policy.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<NanPolicy>())
}

/// Returns a value as JSON. Names of numbers, such as NaN, need no quotes on the command line.
fn json(value: &str) -> String {
    match serde_json::from_str::<serde_json::Value>(value) {
        Ok(_) => value.to_owned(),
        Err(_) => serde_json::Value::from(value).to_string(),
    }
}

/// Reads a share.
///
/// # Errors
/// If it is not written in digits, or there is no such share.
pub(crate) fn part(text: &str) -> Result<Part, String> {
    text.split_once('/')
        .and_then(|(index, count)| Part::new(number(index)?, number(count)?))
        .ok_or_else(|| "a share is written I/N, where I is from 1 to N".into())
}

/// Writes the pyramid, or a share of it.
///
/// # Errors
/// If something cannot be read or written, or the options do not fit the input.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    match fs::metadata(&args.input) {
        Ok(input) if input.is_dir() => {}
        Ok(input) if input.is_file() => return write_view(args),
        Ok(_) => {
            return Err(format!(
                "{} is neither a folder nor a regular file",
                args.input.display()
            ));
        }
        Err(fault) => return Err(format!("{}: {fault}", args.input.display())),
    }
    let method = match (args.method, args.factors.is_empty()) {
        (Some(method), false) => method,
        (method, no_factors) => {
            let needs = [("--factors", no_factors), ("--method", method.is_none())];
            let needs = needs.iter().filter(|(_, needs)| *needs);
            let needs: Vec<&str> = needs.map(|(name, _)| *name).collect();
            return Err(format!(
                "a pyramid of an array needs {}",
                needs.join(" and ")
            ));
        }
    };
    if !args.raw {
        missing::ask(&args.input, method, args.skip_value.is_some())?;
    }
    let factors = args.factors.iter().map(|it| it.0.clone()).collect();
    let mut options = Options::with_factors(factors, method);
    options.levels = args.levels;
    options.from_base = args.from_base;
    options.copy_base = !args.without_base;
    options.skip_value = args.skip_value.as_deref().map(json);
    options.nan = args.nan;
    let words = |fault: exactum_pyramid::Error| fault.to_string();
    let mut pyramid = Pyramid::open(&args.input, &args.output, &options).map_err(words)?;
    if args.no_sync {
        pyramid.without_sync();
    }
    let outcome = watched(args, |part, threads, progress| {
        pyramid.run(part, threads, progress)
    })?;
    let folder = args.output.display();
    let text = match outcome {
        Outcome::Complete => {
            let shapes: String = pyramid
                .shapes()
                .enumerate()
                .skip(usize::from(args.without_base))
                .map(|(level, shape)| format!("  {level}  {}\n", extents(shape)))
                .collect();
            format!("{folder} is complete{}:\n{shapes}", unsynced(args))
        }
        Outcome::Waiting(chunks) => waiting(args, chunks),
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Does a share of the work and shows its progress on the terminal.
fn watched(
    args: &Args,
    work: impl FnOnce(
        Part,
        NonZeroUsize,
        &(dyn Fn(Progress) + Sync),
    ) -> Result<Outcome, exactum_pyramid::Error>,
) -> Result<Outcome, String> {
    let threads = args.threads.or(available_parallelism().ok());
    let bar = progress::bar(0, "{bar:40} {pos}/{len} chunks, {eta} left");
    let outcome = work(
        args.part.unwrap_or(Part::WHOLE),
        threads.unwrap_or(NonZeroUsize::MIN),
        &|progress| {
            bar.set_length(progress.all);
            bar.set_position(progress.made);
        },
    );
    bar.finish_and_clear();
    outcome.map_err(|fault| fault.to_string())
}

/// Returns a remark about files that were not synced.
fn unsynced(args: &Args) -> &'static str {
    match args.no_sync {
        true => " (not synced: a crash of the machine may still lose it)",
        false => "",
    }
}

/// Returns the report for the case that other shares are not finished.
fn waiting(args: &Args, chunks: u64) -> String {
    let part = args.part.unwrap_or(Part::WHOLE);
    format!(
        "Part {} of {} is done. {chunks} chunks of other parts are still missing. The part that \
         ends last completes {}.\n",
        part.index(),
        part.count(),
        args.output.display()
    )
}

/// Writes the array that the document of a view describes, or a share of it.
fn write_view(args: &Args) -> Result<ExitCode, String> {
    let given = [
        ("--factors", !args.factors.is_empty()),
        ("--method", args.method.is_some()),
        ("--levels", args.levels.is_some()),
        ("--from-base", args.from_base),
        ("--without-base", args.without_base),
        ("--skip-value", args.skip_value.is_some()),
        ("--raw", args.raw),
        ("--nan", args.nan.is_some()),
    ];
    if let Some((name, _)) = given.into_iter().find(|(_, given)| *given) {
        return Err(format!(
            "{} is the document of a view, which defines all settings itself; leave out {name}",
            args.input.display()
        ));
    }
    let view = View::open(&args.input).map_err(|fault| fault.to_string())?;
    let outcome = watched(args, |part, threads, progress| match args.no_sync {
        true => view.write_without_sync(&args.output, part, threads, progress),
        false => view.write(&args.output, part, threads, progress),
    })?;
    let text = match outcome {
        Outcome::Complete => format!(
            "{} is complete{}: {} of {}\n",
            args.output.display(),
            unsynced(args),
            extents(view.domain().shape()),
            view.data_type()
        ),
        Outcome::Waiting(chunks) => waiting(args, chunks),
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a shape as text.
fn extents(shape: &[u64]) -> String {
    let extents: Vec<String> = shape.iter().map(u64::to_string).collect();
    extents.join(" × ")
}
