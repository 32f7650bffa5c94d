//! Pyramids of Zarr arrays: every level an array of its own, downsampled as `spec/downsample.md` says.
//!
//! A pyramid is made by **regions**, each of which is one chunk of a level, or one shard where the array has shards. To
//! make one, the elements that it takes are read, and the whole chunk is written. Doing so again writes the same
//! bytes, so that whatever was interrupted is simply started again. What has been made is noted in a journal beside
//! the levels.
//!
//! Regions can be divided among processes on any number of machines that see the same folders ([`Part`]). Each part
//! makes the regions of a few blocks of the array, level after level, so that it never waits for another one. The
//! highest levels, which have too few regions to be divided, are made by whoever finds all that they take: that is,
//! by the part that ends last.
//!
//! Levels that are made of the array itself are made in one pass over it, as far as their blocks lie within regions of
//! level 1: whoever makes such a region makes its piece of each level above, too.
//!
//! Memory does not grow with the array. A thread holds one chunk of the output, of each level that is made in one pass
//! its piece, and a part of the input, which are 32 MiB unless a single chunk has more.
//!
//! ```no_run
//! use std::num::NonZeroUsize;
//! use std::path::Path;
//!
//! use exactum_model::Method;
//! use exactum_pyramid::{Options, Outcome, Part, Pyramid};
//!
//! let options = Options {
//!     levels: Some(4),
//!     ..Options::new(vec![1, 2, 2], Method::Mode)
//! };
//! let pyramid = Pyramid::open(Path::new("labels.zarr"), Path::new("pyramid.zarr"), &options)?;
//! let threads = NonZeroUsize::MIN;
//! let outcome = pyramid.run(Part::WHOLE, threads, &|_| ())?;
//! assert_eq!(outcome, Outcome::Complete);
//! # Ok::<(), exactum_pyramid::Error>(())
//! ```
//!
//! [`View`] opens the document of a view, reads it, and writes it as an array. [`Scan`] reads an array from one end to
//! the other in the same pieces.

mod blosc;
#[cfg(test)]
mod crash;
mod disk;
mod error;
mod gather;
mod grid;
mod input;
mod job;
mod journal;
mod kept;
mod multiscale;
mod output;
mod pack;
mod pieces;
mod place;
mod plan;
mod record;
mod region;
mod regular;
mod run;
mod scan;
mod stored;
mod tiles;
mod view;
mod write;

pub use error::{Error, FileError};
pub use job::{Outcome, Progress};
pub use journal::Seen;
pub use pack::{Compression, Pack, Packed, Packing, arrays, check};
pub use plan::{Options, Part};
pub use regular::open_regular;
pub use run::Pyramid;
pub use scan::Scan;
pub use view::View;
