//! Codes that faulty implementations give to values, to missing values and to infinities.

use exactum_conformance::Converted;
use exactum_conformance::model::sds::{DataSet, Fill, Scaling, SdsType, Values, Warning};

use crate::data_sets::SdsAsked;

use super::sets::{changed, numbers, other, reals};
use super::wrong::{coding, warns};

pub(super) fn nothing_is_unset(_: &SdsAsked<'_>, right: Converted) -> Converted {
    match warns(&right, Warning::NoValidData) {
        true => changed(right, |it| it.scaling = Scaling::UNSET),
        false => right,
    }
}

/// Clamps values that r4 cannot represent to its greatest number.
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

/// Gives missing values the code 0.
pub(super) fn nan_is_zero(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    special_codes(asked, right, f64::is_nan, 0)
}

/// Gives infinities the code 0.
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

/// Treats the fill value as an ordinary code.
pub(super) fn fill_scaled(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match asked {
        SdsAsked::Convert(input, ..) if matches!(input.fill(), Fill::Code(_)) => {
            asked.about(&other(input, |it| it.fill = Fill::Undefined))
        }
        _ => right,
    }
}

/// Treats infinite codes as ordinary codes.
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

/// Returns a data set without its real fill value.
pub(super) fn without_fill(input: &DataSet) -> DataSet {
    other(input, |it| it.fill = Fill::Undefined)
}
