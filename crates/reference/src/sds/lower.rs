//! A scaling as other conventions write it (sds.lower).

use exactum_exact::Exact;
use exactum_model::sds::Scaling;
use exactum_model::{Reason, Rejection};

use super::element::round_real;
use super::scale::binary64;

/// The numbers of FITS, CF and the Zarr codec `scale_offset`: binary64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// `BSCALE` and `scale_factor`: 1 / SCALE.
    pub factor: u64,
    /// `BZERO`, `add_offset` and the `offset` of `scale_offset`: -OFFSET / SCALE.
    pub zero: u64,
    /// The `scale` of `scale_offset`: SCALE itself.
    pub scale: u64,
    /// Whether the factor was not rounded.
    pub factor_is_exact: bool,
    /// Whether the zero was not rounded.
    pub zero_is_exact: bool,
}

/// Lowers a scaling; unset attributes count with their defaults (sds.2.3).
///
/// # Errors
/// [`Reason::Scaling`] where a number lies beyond binary64.
pub fn lower(scaling: Scaling) -> Result<Lowered, Rejection> {
    let (scale, offset) = scaling.effective();
    let read = |bits| Exact::from_bits(&binary64(), bits);
    let zero_of = |value: Exact| match value {
        // There is one zero here: the sign of the OFFSET's own means nothing.
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
    let Some(bits) = round_real(value, exactum_model::sds::SdsType::R8) else {
        return Err(Rejection::new(
            Reason::Scaling,
            "sds.lower",
            format!("{what} is no finite double"),
        ));
    };
    let back = Exact::from_bits(&binary64(), bits);
    Ok((
        bits,
        back.compare(value).is_some_and(std::cmp::Ordering::is_eq),
    ))
}
