//! `numcodecs.fixedscaleoffset`: the predecessor of `scale_offset`, in the arithmetic of the library that
//! defined it (spec/scale_offset.md, "The legacy codec").

use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_model::{
    Array, DataType, FixedScaleOffset, FixedScaleOffsetNumber, Format, IntegerFormat, Reason,
    Rejection, Rounding,
};

/// Returns `(in - offset) * scale`, rounded and cast to `astype`, for every element.
///
/// # Errors
/// The first element that would be NaN or infinite before it becomes an integer, by its index; an input whose
/// data type is not `dtype`.
pub fn encode(codec: &FixedScaleOffset, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.dtype, "scale_offset.legacy.dtype")?;
    map_elements(codec, input, codec.astype, encode_element)
}

/// Returns `(in / scale) + offset`, cast to `dtype`, for every element.
///
/// # Errors
/// The same as for [`encode`], except that the data type of the input is `astype`.
pub fn decode(codec: &FixedScaleOffset, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.astype, "scale_offset.legacy.dtype")?;
    map_elements(codec, input, codec.dtype, decode_element)
}

fn map_elements(
    codec: &FixedScaleOffset,
    input: &Array,
    to: DataType,
    element: fn(&FixedScaleOffset, u64) -> Result<u64, Rejection>,
) -> Result<Array, Rejection> {
    let mut output = Vec::with_capacity(input.len());
    for (index, bits) in (0u64..).zip(input.components()) {
        output.push(element(codec, bits).map_err(|rejection| rejection.at_element(index))?);
    }
    Array::from_components(to, input.shape().to_vec(), output)
}

