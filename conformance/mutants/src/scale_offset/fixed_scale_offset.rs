//! Mutants of `numcodecs.fixedscaleoffset`.

use exactum_conformance::Request;
use exactum_conformance::model::{DataType, FixedScaleOffset, FixedScaleOffsetNumber};
use exactum_exact::Literal;
use exactum_reference::Reference;
use exactum_reference::scale_offset::fixed_scale_offset::{
    FixedScaling, Step, decode_element_cast_first, decode_element_with, encode_element_with,
    to_integer,
};
use serde_json::Value;

use super::*;
use crate::arithmetic::half;

/// Returns a mutant with one wrong decision.
fn rule(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    wrong: impl FixedScaling + Send + Sync + 'static,
) -> Mutant {
    let overrides = overrides::elements("fixed_scale_offset", move |codec, direction, bits| {
        Some(match direction {
            Direction::Encode => encode_element_with(&wrong, codec, bits),
            Direction::Decode => decode_element_with(&wrong, codec, bits),
        })
    });
    crate::mutant(name, clause, fault, overrides)
}

/// Casts before computing when decoding.
fn cast_first() -> Overrides {
    overrides::elements("fixed_scale_offset", |codec, direction, bits| {
        (direction == Direction::Decode).then(|| decode_element_cast_first(codec, bits))
    })
}

/// Writes each number of `numcodecs.fixedscaleoffset` as the array's float type represents it.
fn literals_once(request: &mut Request) {
    for key in ["metadata", "document"] {
        let Some(mut document) = request
            .text(key)
            .and_then(|text| serde_json::from_str::<Value>(text).ok())
        else {
            continue;
        };
        let mut changed = false;
        let codecs = document.get_mut("codecs").and_then(Value::as_array_mut);
        for codec in codecs.into_iter().flatten() {
            if codec.get("name") != Some(&"numcodecs.fixedscaleoffset".into()) {
                continue;
            }
            let Some(Value::Object(configuration)) = codec.get_mut("configuration") else {
                continue;
            };
            if configuration.get("dtype") != Some(&"<f4".into()) {
                continue;
            }
            for name in ["offset", "scale"] {
                if let Some(once) = configuration.get(name).and_then(rounded_once) {
                    configuration.insert(name.to_owned(), once);
                    changed = true;
                }
            }
        }
        if changed {
            let text = document.to_string();
            request.members_mut().insert(key.to_owned(), text.into());
        }
    }
}

/// Returns the float32 nearest to a number; a large number is returned as an integer.
fn rounded_once(number: &Value) -> Option<Value> {
    let literal = Literal::Number(number.as_u64()?.to_string());
    let scalar = exactum_exact::parse(DataType::Float32, &literal).ok()?;
    let value = Exact::from_bits(&BINARY32, scalar.component(0));
    let wide = Format::Integer(IntegerFormat {
        bits: 64,
        signed: false,
    });
    Some(Value::from(saturated(&value, &wide)))
}

pub(super) fn mutants() -> Vec<Mutant> {
    [rounded_and_wrapped(), floats(), integers_and_fills()].concat()
}

