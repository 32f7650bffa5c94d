//! The second oracle of `scale_offset`: software floats with their status flags, and 128-bit integers with an exact
//! division.

pub(crate) mod fixed_scale_offset;

use exactum_model::{Cast, DataType, Format, IntegerFormat, Reason, Rounding, ScaleOffset};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single};
use rustc_apfloat::{Float, Round, Status, StatusAnd};

use super::cast_value::to_small;
use super::tables::Number;

/// Encodes one element.
///
/// # Errors
/// If the element has no result, with the reason.
pub(crate) fn encode(codec: &ScaleOffset, bits: u64) -> Result<u64, Reason> {
    let difference = apply(codec.data_type, Operator::Minus, bits, codec.offset)?;
    apply(codec.data_type, Operator::Times, difference, codec.scale)
}

/// Decodes one element.
///
/// # Errors
/// If the element has no result, with the reason.
pub(crate) fn decode(codec: &ScaleOffset, bits: u64) -> Result<u64, Reason> {
    let quotient = apply(codec.data_type, Operator::Over, bits, codec.scale)?;
    apply(codec.data_type, Operator::Plus, quotient, codec.offset)
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Minus,
    Times,
    Over,
    Plus,
}

/// Performs one operation in a data type. Without the parameter the element is returned unchanged.
fn apply(
    data_type: DataType,
    operator: Operator,
    bits: u64,
    parameter: Option<u64>,
) -> Result<u64, Reason> {
    let Some(parameter) = parameter else {
        return Ok(bits);
    };
    match (data_type.format(), data_type) {
        (Format::Integer(format), _) => integer(&format, operator, bits, parameter),
        (_, DataType::Float16) => ieee::<Half>(operator, bits, parameter),
        (_, DataType::Bfloat16) => ieee::<BFloat>(operator, bits, parameter),
        (_, DataType::Float32) => ieee::<Single>(operator, bits, parameter),
        (_, DataType::Float64) => ieee::<Double>(operator, bits, parameter),
        (Format::Float(_), _) => small(data_type, operator, bits, parameter),
        _ => Err(Reason::UnsupportedDataType),
    }
}

fn integer(
    format: &IntegerFormat,
    operator: Operator,
    bits: u64,
    parameter: u64,
) -> Result<u64, Reason> {
    let value = |bits: u64| {
        let sign = format.signed && bits >> (format.bits - 1) == 1;
        i128::from(bits) - (i128::from(sign) << format.bits)
    };
    let (a, b) = (value(bits), value(parameter));
    let result = match operator {
        Operator::Minus => a.checked_sub(b),
        Operator::Plus => a.checked_add(b),
        // The product of two unsigned 64-bit numbers can exceed i128, and then it exceeds every type.
        Operator::Times => a.checked_mul(b),
        Operator::Over => match a.checked_rem(b) {
            None => None,
            Some(0) => Some(a / b),
            Some(_) => return Err(Reason::Inexact),
        },
    };
    let result = result.ok_or(Reason::OutOfRange)?;
    // The result is in range if it does not change when only the type's own bits are kept.
    let kept = result.rem_euclid(1 << format.bits);
    let kept = u64::try_from(kept).map_err(|_| Reason::OutOfRange)?;
    if value(kept) == result {
        Ok(kept)
    } else {
        Err(Reason::OutOfRange)
    }
}

fn perform<F: Float>(operator: Operator, a: F, b: F) -> StatusAnd<F> {
    const ROUND: Round = Round::NearestTiesToEven;
    match operator {
        Operator::Minus => a.sub_r(b, ROUND),
        Operator::Times => a.mul_r(b, ROUND),
        Operator::Over => a.div_r(b, ROUND),
        Operator::Plus => a.add_r(b, ROUND),
    }
}

fn ieee<F: Float>(operator: Operator, bits: u64, parameter: u64) -> Result<u64, Reason> {
    let (a, b) = (F::from_bits(bits.into()), F::from_bits(parameter.into()));
    let output = |float: F| u64::try_from(float.to_bits()).map_err(|_| Reason::OutOfRange);
    if a.is_nan() || b.is_nan() {
        // All NaNs are replaced by a single one, so that the two oracles can be compared.
        return output(F::qnan(None));
    }
    let result = perform(operator, a, b);
    if result.status.contains(Status::INVALID_OP) {
        Err(Reason::NotANumber)
    } else if result
        .status
        .intersects(Status::OVERFLOW | Status::DIV_BY_ZERO)
    {
        Err(Reason::OutOfRange)
    } else {
        output(result.value)
    }
}

/// Operates in a type of 8 bits or fewer: the result is computed in binary128 and then rounded to the type. Sums and
/// products of such numbers are exact in binary128 or far from any tie, and a quotient rounded to 113 digits lies on
/// the same side of every tie of a type with at most 5 digits.
fn small(
    data_type: DataType,
    operator: Operator,
    bits: u64,
    parameter: u64,
) -> Result<u64, Reason> {
    let into = Cast::new(data_type, data_type, Rounding::NearestEven, None);
    let number = |bits| Number::of(data_type, bits);
    let (a, b) = (number(bits).quad(), number(parameter).quad());
    if a.is_nan() || b.is_nan() {
        return to_small(&into, Number::Nan);
    }
    let result = perform::<Quad>(operator, a, b);
    if result.status.contains(Status::INVALID_OP) {
        return Err(Reason::NotANumber);
    }
    if result.status.contains(Status::DIV_BY_ZERO) {
        return Err(Reason::OutOfRange);
    }
    if result.value.is_infinite() {
        let negative = result.value.is_negative();
        return to_small(&into, Number::Infinite { negative });
    }
    to_small(&into, Number::Real(result.value))
}

#[cfg(test)]
mod tests;
