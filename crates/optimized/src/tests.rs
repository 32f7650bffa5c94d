//! Tests against the reference.
