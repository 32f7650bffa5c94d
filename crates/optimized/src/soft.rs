//! Exact arithmetic on the format tables, in 128-bit integers. This path is used for small data types, fill
//! values, and every element that a fast loop flags.
//!
//! A [`Finite`] significand may be *jammed*: if bits were cut off, its lowest bit is set. All results keep at
//! least 63 bits above that one, which is more than any format has, so that a jammed value rounds like the
//! exact one.

use exactum_model::{FloatFormat, FloatValue, Format, IntegerFormat, Rounding};

/// The value of an element, or of a result before it is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// NaN.
    Nan,
    /// An infinity.
    Infinite { negative: bool },
    /// A zero; for integers, it is always positive.
    Zero { negative: bool },
    /// Any other number.
    Finite(Finite),
}

/// `± significand * 2^exponent`, not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finite {
    negative: bool,
    significand: u128,
    exponent: i32,
}

/// The result of rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rounded {
    /// The bits of a value of the format.
    Bits(u64),
    /// The value is out of the finite range; `wrapped` is congruent modulo `2^N` in an integer format.
    OutOfRange { above: bool, wrapped: u64 },
    /// The value is NaN, and the format has none.
    NotANumber,
    /// The value is an infinity, and the format has none.
    NotFinite,
}

impl Number {
    /// Returns the value of a component with these bits; a bool is 0 or 1.
    pub(crate) fn from_bits(format: &Format, bits: u64) -> Self {
        match format {
            Format::Bool => Number::from_integer(i128::from(bits & 1)),
            Format::Integer(format) => Number::from_integer(format.value(bits)),
            Format::Float(format) | Format::Complex(format) => match format.decode(bits) {
                FloatValue::Nan => Number::Nan,
                FloatValue::Infinite { negative } => Number::Infinite { negative },
                FloatValue::Zero { negative } => Number::Zero { negative },
                FloatValue::Finite {
                    negative,
                    significand,
                    exponent,
                } => Number::Finite(Finite {
                    negative,
                    significand: significand.into(),
                    exponent,
                }),
            },
        }
    }

    fn from_integer(value: i128) -> Self {
        if value == 0 {
            return Number::Zero { negative: false };
        }
        Number::Finite(Finite {
            negative: value < 0,
            significand: value.unsigned_abs(),
            exponent: 0,
        })
    }

    fn is_negative(self) -> bool {
        match self {
            Number::Nan => false,
            Number::Infinite { negative } | Number::Zero { negative } => negative,
            Number::Finite(finite) => finite.negative,
        }
    }

    fn negate(self) -> Self {
        match self {
            Number::Nan => Number::Nan,
            Number::Infinite { negative } => Number::Infinite {
                negative: !negative,
            },
            Number::Zero { negative } => Number::Zero {
                negative: !negative,
            },
            Number::Finite(finite) => Number::Finite(Finite {
                negative: !finite.negative,
                ..finite
            }),
        }
    }

    /// Returns `self + other`; infinities of opposite signs give NaN, and zeros are added as in IEEE 754.
    pub(crate) fn add(self, other: Self) -> Self {
        use Number::{Finite as F, Infinite, Nan, Zero};
        match (self, other) {
            (Nan, _) | (_, Nan) => Nan,
            (Infinite { negative: a }, Infinite { negative: b }) if a != b => Nan,
            (Infinite { .. }, _) | (F(_), Zero { .. }) => self,
            (_, Infinite { .. }) | (Zero { .. }, F(_)) => other,
            (Zero { negative: a }, Zero { negative: b }) => Zero { negative: a && b },
            (F(a), F(b)) => add_finite(a, b),
        }
    }

    /// Returns `self - other`.
    pub(crate) fn subtract(self, other: Self) -> Self {
        self.add(other.negate())
    }

    /// Returns `self * other`; zero times infinity gives NaN. Significands must have at most 64 bits.
    pub(crate) fn multiply(self, other: Self) -> Self {
        use Number::{Finite as F, Infinite, Nan, Zero};
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
                significand: a.significand * b.significand,
                exponent: a.exponent + b.exponent,
            }),
        }
    }

    /// Returns `self / other`; 0/0 and infinity/infinity give NaN, x/0 is an infinity.
    pub(crate) fn divide(self, other: Self) -> Self {
        use Number::{Finite as F, Infinite, Nan, Zero};
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Nan, _)
            | (_, Nan)
            | (Infinite { .. }, Infinite { .. })
            | (Zero { .. }, Zero { .. }) => Nan,
            (Infinite { .. }, _) | (_, Zero { .. }) => Infinite { negative },
            (Zero { .. }, _) | (_, Infinite { .. }) => Zero { negative },
            (F(a), F(b)) => {
                // 127 bits over 63 bits: the quotient has 64 or 65.
                let (a, b) = (a.with_top_bit(126), b.with_top_bit(62));
                let quotient = a.significand / b.significand;
                let inexact = a.significand % b.significand != 0;
                F(Finite {
                    negative,
                    significand: quotient | u128::from(inexact),
                    exponent: a.exponent - b.exponent,
                })
            }
        }
    }
}

