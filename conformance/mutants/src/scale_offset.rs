//! Mutants of `scale_offset`: the two steps of an element, and what can be wrong with either.

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

/// One step: the operands, the exact result, and the result according to the clauses.
pub(super) struct Done {
    first: bool,
    pub(super) format: Format,
    a: Exact,
    b: Exact,
    pub(super) exact: Exact,
    right: Result<u64, Rejection>,
}

/// Returns a mutant of elements.
fn of_elements(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: fn(&Element<'_>) -> Wrong,
) -> Mutant {
    super::mutant(name, clause, fault, elements(wrong))
}

/// Returns overrides for elements.
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

/// Returns a mutant of single steps.
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

    /// Performs the steps; the fault may replace the result of each.
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

    /// Performs other steps.
    pub(super) fn computed(&self, [first, second]: [Step; 2]) -> Wrong {
        let between = reference::step(self.codec, self.bits, first);
        Some(between.and_then(|bits| reference::step(self.codec, bits, second)))
    }

    /// Returns the right answer for other parameters.
    fn with(&self, change: impl FnOnce(&mut ScaleOffset)) -> Wrong {
        let mut codec = *self.codec;
        change(&mut codec);
        Some(right(&codec, self.direction, self.bits))
    }

    /// Returns the result of both steps with a change between them, stored in the data type only at the end.
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

    /// Returns the result of both steps computed exactly and stored only at the end.
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

    /// Returns a result that the clauses accept.
    pub(super) fn accepted(&self) -> Option<u64> {
        self.right.as_ref().ok().copied()
    }

    /// Returns whether a finite result lies above the range (`true`) or below it (`false`).
    pub(super) fn over(&self) -> Option<bool> {
        match round(&self.exact, &self.format, Rounding::NearestEven) {
            Rounded::OutOfRange { above, .. } => {
                (is_finite(&self.a) && is_finite(&self.b)).then_some(above)
            }
            _ => None,
        }
    }

    /// Returns the format of an integer step that overflows.
    pub(super) fn integer_over(&self) -> Option<IntegerFormat> {
        self.over()?;
        integer(&self.format).filter(|_| is_integer(&self.exact))
    }

    /// Requires a quotient of integers that is not an integer.
    fn inexact_division(&self) -> Option<&Self> {
        self.when(integer(&self.format).is_some() && !is_integer(&self.exact))
    }

    /// Requires zero or a negative result in a type without zero.
    fn no_zero(&self) -> Option<&Self> {
        let without = self.format.float().is_some_and(|float| !float.zero);
        self.when(without && !is_positive(&self.exact))
    }

    /// Rounds the exact result with another mode, if there is a result.
    fn by(&self, mode: Rounding) -> Wrong {
        match round(&self.exact, &self.format, mode) {
            Rounded::Bits(bits) => give(bits),
            _ => None,
        }
    }

    /// Computes by way of another format.
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

/// Returns a result stored in the data type according to the clauses.
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

/// Returns whether a value is above zero; NaN counts as positive.
fn is_positive(value: &Exact) -> bool {
    match value {
        Exact::Nan => true,
        Exact::Zero { .. } => false,
        Exact::Infinite { negative } => !negative,
        Exact::Finite(finite) => !finite.negative,
    }
}
