//! The second oracle of `numcodecs.fixedscaleoffset`: software floats, each represented by the binary64 number that
//! holds it, and 128-bit integers.

use exactum_model::{DataType, FixedScaleOffset, FixedScaleOffsetNumber, Format, Reason};
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::{Operator, perform};

/// Encodes one element.
///
/// # Errors
/// If the element has no result, with the reason.
pub(crate) fn encode(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Reason> {
    let difference = apply(load(codec.dtype, bits), Operator::Minus, codec.offset);
    let product = apply(difference, Operator::Times, codec.scale);
    let rounded = match product {
        Value::Float(kind, value) => Value::Float(
            kind,
            value.round_to_integral(Round::NearestTiesToEven).value,
        ),
        integer => integer,
    };
    store(rounded, codec.astype)
}

/// Decodes one element.
///
/// # Errors
/// If the element has no result, with the reason.
pub(crate) fn decode(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Reason> {
    let value = float(load(codec.astype, bits));
    let quotient = apply(value, Operator::Over, codec.scale);
    store(apply(quotient, Operator::Plus, codec.offset), codec.dtype)
}

/// Decodes one element with the cast first, as the upstream text describes it.
///
/// # Errors
/// If the element has no result, with the reason.
pub(crate) fn decode_cast_first(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Reason> {
    let cast = store(load(codec.astype, bits), codec.dtype)?;
    let value = float(load(codec.dtype, cast));
    let quotient = apply(value, Operator::Over, codec.scale);
    store(apply(quotient, Operator::Plus, codec.offset), codec.dtype)
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Half,
    Single,
    Double,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    /// An integer of this type.
    Integer(DataType, i128),
    /// A float of this kind.
    Float(Kind, Double),
}

fn kind(data_type: DataType) -> Option<Kind> {
    match data_type {
        DataType::Float16 => Some(Kind::Half),
        DataType::Float32 => Some(Kind::Single),
        DataType::Float64 => Some(Kind::Double),
        _ => None,
    }
}

/// Returns the nearest number of another kind of float.
fn into<F: FloatConvert<T>, T: Float>(value: F) -> T {
    value.convert_r(Round::NearestTiesToEven, &mut false).value
}

fn load(data_type: DataType, bits: u64) -> Value {
    let wide = u128::from(bits);
    match kind(data_type) {
        Some(Kind::Half) => Value::Float(Kind::Half, into(Half::from_bits(wide))),
        Some(Kind::Single) => Value::Float(Kind::Single, into(Single::from_bits(wide))),
        Some(Kind::Double) => Value::Float(Kind::Double, Double::from_bits(wide)),
        None => Value::Integer(data_type, within(data_type, i128::from(bits))),
    }
}

/// Returns the number of an integer type that is congruent to `value`.
fn within(data_type: DataType, value: i128) -> i128 {
    let Format::Integer(format) = data_type.format() else {
        return value;
    };
    let residue = value.rem_euclid(1 << format.bits);
    if format.signed && residue >> (format.bits - 1) == 1 {
        residue - (1 << format.bits)
    } else {
        residue
    }
}

fn double(value: i128) -> Double {
    Double::from_i128_r(value, Round::NearestTiesToEven).value
}

/// Converts an integer to binary64.
fn float(value: Value) -> Value {
    match value {
        Value::Integer(_, integer) => Value::Float(Kind::Double, double(integer)),
        float @ Value::Float(..) => float,
    }
}

fn apply(value: Value, operator: Operator, parameter: FixedScaleOffsetNumber) -> Value {
    let (value, parameter) = match (value, parameter) {
        (Value::Integer(data_type, a), FixedScaleOffsetNumber::Integer(b)) => {
            let result = match operator {
                Operator::Minus => a.wrapping_sub(b),
                Operator::Plus => a.wrapping_add(b),
                // The product is exact modulo 2^128 and therefore modulo 2^64.
                Operator::Times => a.wrapping_mul(b),
                Operator::Over => a.checked_div(b).unwrap_or_default(),
            };
            return Value::Integer(data_type, within(data_type, result));
        }
        (value, FixedScaleOffsetNumber::Integer(integer)) => (float(value), double(integer)),
        (value, FixedScaleOffsetNumber::Binary64(bits)) => {
            (float(value), Double::from_bits(bits.into()))
        }
    };
    let Value::Float(kind, value) = value else {
        return value;
    };
    let result = match kind {
        Kind::Half => into(perform::<Half>(operator, into(value), into(parameter)).value),
        Kind::Single => into(perform::<Single>(operator, into(value), into(parameter)).value),
        Kind::Double => perform(operator, value, parameter).value,
    };
    Value::Float(kind, result)
}

fn store(value: Value, data_type: DataType) -> Result<u64, Reason> {
    let narrow = |bits: u128| u64::try_from(bits).map_err(|_| Reason::OutOfRange);
    let Some(kind) = kind(data_type) else {
        let integer = match value {
            Value::Integer(_, integer) => integer,
            Value::Float(_, value) if value.is_nan() => return Err(Reason::NotANumber),
            Value::Float(_, value) if value.is_infinite() => return Err(Reason::NotFinite),
            // The remainder of the division by 2^64 has the sign of the number and its low bits.
            Value::Float(_, value) => {
                value
                    .c_fmod(double(1 << 64))
                    .value
                    .to_i128_r(128, Round::TowardZero, &mut false)
                    .value
            }
        };
        let mask = (1u128 << data_type.format().component_bits()) - 1;
        return narrow(integer.cast_unsigned() & mask);
    };
    // Two steps would round twice if the integer has more digits than binary64.
    if let Value::Integer(_, integer) = value {
        const ROUND: Round = Round::NearestTiesToEven;
        return narrow(match kind {
            Kind::Half => Half::from_i128_r(integer, ROUND).value.to_bits(),
            Kind::Single => Single::from_i128_r(integer, ROUND).value.to_bits(),
            Kind::Double => double(integer).to_bits(),
        });
    }
    let Value::Float(_, value) = value else {
        return Err(Reason::OutOfRange);
    };
    // All NaNs are replaced by a single one, so that the two oracles can be compared.
    let nan = value.is_nan();
    narrow(match kind {
        Kind::Half if nan => Half::qnan(None).to_bits(),
        Kind::Single if nan => Single::qnan(None).to_bits(),
        Kind::Double if nan => Double::qnan(None).to_bits(),
        Kind::Half => into::<_, Half>(value).to_bits(),
        Kind::Single => into::<_, Single>(value).to_bits(),
        Kind::Double => value.to_bits(),
    })
}
