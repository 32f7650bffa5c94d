//! The files of a folder, as a read-only store of zarrs: only regular files.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator, InvalidByteRangeError};
use zarrs::storage::{Bytes, MaybeBytesIterator, ReadableStorageTraits, StorageError, StoreKey};

use crate::regular;

/// The files of a folder, as a read-only store.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    folder: PathBuf,
}

impl Files {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    fn path(&self, key: &StoreKey) -> PathBuf {
        self.folder.join(key.as_str())
    }
}

impl ReadableStorageTraits for Files {
    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        let mut file = match regular::open_regular(&self.path(key)) {
            Ok(file) => file,
            Err(fault) if fault.kind() == ErrorKind::NotFound => return Ok(None),
            Err(fault) => return Err(fault.into()),
        };
        let size = file.metadata()?.len();
        let parts: Vec<_> = byte_ranges
            .map(|range| part(&mut file, size, range))
            .collect();
        Ok(Some(Box::new(parts.into_iter())))
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        match regular::metadata(&self.path(key)) {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(fault) if fault.kind() == ErrorKind::NotFound => Ok(None),
            Err(fault) => Err(fault.into()),
        }
    }

    fn supports_get_partial(&self) -> bool {
        true
    }
}

/// Reads a range of a file of `size` bytes. Memory is allocated only after the range was found to be inside
/// the file.
fn part(file: &mut File, size: u64, range: ByteRange) -> Result<Bytes, StorageError> {
    let (start, length) = match range {
        ByteRange::FromStart(start, None) => (Some(start), size.checked_sub(start)),
        ByteRange::FromStart(start, Some(length)) => (Some(start), Some(length)),
        ByteRange::Suffix(length) => (size.checked_sub(length), Some(length)),
    };
    let outside = || StorageError::from(InvalidByteRangeError::new(range, size));
    let (start, length) = start.zip(length).ok_or_else(outside)?;
    start
        .checked_add(length)
        .filter(|end| *end <= size)
        .ok_or_else(outside)?;
    let length = usize::try_from(length).map_err(|_| outside())?;
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(length)
        .map_err(|fault| io::Error::new(ErrorKind::OutOfMemory, fault))?;
    bytes.resize(length, 0);
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes.into())
}
