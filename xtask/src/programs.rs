//! The other programs of the workspace that tasks call.

use std::env;
use std::path::Path;
use std::process::Command;

/// Builds a program of the workspace and returns the command that runs it.
///
/// Without `release`, this is the build of `cargo test --workspace`. The features of a package depend on what
/// is built beside it, so a build of the program alone would build most crates again.
///
/// # Errors
///
/// If the program cannot be built. The error is a single line.
pub(crate) fn command(root: &Path, name: &str, release: bool) -> Result<Command, String> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    if release {
        cargo.args(["run", "--quiet", "--release", "--package", name, "--"]);
        return Ok(cargo);
    }
    // The tests named `program` make cargo build the programs of their packages.
    cargo.args("test --quiet --workspace --no-run --test program".split(' '));
    match cargo.status() {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("cargo test --no-run: {status}")),
        Err(error) => return Err(format!("cargo: {error}")),
    }
    let here = env::current_exe().map_err(|error| format!("xtask: {error}"))?;
    let target = here.parent().and_then(Path::parent).unwrap_or(root);
    let mut program = Command::new(target.join("debug").join(name));
    program.current_dir(root);
    Ok(program)
}
