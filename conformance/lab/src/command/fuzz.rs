//! `exactum-lab fuzz`: sends mutated requests to every parser and decoder of a row.

use std::process::ExitCode;

use exactum_conformance::checkout::Checkout;
use exactum_conformance::output;
use exactum_lab::fuzz::{Fuzzer, Tally};
use indicatif::{ProgressBar, ProgressDrawTarget};

/// Mutate the requests of a row's vectors at random and check that nothing breaks.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The row of the grid.
    row: String,
    /// The number of requests.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    runs: u64,
    /// The seed of the first request; each further request uses the next seed.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Run only the optimized implementation, which is much faster, and compare nothing.
    #[arg(long)]
    optimized: bool,
}

/// The number of findings that are shown. The remaining runs are made in any case.
const SHOWN: usize = 20;

/// Makes the runs and prints the kinds of answers. Returns exit code 1 if there are findings.
///
/// # Errors
/// If there is no such row, or the vectors cannot be read.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let checkout = Checkout::find()?;
    let mut fuzzer = Fuzzer::new(&checkout.suite()?, &checkout.clauses()?, &args.row)?;
    // The progress is drawn on a terminal only.
    let progress = ProgressBar::with_draw_target(Some(args.runs), ProgressDrawTarget::stderr());
    let mut tally = Tally::default();
    let mut findings = 0;
    for run in 0..args.runs {
        let seed = args.seed.wrapping_add(run);
        let outcome = match args.optimized {
            true => fuzzer.run_optimized(seed, &mut tally),
            false => fuzzer.run(seed, &mut tally),
        };
        if let Err(finding) = outcome {
            if findings < SHOWN {
                progress.suspend(|| output::print(&format!("{finding}\n")))?;
            }
            findings += 1;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    output::print(&format!(
        "{}: {} requests from seed {}: {} results, {} rejections, {} not offered, {} errors; \
         {findings} findings\n",
        args.row, args.runs, args.seed, tally.ok, tally.rejected, tally.unsupported, tally.errors
    ))?;
    Ok(ExitCode::from(u8::from(findings > 0)))
}
