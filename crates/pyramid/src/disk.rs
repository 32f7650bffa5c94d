//! Changes of the file system, in an order that survives a crash of the machine.
//!
//! A file is written under a name that no other process uses, synced, and moved to its place; then the folder
//! that contains it is synced. Without syncing, files still exist as a whole or not at all if their writer
//! stops for any reason, but not after a crash of the machine.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::budget::{SYNCED_FOLDERS, WRITE_BYTES};
use crate::error::Error;
use crate::regular;

/// The changes of the file system, in their order.
#[cfg(test)]
pub(crate) type Log = Arc<Mutex<Vec<Change>>>;

/// Makes changes of the file system.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    /// Whether written files are synced.
    pub(crate) sync: bool,
    /// A name that no other process has, on this machine or on another.
    identity: Arc<str>,
    /// The number of files that this process has begun.
    count: Arc<AtomicU64>,
    /// Folders whose own names were synced by this process.
    synced: Arc<Mutex<HashSet<PathBuf>>>,
    #[cfg(test)]
    pub(crate) log: Option<Log>,
}

impl Disk {
    pub(crate) fn new(sync: bool) -> Self {
        Self::with_identity(sync, &identity())
    }

    /// Does the same as [`new`](Self::new), with a given name for the process.
    pub(crate) fn with_identity(sync: bool, identity: &str) -> Self {
        Self {
            sync,
            identity: identity.into(),
            count: Arc::default(),
            synced: Arc::default(),
            #[cfg(test)]
            log: None,
        }
    }

