//! Faults that change a right answer about conversions.

use exactum_conformance::Converted;
use exactum_conformance::model::sds::{Fill, Profile, Scaling, SdsType, Values, Warning};
use exactum_reference::sds;

use crate::data_sets::SdsAsked;

use super::decided::{never_scaled, wrap};
use super::sets::{
    Parts, attributes, changed, codes, float, numbers, other, reals, scaling, silent,
    without_warning,
};

/// Returns both types, for conversions to another type only.
fn converting(asked: &SdsAsked<'_>) -> Option<(SdsType, SdsType)> {
    match asked {
        SdsAsked::Convert(input, target, _) => Some((input.data_type(), *target)),
        _ => None,
    }
    .filter(|(from, to)| from != to)
}

/// Returns the target type, for conversions from reals to integers only.
pub(super) fn coding(asked: &SdsAsked<'_>) -> Option<SdsType> {
    let (from, to) = converting(asked)?;
    (from.is_real() && to.is_integer()).then_some(to)
}

/// Returns the target type, for conversions from integers to reals only.
fn decoding(asked: &SdsAsked<'_>) -> Option<SdsType> {
    let (from, to) = converting(asked)?;
    (from.is_integer() && to.is_real()).then_some(to)
}

/// Returns both types, for conversions between integer types only.
fn carrying(asked: &SdsAsked<'_>) -> Option<(SdsType, SdsType)> {
    converting(asked).filter(|(from, to)| from.is_integer() && to.is_integer())
}

pub(super) fn warns(right: &Converted, warning: Warning) -> bool {
    right.as_ref().is_ok_and(|(_, it)| it.contains(&warning))
}

/// Gives i4 all the bits that the machine gives it.
pub(super) fn of_32_bits(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match *asked {
        SdsAsked::Convert(input, target, _) => sds::convert(input, target, Profile::Soi97),
        _ => right,
    }
}

pub(super) fn real_part(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    let (SdsAsked::Convert(input, target, _), Values::Complex(pairs)) =
        (asked, asked.input().values())
    else {
        return right;
    };
    let parts: Vec<f64> = pairs
        .iter()
        .map(|it| f32::from_bits(it[0]).into())
        .collect();
    let real = other(input, |it| {
        *it = Parts {
            of: SdsType::R8,
            values: reals(SdsType::R8, &parts),
            ..it.clone()
        };
    });
    match real.data_type() {
        SdsType::R8 => sds::convert(&real, *target, Profile::Tn115),
        _ => right,
    }
}

/// Treats default values of attributes as unset.
pub(super) fn defaults_are_unset(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    if attributes(asked.input().scaling) == (1.0, 0.0) {
        return asked.about(&other(asked.input(), |it| it.scaling = Scaling::UNSET));
    }
    right
}

/// Treats OFFSET alone as unset.
pub(super) fn offset_alone_is_unset(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    if asked.input().scaling.scale().is_none() {
        return asked.about(&other(asked.input(), |it| it.scaling = Scaling::UNSET));
    }
    right
}

pub(super) fn defaults_filled_in(_: &SdsAsked<'_>, right: Converted) -> Converted {
    changed(right, |it| {
        if it.scaling.is_set() {
            let (scale, offset) = attributes(it.scaling);
            it.scaling = scaling(scale, offset);
        }
    })
}

/// Uses attributes as FITS and CF define them.
pub(super) fn inverse(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    let (scale, offset) = attributes(asked.input().scaling);
    if !asked.input().scaling.is_set() || (coding(asked), decoding(asked)) == (None, None) {
        return right;
    }
    let inverse = scaling(scale.recip(), -offset / scale);
    let wrong = asked.about(&other(asked.input(), |it| it.scaling = inverse));
    changed(wrong, |it| it.scaling = asked.input().scaling)
}

pub(super) fn attributes_dropped(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match asked.input().scaling.is_set() {
        true => changed(right, |it| it.scaling = Scaling::UNSET),
        false => right,
    }
}

pub(super) fn default_set(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match (decoding(asked), asked.input().scaling.is_set()) {
        (Some(_), false) => changed(right, |it| it.scaling = scaling(1.0, 0.0)),
        _ => right,
    }
}

/// Leaves whole numbers that fit unscaled.
pub(super) fn fits_left_alone(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    let wrong = never_scaled(asked, right.clone());
    match warns(&wrong, Warning::DataOutOfRange) {
        true => right,
        false => wrong,
    }
}

pub(super) fn autoscaled_forgotten(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match (coding(asked), asked.input().scaling.is_set()) {
        (Some(_), false) => changed(right, |it| it.scaling = Scaling::UNSET),
        _ => right,
    }
}

