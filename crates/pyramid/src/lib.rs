#![doc = include_str!("../README.md")]

mod base;
mod budget;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod denied;
mod disk;
mod elements;
mod error;
#[cfg(test)]
#[path = "../tests/support/files.rs"]
mod files;
mod gather;
mod grid;
mod input;
mod job;
mod journal;
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
mod store;
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
