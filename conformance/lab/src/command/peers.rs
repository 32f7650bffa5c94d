//! `exactum-lab peers`: sets up the third-party programs that are judged.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use exactum_conformance::checkout::Checkout;
use exactum_conformance::output;
use exactum_conformance::report::Absent;
use exactum_peers::lock::HASHES;
use exactum_peers::registry::Registry;
use exactum_peers::setup::{self, Options, SetUp};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// Set up the third-party implementations that run as programs.
///
/// Exit codes: 0 if all are ready; 1 if some are not; 3 if some are not, only because a registry does not
/// answer.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Leave these peers out.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    without: Vec<String>,
    /// Use this Python, 3.12 or newer, for zarr-python if the default Python is older.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Set up the newest releases, in addition to those of conformance/peers.lock.
    #[arg(long, conflicts_with = "lock")]
    newest: bool,
    /// Set up nothing: get the hashes of the packages that conformance/peers.lock names from the
    /// registries, and record them. This requires uv and npm.
    #[arg(long)]
    lock: bool,
}

/// The exit code if the only problem is that registries do not answer.
const UNREACHABLE: u8 = 3;

/// Sets up the peers and prints the outcome for each.
///
/// # Errors
/// If the lock cannot be read, the folder of the peers cannot be written, or a name is unknown.
pub(crate) fn run(args: &Args) -> Result<ExitCode, String> {
    let checkout = Checkout::find()?;
    let mut registry = Registry::open(checkout.root())?;
    if args.newest {
        registry = registry.newest();
    }
    if args.lock {
        let files = setup::lock(checkout.root(), &registry.lock)?;
        output::print(&format!("{HASHES}: {}\n", files.join(", ")))?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = Options {
        without: args.without.clone(),
        python: args.python.clone(),
    };
    let progress = Progress::new();
    let outcomes = setup::set_up(&registry, checkout.root(), &options, &|name, what| {
        progress.tell(name, what);
    })?;
    progress.finish();
    output::print(&summary(&outcomes))?;
    output::print(&format!("in {}\n", registry.folder.display()))?;
    let missing = outcomes.iter().filter_map(|(_, outcome)| match outcome {
        SetUp::Missing(missing) => Some(missing.unreachable),
        SetUp::Ready(_) | SetUp::LeftOut => None,
    });
    // The exit code of the worst failure.
    let code = missing
        .map(|unreachable| if unreachable { UNREACHABLE } else { 1 })
        .min();
    Ok(ExitCode::from(code.unwrap_or(0)))
}

/// Describes the outcome for each peer. The reasons for missing peers follow at the end, because several peers may be
/// missing for the same reason.
fn summary(outcomes: &[(String, SetUp)]) -> String {
    let mut text = String::new();
    let mut absent = Vec::new();
    for (name, outcome) in outcomes {
        // Writing to a String cannot fail.
        let _ = match outcome {
            SetUp::Ready(version) => writeln!(text, "{name:18} ready     {version}"),
            SetUp::LeftOut => writeln!(text, "{name:18} left out"),
            SetUp::Missing(missing) => {
                absent.push(Absent {
                    name: name.clone(),
                    why: missing.why.clone(),
                    remedy: missing.remedy.clone(),
                });
                let why = if missing.unreachable {
                    "a registry does not answer"
                } else {
                    ""
                };
                let line = format!("{name:18} missing   {why}");
                writeln!(text, "{}", line.trim_end())
            }
        };
    }
    text.push_str(&output::missing(&absent));
    text
}

/// Shows a line for each environment on a terminal, and otherwise a line for each step.
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
                // The reader may have gone, which is not a reason to stop.
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
            // Remains on the screen do no harm.
            let _ = lines.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use exactum_peers::registry::Missing;

    use super::*;

    #[test]
    fn one_reason_is_listed_once() {
        let missing = |unreachable| {
            SetUp::Missing(Missing {
                why: "pip install: exit status: 1\n    no route to host".into(),
                remedy: "see whether pip reaches its index".into(),
                unreachable,
            })
        };
        let outcomes = [
            ("numcodecs", missing(true)),
            ("zarrita", SetUp::Ready("0.7.5".into())),
            ("zfp-c", SetUp::LeftOut),
            ("zfpy", missing(true)),
        ];
        insta::assert_snapshot!(summary(
            &outcomes.map(|(name, outcome)| (name.into(), outcome))
        ));
    }
}
