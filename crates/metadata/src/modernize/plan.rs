//! The codecs that replace `numcodecs.fixedscaleoffset`, and the values for which they differ.
//!
//! Three sequences cover the cases that can be covered:
//! - for a float array stored as integers: `scale_offset` in the array's type, then a `cast_value` that
//!   wraps;
//! - for an integer array with integer parameters: the same, without a cast if it would change nothing;
//! - for an integer array with a parameter of binary64, stored as integers: first a `cast_value` to float64,
//!   whose rounding is that of decoding.

use exactum_exact::{Exact, Literal, Rounded, round};
use exactum_model::{
    DataType, FixedScaleOffset, FixedScaleOffsetNumber, Format, IntegerFormat, Rounding, Scalar,
};

use crate::codec::fixed_scale_offset::NAME;
use crate::diagnostic::Read;
use crate::json::Node;

/// The codecs that replace one old codec.
pub(super) struct Plan {
    pub(super) codecs: Vec<String>,
    pub(super) notes: Vec<Note>,
}

/// A difference between the new codecs and the old one.
pub(super) struct Note {
    pub(super) clause: &'static str,
    pub(super) message: String,
    pub(super) help: &'static str,
}

const ALL_CHUNKS: &str = "otherwise, chunks that the old codec wrote are read with the same values";
const WRITING: &str = "this concerns only writing; data that was written before is not affected";

/// Returns the plan for a codec; `offset` and `scale` are its numbers as they are written.
pub(super) fn of(
    node: Node<'_>,
    codec: &FixedScaleOffset,
    offset: &str,
    scale: &str,
) -> Read<Plan> {
    let (dtype, astype) = (codec.dtype, codec.astype);
    match (dtype.format(), astype.format(), integers(codec)) {
        (Format::Float(_), Format::Integer(_), _) => Ok(Plan {
            codecs: vec![
                scale_offset(codec, dtype, offset, scale),
                cast_value(astype, None, true),
            ],
            notes: of_floats(codec),
        }),
        (Format::Integer(from), Format::Integer(to), Some(parameters)) => {
            let mut codecs = vec![scale_offset(codec, dtype, offset, scale)];
            if dtype != astype {
                codecs.push(cast_value(astype, None, true));
            }
            Ok(Plan {
                codecs,
                notes: of_integers(codec, &from, &to, parameters),
            })
        }
        (Format::Integer(from), Format::Integer(to), None) => Ok(Plan {
            codecs: vec![
                cast_value(DataType::Float64, Some(Rounding::TowardsZero), false),
                scale_offset(codec, DataType::Float64, offset, scale),
                cast_value(astype, None, true),
            ],
            notes: of_mixed(codec, &from, &to),
        }),
        _ => Err(node
            .reject(
                "scale_offset.legacy.round",
                format!(
                    "this {NAME} rounds to integers and stores them as {astype}; scale_offset and cast_value round to integers only where they store integers"
                ),
            )
            .help("keep the codec, or write the array again with an integer type for the stored numbers")),
    }
}

/// Returns both parameters, if both are integers of the array's type.
fn integers(codec: &FixedScaleOffset) -> Option<(i128, i128)> {
    match (codec.offset, codec.scale) {
        (FixedScaleOffsetNumber::Integer(offset), FixedScaleOffsetNumber::Integer(scale)) => {
            Some((offset, scale))
        }
        _ => None,
    }
}

fn cast_value(to: DataType, rounding: Option<Rounding>, wrap: bool) -> String {
    let rounding = rounding.map_or_else(String::new, |rounding| {
        format!(", \"rounding\": \"{}\"", rounding.name())
    });
    let wrap = if wrap {
        ", \"out_of_range\": \"wrap\""
    } else {
        ""
    };
    format!(
        "{{\"name\": \"cast_value\", \"configuration\": {{\"data_type\": \"{to}\"{rounding}{wrap}}}}}"
    )
}

fn scale_offset(
    codec: &FixedScaleOffset,
    data_type: DataType,
    offset: &str,
    scale: &str,
) -> String {
    format!(
        "{{\"name\": \"scale_offset\", \"configuration\": {{\"offset\": {}, \"scale\": {}}}}}",
        parameter(codec.offset, data_type, offset),
        parameter(codec.scale, data_type, scale)
    )
}

/// Returns a number for `scale_offset` in a data type: as it was written, if that has the same meaning there
/// (scale_offset.legacy.literals), and otherwise as canonical text.
fn parameter(number: FixedScaleOffsetNumber, data_type: DataType, text: &str) -> String {
    let value = match number {
        FixedScaleOffsetNumber::Integer(integer)
            if matches!(data_type.format(), Format::Integer(_)) =>
        {
            Exact::integer(integer)
        }
        number => binary64(number),
    };
    let format = data_type.format();
    let Rounded::Bits(bits) = round(&value, &format, Rounding::NearestEven) else {
        // The reader has refused such numbers.
        return text.to_owned();
    };
    let scalar = Scalar::new(data_type, bits.into());
    match exactum_exact::parse(data_type, &Literal::Number(text.to_owned())) {
        Ok(read) if read == scalar => text.to_owned(),
        _ => exactum_exact::canonical(&scalar),
    }
}

fn binary64(number: FixedScaleOffsetNumber) -> Exact {
    let format = DataType::Float64.format();
    match number {
        FixedScaleOffsetNumber::Integer(integer) => {
            match round(&Exact::integer(integer), &format, Rounding::NearestEven) {
                Rounded::Bits(bits) => Exact::from_bits(&format, bits),
                _ => Exact::integer(integer),
            }
        }
        FixedScaleOffsetNumber::Binary64(bits) => Exact::from_bits(&format, bits),
    }
}

