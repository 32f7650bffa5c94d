//! The second oracle of `cast_value`: software floats for the IEEE formats, sorted tables for the small formats, and
//! 128-bit integers for the integer types.

use exactum_model::{Cast, DataType, Format, IntegerFormat, OutOfRange, Reason, Rounding};
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use super::tables::{Number, Table, table};

/// Casts one element: bits of `from` to bits of `to`.
///
/// # Errors
/// If the element has no result, with the reason.
pub(crate) fn cast(cast: &Cast<'_>, bits: u64) -> Result<u64, Reason> {
    let input = Number::of(cast.from, bits);
    for entry in cast.map {
        if Number::of(cast.from, entry.input).same_value(input) {
            return Ok(entry.output);
        }
    }
    match cast.to.format() {
        Format::Integer(format) => to_integer(cast, input, &format),
        Format::Float(_) => to_float(cast, input),
        Format::Bool | Format::Complex(_) => Err(Reason::UnsupportedDataType),
    }
}

fn to_integer(cast: &Cast<'_>, input: Number, format: &IntegerFormat) -> Result<u64, Reason> {
    let modulus = 1i128 << format.bits;
    let (smallest, largest) = if format.signed {
        (-modulus / 2, modulus / 2 - 1)
    } else {
        (0, modulus - 1)
    };
    let integer = match input {
        Number::Nan => return Err(Reason::NotANumber),
        Number::Infinite { .. } => return Err(Reason::NotFinite),
        Number::Integer(integer) => integer,
        Number::Real(real) => whole(real, cast.rounding),
    };
    let integer = if (smallest..=largest).contains(&integer) {
        integer
    } else {
        match cast.out_of_range {
            None => return Err(Reason::OutOfRange),
            Some(OutOfRange::Clamp) => integer.clamp(smallest, largest),
            Some(OutOfRange::Wrap) => integer,
        }
    };
    u64::try_from(integer.rem_euclid(modulus)).map_err(|_| Reason::OutOfRange)
}

/// Rounds a real number to an integer. A result of magnitude 2^127 or more is replaced by an integer with the same sign
/// and the same residue modulo 2^64, which is 0, since no element has more than 53 digits.
fn whole(real: Quad, rounding: Rounding) -> i128 {
    let rounded = real.round_to_integral(direction(rounding)).value;
    let converted = rounded.to_i128_r(128, Round::TowardZero, &mut false);
    if !converted.status.contains(Status::INVALID_OP) {
        converted.value
    } else if rounded.is_negative() {
        i128::MIN
    } else {
        1 << 126
    }
}

fn to_float(cast: &Cast<'_>, input: Number) -> Result<u64, Reason> {
    match cast.to {
        DataType::Float16 => to_ieee::<Half>(cast, input),
        DataType::Float32 => to_ieee::<Single>(cast, input),
        DataType::Float64 => to_ieee::<Double>(cast, input),
        _ => to_small(cast, input),
    }
}

