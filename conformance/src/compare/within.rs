//! Compares outputs that may differ by a bound, as exact values, so that rounding does not affect the verdict.

use std::cmp::Ordering;

use exactum_exact::Exact;
use exactum_model::{Array, Format};

use super::array::element_difference;
use super::{Difference, Input};

/// How much the elements of an array may differ from the expected ones.
pub(super) struct Allowance<'a> {
    /// The largest absolute difference.
    pub(super) bound: &'a Exact,
    /// Whether NaNs must have the expected bits.
    pub(super) nan_bits: bool,
}

/// Reads a bound, which is a decimal number that is not negative.
pub(super) fn read_bound(text: &str) -> Result<Exact, String> {
    Exact::decimal(text)
        .filter(|bound| !bound.is_negative())
        .ok_or_else(|| format!("{text:?} is not a bound"))
}

/// Returns whether two numbers differ by at most the bound. NaN is near only NaN, and an infinity only itself.
pub(super) fn is_near(want: &Exact, have: &Exact, bound: &Exact) -> bool {
    let is_number = |value: &Exact| matches!(value, Exact::Zero { .. } | Exact::Finite(_));
    if !is_number(want) || !is_number(have) {
        return want == have;
    }
    let distance = want.subtract(have);
    let distance = if distance.is_negative() {
        distance.negate()
    } else {
        distance
    };
    matches!(
        distance.compare(bound),
        Some(Ordering::Less | Ordering::Equal)
    )
}

/// Returns the first element that differs by more than the allowance. The arrays have the same type and shape.
pub(super) fn compare_near(
    input: Input<'_>,
    expected: &Array,
    got: &Array,
    allowance: &Allowance<'_>,
) -> Option<Difference> {
    let format = got.data_type().format();
    let components = format.components();
    let near = |component: usize| {
        let (want, have) = (expected.component(component), got.component(component));
        if want == have {
            return true;
        }
        if format == Format::Bool {
            return false;
        }
        let want = Exact::from_bits(&format, want);
        (want != Exact::Nan || !allowance.nan_bits)
            && is_near(&want, &Exact::from_bits(&format, have), allowance.bound)
    };
    (0..got.len())
        .find(|&index| !(index * components..(index + 1) * components).all(near))
        .map(|index| element_difference(input, expected, got, index))
}

#[cfg(test)]
mod tests {
    use exactum_exact::Exact;
    use exactum_model::{Array, DataType, Format};

    use super::{Allowance, compare_near, is_near, read_bound};

    fn value(text: &str) -> Exact {
        match text {
            "NaN" => Exact::Nan,
            "Infinity" => Exact::Infinite { negative: false },
            "-Infinity" => Exact::Infinite { negative: true },
            text => Exact::decimal(text).expect(text),
        }
    }

    #[test]
    fn distances_are_exact() {
        for (want, have, bound, near) in [
            ("0.1", "0.3", "0.2", true),
            ("0.1", "0.3", "0.19999999999999999999", false),
            ("-1", "1", "2", true),
            ("0", "-0", "0", true),
            ("1e300", "-1e300", "2e300", true),
            ("NaN", "NaN", "0", true),
            ("NaN", "0", "1e300", false),
            ("Infinity", "Infinity", "0", true),
            ("Infinity", "-Infinity", "1e300", false),
            ("Infinity", "1e300", "1e300", false),
        ] {
            let bound = read_bound(bound).expect(bound);
            assert_eq!(
                is_near(&value(want), &value(have), &bound),
                near,
                "{want} {have}"
            );
            assert_eq!(
                is_near(&value(have), &value(want), &bound),
                near,
                "{have} {want}"
            );
        }
    }

    #[test]
    fn a_bound_is_a_number_that_is_not_negative() {
        for text in ["0", "0.5", "1e-3", "12E+3", "1.25e0"] {
            read_bound(text).expect(text);
        }
        for text in [
            "", "-1", "NaN", "Infinity", ".5", "1.", "1e", "0x1", "1 ", "+1",
        ] {
            read_bound(text).expect_err(text);
        }
    }

    fn check(data_type: DataType, want: u64, have: u64, allowed: (&str, bool), near: bool) {
        let array = |bits| Array::from_components(data_type, vec![1], [bits]).expect("an array");
        let allowance = Allowance {
            bound: &read_bound(allowed.0).expect("a bound"),
            nan_bits: allowed.1,
        };
        let found = compare_near(&|| None, &array(want), &array(have), &allowance);
        assert_eq!(
            found.is_none(),
            near,
            "{data_type} {want:x} {have:x} {allowed:?}"
        );
    }

    #[test]
    fn elements_are_near_by_value() {
        // Just below 2^63, neighbours in binary64 are 1024 apart; a rounded difference would hide 1.
        let big = |value: i64| u64::from_le_bytes(value.to_le_bytes());
        check(
            DataType::Int64,
            big(i64::MIN),
            big(i64::MAX),
            ("18446744073709551615", false),
            true,
        );
        check(
            DataType::Int64,
            big(i64::MIN),
            big(i64::MAX),
            ("18446744073709551614", false),
            false,
        );
        // 1 and the next larger binary64, which differ by 2^-52.
        let one = 1f64.to_bits();
        check(
            DataType::Float64,
            one,
            one + 1,
            ("2.220446049250313080847263336181640625e-16", false),
            true,
        );
        check(
            DataType::Float64,
            one,
            one + 1,
            ("2.220446049250313080847263336181640624e-16", false),
            false,
        );
        check(
            DataType::Float32,
            0x7fc0_0000,
            0xffc0_0001,
            ("0", false),
            true,
        );
        check(
            DataType::Float32,
            0x7fc0_0000,
            0xffc0_0001,
            ("0", true),
            false,
        );
        check(
            DataType::Float32,
            0x7fc0_0000,
            0x7fc0_0000,
            ("0", true),
            true,
        );
        check(DataType::Float32, 0x7fc0_0000, 0, ("1e38", true), false);
        check(DataType::Float32, 0, 0x7fc0_0000, ("1e38", true), false);
        check(DataType::Bool, 0, 1, ("1", false), false);
        assert!(matches!(DataType::Bool.format(), Format::Bool));
    }
}
