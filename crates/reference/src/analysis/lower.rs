//! The conversion of the codecs of a chain to steps.

use exactum_exact::Exact;
use exactum_model::{
    ArrayCodec, ArrayToArray, ArrayToBytes, BitRound, CastValue, Chain, DataType, FixedScaleOffset,
    FixedScaleOffsetNumber, Format, OutOfRange, PackBits, Reason, Rejection, Rounding, ScaleOffset,
};

use crate::scale_offset::fixed_scale_offset::{parameter_in, rounding_into};

use super::cf;
use super::number::is_finite;
use super::step::{Step, Work, step};

/// The steps of a chain, beginning with those of encoding.
#[derive(Clone, Debug)]
pub(super) struct Steps<'a> {
    /// All steps.
    pub(super) all: Vec<Step<'a>>,
    /// The number of steps that encode.
    pub(super) encoding: usize,
}

/// Returns the innermost array -> bytes codec, within all shards. Its effect on single values must be known.
///
/// # Errors
/// [`Reason::UnsupportedCodec`] for a foreign codec and for a codec that works on blocks.
pub(super) fn last_codec(chain: &Chain) -> Result<&ArrayToBytes, Rejection> {
    let mut pipeline = &chain.pipeline;
    while let ArrayToBytes::Sharding {
        pipeline: inner, ..
    } = &pipeline.array_to_bytes
    {
        pipeline = inner;
    }
    match &pipeline.array_to_bytes {
        ArrayToBytes::Zfp(_) => Err(refused(
            "zfp encodes numbers in blocks, so the result for one number depends on the others"
                .into(),
        )),
        ArrayToBytes::Foreign(name) => Err(refused(format!(
            "the effect of {name} on numbers is unknown"
        ))),
        codec => Ok(codec),
    }
}

fn refused(message: String) -> Rejection {
    Rejection::new(Reason::UnsupportedCodec, "chain.foreign", message)
}

/// Returns the steps of a chain.
///
/// # Errors
/// The same as for [`last_codec`]; [`Reason::UnsupportedCodec`] also for an array -> array codec that this analysis
/// does not model; [`Reason::UnsupportedDataType`] if values are not real numbers; [`Reason::Metadata`] for a
/// parameter that is not finite.
pub(super) fn lower(chain: &Chain) -> Result<Steps<'_>, Rejection> {
    if !chain.data_type.is_real() {
        return Err(Rejection::new(
            Reason::UnsupportedDataType,
            "chain.data_type",
            format!("the values of {} are not real numbers", chain.data_type),
        ));
    }
    let last = last_codec(chain)?;
    let codecs: Vec<&ArrayToArray> = chain.pipeline.all_array_to_array().collect();
    let mut steps = Steps {
        all: Vec::new(),
        encoding: 0,
    };
    // The number of steps before each codec.
    let mut starts = Vec::new();
    for (index, codec) in codecs.iter().enumerate() {
        starts.push(steps.all.len());
        encode(codec, index, &mut steps.all)?;
    }
    if let ArrayToBytes::PackBits(codec) = last {
        steps.all.push(pack(codec, codecs.len()));
    }
    if steps.all.is_empty() {
        // A chain that would have no steps gets a step that does nothing.
        let format = chain.data_type.format();
        steps.all.push(step(0, Work::Cast, format, format));
    }
    steps.encoding = steps.all.len();
    for (index, codec) in codecs.iter().enumerate().rev() {
        decode(codec, index, starts[index], &mut steps.all)?;
    }
    Ok(steps)
}

fn pack(codec: &PackBits, index: usize) -> Step<'static> {
    let format = codec.data_type.format();
    step(index, Work::Pack(*codec), format, format)
}

/// Returns the rejection of a codec that this analysis does not model.
fn unknown(codec: &ArrayToArray) -> Rejection {
    let name = &codec.name;
    refused(format!("the effect of {name} on numbers is not analysed"))
}

fn encode<'a>(
    codec: &'a ArrayToArray,
    index: usize,
    steps: &mut Vec<Step<'a>>,
) -> Result<(), Rejection> {
    match &codec.codec {
        ArrayCodec::BitRound(codec) => steps.extend(bitround(codec, index)),
        ArrayCodec::CastValue(codec) => steps.push(cast(codec, index, true)),
        ArrayCodec::ScaleOffset(codec) => {
            let format = codec.data_type.format();
            if let Some(offset) = parameter(codec, codec.offset)? {
                steps.push(step(index, Work::Subtract(offset), format, format));
            }
            if let Some(scale) = parameter(codec, codec.scale)? {
                steps.push(step(index, Work::Multiply(scale), format, format));
            }
        }
        ArrayCodec::FixedScaleOffset(codec) => legacy_encode(codec, index, steps),
        ArrayCodec::Cf(codec) => cf::encode(codec, index, steps),
        // These two codecs move elements without changing them.
        ArrayCodec::Transpose(_) | ArrayCodec::Reshape => {}
        _ => return Err(unknown(codec)),
    }
    Ok(())
}

