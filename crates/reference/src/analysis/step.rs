//! The steps of a chain, which all have the same form: an exact operation, followed by one rounding into a format.

use std::cmp::Ordering;

use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_model::{BitRound, Cf, FloatFormat, Format, MapEntry, OutOfRange, PackBits, Rounding};
use num_bigint::BigUint;

use crate::bitround;
use crate::scale_offset::fixed_scale_offset::to_integer;

use super::missing;
use super::number::{larger, magnitude, power};

/// The operation of a step before its result is rounded.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// Converts the value into another format.
    Cast,
    /// Subtracts a parameter.
    Subtract(Exact),
    /// Multiplies by a parameter.
    Multiply(Exact),
    /// Divides by the first parameter. Encoding multiplied by the second, which may differ because it was rounded
    /// in another format.
    Divide(Exact, Exact),
    /// Adds the first parameter. Encoding subtracted the second.
    Add(Exact, Exact),
    /// Rounds to the nearest integer, with ties to even.
    NearestInteger,
    /// Stores a range of the bits and reads it back.
    Pack(PackBits),
    /// Interprets the bits as an integer of the other signedness.
    Recount,
    /// Rounds an integer to some of its bits.
    Keep(BitRound),
}

/// A step of a chain.
#[derive(Clone, Debug)]
pub(super) struct Step<'a> {
    /// The index of the codec to which the step belongs, among the array -> array codecs. For the array -> bytes
    /// codec, it is their number.
    pub(super) codec: usize,
    /// The operation.
    pub(super) work: Work,
    /// The format of the input.
    pub(super) from: Format,
    /// The format of the output.
    pub(super) to: Format,
    /// The rounding mode for the result.
    pub(super) rounding: Rounding,
    /// The treatment of results out of range.
    pub(super) out_of_range: Option<OutOfRange>,
    /// The scalar map, which replaces values before anything else happens.
    pub(super) map: &'a [MapEntry],
    /// The packing whose missing codes apply, if the input is a code. A missing code becomes NaN if the output has
    /// a NaN, and has no result otherwise.
    pub(super) missing: Option<&'a Cf>,
    /// For a step of decoding, the number of encoding steps before the value that the step restores.
    pub(super) mirror: Option<usize>,
}

/// Returns a step that rounds to nearest-even and rejects results out of range.
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

/// The case of a step to which a value belongs. Over inputs in ascending order, the label changes at only a few places.
/// All values between two values with the same label have this label too, and the output is monotonic among them. This
/// makes bisection exact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// The number of map keys, or of other marks of the step, that are less than the value.
    rank: usize,
    /// The effect of the step on the value.
    pub(super) event: Event,
}

/// The effect of a step on a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// The value has a result in the format.
    Within,
    /// The map entry with this index replaces the value.
    Mapped(usize),
    /// The value is out of range and becomes the end of the range or an infinity.
    Clamped {
        /// Whether the value is above the range.
        above: bool,
    },
    /// The value is out of the range of the stored type and loses a number of multiples of 2^N.
    Wrapped {
        /// Whether the lost multiples are negative.
        below: bool,
        /// The number of multiples.
        times: BigUint,
    },
    /// The value is a missing code and becomes NaN.
    Missing,
    /// The value has no result.
    Rejected {
        /// Whether the value is negative.
        negative: bool,
    },
    /// The value is divided as an integer, and the quotient may not be a whole number.
    Quotient {
        /// Whether the quotient is negative.
        negative: bool,
        /// The whole part of the quotient.
        whole: BigUint,
        /// Whether the quotient is whole and has a result. Otherwise, there is no result.
        exact: bool,
    },
}

impl Event {
    /// Returns whether the value has no result.
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
    /// Returns whether the value has a result within the format.
    pub(super) fn is_within(&self) -> bool {
        self.event == Event::Within
    }

    /// Returns whether an entry of the map replaces the value.
    pub(super) fn is_mapped(&self) -> bool {
        matches!(self.event, Event::Mapped(_))
    }

    /// Merges all numbers of multiples with the same sign into one case.
    pub(super) fn forget_multiples(&mut self) {
        if let Event::Wrapped { times, .. } = &mut self.event {
            *times = BigUint::default();
        }
    }
}

impl Step<'_> {
    /// Applies the step to a value. `is_whole` states that the quotient of integers is known to be whole, because
    /// the value is a multiple of the divisor.
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
            // The bits of floats ascend on one side of zero and descend on the other.
            (Work::Pack(_), Format::Float(_)) => rank = usize::from(!value.is_negative()),
            // Among codes that have the same value in both types, the output ascends with the input. The same is
            // true among all other codes.
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
            // The result is monotonic, because rounding is, and so is the limit to the bits of the type.
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

    /// Returns whether different values have different results, which decoding can return exactly, provided that all
    /// of them are [`Event::Within`].
    pub(super) fn is_lossless(&self) -> bool {
        match (&self.work, self.from, self.to) {
            (Work::Pack(codec), ..) => codec.first_bit == 0,
            (Work::Keep(_), ..) => false,
            (_, Format::Integer(_), Format::Integer(_)) => true,
            _ => false,
        }
    }
}

/// Returns the event of a value that has lost a multiple of `2^bits`, which may be zero.
fn wrapped(lost: &Exact, bits: u32) -> Event {
    match lost {
        Exact::Finite(finite) => Event::Wrapped {
            below: finite.negative,
            times: finite.in_quanta(bits.into()).0,
        },
        _ => Event::Within,
    }
}

/// Returns the value that is read back if only a range of the bits is stored. With the bits above the range, an integer
/// loses multiples of 2^N, where N is the index of the lowest of these bits. For a float, the lost bits themselves
/// determine the case.
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
        // A separate case, marked by a number that no lost bits can have.
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

/// Returns whether a format has a longer mantissa than a float format.
fn loses_bits(from: &Format, to: &FloatFormat) -> bool {
    from.float()
        .is_some_and(|from| from.mantissa_bits > to.mantissa_bits)
}

/// Returns the distance between values that have neighbouring results after these steps, or `None` if the distance
/// depends on the value.
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
