//! `exactum plan`: plans how to pack a range of values into integers or shorter floats, and with what error.

mod npy;
pub(crate) mod scan;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use exactum_conformance::output;
use exactum_exact::Exact;
use exactum_model::sds::Policy;
use exactum_model::{DataType, Format};
use exactum_plan::{
    Candidate, EFFORT, Library, Request, Step, Target, candidate, candidates, document, number,
    with_both_zeros,
};

use self::scan::Found;
use crate::errors::Errors;

/// Plan how to pack a range of values, and print the metadata for it.
///
/// Every packing that is printed is proved for the data type of the array, as by `exactum prove`: every value
/// of the range is read back within the printed error, no value gets the code of NaN, of an infinity or of
/// the fill value, and these three are read back as themselves. A range of a single value is read back
/// exactly. Without --target, all proved packings are listed, the smallest first, with the details of the
/// first. The exit code is 1 if there is no such packing.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  exactum plan --range=-54.5..600.8 --target int16 --need NaN\n  \
                        exactum plan --scan temperatures.zarr --max-error 0.005\n  \
                        exactum plan --scan field.npy --target uint16 --quantum 0.01\n  \
                        exactum plan --scan field.npy --keepbits --max-relative-error 0.001"
)]
pub(crate) struct Args {
    #[command(flatten)]
    values: Values,
    /// The data type of the array for which the range is given.
    #[arg(long, value_name = "DATA_TYPE", value_parser = real(), conflicts_with = "scan")]
    data_type: Option<DataType>,
    /// The integers or floats to store. By default, all possible types are listed.
    #[arg(long, value_name = "DATA_TYPE", value_parser = real())]
    target: Option<DataType>,
    /// The special values that have to survive in addition to finite numbers.
    #[arg(long, value_name = "VALUE", value_delimiter = ',', allow_hyphen_values = true,
          value_parser = PossibleValuesParser::new(SPECIALS))]
    need: Vec<String>,
    /// The special values that need not survive, although the scanned array holds them.
    #[arg(long, value_name = "VALUE", value_delimiter = ',', allow_hyphen_values = true,
          value_parser = PossibleValuesParser::new(SPECIALS))]
    drop: Vec<String>,
    /// The fill value of the array. By default, it is that of the scanned array, or a value that the plan
    /// chooses.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    fill_value: Option<String>,
    /// How to choose the scale. The default is `tn115`, or the coarsest steps that stay within the given
    /// errors.
    #[arg(long, value_enum)]
    policy: Option<Chosen>,
    /// Store the values in steps of this size, however little room that leaves.
    #[arg(long, value_name = "STEP", value_parser = number::positive, conflicts_with = "policy")]
    quantum: Option<Exact>,
    /// Round with `bitround` instead of packing, either to the given number of bits or to the fewest that
    /// stay within the given errors. The elements keep their size, and a compressor after the codec makes use
    /// of the zero bits.
    #[arg(long, value_name = "BITS", num_args = 0..=1, require_equals = true,
          value_parser = clap::value_parser!(u64).range(1..),
          conflicts_with_all = ["target", "policy", "quantum", "print"])]
    keepbits: Option<Option<u64>>,
    #[command(flatten)]
    errors: Errors,
    /// Ignore the packing attributes of CF of the scanned array, so that the values are its stored elements
    /// and not the values that a reader of CF gets.
    #[arg(long, requires = "scan")]
    raw: bool,
    /// Print a program that writes the array as planned, reads it back and compares.
    #[arg(long, value_name = "LIBRARY", value_parser = library(), conflicts_with = "json")]
    print: Option<Library>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// The values to pack.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
struct Values {
    /// The least and the greatest value.
    #[arg(long, value_name = "A..B", value_parser = range, allow_hyphen_values = true)]
    range: Option<[String; 2]>,
    /// Take the data type, the range and the fill value from an array, and add NaN and infinities if the
    /// array holds them. If a range is given too, it has to contain the values of the array. The path is the
    /// folder of a Zarr 3 array, such as STORE/NAME, or a .npy file.
    #[arg(long, value_name = "PATH")]
    scan: Option<PathBuf>,
}

/// The special values, which are not in a range.
const SPECIALS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

/// The policies by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Chosen {
    /// Use the middle three quarters of the codes, so that values may leave the range by a sixth of it.
    Tn115,
    /// Use all codes that do not stand for something else.
    Full,
    /// Use a power of two, so that only the final rounding loses anything.
    PowerOfTwo,
    /// Use a power of ten with a whole offset, so that values with few decimals are stored exactly.
    Decimal,
}

/// Parses the data types of real numbers by name.
pub(crate) fn real() -> impl TypedValueParser<Value = DataType> {
    let numbers = || {
        let all = DataType::ALL.iter().copied();
        all.filter(|it| matches!(it.format(), Format::Integer(_) | Format::Float(_)))
    };
    let names = numbers().map(|data_type| data_type.name());
    PossibleValuesParser::new(names).try_map(move |name| {
        numbers()
            .find(|data_type| data_type.name() == name)
            .ok_or("there is no data type of this name")
    })
}

