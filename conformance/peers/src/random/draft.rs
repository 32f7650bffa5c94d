//! A random request before it is answered.

use serde_json::{Map, Value};

/// A request and its known properties, before it is answered.
pub(super) struct Draft {
    /// The row of the grid.
    pub(super) row: &'static str,
    /// The topic to which a vector of this kind would belong.
    pub(super) topic: String,
    /// The members of the request.
    pub(super) members: Map<String, Value>,
    /// The clauses that a result is about.
    pub(super) clauses: Vec<&'static str>,
    /// Whether each element of the input is converted by itself.
    pub(super) elementwise: bool,
}

/// Returns the members of a request from pairs.
pub(super) fn members<const N: usize>(pairs: [(&str, Value); N]) -> Map<String, Value> {
    pairs
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}
