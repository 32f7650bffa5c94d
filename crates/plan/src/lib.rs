#![doc = include_str!("../README.md")]

mod candidates;
mod document;
pub mod number;
mod proof;
mod recipes;
mod unpacked;

pub use candidates::{
    Candidate, Layout, Request, Step, Target, candidate, candidates, keepbits, needs, targets,
};
pub use document::{Scaling, cf, cf_error, codes, document, encoding, missing};
pub use exactum_reference::analysis::Effort;
pub use proof::{
    EFFORT, Kept, Proof, Tolerance, Verdict, error_figure, fault_name, with_both_zeros,
};
pub use recipes::Library;
pub use unpacked::{of_variable, unpacked_chain};
