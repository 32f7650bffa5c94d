//! Copies of the adapters where programs of another root can see them.
//!
//! A copy is named after what is in it. So runs of different checkouts that share one folder of
//! peers do not disturb each other, and a copy that is there need not be looked at.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use sha2::{Digest, Sha256};

/// The most that one adapter file may have; what is larger is none.
const LARGEST: u64 = 1 << 20;

/// Copies a folder of adapters into the folder `into`; the name of the copy comes back.
///
/// # Errors
/// What cannot be read or written, in words.
pub(crate) fn copy(adapters: &Path, into: &Path) -> Result<String, String> {
    let at = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    let mut files = Vec::new();
    list(adapters, Path::new(""), &mut files).map_err(|error| at(adapters, error))?;
    files.sort();
    let mut hash = Sha256::new();
    for (path, content) in &files {
        hash.update(path.to_string_lossy().as_bytes());
        hash.update([0]);
        hash.update(content.len().to_string());
        hash.update([0]);
        hash.update(content);
    }
    let name = hex::encode(&hash.finalize()[..8]);
    let copy = into.join(&name);
    if copy.is_dir() {
        return Ok(name);
    }
    // Whole or not at all: it gets its name when all of it is there.
    let unfinished = into.join(format!("{name}.{}", process::id()));
    for (path, content) in &files {
        let path = unfinished.join(path);
        let folder = path.parent().unwrap_or(&unfinished);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, content))
            .map_err(|error| at(&path, error))?;
    }
    match fs::rename(&unfinished, &copy) {
        Ok(()) => Ok(name),
        // Another run was quicker.
        Err(_) if copy.is_dir() => {
            // What stays behind harms nobody.
            let _ = fs::remove_dir_all(&unfinished);
            Ok(name)
        }
        Err(error) => Err(at(&copy, error)),
    }
}

fn list(folder: &Path, below: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let path = below.join(&name);
        let kind = entry.file_type()?;
        if kind.is_dir() && name != "node_modules" && name != "__pycache__" {
            list(&entry.path(), &path, files)?;
        } else if kind.is_file() && entry.metadata()?.len() <= LARGEST {
            files.push((path, fs::read(entry.path())?));
        }
    }
    Ok(())
}
