//! The second oracle of `bitround`: strings of binary digits for integers, neighbouring bit patterns for floats.

use std::cmp::Ordering;

use exactum_model::{BitRound, Format};
use rustc_apfloat::Float;

use super::tables::Number;

/// Rounds one component.
pub(crate) fn encode(codec: &BitRound, bits: u64) -> u64 {
    match codec.data_type.format() {
        Format::Integer(format) => {
            let width = usize::try_from(format.bits).unwrap_or_default();
            integer(codec, format.signed, &format!("{bits:0width$b}"))
        }
        _ => float(codec, bits),
    }
}

/// Rounds an integer, given as all of its type's binary digits.
fn integer(codec: &BitRound, signed: bool, digits: &str) -> u64 {
    let Some(first) = digits.find('1') else {
        return 0;
    };
    let keep = usize::try_from(codec.keep_bits).unwrap_or(usize::MAX);
    let end = first.saturating_add(keep).min(digits.len());
    let (kept, rest) = digits.split_at(end);
    let zeros = "0".repeat(rest.len());
    let read = |text: &str| u64::from_str_radix(text, 2).unwrap_or_default();
    let down = read(&format!("{kept}{zeros}"));
    let half = format!("1{}", "0".repeat(rest.len().saturating_sub(1)));
    let is_up = match rest.cmp(half.as_str()) {
        _ if rest.is_empty() => false,
        Ordering::Less => false,
        Ordering::Equal => kept.ends_with('1'),
        Ordering::Greater => true,
    };
    // The digits before the first set digit are free, except for the sign digit of a number that is not negative.
    let free = first - usize::from(signed && first > 0);
    let is_full = kept[first..].bytes().all(|digit| digit == b'1');
    if !is_up || is_full && free == 0 {
        return down;
    }
    down + read(&format!("1{zeros}"))
}

/// Rounds a float to the nearer of the two neighbouring patterns whose dropped digits are zeros, or, in a tie, to the
/// pattern whose last kept digit is zero. Above the last number of the type, the next pattern is assumed to be at the
/// same distance as the previous one.
fn float(codec: &BitRound, bits: u64) -> u64 {
    let data_type = codec.data_type.component();
    let Some(format) = codec.data_type.format().float() else {
        return bits;
    };
    let mantissa = u64::from(format.mantissa_bits);
    if codec.keep_bits >= mantissa {
        return bits;
    }
    let number = Number::of(data_type, bits).quad();
    if number.is_nan() || number.is_infinite() {
        return bits;
    }
    let step = 1u64 << (mantissa - codec.keep_bits);
    let sign = match number.is_negative() {
        true => bits & 1 << (format.bits() - 1),
        false => 0,
    };
    let below = (bits - sign) / step * step;
    let above = below + step;
    let value = |pattern: u64| Number::of(data_type, pattern).quad();
    let is_number = |pattern: u64| pattern >> (format.bits() - 1) == 0 && !value(pattern).is_nan();
    // The value that the next pattern would have if it were a number: it is as far above `below` as the previous
    // pattern is below it.
    let next = match is_number(above) && !value(above).is_infinite() {
        true => value(above),
        false => {
            let last = value(below);
            (last + (last - value(below - step)).value).value
        }
    };
    let own = number.abs();
    let [down, up] = [(own - value(below)).value, (next - own).value];
    let takes_above = match down.partial_cmp(&up) {
        Some(Ordering::Equal) => (below / step) % 2 == 1,
        order => order == Some(Ordering::Greater),
    };
    let rounded = match takes_above {
        true if is_number(above) => above,
        _ => below,
    };
    if rounded == 0 && Number::of(data_type, sign).quad().is_nan() {
        return 0;
    }
    rounded | sign
}
