//! The judged: in-process implementations and mutants.
