//! The laboratory: the speed of implementations, their behaviour on random input, and comparisons of the fast
//! implementation with the reference on everything that can be tried. The binary `exactum-lab` runs it for
//! `cargo xtask`; no installed program needs it.
#![forbid(unsafe_code)]

pub mod bench;
pub mod exhaustive;
pub mod fuzz;
pub mod performance;
pub mod reliability;
