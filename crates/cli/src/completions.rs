//! `exactum completions`: what a shell needs to complete the command line.

use std::process::ExitCode;

use clap_complete::Shell;
use exactum_conformance::output;

/// Print the script that makes a shell complete this command's names and options.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell.
    shell: Shell,
}

/// Prints the script.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn run(args: &Args, mut command: clap::Command) -> Result<ExitCode, String> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "exactum", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
