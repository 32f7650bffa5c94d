//! `exactum plan`: the scale and the offset by which a range of values is packed into integers.

mod npy;
pub(crate) mod scan;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use exactum_conformance::output;
use exactum_metadata::sds::{number_to_json, plan_to_json, planned_codecs, planned_codes};
use exactum_model::Rejection;
use exactum_model::sds::{Lowered, Needs, Plan, PlanRequest, Policy, Profile, Scaling, SdsType};
use exactum_reference::sds;
use serde_json::{Value, json};

use self::Chosen::{Decimal, Full, PowerOfTwo, Tn115};
use self::scan::Found;

/// Plan how a range of values is packed into integers, and print the metadata that say so.
///
/// The codes of the range never meet those of NaN and infinities. Exit code 1 if there is no such
/// packing.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  exactum plan --range=-54.5..600.8 --target int16 --need NaN\n  \
                        exactum plan --scan temperatures.zarr --target int16\n  \
                        exactum plan --scan field.npy --target uint16 --quantum 0.01"
)]
pub(crate) struct Args {
    #[command(flatten)]
    values: Values,
    /// The integers that are stored.
    #[arg(long, value_name = "DATA_TYPE", value_parser = target())]
    target: SdsType,
    /// What has to survive beside finite numbers.
    #[arg(long, value_name = "VALUE", value_delimiter = ',', allow_hyphen_values = true,
          value_parser = PossibleValuesParser::new([NAN, POSITIVE, NEGATIVE]))]
    need: Vec<String>,
    /// How the scale is chosen.
    #[arg(long, value_enum, default_value_t = Tn115)]
    policy: Chosen,
    /// Store in steps of this size, whatever room is left.
    #[arg(long, value_name = "STEP", value_parser = step, conflicts_with = "policy")]
    quantum: Option<f64>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Which values are packed.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
struct Values {
    /// The least and the greatest value.
    #[arg(long, value_name = "A..B", value_parser = range, allow_hyphen_values = true)]
    range: Option<[f64; 2]>,
    /// Read an array for its range, and for whether NaN and infinities have to survive; a range that is
    /// given has to contain it. It is the folder of an array of Zarr 3, such as STORE/NAME, or a .npy file.
    #[arg(long, value_name = "PATH")]
    scan: Option<PathBuf>,
}

const NAN: &str = "NaN";
const POSITIVE: &str = "Infinity";
const NEGATIVE: &str = "-Infinity";

/// A policy by its name.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Chosen {
    /// The middle three quarters of the codes, so that values may leave the range by a sixth of it.
    Tn115,
    /// All codes that stand for nothing else.
    Full,
    /// A power of two, so that nothing but the last rounding loses anything.
    PowerOfTwo,
    /// A power of ten with a whole offset: values with few decimals are stored exactly.
    Decimal,
}

/// The integers that values are packed into, by the names that Zarr has for them.
fn target() -> impl TypedValueParser<Value = SdsType> {
    let names = integers().map(|target| target.data_type().name());
    PossibleValuesParser::new(names).try_map(|name| {
        integers()
            .find(|target| target.data_type().name() == name)
            .ok_or("no type of this name")
    })
}

/// All integers of the note but `u4`, which has 31 bits and would leave half of a `uint32` alone.
fn integers() -> impl Iterator<Item = SdsType> {
    let all = SdsType::ALL.into_iter();
    all.filter(|target| target.is_integer() && *target != SdsType::U4)
}

fn range(text: &str) -> Result<[f64; 2], String> {
    let ends = text.split_once("..").ok_or("it is written A..B")?;
    let number = |text: &str| {
        let number: f64 = text.parse().map_err(|_| format!("{text:?} is no number"))?;
        match number.is_finite() {
            true => Ok(number),
            false => Err(format!("{text} is not finite; it may be a --need")),
        }
    };
    Ok([number(ends.0)?, number(ends.1)?])
}

fn step(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|step: &f64| step.is_finite() && *step > 0.0)
        .ok_or_else(|| "a step is a positive finite number".into())
}

