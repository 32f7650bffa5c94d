//! Files that are there as a whole or not at all, whoever looks at them and whatever stops their writer.

use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::budget::DOCUMENT_BYTES;
use crate::disk::Disk;
use crate::error::Error;
use crate::regular;

/// Writes files: in a scratch folder first, from where they are moved to their places.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    /// On the same file system as the places.
    pub(crate) scratch: PathBuf,
    pub(crate) disk: Disk,
}

impl Writer {
    /// Writes a file.
    pub(crate) fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        self.disk.put(&self.scratch, path, bytes)
    }

    /// Removes a file, if it is there.
    pub(crate) fn remove(&self, path: &Path) -> Result<(), Error> {
        self.disk.remove(path)
    }

    /// Copies a file, and returns how many bytes it has; where there is none, there is none afterwards.
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

    /// Writes a document, if it is not there; one of another text is an error.
    pub(crate) fn document(&self, path: &Path, text: &str) -> Result<(), Error> {
        let there = regular::text(path, DOCUMENT_BYTES.max(text.len() as u64));
        match there.map_err(|fault| Error::of_io(path, fault))? {
            Some(there) if there == text => self.disk.sync_parent(path),
            Some(_) => Err(Error::Output(format!(
                "{} is there already, and is not what is to be written; remove it",
                path.display()
            ))),
            None => self.put(path, text.as_bytes()),
        }
    }
}