impl Finite {
    fn floor_log2(&self) -> i32 {
        self.exponent + self.top_bit()
    }

    fn top_bit(&self) -> i32 {
        127 - self.significand.leading_zeros().cast_signed()
    }

    /// Returns the same value with its highest bit at `bit`. Bits are lost if the significand is longer,
    /// which does not happen in [`divide`](Number::divide): elements have at most 64 bits, and a divisor of
    /// 64 bits (of an integer type) uses another path.
    fn with_top_bit(self, bit: i32) -> Self {
        let by = bit - self.top_bit();
        Self {
            significand: if by >= 0 {
                self.significand << by
            } else {
                shift_right_jam(self.significand, -by)
            },
            exponent: self.exponent - by,
            ..self
        }
    }
}

fn add_finite(a: Finite, b: Finite) -> Number {
    // With the highest bits at 120, there is room for the carry, and elements of 64 bits keep at least 56
    // zeros below, so that bits jammed by a shift are far below the result's last digit.
    let (a, b) = (a.with_top_bit(120), b.with_top_bit(120));
    let swap = (b.exponent, b.significand) > (a.exponent, a.significand);
    let (large, little) = if swap { (b, a) } else { (a, b) };
    let aligned = shift_right_jam(little.significand, large.exponent - little.exponent);
    let significand = if a.negative == b.negative {
        large.significand + aligned
    } else {
        large.significand - aligned
    };
    if significand == 0 {
        return Number::Zero { negative: false };
    }
    Number::Finite(Finite {
        significand,
        ..large
    })
}

fn shift_right_jam(significand: u128, by: i32) -> u128 {
    if by >= 128 {
        return 1;
    }
    let shifted = significand >> by;
    shifted | u128::from(shifted << by != significand)
}

/// Rounds into a format, once: first with unbounded exponent (cast_value.rounding.before-range), then the
/// range is checked. NaN becomes the format's default NaN.
pub(crate) fn round(value: Number, format: &Format, mode: Rounding) -> Rounded {
    match format {
        Format::Bool => {
            let bit = IntegerFormat {
                bits: 1,
                signed: false,
            };
            round_integer(value, &bit, mode)
        }
        Format::Integer(format) => round_integer(value, format, mode),
        Format::Float(format) | Format::Complex(format) => round_float(value, format, mode),
    }
}

/// Returns the bits of the bound to which a value out of range is clamped (cast_value.range.clamp).
pub(crate) fn clamp(format: &Format, above: bool) -> u64 {
    match format {
        Format::Bool => u64::from(above),
        Format::Integer(format) => match (above, format.signed) {
            (true, true) => format.mask() >> 1,
            (true, false) => format.mask(),
            (false, true) => 1 << (format.bits - 1),
            (false, false) => 0,
        },
        Format::Float(format) | Format::Complex(format) => {
            if !above && !format.signed {
                return 0;
            }
            let sign = if above { 0 } else { format.sign_mask() };
            match format.infinity_bits() {
                Some(infinity) => infinity | sign,
                None => format.max_finite_bits() | sign,
            }
        }
    }
}

fn round_integer(value: Number, format: &IntegerFormat, mode: Rounding) -> Rounded {
    let finite = match value {
        Number::Nan => return Rounded::NotANumber,
        Number::Infinite { .. } => return Rounded::NotFinite,
        Number::Zero { .. } => return Rounded::Bits(0),
        Number::Finite(finite) => finite,
    };
    let negative = finite.negative;
    // `None` means 2^127 or more, which is out of every range.
    let magnitude = if finite.exponent <= 0 {
        Some(round_magnitude(&finite, -finite.exponent, mode))
    } else if finite.floor_log2() < 127 {
        Some(finite.significand << finite.exponent)
    } else {
        None
    };
    let residue = match magnitude {
        Some(magnitude) => low_bits(magnitude),
        None if finite.exponent < 64 => low_bits(finite.significand) << finite.exponent,
        None => 0,
    };
    let wrapped = format.mask()
        & if negative {
            residue.wrapping_neg()
        } else {
            residue
        };
    let limit = if negative {
        format.min().unsigned_abs()
    } else {
        format.max().unsigned_abs()
    };
    if magnitude.is_some_and(|magnitude| magnitude <= limit) {
        Rounded::Bits(wrapped)
    } else {
        Rounded::OutOfRange {
            above: !negative,
            wrapped,
        }
    }
}

