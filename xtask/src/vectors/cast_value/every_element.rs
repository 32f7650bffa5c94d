//! One topic for each data type of 8 bits or fewer, which lists every element and casts it to every other type.

use exactum_model::DataType;
use exactum_vectors::File;

use super::{is_core, pairs, real};
use crate::vectors::builder::ZARR_EXTENSIONS;

/// Returns the topic of a source type. Pairs within the core have topics of their own.
pub(super) fn topic(from: DataType) -> Result<File, String> {
    let mut file = File::new("cast_value", &format!("all-{from}"), ZARR_EXTENSIONS);
    let elements: Vec<u64> = (0..=from.format().component_mask()).collect();
    for to in real().filter(|&to| !is_core(from, to)) {
        pairs::add_short(&mut file, &format!("{to}-"), from, to, &elements)?;
    }
    Ok(file)
}