/// Encodes one element (scale_offset.legacy.encode).
///
/// # Errors
/// If NaN or an infinity would become an integer (scale_offset.legacy.non-finite).
pub fn encode_element(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Rejection> {
    let value = Value::of(codec.dtype, bits)
        .step(codec.offset, Exact::subtract)
        .step(codec.scale, Exact::multiply)
        .at_nearest_integer();
    value.cast(codec.astype, Rounding::NearestEven)
}

/// Decodes one element (scale_offset.legacy.decode): the division is done in the stored type, or in binary64
/// for integers (scale_offset.legacy.decode.type), and the result is truncated to an integer
/// (scale_offset.legacy.decode.cut).
///
/// # Errors
/// The same as for [`encode_element`].
pub fn decode_element(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Rejection> {
    Value::of(codec.astype, bits)
        .in_floats()
        .step(codec.scale, Exact::divide)
        .step(codec.offset, Exact::add)
        .cast(codec.dtype, rounding_into(codec.dtype))
}

/// Decodes one element in the order of upstream's text, in which the cast to `dtype` comes first. This is not
/// what the library does, nor what [`decode_element`] returns (scale_offset.legacy.decode.type).
///
/// # Errors
/// The same as for [`encode_element`].
pub fn decode_element_cast_first(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Rejection> {
    let cast = Value::of(codec.astype, bits).cast(codec.dtype, rounding_into(codec.dtype))?;
    let within = FixedScaleOffset {
        astype: codec.dtype,
        ..*codec
    };
    decode_element(&within, cast)
}

/// Returns the rounding into a data type: integers are truncated, floats rounded.
pub(crate) fn rounding_into(data_type: DataType) -> Rounding {
    match data_type.format() {
        Format::Integer(_) => Rounding::TowardsZero,
        _ => Rounding::NearestEven,
    }
}

/// An intermediate value, in the format of the arithmetic.
struct Value {
    format: Format,
    exact: Exact,
}

impl Value {
    fn of(data_type: DataType, bits: u64) -> Self {
        let format = data_type.format();
        Self {
            exact: Exact::from_bits(&format, bits),
            format,
        }
    }

    /// Returns the same value, converted to binary64 if it is an integer.
    fn in_floats(self) -> Self {
        match self.format {
            Format::Integer(_) => {
                let format = DataType::Float64.format();
                Self {
                    exact: stored(&self.exact, &format),
                    format,
                }
            }
            _ => self,
        }
    }

    /// Performs one operation. Two integers stay in the array's own type, modulo 2^N
    /// (scale_offset.legacy.integers). Every other operation is done in floats
    /// (scale_offset.legacy.arithmetic), for which the parameter is rounded from binary64
    /// (scale_offset.legacy.literals).
    fn step(
        self,
        parameter: FixedScaleOffsetNumber,
        operation: fn(&Exact, &Exact) -> Exact,
    ) -> Self {
        let value = match parameter {
            FixedScaleOffsetNumber::Integer(_) => self,
            FixedScaleOffsetNumber::Binary64(_) => self.in_floats(),
        };
        let parameter = parameter_in(&value.format, parameter);
        Self {
            exact: stored(&operation(&value.exact, &parameter), &value.format),
            format: value.format,
        }
    }

    /// Rounds to an integer, ties to even (scale_offset.legacy.round.ties); the format stays the same.
    fn at_nearest_integer(self) -> Self {
        Self {
            exact: nearest_integer(&self.exact),
            format: self.format,
        }
    }

    /// Returns the bits in another data type: an integer modulo 2^N (scale_offset.legacy.wrap), a float
    /// rounded, and infinite if it is out of range (scale_offset.legacy.float).
    fn cast(&self, data_type: DataType, rounding: Rounding) -> Result<u64, Rejection> {
        let format = data_type.format();
        let refused = |reason, what: &str| {
            Rejection::new(
                reason,
                "scale_offset.legacy.non-finite",
                format!("{what} has no {data_type} value"),
            )
        };
        match (round(&self.exact, &format, rounding), format) {
            (Rounded::Bits(bits), _) => Ok(bits),
            (Rounded::OutOfRange { rounded, .. }, Format::Integer(format)) => {
                Ok(wrap(&format, &rounded))
            }
            (Rounded::OutOfRange { above, .. }, _) => Ok(clamp(&format, above)),
            (Rounded::NotANumber, _) => Err(refused(Reason::NotANumber, "NaN")),
            (Rounded::NotFinite, _) => Err(refused(Reason::NotFinite, "infinity")),
        }
    }
}

/// Returns a result as its format holds it: modulo 2^N, or rounded to nearest-even, and infinite if it is out
/// of range.
fn stored(value: &Exact, format: &Format) -> Exact {
    let bits = match (round(value, format, Rounding::NearestEven), format) {
        (Rounded::Bits(bits), _) => bits,
        (Rounded::OutOfRange { rounded, .. }, Format::Integer(format)) => wrap(format, &rounded),
        (Rounded::OutOfRange { above, .. }, _) => clamp(format, above),
        // Integers are combined only with integers, and every float here has NaN and infinities.
        (Rounded::NotANumber | Rounded::NotFinite, _) => return value.clone(),
    };
    Exact::from_bits(format, bits)
}

/// Returns a parameter in the form for an operation: an integer in its own type, and anything else rounded
/// from binary64 (scale_offset.legacy.literals).
pub(crate) fn parameter_in(format: &Format, parameter: FixedScaleOffsetNumber) -> Exact {
    let binary64 = DataType::Float64.format();
    match (parameter, format) {
        (FixedScaleOffsetNumber::Integer(integer), Format::Integer(_)) => Exact::integer(integer),
        (FixedScaleOffsetNumber::Integer(integer), format) => {
            stored(&stored(&Exact::integer(integer), &binary64), format)
        }
        (FixedScaleOffsetNumber::Binary64(bits), format) => {
            stored(&Exact::from_bits(&binary64, bits), format)
        }
    }
}

/// Returns the nearest integer, ties to even. NaN and infinities are unchanged.
pub(crate) fn nearest_integer(value: &Exact) -> Exact {
    const WIDE: IntegerFormat = IntegerFormat {
        bits: 64,
        signed: true,
    };
    let wide = Format::Integer(WIDE);
    match round(value, &wide, Rounding::NearestEven) {
        // A value that rounds to zero keeps its sign.
        Rounded::Bits(0) => Exact::Zero {
            negative: value.is_negative(),
        },
        Rounded::Bits(bits) => Exact::from_bits(&wide, bits),
        // This is rounded as well, with as many bits as needed.
        Rounded::OutOfRange { rounded, .. } => rounded,
        Rounded::NotANumber | Rounded::NotFinite => value.clone(),
    }
}
