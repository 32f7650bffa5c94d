//! The pieces of the higher levels that are made together with a region of level 1, if all levels are made from the
//! array. The part of the array on which they depend is then read only once for all levels.
//!
//! A file of such pieces is written before its region is recorded, and is removed with the journal. If it
//! does not exist, as after a run of an older version of this program, the pieces are made from the array.

use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::PathBuf;

use exactum_model::{Array, Domain};

use crate::error::Error;
use crate::output::Writer;
use crate::plan::{Plan, usize_of};
use crate::regular::open_regular;

/// The pieces of a pyramid.
pub(crate) struct Pieces<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) writer: &'a Writer,
}

impl Pieces<'_> {
    /// Returns the elements of a level that belong to a region of level 1.
    pub(crate) fn extent(&self, level: usize, first: u64) -> Domain {
        let region = self.plan.levels[1].region(first);
        self.plan.above(level, &self.plan.extent(1, &region))
    }

    /// Returns the number of bytes of a piece.
    fn size(&self, level: usize, first: u64) -> u64 {
        let extent = self.extent(level, first);
        Array::bytes_of(self.plan.data_type, extent.shape()).unwrap_or(u64::MAX)
    }

    /// Allocates the pieces of all levels.
    pub(crate) fn room(&self, first: u64) -> Vec<Vec<u8>> {
        let sizes = (2..=self.plan.pass).map(|level| self.size(level, first));
        sizes.map(|size| vec![0; usize_of(size)]).collect()
    }

    fn file(&self, first: u64) -> PathBuf {
        // Subfolders limit the number of files in one folder.
        let folder = self.writer.scratch.join("pieces");
        folder
            .join((first / 1024).to_string())
            .join(first.to_string())
    }

    /// Writes the pieces of all levels.
    pub(crate) fn put(&self, first: u64, pieces: &[Vec<u8>]) -> Result<(), Error> {
        self.writer.put(&self.file(first), &pieces.concat())
    }

    /// Returns a piece, if it exists.
    pub(crate) fn get(&self, level: usize, first: u64) -> Result<Option<Vec<u8>>, Error> {
        let path = self.file(first);
        let fault = |fault: std::io::Error| Error::of_io(&path, fault);
        let mut file = match open_regular(&path) {
            Ok(file) => file,
            Err(fault) if fault.kind() == ErrorKind::NotFound => return Ok(None),
            Err(it) => return Err(fault(it)),
        };
        let size = |level| self.size(level, first);
        let all: u64 = (2..=self.plan.pass).map(size).sum();
        if file.metadata().map_err(fault)?.len() != all {
            return Ok(None);
        }
        let start = (2..level).map(size).sum();
        file.seek(SeekFrom::Start(start)).map_err(fault)?;
        let mut piece = vec![0; usize_of(size(level))];
        file.read_exact(&mut piece).map_err(fault)?;
        Ok(Some(piece))
    }
}
