//! Progress bars.

use std::io::{self, IsTerminal as _};

use indicatif::{ProgressBar, ProgressStyle};

/// Returns a progress bar, which is visible on a terminal and hidden in a pipe.
pub(crate) fn bar(length: u64, template: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
