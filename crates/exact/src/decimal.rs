//! Conversion between decimal texts and exact values.

use num_bigint::BigUint;

use crate::value::{Exact, Finite};

/// The number of significant digits that are kept. A value halfway between two binary64 numbers has at most
/// 768 significant digits. Any further digits can only make the number slightly larger, which a single digit
/// expresses.
const DIGITS: usize = 800;

/// The decimal exponent beyond which all values round alike. It is far above the exponent of the largest
/// binary64 number, and its negative is far below that of half of the smallest.
const EXPONENT_LIMIT: i64 = 400;

impl Exact {
    /// Returns the value of a decimal number in JSON notation, such as `-1.5e-3`, or `None` for any other text.
    /// The value is exact for up to 800 significant digits and for decimal exponents of up to 400. Any other
    /// number is replaced by a number that every format rounds to the same result.
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

    /// Formats the value in decimal digits. A value with more than `most` significant digits is truncated, and
    /// so is a quotient that has no finite decimal expansion; `…` indicates the truncation.
    #[must_use]
    pub fn to_decimal(&self, most: usize) -> String {
        let sign = if self.is_negative() { "-" } else { "" };
        match self {
            Exact::Nan => "NaN".into(),
            Exact::Infinite { .. } => format!("{sign}Infinity"),
            Exact::Zero { .. } => format!("{sign}0"),
            Exact::Finite(finite) => format!("{sign}{}", digits(finite, most)),
        }
    }
}

/// The power of two beyond which a number is not written out in decimal. This bounds the work for every
/// exponent.
const WRITTEN_OUT: u64 = 5000;

/// The number of leading zeros after the point from which on a number is written with an exponent.
const ZEROS: usize = 20;

fn digits(finite: &Finite, most: usize) -> String {
    if finite.exponent.unsigned_abs() > WRITTEN_OUT {
        let Finite {
            numerator,
            denominator,
            exponent,
            ..
        } = finite;
        return format!("{numerator} / {denominator} * 2^{exponent}");
    }
    let (mut numerator, mut denominator) = (finite.numerator.clone(), finite.denominator.clone());
    match finite.exponent < 0 {
        true => denominator <<= finite.exponent.unsigned_abs(),
        false => numerator <<= finite.exponent.unsigned_abs(),
    }
    let whole = (&numerator / &denominator).to_string();
    let mut rest = numerator % &denominator;
    if whole.len() > most {
        let (first, others) = whole[..most].split_at(1);
        return format!("{first}.{others}…e{}", whole.len() - 1);
    }
    let mut fraction = String::new();
    let mut significant = if whole == "0" { 0 } else { whole.len() };
    while rest.bits() != 0 && significant < most {
        rest *= 10u32;
        let digit = (&rest / &denominator).to_string();
        rest %= &denominator;
        significant += usize::from(significant > 0 || digit != "0");
        fraction.push_str(&digit);
    }
    let cut = if rest.bits() == 0 { "" } else { "…" };
    let zeros = fraction.bytes().take_while(|digit| *digit == b'0').count();
    if fraction.is_empty() {
        whole
    } else if whole == "0" && zeros >= ZEROS {
        let (first, others) = fraction[zeros..].split_at(1);
        let point = if others.is_empty() { "" } else { "." };
        format!("{first}{point}{others}{cut}e-{}", zeros + 1)
    } else {
        format!("{whole}.{fraction}{cut}")
    }
}

/// Parses a JSON number. The result is exact for every number of up to [`DIGITS`] significant digits within
/// the exponent limit. Any other number is replaced by a number that every format rounds to the same result.
/// This bounds the work for all digits and exponents.
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

    // The significant digits begin with the first digit that is not 0. The power of ten is the one for which the
    // point precedes that digit.
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
    // An exponent that does not fit into i64 has the same effect as the largest one that does.
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

    /// Whatever a text contains, its value takes less than a thousand bytes: neither a long mantissa nor a large
    /// exponent produces a large integer.
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

    /// Moving the point and changing the exponent accordingly gives the same value.
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

    #[test]
    fn values_are_written_with_all_their_digits() {
        use exactum_model::DataType;
        fn check(data_type: DataType, bits: u64, text: &str) {
            let value = Exact::from_bits(&data_type.format(), bits);
            assert_eq!(value.to_decimal(60), text);
        }
        check(DataType::Float32, 0x42fd_0000, "126.5");
        let tenth = "0.100000001490116119384765625";
        check(DataType::Float32, 0x3dcc_cccd, tenth);
        check(DataType::Float32, 0x8000_0000, "-0");
        check(DataType::Float32, 0xff80_0000, "-Infinity");
        check(DataType::Float32, 0x7fc0_0000, "NaN");
        let largest = "340282346638528859811704183484516925440";
        check(DataType::Float32, 0x7f7f_ffff, largest);
        check(DataType::Int8, 0x80, "-128");
        let least = "4.94065645841246544176568792868221372365059802614324764425585…e-324";
        check(DataType::Float64, 1, least);
        let largest = "1.79769313486231570814527423731704356798070567525844996598917…e308";
        check(DataType::Float64, 0x7fef_ffff_ffff_ffff, largest);
    }

    #[test]
    fn quotients_are_cut() {
        let quotient = |a, b| Exact::integer(a).divide(&Exact::integer(b));
        assert_eq!(quotient(1, 3).to_decimal(4), "0.3333…");
        assert_eq!(quotient(-7, 4).to_decimal(9), "-1.75");
    }
}
