//! The limits on the amounts that are held, read and counted. All limits of this crate are here.

/// The number of bytes that all threads together may hold, unless a single thread needs more.
pub(crate) const RUN_BYTES: u64 = 256 << 20;

/// The number of bytes of the input that a thread holds at a time, unless a single chunk has more.
pub(crate) const PIECE_BYTES: u64 = 32 << 20;

/// The maximum number of bytes of elements, such as those of one chunk, that are held at a time.
pub(crate) const HELD_BYTES: u64 = 4 << 30;

/// The number of bytes above which a cell of a transformed view is divided.
pub(crate) const CELL_BYTES: u64 = 256 << 20;

/// The number of bytes in a chunk whose size nothing else determines.
pub(crate) const CHUNK_BYTES: u64 = 4 << 20;

/// The number of bytes that are written to a file at a time.
pub(crate) const WRITE_BYTES: usize = 1 << 18;

/// The maximum number of bytes in a document.
pub(crate) const DOCUMENT_BYTES: u64 = 64 << 20;

/// The maximum number of bytes in the plan of a journal, which holds documents of all members.
pub(crate) const PLAN_BYTES: u64 = 1 << 30;

/// The maximum number of positions of a set that are sorted at a time. Some tests have more.
pub(crate) const SORTED_POSITIONS: u64 = if cfg!(test) { 1 << 6 } else { 1 << 20 };

/// The number of elements that are compared at a time.
pub(crate) const COMPARED_ELEMENTS: usize = 1 << 12;

/// The maximum number of regions in a level. Each has a bit that records whether it was made.
pub(crate) const REGIONS: u64 = 1 << 28;

/// The maximum number of chunks along a dimension of a rectilinear grid, each of which takes a few bytes.
pub(crate) const AXIS_CHUNKS: u64 = 1 << 24;

/// The maximum number of levels above an array.
pub(crate) const LEVELS: u32 = 64;

/// The maximum number of arrays and groups in a group.
pub(crate) const MEMBERS: usize = 1 << 16;

/// The maximum number of folders that are remembered as synced.
pub(crate) const SYNCED_FOLDERS: usize = 1 << 16;

/// The maximum number of threads.
pub(crate) const THREADS: usize = 1024;
