//! One topic a data type of 8 bits and less: every element, written out, into every other type.

use exactum_model::DataType;
use exactum_vectors::File;

use super::{is_core, pairs, real};
use crate::vectors::builder::ZARR_EXTENSIONS;

/// The topic of a source. Pairs within the core have topics of their own.
pub(super) fn topic(from: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", &format!("all-{from}"), ZARR_EXTENSIONS);
    let elements: Vec<u64> = (0..=from.format().component_mask()).collect();
    for to in real().filter(|&to| !is_core(from, to)) {
        pairs::add_short(&mut file, &format!("{to}-"), from, to, &elements)?;
    }
    Ok(file)
}
