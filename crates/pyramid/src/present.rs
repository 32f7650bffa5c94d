//! The chunks of an array that are stored. What was never written has the fill value, and costs nothing: the folders of
//! an array are listed, and it is not asked for one chunk after another.

use std::path::Path;

use serde_json::Value;

use crate::error::Error;
use crate::record::each_chunk;
use crate::store::StoredArray;

/// The encodings of keys by which the folders of an array are listed.
const LISTED: [&str; 2] = ["default", "v2"];

/// The positions of stored chunks in the grid, in C order.
#[derive(Debug)]
pub(crate) struct Present {
    rank: usize,
    /// The coordinates of all of them, one after another.
    coordinates: Vec<u64>,
    count: usize,
}

impl Present {
    /// Lists the chunks of an array of a folder, with this document and this number of chunks along each dimension;
    /// `None` where its keys are encoded in a way that is not known here.
    ///
    /// # Errors
    /// When a folder cannot be listed: its chunks are not missing.
    pub(crate) fn of(
        folder: &Path,
        document: &str,
        array: &StoredArray,
        grid: &[u64],
    ) -> Result<Option<Self>, Error> {
        let document: Value = serde_json::from_str(document).unwrap_or_default();
        let encoding = &document["chunk_key_encoding"];
        let name = encoding.as_str().or_else(|| encoding["name"].as_str());
        if !name.is_some_and(|name| LISTED.contains(&name)) {
            return Ok(None);
        }
        let mut found = Vec::new();
        each_chunk(folder, array, grid, &mut |chunk, _, _| found.push(chunk))?;
        found.sort_unstable();
        found.dedup();
        Ok(Some(Self {
            rank: grid.len(),
            count: found.len(),
            coordinates: found.concat(),
        }))
    }

    /// The positions, in C order.
    pub(crate) fn chunks(&self) -> impl Iterator<Item = &[u64]> {
        (0..self.count).map(|at| &self.coordinates[at * self.rank..][..self.rank])
    }
}
