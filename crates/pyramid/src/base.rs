//! An array of a store, which a view is of.

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

/// The clause that says what can be opened.
const CLAUSE: &str = "downsample.document.base.stored";

/// An array of a store.
pub(crate) struct BaseArray {
    location: Location,
    pub(crate) text: String,
    array: StoredArray,
    data_type: DataType,
    domain: Domain,
    /// The extents of what can be read by itself.
    pub(crate) readable: Vec<u64>,
    /// The chunks that are stored, while that is known.
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

    /// Lists the chunks that are stored, so that no others are asked for until [`forget`](Self::forget).
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

    /// Forgets which chunks are stored: others may be written.
    pub(crate) fn forget(&self) {
        *self.listed() = None;
    }

    fn listed(&self) -> MutexGuard<'_, Option<Arc<Present>>> {
        self.present.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The chunks that are stored; `None` where they are not listed, or cannot be.
    pub(crate) fn present(&self) -> Option<Arc<Present>> {
        self.listed().clone()
    }

    /// Returns whether a chunk is stored that holds one of some elements; also where that is not known.
    pub(crate) fn has_any(&self, elements: &Domain) -> bool {
        let Some(present) = self.present() else {
            return true;
        };
        let Some(chunks) = self.array.chunks_of(elements) else {
            return true;
        };
        present.within(&chunks).next().is_some()
    }

    /// The bytes of the fill value, in the order of little endian.
    pub(crate) fn fill_value(&self) -> Vec<u8> {
        self.array.little_fill_value(self.data_type)
    }

    /// Refuses to write a folder that holds the array, or lies within it.
    pub(crate) fn require_apart(&self, output: &Path) -> Result<(), Error> {
        match self.location.store {
            Store::File => require_apart(Path::new(&self.location.path), output),
            Store::Memory => Ok(()),
        }
    }

    /// The array as it is now. One in memory is known by its document alone: it ends with its process.
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

/// The text of the `zarr.json` at a place.
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
                fault(format!("there is no array of Zarr 3 at {location}: it has no {DOCUMENT}")).help(
                    "a path that does not begin with / is below the folder that the process runs in",
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
                    "there is no array at {location}: a memory store holds what its own process has put there"
                ))
                .help("name an array of the store file")
            })
        }
    }
}
