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
//! # What is called complete
//!
//! Pyramids, views that are written, and packed arrays ([`Pack`]) are written in one way, which promises this:
//!
//! - The document that is written last stands for the whole: while it is not there, nothing is complete. It is written
//!   when every region was noted in the journal, every noted file was looked at again, and the arrays that are read were
//!   found as they were when the work began.
//! - It says what everything was made from: where each array is, seen from the output, its document, and names, sizes
//!   and times of its chunk files in a sum of hashes. A run for another array, or for one that was changed since, is
//!   refused, before and after the work is complete. A file that was replaced by one of the same size with the same time,
//!   to the nanosecond, is not noticed, and neither is an array of a memory store whose document stays the same.
//! - It says which chunk files were written, and their sizes. A run that finds the document looks at them: a file that
//!   is missing, cut off or added is an error. While the document is not there, such a region is made again.
//! - Only a file that is not there counts as missing. Any other error, such as that of a symbolic link that leads nowhere or
//!   of a file that is not a regular one, ends the run, and nothing is noted after it.
//! - A file and its name are synced before the journal says that its region is made, and everything is synced before the
//!   last document is, unless syncing is switched off. What was synced survives a crash of the machine; what was not is
//!   made again.
//! - Scratch files have names that no other process has, on any machine, and are never opened if they exist. Runs that
//!   end at the same time all succeed.
//!
//! [`View`] opens the document of a view, reads it, and writes it as an array. [`Scan`] reads an array from one end to
//! the other in the same pieces.

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
mod needed;
mod options;
mod output;
mod pack;
mod pieces;
mod place;
mod plan;
mod present;
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
pub use options::{Options, Part};
pub use pack::{Compression, Pack, Packed, Packing, arrays, check};
pub use regular::open_regular;
pub use run::Pyramid;
pub use scan::{Piece, Scan};
pub use view::View;
