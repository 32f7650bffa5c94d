//! Rounding of float32 to a float with fewer digits and a smaller range.
//!
//! No number is shifted by a distance that depends on it, for which few machines have vectors: below its normal numbers, a
//! float counts in units of its smallest subnormal number, and the last digit of a sum can be such a unit.

#![allow(
    clippy::float_cmp,
    reason = "differences of neighbouring numbers are exact"
)]

use super::mode;

/// Width of the mantissa field of a float32.
pub(super) const MANTISSA: u32 = 23;

/// The constants of a float type.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rounder {
    /// The number of bits by which the mantissa is shorter than that of a float32.
    pub(super) shift: u32,
    /// The difference of the exponent biases, shifted to its position in the code.
    pub(super) rebias: u32,
    /// The bits of the smallest normal number as a float32.
    pub(super) normal: u32,
    /// The float32 whose last place is the unit of the subnormal numbers: adding a smaller number to it rounds that number
    /// to units.
    pub(super) counts: f32,
}

impl Rounder {
    pub(super) const FLOAT16: Self = Self {
        shift: 13,
        rebias: (127 - 15) << 10,
        normal: (127 - 14) << MANTISSA,
        counts: 0.5,
    };

    /// Returns the code of the magnitude of a number, rounded in a mode as if the range had no upper end. The code of a NaN,
    /// or of an infinity, is larger than that of every number in range.
    #[inline(always)]
    pub(super) fn round<const MODE: u8>(&self, magnitude: u32, negative: bool) -> u32 {
        // The number of units, and what the sum has lost or gained.
        let number = f32::from_bits(magnitude);
        let sum = number + self.counts;
        let back = sum - self.counts;
        let nearest = sum.to_bits().wrapping_sub(self.counts.to_bits());
        let down = u32::from(back > number);
        let up = u32::from(back < number);
        let subnormal = match MODE {
            mode::TOWARDS_ZERO => nearest.wrapping_sub(down),
            mode::TOWARDS_POSITIVE if negative => nearest.wrapping_sub(down),
            mode::TOWARDS_NEGATIVE if !negative => nearest.wrapping_sub(down),
            mode::TOWARDS_POSITIVE | mode::TOWARDS_NEGATIVE => nearest.wrapping_add(up),
            mode::NEAREST_AWAY => {
                let half = self.counts * (f32::EPSILON / 2.0);
                nearest.wrapping_add(u32::from(number - back == half))
            }
            _ => nearest,
        };
        let moved =
            carry::<MODE>(magnitude, negative, self.shift).wrapping_sub(self.rebias << self.shift);
        let normal = magnitude.wrapping_add(moved) >> self.shift;
        // Magnitudes are positive numbers, which vectors can compare as signed numbers.
        if magnitude.cast_signed() < self.normal.cast_signed() {
            subnormal
        } else {
            normal
        }
    }
}

/// Returns the number whose sum with a magnitude has, above its lowest `shift` bits, the magnitude rounded in a mode.
#[inline(always)]
pub(super) fn carry<const MODE: u8>(magnitude: u32, negative: bool, shift: u32) -> u32 {
    let step = 1u32 << shift;
    match MODE {
        mode::TOWARDS_ZERO => 0,
        mode::TOWARDS_POSITIVE if negative => 0,
        mode::TOWARDS_NEGATIVE if !negative => 0,
        mode::TOWARDS_POSITIVE | mode::TOWARDS_NEGATIVE => step - 1,
        mode::NEAREST_AWAY => step >> 1,
        _ => (step >> 1)
            .wrapping_sub(1)
            .wrapping_add(magnitude >> shift & 1),
    }
}
