//! `exactum prove`: whether every value of a range survives the codecs of an array.

mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use exactum_conformance::output;
use exactum_exact::Exact;
use exactum_model::{Chain, DataType, Format, Reason};
use exactum_reference::analysis::{
    self, Analysis, Effort, Special, WorstError, analyse, relative_error,
};
use serde_json::json;

use crate::number::{self, shown};
use crate::plan::scan::{Found, scan};
use crate::validate::{Closed, open_values};

pub(crate) use report::error_figure;

/// Prove that the codecs of an array store every value of a range, and read none back as something
/// else; or show a value that they do not.
///
/// No value may leave the range of what is stored: it may be neither rejected nor clamped, and it may not wrap
/// around. No value may have a code that stands for NaN, an infinity, a key of a scalar map, or a fill value outside
/// of the range, and a key of a scalar map has to be read back as itself. With --max-error and --max-relative-error,
/// every value has to be read back within that error. The proof is exact: it holds for all values, not for a sample.
///
/// Where an array of integers has packing attributes of CF, values are those that a reader of CF gets.
///
/// Exit code 0 if there is a proof, 1 if a value refutes it, and 2 if the document is rejected or nothing could be
/// decided.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  exactum prove zarr.json --range=-54.5..600.8 --need NaN\n  \
                        exactum prove zarr.json --scan temperatures.npy --max-error 0.005"
)]
pub(crate) struct Args {
    /// The zarr.json of an array, or its folder, or the attributes of a packed variable of CF with its `data_type`; `-`
    /// is the standard input.
    #[arg(value_name = "ZARR.JSON")]
    path: PathBuf,
    #[command(flatten)]
    values: Values,
    /// What has to come back beside the values of the range.
    #[arg(long, value_name = "VALUE", value_delimiter = ',', allow_hyphen_values = true,
          value_parser = PossibleValuesParser::new(["NaN", "Infinity", "-Infinity"]))]
    need: Vec<String>,
    #[command(flatten)]
    errors: Errors,
    /// Pass over the packing attributes of CF: values are the elements of the array.
    #[arg(long)]
    raw: bool,
    /// Print one JSON object, whatever the outcome.
    #[arg(long)]
    json: bool,
}

/// Which values are asked about.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
struct Values {
    /// The least and the greatest value.
    #[arg(long, value_name = "A..B", value_parser = ends, allow_hyphen_values = true)]
    range: Option<[String; 2]>,
    /// Read an array for its range, and for whether NaN and infinities have to come back: the folder of an
    /// array of Zarr 3, or a .npy file.
    #[arg(long, value_name = "PATH")]
    scan: Option<PathBuf>,
}

/// Which errors are allowed.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Errors {
    /// The largest error that is allowed: how far a value that is read back may be from the one that was stored.
    #[arg(long, value_name = "ERROR", value_parser = number::positive)]
    pub(crate) max_error: Option<Exact>,
    /// The largest error that is allowed as a part of the value, such as 0.001. It holds for zero and for values
    /// whose magnitude is at least that of --smallest.
    #[arg(long, value_name = "PART", value_parser = number::positive)]
    pub(crate) max_relative_error: Option<Exact>,
    /// The magnitude from which on a relative error counts: by default that of the scanned value nearest to zero, or
    /// the least normal number of the data type.
    #[arg(long, value_name = "MAGNITUDE", value_parser = number::positive, requires = "max_relative_error")]
    pub(crate) smallest: Option<Exact>,
}

impl Errors {
    /// What is allowed for an array, with what was found in it.
    pub(crate) fn tolerance(&self, data_type: DataType, found: Option<&Found>) -> Tolerance {
        let smallest = found.and_then(|found| {
            let format = found.data_type.format();
            found.smallest.map(|bits| Exact::from_bits(&format, bits))
        });
        Tolerance {
            absolute: self.max_error.clone(),
            relative: self.max_relative_error.clone(),
            smallest: self
                .smallest
                .clone()
                .or(smallest)
                .unwrap_or_else(|| number::least_normal(data_type)),
        }
    }
}

/// The errors that a packing may have. Without limits, it may have any.
#[derive(Clone, Debug)]
pub(crate) struct Tolerance {
    /// The largest error.
    pub(crate) absolute: Option<Exact>,
    /// The largest error as a part of the value.
    pub(crate) relative: Option<Exact>,
    /// The least magnitude, other than zero, of values that the relative error is for.
    pub(crate) smallest: Exact,
}

