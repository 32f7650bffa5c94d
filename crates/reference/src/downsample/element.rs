//! Elements in the form that the methods use.

use exactum_exact::Exact;

/// An element: the exact values of its parts, and their bits.
pub(super) struct Element {
    pub(super) values: Vec<Exact>,
    pub(super) bits: Vec<u64>,
}
