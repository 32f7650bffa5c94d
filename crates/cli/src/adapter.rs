//! `exactum adapter`: an implementation of this process answers the protocol.

use std::io;
use std::process::ExitCode;

use exactum_conformance::output;
use exactum_conformance::serve;

use crate::chosen::built_in;

/// Answer the protocol on stdin and stdout, one JSON object a line.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The implementation that answers.
    name: String,
}

/// The exit code of a program that panicked.
const PANICKED: u8 = 101;

/// Answers until the input ends or nobody reads the answers.
///
/// # Errors
/// When there is no such implementation.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let mut implementation = built_in(&args.name)?;
    let stdout = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match serve(implementation.as_mut(), io::stdin().lock(), stdout) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            output::complain("exactum", &error.to_string());
            Ok(ExitCode::from(PANICKED))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}
