//! Mutants of `numcodecs.fixedscaleoffset`.

use exactum_conformance::Request;
use exactum_conformance::model::{DataType, FixedScaleOffset, FixedScaleOffsetNumber};
use exactum_exact::Literal;
use serde_json::Value;

use super::*;
use crate::arithmetic::half;

/// How the codec is computed; a mutant changes one of these.
#[derive(Clone, Copy)]
struct Rules {
    encode: [Step; 2],
    decode: [Step; 2],
    /// The format in which a float type computes.
    arithmetic: fn(Format) -> Format,
    /// The result of a step of floats.
    float: fn(&Exact, &Format) -> Result<Exact, Rejection>,
    /// The result of a step of integers.
    integer: fn(&Exact, &IntegerFormat) -> Result<Exact, Rejection>,
    /// A parameter beside integers of a type: as an integer, where it is taken for one.
    own: fn(FixedScaleOffsetNumber) -> Option<i128>,
    /// The product rounded, for what it becomes.
    nearest: fn(&Exact, &Format) -> Exact,
    /// The last cast.
    cast: fn(&Exact, &Format, Rounding) -> Result<u64, Rejection>,
    /// The rounding of decoding into integers.
    cut: Rounding,
    /// Whether decoding casts before it computes.
    cast_first: bool,
}

/// A parameter and what is done with it.
type Step = (fn(&FixedScaleOffset) -> FixedScaleOffsetNumber, Operation);

const OFFSET: fn(&FixedScaleOffset) -> FixedScaleOffsetNumber = |codec| codec.offset;
const SCALE: fn(&FixedScaleOffset) -> FixedScaleOffsetNumber = |codec| codec.scale;

/// The codec as the clauses have it.
const RULES: Rules = Rules {
    encode: [(OFFSET, Exact::subtract), (SCALE, Exact::multiply)],
    decode: [(SCALE, Exact::divide), (OFFSET, Exact::add)],
    arithmetic: |format| format,
    float: |value, format| Ok(through(value, format)),
    integer: |value, format| Ok(wrapped(value, format)),
    own: |number| match number {
        FixedScaleOffsetNumber::Integer(integer) => Some(integer),
        FixedScaleOffsetNumber::Binary64(_) => None,
    },
    nearest: |value, _| to_integer(value, Rounding::NearestEven),
    cast,
    cut: Rounding::TowardsZero,
    cast_first: false,
};

impl Rules {
    fn element(
        &self,
        codec: &FixedScaleOffset,
        direction: Direction,
        bits: u64,
    ) -> Result<u64, Rejection> {
        let (dtype, astype) = (codec.dtype.format(), codec.astype.format());
        let back = match dtype {
            Format::Integer(_) => self.cut,
            _ => Rounding::NearestEven,
        };
        match direction {
            Direction::Encode => {
                let value = self.steps(codec, &self.encode, codec.dtype, bits, false)?;
                (self.cast)(
                    &(self.nearest)(&value, &astype),
                    &astype,
                    Rounding::NearestEven,
                )
            }
            Direction::Decode if self.cast_first => {
                let bits = cast(&Exact::from_bits(&astype, bits), &dtype, back)?;
                let value = self.steps(codec, &self.decode, codec.dtype, bits, true)?;
                (self.cast)(&value, &dtype, back)
            }
            Direction::Decode => {
                let value = self.steps(codec, &self.decode, codec.astype, bits, true)?;
                (self.cast)(&value, &dtype, back)
            }
        }
    }

