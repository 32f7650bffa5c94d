//! Ratios of natural numbers of any size. They are never divided or reduced: a ratio is converted to a float or a code
//! by bisection over all candidates, each of which is compared with it by cross-multiplication.

use std::cmp::Ordering;

/// A natural number in digits of 32 bits, the lowest first. The last digit is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Natural(Vec<u32>);

impl Natural {
    fn of(value: u64) -> Self {
        let low = u32::try_from(value & 0xffff_ffff).unwrap_or(0);
        let high = u32::try_from(value >> 32).unwrap_or(0);
        Self::trimmed(vec![low, high])
    }

    fn trimmed(mut digits: Vec<u32>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Self(digits)
    }

    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Normalizes sums of digits by carrying.
    fn carried(sums: impl Iterator<Item = i128>) -> Self {
        let mut digits = Vec::new();
        let mut carry = 0_i128;
        for sum in sums {
            carry += sum;
            digits.push(u32::try_from(carry & 0xffff_ffff).unwrap_or(0));
            carry >>= 32;
        }
        while carry > 0 {
            digits.push(u32::try_from(carry & 0xffff_ffff).unwrap_or(0));
            carry >>= 32;
        }
        Self::trimmed(digits)
    }

    fn digit(&self, index: usize) -> i128 {
        self.0.get(index).copied().unwrap_or(0).into()
    }

    fn plus(&self, other: &Self) -> Self {
        let length = self.0.len().max(other.0.len());
        Self::carried((0..length).map(|index| self.digit(index) + other.digit(index)))
    }

    /// Returns the difference to a number that is not greater than this one.
    fn minus(&self, other: &Self) -> Self {
        Self::carried((0..self.0.len()).map(|index| self.digit(index) - other.digit(index)))
    }

    fn times(&self, other: &Self) -> Self {
        let length = self.0.len() + other.0.len();
        Self::carried((0..length).map(|sum| {
            let first = (sum + 1).saturating_sub(other.0.len());
            let last = (sum + 1).min(self.0.len());
            (first..last)
                .map(|index| self.digit(index) * other.digit(sum - index))
                .sum()
        }))
    }

    fn shifted(&self, bits: u32) -> Self {
        let digits = usize::try_from(bits / 32).unwrap_or(0);
        let mut whole = vec![0; digits];
        whole.extend(&self.0);
        Self::trimmed(whole).times(&Self::of(1 << (bits % 32)))
    }

