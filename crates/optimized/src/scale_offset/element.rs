//! Converts one element by the clauses. This path is used for small data types, fill values, unusual
//! parameters, and elements that a kernel flagged.

use exactum_model::{Direction, Format, IntegerFormat, Reason, Rejection, Rounding, ScaleOffset};

use crate::fault::{Fault, Message};
use crate::soft::{Number, Rounded, round};

#[derive(Clone, Copy)]
enum Operation {
    Subtract,
    Multiply,
    Divide,
    Add,
}

/// Encodes one element (scale_offset.encode). A missing parameter skips its step
/// (scale_offset.offset.absent, scale_offset.scale.absent).
///
/// # Errors
/// If the result of a step is not in the data type.
///
/// ```
/// use exactum_optimized::model::{DataType, ScaleOffset};
/// use exactum_optimized::scale_offset::{decode_element, encode_element};
///
/// let codec = ScaleOffset::new(DataType::Uint8).offset(10).scale(3);
/// assert_eq!(encode_element(&codec, 20)?, 30);
/// assert_eq!(decode_element(&codec, 30)?, 20);
/// assert!(decode_element(&codec, 31).is_err());
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn encode_element(codec: &ScaleOffset, bits: u64) -> Result<u64, Rejection> {
    Ok(element(codec, Direction::Encode, bits)?)
}

/// Decodes one element (scale_offset.decode).
///
/// # Errors
/// If the result of a step is not in the data type.
pub fn decode_element(codec: &ScaleOffset, bits: u64) -> Result<u64, Rejection> {
    Ok(element(codec, Direction::Decode, bits)?)
}

pub(super) fn element(codec: &ScaleOffset, direction: Direction, bits: u64) -> Result<u64, Fault> {
    match direction {
        Direction::Encode => {
            let bits = step(codec, bits, codec.offset, Operation::Subtract)?;
            step(codec, bits, codec.scale, Operation::Multiply)
        }
        Direction::Decode => {
            let bits = step(codec, bits, codec.scale, Operation::Divide)?;
            step(codec, bits, codec.offset, Operation::Add)
        }
    }
}

/// The fault of a step whose result is not in the data type.
enum StepFault {
    Range,
    Overflow,
    Inexact,
    Invalid,
}

/// Performs one operation, whose result must be in the data type (scale_offset.range.intermediate).
fn step(
    codec: &ScaleOffset,
    bits: u64,
    parameter: Option<u64>,
    operation: Operation,
) -> Result<u64, Fault> {
    let Some(parameter) = parameter else {
        return Ok(bits);
    };
    let format = codec.data_type.format();
    let result = match &format {
        Format::Integer(format) => integer_step(format, bits, parameter, operation),
        _ => float_step(&format, bits, parameter, operation),
    };
    result.map_err(|why| {
        let (reason, clause, what) = match why {
            StepFault::Range => (
                Reason::OutOfRange,
                "scale_offset.range.intermediate",
                "is out of the range of",
            ),
            StepFault::Overflow => (
                Reason::OutOfRange,
                "scale_offset.range.overflow",
                "is out of the range of",
            ),
            StepFault::Inexact => (
                Reason::Inexact,
                "scale_offset.integer.division",
                "leaves a remainder in",
            ),
            StepFault::Invalid => (
                Reason::NotANumber,
                "scale_offset.special.invalid",
                "is not a number in",
            ),
        };
        let operation = match operation {
            Operation::Subtract => '-',
            Operation::Multiply => '*',
            Operation::Divide => '/',
            Operation::Add => '+',
        };
        let words = Message::Step {
            data_type: codec.data_type,
            bits,
            operation,
            parameter,
            what,
        };
        Fault::new(reason, clause, words)
    })
}

fn integer_step(
    format: &IntegerFormat,
    bits: u64,
    parameter: u64,
    operation: Operation,
) -> Result<u64, StepFault> {
    let (a, b) = (format.value(bits), format.value(parameter));
    let result = match operation {
        Operation::Subtract => a - b,
        Operation::Add => a + b,
        // The product of two unsigned 64-bit numbers may exceed even 128 signed bits.
        Operation::Multiply => a.checked_mul(b).ok_or(StepFault::Range)?,
        Operation::Divide if b == 0 && a == 0 => return Err(StepFault::Invalid),
        Operation::Divide if b == 0 => return Err(StepFault::Range),
        Operation::Divide if a % b != 0 => return Err(StepFault::Inexact),
        Operation::Divide => a / b,
    };
    if result < format.min() || result > format.max() {
        return Err(StepFault::Range);
    }
    let residue = result.cast_unsigned() & u128::from(format.mask());
    Ok(u64::try_from(residue).unwrap_or_default())
}

fn float_step(
    format: &Format,
    bits: u64,
    parameter: u64,
    operation: Operation,
) -> Result<u64, StepFault> {
    let (a, b) = (
        Number::from_bits(format, bits),
        Number::from_bits(format, parameter),
    );
    let result = match operation {
        Operation::Subtract => a.subtract(b),
        Operation::Multiply => a.multiply(b),
        Operation::Divide => a.divide(b),
        Operation::Add => a.add(b),
    };
    // NaN is passed on (scale_offset.special.nan), but none may arise.
    if result == Number::Nan && a != Number::Nan && b != Number::Nan {
        return Err(StepFault::Invalid);
    }
    match round(result, format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Ok(bits),
        Rounded::OutOfRange { .. } | Rounded::NotFinite => Err(StepFault::Overflow),
        Rounded::NotANumber => Err(StepFault::Invalid),
    }
}
