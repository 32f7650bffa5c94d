//! `exactum-lab findings`: generates the page of findings, the tables of the rulings, and the history of the faults.

use std::fs;
use std::process::ExitCode;

use exactum_conformance::checkout::{ByName, Checkout};
use exactum_conformance::expectations::Expectations;
use exactum_conformance::findings::{Known, page};
use exactum_conformance::history::{self, History};
use exactum_conformance::output;
use exactum_conformance::report::Outline;
use exactum_conformance::results::Results;
use exactum_conformance::rulings::with_results;
use exactum_conformance::vectors::spec;
use exactum_peers::lock::Lock;

use super::conclude;

/// Generate the page of findings from the committed expectations and results.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write the page instead of comparing it.
    #[arg(long)]
    write: bool,
}

/// The path of the page, relative to the root.
const PAGE: &str = "docs/findings.md";

/// The rulings, whose tables are generated from the same data.
const RULINGS: &str = "spec/rulings.md";

/// Generates the pages and compares them with the existing ones, or writes them. Returns exit code 1 if there are
/// findings.
///
/// # Errors
/// If vectors, expectations or results cannot be read, or the page cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let checkout = Checkout::find()?;
    let outline = Outline::of(&checkout.suite()?);
    let mut names = ByName::of(&checkout.expectations(), "toml")?.names;
    names.extend(ByName::of(&checkout.results(), "json")?.names);
    names.sort();
    names.dedup();
    let known = names
        .into_iter()
        .map(|name| {
            Ok(Known {
                expectations: Expectations::load(&checkout, &name)?,
                results: Results::load(&checkout.results(), &name)?,
                name,
            })
        })
        .collect::<Result<Vec<Known>, String>>()?;
    let mut findings = Vec::new();
    let claims = Lock::load(checkout.root())?.claims;
    match page(&outline, &claims, &known) {
        Err(found) => findings.extend(found),
        Ok(page) => findings.extend(settle(&checkout, PAGE, &page, args.write)?),
    }
    let mut history = History::load(checkout.root())?;
    history.add(&known);
    let text = history.render()?;
    findings.extend(settle(&checkout, history::FILE, &text, args.write)?);
    let clauses = spec::clauses(checkout.root())?;
    let path = checkout.root().join(RULINGS);
    let text = fs::read_to_string(&path).map_err(|error| format!("{RULINGS}: {error}"))?;
    let text = with_results(&text, &clauses, &outline, &known)?;
    findings.extend(settle(&checkout, RULINGS, &text, args.write)?);
    let done = format!("findings: {} implementations\n", known.len());
    conclude(&findings, &done)
}

/// Writes a page, or reports that the existing one is different.
fn settle(
    checkout: &Checkout,
    name: &str,
    page: &str,
    write: bool,
) -> Result<Option<String>, String> {
    let path = checkout.root().join(name);
    if write {
        output::replace(&path, page)?;
        return Ok(None);
    }
    let same = fs::read_to_string(&path).is_ok_and(|there| there == page);
    let words =
        "does not match the expectations and results; `cargo xtask findings` regenerates it";
    Ok((!same).then(|| format!("{name}: {words}")))
}
