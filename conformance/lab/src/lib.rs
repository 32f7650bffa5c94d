//! The laboratory: how fast implementations are, and what happens to them at random. The binary
//! `exactum-lab` runs it for `cargo xtask`; nothing that is installed needs it.
#![forbid(unsafe_code)]

pub mod bench;
pub mod fuzz;
