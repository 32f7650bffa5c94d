//! Exact decimals as strings of digits, which are parsed, made from a number times a power of two, compared and cut.
//! The only arithmetic is the doubling and halving of strings of digits.

use std::cmp::Ordering;

/// A non-negative decimal: 0.d1d2d3... * 10^point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// The position of the decimal point, counted from the first digit; 0 for zero.
    point: i64,
    /// The digits from 0 to 9. Neither the first nor the last digit is 0, and zero has no digits.
    digits: Vec<u8>,
}

impl Decimal {
    fn new(mut digits: Vec<u8>, mut point: i64) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        let zeros = digits.iter().take_while(|digit| **digit == 0).count();
        digits.drain(..zeros);
        point -= i64::try_from(zeros).unwrap_or(i64::MAX);
        if digits.is_empty() {
            point = 0;
        }
        Self { point, digits }
    }

    /// Parses a JSON number. Returns whether it has a minus sign, and its magnitude. An exponent that does not fit into
    /// 64 bits is replaced by the largest one that does.
    pub(crate) fn read(text: &str) -> Option<(bool, Self)> {
        let (negative, magnitude) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = magnitude.split_once(['e', 'E']).unwrap_or((magnitude, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Vec<u8> = whole
            .bytes()
            .chain(fraction.bytes())
            .map(|digit| digit.is_ascii_digit().then(|| digit - b'0'))
            .collect::<Option<_>>()?;
        let exponent: i64 = match exponent.parse() {
            Ok(exponent) => exponent,
            Err(_) if exponent.starts_with('-') => i64::MIN / 2,
            Err(_) => i64::MAX / 2,
        };
        let point = exponent.saturating_add(i64::try_from(whole.len()).ok()?);
        Some((negative, Self::new(digits, point)))
    }

    /// Returns `number * 2^exponent` with all of its digits.
    pub(crate) fn binary(number: u64, exponent: i32) -> Self {
        let mut digits: Vec<u8> = number.to_string().bytes().map(|it| it - b'0').collect();
        let mut point = i64::try_from(digits.len()).unwrap_or(0);
        for _ in 0..exponent.max(0) {
            let mut carry = 0;
            for digit in digits.iter_mut().rev() {
                let doubled = 2 * *digit + carry;
                (*digit, carry) = (doubled % 10, doubled / 10);
            }
            if carry > 0 {
                digits.insert(0, carry);
                point += 1;
            }
        }
        for _ in exponent..0 {
            let mut rest = 0;
            for digit in &mut digits {
                let with_rest = 10 * rest + *digit;
                (*digit, rest) = (with_rest / 2, with_rest % 2);
            }
            if rest > 0 {
                digits.push(5);
            }
        }
        Self::new(digits, point)
    }

    /// Returns whether the decimal is zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Returns the two neighbours of the decimal among the decimals of `count` digits, and the middle between them. The
    /// lower neighbour consists of its first `count` digits; the upper one is greater by one in the last place.
    pub(crate) fn cut(&self, count: usize) -> [Self; 3] {
        let mut low = self.digits.clone();
        low.resize(count, 0);
        let mut middle = low.clone();
        middle.push(5);
        let (mut high, mut point) = (low.clone(), self.point);
        match high.iter().rposition(|digit| *digit < 9) {
            Some(place) => {
                high[place] += 1;
                high[place + 1..].fill(0);
            }
            None => {
                high = vec![1];
                point += 1;
            }
        }
        [
            Self::new(low, self.point),
            Self::new(high, point),
            Self::new(middle, self.point),
        ]
    }

    /// Returns the decimal without an exponent, such as `0.025` or `1200`.
    pub(crate) fn plain(&self) -> String {
        let digits = self.text();
        let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
        let count = i64::try_from(digits.len()).unwrap_or(0);
        if self.is_zero() {
            "0".into()
        } else if self.point <= 0 {
            format!("0.{}{digits}", zeros(-self.point))
        } else if self.point >= count {
            format!("{digits}{}", zeros(self.point - count))
        } else {
            let (whole, fraction) = digits.split_at(usize::try_from(self.point).unwrap_or(0));
            format!("{whole}.{fraction}")
        }
    }

    /// Returns the decimal as digits and a power of ten, such as `25e-3`.
    pub(crate) fn scientific(&self) -> String {
        let count = i64::try_from(self.digits.len()).unwrap_or(0);
        if self.is_zero() {
            "0".into()
        } else {
            format!("{}e{}", self.text(), self.point - count)
        }
    }

    /// Returns whether the last of `count` digits is even.
    pub(crate) fn is_even_at(&self, count: usize) -> bool {
        self.digits
            .get(count - 1)
            .is_none_or(|digit| digit % 2 == 0)
    }

    fn text(&self) -> String {
        self.digits
            .iter()
            .map(|digit| char::from(b'0' + digit))
            .collect()
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        // Neither decimal begins with the digit 0, so the one with the longer integer part is larger.
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self
                .point
                .cmp(&other.point)
                .then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_by_hand() {
        for (number, exponent, expected) in [
            (0, 5, "0"),
            (1, 0, "1"),
            (1, 10, "1024"),
            (5, 64, "92233720368547758080"),
            (1, -1, "0.5"),
            (3, -2, "0.75"),
            (1000, -3, "125"),
            (1, -10, "0.0009765625"),
            (16_777_217, 0, "16777217"),
        ] {
            let decimal = Decimal::binary(number, exponent);
            assert_eq!(decimal.plain(), expected, "{number} * 2^{exponent}");
        }
    }

    #[test]
    fn what_is_printed_is_read_again() {
        for number in [0u64, 1, 2, 9, 10, 99, 1023, 65_504, (1 << 53) - 1] {
            for exponent in [-1074, -149, -60, -3, -1, 0, 1, 7, 60, 971] {
                let decimal = Decimal::binary(number, exponent);
                for text in [decimal.plain(), decimal.scientific()] {
                    assert_eq!(
                        Decimal::read(&text),
                        Some((false, decimal.clone())),
                        "{text}"
                    );
                }
            }
        }
    }

    /// Checks that the standard library parses these texts as the binary64 numbers from which they were made.
    #[test]
    fn the_standard_library_agrees() {
        for number in [1u32, 3, 1023, 65_521, u32::MAX] {
            for exponent in [-900, -149, -60, -3, -1, 0, 1, 7, 60, 900] {
                let float = f64::from(number) * 2f64.powi(exponent);
                let text = Decimal::binary(number.into(), exponent).plain();
                let read: f64 = text.parse().expect("a number");
                assert_eq!(read.to_bits(), float.to_bits(), "{number} * 2^{exponent}");
            }
        }
    }

    #[test]
    fn order() {
        let ascending = [
            "0",
            "1e-400",
            "0.09",
            "0.0900001",
            "0.1",
            "9e-1",
            "1",
            "1.0000000000001",
            "9.99",
            "10",
            "1e3",
            "1001",
            "1e400",
            "1e99999999999999999999",
        ];
        let read = |text: &str| Decimal::read(text).expect("a number").1;
        for (index, low) in ascending.iter().enumerate() {
            assert_eq!(read(low).cmp(&read(low)), Ordering::Equal, "{low}");
            for high in &ascending[index + 1..] {
                assert_eq!(read(low).cmp(&read(high)), Ordering::Less, "{low} {high}");
                assert_eq!(
                    read(high).cmp(&read(low)),
                    Ordering::Greater,
                    "{low} {high}"
                );
            }
        }
        assert_eq!(read("100e-2"), read("1.000"));
        assert_eq!(read("0e5"), read("0.000"));
    }

    #[test]
    fn neighbours_with_fewer_digits() {
        let read = |text: &str| Decimal::read(text).expect("a number").1;
        for (text, count, low, high, middle) in [
            ("1.25", 2, "1.2", "1.3", "1.25"),
            ("1.25", 1, "1", "2", "1.5"),
            ("0.0999", 2, "0.099", "0.1", "0.0995"),
            ("7", 3, "7", "7.01", "7.005"),
        ] {
            let found = read(text).cut(count);
            assert_eq!(
                found,
                [read(low), read(high), read(middle)],
                "{text} {count}"
            );
        }
    }
}
