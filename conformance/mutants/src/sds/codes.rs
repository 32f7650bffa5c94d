//! Codes that faulty implementations give to values, to what is missing and to infinities.

use exactum_conformance::Converted;
use exactum_conformance::model::sds::{
    DataSet, Fill, Infinite, Profile, Scaling, SdsType, Values, Warning,
};

use crate::data_sets::SdsAsked;

use super::sets::{
    attributes, changed, codes, float, integer, numbers, other, reals, scaling, without_warning,
};
use super::wrong::{coding, warns, wrap};

/// Codes of finite values by another rule: value, SCALE, OFFSET.
pub(super) fn coded(
    asked: &SdsAsked<'_>,
    right: Converted,
    code: fn(f64, f64, f64) -> f64,
) -> Converted {
    let Some(to) = coding(asked) else {
        return right;
    };
    let (set, warnings) = right?;
    let (scale, offset) = attributes(set.scaling);
    let standard = to.standard_fill(Profile::Tn115);
    let right_codes = codes(&set).unwrap_or_default();
    let made = numbers(asked.input()).into_iter().zip(right_codes);
    let made = made.map(
        |(value, &right)| match value.is_finite() && right != standard {
            true => integer(code(value, scale, offset)).unwrap_or(right),
            false => right,
        },
    );
    let made = Values::Integers(made.collect());
    Ok((other(&set, |it| it.values = made), warnings))
}

/// Finite values that have no code, by another rule.
pub(super) fn beyond(
    asked: &SdsAsked<'_>,
    right: Converted,
    code: fn(f64, SdsType) -> i64,
) -> Converted {
    let Some(to) = coding(asked) else {
        return right;
    };
    let right = without_warning(right, Warning::DataOutOfRange);
    let (set, warnings) = right?;
    let (scale, offset) = attributes(set.scaling);
    let standard = to.standard_fill(Profile::Tn115);
    let right_codes = codes(&set).unwrap_or_default();
    let made = numbers(asked.input()).into_iter().zip(right_codes);
    let made = made.map(
        |(value, &right)| match value.is_finite() && right == standard {
            true => code((value * scale + offset).round(), to),
            false => right,
        },
    );
    let made = Values::Integers(made.collect());
    Ok((other(&set, |it| it.values = made), warnings))
}

pub(super) fn wrapped(code: f64, to: SdsType) -> i64 {
    wrap(integer(code).unwrap_or(0), to)
}

pub(super) fn clamped(code: f64, to: SdsType) -> i64 {
    let (low, high) = to.range(Profile::Tn115);
    integer(code.clamp(float(low), float(high))).unwrap_or(low)
}

/// A range of no width is taken for one of width 1.
pub(super) fn single_scaled(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    let (scale, _) = match &right {
        Ok((set, _)) => attributes(set.scaling),
        Err(_) => return right,
    };
    let autoscaled = warns(&right, Warning::Autoscaled);
    match coding(asked) {
        Some(to) if autoscaled && (scale - 1.0).abs() < f64::EPSILON => changed(right, |it| {
            let span = 0.75 * 2_f64.powi(i32::try_from(to.bits(Profile::Tn115)).unwrap_or(8));
            let (_, offset) = attributes(it.scaling);
            it.scaling = scaling(span, offset);
        }),
        _ => right,
    }
}

pub(super) fn nothing_is_unset(_: &SdsAsked<'_>, right: Converted) -> Converted {
    match warns(&right, Warning::NoValidData) {
        true => changed(right, |it| it.scaling = Scaling::UNSET),
        false => right,
    }
}

/// What r4 does not hold is its greatest number.
pub(super) fn r4_clamps(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    if !matches!(asked, SdsAsked::Convert(_, SdsType::R4, _))
        || !asked.input().data_type().is_real()
    {
        return right;
    }
    let clamp = |it: f64| it.clamp(f32::MIN.into(), f32::MAX.into());
    let clamped: Vec<f64> = numbers(asked.input()).into_iter().map(clamp).collect();
    changed(right, |it| it.values = reals(SdsType::R4, &clamped))
}

/// The code of what is missing is 0.
pub(super) fn nan_is_zero(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    special_codes(asked, right, f64::is_nan, 0)
}

/// The code of infinities is 0.
pub(super) fn infinity_is_zero(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    special_codes(asked, right, f64::is_infinite, 0)
}

pub(super) fn negative_infinity_is_zero(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match coding(asked) {
        Some(to) if !to.is_signed() => special_codes(asked, right, |it| it == f64::NEG_INFINITY, 0),
        _ => right,
    }
}

fn special_codes(
    asked: &SdsAsked<'_>,
    right: Converted,
    is_special: fn(f64) -> bool,
    code: i64,
) -> Converted {
    if coding(asked).is_none() {
        return right;
    }
    let values = numbers(asked.input());
    changed(right, |it| {
        if let Values::Integers(codes) = &mut it.values {
            for (made, value) in codes.iter_mut().zip(values) {
                if is_special(value) {
                    *made = code;
                }
            }
        }
    })
}

/// The fill value is a code like others.
pub(super) fn fill_scaled(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match asked {
        SdsAsked::Convert(input, ..) if matches!(input.fill(), Fill::Code(_)) => {
            asked.about(&other(input, |it| it.fill = Fill::Undefined))
        }
        _ => right,
    }
}

/// Infinite codes are codes like others.
pub(super) fn infinite_scaled(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match asked {
        SdsAsked::Convert(input, ..) if input.infinite().is_some() => {
            asked.about(&other(input, |it| it.infinite = None))
        }
        _ => right,
    }
}

pub(super) fn infinite_unset(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match coding(asked) {
        Some(_) => changed(right, |it| it.infinite = None),
        None => right,
    }
}

/// Other codes for the infinities.
pub(super) fn infinite_codes(
    asked: &SdsAsked<'_>,
    right: Converted,
    codes: fn(SdsType) -> Infinite,
) -> Converted {
    let Some(to) = coding(asked) else {
        return right;
    };
    let values = numbers(asked.input());
    let new = codes(to);
    changed(right, |it| {
        if it.infinite.is_none() {
            return;
        }
        it.infinite = Some(new);
        if let Values::Integers(codes) = &mut it.values {
            for (code, value) in codes.iter_mut().zip(values) {
                if value == f64::INFINITY {
                    *code = new.positive;
                } else if value == f64::NEG_INFINITY {
                    *code = new.negative.unwrap_or(*code);
                }
            }
        }
    })
}

pub(super) fn always_infinite(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match coding(asked) {
        Some(to) => changed(right, |it| {
            it.infinite = Some(to.standard_infinite(Profile::Tn115));
        }),
        None => right,
    }
}

/// A fill value that is an infinity counts as one.
pub(super) fn infinite_fill_counts(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match asked.input().fill() {
        Fill::Real(bits) if f64::from_bits(bits).is_infinite() => always_infinite(asked, right),
        _ => right,
    }
}

/// The answer about a data set without its real fill value.
pub(super) fn without_fill(input: &DataSet) -> DataSet {
    other(input, |it| it.fill = Fill::Undefined)
}
