//! Elements as the methods look at them.

use exactum_exact::Exact;

/// An element of a block.
pub struct Element {
    /// The exact values of its parts.
    pub values: Vec<Exact>,
    /// Their bits.
    pub bits: Vec<u64>,
}
