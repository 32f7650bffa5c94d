//! The codecs that replace `numcodecs.fixedscaleoffset`, and the values for which they differ.
//!
//! Three sequences cover what can be covered:
//! - a float array stored as integers: `scale_offset` in the array's type, `cast_value` that wraps;
//! - an integer array with integer parameters: the same, and no cast where nothing is to be cast;
//! - an integer array with a parameter of binary64, stored as integers: first `cast_value` to float64,
//!   whose rounding is that of decoding.

use exactum_exact::{Exact, Literal, Rounded, round};
use exactum_model::{
    DataType, FixedScaleOffset, FixedScaleOffsetNumber, Format, IntegerFormat, Rounding, Scalar,
};

use crate::codec::fixed_scale_offset::NAME;
use crate::diagnostic::Read;
use crate::json::Node;

/// The codecs in the place of one.
pub(super) struct Plan {
    pub(super) codecs: Vec<String>,
    pub(super) notes: Vec<Note>,
}

/// Something that the new codecs do otherwise.
pub(super) struct Note {
    pub(super) clause: &'static str,
    pub(super) message: String,
    pub(super) help: &'static str,
}

const ALL_CHUNKS: &str = "chunks that the old codec wrote are read alike otherwise";
const WRITING: &str = "this is about writing; what was written before is not affected";

/// The plan for a codec; `offset` and `scale` are its numbers as they are written.
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
            .help("keep the codec, or write the array anew with an integer type as the stored one")),
    }
}

/// Both parameters, where both are integers of the array's type.
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

/// A number for `scale_offset` in a data type: as it was written, where that means the same there
/// (scale_offset.legacy.literals), else in canonical text.
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

/// Returns whether all values of one type are among those of another.
fn within(inner: &IntegerFormat, outer: &IntegerFormat) -> bool {
    outer.min() <= inner.min() && inner.max() <= outer.max()
}

/// A float array stored as integers: what is encoded is the same.
fn of_floats(codec: &FixedScaleOffset) -> Vec<Note> {
    let (dtype, astype) = (codec.dtype, codec.astype);
    let mut notes = Vec::new();
    if dtype != DataType::Float64 {
        notes.push(Note {
            clause: "scale_offset.legacy.decode.type",
            message: format!(
                "decoded numbers may be rounded otherwise: {NAME} divides in binary64 and rounds to {dtype} at the end, scale_offset divides in {dtype}"
            ),
            help: "the codec's text casts first, as the new codecs do; numcodecs casts last. What is encoded is the same",
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
                    "stored numbers beyond the range of {dtype} are rejected when they are read; {NAME} divides them by the scale first"
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
                    "stored numbers whose quotient lies beyond the range of {dtype} are rejected; {NAME} makes infinities of them"
                ),
                help: ALL_CHUNKS,
            });
        }
    }
    notes
}

/// An integer array with integer parameters.
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
                "elements whose difference or product lies outside the range of {dtype} are rejected; {NAME} wraps them modulo 2^{}",
                from.bits
            ),
            help: "where nothing wrapped when the array was written, all is the same; what wrapped is rejected when it is read too",
        });
    }
    if scale != 1 && scale != -1 {
        notes.push(Note {
            clause: "scale_offset.integer.division",
            message: format!(
                "stored numbers that the scale does not divide are rejected; {NAME} cuts the quotient towards zero"
            ),
            help: "the old codec stores such numbers only where something wrapped",
        });
    }
    if !within(to, from) {
        notes.push(Note {
            clause: "scale_offset.legacy.decode.type",
            message: format!(
                "stored numbers outside the range of {dtype} are taken modulo 2^{} before the division; {NAME} does so after it",
                from.bits
            ),
            help: "the codec's text casts first, as the new codecs do; numcodecs casts last",
        });
    }
    if to.bits > 53 || from.bits > 53 {
        notes.push(Note {
            clause: "scale_offset.legacy.decode.type",
            message: format!(
                "{astype} numbers of more than 53 bits are decoded exactly; {NAME} rounds them to binary64 on the way"
            ),
            help: "the new codecs give back what was written",
        });
    }
    notes
}

/// An integer array by way of float64.
fn of_mixed(codec: &FixedScaleOffset, from: &IntegerFormat, to: &IntegerFormat) -> Vec<Note> {
    let dtype = codec.dtype;
    let mut notes = Vec::new();
    if matches!(codec.offset, FixedScaleOffsetNumber::Integer(offset) if offset != 0) {
        notes.push(Note {
            clause: "scale_offset.legacy.integers",
            message: format!(
                "differences outside the range of {dtype} are kept; {NAME}, whose offset is an integer, wraps them modulo 2^{}",
                from.bits
            ),
            help: WRITING,
        });
    }
    if from.bits > 53 {
        notes.push(Note {
            clause: "cast_value.rounding.towards-zero",
            message: format!(
                "elements of more than 53 bits are cut to binary64; {NAME} rounds them to the nearest"
            ),
            help: "cast_value has one rounding for both directions, and decoding cuts",
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
                "stored numbers that stand for something outside the range of {dtype} are rejected; {NAME} wraps them modulo 2^{}",
                from.bits
            ),
            help: ALL_CHUNKS,
        });
    }
    notes
}
