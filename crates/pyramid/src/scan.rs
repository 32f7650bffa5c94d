//! Reads an array from beginning to end.

use std::path::Path;

use exactum_model::{Array, DataType, Domain};
use exactum_zarrs_plugins::Registration;

use crate::budget::HELD_BYTES;
use crate::error::Error;
use crate::input::Input;
use crate::present::Present;
use crate::store::{StoredArray, any_threads};
use crate::tiles::tiles;

/// An array in a folder that is read piece by piece.
///
/// Memory does not grow with the array: a piece has 32 MiB, unless a part that has to be read as a whole (a
/// chunk, or an inner chunk of a shard) has more. Unwritten elements have the fill value.
///
/// ```no_run
/// use std::path::Path;
///
/// use exactum_pyramid::Scan;
///
/// let scan = Scan::open(Path::new("temperatures.zarr"))?;
/// let mut elements = 0;
/// for piece in scan.pieces()? {
///     let piece = piece?;
///     elements += piece.elements.len() as u64 * piece.times;
/// }
/// println!("{elements} elements of {}", scan.data_type());
/// # Ok::<(), exactum_pyramid::Error>(())
/// ```
#[derive(Debug)]
pub struct Scan {
    input: Input,
    /// The number of chunks along each dimension.
    grid: Domain,
    stored: StoredArray,
    /// The registration of the codecs and data types of Exactum, while the array is open.
    _registration: Registration,
}

/// Some elements of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The elements.
    pub elements: Array,
    /// The number of times that each element occurs in the array: once, unless it is the fill value of
    /// unwritten elements.
    pub times: u64,
}

impl Scan {
    /// Opens the Zarr 3 array in `folder`, or the first level of an OME-Zarr 0.5 image there.
    ///
    /// # Errors
    /// If there is no array that can be read.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let registration = exactum_zarrs_plugins::register();
        let input = Input::find_of_any_grid(folder)?;
        // Positions have 63 bits, which also suffices to count the chunks.
        Domain::of_shape(&input.shape)?;
        let stored = StoredArray::open(&registration, &input.folder)?;
        Ok(Self {
            grid: Domain::of_shape(stored.grid())?,
            stored,
            input,
            _registration: registration,
        })
    }

    /// Returns the data type.
    #[must_use]
    pub fn data_type(&self) -> DataType {
        self.input.data_type
    }

    /// Returns the shape.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.input.shape
    }

    /// Returns every element. The first piece is a single fill value that stands for all unwritten elements
    /// and costs as much as one element. The elements of stored chunks follow, each once, in pieces that are
    /// parts of chunks, chunk by chunk in C order.
    ///
    /// A piece that cannot be read, or that has more than 4 GiB, is an error.
    ///
    /// # Errors
    /// If the chunks cannot be listed.
    pub fn pieces(&self) -> Result<impl Iterator<Item = Result<Piece, Error>> + '_, Error> {
        let factors = vec![1; self.input.shape.len()];
        let width = self.data_type().element_bytes() as u64;
        let chunks = self.grid.shape();
        let Input { folder, text, .. } = &self.input;
        let present = Present::of(folder, text, &self.stored, chunks)?;
        let unwritten = present.as_ref().map(|it| self.unwritten(it)).transpose()?;
        let chunks: Box<dyn Iterator<Item = Vec<u64>> + '_> = match present {
            Some(present) => {
                let chunks: Vec<Vec<u64>> = present.chunks().map(<[u64]>::to_vec).collect();
                Box::new(chunks.into_iter())
            }
            None => Box::new(self.grid.positions().map(|chunk| {
                let chunk = chunk.iter().map(|at| at.cast_unsigned());
                chunk.collect()
            })),
        };
        let stored = chunks.flat_map(move |chunk| {
            let (region, fault) = match self.stored.elements_of(&chunk) {
                Ok(region) => (Some(region), None),
                Err(fault) => (None, Some(Err(fault))),
            };
            let tiles = region.map(|it| tiles(&it, &factors, &self.input.readable, width));
            let pieces = tiles
                .into_iter()
                .flatten()
                .map(move |tile| self.piece(&tile));
            fault.into_iter().chain(pieces)
        });
        Ok(unwritten.flatten().map(Ok).into_iter().chain(stored))
    }

    /// Returns the elements that are in no stored chunk, if there are any.
    fn unwritten(&self, present: &Present) -> Result<Option<Piece>, Error> {
        let count = |extents: &[u64]| {
            extents
                .iter()
                .try_fold(1u64, |all, &it| all.checked_mul(it))
        };
        let all = count(&self.input.shape).unwrap_or(u64::MAX);
        let mut stored = 0u64;
        for chunk in present.chunks() {
            let elements = count(self.stored.elements_of(chunk)?.shape()).unwrap_or(u64::MAX);
            stored = stored.saturating_add(elements);
        }
        let times = all.saturating_sub(stored);
        if times == 0 {
            return Ok(None);
        }
        let element = self.stored.little_fill_value(self.data_type());
        let elements = Array::new(self.data_type(), vec![1], element)?;
        Ok(Some(Piece { elements, times }))
    }

    fn piece(&self, tile: &Domain) -> Result<Piece, Error> {
        let size = Array::bytes_of(self.data_type(), tile.shape())?;
        if size > HELD_BYTES {
            return Err(Error::Input(format!(
                "{tile} cannot be read: its {size} bytes are in one chunk, but more than {} GiB \
                 are not held in memory; store the array in smaller chunks, or in shards",
                HELD_BYTES >> 30
            )));
        }
        let elements = self.stored.read(self.data_type(), tile, &any_threads())?;
        Ok(Piece { elements, times: 1 })
    }
}
