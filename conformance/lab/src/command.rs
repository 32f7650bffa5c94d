//! The subcommands, one file for each.

pub(crate) mod bench;
pub(crate) mod coverage;
pub(crate) mod exhaustive;
pub(crate) mod findings;
pub(crate) mod fuzz;
pub(crate) mod peers;
pub(crate) mod performance;
pub(crate) mod reliability;

use std::process::ExitCode;

use exactum_conformance::output;

/// Prints the findings, each on its own line, or what was done if there are none. Returns exit code 1 if there are
/// findings.
pub(crate) fn conclude(findings: &[String], done: &str) -> Result<ExitCode, String> {
    output::print(&match findings.len() {
        0 => done.to_owned(),
        count => format!("{}\n{count} findings\n", findings.join("\n")),
    })?;
    Ok(ExitCode::from(u8::from(!findings.is_empty())))
}
