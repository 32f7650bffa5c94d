//! `scale_offset`: applies a linear map in the arithmetic of the data type (spec/scale_offset.md).

pub mod fixed_scale_offset;

use exactum_exact::{Exact, Rounded, round};
use exactum_model::{Array, Direction, Format, Reason, Rejection, Rounding, ScaleOffset};

/// Computes `(in - offset) * scale` for every element.
///
/// # Errors
/// If the data type of the input is not the codec's, or if the clauses reject an element. The rejection carries
/// the index of the first such element.
pub fn encode(codec: &ScaleOffset, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.data_type, "scale_offset.data_types")?;
    crate::map_elements(input, codec.data_type, |bits| encode_element(codec, bits))
}

/// Computes `(in / scale) + offset` for every element.
///
/// # Errors
/// The same as for [`encode`].
pub fn decode(codec: &ScaleOffset, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.data_type, "scale_offset.data_types")?;
    crate::map_elements(input, codec.data_type, |bits| decode_element(codec, bits))
}

/// A parameter, the symbol of an operation, and the operation itself.
pub type Step = (Option<u64>, &'static str, fn(&Exact, &Exact) -> Exact);

/// Returns the steps of one direction (scale_offset.encode, scale_offset.decode).
#[must_use]
pub fn steps(codec: &ScaleOffset, direction: Direction) -> [Step; 2] {
    let ScaleOffset { offset, scale, .. } = *codec;
    match direction {
        Direction::Encode => [
            (offset, "-", Exact::subtract),
            (scale, "*", Exact::multiply),
        ],
        Direction::Decode => [(scale, "/", Exact::divide), (offset, "+", Exact::add)],
    }
}

/// Encodes one element.
///
/// # Errors
/// If a step has no result in the data type.
pub fn encode_element(codec: &ScaleOffset, bits: u64) -> Result<u64, Rejection> {
    let [first, second] = steps(codec, Direction::Encode);
    step(codec, step(codec, bits, first)?, second)
}

/// Decodes one element.
///
/// # Errors
/// If a step has no result in the data type.
pub fn decode_element(codec: &ScaleOffset, bits: u64) -> Result<u64, Rejection> {
    let [first, second] = steps(codec, Direction::Decode);
    step(codec, step(codec, bits, first)?, second)
}

/// Computes one operation exactly and rounds the result to the data type, because each intermediate value must
/// be a value of the data type (scale_offset.range.intermediate). If the parameter is absent, the step is skipped
/// (scale_offset.offset.absent, scale_offset.scale.absent).
///
/// # Errors
/// If the operation has no result in the data type.
pub fn step(
    codec: &ScaleOffset,
    bits: u64,
    (parameter, symbol, operation): Step,
) -> Result<u64, Rejection> {
    let Some(parameter) = parameter else {
        return Ok(bits);
    };
    let format = codec.data_type.format();
    let (a, b) = (
        Exact::from_bits(&format, bits),
        Exact::from_bits(&format, parameter),
    );
    let result = operation(&a, &b);
    let describe = |what: &str| {
        let text = |bits: u64| {
            exactum_exact::canonical(&exactum_model::Scalar::new(codec.data_type, bits.into()))
        };
        format!(
            "{} {symbol} {} {what} {}",
            text(bits),
            text(parameter),
            codec.data_type
        )
    };

    // A NaN operand gives NaN (scale_offset.special.nan), but a NaN must not arise from other operands.
    let arises = matches!(result, Exact::Nan) && a != Exact::Nan && b != Exact::Nan;
    if arises {
        return Err(Rejection::new(
            Reason::NotANumber,
            "scale_offset.special.invalid",
            describe("is an invalid operation in"),
        ));
    }
    if let (Format::Integer(_), Exact::Finite(finite)) = (&format, &result) {
        let (_, remainder, _) = finite.in_quanta(0);
        if remainder.bits() != 0 {
            return Err(Rejection::new(
                Reason::Inexact,
                "scale_offset.integer.division",
                describe("is not a value of"),
            ));
        }
    }
    // Floats are rounded to nearest-even at every step (scale_offset.arithmetic); integers are exact.
    match round(&result, &format, Rounding::NearestEven) {
        Rounded::Bits(bits) => Ok(bits),
        Rounded::OutOfRange { .. } | Rounded::NotFinite => Err(Rejection::new(
            Reason::OutOfRange,
            match format {
                Format::Integer(_) => "scale_offset.range.intermediate",
                _ => "scale_offset.range.overflow",
            },
            describe("is out of the range of"),
        )),
        Rounded::NotANumber => Err(Rejection::new(
            Reason::NotANumber,
            "scale_offset.special.invalid",
            describe("is NaN, which is not a value of"),
        )),
    }
}
