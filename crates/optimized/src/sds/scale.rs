//! The attributes that a conversion determines (sds.5.5, sds.5.6, sds.5.18 to sds.5.20). They are computed
//! exactly, once for each data set.

use exactum_model::sds::{Profile, Scaling, SdsType, Warning, Warnings};

use super::dyadic::{DOUBLE, Dyadic};
use super::line::Line;

/// Returns the SCALE and OFFSET that place data in the middle three quarters of a type. The data lie on
/// `line` between two codes or, for reals, on the line of unset attributes between two values.
pub(super) fn determine(
    line: Line,
    least: &Dyadic,
    greatest: &Dyadic,
    target: SdsType,
    profile: Profile,
) -> (Scaling, Warnings) {
    let bits = target.bits(profile);
    let centre = Dyadic::integer(centre(target, profile));
    let two = Dyadic::integer(2);
    let span = Dyadic::integer(3i64 << (bits - 2));
    let own_scale = Dyadic::of(line.scale);
    let distance = greatest.subtract(least);
    // Twice the middle, relative to the point where the value is 0.
    let twice = least
        .add(greatest)
        .subtract(&Dyadic::of(line.offset).multiply(&two));

    let (scale, offset) = if distance.sign().is_eq() {
        // A single value: C - value.
        let offset = centre.multiply(&two).multiply(&own_scale).subtract(&twice);
        let offset = offset.divided_by(&two.multiply(&own_scale), DOUBLE);
        (1.0, offset)
    } else {
        let scale = span.multiply(&own_scale).divided_by(&distance, DOUBLE);
        let (limited, replaced) = limit(scale, line.scale);
        let offset = if replaced {
            // C - SCALE' * middle, the middle being a value of the line.
            let numerator = centre
                .multiply(&two)
                .multiply(&own_scale)
                .subtract(&Dyadic::of(limited).multiply(&twice));
            numerator.divided_by(&two.multiply(&own_scale), DOUBLE)
        } else {
            let numerator = centre
                .multiply(&two)
                .multiply(&distance)
                .subtract(&span.multiply(&twice));
            numerator.divided_by(&two.multiply(&distance), DOUBLE)
        };
        (limited, offset)
    };
    let offset = finite(offset);
    let mut warnings = conditioned(offset);
    warnings.insert(Warning::Autoscaled);
    (of(scale, offset), warnings)
}

/// Returns C, the code at which values are centred.
pub(super) fn centre(target: SdsType, profile: Profile) -> i64 {
    match target.is_signed() {
        true => 0,
        false => (1 << (target.bits(profile) - 1)) - 1,
    }
}

/// Returns a SCALE that is neither zero nor infinite, and whether it had to be replaced for that.
fn limit(scale: f64, sign: f64) -> (f64, bool) {
    if scale == 0.0 {
        (f64::from_bits(1).copysign(sign), true)
    } else if scale.is_infinite() {
        (f64::MAX.copysign(scale), true)
    } else {
        (scale, false)
    }
}

/// Returns an OFFSET, clamped to the finite doubles.
pub(super) fn finite(offset: f64) -> f64 {
    offset.clamp(-f64::MAX, f64::MAX)
}

/// Returns the attributes after a shift of all codes.
pub(super) fn shifted(line: Line, shift: i64) -> (Scaling, Warnings) {
    let offset = Dyadic::of(line.offset).add(&Dyadic::integer(shift));
    let offset = finite(offset.divided_by(&Dyadic::integer(1), DOUBLE));
    let mut warnings = conditioned(offset);
    warnings.insert(Warning::Recentred);
    (of(line.scale, offset), warnings)
}

/// Returns the scaling of data without any value (sds.3.4).
pub(super) fn nothing() -> (Scaling, Warnings) {
    (of(1.0, 0.0), Warnings::from([Warning::NoValidData]))
}

fn of(scale: f64, offset: f64) -> Scaling {
    // Only one zero exists: exact results have no sign of zero.
    Scaling::of(Some(scale.to_bits()), Some((offset + 0.0).to_bits()))
}

/// Returns a warning about an OFFSET whose last place is a whole code (sds.5.20).
fn conditioned(offset: f64) -> Warnings {
    if offset.abs() >= 4_503_599_627_370_496.0 {
        Warnings::from([Warning::OffsetIllConditioned])
    } else {
        Warnings::new()
    }
}
