//! The clauses that an element proves, determined step by step.

use exactum_model::{Cast, DataType, Format, Reason, Rounding, ScaleOffset};
use exactum_vectors::Level::{self, Must, Ruling};
use rustc_apfloat::ieee::{Double, Quad};
use rustc_apfloat::{Float, FloatConvert, Status, StatusAnd};

use crate::oracle;
use crate::oracle::tables::Number;
use crate::vectors::opinions::Direction::{self, Decode, Encode};

/// The level, the name of the case, and the clauses of an element.
type Proof = (Level, &'static str, &'static [&'static str]);

const ENCODE: &[&str] = &["scale_offset.encode"];
const DECODE: &[&str] = &["scale_offset.decode"];
const ABSENT: &[&str] = &["scale_offset.scale.absent"];
const SIGNED_ZERO: &[&str] = &["scale_offset.signed-zero"];
const ROUNDING: &[&str] = &["scale_offset.arithmetic.rounding"];
const OVERFLOW: &[&str] = &["scale_offset.range.overflow"];
const EACH_STEP: &[&str] = &[
    "scale_offset.arithmetic.rounding",
    "scale_offset.arithmetic",
];
const OFFSET_ABSENT: &[&str] = &["scale_offset.offset.absent"];
const NO_ZERO: &[&str] = &["scale_offset.range.no-zero"];

/// Returns what an element proves, given its outcome, or `None` if other groups cover it.
pub(super) fn proof(
    codec: &ScaleOffset,
    direction: Direction,
    bits: u64,
    answer: Result<u64, Reason>,
) -> Option<Proof> {
    let plain = match direction {
        _ if codec.offset.is_none() && codec.scale.is_none() => ABSENT,
        Encode => ENCODE,
        Decode => DECODE,
    };
    let format = match codec.data_type.format() {
        Format::Float(format) => format,
        _ => {
            return Some(match answer {
                Ok(_) => (Must, "exact", plain),
                Err(Reason::Inexact) => (Ruling, "uneven", &["scale_offset.integer.division"]),
                Err(_) => (Must, "beyond", &["scale_offset.range.intermediate"]),
            });
        }
    };
    match (Number::of(codec.data_type, bits), answer) {
        (Number::Nan, _) => return Some((Ruling, "nan", &["scale_offset.special.nan"])),
        (Number::Infinite { .. }, _) => {
            return Some((Ruling, "infinity", &["scale_offset.special.infinity"]));
        }
        _ => {}
    }
    let steps = steps(codec, direction, bits);
    let Ok(output) = answer else {
        let (exact, _) = steps.last()?;
        return Some(if format.zero {
            (Ruling, "beyond", OVERFLOW)
        } else if exact.value.is_negative() || exact.value.is_zero() {
            (Must, "no-zero", NO_ZERO)
        } else if exact.value < Quad::from_u128(1).value {
            (Ruling, "below-the-smallest", ROUNDING)
        } else {
            (Ruling, "beyond", OVERFLOW)
        });
    };
    let result = Number::of(codec.data_type, output).quad();
    if result.is_neg_zero() && codec.offset.is_none() && direction == Decode {
        // Adding the identity element would result in +0 (ruling 6); the hand-picked elements cover this.
        return None;
    }
    let exact = steps
        .iter()
        .all(|(exact, rounded)| exact.status == Status::OK && *rounded == Some(exact.value));
    let sign_lost =
        steps.iter().any(|(exact, _)| exact.value.is_neg_zero()) && !format.negative_zero;
    Some(match (exact, result.is_zero()) {
        (false, _) if fused(codec, direction, bits) != Some(output) => {
            (Ruling, "inexact-each-step", EACH_STEP)
        }
        (false, _) => (Ruling, "inexact", ROUNDING),
        // A type without -0 still has its value, but the text does not say so.
        (true, _) if sign_lost => (Ruling, "zero-without-sign", SIGNED_ZERO),
        (true, true) => (Must, "zeros", SIGNED_ZERO),
        // Such a type does not contain upstream's identity element, 0 (ruling 6).
        (true, false) if !format.zero && codec.offset.is_none() => {
            (Ruling, "exact-without-offset", OFFSET_ABSENT)
        }
        (true, false) => (Must, "exact", plain),
    })
}

/// Returns the answer of a program that computes both steps in binary64 and rounds at the end.
fn fused(codec: &ScaleOffset, direction: Direction, bits: u64) -> Option<u64> {
    let value = |bits: u64| Number::of(codec.data_type, bits).quad();
    let (offset, scale) = (codec.offset.map(value), codec.scale.map(value));
    let (zero, one) = (Quad::ZERO, Quad::from_u128(1).value);
    let (offset, scale) = (offset.unwrap_or(zero), scale.unwrap_or(one));
    let result = match direction {
        Encode => ((value(bits) - offset).value * scale).value,
        Decode => ((value(bits) / scale).value + offset).value,
    };
    let wide: Double = result.convert(&mut false).value;
    let into = Cast::new(
        DataType::Float64,
        codec.data_type,
        Rounding::NearestEven,
        None,
    );
    oracle::cast_value::cast(&into, u64::try_from(wide.to_bits()).ok()?).ok()
}

/// Returns the results of the steps, up to the first one that fails, in binary128 and in the type.
fn steps(
    codec: &ScaleOffset,
    direction: Direction,
    bits: u64,
) -> Vec<(StatusAnd<Quad>, Option<Quad>)> {
    let value = |bits: u64| Number::of(codec.data_type, bits).quad();
    let mut steps = Vec::new();
    let mut bits = bits;
    let order = match direction {
        Encode => [
            codec.offset.map(|it| (it, true)),
            codec.scale.map(|it| (it, false)),
        ],
        Decode => [
            codec.scale.map(|it| (it, false)),
            codec.offset.map(|it| (it, true)),
        ],
    };
    for (parameter, is_offset) in order.into_iter().flatten() {
        let alone = ScaleOffset {
            data_type: codec.data_type,
            offset: is_offset.then_some(parameter),
            scale: (!is_offset).then_some(parameter),
        };
        let (a, b) = (value(bits), value(parameter));
        let (exact, rounded) = match (direction, is_offset) {
            (Encode, true) => (a - b, oracle::scale_offset::encode(&alone, bits)),
            (Encode, false) => (a * b, oracle::scale_offset::encode(&alone, bits)),
            (Decode, false) => (a / b, oracle::scale_offset::decode(&alone, bits)),
            (Decode, true) => (a + b, oracle::scale_offset::decode(&alone, bits)),
        };
        steps.push((exact, rounded.ok().map(value)));
        match rounded {
            Ok(next) => bits = next,
            Err(_) => break,
        }
    }
    steps
}