#[cfg(test)]
impl Tolerance {
    /// Every error is allowed.
    pub(crate) fn any(data_type: DataType) -> Self {
        Errors::default().tolerance(data_type, None)
    }
}

/// How much the two commands try: up to 4096 codes, the largest error is computed for each of them; where there are
/// more, some values are tried.
pub(crate) const EFFORT: Effort = Effort {
    codes: 1 << 12,
    values: 64,
};

/// Codes that are tried where neither the bound nor the values that were tried decide about the error.
const ALL_CODES: usize = 1 << 17;

fn ends(text: &str) -> Result<[String; 2], String> {
    let (least, greatest) = text.split_once("..").ok_or("it is written A..B")?;
    Ok([least.to_owned(), greatest.to_owned()])
}

/// Proves or refutes, and prints which.
///
/// # Errors
/// When the document cannot be read or its numbers are not known, or the range is none.
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

/// What is printed, and the exit code.
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
    let tolerance = args.errors.tolerance(chain.data_type, found.as_ref());
    let proof = Proof::of(chain, range, &needs, &tolerance)?;
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

/// The range, and what has to come back beside it.
fn asked(args: &Args, found: Option<&Found>) -> Result<([String; 2], Vec<String>), String> {
    let mut needs = args.need.clone();
    let Some(found) = found else {
        let range = args.values.range.clone();
        return Ok((range.ok_or("name a --range")?, needs));
    };
    let range = found
        .range
        .ok_or("the array holds no finite number; name a --range")?;
    for name in found.specials() {
        if !needs.iter().any(|need| need == name) {
            needs.push(name.into());
        }
    }
    Ok((range.map(|end| shown(found.data_type, end)), needs))
}

/// What a proof comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Every value survives, within the error that is allowed.
    Proved,
    /// A value does not.
    Refuted,
    /// Neither is known.
    Undecided,
}

impl Verdict {
    const fn name(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Refuted => "refuted",
            Verdict::Undecided => "undecided",
        }
    }
}

/// Whether an error stays within what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It does.
    Yes,
    /// That of a value, by its bits, does not.
    Exceeded(u64, Exact),
    /// The bound is too large, and no value that was tried has too large an error.
    Unknown,
}

impl Kept {
    fn of(error: Option<&WorstError>, limit: Option<&Exact>) -> Self {
        let Some(limit) = limit else {
            return Kept::Yes;
        };
        let Some(error) = error else {
            return Kept::Unknown;
        };
        let is_kept = |error: &Exact| error.compare(limit).is_some_and(std::cmp::Ordering::is_le);
        match &error.shown {
            _ if is_kept(&error.bound) => Kept::Yes,
            Some((value, error)) if !is_kept(error) => Kept::Exceeded(*value, error.clone()),
            _ => Kept::Unknown,
        }
    }
}

/// What is known about a range.
pub(crate) struct Proof<'c> {
    chain: &'c Chain,
    /// The chain for one element, by which values are shown.
    one: Chain,
    range: [u64; 2],
    tolerance: Tolerance,
    pub(crate) analysis: Analysis,
    /// The largest relative error, where one is asked for and every value survives.
    pub(crate) relative: Option<WorstError>,
    /// What must come back and does not.
    unmet: Vec<Special>,
}

impl<'c> Proof<'c> {
    /// Analyses a range, given by the bits of its ends, with as much effort as it takes to decide.
    ///
    /// # Errors
    /// When there is nothing to analyse, in words.
    pub(crate) fn of(
        chain: &'c Chain,
        range: [u64; 2],
        needs: &[String],
        tolerance: &Tolerance,
    ) -> Result<Self, String> {
        let proof = Self::with(chain, range, needs, tolerance, EFFORT)?;
        if proof.analysis.is_proof() && proof.verdict() == Verdict::Undecided {
            let effort = Effort {
                codes: ALL_CODES,
                ..EFFORT
            };
            return Self::with(chain, range, needs, tolerance, effort);
        }
        Ok(proof)
    }

