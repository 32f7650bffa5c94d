//! Arrays of folders: their files are regular, and whatever goes wrong with a chunk names its file.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exactum_model::{Array as Elements, DataType, Domain};
use exactum_zarrs_plugins::Registration;
use zarrs::array::{Array, ArrayError, ArraySubset, CodecOptions};
use zarrs::storage::byte_range::{ByteRange, ByteRangeIterator, InvalidByteRangeError};
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{
    Bytes, MaybeBytesIterator, ReadableStorageTraits, StorageError, StoreKey,
    WritableStorageTraits as _,
};

use crate::error::Error;
use crate::input::{DOCUMENT, read};
use crate::regular;

/// The files of a folder, as a store that is only read.
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

/// Reads a range of a file of `size` bytes; no memory is asked for before the range is known to lie in the file.
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

/// An array of a folder.
#[derive(Debug)]
pub(crate) struct Stored {
    array: Array<Files>,
    folder: PathBuf,
}

impl Deref for Stored {
    type Target = Array<Files>;

    fn deref(&self) -> &Self::Target {
        &self.array
    }
}

impl Stored {
    /// Opens the array of a folder with everything checked.
    pub(crate) fn open(registration: &Registration, folder: &Path) -> Result<Self, Error> {
        let array = registration
            .open(Arc::new(Files::new(folder)), "/")
            .map_err(|fault| Error::of_file(&folder.join(DOCUMENT), &fault))?;
        Ok(Self {
            array,
            folder: folder.to_owned(),
        })
    }

    /// Some elements of the array. An error names the chunk that cannot be read.
    pub(crate) fn read(
        &self,
        data_type: DataType,
        taken: &Domain,
        options: &CodecOptions,
    ) -> Result<Elements, Error> {
        read(&self.array, data_type, taken, options)
            .map_err(|fault| culprit(&self.array, &self.folder, taken, options).unwrap_or(fault))
    }
}

/// The error of the first chunk of a region that cannot be read by itself.
pub(crate) fn culprit<S: ?Sized + ReadableStorageTraits + 'static>(
    array: &Array<S>,
    folder: &Path,
    taken: &Domain,
    options: &CodecOptions,
) -> Option<Error> {
    let start = taken.origin().iter().map(|start| start.cast_unsigned());
    let taken = ArraySubset::new_with_start_shape(start.collect(), taken.shape().to_vec()).ok()?;
    let chunks = array.chunks_in_array_subset(&taken).ok()??;
    chunks.indices().into_iter().find_map(|chunk| {
        let own = array.chunk_subset(&chunk).ok()?.overlap(&taken).ok()?;
        let read: Result<zarrs::array::ArrayBytes<'static>, ArrayError> =
            array.retrieve_array_subset_opt(&own, options);
        let fault = read.err()?;
        Some(Error::of_chunk(
            folder,
            array.chunk_key(&chunk).as_str(),
            fault,
        ))
    })
}

/// An array that exists as a document only, by which its chunks are named and encoded.
pub(crate) type Drafted = Array<MemoryStore>;

/// Opens an array by its document, before that is written anywhere.
pub(crate) fn drafted(registration: &Registration, document: &str) -> Result<Drafted, Error> {
    let fault = |fault: &dyn std::fmt::Display| Error::Output(fault.to_string());
    let memory = Arc::new(MemoryStore::new());
    let key = StoreKey::new(DOCUMENT).map_err(|it| fault(&it))?;
    memory
        .set(&key, document.as_bytes().to_vec().into())
        .map_err(|it| fault(&it))?;
    registration.open(memory, "/").map_err(|it| fault(&it))
}
