//! Exact numbers: the exact value of every element, decimal literals, and the only rounding function.
//!
//! All computation is integer arithmetic on `BigUint`. Hardware floats are not used, because each of their
//! operations rounds. A value therefore stays exact until [`round`] rounds it, once.
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
