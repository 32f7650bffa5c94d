//! `exactum-lab bench`: measures the speed of the implementations.

use std::path::PathBuf;
use std::process::ExitCode;

use exactum_conformance::checkout::Checkout;
use exactum_conformance::output;
use exactum_lab::bench::{self, ENVIRONMENTS, Noise, Options, Outside};
use exactum_optimized::Instructions;
use exactum_peers::registry::Registry;
use indicatif::{ProgressBar, ProgressDrawTarget};

/// Measure implementations in turn on one thread: the built-in ones, and those that `cargo xtask peers`
/// has set up.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Measure only this row of the grid.
    #[arg(value_parser = ["arrays", "bitround", "bytes", "cast_value", "chain", "downsample", "growth", "packbits", "scale_offset", "sds", "zfp"])]
    row: Option<String>,
    /// Measure only cases whose name contains this text; peers then take part in all of them.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Use less data and fewer rounds, for a quick estimate rather than a measurement.
    #[arg(long)]
    quick: bool,
    /// Use data that stays in the cache, to see what the processor can do when memory is not the
    /// limit.
    #[arg(long)]
    cached: bool,
    /// Measure every mode of every pair instead of representative ones.
    #[arg(long)]
    all_modes: bool,
    /// Limit Exactum to older instructions, as on an older processor.
    #[arg(long, value_name = "SET", value_enum)]
    instructions: Option<Set>,
    /// Leave these peers out.
    #[arg(long, value_name = "NAME", num_args = 1.., value_parser = peers())]
    without: Vec<String>,
    /// Write the measurements to a file as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// An older set of instructions.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Set {
    /// The baseline of the architecture.
    Portable,
    /// AVX2, without AVX-512.
    Avx2,
}

/// Returns the names of the peers in other processes.
pub(super) fn peers() -> Vec<&'static str> {
    let names = ENVIRONMENTS.iter().flat_map(|it| it.contestants);
    names.copied().collect()
}

/// Starts the requested peers, for one row or for all.
pub(super) fn outside(row: Option<&String>, without: &[String]) -> Result<Outside, String> {
    let mut outside = Outside::default();
    let registry = Registry::open(Checkout::find()?.root())?;
    for environment in ENVIRONMENTS {
        let taken = |row: &String| environment.rows.contains(&row.as_str());
        if !row.is_none_or(taken) {
            continue;
        }
        let wanted = environment
            .contestants
            .iter()
            .map(|&name| name.to_owned())
            .filter(|name| !without.contains(name));
        let wanted: Vec<String> = wanted.collect();
        if !wanted.is_empty() {
            let launch = match environment.script {
                Some(script) => registry.launch_script(environment.peer, script),
                None => registry.launch(environment.peer).map(|mut launch| {
                    launch.arguments.push("bench".into());
                    launch
                }),
            };
            let launch = launch.map_err(|missing| format!("{}: {}", missing.why, missing.remedy));
            outside.add(environment.rows, wanted, launch);
        }
    }
    Ok(outside)
}

/// Measures and prints a table.
///
/// # Errors
/// If nothing is selected or the file cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let options = Options {
        row: args.row.clone(),
        filter: args.filter.clone(),
        quick: args.quick,
        cached: args.cached,
        all_modes: args.all_modes,
        rounds: None,
        instructions: args.instructions.map(|set| match set {
            Set::Portable => Instructions::Portable,
            Set::Avx2 => Instructions::Avx2,
        }),
    };
    // The spinner is drawn on a terminal only.
    let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let outside = outside(args.row.as_ref(), &args.without)?;
    let rows = bench::run(&options, &outside, |case| {
        spinner.set_message(case.to_owned());
        spinner.tick();
    });
    spinner.finish_and_clear();
    if rows.is_empty() {
        return Err("no case is selected".into());
    }
    if let Some(path) = &args.json {
        output::write(path, &bench::json(&rows))?;
    }
    output::print(&bench::table(&rows))?;
    for (name, why) in outside.missing() {
        output::complain("exactum-lab", &format!("not measured: {name}: {why}"));
    }
    if let Noise::Noisy { copies, rounds } = bench::noise(&rows) {
        output::complain(
            "exactum-lab",
            &format!(
                "the machine was not idle: the copy's times varied by {:.0} %, Exactum's by {:.0} %",
                copies * 100.0,
                rounds * 100.0
            ),
        );
    }
    Ok(ExitCode::SUCCESS)
}
