//! Exact values and their arithmetic.

use std::cmp::Ordering;

use exactum_model::{FloatValue, Format};
use num_bigint::BigUint;

/// The exact value of an element, or of a result before rounding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Not a number.
    Nan,
    /// An infinity.
    Infinite {
        /// Whether the infinity is negative.
        negative: bool,
    },
    /// A zero. The zero of an integer type is always positive.
    Zero {
        /// Whether the zero is negative.
        negative: bool,
    },
    /// A finite number other than zero.
    Finite(Finite),
}

/// A finite number other than zero: `± numerator / denominator * 2^exponent`.
///
/// The denominator is 1 for every element of an array; division and decimal literals produce other
/// denominators. The fraction need not be reduced, so equal values may have different fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finite {
    /// Whether the number is negative.
    pub negative: bool,
    /// The numerator, which is not zero.
    pub numerator: BigUint,
    /// The denominator, which is not zero.
    pub denominator: BigUint,
    /// The exponent of the power of two.
    pub exponent: i64,
}

/// The fractional part of a quotient.
pub(crate) struct Rest {
    /// Whether the fractional part is not zero.
    pub(crate) some: bool,
    /// The comparison of the fractional part with one half.
    pub(crate) to_half: Ordering,
}

impl Rest {
    const NOTHING: Self = Self {
        some: false,
        to_half: Ordering::Less,
    };
}

impl Finite {
    /// Returns `floor(log2(|self|))`.
    #[must_use]
    pub fn floor_log2(&self) -> i64 {
        if self.denominator.bits() == 1 {
            return self.exponent + signed(self.numerator.bits()) - 1;
        }
        let difference = signed(self.numerator.bits()) - signed(self.denominator.bits());
        // numerator / denominator is between 2^(difference - 1) and 2^(difference + 1).
        let (n, d) = shift(&self.numerator, &self.denominator, -difference);
        let below = n < d;
        self.exponent + difference - i64::from(below)
    }

    /// Divides `|self|` by `2^quantum`. Returns the integer quotient, the remainder and the divisor of the
    /// remainder.
    #[must_use]
    pub fn in_quanta(&self, quantum: i64) -> (BigUint, BigUint, BigUint) {
        let (n, d) = shift(&self.numerator, &self.denominator, self.exponent - quantum);
        let quotient = &n / &d;
        let remainder = n - &quotient * &d;
        (quotient, remainder, d)
    }

    /// Divides `|self|` by `2^quantum`. Returns the integer quotient, and how the fractional part compares with
    /// zero and with one half.
    pub(crate) fn quotient(&self, quantum: i64) -> (BigUint, Rest) {
        let by = self.exponent - quantum;
        let mut digits = self.numerator.iter_u64_digits();
        let (Some(numerator), None, 1) = (digits.next(), digits.next(), self.denominator.bits())
        else {
            let (quotient, remainder, divisor) = self.in_quanta(quantum);
            let rest = Rest {
                some: remainder.bits() != 0,
                to_half: (remainder << 1u32).cmp(&divisor),
            };
            return (quotient, rest);
        };
        // Nearly every element is an integer of at most 64 bits times a power of two.
        if by >= 0 {
            return (self.numerator.clone() << unsigned(by), Rest::NOTHING);
        }
        // After 66 places the quotient is less than a quarter, which is all that matters.
        let places = u32::try_from(-by).map_or(66, |places| places.min(66));
        let quotient = numerator.checked_shr(places).unwrap_or(0);
        let remainder = u128::from(numerator) - (u128::from(quotient) << places);
        let rest = Rest {
            some: remainder != 0,
            to_half: (remainder << 1).cmp(&(1 << places)),
        };
        (quotient.into(), rest)
    }

    /// Compares the magnitudes of two numbers.
    #[must_use]
    pub fn cmp_magnitude(&self, other: &Self) -> Ordering {
        let a = &self.numerator * &other.denominator;
        let b = &other.numerator * &self.denominator;
        let (a, b) = shift(&a, &b, self.exponent - other.exponent);
        a.cmp(&b)
    }
}

impl Exact {
    /// Returns an integer as an exact value.
    #[must_use]
    pub fn integer(value: i128) -> Self {
        if value == 0 {
            return Exact::Zero { negative: false };
        }
        Exact::Finite(Finite {
            negative: value < 0,
            numerator: value.unsigned_abs().into(),
            denominator: 1u32.into(),
            exponent: 0,
        })
    }

    /// Returns the value of one component with these bits. The value of a bool is 0 or 1.
    #[must_use]
    pub fn from_bits(format: &Format, bits: u64) -> Self {
        match format {
            Format::Bool => Exact::integer(i128::from(bits & 1)),
            Format::Integer(format) => Exact::integer(format.value(bits)),
            Format::Float(format) | Format::Complex(format) => match format.decode(bits) {
                FloatValue::Nan => Exact::Nan,
                FloatValue::Infinite { negative } => Exact::Infinite { negative },
                FloatValue::Zero { negative } => Exact::Zero { negative },
                FloatValue::Finite {
                    negative,
                    significand,
                    exponent,
                } => Exact::Finite(Finite {
                    negative,
                    numerator: significand.into(),
                    denominator: 1u32.into(),
                    exponent: exponent.into(),
                }),
            },
        }
    }

