//! Conversions of Rust's own numbers: the types come from the slices, what depends on the settings is
//! planned once, and the result is used often, also by several threads.

mod cast;
mod pack;
mod packbits;
mod zfp;

pub use cast::{Cast, CastBuilder};
pub use pack::{Pack, PackBuilder};
pub use packbits::{PackBits, PackBitsBuilder};
pub use zfp::{Zfp, ZfpBuilder};

#[cfg(feature = "rayon")]
use crate::error::Error;
#[cfg(feature = "rayon")]
use crate::lanes::Element;

/// Elements that one thread converts at a time.
#[cfg(feature = "rayon")]
pub(crate) const SHARE: usize = 1 << 16;

/// Converts shares of the slices side by side. Of all errors the one of the first element is told.
#[cfg(feature = "rayon")]
pub(crate) fn side_by_side<A: Element, B: Element>(
    input: &[A],
    output: &mut [B],
    convert: impl Fn(&[A], &mut [B]) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    use rayon::prelude::*;

    if input.len() != output.len() {
        return convert(input, output);
    }
    let shares = input.par_chunks(SHARE).zip(output.par_chunks_mut(SHARE));
    let errors = shares.enumerate().filter_map(|(share, (input, output))| {
        let error = convert(input, output).err()?;
        Some((share, error))
    });
    match errors.min_by_key(|(share, _)| *share) {
        None => Ok(()),
        Some((share, error)) => Err(error.behind(share * SHARE)),
    }
}
