//! Mutants of `cast_value`: the steps of casting an element, and what can be wrong with each.

mod cells;
mod exact;
mod fill;
mod map;
mod range;
mod rounding;
mod small;
mod special;
mod wrap;
mod zero;

use exactum_conformance::model::{Cast, CastValue, Direction, Format, OutOfRange, Rounding};
use exactum_exact::{Exact, Rounded, clamp, round, wrap as modulo};
use exactum_reference::cast_value::cast_element;

use super::arithmetic::{
    BINARY64, beyond, bits_through_binary64, floor, integer, is_integer, largest, modulus, same,
    saturated, through,
};
use super::{Mutant, Overrides, Wrong, give, overrides, reject};

const ABSENT: Option<OutOfRange> = None;
const CLAMP: Option<OutOfRange> = Some(OutOfRange::Clamp);
const WRAP: Option<OutOfRange> = Some(OutOfRange::Wrap);

pub(super) use cells::lies;

pub(super) fn mutants() -> Vec<Mutant> {
    [
        exact::mutants(),
        rounding::mutants(),
        range::mutants(),
        wrap::mutants(),
        special::mutants(),
        zero::mutants(),
        small::mutants(),
        map::mutants(),
        fill::mutants(),
    ]
    .concat()
}

/// An element to be cast, with its exact value and the result of rounding.
pub(super) struct Element<'a> {
    pub(super) codec: &'a CastValue,
    pub(super) direction: Direction,
    pub(super) cast: Cast<'a>,
    pub(super) from: Format,
    pub(super) to: Format,
    pub(super) bits: u64,
    pub(super) value: Exact,
    /// The value rounded to the other type according to the clauses, but without the map.
    pub(super) rounded: Rounded,
}

