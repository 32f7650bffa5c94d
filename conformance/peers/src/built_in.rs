//! The implementations that are part of this binary, by name.

use std::sync::Arc;

use exactum_conformance::{Codecs, Implementation, InProcess};

use crate::half::Half;
use crate::ours::{Optimized, Reference};
use crate::zarr_cast_value::ZarrCastValue;
use crate::zarrs::Zarrs;
use crate::zfp_rs::ZfpRs;

/// Creates an implementation.
pub type Constructor = fn() -> Arc<dyn Codecs>;

/// Returns every implementation in this process with its name on the command line.
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

/// Creates an implementation that answers requests in a separate process.
pub type Adapter = fn() -> Box<dyn Implementation>;

/// Returns the implementations in this binary that are judged as separate programs (`exactum adapter NAME`), because
/// what they register applies to a whole process.
#[must_use]
pub fn adapters() -> Vec<(&'static str, Adapter)> {
    vec![
        ("zarrs", || Box::new(Zarrs::plain())),
        ("zarrs-exactum", || Box::new(Zarrs::with_plugins())),
    ]
}

/// Returns whether an implementation is Exactum's own: it then has no expectations and offers everything.
#[must_use]
pub fn is_ours(name: &str) -> bool {
    matches!(name, "reference" | "optimized")
}

/// Returns the in-process implementation that a constructor creates.
#[must_use]
pub fn implementation(constructor: Constructor) -> Box<dyn Implementation> {
    Box::new(InProcess::new(constructor()))
}
