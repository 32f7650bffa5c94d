//! The implementations under test: in-process implementations and third-party programs.

mod built_in;
mod half;
pub mod lock;
mod ours;
pub mod random;
pub mod registry;
pub mod setup;
#[cfg(test)]
mod versions;
pub mod zarr_cast_value;
mod zarrs;
mod zarrs_exactum;
mod zfp_rs;

pub use self::built_in::{Adapter, Constructor, adapters, all, implementation, is_ours};
pub use self::half::Half;
pub use self::ours::{Optimized, Reference};
pub use self::zarr_cast_value::ZarrCastValue;
pub use self::zarrs::Zarrs;
pub use self::zfp_rs::ZfpRs;
