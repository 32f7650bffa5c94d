//! Mutants of `scale_offset`: an element, its two steps, and what can be wrong with either.

mod arithmetic;
mod cells;
mod fill;
mod fixed_scale_offset;
mod operations;
mod parameters;
mod range;
mod small;
mod special;

use exactum_conformance::model::{
    Direction, Format, IntegerFormat, Rejection, Rounding, ScaleOffset,
};
use exactum_exact::{Exact, Rounded, clamp, round, wrap as modulo};
use exactum_reference::scale_offset::{
    self as reference, Step, decode_element, encode_element, steps,
};

use super::arithmetic::{
    BINARY32, BINARY64, bits_through_binary64, floor, integer, is_integer, is_subnormal, largest,
    same, saturated, through,
};
use super::{Mutant, NONE, Overrides, Wrong, fill, give, overrides, reject, some_rejection};

pub(super) use cells::lies;

pub(super) fn mutants() -> Vec<Mutant> {
    [
        operations::mutants(),
        parameters::mutants(),
        arithmetic::mutants(),
        range::mutants(),
        special::mutants(),
        small::mutants(),
        fill::mutants(),
        fixed_scale_offset::mutants(),
    ]
    .concat()
}

/// An element on its way through both steps.
pub(super) struct Element<'a> {
    codec: &'a ScaleOffset,
    direction: Direction,
    pub(super) format: Format,
    bits: u64,
    pub(super) value: Exact,
}

/// One step: the operands, the exact result, the result as the clauses have it.
pub(super) struct Done {
    first: bool,
    pub(super) format: Format,
    a: Exact,
    b: Exact,
    pub(super) exact: Exact,
    right: Result<u64, Rejection>,
}

