//! `exactum-lab reliability`: tests the runner with liars, large documents and hostile chunks.

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs, process, thread};

use exactum_conformance::checkout::Checkout;
use exactum_conformance::output;
use exactum_lab::reliability::{PAGE, compare_rows, documents, findings, liars, page, stores};
use indicatif::{ProgressBar, ProgressDrawTarget};

use super::conclude;

/// Judge programs that lie, large documents and hostile chunks, and compare the results with docs/reliability.md.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command `exactum`; by default the one in the same folder as this command.
    #[arg(long, value_name = "PATH")]
    exactum: Option<PathBuf>,
    /// Judge only liars whose names contain this text, and no documents or stores.
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
    /// Write the page instead of comparing it.
    #[arg(long)]
    write: bool,
    /// Only compare which programs, documents and stores the page lists; run none of them.
    #[arg(long, conflicts_with_all = ["exactum", "only", "write"])]
    rows: bool,
}

/// A folder that is removed afterwards.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover folder does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Judges all of them. Returns exit code 1 if a limit is exceeded or a verdict differs from the page.
///
/// # Errors
/// If the command or Python is missing, or the page cannot be written.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    if !cfg!(target_os = "linux") {
        return Err("the memory of processes can be measured on Linux only".into());
    }
    let checkout = Checkout::find()?;
    let at = |error: std::io::Error| format!("reliability: {error}");
    let exactum = match &args.exactum {
        Some(path) => path.clone(),
        None => env::current_exe().map_err(at)?.with_file_name("exactum"),
    };
    let scratch = Scratch(env::temp_dir().join(format!("exactum-reliability-{}", process::id())));
    fs::create_dir_all(&scratch.0).map_err(at)?;
    if args.rows {
        let findings = compare_rows(checkout.root(), &scratch.0)?;
        let done = format!("{PAGE}: its rows are complete\n");
        return conclude(&findings, &done);
    }
    let progress = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let say = |what: &str| progress.set_message(what.to_owned());
    let judged = liars::judge(
        &exactum,
        &scratch.0,
        args.only.as_deref().unwrap_or(""),
        &say,
    )?;
    let grown = match args.only {
        Some(_) => Vec::new(),
        None => documents::measure(&exactum, &scratch.0, &say)?,
    };
    let tried = match args.only {
        Some(_) => Vec::new(),
        None => stores::read(&exactum, &scratch.0, &say)?,
    };
    progress.finish_and_clear();
    let text = page(&machine(), &judged, &grown, &tried);
    if args.write && args.only.is_none() {
        output::replace(&checkout.root().join(PAGE), &text)?;
    }
    let findings = findings(checkout.root(), &judged, &grown, &tried);
    if args.only.is_some() {
        output::print(&text)?;
    }
    let done = format!(
        "reliability: {} liars, {} kinds of documents, {} reads of stores\n",
        judged.len(),
        grown.len(),
        tried.len()
    );
    conclude(&findings, &done)
}

/// Describes the machine on which the measurements were made.
fn machine() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or(env::consts::ARCH, |(_, model)| model);
    format!("Linux, {model}, {cores} processors")
}
