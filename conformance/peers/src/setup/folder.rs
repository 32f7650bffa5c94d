//! Folders that are removed before they are made again.

use std::fs;
use std::io;
use std::path::Path;

use crate::registry::{FOLDER, Missing};

/// Removes a folder with all that is in it.
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

/// That a path cannot be written, and what to do.
pub(super) fn cannot_write(path: &Path, error: &io::Error) -> Missing {
    let remedy = format!("name a folder to write to in {FOLDER}");
    Missing::new(format!("{}: {error}", path.display()), remedy)
}
