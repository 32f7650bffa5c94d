//! `exactum-lab exhaustive`: compares the optimized casts of small types with the reference.

use std::process::ExitCode;

use exactum_conformance::checkout::Checkout;
use exactum_conformance::model::DataType;
use exactum_lab::exhaustive::{self, Compared};
use exactum_lab::performance::{EXHAUSTIVE, load, save};
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde_json::json;

use super::conclude;

/// Compare the optimized casts with the reference on every element of every real type of 16 bits or
/// fewer, in every mode.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Compare only casts from this data type.
    #[arg(long, value_name = "TYPE", value_parser = data_type)]
    from: Option<DataType>,
    /// Compare only casts into this data type.
    #[arg(long, value_name = "TYPE", value_parser = data_type)]
    to: Option<DataType>,
    /// Compare the casts of every float32 into the types of 16 bits or fewer instead. This takes about ten minutes.
    #[arg(long, conflicts_with = "from")]
    float32: bool,
    /// Compare this total number of random elements of 64 bits, over all casts, instead.
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["from", "to", "float32"])]
    random: Option<u64>,
    /// Record the result in docs/performance/exhaustive.json, which docs/performance.md shows.
    #[arg(long)]
    record: bool,
}

impl Args {
    /// Describes what is compared.
    fn what(&self) -> String {
        let named = |it: Option<DataType>, all: &str| match it {
            Some(data_type) => data_type.name().to_owned(),
            None => all.to_owned(),
        };
        let small = "every type of 16 bits or less";
        match self.random {
            Some(_) => "random elements of 64 bits, into every type".to_owned(),
            None if self.float32 => {
                format!("every float32, clamped, into {}", named(self.to, small))
            }
            None => {
                let (from, to) = (named(self.from, small), named(self.to, "every type"));
                format!("every element of {from}, into {to}")
            }
        }
    }
}

fn data_type(name: &str) -> Result<DataType, String> {
    let mut all = DataType::ALL.iter().copied();
    all.find(|data_type| data_type.name() == name)
        .ok_or_else(|| format!("unknown data type {name}"))
}

/// Makes the comparison and prints what was compared. Returns exit code 1 if the two implementations differ.
///
/// # Errors
/// If no source type has 16 bits or less.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    // The progress is drawn on a terminal only.
    let progress = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let show = |left| {
        progress.set_message(format!("{left} comparisons left"));
        progress.tick();
    };
    let compared = match args.random {
        Some(count) => exhaustive::random(count, &show),
        None if args.float32 => exhaustive::float32(args.to, &show),
        None => exhaustive::run(args.from, args.to, &show),
    };
    progress.finish_and_clear();
    match compared {
        Ok(compared) if compared.casts == 0 => {
            Err("cast_value has no cast between these types".into())
        }
        Ok(compared) => {
            if args.record {
                record(&args.what(), compared)?;
            }
            let Compared { casts, elements } = compared;
            let done =
                format!("{casts} casts, {elements} elements: optimized and reference agree\n");
            conclude(&[], &done)
        }
        Err(findings) => conclude(&findings, ""),
    }
}

/// Records a comparison without a difference in the committed list, where it replaces an earlier one of the same kind.
fn record(what: &str, compared: Compared) -> Result<(), String> {
    let checkout = Checkout::find()?;
    let mut list = load(checkout.root(), EXHAUSTIVE)?;
    list.retain(|it| it["what"] != what);
    list.push(json!({"what": what, "casts": compared.casts, "elements": compared.elements}));
    save(checkout.root(), EXHAUSTIVE, &list)
}
