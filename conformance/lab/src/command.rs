//! The subcommands, a file for each.

pub(crate) mod bench;
pub(crate) mod coverage;
pub(crate) mod exhaustive;
pub(crate) mod findings;
pub(crate) mod fuzz;
pub(crate) mod peers;
pub(crate) mod performance;
pub(crate) mod reliability;
