//! `exactum adapter`: answers the protocol with an implementation that is part of this process.

use std::io;
use std::process::ExitCode;

use exactum_conformance::output;
use exactum_conformance::serve;

use crate::chosen::built_in;

/// Answer the protocol on standard input and output, with one JSON object per line.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The built-in implementation that answers.
    name: String,
}

/// The exit code of a program that panicked.
const PANICKED: u8 = 101;

/// Answers requests until the input ends or the output is closed.
///
/// # Errors
/// If there is no implementation of this name, or the answers cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let mut implementation = built_in(&args.name)?;
    let stdout = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match serve(implementation.as_mut(), io::stdin().lock(), stdout) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        // The implementation itself failed; no other error has this kind.
        Err(error) if error.kind() == io::ErrorKind::Other => {
            output::complain("exactum", &error.to_string());
            Ok(ExitCode::from(PANICKED))
        }
        Err(error) => output::unless_closed(Err(error)).map(|()| ExitCode::SUCCESS),
    }
}
