//! Faults of reading and writing external data.

use exactum_conformance::Converted;
use exactum_conformance::model::sds::{
    Fill, Lowered, Output, Profile, Scaling, SdsType, Values, Warning,
};
use exactum_reference::sds;

use crate::data_sets::SdsAsked;

use super::codes::without_fill;
use super::sets::{attributes, changed, silent, without_warning};

/// Writes reals unscaled.
pub(super) fn never_scaled(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match *asked {
        SdsAsked::Write(input, cast, output, profile) => {
            let output = Output {
                scaling: false,
                ..output
            };
            let wrong = sds::write(input, cast, &output, profile);
            without_warning(wrong, Warning::ScalingNotSupported)
        }
        _ => right,
    }
}

/// Reads scaled integers as their codes.
pub(super) fn codes_stay(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match *asked {
        SdsAsked::Read(input, None, ..) if input.data_type().is_integer() => silent(input.clone()),
        _ => right,
    }
}

/// Writes integers with attributes as scaled integers.
pub(super) fn set_codes_stay(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match *asked {
        SdsAsked::Write(input, cast, _, profile) => {
            let (internal, warnings) =
                sds::convert(input, cast.unwrap_or(input.data_type()), profile)?;
            match internal.data_type().is_integer() {
                true => Ok((internal, warnings)),
                false => right,
            }
        }
        _ => right,
    }
}

pub(super) fn real_scaling_kept(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match asked {
        SdsAsked::Read(input, ..) if input.data_type().is_real() => changed(right, |it| {
            if it.of.is_real() {
                it.scaling = input.scaling;
            }
        }),
        _ => right,
    }
}

/// Casts first on input and last on output.
pub(super) fn cast_at_the_outside(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match *asked {
        SdsAsked::Read(input, Some(cast), external, profile) => {
            let (outside, _) = sds::convert(input, cast, profile)?;
            sds::read(&outside, None, external, profile)
        }
        SdsAsked::Write(input, Some(cast), ref output, profile) => {
            let (outside, _) = sds::write(input, None, output, profile)?;
            sds::convert(&outside, cast, profile)
        }
        _ => right,
    }
}

/// Casts scaled integers code by code.
pub(super) fn codes_cast(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match *asked {
        SdsAsked::Read(input, Some(cast), _, profile)
            if input.data_type().is_integer() && cast.is_integer() =>
        {
            sds::convert(input, cast, profile)
        }
        _ => right,
    }
}

/// Writes values that are cast to reals as plain reals.
pub(super) fn cast_to_plain_reals(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match asked {
        SdsAsked::Write(input, Some(cast), ..)
            if input.data_type().is_integer() && cast.is_real() =>
        {
            never_scaled(asked, right)
        }
        _ => right,
    }
}

pub(super) fn always_read_as_doubles(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match *asked {
        SdsAsked::Read(input, None, external, profile)
            if input.data_type().is_integer() && input.scaling.is_set() =>
        {
            sds::read(input, Some(SdsType::R8), external, profile)
        }
        _ => right,
    }
}

/// Converts scaled integers by way of r4.
pub(super) fn cast_through_singles(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match *asked {
        SdsAsked::Read(input, Some(cast), _, profile)
            if input.data_type().is_integer()
                && input.scaling.is_set()
                && cast != input.data_type() =>
        {
            let (single, _) = sds::convert(input, SdsType::R4, profile)?;
            sds::convert(&single, cast, profile)
        }
        _ => right,
    }
}

pub(super) fn unchecked(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match asked {
        SdsAsked::Read(input, ..) | SdsAsked::Write(input, ..) => {
            asked.about(&without_fill(input)).or(right)
        }
        SdsAsked::Convert(..) => right,
    }
}

/// Gives integers of the same type the standard fill value, too.
pub(super) fn always_checked(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    let SdsAsked::Read(input, ..) = asked else {
        return right;
    };
    changed(right, |it| {
        if let (true, Fill::Code(fill)) = (it.of == input.data_type(), it.fill) {
            let standard = it.of.standard_fill(Profile::Tn115);
            if let Values::Integers(codes) = &mut it.values {
                for code in codes.iter_mut().filter(|code| **code == fill) {
                    *code = standard;
                }
            }
            it.fill = Fill::Code(standard);
        }
    })
}

pub(super) fn undefined_is_standard(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match asked {
        SdsAsked::Read(..) => changed(right, |it| {
            if it.of.is_integer() && it.fill == Fill::Undefined {
                it.fill = Fill::Code(it.of.standard_fill(Profile::Tn115));
            }
        }),
        _ => right,
    }
}

/// Keeps the original fill value.
pub(super) fn fill_carried(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    let (SdsAsked::Read(input, ..), Fill::Code(old)) = (asked, asked.input().fill()) else {
        return right;
    };
    changed(right, |it| {
        if let (Fill::Code(new), Values::Integers(codes)) = (it.fill, &mut it.values)
            && it.of != input.data_type()
        {
            for code in codes.iter_mut().filter(|code| **code == new) {
                *code = old;
            }
            it.fill = Fill::Code(old);
        }
    })
}

/// Does not warn about a value that equals the fill value.
pub(super) fn collisions_unwarned(asked: &SdsAsked<'_>, right: Converted) -> Converted {
    match asked {
        SdsAsked::Write(..) => without_warning(right, Warning::DataOutOfRange),
        _ => right,
    }
}

pub(super) fn inverse_factor(scaling: Scaling, right: Lowered) -> Lowered {
    let (scale, offset) = scaling.effective();
    Lowered {
        factor: scale,
        zero: offset,
        ..right
    }
}

pub(super) fn always_exact(_: Scaling, right: Lowered) -> Lowered {
    Lowered {
        factor_is_exact: true,
        zero_is_exact: true,
        ..right
    }
}

pub(super) fn zero_by_factor(scaling: Scaling, right: Lowered) -> Lowered {
    let (_, offset) = attributes(scaling);
    let zero = -offset * f64::from_bits(right.factor);
    Lowered {
        zero: (zero + 0.0).to_bits(),
        ..right
    }
}
