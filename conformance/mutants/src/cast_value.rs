//! Mutants of `cast_value`: an element on its way, and what can be wrong with it.

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

/// An element that is cast: read and rounded.
pub(super) struct Element<'a> {
    pub(super) codec: &'a CastValue,
    pub(super) direction: Direction,
    pub(super) cast: Cast<'a>,
    pub(super) from: Format,
    pub(super) to: Format,
    pub(super) bits: u64,
    pub(super) value: Exact,
    /// The value in the other type, as the clauses have it but for the map.
    pub(super) rounded: Rounded,
}

/// A mutant of elements that no map entry takes.
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

/// What is wrong with elements, also those of the map.
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

    /// The output of the map.
    pub(super) fn mapped(&self) -> Option<u64> {
        self.entry(|format, key, bits| format.same_value(key, bits))
    }

    /// The output of the first entry whose key is the same.
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

    /// Out of range under a rule.
    fn over(&self, rule: Option<OutOfRange>) -> Option<&Self> {
        self.rule(rule)?
            .when(matches!(self.rounded, Rounded::OutOfRange { .. }))
    }

    /// An infinity for a type without, under a rule.
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

    /// Finite and not zero.
    fn finite(&self) -> Option<&Self> {
        self.when(matches!(self.value, Exact::Finite(_)))
    }

    pub(super) fn zero(&self) -> Option<&Self> {
        self.when(matches!(self.value, Exact::Zero { .. }))
    }

    pub(super) fn negative(&self) -> Option<&Self> {
        self.when(self.value.is_negative())
    }

    // What is there.

    /// Returns whether the value lies above the range; of others whether it is positive.
    fn above(&self) -> bool {
        match self.rounded {
            Rounded::OutOfRange { above, .. } => above,
            _ => !self.value.is_negative(),
        }
    }

    /// The value rounded without regard to the range, where it lies beyond.
    fn far(&self) -> &Exact {
        match &self.rounded {
            Rounded::OutOfRange { rounded, .. } => rounded,
            _ => &self.value,
        }
    }

    /// The largest finite value, or the smallest.
    fn limit(&self, above: bool) -> Exact {
        Exact::from_bits(&self.to, largest(&self.to, above))
    }

    /// The bits of the result where the value is in range.
    fn result(&self) -> Option<u64> {
        match self.rounded {
            Rounded::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    // What is made of it.

    fn clamp(&self, above: bool) -> Wrong {
        give(clamp(&self.to, above))
    }

    fn largest(&self, above: bool) -> Wrong {
        give(largest(&self.to, above))
    }

    /// A value modulo 2^N.
    fn wrap(&self, value: &Exact) -> Wrong {
        integer(&self.to).and_then(|to| give(modulo(&to, value)))
    }

    /// A value rounded; nothing where it does not fit.
    fn nearest(&self, value: &Exact) -> Wrong {
        match round(value, &self.to, self.cast.rounding) {
            Rounded::Bits(bits) => give(bits),
            _ => None,
        }
    }

    /// By way of another format, to nearest.
    fn via(&self, format: &Format) -> Wrong {
        let there = through(&self.value, format);
        self.when(matches!(there, Exact::Finite(_)))?
            .nearest(&there)
    }

    /// Rounded by another mode.
    fn by(&self, mode: Rounding) -> Wrong {
        self.with(|cast| cast.rounding = mode)
    }

    /// The cast without its map and with something changed.
    pub(super) fn with(&self, change: impl FnOnce(&mut Cast<'_>)) -> Wrong {
        let mut cast = Cast {
            map: &[],
            ..self.cast
        };
        change(&mut cast);
        Some(cast_element(&cast, self.bits))
    }

    /// As if the element had another value.
    pub(super) fn read_as(&self, value: &Exact) -> Wrong {
        match round(value, &self.to, self.cast.rounding) {
            Rounded::Bits(bits) => give(bits),
            Rounded::OutOfRange { above, .. } if self.rule(CLAMP).is_some() => self.clamp(above),
            _ => reject(),
        }
    }
}