    /// Both steps; a division is never one of integers.
    fn steps(
        &self,
        codec: &FixedScaleOffset,
        steps: &[Step; 2],
        data_type: DataType,
        bits: u64,
        floats: bool,
    ) -> Result<Exact, Rejection> {
        let mut format = data_type.format();
        let mut value = Exact::from_bits(&format, bits);
        for (parameter, operation) in steps {
            let number = parameter(codec);
            let own = match format {
                Format::Integer(_) if !floats => (self.own)(number),
                _ => None,
            };
            match (format, own) {
                (Format::Integer(integers), Some(integer)) => {
                    value =
                        (self.integer)(&operation(&value, &Exact::integer(integer)), &integers)?;
                }
                _ => {
                    if matches!(format, Format::Integer(_)) {
                        format = BINARY64;
                    }
                    let arithmetic = (self.arithmetic)(format);
                    value = through(&value, &arithmetic);
                    let parameter = through(&exact(number), &arithmetic);
                    value = (self.float)(&operation(&value, &parameter), &arithmetic)?;
                }
            }
        }
        Ok(value)
    }
}

fn exact(number: FixedScaleOffsetNumber) -> Exact {
    match number {
        FixedScaleOffsetNumber::Integer(integer) => through(&Exact::integer(integer), &BINARY64),
        FixedScaleOffsetNumber::Binary64(bits) => Exact::from_bits(&BINARY64, bits),
    }
}

/// An integer modulo 2^N.
fn wrapped(value: &Exact, format: &IntegerFormat) -> Exact {
    let format = Format::Integer(*format);
    match round(value, &format, Rounding::TowardsZero) {
        Rounded::OutOfRange { rounded, .. } => {
            let Format::Integer(integers) = format else {
                return rounded;
            };
            Exact::from_bits(&format, modulo(&integers, &rounded))
        }
        _ => value.clone(),
    }
}

/// A value rounded to an integer; what becomes zero keeps its sign.
fn to_integer(value: &Exact, rounding: Rounding) -> Exact {
    let wide = Format::Integer(IntegerFormat {
        bits: 64,
        signed: true,
    });
    match round(value, &wide, rounding) {
        Rounded::Bits(0) => Exact::Zero {
            negative: value.is_negative(),
        },
        Rounded::Bits(bits) => Exact::from_bits(&wide, bits),
        Rounded::OutOfRange { rounded, .. } => rounded,
        Rounded::NotANumber | Rounded::NotFinite => value.clone(),
    }
}

fn cast(value: &Exact, format: &Format, rounding: Rounding) -> Result<u64, Rejection> {
    match (round(value, format, rounding), format) {
        (Rounded::Bits(bits), _) => Ok(bits),
        (Rounded::OutOfRange { rounded, .. }, Format::Integer(format)) => {
            Ok(modulo(format, &rounded))
        }
        (Rounded::OutOfRange { above, .. }, _) => Ok(clamp(format, above)),
        (Rounded::NotANumber | Rounded::NotFinite, _) => Err(some_rejection()),
    }
}

/// A mutant of one rule.
fn rule(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    change: fn(&mut Rules),
) -> Mutant {
    let mut rules = RULES;
    change(&mut rules);
    let overrides = overrides::elements("fixed_scale_offset", move |codec, direction, bits| {
        Some(rules.element(codec, direction, bits))
    });
    crate::mutant(name, clause, fault, overrides)
}

/// Writes each number of `numcodecs.fixedscaleoffset` as the array's float type has it.
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