/// Parses the libraries for which programs can be printed.
fn library() -> impl TypedValueParser<Value = Library> {
    PossibleValuesParser::new(Library::ALL.map(Library::name)).try_map(|name| {
        let mut all = Library::ALL.into_iter();
        all.find(|library| library.name() == name)
            .ok_or("there is no library of this name")
    })
}

fn range(text: &str) -> Result<[String; 2], String> {
    let (least, greatest) = text.split_once("..").ok_or("a range is written A..B")?;
    let number = |text: &str| match Exact::decimal(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!(
            "{text:?} is not a finite number; add NaN and infinities with --need"
        )),
    };
    Ok([number(least)?, number(greatest)?])
}

/// Prints a plan.
///
/// # Errors
/// If it cannot be written, or the array cannot be read.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let scan = |path| scan::scan(path, args.raw);
    let found = args.values.scan.as_deref().map(scan).transpose()?;
    match planned(args, found.as_ref()) {
        Ok(text) => {
            output::print(&text)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(words) => {
            output::complain("exactum", &words);
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Returns the text of a plan, or the reason why there is no plan.
fn planned(args: &Args, found: Option<&Found>) -> Result<String, String> {
    let request = request(args, found)?;
    let (first, all) = choose(args, &request)?;
    if let Some(library) = args.print {
        // Without --target, the details are those of the smallest packing that the library can store.
        let rest = all.iter().skip(1);
        let mut able = std::iter::once(&first).chain(rest);
        return match able.find(|candidate| library.lacks(&request, candidate).is_none()) {
            Some(candidate) => Ok(library.recipe(&request, candidate)),
            None => Err(library.lacks(&request, &first).unwrap_or_default()),
        };
    }
    Ok(match args.json {
        true => format!("{:#}\n", document(&request, &first, &all)),
        false => words::words(&request, &first, &all, found),
    })
}

/// Returns the packing to print in detail, and all packings to list.
fn choose(args: &Args, request: &Request) -> Result<(Candidate, Vec<Candidate>), String> {
    if let Some(keep_bits) = args.keepbits {
        return Ok((exactum_plan::keepbits(request, keep_bits)?, Vec::new()));
    }
    if let Some(target) = args.target {
        let found = candidate(request, Target::of(target));
        return match found {
            Ok(candidate) => Ok((candidate, Vec::new())),
            Err(words) => Err(words + help(request, target)),
        };
    }
    let all = candidates(request);
    match all.first() {
        Some(first) => Ok((first.clone(), all)),
        None => Err(format!(
            "no packing of {} meets the requirements",
            request.data_type
        )),
    }
}

/// Returns advice for a request that has no plan.
fn help(request: &Request, target: DataType) -> &'static str {
    let is_unsigned = matches!(target.format(), Format::Integer(format) if !format.signed);
    match &request.step {
        _ if request.needs.negative_infinity && is_unsigned => "; use int8, int16 or int32",
        Some(Step::Size(_)) => "; use a larger step or a wider type",
        _ if request.tolerance.absolute.is_some() || request.tolerance.relative.is_some() => {
            "; use a wider type or allow a larger error"
        }
        _ => "",
    }
}

/// Returns the request: the settings of the command line together with what was found in an array.
fn request(args: &Args, found: Option<&Found>) -> Result<Request, String> {
    let data_type = match found {
        Some(found) => found.data_type,
        None => args.data_type.unwrap_or(DataType::Float64),
    };
    let (range, there) = (asked_range(args, data_type)?, found.and_then(|it| it.range));
    let range = match (range, there) {
        (Some(range), Some(there)) if !contains(data_type, range, there) => {
            let [least, greatest] = there.map(|bits| number::shown(data_type, bits));
            let [from, to] = range.map(|bits| number::shown(data_type, bits));
            return Err(format!(
                "the array holds numbers from {least} to {greatest}, which are not all in the \
                 range from {from} to {to}"
            ));
        }
        (Some(range), _) | (None, Some(range)) => range,
        (None, None) => {
            return Err("the array holds no finite number; give a --range".into());
        }
    };
    let fill_value = match &args.fill_value {
        Some(text) => Some(number::read(data_type, text)?),
        None => found.and_then(|found| found.fill_value),
    };
    let is_dropped = |name: &str| args.drop.iter().any(|drop| drop == name);
    let format = data_type.format();
    let special = |bits: u64| {
        let name = number::shown(data_type, bits);
        SPECIALS.into_iter().find(|special| *special == name)
    };
    let fill_value = fill_value.filter(|bits| special(*bits).is_none_or(|name| !is_dropped(name)));
    let is_needed = |name: &str| {
        let is_found = found.is_some_and(|found| found.specials().any(|it| it == name));
        let is_fill = fill_value.is_some_and(|bits| special(bits) == Some(name));
        !is_dropped(name) && (is_found || is_fill || args.need.iter().any(|need| need == name))
    };
    if matches!(format, Format::Integer(_)) && SPECIALS.into_iter().any(is_needed) {
        return Err(format!("{data_type} has neither NaN nor infinities"));
    }
    Ok(Request {
        data_type,
        range: with_both_zeros(data_type, range),
        needs: exactum_plan::needs(is_needed),
        fill_value,
        tolerance: args
            .errors
            .tolerance(data_type, found.and_then(Found::smallest)),
        step: match (&args.quantum, args.policy) {
            (Some(size), _) => Some(Step::Size(size.clone())),
            (None, None) => None,
            (None, Some(Chosen::Tn115)) => Some(Step::Policy(Policy::Tn115)),
            (None, Some(Chosen::Full)) => Some(Step::Policy(Policy::Full)),
            (None, Some(Chosen::PowerOfTwo)) => Some(Step::Policy(Policy::PowerOfTwo)),
            (None, Some(Chosen::Decimal)) => Some(Step::Policy(Policy::Decimal)),
        },
        effort: EFFORT,
    })
}

/// Returns the bits of the two ends of the range on the command line.
fn asked_range(args: &Args, data_type: DataType) -> Result<Option<[u64; 2]>, String> {
    let Some([least, greatest]) = &args.values.range else {
        return Ok(None);
    };
    let range = [
        number::read(data_type, least)?,
        number::read(data_type, greatest)?,
    ];
    let format = data_type.format();
    let [low, high] = range.map(|bits| Exact::from_bits(&format, bits));
    match low.compare(&high) {
        Some(std::cmp::Ordering::Greater) => {
            Err("the range is empty: its minimum is above its maximum".into())
        }
        _ => Ok(Some(range)),
    }
}

/// Returns whether a range contains all numbers of another range.
fn contains(data_type: DataType, range: [u64; 2], other: [u64; 2]) -> bool {
    let format = data_type.format();
    let order =
        |a: u64, b: u64| Exact::from_bits(&format, a).compare(&Exact::from_bits(&format, b));
    order(range[0], other[0]).is_some_and(std::cmp::Ordering::is_le)
        && order(other[1], range[1]).is_some_and(std::cmp::Ordering::is_le)
}

#[cfg(test)]
mod proofs;

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn printed(line: &str, found: Option<&Found>) -> String {
        match Line::try_parse_from(format!("plan {line}").split(' ')) {
            Ok(line) => planned(&line.args, found).unwrap_or_else(|words| words),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_plan_is_reported_with_its_metadata() {
        for (name, line) in [
            (
                "temperatures",
                "--range=-54.5..600.8 --target int16 --need NaN",
            ),
            ("all-codes", "--range 0..1 --target uint8 --policy full"),
            (
                "infinities",
                "--range=-1..1 --target int8 --need NaN,Infinity,-Infinity",
            ),
            (
                "decimals",
                "--range 0..99.99 --target uint16 --policy decimal --need NaN",
            ),
            ("steps", "--range 0..10 --target int32 --quantum 0.25"),
            ("single", "--range 5..5 --target int16"),
            (
                "kept-bits",
                "--range 1..1000 --data-type float32 --max-relative-error 0.001 --keepbits --need NaN",
            ),
            (
                "kept-bits-of-integers",
                "--range=-100..1000 --data-type int16 --keepbits=13 --fill-value 8",
            ),
            ("kept-bits-for-what", "--range 1..1000 --keepbits"),
            (
                "kept-bits-too-few",
                "--range 1..1000 --keepbits=1 --max-error 1",
            ),
            ("empty", "--range 2..1 --target int16"),
            ("too-fine", "--range 0..10 --target int8 --quantum 0.001"),
            ("no-code", "--range 0..1 --target uint8 --need=-Infinity"),
            ("no-range", "--range 1 --target int16"),
            ("no-values", "--target int16"),
            ("not-finite", "--range 0..inf --target int16"),
            ("no-step", "--range 0..1 --target int16 --quantum 0"),
        ] {
            insta::assert_snapshot!(name, printed(line, None));
        }
    }

    #[test]
    fn a_plan_follows_what_an_array_holds() {
        let found = Found {
            data_type: DataType::Float64,
            elements: 1_000,
            range: Some([-54.5_f64, 600.8].map(f64::to_bits)),
            nearest_to_zero: None,
            nan: true,
            positive_infinity: false,
            negative_infinity: false,
            fill_value: None,
            packed: None,
        };
        let endless = Found {
            positive_infinity: true,
            negative_infinity: true,
            ..found.clone()
        };
        let nothing = Found {
            range: None,
            ..found.clone()
        };
        for (name, line, found) in [
            ("found", "--scan a --target int16", &found),
            ("found-endless", "--scan a --target int8", &endless),
            (
                "found-wider",
                "--scan a --range=-100..700 --target int16",
                &found,
            ),
            (
                "found-narrower",
                "--scan a --range 0..700 --target int16",
                &found,
            ),
            ("found-nothing", "--scan a --target int16", &nothing),
        ] {
            insta::assert_snapshot!(name, printed(line, Some(found)));
        }
    }
}
