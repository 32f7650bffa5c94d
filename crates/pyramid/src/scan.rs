//! An array that is read from one end to the other.

use std::path::Path;

use exactum_model::{Array, DataType, Domain};
use exactum_zarrs_plugins::Registration;
use zarrs::array::CodecOptions;

use crate::error::Error;
use crate::input::Input;
use crate::stored::Stored;
use crate::tiles::tiles;

/// Bytes of a piece that are too many to be held.
const MOST: u64 = 4 << 30;

/// An array of a folder, of which a piece at a time is read.
///
/// Memory does not grow with the array: a piece has 32 MiB, unless what can be read by itself (a chunk, or one inside a
/// shard) has more. What was never written has the fill value.
///
/// ```no_run
/// use std::path::Path;
///
/// use exactum_pyramid::Scan;
///
/// let scan = Scan::open(Path::new("temperatures.zarr"))?;
/// let mut elements = 0;
/// for piece in scan.pieces() {
///     elements += piece?.len();
/// }
/// println!("{elements} elements of {}", scan.data_type());
/// # Ok::<(), exactum_pyramid::Error>(())
/// ```
#[derive(Debug)]
pub struct Scan {
    input: Input,
    /// How many chunks there are along each dimension.
    grid: Domain,
    stored: Stored,
    /// The codecs and data types of ours, as long as the array is open.
    _registration: Registration,
}

impl Scan {
    /// Opens the array in `folder`, a folder of Zarr 3, or the first level of an image of OME-Zarr 0.5 there.
    ///
    /// # Errors
    /// When there is none that can be read.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let registration = exactum_zarrs_plugins::register();
        let input = Input::find(folder)?;
        // Positions have 63 bits, and with those of the array its chunks are counted.
        Domain::of_shape(&input.shape).map_err(|fault| Error::Input(fault.to_string()))?;
        let grid: Vec<u64> = std::iter::zip(&input.shape, &input.chunk_shape)
            .map(|(extent, chunk)| extent.div_ceil(*chunk))
            .collect();
        Ok(Self {
            grid: Domain::of_shape(&grid).map_err(|fault| Error::Input(fault.to_string()))?,
            stored: Stored::open(&registration, &input.folder)?,
            input,
            _registration: registration,
        })
    }

    /// The data type.
    #[must_use]
    pub fn data_type(&self) -> DataType {
        self.input.data_type
    }

    /// The extents.
    #[must_use]
    pub fn shape(&self) -> &[u64] {
        &self.input.shape
    }

    /// Every element once, in pieces that are parts of chunks, chunk after chunk in C order.
    ///
    /// A piece that cannot be read is an error, and so is one of more than 4 GiB.
    pub fn pieces(&self) -> impl Iterator<Item = Result<Array, Error>> + '_ {
        let factors = vec![1; self.input.shape.len()];
        let width = self.data_type().element_bytes() as u64;
        let regions = self.grid.positions().map(|chunk| self.region(&chunk));
        regions
            .flat_map(move |region| tiles(&region, &factors, &self.input.readable, width))
            .map(|tile| self.piece(&tile))
    }

    /// The elements of a chunk that the array has.
    fn region(&self, chunk: &[i64]) -> Domain {
        let Input {
            shape, chunk_shape, ..
        } = &self.input;
        let extents = std::iter::zip(shape, chunk_shape);
        Domain::of_intervals(
            std::iter::zip(chunk, extents).map(|(&at, (&extent, &chunk))| {
                let start = at.cast_unsigned() * chunk;
                let end = start.saturating_add(chunk).min(extent);
                start.cast_signed()..end.cast_signed()
            }),
        )
    }

    fn piece(&self, tile: &Domain) -> Result<Array, Error> {
        let size = Array::bytes_of(self.data_type(), tile.shape())
            .map_err(|fault| Error::Input(fault.to_string()))?;
        if size > MOST {
            return Err(Error::Input(format!(
                "{tile} cannot be read: its {size} bytes are in one chunk, and more than {MOST} are not read at a time"
            )));
        }
        self.stored
            .read(self.data_type(), tile, &CodecOptions::default())
    }
}
