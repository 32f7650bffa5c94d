//! The site, which `exactum-site` generates, since it needs the crate that judges.

use std::path::{Path, absolute};

use crate::{Result, programs};

/// Builds `exactum-site` and runs it to write the site into a folder, which may be relative to the current folder.
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
