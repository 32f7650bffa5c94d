//! Arrays as they are opened by zarrs. The rest of this crate accesses zarrs only through this module, so
//! that changes between versions of zarrs affect only this module.
//!
//! All files of an array are regular, and an error in a chunk names its file.

mod files;

use std::fmt::{self, Display};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exactum_model::{Array as Elements, DataType, Domain};
use exactum_zarrs_plugins::{Registration, to_little};
use zarrs::array::{
    Array, ArrayBytes, ArrayError, ArraySubset, ArrayToBytesCodecTraits as _, CodecOptions,
};
pub(crate) use zarrs::storage::{ReadableStorage, store::MemoryStore};
use zarrs::storage::{ReadableStorageTraits, StoreKey, WritableStorageTraits as _};

use crate::error::Error;
use crate::input::DOCUMENT;
use files::Files;

/// The number of threads that zarrs may use for one chunk.
pub(crate) type Concurrency = CodecOptions;

/// Returns a concurrency with any number of threads.
pub(crate) fn any_threads() -> Concurrency {
    CodecOptions::default()
}

/// Returns a concurrency with a number of threads.
pub(crate) fn threads(count: usize) -> Concurrency {
    CodecOptions::default().with_concurrent_target(count)
}

/// An array that was opened after all checks.
pub(crate) struct StoredArray {
    array: Array<dyn ReadableStorageTraits>,
    /// The folder of its files, if it has one.
    folder: Option<PathBuf>,
}

impl fmt::Debug for StoredArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredArray")
            .field("folder", &self.folder)
            .finish_non_exhaustive()
    }
}

impl StoredArray {
    /// Opens the array of a folder.
    pub(crate) fn open(registration: &Registration, folder: &Path) -> Result<Self, Error> {
        let files: ReadableStorage = Arc::new(Files::new(folder));
        let array = registration
            .open(files, "/")
            .map_err(|fault| Error::of_file(&folder.join(DOCUMENT), &fault))?;
        Ok(Self {
            array,
            folder: Some(folder.to_owned()),
        })
    }

    /// Opens an array of a store that is not a folder. Returns any fault as text.
    pub(crate) fn of_store(
        registration: &Registration,
        store: &ReadableStorage,
        path: &str,
    ) -> Result<Self, String> {
        let array = registration.open(store.clone(), path);
        Ok(Self {
            array: array.map_err(|fault| fault.to_string())?,
            folder: None,
        })
    }

    /// Opens an array by its document, before that is written, in order to name and encode its chunks.
    pub(crate) fn draft(registration: &Registration, document: &str) -> Result<Self, Error> {
        let fault = |fault: &dyn Display| Error::Output(fault.to_string());
        let memory = Arc::new(MemoryStore::new());
        let key = StoreKey::new(DOCUMENT).map_err(|it| fault(&it))?;
        memory
            .set(&key, document.as_bytes().to_vec().into())
            .map_err(|it| fault(&it))?;
        let memory: ReadableStorage = memory;
        Self::of_store(registration, &memory, "/").map_err(Error::Output)
    }

    /// Returns the shape.
    pub(crate) fn shape(&self) -> &[u64] {
        self.array.shape()
    }

    /// Returns the number of chunks along each dimension.
    pub(crate) fn grid(&self) -> &[u64] {
        self.array.chunk_grid_shape()
    }

    /// Returns the key of a chunk, which is the path of its file below the folder of the array.
    pub(crate) fn key(&self, chunk: &[u64]) -> String {
        self.array.chunk_key(chunk).as_str().to_owned()
    }

    /// Returns the file of a chunk below a folder.
    pub(crate) fn file(&self, folder: &Path, chunk: &[u64]) -> PathBuf {
        folder.join(self.array.chunk_key(chunk).as_str())
    }

    /// Returns the shape of a chunk.
    pub(crate) fn extents(&self, chunk: &[u64]) -> Result<Vec<u64>, String> {
        let shape = self.array.chunk_shape(chunk);
        let shape = shape.map_err(|fault| fault.to_string())?;
        Ok(shape.iter().map(|extent| extent.get()).collect())
    }

    /// Returns the elements of a chunk that are inside the array.
    pub(crate) fn elements_of(&self, chunk: &[u64]) -> Result<Domain, Error> {
        let subset = self.array.chunk_subset_bounded(chunk);
        let subset = subset.map_err(|fault| Error::Input(fault.to_string()))?;
        let ranges = subset.to_ranges().into_iter();
        Ok(Domain::of_intervals(ranges.map(|range| {
            range.start.cast_signed()..range.end.cast_signed()
        })))
    }

    /// Returns the bytes of the fill value in the native byte order, in which zarrs holds elements.
    pub(crate) fn fill_value(&self) -> &[u8] {
        self.array.fill_value().as_ne_bytes()
    }

