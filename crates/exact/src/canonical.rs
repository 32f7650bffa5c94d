//! The canonical text of a scalar.

use exactum_model::{DataType, FloatFormat, Format, Rounding, Scalar};
use num_bigint::BigUint;

use crate::round::{Rounded, round};
use crate::value::{Exact, Finite};

/// Returns the canonical JSON text of a scalar (fill_value.canonical).
///
/// Integers are in plain notation. Floats have the fewest digits that are read back as the same bits in their
/// data type. The default NaN is `"NaN"`, and other NaNs are lowercase hex strings. A complex number is an array
/// of its two parts.
#[must_use]
pub fn canonical(scalar: &Scalar) -> String {
    let data_type = scalar.data_type();
    match data_type.format() {
        Format::Bool => if scalar.component(0) == 0 {
            "false"
        } else {
            "true"
        }
        .into(),
        Format::Integer(_) => integer(data_type, scalar.component(0)),
        Format::Float(format) => float(&format, scalar.component(0)),
        Format::Complex(format) => {
            format!(
                "[{},{}]",
                float(&format, scalar.component(0)),
                float(&format, scalar.component(1))
            )
        }
    }
}

fn integer(data_type: DataType, bits: u64) -> String {
    match Exact::from_bits(&data_type.format(), bits) {
        Exact::Finite(finite) if finite.negative => format!("-{}", finite.numerator),
        Exact::Finite(finite) => finite.numerator.to_string(),
        _ => "0".into(),
    }
}

fn float(format: &FloatFormat, bits: u64) -> String {
    let sign = if bits & format.sign_mask() == 0 {
        ""
    } else {
        "-"
    };
    match Exact::from_bits(&Format::Float(*format), bits) {
        Exact::Nan if Some(bits) == format.nan_bits() => "\"NaN\"".into(),
        Exact::Nan => {
            let width = 2 * Format::Float(*format).component_bytes();
            format!("\"0x{bits:0width$x}\"")
        }
        Exact::Infinite { .. } => format!("\"{sign}Infinity\""),
        Exact::Zero { .. } => format!("{sign}0.0"),
        Exact::Finite(finite) => {
            let magnitude = Finite {
                negative: false,
                ..finite
            };
            let (digits, point) = shortest(&magnitude, format, bits & !format.sign_mask());
            format!("{sign}{}", layout(&digits, point))
        }
    }
}

/// Returns the shortest sequence of digits `d1 d2 ...` and the position `p` of the point such that
/// `0.d1d2... * 10^p` rounds to these bits. Among sequences of the same length, the one nearest to the value is
/// returned; if two are equally near, the even one.
fn shortest(value: &Finite, format: &FloatFormat, bits: u64) -> (String, i64) {
    let point = decimal_point(value);
    // 17 digits distinguish any two binary64 values, and no format here is wider.
    for count in 1..=17 {
        let power = point - count;
        let scaled = times_ten_to(value, -power);
        let (low, remainder, divisor) = scaled.in_quanta(0);
        let twice = remainder << 1u32;
        let high_is_nearer = twice > divisor || (twice == divisor && low.bit(0));
        let high = &low + 1u32;
        let candidates = if high_is_nearer {
            [high, low]
        } else {
            [low, high]
        };
        for candidate in candidates {
            if candidate.bits() == 0 {
                continue;
            }
            let text = candidate.to_string();
            let one = Finite {
                negative: false,
                numerator: candidate,
                denominator: 1u32.into(),
                exponent: 0,
            };
            let back = Exact::Finite(times_ten_to(&one, power));
            let rounded = round(&back, &Format::Float(*format), Rounding::NearestEven);
            if rounded == Rounded::Bits(bits) {
                let length = i64::try_from(text.len()).unwrap_or(0);
                return (text.trim_end_matches('0').to_owned(), power + length);
            }
        }
    }
    unreachable!("17 digits identify every value of a format of at most 53 bits of precision")
}

/// Returns the `p` for which `10^(p - 1) <= value < 10^p`.
fn decimal_point(value: &Finite) -> i64 {
    // log10(2) is slightly more than 30102 / 100000, so the estimate is off by at most one.
    let mut point = value.floor_log2() * 30103 / 100_000;
    while times_ten_to(value, -point).floor_log2() >= 0 {
        point += 1;
    }
    while times_ten_to(value, 1 - point).floor_log2() < 0 {
        point -= 1;
    }
    point
}

fn times_ten_to(value: &Finite, power: i64) -> Finite {
    let ten_to = |power: i64| {
        u32::try_from(power).map_or_else(|_| BigUint::from(1u32), |p| BigUint::from(10u32).pow(p))
    };
    Finite {
        negative: value.negative,
        numerator: &value.numerator * ten_to(power),
        denominator: &value.denominator * ten_to(-power),
        exponent: value.exponent,
    }
}

/// Formats digits as serde_json formats a float, but without a `+` in the exponent. Numbers from `1e-5` to just
/// below `1e16` are written in plain notation and always have a fraction. All others have an exponent.
fn layout(digits: &str, point: i64) -> String {
    let count = i64::try_from(digits.len()).unwrap_or(0);
    let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
    if point > 16 || point <= -5 {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        return format!("{first}{dot}{rest}e{}", point - 1);
    }
    if point <= 0 {
        return format!("0.{}{digits}", zeros(-point));
    }
    if point >= count {
        return format!("{digits}{}.0", zeros(point - count));
    }
    let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
    format!("{whole}.{fraction}")
}
