//! Folders that are removed before they are created again.

use std::fs;
use std::io;
use std::path::Path;

use crate::registry::{FOLDER, Missing};

/// Removes a folder and everything in it.
pub(super) fn clear(folder: &Path) -> Result<(), Missing> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(folder, &error)),
        _ => Ok(()),
    }
}

/// Removes a file.
pub(super) fn forget(file: &Path) -> Result<(), Missing> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot_write(file, &error)),
        _ => Ok(()),
    }
}

/// Returns the error for a path that cannot be written, with the remedy.
pub(super) fn cannot_write(path: &Path, error: &io::Error) -> Missing {
    let remedy = format!("name a folder to write to in {FOLDER}");
    Missing::new(format!("{}: {error}", path.display()), remedy)
}
