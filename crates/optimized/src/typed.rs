//! Conversions of Rust numbers. The data types are those of the slices. A conversion is planned once and can
//! be used any number of times, by several threads if necessary.

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

/// The number of elements that one thread converts at a time.
#[cfg(feature = "rayon")]
pub(crate) const SHARE: usize = 1 << 16;

/// Converts shares of the slices in parallel and returns the error of the first element at fault.
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
