//! `exactum bench`, for `cargo xtask bench`: how fast the implementations are.

use std::path::PathBuf;
use std::process::ExitCode;

use exactum_peers::bench::{self, Noise, Options};
use indicatif::{ProgressBar, ProgressDrawTarget};

use crate::output;

/// Measure the implementations of this process on one thread, interleaved.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this row of the grid.
    #[arg(value_parser = ["cast_value", "scale_offset"])]
    row: Option<String>,
    /// Only cases whose name contains this.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Less data and fewer rounds: a look, not a measurement.
    #[arg(long)]
    quick: bool,
    /// Data that stays in the cache: what the processor can do where memory does not set the pace.
    #[arg(long)]
    cached: bool,
    /// Every mode of every pair instead of the representative ones.
    #[arg(long)]
    all_modes: bool,
    /// Write the measurements in JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Measures and prints a table.
///
/// # Errors
/// When nothing is selected or the file cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let options = Options {
        row: args.row.clone(),
        filter: args.filter.clone(),
        quick: args.quick,
        cached: args.cached,
        all_modes: args.all_modes,
    };
    // Drawn on a terminal only.
    let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let rows = bench::run(&options, |case| {
        spinner.set_message(case.to_owned());
        spinner.tick();
    });
    spinner.finish_and_clear();
    if rows.is_empty() {
        return Err("no case is selected".into());
    }
    if let Some(path) = &args.json {
        output::write(path, &bench::json(&rows))?;
    }
    output::print(&bench::table(&rows))?;
    if let Noise::Noisy(spread) = bench::noise(&rows) {
        output::complain(&format!(
            "the machine was not quiet: the copy's own times lay {:.0} % apart",
            spread * 100.0
        ));
    }
    Ok(ExitCode::SUCCESS)
}
