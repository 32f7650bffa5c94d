//! `exactum check`: checks vectors and expectations without running anything.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use exactum_conformance::checkout::{ByName, Checkout};
use exactum_conformance::expectations::Expectations;
use exactum_conformance::fairness;
use exactum_conformance::output;
use exactum_conformance::report::Outline;
use exactum_conformance::results::Results;
use exactum_conformance::run::Selection;
use exactum_peers::registry::Registry;
use exactum_peers::{all, is_ours};
use exactum_vectors::{Suite, Withdrawn, lint};

/// Check the vectors, their manifest and the expectations of a checkout without running anything.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Use the vectors in this folder instead of the checkout's own.
    #[arg(long, value_name = "DIR")]
    vectors: Option<PathBuf>,
}

/// Lints the vectors against their manifest and the specification, and the expectations against the vectors.
/// The exit code is 1 if there are findings.
///
/// # Errors
/// If the vectors, the specification or the expectations cannot be read.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let mut checkout = Checkout::find()?;
    if let Some(folder) = &args.vectors {
        checkout = checkout.with_vectors(folder);
    }
    let suite = checkout.suite()?;
    let clauses: BTreeMap<String, _> = checkout
        .clauses()?
        .into_iter()
        .map(|clause| (clause.id, clause.level))
        .collect();
    let withdrawn = withdrawn(checkout.vectors())?;
    let mut findings = lint(&suite.files, &clauses, &withdrawn);
    let registry = Registry::open(checkout.root())?;
    let mut names: Vec<String> = all().iter().map(|(name, _)| (*name).to_owned()).collect();
    names.extend(registry.names());
    findings.extend(expectations(&checkout, &suite, &registry, &names)?);
    findings.extend(results(&checkout.results(), &names)?);

    let mut text = String::new();
    for finding in &findings {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{finding}");
    }
    let _ = writeln!(
        text,
        "{} groups, {} cases, {} clauses; {} findings",
        suite.manifest.groups,
        suite.manifest.cases,
        clauses.len(),
        findings.len()
    );
    output::print(&text)?;
    Ok(ExitCode::from(u8::from(!findings.is_empty())))
}

fn withdrawn(vectors: &Path) -> Result<Withdrawn, String> {
    let path = vectors.join("withdrawn.json");
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| at(&error))?;
    serde_json::from_str(&text).map_err(|error| at(&error))
}

/// Returns the faults in the expectations of a folder.
fn expectations(
    checkout: &Checkout,
    suite: &Suite,
    registry: &Registry,
    names: &[String],
) -> Result<Vec<String>, String> {
    let folder = &checkout.expectations();
    let programs = checkout.root().join(fairness::PROGRAMS);
    let outline = Outline::of(suite);
    let (mut findings, found) = of_implementations(folder, "toml", names)?;
    for name in found {
        let mut find = |what: &str| findings.push(format!("{name}.toml: {what}"));
        if is_ours(&name) {
            find("the implementations of Exactum have no expectations");
        }
        let expectations = Expectations::load(checkout, &name)?;
        for what in expectations.lint() {
            find(&what);
        }
        for finding in expectations.stale(&outline, &Selection::default()) {
            find(&finding.to_string());
        }
        for program in expectations
            .entries
            .iter()
            .filter_map(|it| it.program.as_ref())
        {
            if !programs.join(program).is_file() {
                find(&format!("no such program: {program}"));
            }
        }
        let claims = registry.lock.claims.get(&name);
        findings.extend(fairness::problems(&outline, &name, &expectations, claims));
    }
    Ok(findings)
}

/// Returns the faults in the results of a folder. Whether the results fit the expectations is checked by
/// `cargo xtask check`.
fn results(folder: &Path, names: &[String]) -> Result<Vec<String>, String> {
    let (mut findings, found) = of_implementations(folder, "json", names)?;
    for name in found {
        findings.extend(Results::load(folder, &name).err());
    }
    Ok(findings)
}

/// Returns the names of the implementations that have a file in a folder, and a finding for each file that
/// does not belong there.
fn of_implementations(
    folder: &Path,
    ending: &str,
    known: &[String],
) -> Result<(Vec<String>, Vec<String>), String> {
    let ByName { names, strays } = ByName::of(folder, ending)?;
    let strays = strays.iter().map(|file| {
        format!(
            "{}: this file does not belong here",
            folder.join(file).display()
        )
    });
    let unknown = names
        .iter()
        .filter(|name| !known.contains(name))
        .map(|name| format!("{name}.{ending}: no such implementation"));
    let findings = strays.chain(unknown).collect();
    Ok((findings, names))
}