/// Prints a plan.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let found = args.values.scan.as_deref().map(scan::scan).transpose()?;
    match said(args, found.as_ref()) {
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

/// What is printed of a plan, or why there is none.
fn said(args: &Args, found: Option<&Found>) -> Result<String, String> {
    let request = request(args, found)?;
    let (plan, lowered) =
        planned(&request).map_err(|rejection| rejection.message + help(&request))?;
    Ok(match args.json {
        true => {
            let mut document = plan_to_json(&request, &plan);
            // It has to survive the codecs, too: the offset is the code 0.
            document["fill_value"] = match plan.fill {
                Some(_) => NAN.into(),
                None => number_to_json(plan.zarr_offset),
            };
            document["cf"] = cf(&plan, &lowered);
            document["xarray"] = encoding(&request, &plan, &lowered);
            format!("{document:#}\n")
        }
        false => told(&request, &plan, &lowered, found),
    })
}

/// What may help where there is no plan.
fn help(request: &PlanRequest) -> &'static str {
    match (request.policy, request.needs.negative_infinity) {
        (_, true) if !request.target.is_signed() => "; take int8, int16 or int32",
        (Policy::Quantum(_), _) if request.minimum != request.maximum => {
            "; take a larger step or a wider type"
        }
        _ => "",
    }
}

/// What is to be planned: what the command line says, and what was found in an array.
fn request(args: &Args, found: Option<&Found>) -> Result<PlanRequest, String> {
    let there = found.and_then(|it| it.range);
    let [minimum, maximum] = match (args.values.range, there) {
        (Some([from, to]), Some([least, greatest])) if least < from || greatest > to => {
            return Err(format!(
                "the array holds numbers from {least} to {greatest}, not all of them in the range from {from} to {to}"
            ));
        }
        (Some(range), _) | (None, Some(range)) => range,
        (None, None) => {
            return Err("the array holds no finite number; name a --range".into());
        }
    };
    let needs = |name, found: Option<bool>| {
        found == Some(true) || args.need.iter().any(|need| need == name)
    };
    Ok(PlanRequest {
        minimum: minimum.to_bits(),
        maximum: maximum.to_bits(),
        target: args.target,
        needs: Needs {
            nan: needs(NAN, found.map(|it| it.nan)),
            positive_infinity: needs(POSITIVE, found.map(|it| it.positive_infinity)),
            negative_infinity: needs(NEGATIVE, found.map(|it| it.negative_infinity)),
        },
        policy: match (args.quantum, args.policy) {
            (Some(step), _) => Policy::Quantum(step.to_bits()),
            (None, Tn115) => Policy::Tn115,
            (None, Full) => Policy::Full,
            (None, PowerOfTwo) => Policy::PowerOfTwo,
            (None, Decimal) => Policy::Decimal,
        },
        // All bits of an int32.
        profile: Profile::Soi97,
    })
}

fn planned(request: &PlanRequest) -> Result<(Plan, Lowered), Rejection> {
    let plan = sds::plan(request)?;
    let lowered = sds::lower(Scaling::of(Some(plan.scale), Some(plan.offset)))?;
    Ok((plan, lowered))
}

/// Attributes of CF. NaN is all that they have a code for.
fn cf(plan: &Plan, lowered: &Lowered) -> Value {
    let mut attributes = json!({
        "scale_factor": number_to_json(lowered.factor),
        "add_offset": number_to_json(lowered.zero),
    });
    if let Some(fill) = plan.fill {
        attributes["_FillValue"] = fill.into();
    }
    attributes
}

/// What xarray is told of a variable.
fn encoding(request: &PlanRequest, plan: &Plan, lowered: &Lowered) -> Value {
    let mut encoding = cf(plan, lowered);
    encoding["dtype"] = request.target.data_type().name().into();
    encoding
}

