//! `exactum prove`: proves whether every value of a range survives the codecs of an array.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use exactum_conformance::output;
use exactum_model::DataType;
use exactum_plan::number::{self, shown};
use exactum_plan::{Proof, Verdict, with_both_zeros};
use serde_json::json;

use crate::errors::Errors;
use crate::plan::scan::{Found, scan};
use crate::validate::{Closed, open_values};

/// Prove that the codecs of an array keep every value of a range, or show a value that they do not keep.
///
/// No value may be rejected, clamped or wrapped around. No value may be stored as a code that stands for NaN,
/// an infinity, a key of a scalar map, or a fill value outside of the range. Every key of a scalar map has to
/// be read back as itself. With --max-error and --max-relative-error, every value has to be read back within
/// that error. The proof is exact: it holds for all values, not for a sample.
///
/// If an array of integers has packing attributes of CF, the values are those that a reader of CF gets. If
/// the attributes only declare missing values, by `_FillValue` or `missing_value`, a range that contains one
/// of these values is refuted.
///
/// The exit code is 0 if there is a proof, 1 if a value refutes it, and 2 if the document is rejected or
/// nothing could be decided.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  exactum prove zarr.json --range=-54.5..600.8 --need NaN\n  \
                        exactum prove zarr.json --scan temperatures.npy --max-error 0.005"
)]
pub(crate) struct Args {
    /// The zarr.json of an array, its folder, or the attributes of a packed CF variable together with its
    /// `data_type`; `-` stands for standard input.
    #[arg(value_name = "ZARR.JSON")]
    path: PathBuf,
    #[command(flatten)]
    values: Values,
    /// The special values that have to survive in addition to the values of the range.
    #[arg(long, value_name = "VALUE", value_delimiter = ',', allow_hyphen_values = true,
          value_parser = PossibleValuesParser::new(["NaN", "Infinity", "-Infinity"]))]
    need: Vec<String>,
    #[command(flatten)]
    errors: Errors,
    /// Ignore the packing attributes of CF, so that the values are the stored elements of the array.
    #[arg(long)]
    raw: bool,
    /// Print one JSON object, whatever the outcome.
    #[arg(long)]
    json: bool,
}

/// The values to prove.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Values {
    /// The least and the greatest value.
    #[arg(long, value_name = "A..B", value_parser = ends, allow_hyphen_values = true)]
    range: Option<[String; 2]>,
    /// Take the range from an array, and add NaN and infinities if the array holds them. The path is the
    /// folder of a Zarr 3 array, or a .npy file.
    #[arg(long, value_name = "PATH")]
    scan: Option<PathBuf>,
}

fn ends(text: &str) -> Result<[String; 2], String> {
    let (least, greatest) = text.split_once("..").ok_or("a range is written A..B")?;
    Ok([least.to_owned(), greatest.to_owned()])
}

/// Proves or refutes the claim, and prints the result.
///
/// # Errors
/// If the document cannot be read, its numbers are not known, or the range is malformed.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let judged = judge(args);
    match judged {
        Ok((text, code)) => {
            output::print(&text)?;
            Ok(code)
        }
        Err(why) if args.json => {
            let document = json!({"verdict": "not_judged", "proved": false, "error": why});
            output::print(&format!("{document:#}\n"))?;
            Ok(ExitCode::from(2))
        }
        Err(why) => Err(why),
    }
}

/// Returns the text to print, and the exit code.
fn judge(args: &Args) -> Result<(String, ExitCode), String> {
    let values = match open_values(&args.path, args.raw) {
        Ok(values) => values,
        Err(Closed::Other(why)) => return Err(why),
        Err(Closed::Rejected { words, document }) => {
            let text = match args.json {
                true => {
                    let document =
                        json!({"verdict": "rejected", "proved": false, "document": document});
                    format!("{document:#}\n")
                }
                false => words,
            };
            return Ok((text, ExitCode::from(2)));
        }
    };
    let chain = &values.chain;
    let scan = |path| scan(path, args.raw);
    let found = args.values.scan.as_deref().map(scan).transpose()?;
    let (range, needs) = asked(args, found.as_ref())?;
    let range = bits_of(chain.data_type, &range)?;
    let tolerance = args
        .errors
        .tolerance(chain.data_type, found.as_ref().and_then(Found::smallest));
    let proof = Proof::of(chain, range, &needs, &tolerance)?.with_missing(&values.missing);
    let text = match args.json {
        true => {
            let mut document = proof.document();
            document["packing"] = values.packing_document();
            format!("{document:#}\n")
        }
        false => crate::style::verdicts(&(values.heading() + &proof.words())),
    };
    Ok((
        text,
        ExitCode::from(match proof.verdict() {
            Verdict::Proved => 0,
            Verdict::Refuted => 1,
            Verdict::Undecided => 2,
        }),
    ))
}

/// Returns the range, and the special values that have to survive in addition.
fn asked(args: &Args, found: Option<&Found>) -> Result<([String; 2], Vec<String>), String> {
    let mut needs = args.need.clone();
    let Some(found) = found else {
        let range = args.values.range.clone();
        return Ok((range.ok_or("give a --range")?, needs));
    };
    let range = found
        .range
        .ok_or("the array holds no finite number; give a --range")?;
    for name in found.specials() {
        if !needs.iter().any(|need| need == name) {
            needs.push(name.into());
        }
    }
    Ok((range.map(|end| shown(found.data_type, end)), needs))
}

/// Returns the bits of the two ends of a range, which are given as texts.
fn bits_of(data_type: DataType, range: &[String; 2]) -> Result<[u64; 2], String> {
    let [least, greatest] = range;
    Ok(with_both_zeros(
        data_type,
        [
            number::read(data_type, least)?,
            number::read(data_type, greatest)?,
        ],
    ))
}

#[cfg(test)]
mod tests;