    /// Returns a file name that no other process uses, and that this process uses only once.
    pub(crate) fn unique(&self, kind: &str) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        format!("{kind}-{}-{count}", self.identity)
    }

    /// Writes a file, from a scratch folder on the same file system.
    pub(crate) fn put(&self, scratch: &Path, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        self.put_pieces(scratch, path, &mut pieces(bytes)).map(drop)
    }

    /// Does the same as [`put`](Self::put) for pieces that `next` writes into a buffer until there are no
    /// more. Returns the size of the file.
    pub(crate) fn put_pieces(
        &self,
        scratch: &Path,
        path: &Path,
        next: &mut dyn FnMut(&mut [u8]) -> Result<usize, Error>,
    ) -> Result<u64, Error> {
        let at = |fault| Error::of_io(path, fault);
        if let Some(parent) = path.parent() {
            self.folders(parent, scratch.parent().unwrap_or(parent))?;
        }
        let (new, size) = self.write_new(scratch, next)?;
        let moved = self.rename(&new, path).map_err(at);
        if moved.is_err() {
            // The error of the rename is the one to report.
            let _ = fs::remove_file(&new);
        }
        moved?;
        self.sync_parent(path)?;
        Ok(size)
    }

    /// Does the same as [`put`](Self::put) if there is no file of this name. Otherwise, keeps that file and
    /// returns `false`.
    pub(crate) fn put_first(
        &self,
        scratch: &Path,
        path: &Path,
        bytes: &[u8],
    ) -> Result<bool, Error> {
        let (new, _) = self.write_new(scratch, &mut pieces(bytes))?;
        let linked = match self.link(&new, path) {
            Ok(()) => Ok(true),
            Err(fault) if fault.kind() == ErrorKind::AlreadyExists => Ok(false),
            // A file system without links cannot prevent a later file from replacing an earlier one. Readers then see
            // the later one.
            Err(fault)
                if matches!(
                    fault.kind(),
                    ErrorKind::Unsupported | ErrorKind::PermissionDenied
                ) =>
            {
                match regular::is_missing(path) {
                    Ok(true) => self.rename(&new, path).map(|()| true),
                    Ok(false) => Ok(false),
                    Err(fault) => Err(fault),
                }
            }
            Err(fault) => Err(fault),
        };
        let _ = fs::remove_file(&new);
        let first = linked.map_err(|fault| Error::of_io(path, fault))?;
        self.sync_parent(path)?;
        Ok(first)
    }

    /// Writes a new file in a folder, under a name that no other process has.
    fn write_new(
        &self,
        folder: &Path,
        next: &mut dyn FnMut(&mut [u8]) -> Result<usize, Error>,
    ) -> Result<(PathBuf, u64), Error> {
        let path = folder.join(self.unique("file"));
        let at = |fault| Error::of_io(&path, fault);
        let mut file = self.create_new(&path).map_err(at)?;
        let mut write = || -> Result<u64, Error> {
            let mut piece = vec![0; WRITE_BYTES];
            let mut size = 0;
            loop {
                let length = next(&mut piece)?;
                if length == 0 {
                    break;
                }
                self.write(&path, &mut file, &piece[..length]).map_err(at)?;
                size += length as u64;
            }
            self.sync_file(&path, &file).map_err(at)?;
            Ok(size)
        };
        let written = write();
        if written.is_err() {
            // The error of the write is the one to report.
            let _ = fs::remove_file(&path);
        }
        Ok((path, written?))
    }

    /// Removes a file if it exists.
    pub(crate) fn remove(&self, path: &Path) -> Result<(), Error> {
        let removed = self.logged(|| fs::remove_file(path), || Change::Remove(path.into()));
        match removed {
            Ok(()) => self.sync_parent(path),
            Err(fault) if fault.kind() == ErrorKind::NotFound => Ok(()),
            Err(fault) => Err(Error::of_io(path, fault)),
        }
    }

    /// Removes a folder with all its contents, if it exists. At the same time, another process may remove the folder,
    /// or add files that it began earlier.
    pub(crate) fn remove_tree(&self, folder: &Path) -> Result<(), Error> {
        let mut tries = 0;
        loop {
            let removed = self.logged(
                || fs::remove_dir_all(folder),
                || Change::RemoveTree(folder.into()),
            );
            match removed {
                Ok(()) => return Ok(()),
                Err(fault) if fault.kind() == ErrorKind::NotFound => {
                    match regular::is_missing(folder) {
                        Ok(true) => return Ok(()),
                        _ if tries < 16 => tries += 1,
                        _ => return Err(Error::of_io(folder, fault)),
                    }
                }
                Err(fault) if fault.kind() == ErrorKind::DirectoryNotEmpty && tries < 16 => {
                    tries += 1;
                }
                Err(fault) => return Err(Error::of_io(folder, fault)),
            }
        }
    }

    /// Creates a folder and its parents, and syncs all of their names from `top` on.
    pub(crate) fn folders(&self, folder: &Path, top: &Path) -> Result<(), Error> {
        if folder.as_os_str().is_empty() || self.is_synced(folder) {
            return Ok(());
        }
        match fs::metadata(folder) {
            // Another process may have created this folder and its parents without having synced them yet.
            Ok(metadata) if metadata.is_dir() => {
                if let Some(parent) = folder.parent().filter(|_| folder != top) {
                    self.folders(parent, top)?;
                }
            }
            Ok(_) => return Err(Error::of_file(folder, &"it is not a folder")),
            Err(fault) if fault.kind() == ErrorKind::NotFound => {
                if let Some(parent) = folder.parent() {
                    self.folders(parent, top)?;
                }
                let created = self.logged(
                    || match fs::create_dir(folder) {
                        Err(fault)
                            if fault.kind() == ErrorKind::AlreadyExists && folder.is_dir() =>
                        {
                            Ok(())
                        }
                        other => other,
                    },
                    || Change::Folder(folder.into()),
                );
                created.map_err(|fault| Error::of_io(folder, fault))?;
            }
            Err(fault) => return Err(Error::of_io(folder, fault)),
        }
        self.sync_parent(folder)?;
        let mut synced = self.synced.lock().unwrap_or_else(PoisonError::into_inner);
        if synced.len() >= SYNCED_FOLDERS {
            synced.clear();
        }
        synced.insert(folder.to_owned());
        Ok(())
    }

    fn is_synced(&self, folder: &Path) -> bool {
        let synced = self.synced.lock().unwrap_or_else(PoisonError::into_inner);
        synced.contains(folder)
    }

    /// Creates a file that must not exist yet.
    pub(crate) fn create_new(&self, path: &Path) -> io::Result<File> {
        self.logged(
            || OpenOptions::new().append(true).create_new(true).open(path),
            || Change::Create(path.into()),
        )
    }

    /// Appends bytes to a file.
    pub(crate) fn write(&self, path: &Path, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        self.logged(
            || file.write_all(bytes),
            || Change::Write(path.into(), bytes.into()),
        )
    }

    /// Makes the content of a file durable.
    pub(crate) fn sync_file(&self, path: &Path, file: &File) -> io::Result<()> {
        match self.sync {
            true => self.logged(
                || self.really(|| file.sync_all()),
                || Change::SyncFile(path.into()),
            ),
            false => Ok(()),
        }
    }

    /// Makes the name of a file or folder durable.
    pub(crate) fn sync_parent(&self, path: &Path) -> Result<(), Error> {
        let parent = match path.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => return Ok(()),
        };
        if !self.sync {
            return Ok(());
        }
        let sync = || self.really(|| sync_folder(parent));
        self.logged(sync, || Change::SyncFolder(parent.into()))
            .map_err(|fault| Error::of_io(parent, fault))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.logged(
            || fs::rename(from, to),
            || Change::Rename(from.into(), to.into()),
        )
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.logged(
            || fs::hard_link(from, to),
            || Change::Link(from.into(), to.into()),
        )
    }

    /// Syncs. If changes are logged, the disk is not synced, because only the log matters.
    #[cfg(test)]
    fn really(&self, sync: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        match &self.log {
            Some(_) => Ok(()),
            None => sync(),
        }
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "tests have a log in it")]
    fn really(&self, sync: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        sync()
    }

    /// Makes a change. Tests keep a log of the changes in their order.
    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "tests have a log in it")]
    fn logged<T>(
        &self,
        make: impl FnOnce() -> io::Result<T>,
        _change: impl FnOnce() -> Change,
    ) -> io::Result<T> {
        make()
    }

    #[cfg(test)]
    fn logged<T>(
        &self,
        make: impl FnOnce() -> io::Result<T>,
        change: impl FnOnce() -> Change,
    ) -> io::Result<T> {
        let Some(log) = &self.log else {
            return make();
        };
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        let made = make()?;
        log.push(change());
        Ok(made)
    }
}