    fn compare(&self, other: &Self) -> Ordering {
        let by_length = self.0.len().cmp(&other.0.len());
        by_length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

/// A rational number.
#[derive(Clone, Debug)]
pub(super) struct Ratio {
    negative: bool,
    top: Natural,
    bottom: Natural,
}

/// A binary format: the numbers of bits in its mantissa and its exponent.
#[derive(Clone, Copy)]
pub(super) struct Binary {
    mantissa: u32,
    exponent: u32,
}

pub(super) const SINGLE: Binary = Binary {
    mantissa: 23,
    exponent: 8,
};
pub(super) const DOUBLE: Binary = Binary {
    mantissa: 52,
    exponent: 11,
};

impl Binary {
    /// Returns the bits that follow those of every finite magnitude. As a number, they would be the next power of two.
    fn beyond(self) -> u64 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    /// Returns the magnitude of bits without a sign.
    fn magnitude(self, bits: u64) -> Ratio {
        let field = bits >> self.mantissa;
        let mantissa = bits & ((1 << self.mantissa) - 1);
        let (mantissa, field) = match field {
            0 => (mantissa, 1),
            field => (mantissa | 1 << self.mantissa, field),
        };
        let field = u32::try_from(field).unwrap_or(u32::MAX);
        // The power of two is the field, minus the bias and the number of mantissa bits.
        let less = (1 << (self.exponent - 1)) - 1 + self.mantissa;
        let (up, down) = (field.saturating_sub(less), less.saturating_sub(field));
        Ratio {
            negative: false,
            top: Natural::of(mantissa).shifted(up),
            bottom: Natural::of(1).shifted(down),
        }
    }
}

impl Ratio {
    pub(super) fn integer(value: i64) -> Self {
        Self {
            negative: value < 0,
            top: Natural::of(value.unsigned_abs()),
            bottom: Natural::of(1),
        }
    }

    /// Converts a finite double.
    pub(super) fn double(value: f64) -> Self {
        Self {
            negative: value.is_sign_negative() && value != 0.0,
            ..DOUBLE.magnitude(value.abs().to_bits())
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.top.is_zero()
    }

    pub(super) fn is_negative(&self) -> bool {
        self.negative && !self.is_zero()
    }

    pub(super) fn negated(&self) -> Self {
        Self {
            negative: !self.negative,
            ..self.clone()
        }
    }

    pub(super) fn magnitude(&self) -> Self {
        Self {
            negative: false,
            ..self.clone()
        }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let (one, two) = (self.top.times(&other.bottom), other.top.times(&self.bottom));
        let bottom = self.bottom.times(&other.bottom);
        let (negative, top) = match (self.negative == other.negative, one.compare(&two)) {
            (true, _) => (self.negative, one.plus(&two)),
            (false, Ordering::Less) => (other.negative, two.minus(&one)),
            (false, _) => (self.negative, one.minus(&two)),
        };
        Self {
            negative,
            top,
            bottom,
        }
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negated())
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        Self {
            negative: self.negative != other.negative,
            top: self.top.times(&other.top),
            bottom: self.bottom.times(&other.bottom),
        }
    }

    /// Returns the quotient by a number other than 0.
    pub(super) fn over(&self, other: &Self) -> Self {
        Self {
            negative: self.negative != other.negative,
            top: self.top.times(&other.bottom),
            bottom: self.bottom.times(&other.top),
        }
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let difference = self.minus(other);
        match (difference.is_zero(), difference.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    fn is_at_most(&self, other: &Self) -> bool {
        self.compare(other).is_le()
    }

    /// Returns the bits of the nearest number of a format, with ties to even, or `None` beyond its greatest number.
    pub(super) fn nearest(&self, format: Binary) -> Option<u64> {
        let magnitude = self.magnitude();
        let below = last(format.beyond(), |bits| {
            format.magnitude(bits).is_at_most(&magnitude)
        });
        let sum = format.magnitude(below).plus(&format.magnitude(below + 1));
        let twice = magnitude.plus(&magnitude);
        let up = match twice.compare(&sum) {
            Ordering::Less => 0,
            Ordering::Equal => below & 1,
            Ordering::Greater => 1,
        };
        let bits = below + up;
        let sign = u64::from(self.is_negative()) << (format.mantissa + format.exponent);
        (bits < format.beyond()).then_some(bits | sign)
    }

    /// Returns the nearest integer, with halves away from zero, or `None` from 2^40 on.
    pub(super) fn nearest_integer(&self) -> Option<i64> {
        self.nearest_integer_below(1 << 40)
    }

    /// Returns the nearest integer, with halves away from zero, or `None` from a limit on.
    pub(super) fn nearest_integer_below(&self, beyond: u64) -> Option<i64> {
        let twice = self.magnitude().plus(&self.magnitude());
        let nearest = last(beyond, |integer| {
            let integer = i64::try_from(integer).unwrap_or(i64::MAX);
            integer == 0 || Self::integer(2 * integer - 1).is_at_most(&twice)
        });
        let integer = i64::try_from(nearest).ok()?;
        let signed = if self.negative { -integer } else { integer };
        (nearest + 1 < beyond).then_some(signed)
    }
}

/// Returns the last number below a limit for which a monotonic condition holds. It must hold for 0, and must not hold
/// for any number above the first one for which it fails.
fn last(limit: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, limit);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::{DOUBLE, Ratio, SINGLE};

    #[test]
    fn floats_come_back() {
        let values = [
            0.0,
            1.0,
            -0.1,
            5e-324,
            2.2e-308,
            f64::MAX,
            -f64::MAX,
            1e300,
            8_388_608e10,
        ];
        for value in values {
            let bits = Ratio::double(value).nearest(DOUBLE);
            assert_eq!(bits, Some(value.to_bits()), "{value:e}");
            let single: f32 = format!("{value:e}").parse().expect("a number");
            let nearest = Ratio::double(value).nearest(SINGLE);
            let expected = single.is_finite().then_some(u64::from(single.to_bits()));
            assert_eq!(nearest, expected, "{value:e}");
        }
        let twice = Ratio::double(f64::MAX).times(&Ratio::integer(2));
        assert_eq!(twice.nearest(DOUBLE), None);
    }

    #[test]
    fn quotients_and_sums_are_those_of_the_machine() {
        for (a, b) in [
            (1.0, 3.0),
            (-49152.0, 65534.0),
            (1e300, 1e-8),
            (0.1, -0.7),
            (1.0, 1e16),
        ] {
            let (x, y) = (Ratio::double(a), Ratio::double(b));
            for (ratio, machine) in [
                (x.over(&y), a / b),
                (x.plus(&y), a + b),
                (x.minus(&y), a - b),
                (x.times(&y), a * b),
            ] {
                assert_eq!(ratio.nearest(DOUBLE), Some(machine.to_bits()), "{a} {b}");
            }
        }
    }

    #[test]
    fn halves_go_away_from_zero() {
        for (value, integer) in [
            (0.5, 1),
            (-0.5, -1),
            (2.5, 3),
            (-2.5, -3),
            (0.499_999_999_999_999_94, 0),
            (1.4, 1),
        ] {
            assert_eq!(
                Ratio::double(value).nearest_integer(),
                Some(integer),
                "{value}"
            );
        }
        assert_eq!(Ratio::double(1e300).nearest_integer(), None);
    }
}
