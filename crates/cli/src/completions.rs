//! `exactum completions`: prints the script with which a shell completes the command line.

use std::process::ExitCode;

use clap_complete::Shell;
use exactum_conformance::output;

/// Print a script that makes a shell complete the names and options of this command.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell.
    shell: Shell,
}

/// Prints the script.
///
/// # Errors
/// If the script cannot be written.
pub(crate) fn run(args: &Args, mut command: clap::Command) -> Result<ExitCode, String> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "exactum", &mut script);
    output::print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}
