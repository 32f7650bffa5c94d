//! `exactum peers`, for `cargo xtask peers`: gets the programs of others that are judged.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use exactum_peers::registry::Registry;
use exactum_peers::setup::{self, Options, Outcome};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::checkout::Checkout;
use crate::output;

/// Set up the peers that are programs of their own.
///
/// Exit code 0: all are ready; 1: some are not; 3: some are not, and all that is the matter is a
/// registry that does not answer.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Do without these peers.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    without: Vec<String>,
    /// A Python 3.12 or newer for zarr-python, where the machine's own is older.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
}

/// The exit code where registries do not answer, and nothing else is the matter.
const UNREACHABLE: u8 = 3;

/// Sets the peers up and prints what became of each.
///
/// # Errors
/// When the lock cannot be read, the folder of the peers cannot be written, or a name is none.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let checkout = Checkout::find(None);
    let registry = Registry::open(checkout.root())?;
    let options = Options {
        without: args.without.clone(),
        python: args.python.clone(),
    };
    let progress = Progress::new();
    let outcomes = setup::set_up(&registry, checkout.root(), &options, &|name, what| {
        progress.tell(name, what);
    })?;
    progress.finish();
    let mut text = String::new();
    let mut code = 0;
    for (name, outcome) in &outcomes {
        // Writing to a String cannot fail.
        let _ = match outcome {
            Outcome::Ready(version) => writeln!(text, "{name:16} ready    {version}"),
            Outcome::LeftOut => writeln!(text, "{name:16} left out"),
            Outcome::Missing(missing) => {
                code = match (code, missing.unreachable) {
                    (0 | UNREACHABLE, true) => UNREACHABLE,
                    _ => 1,
                };
                writeln!(
                    text,
                    "{name:16} missing  {}\n{:25} {}",
                    missing.why, "", missing.remedy
                )
            }
        };
    }
    let _ = writeln!(text, "in {}", registry.folder.display());
    output::print(&text)?;
    Ok(ExitCode::from(code))
}

/// A line for each environment on a terminal; elsewhere a line for each step.
struct Progress {
    lines: Option<MultiProgress>,
    bars: Mutex<BTreeMap<String, ProgressBar>>,
}

impl Progress {
    fn new() -> Self {
        Self {
            lines: io::stderr().is_terminal().then(MultiProgress::new),
            bars: Mutex::default(),
        }
    }

    fn tell(&self, name: &str, what: Option<&str>) {
        let Some(lines) = &self.lines else {
            let _ = match what {
                // Nobody may be listening, and that is no reason to stop.
                Some(what) => writeln!(io::stderr(), "{name}: {what}"),
                None => Ok(()),
            };
            return;
        };
        let mut bars = self.bars.lock().unwrap_or_else(PoisonError::into_inner);
        match what {
            Some(what) => bars
                .entry(name.to_owned())
                .or_insert_with(|| {
                    let bar = lines.add(ProgressBar::new_spinner());
                    bar.enable_steady_tick(Duration::from_millis(100));
                    if let Ok(style) =
                        ProgressStyle::with_template("{spinner} {prefix:>16} {msg} {elapsed}")
                    {
                        bar.set_style(style);
                    }
                    bar.set_prefix(name.to_owned());
                    bar
                })
                .set_message(what.to_owned()),
            None => {
                if let Some(bar) = bars.remove(name) {
                    bar.finish_and_clear();
                }
            }
        }
    }

    fn finish(&self) {
        if let Some(lines) = &self.lines {
            // What stays on the screen harms nobody.
            let _ = lines.clear();
        }
    }
}