/// Returns a mutant for elements that no map entry matches.
pub(super) fn mutant(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: impl Fn(&Element<'_>) -> Wrong + Send + Sync + 'static,
) -> Mutant {
    let overrides = elements(move |it| match it.mapped() {
        Some(_) => None,
        None => wrong(it),
    });
    super::mutant(name, clause, fault, overrides)
}

/// Returns overrides for all elements, including those in the map.
pub(super) fn elements(wrong: impl Fn(&Element<'_>) -> Wrong + Send + Sync + 'static) -> Overrides {
    overrides::elements("cast_value", move |codec, direction, bits| {
        wrong(&Element::new(codec, direction, bits))
    })
}

impl<'a> Element<'a> {
    fn new(codec: &'a CastValue, direction: Direction, bits: u64) -> Self {
        let cast = match direction {
            Direction::Encode => codec.encoding(),
            Direction::Decode => codec.decoding(),
        };
        let (from, to) = (cast.from.format(), cast.to.format());
        let value = Exact::from_bits(&from, bits);
        Self {
            rounded: round(&value, &to, cast.rounding),
            codec,
            direction,
            cast,
            from,
            to,
            bits,
            value,
        }
    }

    /// Returns the output of the map.
    pub(super) fn mapped(&self) -> Option<u64> {
        self.entry(|format, key, bits| format.same_value(key, bits))
    }

    /// Returns the output of the first entry whose key is equal under `same`.
    fn entry(&self, same: impl Fn(&Format, u64, u64) -> bool) -> Option<u64> {
        let mut entries = self.cast.map.iter();
        entries
            .find(|entry| same(&self.from, entry.input, self.bits))
            .map(|entry| entry.output)
    }

    // Conditions.

    pub(super) fn when(&self, condition: bool) -> Option<&Self> {
        condition.then_some(self)
    }

    fn encoding(&self) -> Option<&Self> {
        self.when(self.direction == Direction::Encode)
    }

    fn decoding(&self) -> Option<&Self> {
        self.when(self.direction == Direction::Decode)
    }

    fn of_float(&self) -> Option<&Self> {
        self.when(self.from.float().is_some())
    }

    fn of_integer(&self) -> Option<&Self> {
        self.when(integer(&self.from).is_some())
    }

    fn to_float(&self) -> Option<&Self> {
        self.when(self.to.float().is_some())
    }

    fn to_integer(&self) -> Option<&Self> {
        self.when(integer(&self.to).is_some())
    }

    fn mode(&self, mode: Rounding) -> Option<&Self> {
        self.when(self.cast.rounding == mode)
    }

    fn rule(&self, rule: Option<OutOfRange>) -> Option<&Self> {
        self.when(self.cast.out_of_range == rule)
    }

    /// Requires a value that is out of range under this rule.
    fn over(&self, rule: Option<OutOfRange>) -> Option<&Self> {
        self.rule(rule)?
            .when(matches!(self.rounded, Rounded::OutOfRange { .. }))
    }

    /// Requires an infinity, a target type without infinities, and this rule.
    fn no_infinity(&self, rule: Option<OutOfRange>) -> Option<&Self> {
        self.rule(rule)?
            .when(matches!(self.rounded, Rounded::NotFinite))
    }

    pub(super) fn nan(&self) -> Option<&Self> {
        self.when(self.value == Exact::Nan)
    }

    pub(super) fn infinite(&self) -> Option<&Self> {
        self.when(matches!(self.value, Exact::Infinite { .. }))
    }

    /// Requires a finite value other than zero.
    fn finite(&self) -> Option<&Self> {
        self.when(matches!(self.value, Exact::Finite(_)))
    }

    pub(super) fn zero(&self) -> Option<&Self> {
        self.when(matches!(self.value, Exact::Zero { .. }))
    }

    pub(super) fn negative(&self) -> Option<&Self> {
        self.when(self.value.is_negative())
    }

    // Values.

    /// Returns whether the value lies above the range or, if it is not out of range, whether it is positive.
    fn above(&self) -> bool {
        match self.rounded {
            Rounded::OutOfRange { above, .. } => above,
            _ => !self.value.is_negative(),
        }
    }

    /// Returns the value; if it is out of range, it is rounded as if the range were unlimited.
    fn far(&self) -> &Exact {
        match &self.rounded {
            Rounded::OutOfRange { rounded, .. } => rounded,
            _ => &self.value,
        }
    }

    /// Returns the largest finite value, or the smallest.
    fn limit(&self, above: bool) -> Exact {
        Exact::from_bits(&self.to, largest(&self.to, above))
    }

    /// Returns the bits of the result, if the value is in range.
    fn result(&self) -> Option<u64> {
        match self.rounded {
            Rounded::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    // Wrong results.

    fn clamp(&self, above: bool) -> Wrong {
        give(clamp(&self.to, above))
    }

    fn largest(&self, above: bool) -> Wrong {
        give(largest(&self.to, above))
    }

    /// Wraps a value modulo 2^N.
    fn wrap(&self, value: &Exact) -> Wrong {
        integer(&self.to).and_then(|to| give(modulo(&to, value)))
    }

    /// Rounds a value, or returns `None` if it is out of range.
    fn nearest(&self, value: &Exact) -> Wrong {
        match round(value, &self.to, self.cast.rounding) {
            Rounded::Bits(bits) => give(bits),
            _ => None,
        }
    }

    /// Rounds to nearest by way of another format.
    fn via(&self, format: &Format) -> Wrong {
        let there = through(&self.value, format);
        self.when(matches!(there, Exact::Finite(_)))?
            .nearest(&there)
    }

    /// Rounds with another mode.
    fn by(&self, mode: Rounding) -> Wrong {
        self.with(|cast| cast.rounding = mode)
    }

    /// Returns the result of the cast without its map and with one change.
    pub(super) fn with(&self, change: impl FnOnce(&mut Cast<'_>)) -> Wrong {
        let mut cast = Cast {
            map: &[],
            ..self.cast
        };
        change(&mut cast);
        Some(cast_element(&cast, self.bits))
    }

    /// Returns the result for another value of the element.
    pub(super) fn read_as(&self, value: &Exact) -> Wrong {
        match round(value, &self.to, self.cast.rounding) {
            Rounded::Bits(bits) => give(bits),
            Rounded::OutOfRange { above, .. } if self.rule(CLAMP).is_some() => self.clamp(above),
            _ => reject(),
        }
    }
}
