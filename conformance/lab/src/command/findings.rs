//! `exactum-lab findings`: the page of what the vectors find.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use exactum_conformance::checkout::Checkout;
use exactum_conformance::expectations::Expectations;
use exactum_conformance::findings::{Known, page};
use exactum_conformance::output;
use exactum_conformance::report::Outline;
use exactum_conformance::results::Results;

/// Generate the page of findings from the committed expectations and results.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write the page instead of comparing it.
    #[arg(long)]
    write: bool,
}

/// The page, below the root.
const PAGE: &str = "docs/findings.md";

/// Makes the page and compares it with the one that is there, or writes it; exit code 1 where
/// something is wrong.
///
/// # Errors
/// When vectors, expectations or results cannot be read, or the page cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let checkout = Checkout::find(None);
    let outline = Outline::of(&checkout.suite()?);
    let mut names = stems(&checkout.expectations(), "toml")?;
    names.extend(stems(&checkout.results(), "json")?);
    names.sort();
    names.dedup();
    let known = names
        .into_iter()
        .map(|name| {
            Ok(Known {
                expectations: Expectations::load(&checkout.expectations(), &name)?,
                results: Results::load(&checkout.results(), &name)?,
                name,
            })
        })
        .collect::<Result<Vec<Known>, String>>()?;
    let path = checkout.root().join(PAGE);
    let findings = match page(&outline, &known) {
        Err(findings) => findings,
        Ok(page) if args.write => {
            output::replace(&path, &page)?;
            Vec::new()
        }
        Ok(page) if fs::read_to_string(&path).is_ok_and(|there| there == page) => Vec::new(),
        Ok(_) => vec![format!(
            "{PAGE}: not what expectations and results say; `cargo xtask findings` writes it"
        )],
    };
    let count = findings.len();
    output::print(&match count {
        0 => format!("findings: {} implementations\n", known.len()),
        _ => format!("{}\n{count} findings\n", findings.join("\n")),
    })?;
    Ok(ExitCode::from(u8::from(count > 0)))
}

/// The names of the files of a folder that have an ending; a folder that is not there has none.
fn stems(folder: &Path, ending: &str) -> Result<Vec<String>, String> {
    let at = |error: std::io::Error| format!("{}: {error}", folder.display());
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut stems = Vec::new();
    for entry in fs::read_dir(folder).map_err(at)? {
        let path = entry.map_err(at)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == ending)
            && let Some(stem) = path.file_stem()
        {
            stems.push(stem.to_string_lossy().into_owned());
        }
    }
    Ok(stems)
}
