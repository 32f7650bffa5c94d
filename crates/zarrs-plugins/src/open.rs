//! Opens an array after checking everything.

use std::fmt;
use std::sync::Arc;

use exactum_metadata::document::FillValue;
use exactum_metadata::parse_array_of_any_grid;
use exactum_model::{At, Chain, Reason, Rejection};
use serde_json::Value;
use zarrs::array::{Array, ArrayCreateError, ArrayToBytesCodecTraits, ChunkShape, CodecError};
use zarrs::node::{NodePath, meta_key_v3};
use zarrs::storage::{ReadableStorageTraits, StorageError};

use crate::codec::fuse;
use crate::data_type::native;
use crate::json;
use crate::register::Registration;

/// The reason why an array was not opened.
///
/// ```
/// use std::sync::Arc;
///
/// use exactum_zarrs_plugins::{OpenError, register};
/// use zarrs::storage::store::MemoryStore;
/// use zarrs::storage::{Bytes, StoreKey, WritableStorageTraits as _};
///
/// let store = Arc::new(MemoryStore::new());
/// store.set(&StoreKey::new("zarr.json")?, Bytes::from_static(b"{\"zarr_format\": 3,}"))?;
/// let error = register().open(store, "/").err().expect("no document");
/// assert!(matches!(error, OpenError::Document(_)), "{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The document breaks a clause.
    Document(Box<Rejection>),
    /// zarrs cannot open the array.
    Create(ArrayCreateError),
    /// The codecs do not fit the data type or the fill value.
    Codec(CodecError),
    /// The store cannot be read.
    Storage(StorageError),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Document(rejection) => {
                write!(f, "{rejection}")?;
                if let Some(At::Pointer(pointer)) = &rejection.at {
                    write!(f, ", at {pointer}")?;
                }
                match &rejection.help {
                    Some(help) => write!(f, "; {help}"),
                    None => Ok(()),
                }
            }
            OpenError::Create(error) => error.fmt(f),
            OpenError::Codec(error) => error.fmt(f),
            OpenError::Storage(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {}

impl Registration {
    /// Opens an array as `Array::open` does, and checks what zarrs does not check before the first element is
    /// read or written:
    ///
    /// - that the text of `zarr.json` conforms to every clause about documents, including repeated keys,
    ///   which a parser of values can no longer see;
    /// - that no number in it has more digits than zarrs passes on to codecs, and that zarrs reads the fill value that
    ///   the text states;
    /// - that every codec accepts the data type and the fill value of its input.
    ///
    /// The first two checks apply to data types of the registry, the last one to all.
    ///
    /// Neighbouring elementwise codecs of the array then run as one, as by [`fuse`].
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open<S>(&self, storage: Arc<S>, path: &str) -> Result<Array<S>, OpenError>
    where
        S: ?Sized + ReadableStorageTraits + 'static,
    {
        let node = NodePath::new(path).map_err(|error| OpenError::Create(error.into()))?;
        let fault = |rejection| OpenError::Document(Box::new(rejection));
        let document = storage
            .get(&meta_key_v3(&node))
            .map_err(OpenError::Storage)?;
        let chain = match document {
            Some(bytes) => check_document(&bytes).map_err(fault)?,
            None => None,
        };
        let array = Array::open(storage, path).map_err(OpenError::Create)?;
        if let Some(chain) = chain {
            check_fill_value(&chain, &array).map_err(fault)?;
        }
        check_codecs(&array).map_err(OpenError::Codec)?;
        Ok(fuse(array))
    }
}

/// Checks the text of a document, and the text that zarrs makes from it. Returns nothing for a document whose
/// data type is not in the registry.
fn check_document(bytes: &[u8]) -> Result<Option<Chain>, Rejection> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        Rejection::new(
            Reason::Metadata,
            "chain.json",
            format!("zarr.json is not UTF-8: {error}"),
        )
    })?;
    let Some(chain) = chain(text)? else {
        return Ok(None);
    };
    let mut value: Value = serde_json::from_str(text).map_err(|error| {
        Rejection::new(
            Reason::Metadata,
            "chain.json",
            format!("zarrs cannot read this document: {error}"),
        )
    })?;
    // The fill value is compared after zarrs has read it.
    value["fill_value"] =
        serde_json::to_value(FillValue::new(&chain.fill_value)).unwrap_or_default();
    match self::chain(&json::text_of(&value)) {
        Ok(Some(same)) if same == chain => {}
        _ => {
            return Err(Rejection::new(
                Reason::Metadata,
                "fill_value.float.number",
                "zarrs rounds a number of this document before converting it to its data type, which \
                 changes the number",
            )
            .help("write that number in hexadecimal, or with at most 17 digits"));
        }
    }
    exactum_optimized::chain::resolve(&chain)?;
    Ok(Some(chain))
}

/// Compares the fill value in zarrs with that of the text.
fn check_fill_value<S: ?Sized>(chain: &Chain, array: &Array<S>) -> Result<(), Rejection> {
    let mut expected = chain.fill_value.to_bytes();
    native::from_little(chain.data_type, &mut expected);
    if array.fill_value().as_ne_bytes() == expected {
        return Ok(());
    }
    Err(Rejection::new(
        Reason::FillValue,
        "fill_value.float.number",
        format!(
            "zarrs reads the fill value as a {} that differs from the document",
            chain.data_type
        ),
    )
    .at_pointer("/fill_value")
    .help("write its bits in hexadecimal"))
}

/// Returns the chain of a document, or `None` if its data type is not in the registry.
fn chain(text: &str) -> Result<Option<Chain>, Rejection> {
    match parse_array_of_any_grid(text) {
        Ok(document) => Ok(Some(document.chain)),
        Err(rejection)
            if rejection.reason == Reason::UnsupportedDataType
                && rejection.at == Some(At::Pointer("/data_type".to_owned())) =>
        {
            Ok(None)
        }
        Err(rejection) => Err(rejection),
    }
}

/// Passes data type, shape and fill value through the codecs.
fn check_codecs<S: ?Sized>(array: &Array<S>) -> Result<(), CodecError> {
    let origin = vec![0; array.dimensionality()];
    let shape: ChunkShape = match array.chunk_shape(&origin) {
        Ok(shape) => shape,
        // An array without elements has no chunk.
        Err(_) => return Ok(()),
    };
    array
        .codecs()
        .encoded_representation(&shape, array.data_type(), array.fill_value())
        .map(|_| ())
}
