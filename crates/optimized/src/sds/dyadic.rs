//! Exact sums and products of doubles, for the few elements and attributes where machine arithmetic is
//! in doubt.
//!
//! A number is `± magnitude * 2^exponent`, with the magnitude in 64-bit limbs, the least significant first.
//! The inputs are doubles, so that no number grows beyond a few thousand bits.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// An exact number.
#[derive(Clone, Debug)]
pub(super) struct Dyadic {
    negative: bool,
    /// The limbs, without leading zeros; zero has none at all.
    limbs: Vec<u64>,
    exponent: i64,
}

/// A real format, by the number of bits of its significand and its least and greatest exponents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Real {
    /// The number of bits of the significand, including its leading one.
    precision: u32,
    /// The exponent of the last place of subnormal numbers.
    least: i64,
    /// The exponent of the greatest binade.
    greatest: i64,
}

/// binary64.
pub(super) const DOUBLE: Real = Real {
    precision: 53,
    least: -1074,
    greatest: 1023,
};

/// binary32.
pub(super) const SINGLE: Real = Real {
    precision: 24,
    least: -149,
    greatest: 127,
};

impl Dyadic {
    /// Returns a finite double.
    pub(super) fn of(value: f64) -> Self {
        let bits = value.to_bits();
        let field = i64::try_from(bits >> 52 & 0x7ff).unwrap_or_default();
        let fraction = bits & ((1 << 52) - 1);
        let (significand, field) = match field {
            0 => (fraction, 1),
            field => (fraction | 1 << 52, field),
        };
        Self::new(value.is_sign_negative(), vec![significand], field - 1075)
    }

    /// Returns an integer.
    pub(super) fn integer(value: i64) -> Self {
        Self::new(value < 0, vec![value.unsigned_abs()], 0)
    }

    fn new(negative: bool, mut limbs: Vec<u64>, exponent: i64) -> Self {
        while limbs.last() == Some(&0) {
            limbs.pop();
        }
        Self {
            negative,
            limbs,
            exponent,
        }
    }

    /// Returns the sign: -1, 0 or 1.
    pub(super) fn sign(&self) -> Ordering {
        match (self.limbs.is_empty(), self.negative) {
            (true, _) => Ordering::Equal,
            (false, true) => Ordering::Less,
            (false, false) => Ordering::Greater,
        }
    }

    pub(super) fn negate(mut self) -> Self {
        self.negative = !self.negative;
        self
    }

    pub(super) fn multiply(&self, other: &Self) -> Self {
        let mut product = vec![0u64; self.limbs.len() + other.limbs.len()];
        for (i, &a) in self.limbs.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &b) in other.limbs.iter().enumerate() {
                let sum = u128::from(a) * u128::from(b) + u128::from(product[i + j]) + carry;
                product[i + j] = low(sum);
                carry = sum >> 64;
            }
            product[i + other.limbs.len()] = low(carry);
        }
        Self::new(
            self.negative != other.negative,
            product,
            self.exponent + other.exponent,
        )
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        let a = shifted(&self.limbs, self.exponent - exponent);
        let b = shifted(&other.limbs, other.exponent - exponent);
        if self.negative == other.negative {
            return Self::new(self.negative, sum(&a, &b), exponent);
        }
        match compare(&a, &b) {
            Ordering::Equal => Self::new(false, Vec::new(), 0),
            Ordering::Greater => Self::new(self.negative, difference(&a, &b), exponent),
            Ordering::Less => Self::new(other.negative, difference(&b, &a), exponent),
        }
    }

    pub(super) fn subtract(&self, other: &Self) -> Self {
        self.add(&other.clone().negate())
    }

    /// Returns `self / divisor`, rounded once to nearest-even, or an infinity if it overflows. The divisor is
    /// not zero. The result is a value of the format, in a double.
    pub(super) fn divided_by(&self, divisor: &Self, format: Real) -> f64 {
        let negative = self.negative != divisor.negative;
        let signed = |magnitude: f64| if negative { -magnitude } else { magnitude };
        if self.limbs.is_empty() {
            return signed(0.0);
        }
        // Both are extended to one length, so that the quotient is between 1/2 and 2.
        let (la, lb) = (length(&self.limbs), length(&divisor.limbs));
        let common = la.max(lb);
        let mut rest = shifted(&self.limbs, common - la);
        let by = shifted(&divisor.limbs, common - lb);
        let mut exponent = self.exponent - divisor.exponent + la - lb;
        if compare(&rest, &by).is_lt() {
            rest = shifted(&rest, 1);
            exponent -= 1;
        }
        // The quotient is 1.xxx * 2^exponent. It gets as many bits as the format has there, and one more.
        let last = (exponent + 1 - i64::from(format.precision)).max(format.least);
        let wanted = exponent - last + 2;
        if wanted < 1 {
            // It is below half of the least number.
            return signed(0.0);
        }
        let mut quotient = 0u64;
        for _ in 0..wanted {
            quotient <<= 1;
            if compare(&rest, &by).is_ge() {
                rest = difference(&rest, &by);
                quotient |= 1;
            }
            rest = shifted(&rest, 1);
        }
        let sticky = rest.iter().any(|&limb| limb != 0);
        let half = quotient & 1 == 1;
        let mut significand = quotient >> 1;
        if half && (sticky || significand & 1 == 1) {
            significand += 1;
        }
        if significand == 0 {
            return signed(0.0);
        }
        let top = i64::from(63 - significand.leading_zeros()) + last;
        if top > format.greatest {
            return signed(f64::INFINITY);
        }
        // A significand of at most 53 bits times a power of two that a double has: both steps are exact.
        #[expect(clippy::cast_precision_loss, reason = "at most 53 bits")]
        let significand = significand as f64;
        signed(scaled(significand, last))
    }
}

