//! Faults of single decisions.

use exactum_conformance::Converted;
use exactum_conformance::model::Rejection;
use exactum_conformance::model::sds::{
    DataSet, External, Fill, Infinite, Profile, Scaling, SdsType, Warnings,
};
use exactum_exact::Exact;
use exactum_reference::Reference;
use exactum_reference::sds::{Carry, Conversion};

use super::sets::{attributes, integer, scaling};
use crate::arithmetic::{BINARY64, saturated};
use crate::data_sets::SdsAsked;

/// Defines answers of the reference with one decision replaced.
macro_rules! decided {
    ($($(#[$doc:meta])* $name:ident { $($decision:tt)+ })+) => {$(
        $(#[$doc])*
        pub(super) fn $name(asked: &SdsAsked<'_>, _: Converted) -> Converted {
            asked.by(&wrong!(Conversion: $($decision)+))
        }
    )+};
}

/// The attributes that are determined for reals.
type Determined = (Scaling, Warnings);

/// Returns the code of a value, computed in binary64.
fn in_doubles(value: &Exact, scaling: Scaling, code: fn(f64) -> f64) -> Option<i64> {
    let (scale, offset) = attributes(scaling);
    let value = f64::from_bits(saturated(value, &BINARY64));
    integer(code(value * scale + offset))
}

/// Returns a code without the bits that its type does not have.
pub(super) fn wrap(code: i64, to: SdsType) -> i64 {
    let (low, _) = to.range(Profile::Tn115);
    (code - low).rem_euclid(1 << to.bits(Profile::Tn115)) + low
}

decided! {
    truncates {
        fn code(&self, value: &Exact, scaling: Scaling) -> Option<i64> {
            in_doubles(value, scaling, f64::trunc)
        }
    }
    half_even {
        fn code(&self, value: &Exact, scaling: Scaling) -> Option<i64> {
            in_doubles(value, scaling, f64::round_ties_even)
        }
    }
    rounded_thrice {
        fn code(&self, value: &Exact, scaling: Scaling) -> Option<i64> {
            in_doubles(value, scaling, f64::round)
        }
    }
    half_added {
        fn code(&self, value: &Exact, scaling: Scaling) -> Option<i64> {
            in_doubles(value, scaling, |code| (code + 0.5_f64.copysign(code)).trunc())
        }
    }
    wraps {
        fn beyond(&self, code: i64, of: SdsType, _: Profile) -> Option<i64> {
            Some(wrap(code, of))
        }
    }
    clamps {
        fn beyond(&self, code: i64, of: SdsType, profile: Profile) -> Option<i64> {
            let (low, high) = of.range(profile);
            Some(code.clamp(low, high))
        }
    }
    next_to_missing {
        fn infinite(&self, of: SdsType, profile: Profile) -> Infinite {
            let right = of.standard_infinite(profile);
            Infinite {
                negative: right.negative.map(|code| code + 1),
                ..right
            }
        }
    }
    third_greatest {
        fn infinite(&self, of: SdsType, profile: Profile) -> Infinite {
            let right = of.standard_infinite(profile);
            Infinite {
                positive: right.positive - i64::from(right.negative.is_none()),
                ..right
            }
        }
    }
    always_infinite {
        fn reserves(&self, _: &DataSet) -> bool {
            true
        }
    }
    /// Counts an infinite fill value as an infinity.
    infinite_fill_counts {
        fn reserves(&self, input: &DataSet) -> bool {
            let is_infinite = |bits| f64::from_bits(bits).is_infinite();
            matches!(input.fill(), Fill::Real(bits) if is_infinite(bits)) || Reference.reserves(input)
        }
    }
    /// Only rounds reals without attributes.
    never_scaled {
        fn attributes(
            &self,
            given: Scaling,
            ends: Option<[&Exact; 2]>,
            to: SdsType,
            profile: Profile,
        ) -> Determined {
            let given = if given.is_set() { given } else { scaling(1.0, 0.0) };
            Reference.attributes(given, ends, to, profile)
        }
    }
    always_autoscaled {
        fn attributes(
            &self,
            _: Scaling,
            ends: Option<[&Exact; 2]>,
            to: SdsType,
            profile: Profile,
        ) -> Determined {
            Reference.attributes(Scaling::UNSET, ends, to, profile)
        }
    }
    /// Treats a range of width 0 as one of width 1.
    single_scaled {
        fn determine(
            &self,
            [least, greatest]: [&Exact; 2],
            preset: Option<Exact>,
            to: SdsType,
            profile: Profile,
        ) -> Determined {
            let next = least.add(&Exact::integer(1));
            let is_single = matches!(greatest.subtract(least), Exact::Zero { .. });
            let greatest = if is_single { &next } else { greatest };
            Reference.determine([least, greatest], preset, to, profile)
        }
    }
    negative_scale_lost {
        fn determine(
            &self,
            ends: [&Exact; 2],
            _: Option<Exact>,
            to: SdsType,
            profile: Profile,
        ) -> Determined {
            Reference.determine(ends, None, to, profile)
        }
    }
    full_range {
        fn span(&self, bits: u32) -> Exact {
            Exact::integer((1 << bits) - 1)
        }
    }
    full_range_but_two {
        fn span(&self, bits: u32) -> Exact {
            Exact::integer((1 << bits) - 2)
        }
    }
    three_quarters_of_codes {
        fn span(&self, bits: u32) -> Exact {
            Exact::integer(3 * ((1 << bits) - 1)).divide(&Exact::integer(4))
        }
    }
    /// Uses the codes at the ends of the range like all others.
    nothing_excluded {
        fn excludes(&self, _: SdsType, _: SdsType, _: bool) -> bool {
            false
        }
    }
    /// Always excludes the ends.
    always_excluded {
        fn excludes(&self, _: SdsType, _: SdsType, _: bool) -> bool {
            true
        }
    }
    narrowing_scales {
        fn carry(&self, nests: bool, _: (i64, i64), _: (i64, i64)) -> Carry {
            if nests { Carry::Unchanged } else { Carry::Scaled }
        }
    }
    never_shifted_alone {
        fn carry(&self, nests: bool, ends: (i64, i64), allowed: (i64, i64)) -> Carry {
            match Reference.carry(nests, ends, allowed) {
                Carry::Shifted => Carry::Scaled,
                right => right,
            }
        }
    }
    /// Shifts codes, if they have to be shifted, so that they begin at the lowest code.
    shifted_to_the_end {
        fn shift(&self, ends: (i64, i64), allowed: (i64, i64), _: bool) -> i64 {
            allowed.0 - ends.0
        }
    }
    /// Resolves a tie the other way.
    tie_to_missing {
        fn shift(&self, ends: (i64, i64), allowed: (i64, i64), is_signed: bool) -> i64 {
            Reference.shift(ends, allowed, !is_signed)
        }
    }
    real_fill_ignored {
        fn fill_of_reals(&self, given: Fill, protocol: Option<External>) -> Result<Fill, Rejection> {
            match protocol {
                None => Ok(Fill::Nan),
                _ => Reference.fill_of_reals(given, protocol),
            }
        }
    }
    /// Lets the protocol decide, regardless of the fill value in the request.
    other_fill_ignored {
        fn fill_of_reals(&self, given: Fill, protocol: Option<External>) -> Result<Fill, Rejection> {
            let given = if protocol.is_some() { Fill::Undefined } else { given };
            Reference.fill_of_reals(given, protocol)
        }
    }
}
