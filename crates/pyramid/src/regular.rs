//! Regular files: distinguishes them from missing files and from everything else.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read as _};
use std::path::Path;

/// Opens a regular file for reading.
///
/// A FIFO, a socket or a device is refused before it is opened, so that nothing waits for its other end.
///
/// # Errors
/// [`ErrorKind::NotFound`] if nothing with this name exists, and only then: a symbolic link that leads
/// nowhere, at the end of the path or within it, is an error of another kind. [`ErrorKind::InvalidInput`] for
/// anything but a regular file.
///
/// ```
/// use std::io::ErrorKind;
/// use std::path::Path;
///
/// use exactum_pyramid::open_regular;
///
/// let missing = open_regular(Path::new("missing.json"));
/// assert_eq!(missing.map(drop).map_err(|error| error.kind()), Err(ErrorKind::NotFound));
/// let folder = open_regular(Path::new("."));
/// assert_eq!(folder.map(drop).map_err(|error| error.kind()), Err(ErrorKind::InvalidInput));
/// ```
pub fn open_regular(path: &Path) -> io::Result<File> {
    metadata(path)?;
    #[cfg(test)]
    denied::require(path)?;
    let file = File::open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

/// Returns the metadata of a regular file, following symbolic links, with the errors of [`open_regular`].
pub(crate) fn metadata(path: &Path) -> io::Result<Metadata> {
    match fs::metadata(path) {
        Ok(metadata) => {
            require_regular(&metadata)?;
            Ok(metadata)
        }
        Err(fault) if fault.kind() == ErrorKind::NotFound => Err(missing(path, fault)),
        Err(fault) => Err(fault),
    }
}

/// Reads the whole content of a regular file.
pub(crate) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_regular(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the text of a regular file, or returns `None` if there is no such file.
pub(crate) fn text(path: &Path, most: u64) -> io::Result<Option<String>> {
    let file = match open_regular(path) {
        Ok(file) => file,
        Err(fault) if fault.kind() == ErrorKind::NotFound => return Ok(None),
        Err(fault) => return Err(fault),
    };
    let mut text = String::new();
    file.take(most.saturating_add(1))
        .read_to_string(&mut text)?;
    match text.len() as u64 > most {
        true => Err(io::Error::new(
            ErrorKind::InvalidData,
            format!("the file has more than {} MiB", most >> 20),
        )),
        false => Ok(Some(text)),
    }
}

/// Returns whether nothing exists at a path; a symbolic link that leads nowhere counts as existing.
pub(crate) fn is_missing(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(_) => Ok(false),
        Err(fault) if fault.kind() == ErrorKind::NotFound => match missing(path, fault) {
            fault if fault.kind() == ErrorKind::NotFound => Ok(true),
            fault => Err(fault),
        },
        Err(fault) => Err(fault),
    }
}

fn require_regular(metadata: &Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(
            ErrorKind::InvalidInput,
            match metadata.is_dir() {
                true => "it is a folder, not a regular file",
                false => "it is not a regular file",
            },
        )),
    }
}

/// Returns the error for a path at which nothing was found. If a symbolic link is the cause, the error is of another
/// kind.
fn missing(path: &Path, fault: io::Error) -> io::Error {
    for ancestor in path.ancestors().filter(|it| !it.as_os_str().is_empty()) {
        match fs::symlink_metadata(ancestor) {
            Ok(metadata) if metadata.is_symlink() && fs::metadata(ancestor).is_err() => {
                return io::Error::new(
                    ErrorKind::InvalidInput,
                    match ancestor == path {
                        true => "it is a symbolic link that leads nowhere".into(),
                        false => format!(
                            "{} is a symbolic link that leads nowhere",
                            ancestor.display()
                        ),
                    },
                );
            }
            // The parent exists.
            Ok(_) => return fault,
            Err(other) if other.kind() != ErrorKind::NotFound => return other,
            Err(_) => {}
        }
    }
    fault
}

/// Files that tests make unreadable. File permissions would not be enough, because they do not restrict every user, and
/// tests often run as a user whom they do not restrict.
#[cfg(test)]
pub(crate) mod denied {
    use std::collections::BTreeSet;
    use std::io::{Error, ErrorKind, Result};
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, PoisonError};

    static PATHS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

    /// Makes a file unreadable, or readable again.
    pub(crate) fn deny(path: &Path, is_denied: bool) {
        let mut paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
        match is_denied {
            true => paths.insert(path.to_owned()),
            false => paths.remove(path),
        };
    }

    /// Returns the error that opening the file would cause.
    pub(super) fn require(path: &Path) -> Result<()> {
        let paths = PATHS.lock().unwrap_or_else(PoisonError::into_inner);
        match paths.contains(path) {
            true => Err(Error::from(ErrorKind::PermissionDenied)),
            false => Ok(()),
        }
    }
}
