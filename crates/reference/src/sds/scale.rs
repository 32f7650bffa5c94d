//! Attributes that a conversion determines (sds.5.6, sds.5.18 to sds.5.20), and the resulting codes.

use exactum_exact::{Exact, Finite};
use exactum_model::sds::{ONE, Scaling, Warning, Warnings};

use super::element::{binary64, nearest_away, offset_of};

/// Returns the code of a value: `value * SCALE + OFFSET`, rounded to the nearest integer (sds.2.6, sds.5.16).
pub(super) fn code(value: &Exact, scaling: Scaling) -> Option<i64> {
    let (scale, offset) = scaling.effective();
    let read = |bits| Exact::from_bits(&binary64(), bits);
    nearest_away(&value.multiply(&read(scale)).add(&read(offset)))
}

/// Returns the SCALE and OFFSET that place values between two ends in the middle of a type of `bits` bits,
/// over a span of codes (sds.5.6): `SCALE = span / D` and `OFFSET = C - SCALE * midpoint`, which are ratios
/// that are each rounded once. For a single value, SCALE stays 1 (sds.5.19). The sign of a preset SCALE is
/// kept.
pub(super) fn determine(
    [one_end, other_end]: [&Exact; 2],
    preset: Option<Exact>,
    is_signed: bool,
    bits: u32,
    span: &Exact,
) -> (Scaling, Warnings) {
    let centre = if is_signed { 0 } else { (1 << (bits - 1)) - 1 };
    let centre = Exact::integer(centre);
    let two = Exact::integer(2);
    let midpoint = one_end.add(other_end).divide(&two);
    let distance = other_end.subtract(one_end);
    let (scale, scale_bits) = if matches!(distance, Exact::Zero { .. }) {
        (Exact::integer(1), ONE)
    } else {
        let ratio = span.divide(&distance);
        let negative = preset.is_some_and(|preset| preset.is_negative());
        let ratio = if ratio.is_negative() == negative {
            ratio
        } else {
            ratio.negate()
        };
        attribute(ratio)
    };
    let offset = offset_of(&centre.subtract(&scale.multiply(&midpoint)));
    let mut warnings = conditioned(offset);
    warnings.insert(Warning::Autoscaled);
    (Scaling::of(Some(scale_bits), Some(offset)), warnings)
}

/// Returns a SCALE that is rounded to binary64, but never to zero nor beyond the greatest finite double, and
/// the number from which the OFFSET is computed: the ratio itself, unless it had to be replaced.
fn attribute(ratio: Exact) -> (Exact, u64) {
    let sign = u64::from(ratio.is_negative()) << 63;
    let bits = offset_of(&ratio);
    if bits & !sign == 0 {
        let smallest = 1 | sign;
        return (Exact::from_bits(&binary64(), smallest), smallest);
    }
    let rounded = Exact::from_bits(&binary64(), bits);
    let greatest = Exact::from_bits(&binary64(), 0x7fef_ffff_ffff_ffff);
    let capped = match (&ratio, &greatest) {
        (Exact::Finite(ratio), Exact::Finite(greatest)) => {
            Finite::cmp_magnitude(ratio, greatest).is_gt()
        }
        _ => false,
    };
    (if capped { rounded } else { ratio }, bits)
}

/// Returns the result if there is no value to determine anything from (sds.3.4).
pub(super) fn nothing() -> (Scaling, Warnings) {
    (
        Scaling::of(Some(ONE), Some(0)),
        Warnings::from([Warning::NoValidData]),
    )
}

/// Returns a warning about an OFFSET whose last place is a whole code, which is the case from 2^52 on
/// (sds.5.20).
pub(super) fn conditioned(offset: u64) -> Warnings {
    let at_least = match Exact::from_bits(&binary64(), offset) {
        Exact::Finite(offset) => offset.floor_log2() >= 52,
        _ => false,
    };
    if at_least {
        Warnings::from([Warning::OffsetIllConditioned])
    } else {
        Warnings::new()
    }
}
