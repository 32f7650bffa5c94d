//! A scaling in the notation of other conventions (sds.lower).

use exactum_model::sds::{Lowered, Scaling};
use exactum_model::{Reason, Rejection};

use super::dyadic::{DOUBLE, Dyadic};
use super::line::Line;

/// Lowers a scaling; unset attributes have their defaults (sds.2.3).
///
/// # Errors
/// [`Reason::Scaling`] if a number is out of the range of binary64.
///
/// ```
/// use exactum_optimized::model::sds::Scaling;
/// use exactum_optimized::sds;
///
/// let lowered = sds::lower(Scaling::of(Some(2.0_f64.to_bits()), Some(3.0_f64.to_bits())))?;
/// assert_eq!(f64::from_bits(lowered.factor), 0.5);
/// assert_eq!(f64::from_bits(lowered.zero), -1.5);
/// assert!(lowered.factor_is_exact && lowered.zero_is_exact);
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn lower(scaling: Scaling) -> Result<Lowered, Rejection> {
    let Line { scale, offset } = Line::new(scaling);
    let divisor = Dyadic::of(scale);
    let attribute = |numerator: f64, what: &str| {
        let exact = Dyadic::of(numerator);
        // Only one zero is used here.
        let result = exact.divided_by(&divisor, DOUBLE) + 0.0;
        if !result.is_finite() {
            let message = format!("{what} is not a finite double");
            return Err(Rejection::new(Reason::Scaling, "sds.lower", message));
        }
        let back = Dyadic::of(result).multiply(&divisor);
        Ok((result.to_bits(), back.subtract(&exact).sign().is_eq()))
    };
    let (factor, factor_is_exact) = attribute(1.0, "1 / SCALE")?;
    let (zero, zero_is_exact) = attribute(-offset, "-OFFSET / SCALE")?;
    Ok(Lowered {
        factor,
        zero,
        scale: scale.to_bits(),
        factor_is_exact,
        zero_is_exact,
    })
}