/// Converts i1 to i2 like samples: the highest code becomes the highest code.
pub(super) fn widened_by_shift(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    let Some((SdsType::I1, SdsType::I2) | (SdsType::U1, SdsType::U2)) = carrying(asked) else {
        return right;
    };
    changed(right, |it| {
        if let Values::Integers(codes) = &mut it.values {
            codes.iter_mut().for_each(|code| *code *= 256);
        }
    })
}

/// Converts integers to reals between -1 and 1.
pub(super) fn normalized(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    if decoding(asked).is_none() {
        return right;
    }
    let (_, greatest) = asked.input().data_type().range(Profile::Tn115);
    scaled_reals(right, |number| number / float(greatest))
}

fn scaled_reals(right: Converted, change: impl Fn(f64) -> f64) -> Converted {
    let (set, warnings) = right?;
    let numbers: Vec<f64> = numbers(&set).into_iter().map(change).collect();
    let made = other(&set, |it| it.values = reals(it.of, &numbers));
    Ok((made, warnings))
}

/// Reads the bits of unsigned integers as signed ones.
pub(super) fn sign_extended(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    let Some((from, to)) = carrying(asked) else {
        return right;
    };
    if from.is_signed() || !to.is_signed() {
        return right;
    }
    let bits = from.bits(Profile::Tn115);
    changed(right, |it| {
        if let Values::Integers(codes) = &mut it.values {
            for code in codes.iter_mut().filter(|code| **code >> (bits - 1) == 1) {
                *code -= 1 << bits;
            }
        }
    })
}

/// Moves all codes and adjusts OFFSET accordingly.
fn moved(parts: &mut Parts, by: impl FnOnce(&[i64]) -> i64) {
    let (scale, offset) = attributes(parts.scaling);
    if let Values::Integers(codes) = &mut parts.values {
        let by = by(codes);
        codes.iter_mut().for_each(|code| *code += by);
        parts.scaling = scaling(scale, offset + float(by));
    }
}

/// Drops the bits of codes that the type does not have.
pub(super) fn codes_wrap(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    let (Some((_, to)), Some(codes)) = (carrying(asked), codes(asked.input())) else {
        return right;
    };
    let wrapped = |it: &mut Parts| {
        let codes = codes.iter().map(|&code| wrap(code, to));
        it.of = to;
        it.values = Values::Integers(codes.collect());
        it.fill = Fill::Undefined;
        it.infinite = None;
    };
    silent(other(asked.input(), wrapped))
}

/// Always converts between signed and unsigned integers by a shift of half the range.
pub(super) fn sign_always_shifted(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match (carrying(asked), &right) {
        (Some((from, to)), Ok((set, _)))
            if from.is_signed() != to.is_signed() && set.scaling == asked.input().scaling =>
        {
            let half = 1 << (from.bits(Profile::Tn115) - 1);
            let by = if to.is_signed() { -half } else { half };
            changed(right, |it| moved(it, |_| by))
        }
        _ => right,
    }
}

/// Warns only if a number really lost digits.
pub(super) fn precision_exactly(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    if decoding(asked) != Some(SdsType::R4) {
        return right;
    }
    let exact = asked.input().scaling == Scaling::UNSET
        && right
            .as_ref()
            .is_ok_and(|(set, _)| numbers(set) == numbers(asked.input()));
    match exact {
        true => without_warning(right, Warning::PrecisionMayBeLost),
        false => right,
    }
}

pub(super) fn precision_of_values(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    if decoding(asked) != Some(SdsType::R4) || asked.input().data_type().bits(Profile::Tn115) < 31 {
        return right;
    }
    let (set, mut warnings) = right?;
    warnings.remove(&Warning::PrecisionMayBeLost);
    if numbers(&set).iter().any(|it| it.abs() > 8_388_607.0) {
        warnings.insert(Warning::PrecisionMayBeLost);
    }
    Ok((set, warnings))
}

/// Moves i4 and u4 towards zero, where r4 is more precise.
pub(super) fn shifted_for_precision(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    if decoding(asked) != Some(SdsType::R4) || !warns(&right, Warning::PrecisionMayBeLost) {
        return right;
    }
    let first = codes(asked.input())
        .and_then(|codes| codes.first())
        .copied();
    let first = float(first.unwrap_or(0));
    let (scale, offset) = attributes(asked.input().scaling);
    let values: Vec<f64> = numbers(asked.input())
        .into_iter()
        .map(|it| (it - first) / scale)
        .collect();
    changed(right, |it| {
        it.values = reals(it.of, &values);
        it.scaling = scaling(scale, offset - first);
    })
}
