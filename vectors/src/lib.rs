//! Reads and lints the golden vectors beside it.
