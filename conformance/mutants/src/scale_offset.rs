//! Mutants of `scale_offset`.

pub(super) mod arithmetic;
pub(super) mod fill;
pub(super) mod legacy;
pub(super) mod operations;
pub(super) mod parameters;
pub(super) mod range;
pub(super) mod small;
pub(super) mod special;

use exactum_conformance::model::{
    ArrayCodec, Format, IntegerFormat, Rejection, Rounding, Scalar, ScaleOffset,
};
use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_reference::scale_offset::{decode_element, encode_element};

use super::arithmetic::{BINARY64, bits_through_binary64, floor, is_integer, saturated, through};
use super::{Direction, FillPart, Mutant, Parts, RIGHT, ScalePart, Witness, refuse, walk};

/// A mutant of elements.
const fn mutant(
    name: &'static str,
    breaks: &'static [&'static str],
    scale: ScalePart,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            scale: Some(scale),
            ..RIGHT
        },
        witness,
    }
}

/// A mutant of the fill value.
const fn fill(
    name: &'static str,
    breaks: &'static [&'static str],
    part: FillPart,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            fill: Some(part),
            ..RIGHT
        },
        witness,
    }
}

fn right(codec: &ScaleOffset, direction: Direction, bits: u64) -> Result<u64, Rejection> {
    match direction {
        Direction::Encode => encode_element(codec, bits),
        Direction::Decode => decode_element(codec, bits),
    }
}

/// One operation on exact values.
type Operation = fn(&Exact, &Exact) -> Exact;

/// One step of the codec: the operands as bits, the exact result, the result as the clauses have
/// it.
struct Done<'a> {
    format: &'a Format,
    a: Exact,
    b: Exact,
    exact: Exact,
    right: Result<u64, Rejection>,
}

/// The steps of a direction: the parameter and the operation.
fn steps(codec: &ScaleOffset, direction: Direction) -> [(Option<u64>, Operation); 2] {
    match direction {
        Direction::Encode => [
            (codec.offset, Exact::subtract as Operation),
            (codec.scale, Exact::multiply),
        ],
        Direction::Decode => [
            (codec.scale, Exact::divide as Operation),
            (codec.offset, Exact::add),
        ],
    }
}

/// The codec of the first or of the second step alone.
fn alone(codec: &ScaleOffset, direction: Direction, first: bool) -> ScaleOffset {
    if first == (direction == Direction::Encode) {
        ScaleOffset {
            scale: None,
            ..*codec
        }
    } else {
        ScaleOffset {
            offset: None,
            ..*codec
        }
    }
}

/// Goes through the steps; the fault may replace the result of each.
fn each_step(
    codec: &ScaleOffset,
    direction: Direction,
    bits: u64,
    fault: impl Fn(&Done<'_>) -> Option<Result<u64, Rejection>>,
) -> Result<u64, Rejection> {
    let format = codec.data_type.format();
    let mut bits = bits;
    for (index, (parameter, operation)) in steps(codec, direction).into_iter().enumerate() {
        let Some(parameter) = parameter else {
            continue;
        };
        let (a, b) = (
            Exact::from_bits(&format, bits),
            Exact::from_bits(&format, parameter),
        );
        let done = Done {
            format: &format,
            exact: operation(&a, &b),
            a,
            b,
            right: right(&alone(codec, direction, index == 0), direction, bits),
        };
        bits = match fault(&done) {
            Some(result) => result?,
            None => done.right?,
        };
    }
    Ok(bits)
}

/// Other operations, one after another.
fn computed(
    codec: &ScaleOffset,
    bits: u64,
    operations: &[(Option<u64>, Operation)],
) -> Result<u64, Rejection> {
    let format = codec.data_type.format();
    let mut bits = bits;
    for &(parameter, operation) in operations {
        if let Some(parameter) = parameter {
            let (a, b) = (
                Exact::from_bits(&format, bits),
                Exact::from_bits(&format, parameter),
            );
            bits = stored(&operation(&a, &b), &format)?;
        }
    }
    Ok(bits)
}

/// A result put into the data type as the clauses have it.
fn stored(value: &Exact, format: &Format) -> Result<u64, Rejection> {
    if matches!(format, Format::Integer(_))
        && matches!(value, Exact::Finite(_))
        && !is_integer(value)
    {
        return Err(refuse("scale_offset.integer.division"));
    }
    match round(value, format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Ok(bits),
        _ => Err(refuse("scale_offset.range.overflow")),
    }
}

/// The exact value of both steps without anything between them.
fn fused(codec: &ScaleOffset, direction: Direction, bits: u64) -> Exact {
    let format = codec.data_type.format();
    let mut value = Exact::from_bits(&format, bits);
    for (parameter, operation) in steps(codec, direction) {
        if let Some(parameter) = parameter {
            value = operation(&value, &Exact::from_bits(&format, parameter));
        }
    }
    value
}

fn is_finite(value: &Exact) -> bool {
    matches!(value, Exact::Zero { .. } | Exact::Finite(_))
}

/// Whether a value, NaN aside, is above zero; NaN counts as such.
fn is_positive(value: &Exact) -> bool {
    match value {
        Exact::Nan => true,
        Exact::Zero { .. } => false,
        Exact::Infinite { negative } => !negative,
        Exact::Finite(finite) => !finite.negative,
    }
}

/// Whether a finite result of finite operands lies outside the range.
fn overflows(done: &Done<'_>) -> Option<bool> {
    match round(&done.exact, done.format, Rounding::NearestEven) {
        Rounded::OutOfRange { above, .. } if is_finite(&done.a) && is_finite(&done.b) => {
            Some(above)
        }
        _ => None,
    }
}

/// An overflow of an integer step.
fn integer_overflow<'a>(done: &'a Done<'_>) -> Option<(&'a IntegerFormat, bool)> {
    match done.format {
        Format::Integer(format) if is_integer(&done.exact) => {
            overflows(done).map(|above| (format, above))
        }
        _ => None,
    }
}