/// Returns whether one type contains all values of another.
fn within(inner: &IntegerFormat, outer: &IntegerFormat) -> bool {
    outer.min() <= inner.min() && inner.max() <= outer.max()
}

/// Returns the notes for a float array stored as integers. The encoded numbers do not change.
fn of_floats(codec: &FixedScaleOffset) -> Vec<Note> {
    let (dtype, astype) = (codec.dtype, codec.astype);
    let mut notes = Vec::new();
    if dtype != DataType::Float64 {
        notes.push(Note {
            clause: "scale_offset.legacy.decode.type",
            message: format!(
                "decoded numbers may be rounded differently: {NAME} divides in binary64 and rounds \
                 to {dtype} at the end, scale_offset divides in {dtype}"
            ),
            help: "the codec's specification casts first, as the new codecs do; numcodecs casts \
                   last. The encoded numbers are the same",
        });
    }
    let beyond = |value: &Exact| {
        !matches!(
            round(value, &dtype.format(), Rounding::NearestEven),
            Rounded::Bits(_)
        )
    };
    if let Format::Integer(stored) = astype.format() {
        let ends = [stored.min(), stored.max()].map(Exact::integer);
        if ends.iter().any(&beyond) {
            notes.push(Note {
                clause: "cast_value.range.wrap-into-float",
                message: format!(
                    "stored numbers out of the range of {dtype} are rejected when they are read; \
                     {NAME} divides them by the scale first"
                ),
                help: ALL_CHUNKS,
            });
        }
        let (scale, offset) = (binary64(codec.scale), binary64(codec.offset));
        let decoded = |end: &Exact| end.divide(&scale);
        if ends
            .iter()
            .any(|end| beyond(&decoded(end)) || beyond(&decoded(end).add(&offset)))
        {
            notes.push(Note {
                clause: "scale_offset.range.overflow",
                message: format!(
                    "stored numbers whose quotient is out of the range of {dtype} are rejected; \
                     {NAME} turns them into infinities"
                ),
                help: ALL_CHUNKS,
            });
        }
    }
    notes
}

/// Returns the notes for an integer array with integer parameters.
fn of_integers(
    codec: &FixedScaleOffset,
    from: &IntegerFormat,
    to: &IntegerFormat,
    (offset, scale): (i128, i128),
) -> Vec<Note> {
    let (dtype, astype) = (codec.dtype, codec.astype);
    let mut notes = Vec::new();
    let fits = |value: &i128| (from.min()..=from.max()).contains(value);
    let stays = |value: i128| {
        Some(value - offset)
            .filter(fits)
            .and_then(|difference| difference.checked_mul(scale))
            .is_some_and(|product| fits(&product))
    };
    if !(stays(from.min()) && stays(from.max())) {
        notes.push(Note {
            clause: "scale_offset.range.intermediate",
            message: format!(
                "elements whose difference or product is out of the range of {dtype} are rejected; \
                 {NAME} wraps them modulo 2^{}",
                from.bits
            ),
            help: "if nothing wrapped when the array was written, everything stays the same; \
                   values that wrapped are also rejected when they are read",
        });
    }
    if scale != 1 && scale != -1 {
        notes.push(Note {
            clause: "scale_offset.integer.division",
            message: format!(
                "stored numbers that the scale does not divide are rejected; {NAME} truncates the \
                 quotient towards zero"
            ),
            help: "the old codec stores such numbers only if something wrapped",
        });
    }
    if !within(to, from) {
        notes.push(Note {
            clause: "scale_offset.legacy.decode.type",
            message: format!(
                "stored numbers out of the range of {dtype} are taken modulo 2^{} before the \
                 division; {NAME} does so after it",
                from.bits
            ),
            help: "the codec's specification casts first, as the new codecs do; numcodecs casts last",
        });
    }
    if to.bits > 53 || from.bits > 53 {
        notes.push(Note {
            clause: "scale_offset.legacy.decode.type",
            message: format!(
                "{astype} numbers of more than 53 bits are decoded exactly; {NAME} rounds them to \
                 binary64 in between"
            ),
            help: "the new codecs return what was written",
        });
    }
    notes
}

/// Returns the notes for an integer array that is converted through float64.
fn of_mixed(codec: &FixedScaleOffset, from: &IntegerFormat, to: &IntegerFormat) -> Vec<Note> {
    let dtype = codec.dtype;
    let mut notes = Vec::new();
    if matches!(codec.offset, FixedScaleOffsetNumber::Integer(offset) if offset != 0) {
        notes.push(Note {
            clause: "scale_offset.legacy.integers",
            message: format!(
                "differences out of the range of {dtype} are kept; {NAME}, whose offset is an \
                 integer, wraps them modulo 2^{}",
                from.bits
            ),
            help: WRITING,
        });
    }
    if from.bits > 53 {
        notes.push(Note {
            clause: "cast_value.rounding.towards-zero",
            message: format!(
                "elements of more than 53 bits are truncated to binary64; {NAME} rounds them to the nearest"
            ),
            help: "cast_value has one rounding for both directions, and decoding truncates",
        });
    }
    let ends = [to.min(), to.max()].map(|end| {
        Exact::integer(end)
            .divide(&binary64(codec.scale))
            .add(&binary64(codec.offset))
    });
    let outside = ends.iter().any(|end| {
        !matches!(
            round(end, &dtype.format(), Rounding::TowardsZero),
            Rounded::Bits(_)
        )
    });
    if outside {
        notes.push(Note {
            clause: "cast_value.range.wrap-integers-only",
            message: format!(
                "stored numbers that stand for a value out of the range of {dtype} are rejected; \
                 {NAME} wraps them modulo 2^{}",
                from.bits
            ),
            help: ALL_CHUNKS,
        });
    }
    notes
}
