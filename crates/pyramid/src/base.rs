//! An array of a store that is the base of a view.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use exactum_metadata::downsample::{Location, Store, Stored as At};
use exactum_model::{Array as Elements, DataType, Domain, Reason, Rejection, Source};
use exactum_zarrs_plugins::Registration;
use serde_json::{Value, json};

use crate::budget::DOCUMENT_BYTES;
use crate::error::Error;
use crate::input::DOCUMENT;
use crate::place::{require_apart, source};
use crate::present::{self, Present};
use crate::regular;
use crate::store::{ReadableStorage, StoredArray, any_threads, get};

/// The clause about the arrays that can be opened.
const CLAUSE: &str = "downsample.document.base.stored";

/// An array of a store.
pub(crate) struct BaseArray {
    location: Location,
    pub(crate) text: String,
    array: StoredArray,
    data_type: DataType,
    domain: Domain,
    /// The extents of the parts that can be read separately.
    pub(crate) readable: Vec<u64>,
    /// The stored chunks, while they are known.
    present: Mutex<Option<Arc<Present>>>,
}

impl BaseArray {
    pub(crate) fn open(
        at: &At,
        registration: &Registration,
        memory: &ReadableStorage,
    ) -> Result<Self, Error> {
        let location = &at.location;
        let fault = |fault: &dyn fmt::Display| Error::Input(format!("{location}: {fault}"));
        let bytes = document(location, memory).map_err(|it| fault(&it))?;
        let text = String::from_utf8(bytes).map_err(|it| fault(&it))?;
        let array = match location.store {
            Store::File => StoredArray::open(registration, Path::new(&location.path))?,
            Store::Memory => {
                let path = format!("/{}", location.path.trim_matches('/'));
                StoredArray::of_store(registration, memory, &path).map_err(|it| fault(&it))?
            }
        };
        Ok(Self {
            location: location.clone(),
            text,
            data_type: at.data_type,
            domain: Domain::of_shape(array.shape()).map_err(|it| fault(&it))?,
            readable: at.readable.clone(),
            present: Mutex::default(),
            array,
        })
    }

    /// Lists the stored chunks, so that no others are requested until [`forget`](Self::forget).
    pub(crate) fn list(&self) -> Result<(), Error> {
        let present = match self.location.store {
            Store::File => {
                let folder = Path::new(&self.location.path);
                Present::of(folder, &self.text, &self.array, self.array.grid())?
            }
            Store::Memory => None,
        };
        *self.listed() = present.map(Arc::new);
        Ok(())
    }

    /// Forgets which chunks are stored, because others may be written.
    pub(crate) fn forget(&self) {
        *self.listed() = None;
    }

    fn listed(&self) -> MutexGuard<'_, Option<Arc<Present>>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the stored chunks, or `None` if they are not listed or cannot be.
    pub(crate) fn present(&self) -> Option<Arc<Present>> {
        self.listed().clone()
    }

    /// Returns whether some of these elements may be in a stored chunk. Returns `true` also if the stored
    /// chunks are not known.
    pub(crate) fn has_any(&self, elements: &Domain) -> bool {
        let Some(present) = self.present() else {
            return true;
        };
        let Some(chunks) = self.array.chunks_of(elements) else {
            return true;
        };
        present.within(&chunks).next().is_some()
    }

    /// Returns the bytes of the fill value in little-endian order.
    pub(crate) fn fill_value(&self) -> Vec<u8> {
        self.array.little_fill_value(self.data_type)
    }

    /// Refuses to write to a folder that contains the array or is inside it.
    pub(crate) fn require_apart(&self, output: &Path) -> Result<(), Error> {
        match self.location.store {
            Store::File => require_apart(Path::new(&self.location.path), output),
            Store::Memory => Ok(()),
        }
    }

    /// Returns the current state of the array. An array in memory is described only by its document, because
    /// it ends with its process.
    pub(crate) fn source(&self, output: &Path) -> Result<Value, Error> {
        let folder = Path::new(&self.location.path);
        match self.location.store {
            Store::File => source(output, folder, &self.array),
            Store::Memory => Ok(json!({
                "path": self.location.to_string(),
                "document": serde_json::from_str::<Value>(&self.text).unwrap_or_default(),
            })),
        }
    }
}

impl Source for BaseArray {
    fn data_type(&self) -> DataType {
        self.data_type
    }

    fn domain(&self) -> Domain {
        self.domain.clone()
    }

    fn read(&self, region: &Domain) -> Result<Elements, Rejection> {
        self.domain.require(region)?;
        let present = self.present();
        let present = present.as_deref();
        let read = present::read(&self.array, present, self.data_type, region, &any_threads());
        read.map_err(|fault| {
            let words = match &fault {
                Error::File(fault) => fault.to_string(),
                other => format!("{}: {other}", self.location),
            };
            Rejection::new(Reason::Truncated, CLAUSE, words)
        })
    }
}

/// Returns the text of the `zarr.json` at a location.
pub(crate) fn document(
    location: &Location,
    memory: &ReadableStorage,
) -> Result<Vec<u8>, Rejection> {
    let fault = |words: String| Rejection::new(Reason::Metadata, CLAUSE, words);
    match location.store {
        Store::File => {
            let path = Path::new(&location.path).join(DOCUMENT);
            let text = regular::text(&path, DOCUMENT_BYTES);
            let text = text.map_err(|it| fault(format!("{}: {it}", path.display())))?;
            text.map(String::into_bytes).ok_or_else(|| {
                fault(format!("there is no Zarr 3 array at {location}: it has no {DOCUMENT}")).help(
                    "a path that does not begin with / is relative to the folder in which the process runs",
                )
            })
        }
        Store::Memory => {
            let key = match location.path.trim_matches('/') {
                "" => DOCUMENT.to_owned(),
                path => format!("{path}/{DOCUMENT}"),
            };
            let found = get(memory, &key).map_err(|it| fault(format!("{location}: {it}")))?;
            found.ok_or_else(|| {
                fault(format!(
                    "there is no array at {location}: a memory store holds only what its own \
                     process has put there"
                ))
                .help("use an array of the store file")
            })
        }
    }
}
