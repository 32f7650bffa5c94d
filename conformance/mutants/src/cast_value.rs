//! Mutants of `cast_value`: what its files share.

pub(super) mod exact;
pub(super) mod fill;
pub(super) mod map;
pub(super) mod range;
pub(super) mod rounding;
pub(super) mod small;
pub(super) mod special;
pub(super) mod wrap;
pub(super) mod zero;

use exactum_conformance::model::{Cast, CastValue, Format, OutOfRange, Rejection, Rounding};
use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_reference::cast_value::cast_element;

use super::arithmetic::{
    BINARY64, beyond, bits_through_binary64, floor, is_integer, largest, modulus, saturated,
    through,
};
use super::{CastPart, Direction, Mutant, Parts, RIGHT, Witness, refuse};

/// A mutant of elements.
const fn mutant(
    name: &'static str,
    breaks: &'static [&'static str],
    cast: CastPart,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            cast: Some(cast),
            ..RIGHT
        },
        witness,
    }
}

/// The direction's cast.
fn side(codec: &CastValue, direction: Direction) -> Cast<'_> {
    match direction {
        Direction::Encode => codec.encoding(),
        Direction::Decode => codec.decoding(),
    }
}

/// The output of the map, as the clauses have it.
fn mapped(cast: &Cast<'_>, bits: u64) -> Option<u64> {
    let format = cast.from.format();
    cast.map
        .iter()
        .find(|entry| format.same_value(entry.input, bits))
        .map(|entry| entry.output)
}

fn value(cast: &Cast<'_>, bits: u64) -> Exact {
    Exact::from_bits(&cast.from.format(), bits)
}

/// Right but for elements of which the fault says otherwise. The map is evaluated before.
fn unless(
    codec: &CastValue,
    direction: Direction,
    bits: u64,
    fault: impl FnOnce(&Cast<'_>, &Exact) -> Option<Result<u64, Rejection>>,
) -> Result<u64, Rejection> {
    let cast = side(codec, direction);
    if let Some(output) = mapped(&cast, bits) {
        return Ok(output);
    }
    fault(&cast, &value(&cast, bits)).unwrap_or_else(|| cast_element(&cast, bits))
}

/// Right but for values out of range: what the fault makes of the rounded value, which lies above
/// the range or below it. `rule` is the rule under which the fault shows.
fn out_of_range(
    rule: Option<OutOfRange>,
    codec: &CastValue,
    direction: Direction,
    bits: u64,
    fault: impl FnOnce(&Cast<'_>, &Exact, bool) -> Option<Result<u64, Rejection>>,
) -> Result<u64, Rejection> {
    unless(codec, direction, bits, |cast, value| {
        match round(value, &cast.to.format(), cast.rounding) {
            Rounded::OutOfRange { rounded, above } if cast.out_of_range == rule => {
                fault(cast, &rounded, above)
            }
            _ => None,
        }
    })
}

/// Right but for infinities that meet a type without, under one rule.
fn infinity_error(
    rule: Option<OutOfRange>,
    codec: &CastValue,
    direction: Direction,
    bits: u64,
    fault: impl FnOnce(&Format, bool) -> u64,
) -> Result<u64, Rejection> {
    unless(codec, direction, bits, |cast, value| {
        let to = cast.to.format();
        match round(value, &to, cast.rounding) {
            Rounded::NotFinite if cast.out_of_range == rule => {
                Some(Ok(fault(&to, !value.is_negative())))
            }
            _ => None,
        }
    })
}