#[rustfmt::skip] // A table.
fn rounded_and_wrapped() -> Vec<Mutant> {
    vec![
        rule("legacy-encode-adds-offset", "scale_offset.legacy.encode",
            "Encoding adds the offset, as CF decodes.",
            wrong!(FixedScaling: fn encoding(&self, codec: &FixedScaleOffset) -> [Step; 2] { [(codec.offset, Exact::add), (codec.scale, Exact::multiply)] })),
        rule("legacy-encode-divides-by-scale", "scale_offset.legacy.encode",
            "Encoding divides by the scale, as CF defines scale_factor.",
            wrong!(FixedScaling: fn encoding(&self, codec: &FixedScaleOffset) -> [Step; 2] { [(codec.offset, Exact::subtract), (codec.scale, Exact::divide)] })),
        rule("legacy-encode-scales-first", "scale_offset.legacy.encode",
            "in * scale - offset: the steps in the other order.",
            wrong!(FixedScaling: fn encoding(&self, codec: &FixedScaleOffset) -> [Step; 2] { [(codec.scale, Exact::multiply), (codec.offset, Exact::subtract)] })),
        rule("legacy-decode-multiplies-by-scale", "scale_offset.legacy.decode",
            "Decoding multiplies, as CF defines scale_factor.",
            wrong!(FixedScaling: fn decoding(&self, codec: &FixedScaleOffset) -> [Step; 2] { [(codec.scale, Exact::multiply), (codec.offset, Exact::add)] })),
        rule("legacy-decode-adds-first", "scale_offset.legacy.decode",
            "(in + offset) / scale: the steps in encoding order.",
            wrong!(FixedScaling: fn decoding(&self, codec: &FixedScaleOffset) -> [Step; 2] { [(codec.offset, Exact::add), (codec.scale, Exact::divide)] })),
        rule("legacy-decode-subtracts-offset", "scale_offset.legacy.decode",
            "Decoding subtracts the offset: its sign is not reversed for the other direction.",
            wrong!(FixedScaling: fn decoding(&self, codec: &FixedScaleOffset) -> [Step; 2] { [(codec.scale, Exact::divide), (codec.offset, Exact::subtract)] })),
        rule("legacy-floats-not-rounded", "scale_offset.legacy.round",
            "Only a cast to integers rounds, as if the codec were scale_offset and cast_value.",
            wrong!(FixedScaling: fn nearest(&self, value: &Exact, astype: &Format) -> Exact {
                match astype {
                    Format::Integer(_) => Reference.nearest(value, astype),
                    _ => value.clone(),
                }
            })),
        rule("legacy-cut-instead-of-rounded", "scale_offset.legacy.round",
            "The rounding is forgotten, and the cast cuts.",
            wrong!(FixedScaling: fn nearest(&self, value: &Exact, _: &Format) -> Exact { to_integer(value, Rounding::TowardsZero) })),
        rule("legacy-ties-away", "scale_offset.legacy.round.ties",
            "Ties go away from zero, as round does in C and Rust (zarrs 0.23).",
            wrong!(FixedScaling: fn nearest(&self, value: &Exact, _: &Format) -> Exact { to_integer(value, Rounding::NearestAway) })),
        rule("legacy-ties-upwards", "scale_offset.legacy.round.ties",
            "floor(x + 0.5), as Math.round does in JavaScript.",
            wrong!(FixedScaling: fn nearest(&self, value: &Exact, _: &Format) -> Exact {
                match value {
                    Exact::Finite(_) => floor(&value.add(&half())),
                    _ => value.clone(),
                }
            })),
        rule("legacy-zero-loses-its-sign", "scale_offset.legacy.round.ties",
            "Floats are rounded through an integer, which has only one zero.",
            wrong!(FixedScaling: fn nearest(&self, value: &Exact, astype: &Format) -> Exact {
                match Reference.nearest(value, astype) {
                    Exact::Zero { .. } => Exact::Zero { negative: false },
                    other => other,
                }
            })),
        rule("legacy-saturates", "scale_offset.legacy.wrap",
            "Out of range becomes the largest value, as Rust's casts do (zarrs 0.23).",
            wrong!(FixedScaling: fn cast(&self, value: &Exact, to: DataType, rounding: Rounding) -> Result<u64, Rejection> {
                match (value, to.format()) {
                    (Exact::Finite(_), format @ Format::Integer(_)) => Ok(saturated(value, &format)),
                    _ => Reference.cast(value, to, rounding),
                }
            })),
        rule("legacy-wraps-through-int64", "scale_offset.legacy.wrap",
            "The cast goes through int64, which saturates.",
            wrong!(FixedScaling: fn cast(&self, value: &Exact, to: DataType, rounding: Rounding) -> Result<u64, Rejection> {
                match (value, to.format()) {
                    (Exact::Finite(_), Format::Integer(integers)) => {
                        let bits = saturated(&to_integer(value, rounding), &DataType::Int64.format());
                        Ok(bits & integers.mask())
                    }
                    _ => Reference.cast(value, to, rounding),
                }
            })),
        rule("legacy-out-of-range-rejected", "scale_offset.legacy.wrap",
            "Out of range is rejected, as cast_value does without a rule.",
            wrong!(FixedScaling: fn cast(&self, value: &Exact, to: DataType, rounding: Rounding) -> Result<u64, Rejection> {
                match (round(value, &to.format(), rounding), to.format()) {
                    (Rounded::OutOfRange { .. }, Format::Integer(_)) => Err(some_rejection()),
                    _ => Reference.cast(value, to, rounding),
                }
            })),
    ]
}

