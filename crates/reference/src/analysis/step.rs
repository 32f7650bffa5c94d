//! A chain as steps of one kind: an exact operation, and one rounding into a format.

use std::cmp::Ordering;

use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_model::{BitRound, Cf, FloatFormat, Format, MapEntry, OutOfRange, PackBits, Rounding};
use num_bigint::BigUint;

use crate::bitround;
use crate::scale_offset::fixed_scale_offset::to_integer;

use super::missing;
use super::number::{larger, magnitude, power};

/// What a step does before its result is rounded.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// Nothing: the value is put into another format.
    Cast,
    /// A parameter is subtracted.
    Subtract(Exact),
    /// It is multiplied by a parameter.
    Multiply(Exact),
    /// It is divided by a parameter. Encoding multiplied by the second one, which another arithmetic
    /// may have rounded otherwise.
    Divide(Exact, Exact),
    /// A parameter is added. Encoding subtracted the second one.
    Add(Exact, Exact),
    /// It becomes the nearest integer, ties to even.
    NearestInteger,
    /// Some of its bits are stored and read again.
    Pack(PackBits),
    /// Its bits count as those of an integer of the other signedness.
    Recount,
    /// It is an integer of which some bits are kept.
    Keep(BitRound),
}

/// One step.
#[derive(Clone, Debug)]
pub(super) struct Step<'a> {
    /// The codec that it is a part of, counted among the array -> array codecs; the number of these for the
    /// array -> bytes codec.
    pub(super) codec: usize,
    /// What is done.
    pub(super) work: Work,
    /// The format of its input.
    pub(super) from: Format,
    /// The format of its output.
    pub(super) to: Format,
    /// How the result is rounded.
    pub(super) rounding: Rounding,
    /// What happens beyond the range.
    pub(super) out_of_range: Option<OutOfRange>,
    /// Values that become others whatever the rest says.
    pub(super) map: &'a [MapEntry],
    /// Whose codes stand for nothing, where its input is a code: such a code is NaN where the output has one, and
    /// has no result otherwise.
    pub(super) missing: Option<&'a Cf>,
    /// Of a step of decoding: how many steps come before the value that it gives back.
    pub(super) mirror: Option<usize>,
}

/// A step that rounds to nearest-even and rejects what is out of range.
pub(super) fn step(codec: usize, work: Work, from: Format, to: Format) -> Step<'static> {
    Step {
        codec,
        work,
        from,
        to,
        rounding: Rounding::NearestEven,
        out_of_range: None,
        map: &[],
        missing: None,
        mirror: None,
    }
}

/// Which case of a step a value is. Values that a step is given in ascending order have labels that
/// change at a few places only: between two values of one label, all values have it, and from one to the
/// next the output moves in one direction. That is what makes bisection exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// How many keys of the map, or other marks of the step, are less than the value.
    rank: usize,
    /// What happens to it.
    pub(super) event: Event,
}

/// What happens to a value in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// It has a result in the format.
    Within,
    /// An entry of the map replaces it.
    Mapped(usize),
    /// It lies outside of the range, and becomes the value at its end, or an infinity.
    Clamped {
        /// At which end.
        above: bool,
    },
    /// It lies outside of what is stored, and loses this number of multiples of 2^N.
    Wrapped {
        /// Whether they are negative.
        below: bool,
        /// How many.
        times: BigUint,
    },
    /// It is a code that stands for nothing, and becomes NaN.
    Missing,
    /// It has no result.
    Rejected {
        /// On which side of zero it lies.
        negative: bool,
    },
    /// The quotient of integers, where it may not be whole.
    Quotient {
        /// Whether it is negative.
        negative: bool,
        /// Its whole part.
        whole: BigUint,
        /// Whether that is all of it; otherwise there is no result.
        exact: bool,
    },
}

impl Event {
    /// Returns whether there is no result.
    pub(super) fn is_rejected(&self) -> bool {
        matches!(
            self,
            Event::Rejected { .. } | Event::Quotient { exact: false, .. }
        )
    }

    /// Returns whether the value has lost multiples of 2^N.
    pub(super) fn is_wrapped(&self) -> bool {
        matches!(self, Event::Wrapped { .. })
    }
}

