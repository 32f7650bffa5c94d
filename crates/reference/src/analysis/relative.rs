//! Bounds for the relative error of a value that is stored and read back.

use std::cmp::Ordering;

use exactum_exact::Exact;
use exactum_model::{Chain, Format, Rejection};

use super::error::{self, Measure, Search};
use super::number::{largest, magnitude};
use super::order::Order;
use super::piece::{Course, Piece, Wrapping};
use super::{Effort, PIECES, WIDEST, WorstError, lower};

/// Returns the largest relative error, `|value - value read back| / |value|`, of the values of a range whose magnitude
/// is at least `from`, and of zero, whose relative error is 0 or infinite. Returns `None` if the error of a value is
/// not defined because the value is not read back as a number, or if the range has too many cases.
///
/// This function does not determine whether all values of the range survive; [`analyse`](super::analyse) does. On a
/// piece on which every codec has a single case, and between two powers of two, the relative error is at most the bound
/// of the absolute error divided by the smallest magnitude.
///
/// # Errors
/// The same as for [`analyse`](super::analyse).
pub fn relative_error(
    chain: &Chain,
    range: [u64; 2],
    from: &Exact,
    effort: Effort,
) -> Result<Option<WorstError>, Rejection> {
    let course = Course {
        steps: lower::lower(chain)?,
        order: Order::of(chain.data_type),
    };
    let [first, last] = super::keys(&course, range)?;
    Ok(worst(&course, [first, last], from, effort))
}

fn worst(
    course: &Course<'_>,
    [first, last]: [i128; 2],
    from: &Exact,
    effort: Effort,
) -> Option<WorstError> {
    let format = course.steps.all.first()?.from;
    let mut pieces = Vec::new();
    for [first, last] in sides(course, [first, last], from) {
        let (found, complete) = course.pieces(first, last, Wrapping::GoesOn, PIECES);
        if !complete {
            return None;
        }
        pieces.extend(found);
    }
    if let Some(bits) = lost_zero(course, &format, [first, last])? {
        let endless = Exact::Infinite { negative: false };
        return Some(WorstError {
            bound: endless.clone(),
            shown: Some((bits, endless)),
        });
    }
    let shown = |search: &Search<'_, '_>| {
        let (key, error) = search.worst.clone()?;
        Some((course.order.bits(key), error))
    };
    let mut search = Search::new(course, effort.codes, Measure::Relative)?;
    if error::may_try(course, &pieces, effort.codes) && pieces.iter().all(|piece| search.all(piece))
    {
        let shown = shown(&search);
        let bound = shown.as_ref().map(|(_, error)| error.clone());
        return Some(WorstError {
            bound: bound.unwrap_or(Exact::Zero { negative: false }),
            shown,
        });
    }
    let bounds: Option<Vec<Exact>> = pieces.iter().map(|piece| bound(course, piece)).collect();
    let bound = largest(bounds?);
    let mut search = Search::new(course, 0, Measure::Relative)?;
    // The relative error is large where the magnitude is small, so these pieces come first.
    pieces.sort_by(|a, b| {
        let [a, b] = [a, b].map(|piece| least_magnitude(course, piece.first, piece.last));
        a.compare(&b).unwrap_or(Ordering::Equal)
    });
    if effort.values > 0 {
        let parts = pieces.iter().flat_map(|piece| {
            let parts = binades(piece, &format).into_iter();
            parts.map(move |part| (piece, part))
        });
        for (piece, [first, last]) in parts.take(WIDEST) {
            let part = Piece {
                first,
                last,
                ..piece.clone()
            };
            search.some(&part, effort.values);
        }
    }
    Some(WorstError {
        bound,
        shown: shown(&search),
    })
}

/// Returns the bits of a zero in a range of keys that is not read back as zero, so that its relative error is infinite.
/// Returns `Some(None)` if there is no such zero, and `None` if a zero is not read back at all.
fn lost_zero(course: &Course<'_>, format: &Format, range: [i128; 2]) -> Option<Option<u64>> {
    for bits in zeros(format, course.order) {
        let key = course.order.key(bits);
        let Some(key) = key.filter(|key| (range[0]..=range[1]).contains(key)) else {
            continue;
        };
        let back = course.full_trace(key, Wrapping::GoesOn);
        let back = back.after(course.steps.all.len(), bits)?;
        if !format.same_value(back, bits) {
            return Some(Some(bits));
        }
    }
    Some(None)
}