fn to_ieee<F: Float>(cast: &Cast<'_>, input: Number) -> Result<u64, Reason>
where
    Quad: FloatConvert<F>,
{
    let bits = |float: F| u64::try_from(float.to_bits()).map_err(|_| Reason::OutOfRange);
    let signed = |float: F, negative: bool| if negative { -float } else { float };
    let round = direction(cast.rounding);
    let rounded = match input {
        Number::Nan => return bits(F::qnan(None)),
        Number::Infinite { negative } => return bits(signed(F::INFINITY, negative)),
        Number::Integer(integer) => F::from_i128_r(integer, round),
        Number::Real(real) => real.convert_r(round, &mut false),
    };
    let input = input.quad();
    // IEEE overflow is tested on the value rounded with unbounded exponent, but a directed mode that stops at the
    // largest value does not signal it. A value whose exponent exceeds that of the largest value is out of range in
    // every mode.
    let past = Quad::from_u128(1).value.scalbn(F::MAX_EXP + 1);
    if rounded.status.contains(Status::OVERFLOW) || input.abs() >= past {
        return match cast.out_of_range {
            Some(OutOfRange::Clamp) => bits(signed(F::INFINITY, input.is_negative())),
            Some(OutOfRange::Wrap) | None => Err(Reason::OutOfRange),
        };
    }
    bits(rounded.value)
}

/// Casts into a format that has a table.
pub(super) fn to_small(cast: &Cast<'_>, input: Number) -> Result<u64, Reason> {
    let (Some(table), Format::Float(format)) = (table(cast.to), cast.to.format()) else {
        return Err(Reason::UnsupportedDataType);
    };
    let sign_bit = |negative: bool| {
        if negative {
            1 << (format.bits() - 1)
        } else {
            0
        }
    };
    let infinity = ((1 << format.exponent_bits) - 1) << format.mantissa_bits;
    let input = match input {
        Number::Nan => {
            // The code that the registry's table of each format gives for "NaN".
            return match (format.nan, format.mantissa_bits) {
                (exactum_model::Nan::None, _) => Err(Reason::NotANumber),
                (exactum_model::Nan::Only(code), _) => Ok(code),
                (exactum_model::Nan::AllOnes, digits) => Ok(infinity + (1 << digits) - 1),
                (exactum_model::Nan::Ieee, digits) => Ok(infinity + (1 << (digits - 1))),
            };
        }
        Number::Infinite { negative } if format.infinity => {
            return Ok(infinity + sign_bit(negative));
        }
        Number::Infinite { .. } => return Err(Reason::NotFinite),
        Number::Integer(_) | Number::Real(_) => input.quad(),
    };
    let negative = input.is_negative();
    let found = if format.signed || input > Quad::ZERO {
        nearest(table, input, cast.rounding, format.mantissa_bits > 0)
    } else {
        // The format has neither a sign nor a zero, so it cannot represent the value.
        None
    };
    match (found, cast.out_of_range) {
        (Some(0), _) if format.zero && !format.negative_zero => Ok(0),
        (Some(code), _) => Ok(code + sign_bit(negative)),
        (None, None | Some(OutOfRange::Wrap)) => Err(Reason::OutOfRange),
        (None, Some(OutOfRange::Clamp)) => {
            let (_, smallest) = table.ascending[0];
            let (last, largest) = table.ascending[table.ascending.len() - 1];
            Ok(if !format.signed && input <= last {
                smallest
            } else if format.infinity {
                infinity + sign_bit(negative)
            } else {
                largest + sign_bit(negative)
            })
        }
    }
}

/// Returns the bits of the magnitude to which a finite number is rounded, or `None` if the result is out of range.
fn nearest(table: &Table, input: Quad, rounding: Rounding, has_digits: bool) -> Option<u64> {
    let (negative, magnitude) = (input.is_negative(), input.abs());
    let above = table
        .ascending
        .partition_point(|(value, _)| *value <= magnitude);
    let high = table.ascending.get(above);
    let Some(&(low, code)) = above.checked_sub(1).map(|below| &table.ascending[below]) else {
        // The number is below the smallest value of a format without zero (ruling 7).
        let &(smallest, code) = high?;
        let taken = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => {
                (magnitude + magnitude).value >= smallest
            }
            Rounding::TowardsPositive => true,
            Rounding::TowardsZero | Rounding::TowardsNegative => false,
        };
        return taken.then_some(code);
    };
    if low == magnitude {
        return Some(code);
    }
    let (up, up_code) = match high {
        Some(&(value, code)) => (value, Some(code)),
        None if magnitude >= table.past => return None,
        None => (table.past, None),
    };
    // Twice the input is compared with the sum of the neighbours; both are exact.
    let (twice, sum) = ((magnitude + magnitude).value, (low + up).value);
    // In a format without mantissa digits no value is even, and ties go to the larger magnitude (ruling 7).
    let low_is_odd = code % 2 == 1 || !has_digits;
    let away = match rounding {
        Rounding::NearestEven => twice > sum || (twice == sum && low_is_odd),
        Rounding::NearestAway => twice >= sum,
        Rounding::TowardsZero => false,
        Rounding::TowardsPositive => !negative,
        Rounding::TowardsNegative => negative,
    };
    if away { up_code } else { Some(code) }
}

fn direction(rounding: Rounding) -> Round {
    match rounding {
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::TowardsZero => Round::TowardZero,
        Rounding::TowardsPositive => Round::TowardPositive,
        Rounding::TowardsNegative => Round::TowardNegative,
        Rounding::NearestAway => Round::NearestTiesToAway,
    }
}

#[cfg(test)]
mod tests;
