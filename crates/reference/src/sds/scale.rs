//! The attributes that a conversion determines (sds.5.6, sds.5.18 to sds.5.20), and the codes that result.

use exactum_exact::{Exact, Finite};
use exactum_model::sds::{ONE, Scaling, Warning, Warnings};

use super::element::{binary64, nearest_away, offset_of};

/// Returns the code of a value: `value * SCALE + OFFSET`, rounded to the nearest integer (sds.2.6, sds.5.16).
pub(super) fn code(value: &Exact, scaling: Scaling) -> Option<i64> {
    let (scale, offset) = scaling.effective();
    let read = |bits| Exact::from_bits(&binary64(), bits);
    nearest_away(&value.multiply(&read(scale)).add(&read(offset)))
}

/// Returns the SCALE and OFFSET that spread the values between two ends over a span of codes in the middle of a type of
/// `bits` bits (sds.5.6). They are `SCALE = span / D` and `OFFSET = C - SCALE * midpoint`, where `D` is the distance of
/// the ends and `C` the middle code, and each is rounded once. For a single value, SCALE stays 1 (sds.5.19). SCALE has
/// the sign of a preset SCALE.
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

/// Rounds a SCALE to binary64, but neither to zero nor beyond the largest finite double. Returns the number from which
/// OFFSET is computed, and the bits of SCALE. That number is the exact ratio, unless it had to be replaced.
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

/// Returns the result if there are no values from which attributes could be determined (sds.3.4).
pub(super) fn nothing() -> (Scaling, Warnings) {
    (
        Scaling::of(Some(ONE), Some(0)),
        Warnings::from([Warning::NoValidData]),
    )
}

/// Returns a warning if the last place of an OFFSET is a whole code or more, which is the case from 2^52 on
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
