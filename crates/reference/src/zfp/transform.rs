//! The transforms that convert a block of N-bit integers in two's complement to coefficients and back. As in that
//! arithmetic, a right shift rounds down, and a sum of more than N bits loses its upper bits.

use super::Coding;

/// The number of bits N of the integers of a block.
#[derive(Clone, Copy, Debug)]
pub struct Width(pub u32);

impl Width {
    /// Returns the N-bit integer that is congruent to a value modulo 2^N. Its bit N - 1 is its sign.
    #[must_use]
    pub fn wrap(self, value: i128) -> i128 {
        let above = 128 - self.0;
        value << above >> above
    }

    /// Returns the digits of an integer to base -2 as the bits of a number (zfp.block.negabinary).
    pub(super) fn to_negabinary(self, value: i128) -> u64 {
        let sum = (value + self.mask()) & ((1 << self.0) - 1);
        u64::try_from(sum ^ self.mask()).unwrap_or_default()
    }

    /// Returns the integer with these digits to base -2.
    pub(super) fn of_negabinary(self, digits: u64) -> i128 {
        self.wrap((i128::from(digits) ^ self.mask()) - self.mask())
    }

    /// Returns a mask with a one at every odd place. To base -2, the odd places have negative weights.
    fn mask(self) -> i128 {
        0xAAAA_AAAA_AAAA_AAAA & ((1 << self.0) - 1)
    }
}

/// A transform of four integers in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// The transform of the lossy modes, which shifts low bits out (zfp.lift.lossy).
    Lifting,
    /// The lossless transform of the mode `reversible`, which takes differences of differences
    /// (zfp.lift.reversible).
    Differences,
}

impl Transform {
    /// Transforms integers to coefficients, first along x and then along the other dimensions.
    pub(super) fn forward(
        self,
        by: &dyn Coding,
        width: Width,
        block: &mut [i128],
        dimensions: usize,
    ) {
        for axis in 0..dimensions {
            along(axis, block, |line| match self {
                Transform::Lifting => lift(by, width, line),
                Transform::Differences => difference(width, line),
            });
        }
    }

    /// Transforms coefficients back to integers, with x as the last dimension.
    pub(super) fn inverse(self, width: Width, block: &mut [i128], dimensions: usize) {
        for axis in (0..dimensions).rev() {
            along(axis, block, |line| match self {
                Transform::Lifting => unlift(width, line),
                Transform::Differences => accumulate(width, line),
            });
        }
    }
}

/// Applies a function to every row of four integers along an axis.
fn along(axis: usize, block: &mut [i128], transform: impl Fn([i128; 4]) -> [i128; 4]) {
    let stride = 1 << (2 * axis);
    for start in (0..block.len()).filter(|index| (index / stride).is_multiple_of(4)) {
        let places = [0, 1, 2, 3].map(|step| start + step * stride);
        let line = transform(places.map(|place| block[place]));
        for (place, value) in places.into_iter().zip(line) {
            block[place] = value;
        }
    }
}

fn lift(by: &dyn Coding, width: Width, [mut x, mut y, mut z, mut w]: [i128; 4]) -> [i128; 4] {
    x = by.mean(width, x + w);
    w = width.wrap(w - x);
    z = by.mean(width, z + y);
    y = width.wrap(y - z);
    x = by.mean(width, x + z);
    z = width.wrap(z - x);
    w = by.mean(width, w + y);
    y = width.wrap(y - w);
    w = width.wrap(w + (y >> 1));
    y = width.wrap(y - (w >> 1));
    [x, y, z, w]
}

fn unlift(width: Width, [mut x, mut y, mut z, mut w]: [i128; 4]) -> [i128; 4] {
    y = width.wrap(y + (w >> 1));
    w = width.wrap(w - (y >> 1));
    y = width.wrap(y + w);
    w = width.wrap(2 * w - y);
    z = width.wrap(z + x);
    x = width.wrap(2 * x - z);
    y = width.wrap(y + z);
    z = width.wrap(2 * z - y);
    w = width.wrap(w + x);
    x = width.wrap(2 * x - w);
    [x, y, z, w]
}

fn difference(width: Width, [x, y, z, w]: [i128; 4]) -> [i128; 4] {
    [x, y - x, z - 2 * y + x, w - 3 * z + 3 * y - x].map(|value| width.wrap(value))
}

fn accumulate(width: Width, [x, y, z, w]: [i128; 4]) -> [i128; 4] {
    [x, x + y, x + 2 * y + z, x + 3 * y + 3 * z + w].map(|value| width.wrap(value))
}
