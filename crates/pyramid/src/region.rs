//! Makes one region: reads the elements on which it depends, and writes its chunk. If the levels above are
//! made from the array too, also makes their pieces from the same elements.

use std::path::Path;

use exactum_model::{Array as Elements, DataType, Domain, Level, Placed, Source};
use exactum_optimized::downsample::View;
use exactum_zarrs_plugins::from_little;

use crate::elements::{filled, scatter};
use crate::error::Error;
use crate::needed::Needed;
use crate::output::Writer;
use crate::pieces::Pieces;
use crate::plan::{Plan, usize_of};
use crate::store::{Concurrency, StoredArray};
use crate::tiles::tiles;

/// A level, and the level from which it is made.
pub(crate) struct RegionJob<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) needed: &'a Needed,
    pub(crate) level: usize,
    pub(crate) data_type: DataType,
    pub(crate) step: &'a Level,
    /// The source, its shape, and the shape of its parts that can be read separately.
    pub(crate) from: &'a StoredArray,
    pub(crate) readable: &'a [u64],
    pub(crate) to: &'a StoredArray,
    pub(crate) folder: &'a Path,
    pub(crate) writer: &'a Writer,
    pub(crate) options: &'a Concurrency,
}

/// An array whose chunks are written.
pub(crate) struct Target<'a> {
    pub(crate) array: &'a StoredArray,
    pub(crate) folder: &'a Path,
    pub(crate) writer: &'a Writer,
    pub(crate) options: &'a Concurrency,
}

impl Target<'_> {
    /// Writes a chunk: `fill` gets its shape, and copies the existing elements in the byte order of zarrs
    /// among fill values. Returns the size of its file; a chunk that consists only of fill values has none.
    pub(crate) fn put(
        &self,
        chunk: &[u64],
        fill: impl FnOnce(&[u64], &mut [u8]) -> Result<(), Error>,
    ) -> Result<Option<u64>, Error> {
        let path = self.array.file(self.folder, chunk);
        let at = |fault: String| Error::of_file(&path, &fault);
        let extents = self.array.extents(chunk).map_err(at)?;
        let mut elements = filled(self.array.fill_value(), &extents).map_err(at)?;
        fill(&extents, &mut elements)?;
        let encoded = self.array.encode(chunk, elements, self.options);
        let Some(encoded) = encoded.map_err(at)? else {
            self.writer.remove(&path)?;
            return Ok(None);
        };
        self.writer.put(&path, &encoded)?;
        Ok(Some(encoded.len() as u64))
    }
}

