//! The command `exactum-lab`, which is built and called by `cargo xtask`.

mod command;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use exactum_conformance::output;

use command::{bench, coverage, exhaustive, findings, fuzz, peers, performance, reliability};

/// Measurements and checks of the suite itself.
///
/// Exit codes: 0 if there are no findings; 1 if there are; 2 if the command failed.
#[derive(Debug, Parser)]
#[command(
    name = "exactum-lab",
    subcommand_required = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Args),
    Coverage(coverage::Args),
    Exhaustive(exhaustive::Args),
    Findings(findings::Args),
    Fuzz(fuzz::Args),
    Peers(peers::Args),
    Performance(performance::Args),
    Reliability(reliability::Args),
}

fn main() -> ExitCode {
    let outcome = match &Cli::parse().command {
        Command::Bench(args) => bench::run(args),
        Command::Coverage(args) => coverage::run(args),
        Command::Exhaustive(args) => exhaustive::run(args),
        Command::Findings(args) => findings::run(args),
        Command::Fuzz(args) => fuzz::run(args),
        Command::Peers(args) => peers::run(args),
        Command::Performance(args) => performance::run(args),
        Command::Reliability(args) => reliability::run(args),
    };
    outcome.unwrap_or_else(|message| {
        output::complain("exactum-lab", &message);
        ExitCode::from(2)
    })
}
