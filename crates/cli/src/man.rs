//! `exactum man`: prints the manual page of the command or of one of its subcommands.

use std::process::ExitCode;

use clap_mangen::Man;
use exactum_conformance::output;

/// Print the manual page of the command, to be read with `man -l -`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command to explain, such as `run`. By default, it is exactum itself.
    command: Option<String>,
}

/// Prints the page.
///
/// # Errors
/// If there is no such command, or the page cannot be written.
pub(crate) fn run(args: &Args, mut command: clap::Command) -> Result<ExitCode, String> {
    command.build();
    let page = match &args.command {
        None => command,
        Some(name) => {
            let found = command.find_subcommand(name);
            let found = found.ok_or_else(|| format!("there is no command {name}"))?;
            found.clone()
        }
    };
    let mut text = Vec::new();
    let rendered = Man::new(page).render(&mut text);
    rendered.map_err(|error| error.to_string())?;
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}
