//! Natural numbers of any size.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Add, Div, Mul, Rem, Shl, Shr, Sub};

use num_bigint::BigUint;

/// A natural number of any size. One below 2^128, as nearly every number here is, needs no memory of its own.
///
/// As with all natural numbers, a difference must not be negative, and a divisor must not be zero: these operations panic.
///
/// ```
/// use exactum_exact::Natural;
///
/// let power = Natural::from(1u32) << 200;
/// assert_eq!((&power + &Natural::from(7u32)) % &power, 7u32.into());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Natural(Digits);

/// A number below 2^128 is never long, so that the derived comparisons compare numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Digits {
    Short(u128),
    Long(BigUint),
}

use Digits::{Long, Short};

impl Natural {
    /// Returns `10^power`, or 1 if the power is negative.
    #[must_use]
    pub fn power_of_ten(power: i64) -> Self {
        let power = u32::try_from(power).unwrap_or(0);
        match 10u128.checked_pow(power) {
            Some(short) => short.into(),
            None => BigUint::from(10u32).pow(power).into(),
        }
    }

    /// Returns the number of binary digits. Zero has none.
    #[must_use]
    pub fn bits(&self) -> u64 {
        match &self.0 {
            Short(number) => (u128::BITS - number.leading_zeros()).into(),
            Long(number) => number.bits(),
        }
    }

    /// Returns whether the number is odd.
    #[must_use]
    pub fn is_odd(&self) -> bool {
        self.low_bits() & 1 == 1
    }

    /// Returns the number modulo 2^64.
    #[must_use]
    pub fn low_bits(&self) -> u64 {
        match &self.0 {
            Short(number) => u64::try_from(number & u128::from(u64::MAX)).unwrap_or(0),
            Long(number) => number.iter_u64_digits().next().unwrap_or(0),
        }
    }

    /// Returns the number, or `None` if it is not below 2^64.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        self.to_u128().and_then(|number| number.try_into().ok())
    }

    /// Returns the number, or `None` if it is not below 2^128.
    #[must_use]
    pub fn to_u128(&self) -> Option<u128> {
        match self.0 {
            Short(number) => Some(number),
            Long(_) => None,
        }
    }

    fn long(&self) -> Cow<'_, BigUint> {
        match &self.0 {
            Short(number) => Cow::Owned((*number).into()),
            Long(number) => Cow::Borrowed(number),
        }
    }
}

impl Default for Natural {
    fn default() -> Self {
        Natural(Short(0))
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Short(number) => number.fmt(f),
            Long(number) => number.fmt(f),
        }
    }
}

impl From<BigUint> for Natural {
    fn from(number: BigUint) -> Self {
        Natural(match u128::try_from(&number) {
            Ok(short) => Short(short),
            Err(_) => Long(number),
        })
    }
}

macro_rules! from {
    ($($number:ty)*) => {$(
        impl From<$number> for Natural {
            fn from(number: $number) -> Self {
                Natural(Short(number.into()))
            }
        }
    )*};
}
from!(u32 u64 u128);

macro_rules! operations {
    ($($operation:ident $method:ident $checked:ident;)*) => {$(
        impl $operation<&Natural> for &Natural {
            type Output = Natural;

            fn $method(self, other: &Natural) -> Natural {
                if let (Short(a), Short(b)) = (&self.0, &other.0)
                    && let Some(short) = a.$checked(*b)
                {
                    return short.into();
                }
                self.long().as_ref().$method(other.long().as_ref()).into()
            }
        }

        impl $operation<&Natural> for Natural {
            type Output = Natural;

            fn $method(self, other: &Natural) -> Natural {
                (&self).$method(other)
            }
        }
    )*};
}
operations! {
    Add add checked_add;
    Sub sub checked_sub;
    Mul mul checked_mul;
    Div div checked_div;
    Rem rem checked_rem;
}

impl Shl<u64> for &Natural {
    type Output = Natural;

    fn shl(self, places: u64) -> Natural {
        match self.0 {
            Short(number) if places <= number.leading_zeros().into() && places < 128 => {
                (number << places).into()
            }
            _ => (self.long().into_owned() << places).into(),
        }
    }
}

impl Shl<u64> for Natural {
    type Output = Natural;

    fn shl(self, places: u64) -> Natural {
        &self << places
    }
}

impl Shr<u64> for &Natural {
    type Output = Natural;

    fn shr(self, places: u64) -> Natural {
        (self.long().into_owned() >> places).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Below, at and above 2^64 and 2^128, every operation gives the number that `BigUint` gives.
    #[test]
    fn operations_agree_with_long_numbers() {
        let powers = [0u32, 1, 31, 63, 64, 65, 127, 128, 129, 200];
        let near = |power| [-1i32, 0, 1].map(|by| (BigUint::from(1u32) << power, by));
        let numbers: Vec<BigUint> = powers
            .into_iter()
            .flat_map(near)
            .map(|(power, by)| match by {
                -1 => power - 1u32,
                _ => power + by.unsigned_abs(),
            })
            .collect();
        for a in &numbers {
            let short = Natural::from(a.clone());
            assert_eq!(short.to_string(), a.to_string());
            assert_eq!(short.bits(), a.bits());
            assert_eq!(short.is_odd(), a.bit(0));
            assert_eq!(short.to_u64(), u64::try_from(a).ok());
            assert_eq!(short.low_bits(), a.iter_u64_digits().next().unwrap_or(0));
            for places in powers.map(u64::from) {
                assert_eq!(&short << places, (a << places).into());
                assert_eq!(&short >> places, (a >> places).into());
            }
            for b in &numbers {
                let other = Natural::from(b.clone());
                assert_eq!(short.cmp(&other), a.cmp(b));
                assert_eq!(&short + &other, (a + b).into());
                assert_eq!(&short * &other, (a * b).into());
                if a >= b {
                    assert_eq!(&short - &other, (a - b).into());
                }
                if b.bits() > 0 {
                    assert_eq!(&short / &other, (a / b).into());
                    assert_eq!(&short % &other, (a % b).into());
                }
            }
        }
        assert_eq!(Natural::power_of_ten(-1), 1u32.into());
        assert_eq!(
            Natural::power_of_ten(60),
            BigUint::from(10u32).pow(60).into()
        );
    }
}