    /// Returns the same value with the opposite sign. NaN has no sign and remains NaN.
    #[must_use]
    pub fn negate(&self) -> Self {
        match self {
            Exact::Nan => Exact::Nan,
            Exact::Infinite { negative } => Exact::Infinite {
                negative: !negative,
            },
            Exact::Zero { negative } => Exact::Zero {
                negative: !negative,
            },
            Exact::Finite(finite) => Exact::Finite(Finite {
                negative: !finite.negative,
                ..finite.clone()
            }),
        }
    }

    /// Returns whether the sign is negative. NaN counts as positive.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match self {
            Exact::Nan => false,
            Exact::Infinite { negative } | Exact::Zero { negative } => *negative,
            Exact::Finite(finite) => finite.negative,
        }
    }

    /// Returns `self + other`, exactly. Infinities of opposite signs give NaN. The sign of a zero result is that
    /// of IEEE 754 under rounding to nearest: `x + -x` is `+0`, and `-0 + -0` is `-0`.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        use Exact::{Finite as F, Infinite, Nan, Zero};
        match (self, other) {
            (Nan, _) | (_, Nan) => Nan,
            (Infinite { negative: a }, Infinite { negative: b }) if a != b => Nan,
            (Infinite { .. }, _) => self.clone(),
            (_, Infinite { .. }) => other.clone(),
            (Zero { negative: a }, Zero { negative: b }) => Zero { negative: *a && *b },
            (Zero { .. }, F(_)) => other.clone(),
            (F(_), Zero { .. }) => self.clone(),
            (F(a), F(b)) => add_finite(a, b),
        }
    }

    /// Returns `self - other`, exactly.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Self {
        self.add(&other.negate())
    }

    /// Returns `self * other`, exactly. Zero times infinity gives NaN.
    #[must_use]
    pub fn multiply(&self, other: &Self) -> Self {
        use Exact::{Finite as F, Infinite, Nan, Zero};
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Nan, _)
            | (_, Nan)
            | (Infinite { .. }, Zero { .. })
            | (Zero { .. }, Infinite { .. }) => Nan,
            (Infinite { .. }, _) | (_, Infinite { .. }) => Infinite { negative },
            (Zero { .. }, _) | (_, Zero { .. }) => Zero { negative },
            (F(a), F(b)) => F(Finite {
                negative,
                numerator: &a.numerator * &b.numerator,
                denominator: &a.denominator * &b.denominator,
                exponent: a.exponent + b.exponent,
            }),
        }
    }

    /// Returns `self / other`, exactly. 0/0 and infinity/infinity give NaN, and any other number divided by zero
    /// gives an infinity.
    #[must_use]
    pub fn divide(&self, other: &Self) -> Self {
        match other {
            Exact::Nan => Exact::Nan,
            // The reciprocal of an infinity is a zero with the same sign, and vice versa.
            Exact::Infinite { negative } => self.multiply(&Exact::Zero {
                negative: *negative,
            }),
            Exact::Zero { negative } => self.multiply(&Exact::Infinite {
                negative: *negative,
            }),
            Exact::Finite(b) => self.multiply(&Exact::Finite(Finite {
                negative: b.negative,
                numerator: b.denominator.clone(),
                denominator: b.numerator.clone(),
                exponent: -b.exponent,
            })),
        }
    }

    /// Compares two numbers by value. Positive and negative zero are equal. Returns `None` if either number is
    /// NaN.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        if matches!(self, Exact::Nan) || matches!(other, Exact::Nan) {
            return None;
        }
        let rank = |value: &Exact| match value {
            Exact::Infinite { negative } => {
                if *negative {
                    -2
                } else {
                    2
                }
            }
            Exact::Finite(finite) => {
                if finite.negative {
                    -1
                } else {
                    1
                }
            }
            Exact::Zero { .. } | Exact::Nan => 0,
        };
        Some(match (self, other) {
            (Exact::Finite(a), Exact::Finite(b)) if a.negative == b.negative => {
                if a.negative {
                    b.cmp_magnitude(a)
                } else {
                    a.cmp_magnitude(b)
                }
            }
            _ => rank(self).cmp(&rank(other)),
        })
    }
}

fn add_finite(a: &Finite, b: &Finite) -> Exact {
    // With a common denominator and the smaller power of two, both are integers.
    let exponent = a.exponent.min(b.exponent);
    let scaled = |x: &Finite, other: &Finite| -> BigUint {
        (&x.numerator * &other.denominator) << unsigned(x.exponent - exponent)
    };
    let (x, y) = (scaled(a, b), scaled(b, a));
    let (negative, numerator) = match (a.negative == b.negative, x.cmp(&y)) {
        (true, _) => (a.negative, x + y),
        (false, Ordering::Greater) => (a.negative, x - y),
        (false, Ordering::Less) => (b.negative, y - x),
        (false, Ordering::Equal) => return Exact::Zero { negative: false },
    };
    let denominator = &a.denominator * &b.denominator;
    Exact::Finite(Finite {
        negative,
        numerator,
        denominator,
        exponent,
    })
}

/// Multiplies the ratio `n / d` by `2^by`. Returns the new numerator and denominator, which are still integers.
fn shift(n: &BigUint, d: &BigUint, by: i64) -> (BigUint, BigUint) {
    if by >= 0 {
        (n << unsigned(by), d.clone())
    } else {
        (n.clone(), d << unsigned(-by))
    }
}

/// Returns a number of bits as a signed number. All such numbers here are far below 2^63.
pub(crate) fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// Returns a shift as an unsigned number. It must not be negative.
fn unsigned(by: i64) -> u64 {
    u64::try_from(by).unwrap_or(0)
}