impl Label {
    /// Returns whether the value has a result of its own.
    pub(super) fn is_within(&self) -> bool {
        self.event == Event::Within
    }

    /// Returns whether an entry of the map replaces it.
    pub(super) fn is_mapped(&self) -> bool {
        matches!(self.event, Event::Mapped(_))
    }

    /// Makes one case of all multiples of one sign.
    pub(super) fn forget_multiples(&mut self) {
        if let Event::Wrapped { times, .. } = &mut self.event {
            *times = BigUint::default();
        }
    }
}

impl Step<'_> {
    /// What becomes of a value. `is_whole` says that a quotient of integers must be whole, since the value is
    /// a product of the divisor.
    pub(super) fn apply(&self, bits: u64, is_whole: bool) -> (Label, Option<u64>) {
        let value = Exact::from_bits(&self.from, bits);
        let mut rank = 0;
        for (index, entry) in self.map.iter().enumerate() {
            if self.from.same_value(entry.input, bits) {
                let event = Event::Mapped(index);
                return (Label { rank: 0, event }, Some(entry.output));
            }
            let key = Exact::from_bits(&self.from, entry.input);
            rank += usize::from(key.compare(&value) == Some(Ordering::Less));
        }
        match (&self.work, self.from) {
            // Their bits go up on one side of zero and down on the other.
            (Work::Pack(_), Format::Float(_)) => rank = usize::from(!value.is_negative()),
            // Codes that count alike in both types go up, and so do the others.
            (Work::Recount, from) => {
                rank = usize::from(bits >> (from.component_bits() - 1) & 1 == 1);
            }
            _ => {}
        }
        if let Some(codec) = self.missing {
            let (place, is_missing) = missing::place(codec, bits);
            rank = place;
            if is_missing {
                let nan = self.to.float().and_then(|float| float.nan_bits());
                let event = match nan {
                    Some(_) => Event::Missing,
                    None => Event::Rejected {
                        negative: value.is_negative(),
                    },
                };
                return (Label { rank, event }, nan);
            }
        }
        let (event, bits) = self.result(&value, bits, is_whole);
        (Label { rank, event }, bits)
    }

    fn result(&self, value: &Exact, bits: u64, is_whole: bool) -> (Event, Option<u64>) {
        let result = match &self.work {
            Work::Cast => value.clone(),
            Work::Subtract(parameter) => value.subtract(parameter),
            Work::Multiply(parameter) => value.multiply(parameter),
            Work::Divide(parameter, _) => value.divide(parameter),
            Work::Add(parameter, _) => value.add(parameter),
            Work::NearestInteger => to_integer(value, Rounding::NearestEven),
            Work::Pack(codec) => return pack(codec, &self.from, bits),
            Work::Recount => return (Event::Within, Some(bits)),
            // What goes up does not come down: neither rounding nor what fits does that.
            Work::Keep(codec) => {
                return (Event::Within, bitround::encode_element(codec, bits).ok());
            }
        };
        if let (Work::Divide(..), Format::Integer(_), Exact::Finite(finite), false) =
            (&self.work, self.to, &result, is_whole)
        {
            let (whole, remainder, _) = finite.in_quanta(0);
            let exact = remainder.bits() == 0;
            let bits = match round(&result, &self.to, self.rounding) {
                Rounded::Bits(bits) if exact => Some(bits),
                _ => None,
            };
            let event = Event::Quotient {
                negative: finite.negative,
                whole,
                exact: exact && bits.is_some(),
            };
            return (event, bits);
        }
        let rejected = Event::Rejected {
            negative: value.is_negative(),
        };
        match round(&result, &self.to, self.rounding) {
            Rounded::Bits(bits) => (Event::Within, Some(bits)),
            Rounded::NotANumber | Rounded::NotFinite => (rejected, None),
            Rounded::OutOfRange { rounded, above } => match (self.out_of_range, self.to) {
                (Some(OutOfRange::Clamp), _) => {
                    (Event::Clamped { above }, Some(clamp(&self.to, above)))
                }
                (Some(OutOfRange::Wrap), Format::Integer(format)) => {
                    let bits = wrap(&format, &rounded);
                    let lost = rounded.subtract(&Exact::from_bits(&self.to, bits));
                    (wrapped(&lost, format.bits), Some(bits))
                }
                _ => (rejected, None),
            },
        }
    }

    /// Returns whether different values have different results that decoding gives back, as long as each is
    /// [`Event::Within`].
    pub(super) fn is_lossless(&self) -> bool {
        match (&self.work, self.from, self.to) {
            (Work::Pack(codec), ..) => codec.first_bit == 0,
            (Work::Keep(_), ..) => false,
            (_, Format::Integer(_), Format::Integer(_)) => true,
            _ => false,
        }
    }
}

