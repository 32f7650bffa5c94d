//! The laboratory: how fast implementations are, what happens to them at random, and
//! whether the fast one is right on everything that can be tried. The binary
//! `exactum-lab` runs it for `cargo xtask`; nothing that is installed needs it.
#![forbid(unsafe_code)]

pub mod bench;
pub mod exhaustive;
pub mod fuzz;
pub mod performance;
pub mod reliability;
