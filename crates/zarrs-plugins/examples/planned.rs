//! Writes an array as `exactum plan` has planned it: PROGRAM VALUES SHAPE FOLDER
//!
//! Needs zarrs 0.23 with the feature `filesystem`, and exactum-zarrs-plugins, which has the codecs. VALUES is a file of
//! little-endian elements of float32 in C order, and SHAPE is written as 48,64. The largest error is 0.01995849609375.

use std::error::Error;
use std::sync::Arc;
use std::{env, fs};

use zarrs::array::{ArrayBytes, ArraySubset};
use zarrs::filesystem::FilesystemStore;

/// Compressors such as zstd may follow.
const CODECS: &str = r#"
[{"name":"scale_offset","configuration":{"offset":-377.8986,"scale":25.16402}},{"name":"cast_value","configuration":{"data_type":"uint16","rounding":"nearest-away","scalar_map":{"encode":[["NaN",32767]],"decode":[[32767,"NaN"]]}}},{"name":"packbits","configuration":{"last_bit":14}}]
"#;

const FILL_VALUE: &str = r#""NaN""#;

/// Writes the array of the arguments.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let mut next = || arguments.next().ok_or("PROGRAM VALUES SHAPE FOLDER");
    let (values, shape, folder) = (fs::read(next()?)?, next()?, next()?);
    write(values, &shape, &folder)?;
    Ok(())
}

/// Writes an array into a folder, and reads it back.
pub fn write(values: Vec<u8>, shape: &str, folder: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let document = format!(
        r#"{{
        "zarr_format": 3, "node_type": "array", "shape": [{shape}], "data_type": "float32",
        "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [{shape}]}}}},
        "chunk_key_encoding": {{"name": "default"}}, "fill_value": {FILL_VALUE}, "codecs": {CODECS}}}"#
    );
    fs::create_dir_all(folder)?;
    fs::write(format!("{folder}/zarr.json"), document)?;
    let plugins = exactum_zarrs_plugins::register();
    let array = plugins.open(Arc::new(FilesystemStore::new(folder)?), "/")?;
    let all = ArraySubset::new_with_shape(array.shape().to_vec());
    array.store_array_subset(&all, ArrayBytes::new_flen(values))?;
    let back: ArrayBytes<'static> = array.retrieve_array_subset(&all)?;
    Ok(back.into_fixed()?.into_owned())
}