/// The float32 nearest to a number, as an integer where it is a large one.
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
            |it| it.encode = [(OFFSET, Exact::add), (SCALE, Exact::multiply)]),
        rule("legacy-encode-divides-by-scale", "scale_offset.legacy.encode",
            "Encoding divides by the scale, as CF defines scale_factor.",
            |it| it.encode = [(OFFSET, Exact::subtract), (SCALE, Exact::divide)]),
        rule("legacy-encode-scales-first", "scale_offset.legacy.encode",
            "in * scale - offset: the steps in the other order.",
            |it| it.encode = [(SCALE, Exact::multiply), (OFFSET, Exact::subtract)]),
        rule("legacy-decode-multiplies-by-scale", "scale_offset.legacy.decode",
            "Decoding multiplies, as CF defines scale_factor.",
            |it| it.decode = [(SCALE, Exact::multiply), (OFFSET, Exact::add)]),
        rule("legacy-decode-adds-first", "scale_offset.legacy.decode",
            "(in + offset) / scale: the steps in encoding order.",
            |it| it.decode = [(OFFSET, Exact::add), (SCALE, Exact::divide)]),
        rule("legacy-decode-subtracts-offset", "scale_offset.legacy.decode",
            "Decoding subtracts the offset: the sign is not turned with the direction.",
            |it| it.decode = [(SCALE, Exact::divide), (OFFSET, Exact::subtract)]),
        rule("legacy-floats-not-rounded", "scale_offset.legacy.round",
            "Only a cast to integers rounds: the codec taken for scale_offset and cast_value.",
            |it| {
                it.nearest = |value, format| match format {
                    Format::Integer(_) => to_integer(value, Rounding::NearestEven),
                    _ => value.clone(),
                }
            }),
        rule("legacy-cut-instead-of-rounded", "scale_offset.legacy.round",
            "The rounding is forgotten, and the cast cuts.",
            |it| it.nearest = |value, _| to_integer(value, Rounding::TowardsZero)),
        rule("legacy-ties-away", "scale_offset.legacy.round.ties",
            "Ties go away from zero, as round does in C and Rust (zarrs 0.23).",
            |it| it.nearest = |value, _| to_integer(value, Rounding::NearestAway)),
        rule("legacy-ties-upwards", "scale_offset.legacy.round.ties",
            "floor(x + 0.5), as Math.round does in JavaScript.",
            |it| {
                it.nearest = |value, _| match value {
                    Exact::Finite(_) => floor(&value.add(&half())),
                    _ => value.clone(),
                }
            }),
        rule("legacy-zero-loses-its-sign", "scale_offset.legacy.round.ties",
            "Floats are rounded by way of an integer, which has one zero.",
            |it| {
                it.nearest = |value, _| match to_integer(value, Rounding::NearestEven) {
                    Exact::Zero { .. } => Exact::Zero { negative: false },
                    other => other,
                }
            }),
        rule("legacy-saturates", "scale_offset.legacy.wrap",
            "Out of range becomes the largest value, as Rust's casts do (zarrs 0.23).",
            |it| {
                it.cast = |value, format, rounding| match (value, format) {
                    (Exact::Finite(_), Format::Integer(_)) => Ok(saturated(value, format)),
                    _ => cast(value, format, rounding),
                }
            }),
        rule("legacy-wraps-through-int64", "scale_offset.legacy.wrap",
            "The cast goes by way of int64, which saturates.",
            |it| {
                it.cast = |value, format, rounding| match (value, format) {
                    (Exact::Finite(_), Format::Integer(integers)) => {
                        let bits =
                            saturated(&to_integer(value, rounding), &DataType::Int64.format());
                        Ok(bits & integers.mask())
                    }
                    _ => cast(value, format, rounding),
                }
            }),
    ]
}

