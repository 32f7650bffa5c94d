//! Mutants of `numcodecs.fixedscaleoffset`.

use exactum_conformance::Request;
use exactum_conformance::model::{DataType, FixedScaleOffset, LegacyNumber};
use exactum_exact::Literal;
use serde_json::Value;

use super::*;
use crate::LegacyPart;
use crate::arithmetic::{BINARY32, half};

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
    own: fn(LegacyNumber) -> Option<i128>,
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
type Step = (fn(&FixedScaleOffset) -> LegacyNumber, Operation);

const OFFSET: fn(&FixedScaleOffset) -> LegacyNumber = |codec| codec.offset;
const SCALE: fn(&FixedScaleOffset) -> LegacyNumber = |codec| codec.scale;

/// The codec as the clauses have it.
const RULES: Rules = Rules {
    encode: [(OFFSET, Exact::subtract), (SCALE, Exact::multiply)],
    decode: [(SCALE, Exact::divide), (OFFSET, Exact::add)],
    arithmetic: |format| format,
    float: |value, format| Ok(through(value, format)),
    integer: |value, format| Ok(wrapped(value, format)),
    own: |number| match number {
        LegacyNumber::Integer(integer) => Some(integer),
        LegacyNumber::Binary64(_) => None,
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

fn exact(number: LegacyNumber) -> Exact {
    match number {
        LegacyNumber::Integer(integer) => through(&Exact::integer(integer), &BINARY64),
        LegacyNumber::Binary64(bits) => Exact::from_bits(&BINARY64, bits),
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
            Exact::from_bits(&format, wrap(&integers, &rounded))
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
            Ok(wrap(format, &rounded))
        }
        (Rounded::OutOfRange { above, .. }, _) => Ok(clamp(format, above)),
        (Rounded::NotANumber | Rounded::NotFinite, _) => {
            Err(refuse("scale_offset.legacy.non-finite"))
        }
    }
}

const fn legacy(
    name: &'static str,
    breaks: &'static [&'static str],
    part: LegacyPart,
    fault: &'static str,
    witness: Witness,
) -> Mutant {
    Mutant {
        name,
        breaks,
        fault,
        parts: Parts {
            legacy: Some(part),
            ..RIGHT
        },
        witness,
    }
}

/// A mutant of one rule.
macro_rules! rule {
    ($name:literal, $breaks:literal, {$($field:ident: $value:expr),*}, $fault:literal, $witness:expr) => {
        legacy(
            $name,
            &[$breaks],
            |codec, direction, bits| {
                Rules { $($field: $value,)* ..RULES }.element(codec, direction, bits)
            },
            $fault,
            $witness,
        )
    };
}

/// A list of this codec and `bytes`.
macro_rules! codecs {
    ($offset:literal, $scale:literal, $dtype:literal, $astype:literal) => {
        concat!(
            r#"[{"name":"numcodecs.fixedscaleoffset","configuration":{"offset":"#,
            $offset,
            r#","scale":"#,
            $scale,
            r#","dtype":""#,
            $dtype,
            r#"","astype":""#,
            $astype,
            r#""}},{"name":"bytes","configuration":{"endian":"little"}}]"#
        )
    };
}

const PLAIN: &str = codecs!("5", "2", "<f8", "<i4");
const NARROW: &str = codecs!("0", "1", "<f4", "|u1");
const FLOATS: &str = codecs!("0", "1", "<f4", "<f4");
const ONE: &str = "[1]";

