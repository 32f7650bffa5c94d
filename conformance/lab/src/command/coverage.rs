//! `exactum-lab coverage`: checks that every clause is covered.

use std::process::ExitCode;

use exactum_conformance::checkout::Checkout;
use exactum_conformance::output;

/// Run the mutants against the vectors and check that every clause is covered.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write the page with the kill matrix instead of comparing it.
    #[arg(long)]
    write: bool,
}

/// Prints a summary. Returns exit code 1 if a clause is not covered, a mutant survives, or the page is outdated.
///
/// # Errors
/// If the vectors or the specification cannot be read, or the page cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let checkout = Checkout::find()?;
    let report = exactum_mutants::coverage::run(checkout.root(), args.write)?;
    output::print(&report.summary)?;
    Ok(ExitCode::from(u8::from(!report.findings.is_empty())))
}