impl RegionJob<'_> {
    /// Makes the region with these elements, which are those of a chunk. Returns the size of its file, if it has one.
    pub(crate) fn region(&self, chunk: &[u64], region: &Domain) -> Result<Option<u64>, Error> {
        let to = Target {
            array: self.to,
            folder: self.folder,
            writer: self.writer,
            options: self.options,
        };
        to.put(chunk, |extents, elements| {
            let origin = region.origin();
            if self.plan.is_of_pieces(self.level) {
                self.gather(chunk, origin, extents, elements)
            } else if self.level == 1 && self.plan.pass > 1 {
                self.share(chunk, region, extents, elements)
            } else {
                self.fill(region, origin, extents, elements)
            }
        })
    }

    /// Makes a part of the level from the array, without holding more of the array at a time than the limit.
    fn fill(
        &self,
        part: &Domain,
        origin: &[i64],
        extents: &[u64],
        elements: &mut [u8],
    ) -> Result<(), Error> {
        let width = self.data_type.element_bytes();
        for tile in tiles(part, self.step.factors(), self.readable, width as u64) {
            let mut made = reduced(self.step, &self.taken(self.step, &tile)?, &tile)?;
            from_little(self.data_type, &mut made);
            scatter(&made, &tile, origin, extents, width, elements);
        }
        Ok(())
    }

    /// Does the same as [`Self::fill`] for a region of level 1, and makes the pieces of the levels above.
    fn share(
        &self,
        chunk: &[u64],
        region: &Domain,
        extents: &[u64],
        elements: &mut [u8],
    ) -> Result<(), Error> {
        let (plan, width) = (self.plan, self.data_type.element_bytes());
        let pieces = self.pieces();
        let first = plan.levels[1].number(chunk);
        let mut room = pieces.room(first);
        // The blocks of the highest level are the largest.
        let highest = plan.levels[plan.pass].step.as_ref().unwrap_or(self.step);
        let part = plan.above(plan.pass, region);
        for tile in tiles(&part, highest.factors(), self.readable, width as u64) {
            let below = plan.below(plan.pass, &tile);
            let taken = self.taken(self.step, &below)?;
            let mut made = reduced(self.step, &taken, &below)?;
            let put = |made: &[u8], at: &Domain, origin: &[i64], extents: &[u64], to: &mut [u8]| {
                let mut native = made.to_vec();
                from_little(self.data_type, &mut native);
                scatter(&native, at, origin, extents, width, to);
            };
            put(&made, &below, region.origin(), extents, elements);
            for (level, piece) in (2..).zip(&mut room) {
                let tile = plan.above(level, &below);
                let step = plan.levels[level].step.as_ref().unwrap_or(self.step);
                made = match step.method().composes() {
                    true => {
                        let before = plan.above(level - 1, &below);
                        let step = plan.between(level)?;
                        reduced(&step, &self.placed(&before, made)?, &tile)?
                    }
                    false => reduced(step, &taken, &tile)?,
                };
                let whole = pieces.extent(level, first);
                put(&made, &tile, whole.origin(), whole.shape(), piece);
            }
        }
        pieces.put(first, &room)
    }

    /// Assembles a region from its pieces.
    fn gather(
        &self,
        chunk: &[u64],
        origin: &[i64],
        extents: &[u64],
        elements: &mut [u8],
    ) -> Result<(), Error> {
        let pieces = self.pieces();
        let width = self.data_type.element_bytes();
        for first in self.plan.inputs(self.level, chunk) {
            // The piece consists only of fill values, which are already in place.
            if !self.needed.has(1, first) {
                continue;
            }
            let part = pieces.extent(self.level, first);
            match pieces.get(self.level, first)? {
                Some(piece) => scatter(&piece, &part, origin, extents, width, elements),
                None => self.fill(&part, origin, extents, elements)?,
            }
        }
        Ok(())
    }

    fn pieces(&self) -> Pieces<'_> {
        Pieces {
            plan: self.plan,
            writer: self.writer,
        }
    }

    /// Returns the elements from which a part of a level is made.
    fn taken(&self, step: &Level, part: &Domain) -> Result<Placed, Error> {
        let base = Domain::of_shape(self.from.shape())?;
        let taken = step.base(&base, part);
        let source = self.plan.source(self.level);
        let array = match self.needed.has_any(self.plan, source, &taken) {
            true => self.from.read(self.data_type, &taken, self.options)?,
            false => self.unwritten(&taken)?,
        };
        Placed::new(array, taken.origin().to_vec()).map_err(Error::from)
    }

    /// Returns elements that were never written.
    fn unwritten(&self, taken: &Domain) -> Result<Elements, Error> {
        let fill_value = self.from.little_fill_value(self.data_type);
        let elements = filled(&fill_value, taken.shape()).map_err(Error::Input)?;
        Elements::new(self.data_type, taken.shape().to_vec(), elements).map_err(Error::from)
    }

    fn placed(&self, at: &Domain, bytes: Vec<u8>) -> Result<Placed, Error> {
        Elements::new(self.data_type, at.shape().to_vec(), bytes)
            .and_then(|array| Placed::new(array, at.origin().to_vec()))
            .map_err(Error::from)
    }
}

/// Returns the elements of a part of a level.
fn reduced(step: &Level, of: &dyn Source, part: &Domain) -> Result<Vec<u8>, Error> {
    let view = View::new(of, step)?;
    let size = Elements::bytes_of(of.data_type(), part.shape())?;
    let mut made = vec![0; usize_of(size)];
    view.read_into(part, &mut made)?;
    Ok(made)
}