/// The mutants of this file.
pub(crate) const MUTANTS: &[Mutant] = &[
    rule!(
        "legacy-encode-adds-offset",
        "scale_offset.legacy.encode",
        {encode: [(OFFSET, Exact::add), (SCALE, Exact::multiply)]},
        "Encoding adds the offset, as CF decodes.",
        Witness::Chunk("float64", ONE, PLAIN, ONE, "[7]")
    ),
    rule!(
        "legacy-encode-divides-by-scale",
        "scale_offset.legacy.encode",
        {encode: [(OFFSET, Exact::subtract), (SCALE, Exact::divide)]},
        "Encoding divides by the scale, as CF defines scale_factor.",
        Witness::Chunk("float64", ONE, PLAIN, ONE, "[9]")
    ),
    rule!(
        "legacy-encode-scales-first",
        "scale_offset.legacy.encode",
        {encode: [(SCALE, Exact::multiply), (OFFSET, Exact::subtract)]},
        "in * scale - offset: the steps in the other order.",
        Witness::Chunk("float64", ONE, PLAIN, ONE, "[7]")
    ),
    rule!(
        "legacy-decode-multiplies-by-scale",
        "scale_offset.legacy.decode",
        {decode: [(SCALE, Exact::multiply), (OFFSET, Exact::add)]},
        "Decoding multiplies, as CF defines scale_factor.",
        Witness::Bytes("float64", ONE, PLAIN, "04000000")
    ),
    rule!(
        "legacy-decode-adds-first",
        "scale_offset.legacy.decode",
        {decode: [(OFFSET, Exact::add), (SCALE, Exact::divide)]},
        "(in + offset) / scale: the steps in encoding order.",
        Witness::Bytes("float64", ONE, PLAIN, "04000000")
    ),
    rule!(
        "legacy-decode-subtracts-offset",
        "scale_offset.legacy.decode",
        {decode: [(SCALE, Exact::divide), (OFFSET, Exact::subtract)]},
        "Decoding subtracts the offset: the sign is not turned with the direction.",
        Witness::Bytes("float64", ONE, PLAIN, "04000000")
    ),
    rule!(
        "legacy-floats-not-rounded",
        "scale_offset.legacy.round",
        {nearest: |value, format| match format {
            Format::Integer(_) => to_integer(value, Rounding::NearestEven),
            _ => value.clone(),
        }},
        "Only a cast to integers rounds: the codec taken for scale_offset and cast_value.",
        Witness::Chunk("float32", ONE, FLOATS, ONE, "[2.4]")
    ),
    rule!(
        "legacy-cut-instead-of-rounded",
        "scale_offset.legacy.round",
        {nearest: |value, _| to_integer(value, Rounding::TowardsZero)},
        "The rounding is forgotten, and the cast cuts.",
        Witness::Chunk("float32", ONE, NARROW, ONE, "[2.6]")
    ),
    rule!(
        "legacy-ties-away",
        "scale_offset.legacy.round.ties",
        {nearest: |value, _| to_integer(value, Rounding::NearestAway)},
        "Ties go away from zero, as round does in C and Rust (zarrs 0.23).",
        Witness::Chunk("float32", ONE, NARROW, ONE, "[2.5]")
    ),
    rule!(
        "legacy-ties-upwards",
        "scale_offset.legacy.round.ties",
        {nearest: |value, _| match value {
            Exact::Finite(_) => floor(&value.add(&half())),
            _ => value.clone(),
        }},
        "floor(x + 0.5), as Math.round does in JavaScript.",
        Witness::Chunk("float32", ONE, NARROW, ONE, "[2.5]")
    ),
    rule!(
        "legacy-zero-loses-its-sign",
        "scale_offset.legacy.round.ties",
        {nearest: |value, _| match to_integer(value, Rounding::NearestEven) {
            Exact::Zero { .. } => Exact::Zero { negative: false },
            other => other,
        }},
        "Floats are rounded by way of an integer, which has one zero.",
        Witness::Chunk("float32", ONE, FLOATS, ONE, "[-0.25]")
    ),
    rule!(
        "legacy-saturates",
        "scale_offset.legacy.wrap",
        {cast: |value, format, rounding| match (value, format) {
            (Exact::Finite(_), Format::Integer(_)) => Ok(saturated(value, format)),
            _ => cast(value, format, rounding),
        }},
        "Out of range becomes the largest value, as Rust's casts do (zarrs 0.23).",
        Witness::Chunk("float32", ONE, NARROW, ONE, "[300]")
    ),
    rule!(
        "legacy-wraps-through-int64",
        "scale_offset.legacy.wrap",
        {cast: |value, format, rounding| match (value, format) {
            (Exact::Finite(_), Format::Integer(integers)) => {
                let wide = Format::Integer(IntegerFormat { bits: 64, signed: true });
                let bits = saturated(&to_integer(value, rounding), &wide);
                Ok(bits & integers.mask())
            }
            _ => cast(value, format, rounding),
        }},
        "The cast goes by way of int64, which saturates.",
        Witness::Chunk("float64", ONE, codecs!("0", "1", "<f8", "<u8"), ONE, "[1e19]")
    ),
    rule!(
        "legacy-out-of-range-rejected",
        "scale_offset.legacy.wrap",
        {cast: |value, format, rounding| match round(value, format, rounding) {
            Rounded::OutOfRange { .. } if matches!(format, Format::Integer(_)) => {
                Err(refuse("scale_offset.legacy.wrap"))
            }
            _ => cast(value, format, rounding),
        }},
        "Out of range is rejected, as cast_value does without a rule.",
        Witness::Chunk("float32", ONE, NARROW, ONE, "[300]")
    ),
    rule!(
        "legacy-nan-is-zero",
        "scale_offset.legacy.non-finite",
        {cast: |value, format, rounding| match (value, format) {
            (Exact::Nan, Format::Integer(_)) => Ok(0),
            _ => cast(value, format, rounding),
        }},
        "NaN becomes 0, which numcodecs gives on most machines with a warning.",
        Witness::Chunk("float32", ONE, NARROW, ONE, "[\"NaN\"]")
    ),
    rule!(
        "legacy-infinity-saturates",
        "scale_offset.legacy.non-finite",
        {cast: |value, format, rounding| match (value, format) {
            (Exact::Infinite { .. }, Format::Integer(_)) => Ok(saturated(value, format)),
            _ => cast(value, format, rounding),
        }},
        "An infinity becomes the largest integer, as Rust's casts do (zarrs 0.23).",
        Witness::Chunk("float32", ONE, NARROW, ONE, "[\"Infinity\"]")
    ),
    rule!(
        "legacy-float-overflow-clamped",
        "scale_offset.legacy.float",
        {cast: |value, format, rounding| match (round(value, format, rounding), format) {
            (Rounded::OutOfRange { .. }, Format::Float(_)) => Ok(saturated(value, format)),
            _ => cast(value, format, rounding),
        }},
        "What lies beyond a float's range becomes its largest value.",
        Witness::Chunk("float64", ONE, codecs!("0", "1", "<f8", "<f4"), ONE, "[1e39]")
    ),
    rule!(
        "legacy-float-cut",
        "scale_offset.legacy.float",
        {cast: |value, format, rounding| match format {
            Format::Float(_) => Ok(match round(value, format, Rounding::TowardsZero) {
                Rounded::OutOfRange { above, .. } => clamp(format, above),
                _ => cast(value, format, Rounding::TowardsZero)?,
            }),
            _ => cast(value, format, rounding),
        }},
        "A cast into a float drops the digits that do not fit.",
        Witness::Chunk("float64", ONE, codecs!("0", "1", "<f8", "<f4"), ONE, "[16777219]")
    ),
    rule!(
        "legacy-float-rounded-twice",
        "scale_offset.legacy.float",
        {cast: |value, format, rounding| match format {
            Format::Float(float) if float.bits() == 16 => {
                cast(&through(value, &BINARY32), format, rounding)
            }
            _ => cast(value, format, rounding),
        }},
        "A cast into float16 goes by way of binary32, as half's from_f64 does on some processors.",
        Witness::Bytes("float16", ONE, codecs!("0", "1", "<f2", "<f8"), "010000000002f03f")
    ),
    rule!(
        "legacy-overflow-rejected",
        "scale_offset.legacy.arithmetic",
        {float: |value, format| match round(value, format, Rounding::NearestEven) {
            Rounded::OutOfRange { .. } => Err(refuse("scale_offset.legacy.arithmetic")),
            _ => Ok(through(value, format)),
        }},
        "Overflow is rejected, as scale_offset demands.",
        Witness::Chunk("float32", ONE, codecs!("0", "10", "<f4", "<f4"), ONE, "[3e38]")
    ),
    rule!(
        "legacy-in-binary64",
        "scale_offset.legacy.arithmetic",
        {arithmetic: |_| BINARY64},
        "All floats compute in binary64 and are rounded at the end, as JavaScript does.",
        Witness::Chunk("float32", ONE, codecs!("0.1", "1e9", "<f4", "<i4"), ONE, "[0.3]")
    ),
    rule!(
        "legacy-in-binary32",
        "scale_offset.legacy.arithmetic",
        {arithmetic: |_| BINARY32},
        "Both parameters are float32, whatever the array is (zarrs 0.23).",
        Witness::Chunk("float64", ONE, codecs!("0.1", "1e17", "<f8", "<f8"), ONE, "[0.3]")
    ),
    Mutant {
        name: "legacy-literals-rounded-once",
        breaks: &["scale_offset.legacy.literals"],
        fault: "A parameter is rounded into the array's type at once, as scale_offset's is.",
        parts: Parts {
            misreads: Some(literals_once),
            ..RIGHT
        },
        witness: Witness::Chunk(
            "float32",
            ONE,
            codecs!("0", "1152921573326323713", "<f4", "<f4"),
            ONE,
            "[1]",
        ),
    },
    rule!(
        "legacy-integers-in-binary64",
        "scale_offset.legacy.integers",
        {own: |_| None},
        "Integers compute in binary64, however the parameters are written.",
        Witness::Chunk("uint8", ONE, codecs!("10", "1", "|u1", "<i2"), ONE, "[5]")
    ),
    rule!(
        "legacy-integer-overflow-rejected",
        "scale_offset.legacy.integers",
        {integer: |value, format| match round(value, &Format::Integer(*format), Rounding::TowardsZero) {
            Rounded::OutOfRange { .. } => Err(refuse("scale_offset.legacy.integers")),
            _ => Ok(value.clone()),
        }},
        "Integers out of range are rejected, as scale_offset demands.",
        Witness::Chunk("uint8", ONE, codecs!("10", "1", "|u1", "|u1"), ONE, "[5]")
    ),
    rule!(
        "legacy-whole-numbers-are-integers",
        "scale_offset.legacy.integers",
        {own: |number| match (number, exact(number)) {
            (LegacyNumber::Integer(integer), _) => Some(integer),
            (_, value) if is_integer(&value) => {
                let wide = Format::Integer(IntegerFormat { bits: 64, signed: true });
                Some(saturated(&value, &wide).cast_signed().into())
            }
            _ => None,
        }},
        "2.0 is taken for the integer 2, as parsers do that have one kind of number.",
        Witness::Chunk("uint8", ONE, codecs!("0", "2.0", "|u1", "<i2"), ONE, "[200]")
    ),
    rule!(
        "legacy-decode-casts-first",
        "scale_offset.legacy.decode.type",
        {cast_first: true},
        "Decoding casts to dtype first, as upstream's text has it; the library casts last.",
        Witness::Bytes("int8", ONE, codecs!("0", "2", "|i1", "|u1"), "c8")
    ),
    rule!(
        "legacy-decode-rounds",
        "scale_offset.legacy.decode.cut",
        {cut: Rounding::NearestEven},
        "Decoding rounds into integers, as encoding does.",
        Witness::Bytes("int32", ONE, codecs!("0", "2", "<i4", "<i4"), "07000000")
    ),
    rule!(
        "legacy-decode-floors",
        "scale_offset.legacy.decode.cut",
        {cut: Rounding::TowardsNegative},
        "Decoding divides integers as Python's // does.",
        Witness::Bytes("int32", ONE, codecs!("0", "2", "<i4", "<i4"), "f9ffffff")
    ),
    fill(
        "legacy-fill-unchanged",
        &["scale_offset.legacy.fill"],
        |_, step, before| match &step.codec {
            ArrayCodec::FixedScaleOffset(codec) => {
                let value = Exact::from_bits(&codec.dtype.format(), before.component(0));
                let bits = saturated(&value, &codec.astype.format());
                Ok(Scalar::new(codec.astype, bits.into()))
            }
            _ => walk::fill(&RIGHT, step, before),
        },
        "The fill value is cast and not scaled, as libraries do that know only astype.",
        Witness::Resolve("float32", "20", ONE, codecs!("10", "0.1", "<f4", "|u1")),
    ),
    fill(
        "legacy-fill-nan-is-zero",
        &["scale_offset.legacy.fill"],
        |_, step, before| match &step.codec {
            ArrayCodec::FixedScaleOffset(_) => {
                Ok(walk::fill(&RIGHT, step, before)
                    .unwrap_or_else(|_| Scalar::new(step.data_type, 0)))
            }
            _ => walk::fill(&RIGHT, step, before),
        },
        "A fill value that the codec rejects becomes 0.",
        Witness::Resolve("float32", "\"NaN\"", ONE, NARROW),
    ),
];

/// Writes each number of the legacy codecs as the array's float type has it.
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
            request.members.insert(key.to_owned(), text.into());
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
