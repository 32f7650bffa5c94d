//! Exact numbers: every element as an exact value, decimal literals, and the only rounding function.
//!
//! Everything is integer arithmetic on `BigUint`. No hardware float is used, so that there is no second
//! rounding to worry about: a value is exact until [`round`] rounds it, once.
#![forbid(unsafe_code)]
#![deny(clippy::as_conversions, clippy::float_arithmetic)]

mod canonical;
mod decimal;
mod literal;
mod round;
pub mod typed;
mod value;

pub use canonical::canonical;
pub use literal::{Literal, parse};
pub use round::{Rounded, clamp, round, wrap};
pub use value::{Exact, Finite};
