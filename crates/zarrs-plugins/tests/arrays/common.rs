//! Arrays on a file system, made from their documents.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exactum_zarrs_plugins::{OpenError, Registration, register};
use zarrs::array::{Array, ArraySubset};
use zarrs::filesystem::FilesystemStore;

/// An array, and the values that keep it alive.
pub(crate) struct Opened {
    pub(crate) array: Array<FilesystemStore>,
    _registration: Registration,
    pub(crate) folder: PathBuf,
}

/// The document of an array. The codecs and the fill value are JSON.
pub(crate) struct Document<'a> {
    pub(crate) data_type: &'a str,
    pub(crate) fill_value: &'a str,
    pub(crate) shape: &'a [u64],
    pub(crate) chunk_shape: &'a [u64],
    pub(crate) codecs: &'a str,
}

impl Document<'_> {
    pub(crate) fn text(&self) -> String {
        format!(
            r#"{{"zarr_format": 3, "node_type": "array", "data_type": "{}", "fill_value": {},
 "shape": {:?}, "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {:?}}}}},
 "chunk_key_encoding": {{"name": "default"}}, "codecs": {}}}"#,
            self.data_type, self.fill_value, self.shape, self.chunk_shape, self.codecs
        )
    }
}

/// Returns a part of a one-dimensional array.
pub(crate) fn part(range: Range<u64>) -> ArraySubset {
    ArraySubset::new_with_ranges(std::slice::from_ref(&range))
}

/// Creates a new folder for the array of a test, under the target folder.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("arrays")
        .join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("a folder of the test");
    }
    fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// Writes a document unchanged.
pub(crate) fn write(folder: &Path, text: &str) {
    fs::write(folder.join("zarr.json"), text).expect("the target folder is writable");
}

/// Opens the array of a folder.
pub(crate) fn try_open(folder: &Path) -> Result<Opened, OpenError> {
    let registration = register();
    let store = Arc::new(FilesystemStore::new(folder).expect("a folder"));
    Ok(Opened {
        array: registration.open(store, "/")?,
        _registration: registration,
        folder: folder.to_owned(),
    })
}

/// Makes an array, or returns why it cannot be made.
pub(crate) fn try_create(name: &str, document: &Document<'_>) -> Result<Opened, OpenError> {
    let folder = folder(name);
    write(&folder, &document.text());
    try_open(&folder)
}

/// Makes an array.
pub(crate) fn create(name: &str, document: &Document<'_>) -> Opened {
    try_create(name, document).unwrap_or_else(|error| panic!("{name}: {error}"))
}

impl Opened {
    /// Closes the array and opens it again.
    pub(crate) fn reopen(self) -> Self {
        let folder = self.folder.clone();
        drop(self);
        try_open(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
    }

    /// Returns the stored bytes of a chunk as hex, or `None` if it does not exist.
    pub(crate) fn stored(&self, chunk: &str) -> Option<String> {
        let bytes = fs::read(self.folder.join("c").join(chunk)).ok()?;
        Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
