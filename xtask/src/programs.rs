//! The other programs of the workspace that tasks call.

use std::env;
use std::path::Path;
use std::process::Command;

/// Builds a program of the workspace and returns the command that runs it.
///
/// In the profile for development this is the build of `cargo test --workspace`: the features of a package depend on
/// what is built beside it, and a build for the program alone would make most crates a second time.
///
/// # Errors
///
/// A line: what kept the program from being built.
pub(crate) fn command(root: &Path, name: &str, release: bool) -> Result<Command, String> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root);
    if release {
        cargo.args(["run", "--quiet", "--release", "--package", name, "--"]);
        return Ok(cargo);
    }
    // The tests `program` have cargo build the programs of their packages.
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