#[rustfmt::skip] // A table.
fn floats() -> Vec<Mutant> {
    vec![
        rule("legacy-out-of-range-rejected", "scale_offset.legacy.wrap",
            "Out of range is rejected, as cast_value does without a rule.",
            |it| {
                it.cast = |value, format, rounding| match (round(value, format, rounding), format) {
                    (Rounded::OutOfRange { .. }, Format::Integer(_)) => Err(some_rejection()),
                    _ => cast(value, format, rounding),
                }
            }),
        rule("legacy-nan-is-zero", "scale_offset.legacy.non-finite",
            "NaN becomes 0, which numcodecs gives on most machines with a warning.",
            |it| {
                it.cast = |value, format, rounding| match (value, format) {
                    (Exact::Nan, Format::Integer(_)) => Ok(0),
                    _ => cast(value, format, rounding),
                }
            }),
        rule("legacy-infinity-saturates", "scale_offset.legacy.non-finite",
            "An infinity becomes the largest integer, as Rust's casts do (zarrs 0.23).",
            |it| {
                it.cast = |value, format, rounding| match (value, format) {
                    (Exact::Infinite { .. }, Format::Integer(_)) => Ok(saturated(value, format)),
                    _ => cast(value, format, rounding),
                }
            }),
        rule("legacy-float-overflow-clamped", "scale_offset.legacy.float",
            "What lies beyond a float's range becomes its largest value.",
            |it| {
                it.cast = |value, format, rounding| match (round(value, format, rounding), format) {
                    (Rounded::OutOfRange { .. }, Format::Float(_)) => Ok(saturated(value, format)),
                    _ => cast(value, format, rounding),
                }
            }),
        rule("legacy-float-cut", "scale_offset.legacy.float",
            "A cast into a float drops the digits that do not fit.",
            |it| {
                it.cast = |value, format, rounding| match format {
                    Format::Float(_) => cast(value, format, Rounding::TowardsZero),
                    _ => cast(value, format, rounding),
                }
            }),
        rule("legacy-float-rounded-twice", "scale_offset.legacy.float",
            "A cast into float16 goes by way of binary32, as half's from_f64 does on some processors.",
            |it| {
                it.cast = |value, format, rounding| match format {
                    Format::Float(float) if float.bits() == 16 => {
                        cast(&through(value, &BINARY32), format, rounding)
                    }
                    _ => cast(value, format, rounding),
                }
            }),
        rule("legacy-overflow-rejected", "scale_offset.legacy.arithmetic",
            "Overflow is rejected, as scale_offset demands.",
            |it| {
                it.float = |value, format| match round(value, format, Rounding::NearestEven) {
                    Rounded::OutOfRange { .. } => Err(some_rejection()),
                    _ => Ok(through(value, format)),
                }
            }),
        rule("legacy-in-binary64", "scale_offset.legacy.arithmetic",
            "All floats compute in binary64 and are rounded at the end, as JavaScript does.",
            |it| it.arithmetic = |_| BINARY64),
        rule("legacy-in-binary32", "scale_offset.legacy.arithmetic",
            "Both parameters are float32, whatever the array is (zarrs 0.23).",
            |it| it.arithmetic = |_| BINARY32),
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
            "Integers compute in binary64, however the parameters are written.",
            |it| it.own = |_| None),
        rule("legacy-integer-overflow-rejected", "scale_offset.legacy.integers",
            "Integers out of range are rejected, as scale_offset demands.",
            |it| {
                it.integer = |value, format| match round(
                    value,
                    &Format::Integer(*format),
                    Rounding::TowardsZero,
                ) {
                    Rounded::OutOfRange { .. } => Err(some_rejection()),
                    _ => Ok(value.clone()),
                }
            }),
        rule("legacy-whole-numbers-are-integers", "scale_offset.legacy.integers",
            "2.0 is taken for the integer 2, as parsers do that have one kind of number.",
            |it| {
                it.own = |number| match (number, exact(number)) {
                    (FixedScaleOffsetNumber::Integer(integer), _) => Some(integer),
                    (_, value) if is_integer(&value) => {
                        let bits = saturated(&value, &DataType::Int64.format());
                        Some(bits.cast_signed().into())
                    }
                    _ => None,
                }
            }),
        rule("legacy-decode-casts-first", "scale_offset.legacy.decode.type",
            "Decoding casts to dtype first, as upstream's text has it; the library casts last.",
            |it| it.cast_first = true),
        rule("legacy-decode-rounds", "scale_offset.legacy.decode.cut",
            "Decoding rounds into integers, as encoding does.",
            |it| it.cut = Rounding::NearestEven),
        rule("legacy-decode-floors", "scale_offset.legacy.decode.cut",
            "Decoding divides integers as Python's // does.",
            |it| it.cut = Rounding::TowardsNegative),
        fill("legacy-fill-unchanged", "scale_offset.legacy.fill",
            "The fill value is cast and not scaled, as libraries do that know only astype.",
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