fn round_float(value: Number, format: &FloatFormat, mode: Rounding) -> Rounded {
    let out_of_range = |above| Rounded::OutOfRange { above, wrapped: 0 };
    let sign = |negative: bool| if negative { format.sign_mask() } else { 0 };
    let zero = |negative: bool| match (format.zero, format.negative_zero) {
        (false, _) => out_of_range(false),
        (true, true) => Rounded::Bits(sign(negative)),
        (true, false) => Rounded::Bits(0),
    };
    let finite = match value {
        Number::Nan => return format.nan_bits().map_or(Rounded::NotANumber, Rounded::Bits),
        Number::Infinite { negative } => {
            return format.infinity_bits().map_or(Rounded::NotFinite, |bits| {
                Rounded::Bits(bits | sign(negative))
            });
        }
        Number::Zero { negative } => return zero(negative),
        Number::Finite(finite) => finite,
    };

    // The distance between neighbouring values is determined by the highest bit, or by the subnormal range.
    let mantissa_bits = format.mantissa_bits.cast_signed();
    let mut quantum = finite.floor_log2() - mantissa_bits;
    if format.zero {
        quantum = quantum.max(1 - format.bias - mantissa_bits);
    }
    let mut significand = if quantum <= finite.exponent {
        finite.significand << (finite.exponent - quantum)
    } else {
        round_magnitude(&finite, quantum - finite.exponent, mode)
    };
    if significand == 0 {
        return zero(finite.negative);
    }
    if significand >> (format.mantissa_bits + 1) != 0 {
        // The carry made it a power of two.
        significand >>= 1;
        quantum += 1;
    }
    if finite.negative && !format.signed {
        return out_of_range(false);
    }
    let subnormal = format.zero && significand >> format.mantissa_bits == 0;
    let field = if subnormal {
        0
    } else {
        quantum + mantissa_bits + format.bias
    };
    let Ok(field) = u64::try_from(field) else {
        return round_below_smallest(&finite, format, mode);
    };
    if field > format.max_exponent_field() {
        return out_of_range(!finite.negative);
    }
    let magnitude = field << format.mantissa_bits | low_bits(significand) & format.mantissa_mask();
    if magnitude > format.max_finite_bits() {
        return out_of_range(!finite.negative);
    }
    Rounded::Bits(magnitude | sign(finite.negative))
}

/// Rounds positive values below the smallest one of a format without zero (cast_value.rounding.no-zero).
fn round_below_smallest(finite: &Finite, format: &FloatFormat, mode: Rounding) -> Rounded {
    let taken = match mode {
        Rounding::NearestEven | Rounding::NearestAway => finite.floor_log2() >= -format.bias - 1,
        Rounding::TowardsPositive => true,
        Rounding::TowardsZero | Rounding::TowardsNegative => false,
    };
    if taken {
        Rounded::Bits(0)
    } else {
        Rounded::OutOfRange {
            above: false,
            wrapped: 0,
        }
    }
}

/// Returns `significand / 2^by` rounded to an integer; directed modes take the sign into account.
fn round_magnitude(finite: &Finite, by: i32, mode: Rounding) -> u128 {
    if by == 0 {
        return finite.significand;
    }
    // Below half of the last digit, every distance is rounded in the same way.
    let (quotient, remainder, half) = if by > 127 {
        (0, 1, 2)
    } else {
        let quotient = finite.significand >> by;
        let half = 1 << (by - 1);
        (quotient, finite.significand - (quotient << by), half)
    };
    let up = match mode {
        Rounding::NearestEven => remainder > half || (remainder == half && quotient & 1 == 1),
        Rounding::NearestAway => remainder >= half,
        Rounding::TowardsZero => false,
        Rounding::TowardsPositive => remainder != 0 && !finite.negative,
        Rounding::TowardsNegative => remainder != 0 && finite.negative,
    };
    quotient + u128::from(up)
}

/// Returns the low 64 bits.
fn low_bits(value: u128) -> u64 {
    u64::try_from(value & u128::from(u64::MAX)).unwrap_or_default()
}