fn decode<'a>(
    codec: &'a ArrayToArray,
    index: usize,
    start: usize,
    steps: &mut Vec<Step<'a>>,
) -> Result<(), Rejection> {
    match &codec.codec {
        ArrayCodec::CastValue(codec) => steps.push(Step {
            mirror: Some(start),
            ..cast(codec, index, false)
        }),
        ArrayCodec::ScaleOffset(codec) => {
            let format = codec.data_type.format();
            let read = |bits| Exact::from_bits(&format, bits);
            if let Some(scale) = codec.scale.map(read) {
                let work = Work::Divide(scale.clone(), scale);
                steps.push(Step {
                    mirror: Some(start + usize::from(codec.offset.is_some())),
                    ..step(index, work, format, format)
                });
            }
            if let Some(offset) = codec.offset.map(read) {
                let work = Work::Add(offset.clone(), offset);
                steps.push(Step {
                    mirror: Some(start),
                    ..step(index, work, format, format)
                });
            }
        }
        ArrayCodec::FixedScaleOffset(codec) => legacy_decode(codec, index, start, steps),
        ArrayCodec::Cf(codec) => cf::decode(codec, index, start, steps),
        // Encoding with these codecs rounds or moves elements, but decoding does not change them.
        ArrayCodec::BitRound(_) | ArrayCodec::Transpose(_) | ArrayCodec::Reshape => {}
        _ => return Err(unknown(codec)),
    }
    Ok(())
}

fn parameter(codec: &ScaleOffset, bits: Option<u64>) -> Result<Option<Exact>, Rejection> {
    let value = bits.map(|bits| Exact::from_bits(&codec.data_type.format(), bits));
    match value {
        Some(value) if !is_finite(&value) => Err(Rejection::new(
            Reason::Metadata,
            "scale_offset.parameters.non-finite",
            "an offset or a scale is not finite",
        )),
        value => Ok(value),
    }
}

/// Returns the steps of rounding an element to fewer bits. A float is converted to the format of the kept bits and
/// back, and a value out of the range of that format is clamped. Rounding an integer is a single step.
fn bitround(codec: &BitRound, index: usize) -> Vec<Step<'static>> {
    let format = codec.data_type.format();
    let narrow = match (format, codec.narrow()) {
        (Format::Integer(_), _) => {
            return vec![step(index, Work::Keep(*codec), format, format)];
        }
        (_, Some(narrow)) => Format::Float(narrow),
        (_, None) => return Vec::new(),
    };
    let into = Step {
        out_of_range: Some(OutOfRange::Clamp),
        ..step(index, Work::Cast, format, narrow)
    };
    vec![into, step(index, Work::Cast, narrow, format)]
}

fn cast(codec: &CastValue, index: usize, encodes: bool) -> Step<'_> {
    let cast = match encodes {
        true => codec.encoding(),
        false => codec.decoding(),
    };
    let to = cast.to.format();
    Step {
        rounding: cast.rounding,
        // Wrapping into a float counts as absent (cast_value.range.wrap-into-float).
        out_of_range: cast
            .out_of_range
            .filter(|rule| *rule != OutOfRange::Wrap || matches!(to, Format::Integer(_))),
        map: cast.map,
        ..step(index, Work::Cast, cast.from.format(), to)
    }
}

/// Returns a step of the legacy codec, in which values out of range are not rejected: an integer wraps around, and a
/// float becomes infinite.
fn legacy(codec: usize, work: Work, from: Format, to: Format) -> Step<'static> {
    Step {
        out_of_range: Some(match to {
            Format::Integer(_) => OutOfRange::Wrap,
            _ => OutOfRange::Clamp,
        }),
        ..step(codec, work, from, to)
    }
}

/// Changes `format` to the format in which an operation with a parameter is computed, and adds the step that converts
/// to it, if the two differ.
fn meet(
    format: &mut Format,
    number: FixedScaleOffsetNumber,
    index: usize,
    mirror: Option<usize>,
    steps: &mut Vec<Step<'_>>,
) {
    let binary64 = DataType::Float64.format();
    let stays = matches!(number, FixedScaleOffsetNumber::Integer(_));
    if let (Format::Integer(_), false) = (*format, stays) {
        steps.push(Step {
            mirror,
            ..legacy(index, Work::Cast, *format, binary64)
        });
        *format = binary64;
    }
}

fn legacy_encode(codec: &FixedScaleOffset, index: usize, steps: &mut Vec<Step<'_>>) {
    let mut format = codec.dtype.format();
    meet(&mut format, codec.offset, index, None, steps);
    let offset = parameter_in(&format, codec.offset);
    steps.push(legacy(index, Work::Subtract(offset), format, format));
    meet(&mut format, codec.scale, index, None, steps);
    let scale = parameter_in(&format, codec.scale);
    steps.push(legacy(index, Work::Multiply(scale), format, format));
    if !matches!(format, Format::Integer(_)) {
        steps.push(legacy(index, Work::NearestInteger, format, format));
    }
    steps.push(legacy(index, Work::Cast, format, codec.astype.format()));
}

fn legacy_decode(codec: &FixedScaleOffset, index: usize, start: usize, steps: &mut Vec<Step<'_>>) {
    // The format in which encoding computes.
    let mut encoded_in = codec.dtype.format();
    meet(&mut encoded_in, codec.offset, index, None, &mut Vec::new());
    let offset = parameter_in(&encoded_in, codec.offset);
    meet(&mut encoded_in, codec.scale, index, None, &mut Vec::new());
    let scale = parameter_in(&encoded_in, codec.scale);

    let mirror = Some(start);
    let mut push = |work, from, to, rounding| {
        steps.push(Step {
            mirror,
            rounding,
            ..legacy(index, work, from, to)
        });
    };
    let mut format = codec.astype.format();
    if matches!(format, Format::Integer(_)) {
        let binary64 = DataType::Float64.format();
        push(Work::Cast, format, binary64, Rounding::NearestEven);
        format = binary64;
    }
    let divide = Work::Divide(parameter_in(&format, codec.scale), scale);
    push(divide, format, format, Rounding::NearestEven);
    let add = Work::Add(parameter_in(&format, codec.offset), offset);
    push(add, format, format, Rounding::NearestEven);
    let to = codec.dtype.format();
    push(Work::Cast, format, to, rounding_into(codec.dtype));
}