#[rustfmt::skip] // A table.
fn floats() -> Vec<Mutant> {
    vec![
        rule("legacy-nan-is-zero", "scale_offset.legacy.non-finite",
            "NaN becomes 0, which numcodecs gives on most machines with a warning.",
            wrong!(FixedScaling: fn cast(&self, value: &Exact, to: DataType, rounding: Rounding) -> Result<u64, Rejection> {
                match (value, to.format()) {
                    (Exact::Nan, Format::Integer(_)) => Ok(0),
                    _ => Reference.cast(value, to, rounding),
                }
            })),
        rule("legacy-infinity-saturates", "scale_offset.legacy.non-finite",
            "An infinity becomes the largest integer, as Rust's casts do (zarrs 0.23).",
            wrong!(FixedScaling: fn cast(&self, value: &Exact, to: DataType, rounding: Rounding) -> Result<u64, Rejection> {
                match (value, to.format()) {
                    (Exact::Infinite { .. }, format @ Format::Integer(_)) => Ok(saturated(value, &format)),
                    _ => Reference.cast(value, to, rounding),
                }
            })),
        rule("legacy-float-overflow-clamped", "scale_offset.legacy.float",
            "A value beyond the range of a float becomes its largest value.",
            wrong!(FixedScaling: fn cast(&self, value: &Exact, to: DataType, rounding: Rounding) -> Result<u64, Rejection> {
                match (round(value, &to.format(), rounding), to.format()) {
                    (Rounded::OutOfRange { .. }, format @ Format::Float(_)) => Ok(saturated(value, &format)),
                    _ => Reference.cast(value, to, rounding),
                }
            })),
        rule("legacy-float-cut", "scale_offset.legacy.float",
            "A cast into a float drops the digits that do not fit.",
            wrong!(FixedScaling: fn cast(&self, value: &Exact, to: DataType, rounding: Rounding) -> Result<u64, Rejection> {
                let is_float = to.format().float().is_some();
                Reference.cast(value, to, if is_float { Rounding::TowardsZero } else { rounding })
            })),
        rule("legacy-float-rounded-twice", "scale_offset.legacy.float",
            "A cast into float16 goes through binary32, as half's from_f64 does on some processors.",
            wrong!(FixedScaling: fn cast(&self, value: &Exact, to: DataType, rounding: Rounding) -> Result<u64, Rejection> {
                match to.format() {
                    Format::Float(float) if float.bits() == 16 => Reference.cast(&through(value, &BINARY32), to, rounding),
                    _ => Reference.cast(value, to, rounding),
                }
            })),
        rule("legacy-overflow-rejected", "scale_offset.legacy.arithmetic",
            "Overflow is rejected, as scale_offset demands.",
            wrong!(FixedScaling: fn result(&self, exact: &Exact, format: &Format) -> Result<Exact, Rejection> {
                match (round(exact, format, Rounding::NearestEven), format) {
                    (Rounded::OutOfRange { .. }, Format::Float(_)) => Err(some_rejection()),
                    _ => Reference.result(exact, format),
                }
            })),
        rule("legacy-in-binary64", "scale_offset.legacy.arithmetic",
            "All floats are computed in binary64 and rounded at the end, as in JavaScript.",
            wrong!(FixedScaling: fn floats(&self, _: Format) -> Format { BINARY64 })),
        rule("legacy-in-binary32", "scale_offset.legacy.arithmetic",
            "Both parameters are float32, regardless of the array's type (zarrs 0.23).",
            wrong!(FixedScaling: fn floats(&self, _: Format) -> Format { BINARY32 })),
        crate::mutant("legacy-literals-rounded-once", "scale_offset.legacy.literals",
            "A parameter is rounded into the array's type at once, as scale_offset's is.",
            Overrides {
                misreads: Some(literals_once),
                ..NONE
            }),
    ]
}

