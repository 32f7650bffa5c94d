//! Rounding modes as constants, so that each kernel is compiled for one of them.

use exactum_model::Rounding;

pub(crate) const NEAREST_EVEN: u8 = 0;
pub(super) const TOWARDS_ZERO: u8 = 1;
pub(super) const TOWARDS_POSITIVE: u8 = 2;
pub(super) const TOWARDS_NEGATIVE: u8 = 3;
pub(super) const NEAREST_AWAY: u8 = 4;
/// Rounds towards zero, with the last digit set if anything was truncated. A value rounded in this way to a
/// format with two more digits than the target rounds to the target in any mode like the exact value
/// (cast_value.rounding.once). It is used only between kernels.
pub(super) const ODD: u8 = 5;

pub(super) const fn of(rounding: Rounding) -> u8 {
    match rounding {
        Rounding::NearestEven => NEAREST_EVEN,
        Rounding::TowardsZero => TOWARDS_ZERO,
        Rounding::TowardsPositive => TOWARDS_POSITIVE,
        Rounding::TowardsNegative => TOWARDS_NEGATIVE,
        Rounding::NearestAway => NEAREST_AWAY,
    }
}

/// Returns the rounding of a constant other than [`ODD`].
pub(super) const fn rounding(mode: u8) -> Rounding {
    match mode {
        TOWARDS_ZERO => Rounding::TowardsZero,
        TOWARDS_POSITIVE => Rounding::TowardsPositive,
        TOWARDS_NEGATIVE => Rounding::TowardsNegative,
        NEAREST_AWAY => Rounding::NearestAway,
        _ => Rounding::NearestEven,
    }
}
