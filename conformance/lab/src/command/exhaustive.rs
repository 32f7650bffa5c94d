//! `exactum-lab exhaustive`: the optimized casts of small types against the reference.

use std::process::ExitCode;

use exactum_conformance::model::DataType;
use exactum_conformance::output;
use exactum_lab::exhaustive;
use indicatif::{ProgressBar, ProgressDrawTarget};

/// Compare the optimized casts with the reference on every element of every real type of 16 bits or
/// less, in every mode.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Compare only casts from this data type.
    #[arg(long, value_name = "TYPE", value_parser = data_type)]
    from: Option<DataType>,
    /// Compare only casts into this data type.
    #[arg(long, value_name = "TYPE", value_parser = data_type)]
    to: Option<DataType>,
    /// Compare the casts of every float32 into the types of 16 bits or less instead. This takes some ten minutes.
    #[arg(long, conflicts_with = "from")]
    float32: bool,
    /// Compare this number of random elements of 64 bits, in all casts together, instead.
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["from", "to", "float32"])]
    random: Option<u64>,
}

fn data_type(name: &str) -> Result<DataType, String> {
    let mut all = DataType::ALL.iter().copied();
    all.find(|data_type| data_type.name() == name)
        .ok_or_else(|| format!("no data type {name}"))
}

/// Compares and prints what was compared; exit code 1 where the two differ.
///
/// # Errors
/// If no source is of 16 bits or less.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    // Drawn on a terminal only.
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
            Err("there is no cast between these types whose source has 16 bits or less".into())
        }
        Ok(compared) => {
            output::print(&format!(
                "{} casts, {} elements: optimized and reference agree\n",
                compared.casts, compared.elements
            ))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(findings) => {
            output::print(&format!(
                "{}\n{} findings\n",
                findings.join("\n"),
                findings.len()
            ))?;
            Ok(ExitCode::FAILURE)
        }
    }
}
