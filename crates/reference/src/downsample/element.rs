//! Elements in the form that the methods use.

use exactum_exact::Exact;

/// An element of a block.
pub struct Element {
    /// The exact values of its parts.
    pub values: Vec<Exact>,
    /// Their bits.
    pub bits: Vec<u64>,
}
