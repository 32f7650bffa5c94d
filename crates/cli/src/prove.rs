//! `exactum prove`: whether every value of a range survives the codecs of an array.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use exactum_conformance::output;
use exactum_metadata::sds::number_to_json;
use exactum_model::{Chain, DataType};
use exactum_reference::analysis::{
    self, Analysis, Effort, Fault, FaultKind, Owner, Special, analyse,
};
use serde_json::{Value, json};

use crate::number::{self, shown};
use crate::plan::scan::scan;
use crate::validate::{fault_name, with_array};

/// Prove that the codecs of an array store every value of a range, and read none back as something
/// else; or show a value that they do not.
///
/// No value may leave the range of what is stored: neither may it be rejected, nor clamped, nor wrap
/// around. None may have a code that stands for NaN, an infinity, a key of a scalar map, or a fill value outside of
/// the range. The proof is exact: it holds for all values, not for a sample. Exit code 1 if there is none.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  exactum prove zarr.json --range=-54.5..600.8 --need NaN\n  \
                        exactum prove zarr.json --scan temperatures.npy"
)]
pub(crate) struct Args {
    /// The zarr.json of an array, or its folder; `-` is the standard input.
    #[arg(value_name = "ZARR.JSON")]
    path: PathBuf,
    #[command(flatten)]
    values: Values,
    /// What has to come back beside the values of the range.
    #[arg(long, value_name = "VALUE", value_delimiter = ',', allow_hyphen_values = true,
          value_parser = PossibleValuesParser::new(["NaN", "Infinity", "-Infinity"]))]
    need: Vec<String>,
    /// Print one JSON object.
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

/// Up to so many codes, the largest error is computed for each of them.
const CODES: usize = 1 << 12;

/// Values that are tried where there are more codes.
const VALUES: u32 = 64;

/// Faults that are told to people.
const SHOWN: usize = 20;

fn ends(text: &str) -> Result<[String; 2], String> {
    let (least, greatest) = text.split_once("..").ok_or("it is written A..B")?;
    Ok([least.to_owned(), greatest.to_owned()])
}

/// Proves or refutes, and prints which.
///
/// # Errors
/// When the document cannot be read or its numbers are not known, or the range is none.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let (range, needs) = asked(args)?;
    with_array(&args.path, |document| {
        let proof = prove(&document.chain, &range, &needs)?;
        output::print(&match args.json {
            true => format!("{:#}\n", proof.document()),
            false => crate::style::verdicts(&proof.words()),
        })?;
        Ok(match proof.holds() {
            true => ExitCode::SUCCESS,
            false => ExitCode::FAILURE,
        })
    })
}

/// The range, and what has to come back beside it.
fn asked(args: &Args) -> Result<([String; 2], Vec<String>), String> {
    let mut needs = args.need.clone();
    let Some(path) = &args.values.scan else {
        let range = args.values.range.clone();
        return Ok((range.ok_or("name a --range")?, needs));
    };
    let found = scan(path)?;
    let range = found
        .range
        .ok_or_else(|| format!("{} holds no finite number; name a --range", path.display()))?;
    let specials = [
        (found.nan, "NaN"),
        (found.positive_infinity, "Infinity"),
        (found.negative_infinity, "-Infinity"),
    ];
    for (_, name) in specials.into_iter().filter(|(is_there, _)| *is_there) {
        if !needs.iter().any(|need| need == name) {
            needs.push(name.into());
        }
    }
    Ok((range.map(|end| end.to_string()), needs))
}

/// What is known about a range.
struct Proof<'c> {
    chain: &'c Chain,
    /// The chain for one element, by which values are shown.
    one: Chain,
    range: [u64; 2],
    analysis: Analysis,
    /// What must come back and does not.
    unmet: Vec<Special>,
}

/// Analyses a range, whose ends are texts.
///
/// # Errors
/// When there is nothing to analyse, in words.
fn prove<'c>(chain: &'c Chain, range: &[String; 2], needs: &[String]) -> Result<Proof<'c>, String> {
    let data_type = chain.data_type;
    let one = analysis::single(chain).map_err(|rejection| rejection.message)?;
    if !data_type.is_real() {
        return Err(format!("the values of {data_type} are no real numbers"));
    }
    let range = bits_of(data_type, range)?;
    let effort = Effort {
        codes: CODES,
        values: VALUES,
    };
    let analysis = analyse(chain, range, effort).map_err(|rejection| match rejection.reason {
        exactum_model::Reason::OutOfRange => format!(
            "{}..{} is no range: it goes from a finite number to one that is not less",
            shown(data_type, range[0]),
            shown(data_type, range[1])
        ),
        _ => rejection.message,
    })?;
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
        analysis,
        unmet,
    })
}

/// The bits of the ends of a range. A range that begins or ends with zero has both zeros.
fn bits_of(data_type: DataType, range: &[String; 2]) -> Result<[u64; 2], String> {
    let [least, greatest] = range;
    let (mut least, mut greatest) = (
        number::read(data_type, least)?,
        number::read(data_type, greatest)?,
    );
    if let Some(format) = data_type.format().float() {
        if format.negative_zero && format.is_zero(least) {
            least = format.sign_mask();
        }
        if format.is_zero(greatest) {
            greatest = 0;
        }
    }
    Ok([least, greatest])
}

