//! The clauses that an element proves under a configuration, which a vector with this element may cite.
//!
//! A clause is cited if breaking it would change the answer. Where possible, this is computed: the element is cast
//! again in other modes, through other types, or with the range tested first.

use exactum_model::{Cast, DataType, Format, OutOfRange, Reason, Rounding};
use exactum_vectors::Level;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::Quad;

use crate::oracle::cast_value::cast as oracle;
use crate::oracle::tables::Number;
use crate::vectors::bundles::Proof;

impl Proof {
    fn must<const N: usize>(case: &str, clauses: [&'static str; N]) -> Self {
        Self {
            case: case.into(),
            level: Level::Must,
            clauses: clauses.into(),
        }
    }

    fn ruling<const N: usize>(case: &str, clauses: [&'static str; N]) -> Self {
        Self {
            level: Level::Ruling,
            ..Self::must(case, clauses)
        }
    }
}

/// Returns the clause of a rounding mode.
pub(super) fn rounding_clause(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "cast_value.rounding.nearest-even",
        Rounding::TowardsZero => "cast_value.rounding.towards-zero",
        Rounding::TowardsPositive => "cast_value.rounding.towards-positive",
        Rounding::TowardsNegative => "cast_value.rounding.towards-negative",
        Rounding::NearestAway => "cast_value.rounding.nearest-away",
    }
}

/// Returns the clauses that an element proves, given its outcome. Scalar maps are ignored.
pub(super) fn proof(cast: &Cast<'_>, bits: u64, outcome: Result<u64, Reason>) -> Proof {
    let input = Number::of(cast.from, bits);
    match (input, outcome) {
        (Number::Nan, Ok(_)) => return Proof::must("nan", ["cast_value.special.nan"]),
        (Number::Nan, Err(_)) => {
            return Proof::must("nan-rejected", ["cast_value.special.nan-error"]);
        }
        (Number::Infinite { .. }, Ok(_)) => {
            return Proof::must("infinity", ["cast_value.special.infinity"]);
        }
        (Number::Infinite { .. }, Err(_)) => {
            return Proof::must("infinity-rejected", ["cast_value.special.infinity-error"]);
        }
        _ => {}
    }
    let by_rule = Cast {
        out_of_range: None,
        ..*cast
    };
    match (oracle(&by_rule, bits), outcome) {
        (Err(_), Ok(_)) => by_range_rule(cast, bits),
        (_, Err(_)) => rejected(cast, bits),
        (Ok(_), Ok(output)) => in_range(cast, input, bits, output),
    }
}

/// Returns the proof of a result that is a value of the output's type, exact or rounded.
fn in_range(cast: &Cast<'_>, input: Number, bits: u64, output: u64) -> Proof {
    let rounded = Number::of(cast.to, output);
    let into_float = matches!(cast.to.format(), Format::Float(_));
    let negative_zero = matches!(input, Number::Real(real) if real.is_zero() && real.is_negative());
    if negative_zero {
        return if has_negative_zero(cast.to) {
            Proof::must("signed-zero", ["cast_value.special.signed-zero"])
        } else {
            Proof::ruling("zero-sign-lost", ["cast_value.special.zero-sign-lost"])
        };
    }
    let twice_wrong = rounds_twice(cast, bits, output);
    if input.same_value(rounded) {
        return if twice_wrong {
            Proof::must(
                "exact-once",
                ["cast_value.exact", "cast_value.rounding.once"],
            )
        } else {
            Proof::must("exact", ["cast_value.exact"])
        };
    }
    let tie = is_tie(cast, input, bits);
    if below_no_zero(cast, input) || (tie && without_zero(cast.to)) {
        return Proof::ruling("no-zero", ["cast_value.rounding.no-zero"]);
    }
    if loses_zero_sign(cast, input, rounded) {
        return Proof::ruling(
            "zero-sign-lost-rounded",
            [
                "cast_value.special.zero-sign-lost",
                rounding_clause(cast.rounding),
            ],
        );
    }
    let mut found = Proof::must("inexact", [rounding_clause(cast.rounding)]);
    if tie {
        found.case = "ties".into();
    }
    if into_float {
        found.clauses.push("cast_value.rounding.every-inexact");
    }
    let mut also = |suffix: &str, clause| {
        found.case.push_str(suffix);
        found.clauses.push(clause);
    };
    if range_first_is_wrong(cast, input, output) {
        also("-before-range", "cast_value.rounding.before-range");
    }
    if rounded.quad().is_zero() && has_negative_zero(cast.to) {
        also("-to-zero", "cast_value.special.signed-zero");
    }
    if twice_wrong {
        also("-once", "cast_value.rounding.once");
    }
    found
}

/// Returns the proof of an accepted value that is out of range: it is clamped or wrapped.
fn by_range_rule(cast: &Cast<'_>, bits: u64) -> Proof {
    let float = match cast.to.format() {
        Format::Float(format) => Some(format),
        _ => None,
    };
    let input = Number::of(cast.from, bits);
    if stays_at_largest_in_ieee(cast, input) && float.is_some_and(|float| float.infinity) {
        return Proof::ruling(
            "past-the-largest",
            [
                "cast_value.rounding.unbounded",
                "cast_value.range.clamp-infinity",
            ],
        );
    }
    if below_no_zero(cast, input) {
        return Proof::ruling("no-zero", ["cast_value.rounding.no-zero"]);
    }
    let mut found = match (cast.out_of_range, float) {
        (Some(OutOfRange::Wrap), _) => Proof::must("wrapped", ["cast_value.range.wrap"]),
        (_, Some(float)) if float.infinity => {
            Proof::must("clamped", ["cast_value.range.clamp-infinity"])
        }
        _ => Proof::must("clamped", ["cast_value.range.clamp"]),
    };
    let output = oracle(cast, bits);
    if other_modes(cast).any(|other| oracle(&other, bits) != output) {
        found.case.push_str("-rounded");
        found.clauses.push(rounding_clause(cast.rounding));
    }
    if output.is_ok_and(|output| range_first_is_wrong(cast, input, output)) {
        found.case.push_str("-before-range");
        found.clauses.push("cast_value.rounding.before-range");
    }
    found
}

/// Returns the proof of a rejected value that is out of range.
fn rejected(cast: &Cast<'_>, bits: u64) -> Proof {
    let wrapped_into_float = matches!(
        (cast.out_of_range, cast.to.format()),
        (Some(OutOfRange::Wrap), Format::Float(_))
    );
    let input = Number::of(cast.from, bits);
    let past = stays_at_largest_in_ieee(cast, input);
    match (wrapped_into_float, past) {
        (true, true) => {
            return Proof::ruling(
                "past-the-largest",
                [
                    "cast_value.range.wrap-into-float",
                    "cast_value.rounding.unbounded",
                ],
            );
        }
        (true, false) => {
            return Proof::ruling("out-of-range", ["cast_value.range.wrap-into-float"]);
        }
        (false, true) => {
            return Proof::ruling("past-the-largest", ["cast_value.rounding.unbounded"]);
        }
        (false, false) => {}
    }
    if below_no_zero(cast, input) || tie_past_no_zero(cast, input) {
        return Proof::ruling("no-zero-rejected", ["cast_value.rounding.no-zero"]);
    }
    if overflows_to_infinity(cast, input) {
        return Proof::ruling("overflow", ["cast_value.range.overflow"]);
    }
    if other_modes(cast).any(|other| oracle(&other, bits).is_ok()) {
        return Proof::must(
            "out-of-range-rounded",
            [
                "cast_value.range.error",
                "cast_value.rounding.before-range",
                rounding_clause(cast.rounding),
            ],
        );
    }
    Proof::must("out-of-range", ["cast_value.range.error"])
}

fn other_modes<'a>(cast: &'a Cast<'a>) -> impl Iterator<Item = Cast<'a>> {
    Rounding::ALL
        .iter()
        .filter(|mode| **mode != cast.rounding)
        .map(|&rounding| Cast { rounding, ..*cast })
}

pub(super) fn without_zero(data_type: DataType) -> bool {
    matches!(data_type.format(), Format::Float(format) if !format.zero)
}

fn has_negative_zero(data_type: DataType) -> bool {
    matches!(data_type.format(), Format::Float(format) if format.negative_zero)
}

/// Returns whether the input lies below the smallest value of a type without zero (ruling 7).
pub(super) fn below_no_zero(cast: &Cast<'_>, input: Number) -> bool {
    without_zero(cast.to) && input.quad() < limits(cast.to).0
}

/// Returns whether the input is the tie above the largest value of a type without an even digit to prefer (ruling 7).
pub(super) fn tie_past_no_zero(cast: &Cast<'_>, input: Number) -> bool {
    let (_, largest) = limits(cast.to);
    let half_above = (largest + largest.scalbn(-1)).value;
    without_zero(cast.to) && input.quad() == half_above
}

/// Returns whether a negative input is rounded to zero in a float type that has no negative zero (ruling 3).
pub(super) fn loses_zero_sign(cast: &Cast<'_>, input: Number, rounded: Number) -> bool {
    let into_float = matches!(cast.to.format(), Format::Float(_));
    into_float
        && !has_negative_zero(cast.to)
        && input.quad().is_negative()
        && rounded.quad().is_zero()
}

/// Returns whether a detour through float32 or float64 would change the result, with the intermediate value rounded to
/// nearest-even, as in hardware, or in the configured mode.
fn rounds_twice(cast: &Cast<'_>, bits: u64, output: u64) -> bool {
    [DataType::Float32, DataType::Float64]
        .into_iter()
        .filter(|&between| between != cast.from && between != cast.to)
        .any(|between| {
            [Rounding::NearestEven, cast.rounding]
                .into_iter()
                .any(|rounding| {
                    let first = Cast {
                        to: between,
                        rounding,
                        out_of_range: Some(OutOfRange::Clamp),
                        ..*cast
                    };
                    let then = Cast {
                        from: between,
                        ..*cast
                    };
                    // A value that is too large for the intermediate type is a fault other than double rounding.
                    let between_bits = oracle(&first, bits);
                    between_bits.is_ok_and(|bits| {
                        matches!(Number::of(between, bits), Number::Real(_))
                            && oracle(&then, bits) != Ok(output)
                    })
                })
        })
}

/// Returns whether the input lies halfway between its neighbours in the output's type.
pub(super) fn is_tie(cast: &Cast<'_>, input: Number, bits: u64) -> bool {
    let directed = |rounding| {
        let directed = Cast {
            rounding,
            out_of_range: None,
            ..*cast
        };
        oracle(&directed, bits).map(|output| Number::of(cast.to, output).quad())
    };
    match (
        directed(Rounding::TowardsNegative),
        directed(Rounding::TowardsPositive),
    ) {
        (Ok(low), Ok(high)) => (low + high).value == (input.quad() + input.quad()).value,
        _ => false,
    }
}

/// Returns whether testing the range before rounding would change the result.
fn range_first_is_wrong(cast: &Cast<'_>, input: Number, output: u64) -> bool {
    let input = input.quad();
    let rounded = Number::of(cast.to, output).quad();
    let (smallest, largest) = limits(cast.to);
    let outside = input < smallest || input > largest;
    match (cast.out_of_range, cast.to.format()) {
        (Some(OutOfRange::Wrap), Format::Integer(_)) => {
            // If the value is reduced before it is rounded, a value just below a multiple of 2^N above the smallest
            // value is still rounded up and leaves the range again.
            let whole = input.round_to_integral(rustc_apfloat::Round::TowardNegative);
            let rounds_up = oracle_integer(cast, input) > whole.value;
            outside && rounds_up && rounded == smallest
        }
        (Some(OutOfRange::Clamp), Format::Float(format)) => {
            outside && format.infinity && !Number::of(cast.to, output).quad().is_infinite()
        }
        (Some(OutOfRange::Clamp), _) => false,
        (Some(OutOfRange::Wrap) | None, _) => outside,
    }
}

/// Returns the input rounded to an integer without a limit on its range.
fn oracle_integer(cast: &Cast<'_>, input: Quad) -> Quad {
    let round = match cast.rounding {
        Rounding::NearestEven => rustc_apfloat::Round::NearestTiesToEven,
        Rounding::TowardsZero => rustc_apfloat::Round::TowardZero,
        Rounding::TowardsPositive => rustc_apfloat::Round::TowardPositive,
        Rounding::TowardsNegative => rustc_apfloat::Round::TowardNegative,
        Rounding::NearestAway => rustc_apfloat::Round::NearestTiesToAway,
    };
    input.round_to_integral(round).value
}

/// Returns the smallest and the largest finite value of a type.
pub(super) fn limits(data_type: DataType) -> (Quad, Quad) {
    match data_type.format() {
        Format::Float(format) => {
            let largest = format.max_finite_bits();
            let smallest = if format.signed {
                largest | format.sign_mask()
            } else {
                0
            };
            (
                Number::of(data_type, smallest).quad(),
                Number::of(data_type, largest).quad(),
            )
        }
        Format::Integer(format) => (
            Quad::from_i128(format.min()).value,
            Quad::from_i128(format.max()).value,
        ),
        Format::Bool | Format::Complex(_) => (Quad::ZERO, Quad::ZERO),
    }
}

/// Returns whether IEEE 754 would turn a finite input beyond the largest value of its type into an infinity (ruling 1).
pub(super) fn overflows_to_infinity(cast: &Cast<'_>, input: Number) -> bool {
    matches!(cast.to.format(), Format::Float(format) if format.infinity)
        && !input.quad().is_infinite()
        && !stays_at_largest_in_ieee(cast, input)
}

/// Returns whether directed rounding in IEEE 754, in which the exponents are bounded, would stop at the largest finite
/// value, while the input is out of range for Exactum (ruling 1).
pub(super) fn stays_at_largest_in_ieee(cast: &Cast<'_>, input: Number) -> bool {
    let into_float = matches!(cast.to.format(), Format::Float(_));
    let input = input.quad();
    let (smallest, largest) = limits(cast.to);
    let inwards = match cast.rounding {
        _ if without_zero(cast.to) && input < smallest => false,
        Rounding::TowardsZero => input > largest || input < smallest,
        Rounding::TowardsNegative => input > largest,
        Rounding::TowardsPositive => input < smallest,
        Rounding::NearestEven | Rounding::NearestAway => false,
    };
    inwards && into_float
}