/// A mutant of elements.
fn of_elements(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: fn(&Element<'_>) -> Wrong,
) -> Mutant {
    super::mutant(name, clause, fault, elements(wrong))
}

/// What is wrong with elements.
pub(super) fn elements(wrong: impl Fn(&Element<'_>) -> Wrong + Send + Sync + 'static) -> Overrides {
    overrides::elements(
        "scale_offset",
        move |codec: &ScaleOffset, direction, bits| {
            let format = codec.data_type.format();
            wrong(&Element {
                codec,
                direction,
                bits,
                value: Exact::from_bits(&format, bits),
                format,
            })
        },
    )
}

/// A mutant of single steps.
fn step(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: fn(&Done) -> Wrong,
) -> Mutant {
    super::mutant(name, clause, fault, elements(move |it| it.each_step(wrong)))
}

impl Element<'_> {
    fn when(&self, condition: bool) -> Option<&Self> {
        condition.then_some(self)
    }

    pub(super) fn encoding(&self) -> Option<&Self> {
        self.when(self.direction == Direction::Encode)
    }

    pub(super) fn decoding(&self) -> Option<&Self> {
        self.when(self.direction == Direction::Decode)
    }

    fn float(&self) -> Option<&Self> {
        self.when(self.format.float().is_some())
    }

    fn right(&self) -> Result<u64, Rejection> {
        right(self.codec, self.direction, self.bits)
    }

    fn steps(&self) -> [Step; 2] {
        steps(self.codec, self.direction)
    }

    /// Goes through the steps; the fault may replace the result of each.
    pub(super) fn each_step(&self, fault: impl Fn(&Done) -> Wrong) -> Wrong {
        let mut bits = self.bits;
        for (index, taken) in self.steps().into_iter().enumerate() {
            let (Some(parameter), _, operation) = taken else {
                continue;
            };
            let [a, b] = [bits, parameter].map(|bits| Exact::from_bits(&self.format, bits));
            let done = Done {
                first: index == 0,
                format: self.format,
                exact: operation(&a, &b),
                a,
                b,
                right: reference::step(self.codec, bits, taken),
            };
            bits = match fault(&done).unwrap_or(done.right) {
                Ok(bits) => bits,
                rejected => return Some(rejected),
            };
        }
        give(bits)
    }

    /// Other steps.
    pub(super) fn computed(&self, [first, second]: [Step; 2]) -> Wrong {
        let between = reference::step(self.codec, self.bits, first);
        Some(between.and_then(|bits| reference::step(self.codec, bits, second)))
    }

    /// The right answer by other parameters.
    fn with(&self, change: impl FnOnce(&mut ScaleOffset)) -> Wrong {
        let mut codec = *self.codec;
        change(&mut codec);
        Some(right(&codec, self.direction, self.bits))
    }

    /// The value of both steps with something done between them, put into the type at the end.
    fn with_steps(&self, between: impl Fn(Exact) -> Exact) -> Wrong {
        let parameters = self.steps().into_iter();
        let value =
            parameters.fold(
                self.value.clone(),
                |value, (parameter, _, operation)| match parameter {
                    Some(bits) => between(operation(&value, &Exact::from_bits(&self.format, bits))),
                    None => value,
                },
            );
        Some(stored(&value, &self.format))
    }

    /// The exact value of both steps.
    pub(super) fn fused(&self) -> Wrong {
        self.with_steps(|value| value)
    }
}

impl Done {
    pub(super) fn when(&self, condition: bool) -> Option<&Self> {
        condition.then_some(self)
    }

    pub(super) fn float(&self) -> Option<&Self> {
        self.when(self.format.float().is_some())
    }

    /// A result that the clauses accept.
    pub(super) fn accepted(&self) -> Option<u64> {
        self.right.as_ref().ok().copied()
    }

    /// A finite result that lies outside the range: above or below.
    pub(super) fn over(&self) -> Option<bool> {
        match round(&self.exact, &self.format, Rounding::NearestEven) {
            Rounded::OutOfRange { above, .. } => {
                (is_finite(&self.a) && is_finite(&self.b)).then_some(above)
            }
            _ => None,
        }
    }

    /// An overflow of an integer step.
    pub(super) fn integer_over(&self) -> Option<IntegerFormat> {
        self.over()?;
        integer(&self.format).filter(|_| is_integer(&self.exact))
    }

    /// A quotient of integers that is not an integer.
    fn inexact_division(&self) -> Option<&Self> {
        self.when(integer(&self.format).is_some() && !is_integer(&self.exact))
    }

    /// Zero or less in a type without zero.
    fn no_zero(&self) -> Option<&Self> {
        let without = self.format.float().is_some_and(|float| !float.zero);
        self.when(without && !is_positive(&self.exact))
    }

    /// The exact result by another mode, where it has one.
    fn by(&self, mode: Rounding) -> Wrong {
        match round(&self.exact, &self.format, mode) {
            Rounded::Bits(bits) => give(bits),
            _ => None,
        }
    }

    /// By way of another format.
    fn via(&self, format: &Format) -> Wrong {
        give(saturated(&through(&self.exact, format), &self.format))
    }
}

fn right(codec: &ScaleOffset, direction: Direction, bits: u64) -> Result<u64, Rejection> {
    match direction {
        Direction::Encode => encode_element(codec, bits),
        Direction::Decode => decode_element(codec, bits),
    }
}

/// A result put into the data type as the clauses have it.
fn stored(value: &Exact, format: &Format) -> Result<u64, Rejection> {
    let quotient = integer(format).is_some() && matches!(value, Exact::Finite(_));
    if quotient && !is_integer(value) {
        return Err(some_rejection());
    }
    match round(value, format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Ok(bits),
        _ => Err(some_rejection()),
    }
}

fn is_finite(value: &Exact) -> bool {
    matches!(value, Exact::Zero { .. } | Exact::Finite(_))
}

/// Returns whether a value, NaN aside, is above zero; NaN counts as such.
fn is_positive(value: &Exact) -> bool {
    match value {
        Exact::Nan => true,
        Exact::Zero { .. } => false,
        Exact::Infinite { negative } => !negative,
        Exact::Finite(finite) => !finite.negative,
    }
}
