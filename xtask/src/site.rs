//! The site: `exactum-site` makes it, since it needs the judge.

use std::path::{Path, absolute};

use crate::{Result, programs};

/// Builds `exactum-site` and has it write the site into a folder, which may be relative to the current one.
pub(crate) fn make(root: &Path, folder: &Path) -> Result {
    let folder =
        absolute(folder).map_err(|error| vec![format!("{}: {error}", folder.display())])?;
    let made = programs::command(root, "exactum-site", false)
        .map_err(|error| vec![error])?
        .arg(&folder)
        .status();
    match made {
        Ok(status) if status.success() => Ok("site: made".into()),
        Ok(status) => Err(vec![format!("exactum-site: {status}")]),
        Err(error) => Err(vec![format!("exactum-site: {error}")]),
    }
}
