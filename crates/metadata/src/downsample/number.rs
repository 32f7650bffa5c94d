//! Integers as TensorStore reads them: any JSON number without a fraction.

use crate::json::{Kind, Node};

/// The maximum number of digits in a 64-bit integer.
const DIGITS: i64 = 20;

/// Returns the value of a number that is an integer, such as `2.0` or `1e3`.
pub(super) fn integer(node: Node<'_>) -> Option<i128> {
    if node.kind() != Kind::Number {
        return None;
    }
    let text = node.raw();
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()),
        None => (text, Some(0)),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
    let scale = exponent?
        .checked_sub(length(fraction))?
        .checked_add(length(&digits) - length(significant))?;
    if !(0..=DIGITS).contains(&scale) || significant.trim_start_matches('0').len() > 20 {
        return None;
    }
    let power = 10i128.checked_pow(u32::try_from(scale).ok()?)?;
    let magnitude = significant.parse::<i128>().ok()?.checked_mul(power)?;
    Some(if negative { -magnitude } else { magnitude })
}

/// Reads an index: an integer of 64 bits.
pub(super) fn index(node: Node<'_>) -> Option<i64> {
    integer(node).and_then(|value| i64::try_from(value).ok())
}
