//! One region: the elements that it takes are read, and its chunk is written.

use std::path::{Path, PathBuf};

use exactum_model::{Array as Elements, DataType, Domain, Level, Placed, Rejection};
use exactum_optimized::downsample::View;
use exactum_zarrs_plugins::from_little;
use zarrs::array::{Array, ArrayBytes, ArrayToBytesCodecTraits as _, CodecOptions};
use zarrs::storage::ReadableStorageTraits;

use crate::error::Error;
use crate::input::{Stored, read};
use crate::output::{Writer, remove};
use crate::plan::usize_of;
use crate::tiles::tiles;

/// A level with the one that it is made of.
pub(crate) struct Making<'a> {
    pub(crate) data_type: DataType,
    pub(crate) step: &'a Level,
    /// What is read, of which shape, and what can be read of it by itself.
    pub(crate) from: &'a Stored,
    pub(crate) readable: &'a [u64],
    pub(crate) to: &'a Stored,
    pub(crate) folder: &'a Path,
    pub(crate) writer: &'a Writer,
    pub(crate) options: &'a CodecOptions,
}

/// An array whose chunks are written.
pub(crate) struct Target<'a, S: ?Sized> {
    pub(crate) array: &'a Array<S>,
    pub(crate) folder: &'a Path,
    pub(crate) writer: &'a Writer,
    pub(crate) options: &'a CodecOptions,
}

impl<S: ?Sized + ReadableStorageTraits + 'static> Target<'_, S> {
    /// Writes a chunk: `fill` gets its extents, and puts the elements that there are, as zarrs holds them, among fill
    /// values. One of fill values only has no file.
    pub(crate) fn put(
        &self,
        chunk: &[u64],
        fill: impl FnOnce(&[u64], &mut [u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let path = file(self.folder, self.array, chunk);
        let at = |fault: &dyn std::fmt::Display| Error::of_file(&path, fault);
        let (data_type, fill_value) = (self.array.data_type(), self.array.fill_value());
        let shape = self.array.chunk_shape(chunk).map_err(|fault| at(&fault))?;
        let extents: Vec<u64> = shape.iter().map(|extent| extent.get()).collect();
        let mut elements =
            filled(fill_value.as_ne_bytes(), &extents).map_err(|fault| at(&fault))?;
        fill(&extents, &mut elements)?;
        let bytes = ArrayBytes::new_flen(elements);
        if bytes.is_fill_value(fill_value) {
            return remove(&path);
        }
        let encoded = self
            .array
            .codecs()
            .encode(bytes, &shape, data_type, fill_value, self.options)
            .map_err(|fault| at(&fault))?;
        self.writer.put(&path, &encoded)
    }
}

/// A chunk of fill values, which stay where it reaches beyond the array.
fn filled(fill_value: &[u8], extents: &[u64]) -> Result<Vec<u8>, String> {
    let too_large = || format!("there is no memory for a chunk of shape {extents:?}");
    let size = extents
        .iter()
        .try_fold(fill_value.len() as u64, |size, &extent| {
            size.checked_mul(extent)
        })
        .and_then(|size| usize::try_from(size).ok())
        .ok_or_else(too_large)?;
    let mut elements = Vec::new();
    elements.try_reserve_exact(size).map_err(|_| too_large())?;
    elements.extend(fill_value.iter().copied().cycle().take(size));
    Ok(elements)
}

/// The file of a chunk.
pub(crate) fn file<S: ?Sized>(folder: &Path, array: &Array<S>, chunk: &[u64]) -> PathBuf {
    folder.join(array.chunk_key(chunk).as_str())
}

impl Making<'_> {
    /// Makes the region of these elements, which are those of a chunk.
    pub(crate) fn region(&self, chunk: &[u64], region: &Domain) -> Result<(), Error> {
        let to = Target {
            array: self.to,
            folder: self.folder,
            writer: self.writer,
            options: self.options,
        };
        to.put(chunk, |extents, elements| {
            let width = self.data_type.element_bytes();
            let pieces = tiles(region, self.step.factors(), self.readable, width as u64);
            for tile in pieces {
                let made = self.tile(&tile)?;
                scatter(&made, &tile, region.origin(), extents, width, elements);
            }
            Ok(())
        })
    }

    /// The elements of a part of the level, as zarrs holds them.
    fn tile(&self, tile: &Domain) -> Result<Vec<u8>, Error> {
        let fault = |fault: &Rejection| Error::Options(fault.to_string());
        let base = Domain::of_shape(self.from.shape()).map_err(|it| fault(&it))?;
        let taken = self.step.base(&base, tile);
        let array = read(self.from, self.data_type, &taken, self.options)?;
        let placed = Placed::new(array, taken.origin().to_vec()).map_err(|it| fault(&it))?;
        let view = View::new(&placed, self.step).map_err(|it| fault(&it))?;
        let size = Elements::bytes_of(self.data_type, tile.shape()).map_err(|it| fault(&it))?;
        let mut made = vec![0; usize_of(size)];
        view.read_into(tile, &mut made).map_err(|it| fault(&it))?;
        from_little(self.data_type, &mut made);
        Ok(made)
    }
}

/// Puts the elements of a part into those of a chunk that begins at `origin`.
pub(crate) fn scatter(
    made: &[u8],
    tile: &Domain,
    origin: &[i64],
    chunk: &[u64],
    width: usize,
    elements: &mut [u8],
) {
    let Some((&row, outer)) = tile.shape().split_last() else {
        elements.copy_from_slice(made);
        return;
    };
    let row = usize_of(row) * width;
    let starts = Domain::new(vec![0; outer.len()], outer.to_vec())
        .map(|outer| outer.positions().collect::<Vec<_>>())
        .unwrap_or_default();
    for (made, start) in made.chunks_exact(row.max(1)).zip(starts) {
        let mut at = 0;
        for (dimension, &extent) in chunk.iter().enumerate() {
            let within = tile.origin()[dimension] - origin[dimension]
                + start.get(dimension).copied().unwrap_or_default();
            at = at * extent + within.cast_unsigned();
        }
        let at = usize_of(at);
        elements[at * width..][..row].copy_from_slice(made);
    }
}
