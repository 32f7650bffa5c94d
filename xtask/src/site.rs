//! The site: `exactum-site` makes it, since it needs the judge.

use std::env;
use std::path::{Path, absolute};
use std::process::Command;

use crate::Result;

/// Builds `exactum-site` and has it write the site into a folder, which may be relative to the current one.
pub(crate) fn make(root: &Path, folder: &Path) -> Result {
    let folder =
        absolute(folder).map_err(|error| vec![format!("{}: {error}", folder.display())])?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let made = Command::new(cargo)
        .current_dir(root)
        .args(["run", "--quiet", "--package", "exactum-site", "--"])
        .arg(&folder)
        .status();
    match made {
        Ok(status) if status.success() => Ok("site: made".into()),
        Ok(status) => Err(vec![format!("exactum-site: {status}")]),
        Err(error) => Err(vec![format!("cargo: {error}")]),
    }
}
