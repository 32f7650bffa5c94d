//! Files that are there as a whole or not at all, whoever looks at them and whatever stops their writer.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::Error;

/// Writes files: in a folder of its own first, from where they are moved to their places.
#[derive(Clone, Debug)]
pub(crate) struct Writer {
    /// On the same file system as the places.
    pub(crate) scratch: PathBuf,
}

impl Writer {
    /// Writes a file.
    pub(crate) fn put(&self, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        self.whole(path, |scratch| fs::write(scratch, bytes))
    }

    /// Copies a file; where there is none, there is none afterwards.
    pub(crate) fn copy(&self, from: &Path, to: &Path) -> Result<(), Error> {
        match from.exists() {
            true => self.whole(to, |scratch| fs::copy(from, scratch).map(drop)),
            false => remove(to),
        }
    }

    fn whole(
        &self,
        path: &Path,
        write: impl FnOnce(&Path) -> std::io::Result<()>,
    ) -> Result<(), Error> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("file-{}-{count}", std::process::id());
        let scratch = self.scratch.join(name);
        let written = fs::create_dir_all(&self.scratch)
            .and_then(|()| path.parent().map_or(Ok(()), fs::create_dir_all))
            .and_then(|()| write(&scratch))
            .and_then(|()| fs::rename(&scratch, path));
        if written.is_err() {
            // It would go with its folder in the end.
            let _ = fs::remove_file(&scratch);
        }
        written.map_err(|fault| Error::of_file(path, &fault))
    }
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(fault) if fault.kind() != ErrorKind::NotFound => Err(Error::of_file(path, &fault)),
        _ => Ok(()),
    }
}