fn told(request: &PlanRequest, plan: &Plan, lowered: &Lowered, found: Option<&Found>) -> String {
    let target = request.target.data_type();
    let mut text = String::new();
    // Writing to a String cannot fail.
    let mut line = |name: &str, what: String| {
        let _ = writeln!(text, "{name:<15}{what}");
    };
    if let Some(found) = found {
        line("found", found.to_string());
    }
    line("scale", number_to_json(plan.scale).to_string());
    line("offset", number_to_json(plan.offset).to_string());
    line(
        "largest error",
        number_to_json(plan.maximum_error).to_string(),
    );
    for (name, code) in planned_codes(request, plan) {
        line(name, format!("{code}"));
    }
    if let Some(headroom) = plan.headroom {
        let percent = f64::from_bits(headroom) * 100.0;
        let room = format!("{percent:.1} % of the range on either side");
        line("room", room);
    }
    let cf = cf(plan, lowered);
    let is_exact = lowered.factor_is_exact && lowered.zero_is_exact;
    let rounded = if is_exact { "" } else { " (rounded)" };
    let _ = write!(
        text,
        "\nZarr codecs, for float64\n  {}\n\nCF attributes of a variable of {target}{rounded}\n  {cf}\n",
        planned_codecs(request, plan),
    );
    if matches!(request.target, SdsType::U1 | SdsType::I2 | SdsType::I4) {
        let blank = plan
            .fill
            .map_or_else(String::new, |fill| format!(", BLANK = {fill}"));
        let _ = writeln!(
            text,
            "\nFITS keywords{rounded}\n  BITPIX = {}, BSCALE = {}, BZERO = {}{blank}",
            8 * target.element_bytes(),
            number_to_json(lowered.factor),
            number_to_json(lowered.zero),
        );
    }
    let encoding = encoding(request, plan, lowered);
    let _ = writeln!(text, "\nxarray encoding{rounded}\n  {encoding}");
    text
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
            Ok(line) => said(&line.args, found).unwrap_or_else(|words| words),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_plan_is_told_with_its_metadata() {
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
            elements: 1_000,
            range: Some([-54.5, 600.8]),
            nan: true,
            ..Found::default()
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

    /// The codecs of a plan are read, and the ends of the range come back within its error, by the
    /// codecs themselves.
    #[test]
    fn planned_codecs_keep_what_is_promised() {
        use exactum_model::{Array, DataType};
        let policies = [
            Policy::Tn115,
            Policy::Full,
            Policy::PowerOfTwo,
            Policy::Decimal,
        ];
        for target in integers() {
            for policy in policies {
                for range in [[-54.5, 600.8], [0.0, 1.0], [1e6, 1e6 + 1.0], [-3e-9, 2e-9]] {
                    let request = PlanRequest {
                        minimum: f64::to_bits(range[0]),
                        maximum: f64::to_bits(range[1]),
                        target,
                        needs: Needs {
                            nan: true,
                            ..Needs::default()
                        },
                        policy,
                        profile: Profile::Soi97,
                    };
                    let plan = match planned(&request) {
                        Ok((plan, _)) => plan,
                        Err(rejection) => panic!("{request:?}: {rejection}"),
                    };
                    let text = |value: Value| value.to_string();
                    let codecs = planned_codecs(&request, &plan);
                    let scale = exactum_metadata::parse_scale_offset(
                        &text(codecs[0]["configuration"].clone()),
                        DataType::Float64,
                    )
                    .expect("a scale");
                    let cast = exactum_metadata::parse_cast_value(
                        &text(codecs[1]["configuration"].clone()),
                        DataType::Float64,
                    )
                    .expect("a cast");
                    let values = [range[0], range[0].midpoint(range[1]), range[1], f64::NAN];
                    let data: Vec<u8> = values.iter().flat_map(|it| it.to_le_bytes()).collect();
                    let input = Array::new(DataType::Float64, vec![4], data).expect("four");
                    let back = exactum_reference::scale_offset::encode(&scale, &input)
                        .and_then(|it| exactum_reference::cast_value::encode(&cast, &it))
                        .and_then(|it| exactum_reference::cast_value::decode(&cast, &it))
                        .and_then(|it| exactum_reference::scale_offset::decode(&scale, &it));
                    let back = back.unwrap_or_else(|it| panic!("{request:?}: {it}"));
                    for (value, bits) in values.iter().zip(back.components()) {
                        let error = (value - f64::from_bits(bits)).abs();
                        let promised = f64::from_bits(plan.maximum_error);
                        let kept = if value.is_nan() {
                            error.is_nan()
                        } else {
                            error <= promised
                        };
                        assert!(kept, "{request:?}: {value} by {error}, not {promised}");
                    }
                }
            }
        }
    }
}
