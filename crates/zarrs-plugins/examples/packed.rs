//! Writes floats as packed integers, closes the array, opens it again and reads a part of it.
//!
//! `cargo run -p exactum-zarrs-plugins --example packed [FOLDER]`; without a folder the array is in
//! the folder for temporary files, and removed at the end.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zarrs::array::ArraySubset;
use zarrs::filesystem::FilesystemStore;

/// Cloud cover in eighths as 4-bit integers, two per byte; NaN, which means missing, as 15.
const DOCUMENT: &str = r#"{
  "zarr_format": 3, "node_type": "array", "shape": [4, 6], "data_type": "float64", "fill_value": "NaN",
  "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 3]}},
  "chunk_key_encoding": {"name": "default"},
  "codecs": [
    {"name": "scale_offset", "configuration": {"scale": 8}},
    {"name": "cast_value", "configuration": {"data_type": "uint4", "scalar_map": {
      "encode": [["NaN", 15]], "decode": [[15, "NaN"]]}}},
    {"name": "packbits"}]}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let kept = env::args_os().nth(1).map(PathBuf::from);
    let folder = kept
        .clone()
        .unwrap_or_else(|| env::temp_dir().join(format!("exactum-packed-{}", std::process::id())));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("zarr.json"), DOCUMENT)?;
    write(&folder)?;
    let part = read(&folder)?;
    show(&part);
    if kept.is_none() {
        fs::remove_dir_all(&folder)?;
    }
    Ok(())
}

/// Stores the first three rows.
fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    let plugins = exactum_zarrs_plugins::register();
    let array = plugins.open(Arc::new(FilesystemStore::new(folder)?), "/")?;
    let mut values: Vec<f64> = (0..18).map(|index| f64::from(index) / 17.0).collect();
    values[7] = f64::NAN;
    array.store_array_subset(&ArraySubset::new_with_ranges(&[0..3, 0..6]), &values)?;
    Ok(())
}

/// Reads the middle of the array, across all chunks.
fn read(folder: &Path) -> Result<Vec<f64>, Box<dyn Error>> {
    let plugins = exactum_zarrs_plugins::register();
    let array = plugins.open(Arc::new(FilesystemStore::new(folder)?), "/")?;
    Ok(array.retrieve_array_subset(&ArraySubset::new_with_ranges(&[1..4, 1..5]))?)
}

#[expect(clippy::print_stdout, reason = "an example shows its result")]
fn show(part: &[f64]) {
    for row in part.chunks(4) {
        println!("{row:?}");
    }
}
