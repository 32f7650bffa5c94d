//! The command `exactum` as a library, so that a package in another language can offer the command.

mod adapter;
mod adapter_test;
mod check;
mod chosen;
mod codes;
mod compare;
mod completions;
mod downsample;
mod errors;
mod explain;
mod help;
mod interrupt;
mod levels;
mod man;
mod missing;
mod names;
mod pack;
mod plan;
mod progress;
mod prove;
mod random;
mod remote;
mod render;
mod run;
mod schema;
mod source;
mod style;
mod try_values;
mod validate;
mod vectors;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use exactum_conformance::output;

/// Specifies, to the last bit, what the numbers in a chunked array become, and tests implementations
/// against that.
///
/// Exit codes: 0 if everything is as expected, 1 if there are findings, 2 if the command could not be carried
/// out.
#[derive(Debug, Parser)]
#[command(
    name = "exactum",
    version,
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<run::Args>),
    Validate(validate::Args),
    Explain(explain::Args),
    Check(check::Args),
    Plan(plan::Args),
    Prove(prove::Args),
    Try(try_values::Args),
    Compare(compare::Args),
    Downsample(downsample::Args),
    Pack(pack::Args),
    Schema(schema::Args),
    Vectors(vectors::Args),
    Adapter(adapter::Args),
    AdapterTest(adapter_test::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Runs the command line `arguments`, whose first element is the name of the program, and returns its
/// exit code.
///
/// If the command line does not parse, the process ends with exit code 2, as the command does.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    interrupt::watch();
    let mut command = remote::refused(Cli::command());
    let template = help::template(&command);
    let matches = command
        .clone()
        .help_template(template)
        .get_matches_from(arguments);
    // The parser has accepted the command line. Otherwise `format` adds the usage to the error, which is
    // printed.
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|why| why.format(&mut command).exit());
    carry_out(&cli)
}

/// The result of calling a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The exit code: 0 if everything is as expected, 1 if there are findings, 2 if the command could not be
    /// carried out.
    pub code: u8,
    /// What the command would have written to standard output.
    pub output: String,
    /// What the command would have written to standard error.
    pub complaints: String,
}

/// Runs the command line `arguments`, whose first element is the name of the program, as a function. Nothing is written
/// to the terminal, no signal is watched, and the process continues after every outcome.
///
/// ```
/// let called = exactum::call(["exactum", "plan", "--range=0..1", "--target", "uint8", "--json"].map(Into::into));
/// assert_eq!(called.code, 0, "{}", called.complaints);
/// assert!(called.output.starts_with('{'));
/// let called = exactum::call(["exactum", "plan"].map(Into::into));
/// assert_eq!(called.code, 2);
/// assert!(called.complaints.contains("--range"));
/// ```
#[must_use]
pub fn call(arguments: impl IntoIterator<Item = OsString>) -> Called {
    let mut command = remote::refused(Cli::command());
    let parsed = command
        .try_get_matches_from_mut(arguments)
        .and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Err(why) => {
            let text = why.render().to_string();
            let is_complaint = why.use_stderr();
            Called {
                code: if is_complaint { 2 } else { 0 },
                output: if is_complaint {
                    String::new()
                } else {
                    text.clone()
                },
                complaints: if is_complaint { text } else { String::new() },
            }
        }
        Ok(cli) => {
            let (code, printed) = output::captured(|| carry_out(&cli));
            let code = (0..=u8::MAX).find(|number| ExitCode::from(*number) == code);
            Called {
                code: code.unwrap_or(u8::MAX),
                output: printed.output,
                complaints: printed.complaints,
            }
        }
    }
}

fn carry_out(cli: &Cli) -> ExitCode {
    let outcome = match &cli.command {
        Command::Run(args) => run::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Check(args) => check::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Prove(args) => prove::run(args),
        Command::Try(args) => try_values::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Downsample(args) => downsample::run(args),
        Command::Pack(args) => pack::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Vectors(args) => vectors::run(args),
        Command::Adapter(args) => adapter::run(args),
        Command::AdapterTest(args) => adapter_test::run(args),
        Command::Completions(args) => completions::run(args, Cli::command()),
        Command::Man(args) => man::run(args, Cli::command()),
    };
    // Removes what a judged program has left behind, if there was one.
    exactum_conformance::process::close();
    outcome.unwrap_or_else(|message| {
        output::complain("exactum", &message);
        ExitCode::from(2)
    })
}