/// What a value has lost, a multiple of 2^N.
fn wrapped(lost: &Exact, bits: u32) -> Event {
    match lost {
        Exact::Finite(finite) => Event::Wrapped {
            below: finite.negative,
            times: finite.in_quanta(bits.into()).0,
        },
        _ => Event::Within,
    }
}

/// The bits of a range. An integer loses multiples of 2^N with those above the range, where N is the
/// number of the first of them; of a float, the bits themselves tell the case.
fn pack(codec: &PackBits, format: &Format, bits: u64) -> (Event, Option<u64>) {
    let kept = u64::MAX >> (63 - codec.last_bit);
    let below = u64::MAX << codec.first_bit;
    if let Format::Integer(integer) = format {
        let is_negative = integer.signed && bits >> codec.last_bit & 1 == 1;
        let extended = match is_negative {
            true => (bits | !kept) & integer.mask(),
            false => bits & kept,
        };
        let value = Exact::from_bits(format, bits);
        let lost = value.subtract(&Exact::from_bits(format, extended));
        return (wrapped(&lost, codec.last_bit + 1), Some(extended & below));
    }
    let stored = bits & kept & below;
    let negative = Exact::from_bits(format, bits).is_negative();
    let is_nan = Exact::from_bits(format, stored) == Exact::Nan;
    let lost = bits & format.component_mask() & !kept;
    let event = match (lost, is_nan) {
        (0, false) => Event::Within,
        // A mark of its own above all bits.
        (_, true) => Event::Wrapped {
            below: negative,
            times: BigUint::from(1u32) << 64u32,
        },
        (lost, false) => Event::Wrapped {
            below: negative,
            times: lost.into(),
        },
    };
    (event, Some(stored))
}

/// Returns whether a float format has a longer mantissa than another one.
fn loses_bits(from: &Format, to: &FloatFormat) -> bool {
    from.float()
        .is_some_and(|from| from.mantissa_bits > to.mantissa_bits)
}

/// How far apart values with neighbouring results are, after all these steps; `None` where that depends on
/// the value.
pub(super) fn distance_of_codes(steps: &[Step<'_>]) -> Option<Exact> {
    let one = Exact::integer(1);
    let is_whole = |unit: &Exact| {
        to_integer(unit, Rounding::NearestEven).compare(unit) == Some(Ordering::Equal)
    };
    let mut slope = one.clone();
    let mut unit = match steps.first()?.from {
        Format::Integer(_) => Some(one.clone()),
        _ => None,
    };
    for step in steps {
        match (&step.work, step.to) {
            (Work::Multiply(scale), _) => {
                let scale = magnitude(scale);
                unit = unit.map(|unit| unit.multiply(&scale));
                slope = slope.multiply(&scale);
            }
            (Work::Divide(scale, _), Format::Float(_)) => {
                let scale = magnitude(scale);
                unit = unit.map(|unit| unit.divide(&scale));
                slope = slope.divide(&scale);
            }
            (Work::Pack(codec), Format::Integer(_)) => {
                unit = unit.map(|unit| larger(unit, power(codec.first_bit.into())));
            }
            (Work::Keep(_), _) => unit = None,
            (Work::Cast, Format::Float(to)) if loses_bits(&step.from, &to) => unit = None,
            (Work::NearestInteger, _) | (Work::Cast, Format::Integer(_)) => {
                unit = unit.filter(is_whole).or(Some(one.clone()));
            }
            _ => {}
        }
    }
    Some(unit?.divide(&slope))
}