    /// Analyses a range with this effort.
    ///
    /// # Errors
    /// When there is nothing to analyse, in words.
    pub(crate) fn with(
        chain: &'c Chain,
        range: [u64; 2],
        needs: &[String],
        tolerance: &Tolerance,
        effort: Effort,
    ) -> Result<Self, String> {
        let data_type = chain.data_type;
        let one = analysis::single(chain).map_err(|rejection| rejection.message)?;
        if !data_type.is_real() {
            return Err(format!("the values of {data_type} are not real numbers"));
        }
        let refused = |rejection: exactum_model::Rejection| match rejection.reason {
            Reason::OutOfRange => format!(
                "{}..{} is not a range: it goes from a finite number to one that is not less",
                shown(data_type, range[0]),
                shown(data_type, range[1])
            ),
            _ => rejection.message,
        };
        let analysis = analyse(chain, range, effort).map_err(refused)?;
        let relative = match &tolerance.relative {
            Some(_) if analysis.is_proof() => {
                relative_error(chain, range, &tolerance.smallest, effort).map_err(refused)?
            }
            _ => None,
        };
        let mut unmet = Vec::new();
        for need in needs {
            let bits = number::read(data_type, need)
                .map_err(|_| format!("{data_type} has no {need}, so that none can be needed"))?;
            let is_it = |special: &&Special| data_type.format().same_value(special.value, bits);
            let special = analysis.specials.iter().find(is_it);
            unmet.extend(special.filter(|it| !comes_back(data_type, it)).cloned());
        }
        Ok(Proof {
            chain,
            one,
            range,
            tolerance: tolerance.clone(),
            analysis,
            relative,
            unmet,
        })
    }

    /// What the proof comes to.
    pub(crate) fn verdict(&self) -> Verdict {
        if !self.analysis.faults.is_empty() || !self.unmet.is_empty() {
            return Verdict::Refuted;
        }
        if !self.analysis.complete {
            return Verdict::Undecided;
        }
        match (self.absolute_kept(), self.relative_kept()) {
            (Kept::Exceeded(..), _) | (_, Kept::Exceeded(..)) => Verdict::Refuted,
            (Kept::Yes, Kept::Yes) => Verdict::Proved,
            _ => Verdict::Undecided,
        }
    }

    /// Why there is no proof, in a clause.
    pub(crate) fn summary(&self) -> String {
        if let Some(fault) = self.analysis.faults.first() {
            return self.short_fault(fault);
        }
        if let Some(special) = self.unmet.first() {
            return format!("{} does not come back", self.value(special.value));
        }
        match (self.absolute_kept(), self.relative_kept()) {
            (Kept::Yes, Kept::Yes) => "it is not decided".into(),
            (Kept::Yes, _) => {
                let error = self
                    .relative
                    .as_ref()
                    .map(|error| error_figure(&error.bound));
                let error = error.unwrap_or_else(|| "not known".into());
                format!("the relative error is {error}, more than is allowed")
            }
            _ => {
                let error = self.analysis.error.as_ref();
                let error = error.map(|error| error_figure(&error.bound));
                let error = error.unwrap_or_else(|| "not known".into());
                format!("the error is {error}, more than is allowed")
            }
        }
    }

    /// Whether the largest error stays within what is allowed.
    fn absolute_kept(&self) -> Kept {
        Kept::of(
            self.analysis.error.as_ref(),
            self.tolerance.absolute.as_ref(),
        )
    }

    /// Whether the largest relative error does.
    fn relative_kept(&self) -> Kept {
        Kept::of(self.relative.as_ref(), self.tolerance.relative.as_ref())
    }
}

/// The bits of the ends of a range, which are texts.
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

/// A range that begins or ends with zero has both zeros.
pub(crate) fn with_both_zeros(data_type: DataType, range: [u64; 2]) -> [u64; 2] {
    let [mut least, mut greatest] = range;
    if let Format::Float(format) = data_type.format() {
        if format.negative_zero && format.is_zero(least) {
            least = format.sign_mask();
        }
        if format.is_zero(greatest) {
            greatest = 0;
        }
    }
    [least, greatest]
}

fn comes_back(data_type: DataType, special: &Special) -> bool {
    let stored = special.outcome.as_ref();
    stored.is_ok_and(|stored| {
        let back = stored.back.as_ref();
        back.is_ok_and(|back| data_type.format().same_value(*back, special.value))
    })
}

#[cfg(test)]
mod tests;
