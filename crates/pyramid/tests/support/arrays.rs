//! Arrays in folders, whose elements are given and returned in little-endian order.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use exactum_model::{Array, DataType};
use exactum_zarrs_plugins::{from_little, register, to_little};
use serde_json::Value;
use zarrs::array::{ArrayBytes, ArraySubset};
use zarrs::filesystem::FilesystemStore;

/// Writes an array with all of its elements.
pub(crate) fn write_array(folder: &Path, document: &Value, elements: &Array) {
    let registration = register();
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join("zarr.json"), document.to_string()).expect("a document");
    let store = Arc::new(FilesystemStore::new(folder).expect("a store"));
    let array = registration.open(store, "/").expect("an array");
    let mut bytes = elements.data().to_vec();
    from_little(elements.data_type(), &mut bytes);
    let all = ArraySubset::new_with_shape(elements.shape().to_vec());
    array
        .store_array_subset(&all, ArrayBytes::new_flen(bytes))
        .expect("it is stored");
}

/// Reads all elements of an array. Bits above those of a small type are zeros.
pub(crate) fn read_array(folder: &Path, data_type: DataType) -> Array {
    let registration = register();
    let store = Arc::new(FilesystemStore::new(folder).expect("a store"));
    let array = registration.open(store, "/").expect("an array");
    let bytes: ArrayBytes<'static> = array
        .retrieve_array_subset(&array.subset_all())
        .expect("elements");
    let bytes = bytes.into_fixed().expect("of a fixed size");
    let mut bytes = to_little(data_type, bytes).into_owned();
    if data_type.element_bytes() == 1 {
        let mask = data_type.format().component_mask().to_le_bytes()[0];
        bytes.iter_mut().for_each(|byte| *byte &= mask);
    }
    Array::new(data_type, array.shape().to_vec(), bytes).expect("an array")
}
