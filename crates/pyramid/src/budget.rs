//! How much is held, read and counted at most. Every limit of this crate stands here.

/// Bytes that all threads together may hold, where one alone does not take more.
pub(crate) const RUN_BYTES: u64 = 256 << 20;

/// Bytes of the input that a thread holds at a time, where a single chunk has no more.
pub(crate) const PIECE_BYTES: u64 = 32 << 20;

/// The most bytes of elements, such as those of one chunk, that are held at a time.
pub(crate) const HELD_BYTES: u64 = 4 << 30;

/// Bytes of a cell of a transformed view, above which it is divided.
pub(crate) const CELL_BYTES: u64 = 256 << 20;

/// Bytes of a chunk where nothing else says how large it is.
pub(crate) const CHUNK_BYTES: u64 = 4 << 20;

/// Bytes that are written to a file at a time.
pub(crate) const WRITE_BYTES: usize = 1 << 18;

/// The most bytes of a document that is read.
pub(crate) const DOCUMENT_BYTES: u64 = 64 << 20;

/// The most bytes of the plan in a journal, which holds documents of all members.
pub(crate) const PLAN_BYTES: u64 = 1 << 30;

/// The most positions of a set that are sorted at a time. Tests have more of them than that.
pub(crate) const SORTED_POSITIONS: u64 = if cfg!(test) { 1 << 6 } else { 1 << 20 };

/// Elements that are compared at a time.
pub(crate) const COMPARED_ELEMENTS: usize = 1 << 12;

/// The most regions of a level: which of them were made is kept in a bit each.
pub(crate) const REGIONS: u64 = 1 << 28;

/// The most chunks along a dimension of a rectilinear grid, for each of which a few bytes are held.
pub(crate) const AXIS_CHUNKS: u64 = 1 << 24;

/// The most levels above an array.
pub(crate) const LEVELS: u32 = 64;

/// The most arrays and groups of a group.
pub(crate) const MEMBERS: usize = 1 << 16;

/// The most folders that are remembered as synced.
pub(crate) const SYNCED_FOLDERS: usize = 1 << 16;

/// The most threads that are used.
pub(crate) const THREADS: usize = 1024;