/// Returns a bound for the relative error on a piece, without its zeros.
fn bound(course: &Course<'_>, piece: &Piece) -> Option<Exact> {
    let format = course.steps.all.first()?.from;
    let mut bounds = Vec::new();
    for [first, last] in binades(piece, &format) {
        let part = Piece {
            first,
            last,
            low: course.full_trace(first, Wrapping::GoesOn),
            high: course.full_trace(last, Wrapping::GoesOn),
        };
        let least = least_magnitude(course, first, last);
        bounds.push(error::bound(course, &part)?.divide(&least));
    }
    Some(largest(bounds))
}

/// Returns the smallest magnitude of the numbers between two keys, which have the same sign.
fn least_magnitude(course: &Course<'_>, first: i128, last: i128) -> Exact {
    let format = course.steps.all[0].from;
    let value = |key| Exact::from_bits(&format, course.order.bits(key));
    let [first, last] = [first, last].map(|key| magnitude(&value(key)));
    match first.compare(&last) {
        Some(Ordering::Greater) => last,
        _ => first,
    }
}

/// Returns the zeros of a format.
fn zeros(format: &Format, order: Order) -> Vec<u64> {
    let negative = format.float().filter(|float| float.negative_zero);
    let all = [Some(0), negative.map(|float| float.sign_mask())];
    let is_zero = |bits: &u64| {
        order.key(*bits).is_some() && matches!(Exact::from_bits(format, *bits), Exact::Zero { .. })
    };
    all.into_iter().flatten().filter(is_zero).collect()
}

/// Returns the parts of a range up to `-from` and from `from` on, without zero.
fn sides(course: &Course<'_>, [first, last]: [i128; 2], from: &Exact) -> Vec<[i128; 2]> {
    let order = course.order;
    let Some(format) = course.steps.all.first().map(|step| step.from) else {
        return Vec::new();
    };
    // Returns the first key for which a condition holds. It must then hold for all keys above.
    let first_that = |holds: &dyn Fn(&Exact) -> bool| {
        let (mut no, mut yes) = (first - 1, last + 1);
        while yes - no > 1 {
            let middle = no + (yes - no) / 2;
            match holds(&Exact::from_bits(&format, order.bits(middle))) {
                true => yes = middle,
                false => no = middle,
            }
        }
        yes
    };
    let is_zero = |value: &Exact| matches!(value, Exact::Zero { .. });
    let is_at_least =
        |value: &Exact, least: &Exact| value.compare(least).is_some_and(Ordering::is_ge);
    let positive =
        first_that(&|value| !value.is_negative() && !is_zero(value) && is_at_least(value, from));
    let below = from.negate();
    let not_negative = first_that(&|value| {
        is_zero(value) || !value.is_negative() || value.compare(&below).is_some_and(Ordering::is_gt)
    });
    let sides = [[first, not_negative - 1], [positive, last]];
    sides
        .into_iter()
        .filter(|[first, last]| first <= last)
        .collect()
}

/// Divides the numbers of a piece, without its zeros, at powers of two.
fn binades(piece: &Piece, format: &Format) -> Vec<[i128; 2]> {
    let (mantissa, has_negative_zero) = match format.float() {
        Some(float) => (Some(float.mantissa_bits), i128::from(float.negative_zero)),
        None => (None, 0),
    };
    // Magnitudes are numbered from zero. Among those with an exponent, a power of two follows the last mantissa of
    // the previous exponent.
    let is_normal = |magnitude: i128| mantissa.is_some_and(|bits| magnitude >> bits > 0);
    let bits = mantissa.unwrap_or_default();
    let ends = |magnitude: i128| match is_normal(magnitude) {
        true => [magnitude >> bits << bits, ((magnitude >> bits) + 1) << bits],
        false => {
            let lower = 1 << magnitude.ilog2();
            [lower, 2 * lower]
        }
    };
    let mut parts = Vec::new();
    let mut first = piece.first;
    while first <= piece.last {
        let magnitude = match first < 0 {
            true => -first - has_negative_zero,
            false => first,
        };
        if magnitude == 0 {
            first += 1;
            continue;
        }
        let [least, beyond] = ends(magnitude);
        let last = match first < 0 {
            true => -least - has_negative_zero,
            false => beyond - 1,
        };
        parts.push([first, last.min(piece.last)]);
        first = last.min(piece.last) + 1;
    }
    parts
}
