//! Decimal number texts as exact values.

use num_bigint::BigUint;

use crate::value::{Exact, Finite};

/// Significant digits that are kept. A value halfway between two binary64 numbers has at most
/// 768 of them; what follows can only say "a little more", and one digit says that.
const DIGITS: usize = 800;

/// Decimal exponents beyond which every value rounds as its neighbours do: far above the largest
/// and far below half of the smallest binary64 number.
const EXPONENT_LIMIT: i64 = 400;

impl Exact {
    /// The value of a decimal number as JSON writes it, such as `-1.5e-3`; `None` for another text.
    /// It is exact for up to 800 significant digits and for decimal exponents of up to 400; any other
    /// number is replaced by one that every format rounds alike.
    #[must_use]
    pub fn decimal(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, Some(exponent)),
            None => (unsigned, None),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (mantissa, None),
        };
        let exponent = exponent.map(|text| text.strip_prefix(['-', '+']).unwrap_or(text));
        let are_digits =
            |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        let parts = [Some(whole), fraction, exponent];
        let all = parts.into_iter().flatten().all(are_digits);
        all.then(|| parse(text))
    }
}

/// Reads a JSON number. The result is exact for every number of up to [`DIGITS`] significant
/// digits within the exponent limit; any other number is replaced by one that every format here
/// rounds to the same result, so that neither digits nor exponents make work without bound.
pub(crate) fn parse(text: &str) -> Exact {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));

    // The digits from the first that is not 0, and the power of ten of the digit before the point.
    let digits = || whole.bytes().chain(fraction.bytes());
    let Some(leading_zeros) = digits().position(|digit| digit != b'0') else {
        return Exact::Zero { negative };
    };
    let magnitude = exponent
        .saturating_add(length(whole.len()))
        .saturating_sub(length(leading_zeros));
    let mut kept: Vec<u8> = digits().skip(leading_zeros).take(DIGITS).collect();
    if digits()
        .skip(leading_zeros + DIGITS)
        .any(|digit| digit != b'0')
    {
        kept.push(b'1');
    }
    let count = length(kept.len());
    let value = BigUint::parse_bytes(&kept, 10).unwrap_or_default();

    // The value is 0.d1d2d3... * 10^magnitude.
    let magnitude = magnitude.clamp(-EXPONENT_LIMIT, EXPONENT_LIMIT);
    let ten_to = |power: i64| {
        u32::try_from(power).map_or_else(|_| BigUint::from(1u32), |p| BigUint::from(10u32).pow(p))
    };
    Exact::Finite(Finite {
        negative,
        numerator: value * ten_to(magnitude - count),
        denominator: ten_to(count - magnitude),
        exponent: 0,
    })
}

fn parse_exponent(text: &str) -> i64 {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    // An exponent that i64 cannot hold is as good as the largest it can.
    let magnitude = digits.bytes().fold(0i64, |sum, digit| {
        sum.saturating_mul(10)
            .saturating_add(i64::from(digit.wrapping_sub(b'0')))
    });
    if negative { -magnitude } else { magnitude }
}

fn length(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a text says, its value takes a few hundred bytes: neither a long mantissa nor a large
    /// exponent makes a large integer.
    #[test]
    fn values_are_small_however_long_their_texts() {
        let count = if cfg!(miri) { 1 << 8 } else { 1 << 20 };
        let long = |digit: &str| digit.repeat(count);
        let texts = [
            "1e999999999".into(),
            "1e-999999999".into(),
            "1e99999999999999999999999".into(),
            "-1e-99999999999999999999999".into(),
            format!("1e{}", long("9")),
            format!("1e-{}", long("9")),
            format!("1e{}1", long("0")),
            long("9"),
            format!("0.{}1", long("0")),
            format!("0.{}1e{}", long("0"), count + 1),
            format!("1{}e-{count}", long("0")),
            format!("{}.{}e-2000000", long("7"), long("3")),
            format!("0.{}", long("123456789")),
        ];
        for text in &texts {
            let Exact::Finite(value) = parse(text) else {
                panic!("{}... is not zero", &text[..10]);
            };
            let bits = value.numerator.bits() + value.denominator.bits();
            assert!(bits < 8_000, "{}...: {bits} bits", &text[..10]);
            assert_eq!(value.exponent, 0);
        }
        assert_eq!(
            parse(&format!("-0.{}e9", long("0"))),
            Exact::Zero { negative: true }
        );
    }

    /// Where the point stands and where the exponent puts it are one matter.
    #[test]
    fn zeros_and_exponents_cancel() {
        let one = parse("1");
        let same = |text: &str| {
            let (Exact::Finite(a), Exact::Finite(b)) = (&one, &parse(text)) else {
                return false;
            };
            a.cmp_magnitude(b).is_eq()
        };
        let count = if cfg!(miri) { 1 << 8 } else { 1 << 20 };
        let zeros = "0".repeat(count);
        for text in [
            "1.000".to_owned(),
            "0.001e3".into(),
            "1000e-3".into(),
            format!("0.{zeros}1e{}", count + 1),
            format!("1{zeros}e-{count}"),
            format!("1.{zeros}"),
        ] {
            assert!(same(&text), "{}", &text[..5]);
        }
        assert!(!same(
            "1.0000000000000000000000000000000000000000000000000000000001"
        ));
    }
}
