//! `exactum adapter-test`: tests whether a new adapter speaks the protocol.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use exactum_conformance::output;
use exactum_conformance::process::Limits;

use crate::chosen::launch;
use crate::source::Source;

/// Test whether a program speaks the protocol.
///
/// Starts the program, sends it a few requests, and explains in plain words what is wrong with its
/// answers.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Use the vectors in this folder instead of the checkout's or the program's own.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
    /// The program to test, with its arguments.
    #[arg(last = true, value_name = "CMD", required = true)]
    program: Vec<OsString>,
}

/// Tests the program. The exit code is 1 if something is wrong.
///
/// # Errors
/// If the vectors cannot be read or the program cannot be started.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let suite = Source::find(args.vectors.as_deref()).suite()?;
    let launch = launch("the adapter", &args.program);
    let mut printed = Ok(());
    let tested =
        exactum_conformance::adapter_test(&launch, &Limits::default(), &suite, &mut |text| {
            if printed.is_ok() {
                printed = output::print(text);
            }
        })?;
    printed?;
    Ok(ExitCode::from(u8::from(tested.wrong > 0)))
}