    /// Returns the bytes of the fill value in little-endian order.
    pub(crate) fn little_fill_value(&self, data_type: DataType) -> Vec<u8> {
        to_little(data_type, self.fill_value().into()).into_owned()
    }

    /// Encodes the elements of a chunk. Returns `None` if all of them are the fill value, so that nothing is
    /// stored.
    pub(crate) fn encode(
        &self,
        chunk: &[u64],
        elements: Vec<u8>,
        options: &Concurrency,
    ) -> Result<Option<Vec<u8>>, String> {
        let words = |fault: &dyn Display| fault.to_string();
        let (data_type, fill_value) = (self.array.data_type(), self.array.fill_value());
        let elements = ArrayBytes::new_flen(elements);
        if elements.is_fill_value(fill_value) {
            return Ok(None);
        }
        let shape = self.array.chunk_shape(chunk).map_err(|it| words(&it))?;
        let codecs = self.array.codecs();
        let encoded = codecs.encode(elements, &shape, data_type, fill_value, options);
        Ok(Some(encoded.map_err(|it| words(&it))?.into_owned()))
    }

    /// Decodes the bytes of a chunk.
    pub(crate) fn decode(
        &self,
        chunk: &[u64],
        encoded: Vec<u8>,
        options: &Concurrency,
    ) -> Result<Vec<u8>, String> {
        let words = |fault: &dyn Display| fault.to_string();
        let (data_type, fill_value) = (self.array.data_type(), self.array.fill_value());
        let shape = self.array.chunk_shape(chunk).map_err(|it| words(&it))?;
        let codecs = self.array.codecs();
        let decoded = codecs.decode(encoded.into(), &shape, data_type, fill_value, options);
        let decoded = decoded.map_err(|it| words(&it))?.into_fixed();
        Ok(decoded.map_err(|it| words(&it))?.into_owned())
    }

    /// Reads some elements. An error names the chunk that cannot be read, if the array is in a folder.
    pub(crate) fn read(
        &self,
        data_type: DataType,
        taken: &Domain,
        options: &Concurrency,
    ) -> Result<Elements, Error> {
        self.retrieve(data_type, taken, options).map_err(|words| {
            match self.unreadable_chunk(taken, options) {
                Some(fault) => fault,
                None => Error::Input(format!("{taken} cannot be read: {words}")),
            }
        })
    }

    /// Returns the chunks that contain some elements, as a box of the grid.
    pub(crate) fn chunks_of(&self, taken: &Domain) -> Option<Vec<Range<u64>>> {
        let chunks = self.array.chunks_in_array_subset(&subset(taken)?).ok()??;
        Some(chunks.to_ranges())
    }

    fn retrieve(
        &self,
        data_type: DataType,
        taken: &Domain,
        options: &Concurrency,
    ) -> Result<Elements, String> {
        let words = |fault: &dyn Display| fault.to_string();
        let subset = subset(taken).ok_or("the number of dimensions is different")?;
        let bytes: ArrayBytes<'static> = self
            .array
            .retrieve_array_subset_opt(&subset, options)
            .map_err(|it| words(&it))?;
        let bytes = bytes.into_fixed().map_err(|it| words(&it))?;
        let bytes = to_little(data_type, bytes).into_owned();
        Elements::new(data_type, taken.shape().to_vec(), bytes).map_err(|it| words(&it))
    }

    /// Returns the error of the first chunk of a region that cannot be read by itself.
    fn unreadable_chunk(&self, taken: &Domain, options: &Concurrency) -> Option<Error> {
        let folder = self.folder.as_ref()?;
        let taken = subset(taken)?;
        let chunks = self.array.chunks_in_array_subset(&taken).ok()??;
        chunks.indices().into_iter().find_map(|chunk| {
            let own = self.array.chunk_subset(&chunk).ok()?.overlap(&taken).ok()?;
            let read: Result<ArrayBytes<'static>, ArrayError> =
                self.array.retrieve_array_subset_opt(&own, options);
            let fault = read.err()?;
            Some(Error::of_chunk(folder, &self.key(&chunk), fault))
        })
    }
}

/// Returns the bytes of a key of a store, if it exists.
pub(crate) fn get(store: &ReadableStorage, key: &str) -> Result<Option<Vec<u8>>, String> {
    let key = StoreKey::new(key).map_err(|fault| fault.to_string())?;
    let found = store.get(&key).map_err(|fault| fault.to_string())?;
    Ok(found.map(|bytes| bytes.to_vec()))
}

/// Returns the positions of a box in the form of zarrs.
fn subset(of: &Domain) -> Option<ArraySubset> {
    let start = of.origin().iter().map(|start| start.cast_unsigned());
    ArraySubset::new_with_start_shape(start.collect(), of.shape().to_vec()).ok()
}
