//! The conversion of a scaling to the notation of other conventions (sds.lower).

use exactum_exact::Exact;
use exactum_model::sds::{Lowered, Scaling, SdsType};
use exactum_model::{Reason, Rejection};

use super::element::{binary64, round_real};

/// Converts a scaling to the numbers of FITS, CF and the Zarr codec `scale_offset`. Unset attributes have their
/// defaults (sds.2.3).
///
/// # Errors
/// [`Reason::Scaling`] if a number is out of the range of binary64.
pub fn lower(scaling: Scaling) -> Result<Lowered, Rejection> {
    let (scale, offset) = scaling.effective();
    let read = |bits| Exact::from_bits(&binary64(), bits);
    let zero_of = |value: Exact| match value {
        // The sign of a zero OFFSET has no meaning, so the result is always positive zero.
        Exact::Zero { .. } => Exact::Zero { negative: false },
        value => value,
    };
    let factor = Exact::integer(1).divide(&read(scale));
    let zero = zero_of(read(offset).negate().divide(&read(scale)));
    let (factor, factor_is_exact) = attribute(&factor, "1 / SCALE")?;
    let (zero, zero_is_exact) = attribute(&zero, "-OFFSET / SCALE")?;
    Ok(Lowered {
        factor,
        zero,
        scale,
        factor_is_exact,
        zero_is_exact,
    })
}

fn attribute(value: &Exact, what: &str) -> Result<(u64, bool), Rejection> {
    let Some(bits) = round_real(value, SdsType::R8) else {
        return Err(Rejection::new(
            Reason::Scaling,
            "sds.lower",
            format!("{what} is not a finite double"),
        ));
    };
    let back = Exact::from_bits(&binary64(), bits);
    Ok((
        bits,
        back.compare(value).is_some_and(std::cmp::Ordering::is_eq),
    ))
}
