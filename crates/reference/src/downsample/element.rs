//! Elements of blocks, in the form that the methods use.

use exactum_exact::Exact;

/// An element of a block.
pub struct Element {
    /// The exact values of the element's components.
    pub values: Vec<Exact>,
    /// The bits of the element's components.
    pub bits: Vec<u64>,
}