/// Returns `value * 2^exponent`, if the result is a double.
fn scaled(value: f64, exponent: i64) -> f64 {
    let power = |exponent: i64| {
        let field = u64::try_from(exponent + 1023).unwrap_or_default();
        f64::from_bits(field << 52)
    };
    // Powers below 2^-1022 are applied in two steps; the first is exact because it stays normal.
    if exponent < -1022 {
        value * power(-1022) * power((exponent + 1022).max(-1022))
    } else {
        value * power(exponent)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "only the low limb is intended"
)]
fn low(value: u128) -> u64 {
    value as u64
}

fn length(limbs: &[u64]) -> i64 {
    let bits = limbs.len() * 64 - limbs.last().map_or(0, |limb| limb.leading_zeros() as usize);
    i64::try_from(bits).unwrap_or(i64::MAX)
}

/// Returns the limbs times `2^by`; `by` is not negative.
fn shifted(limbs: &[u64], by: i64) -> Vec<u64> {
    let by = usize::try_from(by).unwrap_or_default();
    let (whole, bits) = (by / 64, by % 64);
    let mut result = vec![0; whole];
    let mut carry = 0;
    for &limb in limbs {
        let wide = u128::from(limb) << bits;
        result.push(low(wide) | carry);
        carry = low(wide >> 64);
    }
    result.push(carry);
    while result.last() == Some(&0) {
        result.pop();
    }
    result
}

fn compare(a: &[u64], b: &[u64]) -> Ordering {
    a.len()
        .cmp(&b.len())
        .then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut result = Vec::with_capacity(a.len().max(b.len()) + 1);
    let mut carry = false;
    for i in 0..a.len().max(b.len()) {
        let (x, y) = (limb(a, i), limb(b, i));
        let (partial, first) = x.overflowing_add(y);
        let (whole, second) = partial.overflowing_add(u64::from(carry));
        carry = first || second;
        result.push(whole);
    }
    result.push(u64::from(carry));
    result
}

/// Returns `a - b`, which is not negative.
fn difference(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut result = Vec::with_capacity(a.len());
    let mut borrow = false;
    for i in 0..a.len() {
        let (partial, first) = limb(a, i).overflowing_sub(limb(b, i));
        let (whole, second) = partial.overflowing_sub(u64::from(borrow));
        borrow = first || second;
        result.push(whole);
    }
    while result.last() == Some(&0) {
        result.pop();
    }
    result
}

fn limb(limbs: &[u64], index: usize) -> u64 {
    limbs.get(index).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The machine divides doubles with correct rounding, and so must this code.
    #[test]
    fn quotients_are_those_of_the_machine() {
        let mut state = 1u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            f64::from_bits(state ^ state >> 29)
        };
        for _ in 0..20_000 {
            let (a, b) = (next(), next());
            if !a.is_finite() || !b.is_finite() || b == 0.0 {
                continue;
            }
            let ours = Dyadic::of(a).divided_by(&Dyadic::of(b), DOUBLE);
            assert_eq!(ours.to_bits(), (a / b).to_bits(), "{a:e} / {b:e}");
        }
        for (a, b) in [
            (5e-324, 2.0),
            (1e-310, 3.0),
            (5e-324, 1.0),
            (3e-323, 2.0),
            (f64::MAX, 0.5),
        ] {
            let ours = Dyadic::of(a).divided_by(&Dyadic::of(b), DOUBLE);
            assert_eq!(ours.to_bits(), (a / b).to_bits(), "{a:e} / {b:e}");
        }
    }

    /// A sum divided by one is the rounded sum.
    #[test]
    fn singles_are_rounded_once() {
        let value = 1.0 + 2f64.powi(-24) + 2f64.powi(-53);
        let sum = Dyadic::of(1.0 + 2f64.powi(-24)).add(&Dyadic::of(2f64.powi(-53)));
        let one = Dyadic::integer(1);
        assert_eq!(sum.divided_by(&one, SINGLE), 1.0 + 2f64.powi(-23));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the test shows two roundings"
        )]
        let twice = value as f32;
        assert_eq!(twice, 1.0, "two hardware roundings lose the last bit");
    }
}
