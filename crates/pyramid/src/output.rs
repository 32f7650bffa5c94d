//! Writes files that exist either completely or not at all, for every reader, even if the writer stops at any time.

use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::budget::DOCUMENT_BYTES;
use crate::disk::Disk;
use crate::error::Error;
use crate::regular;

/// Writes files: first into a scratch folder, from which they are moved to their places.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    /// A folder on the same file system as the places.
    pub(crate) scratch: PathBuf,
    pub(crate) disk: Disk,
}

impl Writer {
    /// Writes a file.
    pub(crate) fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        self.disk.put(&self.scratch, path, bytes)
    }

    /// Removes a file if it exists.
    pub(crate) fn remove(&self, path: &Path) -> Result<(), Error> {
        self.disk.remove(path)
    }

    /// Copies a file, and returns its number of bytes. If it does not exist, removes the copy.
    pub(crate) fn copy(&self, from: &Path, to: &Path) -> Result<Option<u64>, Error> {
        let unread = |fault| Error::of_io(from, fault);
        let mut file = match regular::open_regular(from) {
            Ok(file) => file,
            Err(fault) if fault.kind() == ErrorKind::NotFound => {
                self.remove(to)?;
                return Ok(None);
            }
            Err(fault) => return Err(unread(fault)),
        };
        let size = self.disk.put_pieces(&self.scratch, to, &mut |piece| {
            file.read(piece).map_err(unread)
        })?;
        Ok(Some(size))
    }

    /// Writes a document unless it exists. An existing document with a different text is an error.
    pub(crate) fn document(&self, path: &Path, text: &str) -> Result<(), Error> {
        let there = regular::text(path, DOCUMENT_BYTES.max(text.len() as u64));
        match there.map_err(|fault| Error::of_io(path, fault))? {
            Some(there) if there == text => self.disk.sync_parent(path),
            Some(_) => Err(Error::Output(format!(
                "{} already exists, but differs from what would be written; remove it",
                path.display()
            ))),
            None => self.put(path, text.as_bytes()),
        }
    }
}
