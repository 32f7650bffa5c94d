//! The implementations of this binary, by name.

use std::sync::Arc;

use exactum_conformance::{Codecs, Implementation, InProcess};

use crate::half::Half;
use crate::ours::{Optimized, Reference};
use crate::zarr_cast_value::ZarrCastValue;
use crate::zarrs::Zarrs;
use crate::zfp_rs::ZfpRs;

/// Makes an implementation.
pub type Constructor = fn() -> Arc<dyn Codecs>;

/// Every implementation of this process by its name in the command.
#[must_use]
pub fn all() -> Vec<(&'static str, Constructor)> {
    vec![
        ("reference", || Arc::new(Reference)),
        ("optimized", || Arc::new(Optimized)),
        ("zarr-cast-value", || Arc::new(ZarrCastValue)),
        ("half", || Arc::new(Half)),
        ("zfp-rs", || Arc::new(ZfpRs)),
    ]
}

/// Makes what answers requests in a process of its own.
pub type Adapter = fn() -> Box<dyn Implementation>;

/// Implementations of this binary that are judged as programs of their own (`exactum adapter
/// NAME`), since what they register is registered for a whole process.
#[must_use]
pub fn adapters() -> Vec<(&'static str, Adapter)> {
    vec![
        ("zarrs", || Box::new(Zarrs::plain())),
        ("zarrs-exactum", || Box::new(Zarrs::with_plugins())),
    ]
}

/// Returns whether an implementation is ours: it then has no expectations and offers everything.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    matches!(name, "reference" | "optimized")
}

/// Returns the implementation that a constructor of this process makes.
#[must_use]
pub fn implementation(constructor: Constructor) -> Box<dyn Implementation> {
    Box::new(InProcess::new(constructor()))
}
