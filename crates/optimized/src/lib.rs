//! The fast implementations, with the same signatures as the reference.
