//! `exactum-lab performance`: generates the page of measurements.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use exactum_conformance::checkout::Checkout;
use exactum_conformance::output;
use exactum_lab::performance::{
    EXHAUSTIVE, FOLDER, MEASUREMENTS, load, machine, middle, page, save,
};
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde_json::Value;

use super::bench::{outside, peers};
use super::conclude;

/// Generate the performance page from the committed measurements.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write the page instead of comparing it.
    #[arg(long)]
    write: bool,
    /// Measure first, which takes about twenty minutes and needs an otherwise idle machine. The date is recorded with
    /// the measurements.
    #[arg(long, value_name = "DATE", requires = "write")]
    measure: Option<String>,
    /// Measure only this: `memory`, `cached`, `portable` or `avx2`, or one row of them, such as `memory/cast_value`.
    /// The other measurements are kept.
    #[arg(long, value_name = "NAME", requires = "measure")]
    only: Vec<String>,
    /// Measure memory, where peers take part, this many times, and keep the median run of each case.
    #[arg(long, value_name = "COUNT", default_value_t = 1, requires = "measure", value_parser = clap::value_parser!(u32).range(1..10))]
    runs: u32,
}

/// The path of the page, relative to the root.
const PAGE: &str = "docs/performance.md";

/// Measures if requested, and compares the page or writes it. Returns exit code 1 if the existing page is different.
///
/// # Errors
/// If measurements cannot be made, read or written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let checkout = Checkout::find()?;
    let root = checkout.root();
    if let Some(date) = &args.measure {
        measure(root, date, args)?;
    }
    let path = root.join(FOLDER).join("machine.json");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let about =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let [memory, cached, avx2, portable] = MEASUREMENTS.map(|it| load(root, it.name));
    let (memory, cached, portable, avx2) = (memory?, cached?, portable?, avx2?);
    let compared = load(root, EXHAUSTIVE)?;
    let made = page(&about, [&memory, &cached, &portable, &avx2], &compared);
    let path = root.join(PAGE);
    let mut findings = Vec::new();
    if args.write {
        output::replace(&path, &made)?;
    } else if !fs::read_to_string(&path).is_ok_and(|there| there == made) {
        findings.push(format!(
            "{PAGE}: does not match the measurements; `cargo xtask performance` regenerates it"
        ));
    }
    let done = format!("performance: {} measurements\n", memory.len());
    conclude(&findings, &done)
}

/// Returns the measurement that a name refers to, and the row if the name contains one.
fn parts(named: &str) -> (&str, Option<&str>) {
    match named.split_once('/') {
        Some((name, row)) => (name, Some(row)),
        None => (named, None),
    }
}

/// Makes the measurements that this machine can make: all of them, or those that are named.
fn measure(root: &Path, date: &str, Args { only, runs, .. }: &Args) -> Result<(), String> {
    // The spinner is drawn on a terminal only.
    let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let path = root.join(FOLDER).join("machine.json");
    let mut about = machine();
    about["date"] = date.into();
    about["runs"] = (*runs).into();
    if !only.is_empty() && only.iter().all(|named| parts(named).0 != "memory") {
        let before = fs::read_to_string(&path).ok();
        let before = before.and_then(|text| serde_json::from_str::<Value>(&text).ok());
        about["runs"] = before.map_or(Value::Null, |before| before["runs"].clone());
    }
    output::write(&path, &format!("{about:#}\n"))?;
    let wanted: Vec<(&str, Option<&str>)> = only.iter().map(|named| parts(named)).collect();
    let is_known = |name: &str| MEASUREMENTS.iter().any(|it| it.name == name);
    if let Some((name, _)) = wanted.iter().find(|(name, _)| !is_known(name)) {
        return Err(format!("there is no measurement named {name}"));
    }
    for measurement in MEASUREMENTS {
        let name = measurement.name;
        let mut rows: Vec<Option<&str>> = wanted
            .iter()
            .filter(|(wanted, _)| *wanted == name)
            .map(|(_, row)| *row)
            .collect();
        if only.is_empty() {
            rows.push(None);
        }
        for row in rows {
            let mut without: Vec<String> = Vec::new();
            if let Some(only) = measurement.peers {
                let others = peers().into_iter().filter(|name| !only.contains(name));
                without.extend(others.map(str::to_owned));
            }
            let outside = outside(None, &without)?;
            let runs = if measurement.peers.is_none() {
                *runs
            } else {
                1
            };
            let made: Vec<String> = (0..runs)
                .filter_map(|_| {
                    measurement.make(row, &outside, |case| {
                        spinner.set_message(case.to_owned());
                        spinner.tick();
                    })
                })
                .collect();
            if made.is_empty() {
                continue;
            }
            let made = made.iter().map(|made| serde_json::from_str(made));
            let made: Vec<Vec<Value>> = made
                .collect::<Result<_, _>>()
                .map_err(|error| error.to_string())?;
            let mut rows = load(root, name)?;
            rows.retain(|it| row.is_some_and(|row| it["row"] != row));
            rows.extend(middle(&made));
            save(root, name, &rows)?;
        }
    }
    spinner.finish_and_clear();
    Ok(())
}