/// Returns the pieces of bytes in memory.
fn pieces(mut bytes: &[u8]) -> impl FnMut(&mut [u8]) -> Result<usize, Error> {
    move |piece| {
        let length = bytes.len().min(piece.len());
        let (own, rest) = bytes.split_at(length);
        piece[..length].copy_from_slice(own);
        bytes = rest;
        Ok(length)
    }
}

/// A change of the file system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Folder(PathBuf),
    Create(PathBuf),
    Write(PathBuf, Vec<u8>),
    SyncFile(PathBuf),
    SyncFolder(PathBuf),
    Rename(PathBuf, PathBuf),
    Link(PathBuf, PathBuf),
    Remove(PathBuf),
    RemoveTree(PathBuf),
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder)?.sync_all() {
        // Some network file systems do not sync folders, and make their changes durable at once.
        Err(fault)
            if matches!(
                fault.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        other => other,
    }
}

/// Does nothing: on other systems, a folder cannot be opened for syncing, and its changes are in the journal
/// of the file system.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns a name that no other process has. In containers, process ids can be equal, and so can host names.
fn identity() -> String {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let pid = std::process::id();
    // These are two hashes with random keys of the operating system.
    let [one, other] = [(); 2].map(|()| RandomState::new().hash_one((&host, pid, now.as_nanos())));
    format!("{pid}-{:x}-{one:016x}{other:016x}", now.as_nanos())
}