fn comes_back(data_type: DataType, special: &Special) -> bool {
    let stored = special.outcome.as_ref();
    stored.is_ok_and(|stored| {
        let back = stored.back.as_ref();
        back.is_ok_and(|back| data_type.format().same_value(*back, special.value))
    })
}

impl Proof<'_> {
    fn holds(&self) -> bool {
        self.analysis.is_proof() && self.unmet.is_empty()
    }

    fn value(&self, bits: u64) -> String {
        shown(self.chain.data_type, bits)
    }

    /// An end of the range; which zero it is goes without saying.
    fn end(&self, bits: u64) -> String {
        let float = self.chain.data_type.format().float();
        self.value(match float {
            Some(format) if format.is_zero(bits) => 0,
            _ => bits,
        })
    }

    fn code(&self, bits: u64) -> String {
        shown(self.analysis.stored, bits)
    }

    /// A codec's name and where it stands.
    fn codec(&self, index: usize) -> (String, Option<String>) {
        match self.chain.pipeline.all_array_to_array().nth(index) {
            Some(step) => (step.name.clone(), Some(step.pointer.clone())),
            None => ("packbits".into(), None),
        }
    }

    fn document(&self) -> Value {
        let analysis = &self.analysis;
        let binary64 = |value| number_to_json(number::above(value));
        json!({
            "proved": self.holds(),
            "complete": analysis.complete,
            "data_type": self.chain.data_type.name(),
            "range": self.range.map(|bits| self.end(bits)),
            "stored": {
                "data_type": analysis.stored.name(),
                "codes": analysis.codes.map(|codes| codes.map(|bits| self.code(bits))),
            },
            "largest_error": analysis.error.as_ref().map(|error| json!({
                "bound": binary64(&error.bound),
                "exact": error.is_exact(),
                "value": error.shown.as_ref().map(|(bits, _)| self.value(*bits)),
                "error": error.shown.as_ref().map(|(_, error)| binary64(error)),
            })),
            "faults": analysis.faults.iter().map(|fault| self.fault_document(fault)).collect::<Value>(),
            "specials": analysis.specials.iter().map(|it| self.special_document(it)).collect::<Value>(),
            "unmet": self.unmet.iter().map(|it| self.value(it.value)).collect::<Value>(),
            "lost": analysis.lost.map(|lost| json!({
                "codes": lost.codes.map(|bits| self.code(bits)),
                "value": self.value(lost.value),
            })),
        })
    }

    fn fault_document(&self, fault: &Fault) -> Value {
        let (codec, pointer) = self.codec(fault.codec);
        let put = analysis::put(&self.one, fault.first);
        let stored = put.as_ref().ok();
        let back = stored.and_then(|stored| stored.back.as_ref().ok());
        json!({
            "kind": fault_name(&fault.kind),
            "codec": codec,
            "pointer": pointer,
            "first": self.value(fault.first),
            "last": self.value(fault.last),
            "code": stored.map(|stored| self.code(stored.code)),
            "read_back": back.map(|bits| self.value(*bits)),
            "reserved_for": match fault.kind {
                FaultKind::Reserved { owner, .. } => Some(self.owner(owner)),
                _ => None,
            },
        })
    }

    fn special_document(&self, special: &Special) -> Value {
        match &special.outcome {
            Ok(stored) => json!({
                "value": self.value(special.value),
                "code": self.code(stored.code),
                "read_back": stored.back.as_ref().ok().map(|bits| self.value(*bits)),
            }),
            Err(rejection) => json!({
                "value": self.value(special.value),
                "rejected": rejection.message,
                "clause": rejection.clause,
            }),
        }
    }

    fn words(&self) -> String {
        let analysis = &self.analysis;
        let [least, greatest] = self.range.map(|bits| self.end(bits));
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = match (self.holds(), analysis.complete) {
            (true, _) => writeln!(
                text,
                "proved: no value from {least} to {greatest} leaves the range of {} or meets a reserved code",
                analysis.stored
            ),
            (false, false) if analysis.faults.is_empty() => writeln!(
                text,
                "not decided: there are too many cases between {least} and {greatest}"
            ),
            (false, _) => writeln!(
                text,
                "refuted: not every value from {least} to {greatest} survives"
            ),
        };
        for fault in analysis.faults.iter().take(SHOWN) {
            text.push_str(&self.fault(fault));
        }
        if let Some(more) = analysis.faults.len().checked_sub(SHOWN + 1) {
            let _ = writeln!(text, "  ... and {} more", more + 1);
        }
        for special in &self.unmet {
            let _ = writeln!(text, "  {} does not come back", self.value(special.value));
        }
        let mut line = |name: &str, what: String| {
            let _ = writeln!(text, "  {name:<15}{what}");
        };
        if let Some([least, greatest]) = analysis.codes {
            let (least, greatest) = (self.code(least), self.code(greatest));
            line(
                "codes",
                format!("{least} to {greatest} of {}", analysis.stored),
            );
        }
        if let Some(error) = &analysis.error {
            let of = |value| self.shown_error(value);
            let bound = of(&error.bound);
            let shown = error.shown.as_ref();
            let shown = shown.map(|(bits, error)| (self.value(*bits), of(error)));
            line(
                "largest error",
                match shown {
                    Some((value, _)) if error.is_exact() => format!("{bound}, of {value}"),
                    Some((value, error)) => format!("at most {bound}; that of {value} is {error}"),
                    None => format!("at most {bound}"),
                },
            );
        }
        for special in &analysis.specials {
            line(&self.value(special.value), self.special(special));
        }
        if let Some(lost) = analysis.lost {
            let [a, b] = lost.codes.map(|bits| self.code(bits));
            let why = format!(
                "{} has too few digits: {a} and {b} are both read back as {}",
                self.chain.data_type,
                self.value(lost.value)
            );
            line("lost codes", why);
        }
        text
    }

    fn shown_error(&self, error: &exactum_exact::Exact) -> String {
        shown(DataType::Float64, number::above(error))
    }

    /// A fault with a value that shows it.
    fn fault(&self, fault: &Fault) -> String {
        let (name, pointer) = self.codec(fault.codec);
        let codec = match pointer {
            Some(pointer) => format!("{name} ({pointer})"),
            None => name,
        };
        let first = self.value(fault.first);
        let values = match fault.first == fault.last {
            true => first.clone(),
            false => format!("{first} to {}", self.value(fault.last)),
        };
        let what = match fault.kind {
            FaultKind::Rejected => format!("rejected by {codec}"),
            FaultKind::Clamped => format!("out of range and clamped by {codec}"),
            FaultKind::Wrapped => format!("out of range and wrapped around by {codec}"),
            FaultKind::Reserved { code, owner } => format!(
                "stored as {}, the code of {}{}",
                self.code(code),
                self.owner(owner),
                match self.leads_there(fault) {
                    Some(how) => format!(", since they are {how}"),
                    None => String::new(),
                }
            ),
            FaultKind::Unreadable => format!("stored, and rejected by {codec} when they are read"),
            FaultKind::NotFinite => "stored, and not read back as a number".into(),
        };
        let shows = match analysis::put(&self.one, fault.first) {
            Ok(stored) => {
                let back = match &stored.back {
                    Ok(bits) => format!("read back as {}", self.value(*bits)),
                    Err(rejection) => format!("not read back: {rejection}"),
                };
                format!("{first} is stored as {} and {back}", self.code(stored.code))
            }
            Err(rejection) => format!("{first}: {rejection}"),
        };
        format!("  {values}: {what}\n    {shows}\n")
    }

    /// How values that leave the range come to a reserved code.
    fn leads_there(&self, fault: &Fault) -> Option<&'static str> {
        let order = |bits| exactum_exact::Exact::from_bits(&self.chain.data_type.format(), bits);
        let is_in = |other: &&Fault| {
            let at = order(fault.first);
            let after = order(other.first).compare(&at);
            let before = at.compare(&order(other.last));
            after.is_some_and(std::cmp::Ordering::is_le)
                && before.is_some_and(std::cmp::Ordering::is_le)
        };
        let mut others = self.analysis.faults.iter().filter(is_in);
        others.find_map(|other| match other.kind {
            FaultKind::Clamped => Some("clamped"),
            FaultKind::Wrapped => Some("wrapped around"),
            _ => None,
        })
    }

    fn owner(&self, owner: Owner) -> String {
        let input_of = |codec: usize, bits: u64, encodes: bool| {
            let step = self.chain.pipeline.all_array_to_array().nth(codec);
            let types = step.and_then(|step| step.codec.data_types());
            let decoded = types.map_or(self.chain.data_type, |(decoded, _)| decoded);
            let map = if encodes { "encode" } else { "decode" };
            format!("{} in scalar_map.{map}", shown(decoded, bits))
        };
        match owner {
            Owner::Special(bits) => self.value(bits),
            Owner::Fill => format!(
                "the fill value {}",
                self.value(self.chain.fill_value.component(0))
            ),
            Owner::EncodeKey { codec, input } => input_of(codec, input, true),
            Owner::DecodeKey { codec, output } => input_of(codec, output, false),
        }
    }

    fn special(&self, special: &Special) -> String {
        match &special.outcome {
            Ok(stored) => match &stored.back {
                Ok(_) if comes_back(self.chain.data_type, special) => self.code(stored.code),
                Ok(back) => format!(
                    "{}, read back as {}",
                    self.code(stored.code),
                    self.value(*back)
                ),
                Err(rejection) => {
                    format!("{}, not read back: {rejection}", self.code(stored.code))
                }
            },
            Err(rejection) => format!("rejected ({})", rejection.clause),
        }
    }
}

#[cfg(test)]
mod tests;