#[rustfmt::skip] // A table.
fn integers_and_fills() -> Vec<Mutant> {
    vec![
        rule("legacy-integers-in-binary64", "scale_offset.legacy.integers",
            "Integers are computed in binary64, regardless of how the parameters are written.",
            wrong!(FixedScaling: fn integer(&self, _: FixedScaleOffsetNumber) -> Option<i128> { None })),
        rule("legacy-integer-overflow-rejected", "scale_offset.legacy.integers",
            "Integers out of range are rejected, as scale_offset demands.",
            wrong!(FixedScaling: fn result(&self, exact: &Exact, format: &Format) -> Result<Exact, Rejection> {
                match (round(exact, format, Rounding::NearestEven), format) {
                    (Rounded::OutOfRange { .. }, Format::Integer(_)) => Err(some_rejection()),
                    _ => Reference.result(exact, format),
                }
            })),
        rule("legacy-whole-numbers-are-integers", "scale_offset.legacy.integers",
            "2.0 is read as the integer 2, as by parsers with only one kind of number.",
            wrong!(FixedScaling: fn integer(&self, parameter: FixedScaleOffsetNumber) -> Option<i128> {
                match parameter {
                    FixedScaleOffsetNumber::Integer(integer) => Some(integer),
                    FixedScaleOffsetNumber::Binary64(bits) => {
                        let value = Exact::from_bits(&BINARY64, bits);
                        let whole = saturated(&value, &DataType::Int64.format()).cast_signed();
                        is_integer(&value).then_some(whole.into())
                    }
                }
            })),
        crate::mutant("legacy-decode-casts-first", "scale_offset.legacy.decode.type",
            "Decoding casts to dtype first, as the upstream text says; the library casts last.",
            cast_first()),
        rule("legacy-decode-rounds", "scale_offset.legacy.decode.cut",
            "Decoding rounds into integers, as encoding does.",
            wrong!(FixedScaling: fn decoded_rounding(&self, _: DataType) -> Rounding { Rounding::NearestEven })),
        rule("legacy-decode-floors", "scale_offset.legacy.decode.cut",
            "Decoding divides integers as Python's // does.",
            wrong!(FixedScaling: fn decoded_rounding(&self, dtype: DataType) -> Rounding {
                match Reference.decoded_rounding(dtype) {
                    Rounding::TowardsZero => Rounding::TowardsNegative,
                    right => right,
                }
            })),
        fill("legacy-fill-unchanged", "scale_offset.legacy.fill",
            "The fill value is cast but not scaled, as by libraries that know only astype.",
            |it| {
                let codec = it.fixed_scale_offset()?;
                let value = Exact::from_bits(&codec.dtype.format(), it.before.component(0));
                it.give(saturated(&value, &codec.astype.format()))
            }),
        fill("legacy-fill-nan-is-zero", "scale_offset.legacy.fill",
            "A fill value that the codec rejects becomes 0.",
            |it| {
                it.fixed_scale_offset()?;
                if it.encoded().is_err() {
                    it.give(0)
                } else {
                    None
                }
            }),
    ]
}
