//! `numcodecs.fixedscaleoffset`: the predecessor of `scale_offset`, in the arithmetic of the library that
//! defined it (spec/scale_offset.md, "The legacy codec").

use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_model::{
    Array, DataType, FixedScaleOffset, FixedScaleOffsetNumber, Format, IntegerFormat, Reason,
    Rejection, Rounding,
};

use crate::Reference;

/// A parameter and the operation that applies it.
pub type Step = (FixedScaleOffsetNumber, fn(&Exact, &Exact) -> Exact);

/// The decisions that the codec makes. Each method implements its clause. Overriding a method runs the codec with
/// one decision that is deliberately wrong.
pub trait FixedScaling {
    /// Returns the steps of encoding (scale_offset.legacy.encode).
    fn encoding(&self, codec: &FixedScaleOffset) -> [Step; 2] {
        [
            (codec.offset, Exact::subtract),
            (codec.scale, Exact::multiply),
        ]
    }

    /// Returns the steps of decoding (scale_offset.legacy.decode).
    fn decoding(&self, codec: &FixedScaleOffset) -> [Step; 2] {
        [(codec.scale, Exact::divide), (codec.offset, Exact::add)]
    }

    /// Returns a parameter as an integer, if it is combined with integers as one (scale_offset.legacy.integers).
    fn integer(&self, parameter: FixedScaleOffsetNumber) -> Option<i128> {
        match parameter {
            FixedScaleOffsetNumber::Integer(integer) => Some(integer),
            FixedScaleOffsetNumber::Binary64(_) => None,
        }
    }

    /// Returns the format of floating-point arithmetic: the format of a float itself, and binary64 for integers
    /// (scale_offset.legacy.arithmetic).
    fn floats(&self, format: Format) -> Format {
        match format {
            Format::Integer(_) => DataType::Float64.format(),
            float => float,
        }
    }

    /// Returns the result of a step, which is reduced modulo 2^N for integers (scale_offset.legacy.integers) and
    /// rounded for floats (scale_offset.legacy.arithmetic).
    ///
    /// # Errors
    /// Never, because every step has a result.
    fn result(&self, exact: &Exact, format: &Format) -> Result<Exact, Rejection> {
        Ok(stored(exact, format))
    }

    /// Rounds an encoded value to an integer, with ties to even, regardless of the data type to which it is then
    /// cast (scale_offset.legacy.round, scale_offset.legacy.round.ties).
    fn nearest(&self, value: &Exact, _astype: &Format) -> Exact {
        to_integer(value, Rounding::NearestEven)
    }

    /// Returns the rounding of a decoded value to `dtype`, which is truncation for an integer
    /// (scale_offset.legacy.decode.cut).
    fn decoded_rounding(&self, dtype: DataType) -> Rounding {
        rounding_into(dtype)
    }

    /// Returns the bits of a value cast to another data type. An integer is reduced modulo 2^N
    /// (scale_offset.legacy.wrap). A float is rounded, and becomes infinite beyond the range
    /// (scale_offset.legacy.float).
    ///
    /// # Errors
    /// If NaN or an infinity would become an integer (scale_offset.legacy.non-finite).
    fn cast(&self, value: &Exact, to: DataType, rounding: Rounding) -> Result<u64, Rejection> {
        let format = to.format();
        let refused = |reason, what: &str| {
            Rejection::new(
                reason,
                "scale_offset.legacy.non-finite",
                format!("{what} cannot be stored as {to}"),
            )
        };
        match (round(value, &format, rounding), format) {
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

impl FixedScaling for Reference {}

/// Computes `(in - offset) * scale` for every element, rounds it to an integer and casts it to `astype`.
///
/// # Errors
/// If the data type of the input is not `dtype`, or if NaN or an infinity would become an integer
/// (scale_offset.legacy.non-finite). The rejection carries the index of the first such element.
pub fn encode(codec: &FixedScaleOffset, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.dtype, "scale_offset.legacy.dtype")?;
    crate::map_elements(input, codec.astype, |bits| encode_element(codec, bits))
}

/// Computes `(in / scale) + offset` for every element and casts it to `dtype`.
///
/// # Errors
/// The same as for [`encode`], except that the data type of the input is `astype`.
pub fn decode(codec: &FixedScaleOffset, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.astype, "scale_offset.legacy.dtype")?;
    crate::map_elements(input, codec.dtype, |bits| decode_element(codec, bits))
}

/// Encodes one element (scale_offset.legacy.encode).
///
/// # Errors
/// If NaN or an infinity would become an integer (scale_offset.legacy.non-finite).
pub fn encode_element(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Rejection> {
    encode_element_with(&Reference, codec, bits)
}

/// Does the same as [`encode_element`], with the given decisions.
///
/// # Errors
/// The same as for [`encode_element`].
pub fn encode_element_with(
    by: &dyn FixedScaling,
    codec: &FixedScaleOffset,
    bits: u64,
) -> Result<u64, Rejection> {
    let format = codec.dtype.format();
    let value = Exact::from_bits(&format, bits);
    let value = stepped(by, value, format, by.encoding(codec))?;
    let nearest = by.nearest(&value, &codec.astype.format());
    by.cast(&nearest, codec.astype, Rounding::NearestEven)
}

/// Decodes one element (scale_offset.legacy.decode). The division is computed in the stored data type, or in
/// binary64 if that is an integer type (scale_offset.legacy.decode.type).
///
/// # Errors
/// The same as for [`encode_element`].
pub fn decode_element(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Rejection> {
    decode_element_with(&Reference, codec, bits)
}

/// Does the same as [`decode_element`], with the given decisions.
///
/// # Errors
/// The same as for [`encode_element`].
pub fn decode_element_with(
    by: &dyn FixedScaling,
    codec: &FixedScaleOffset,
    bits: u64,
) -> Result<u64, Rejection> {
    let value = Exact::from_bits(&codec.astype.format(), bits);
    let format = by.floats(codec.astype.format());
    let value = stored(&value, &format);
    let value = stepped(by, value, format, by.decoding(codec))?;
    by.cast(&value, codec.dtype, by.decoded_rounding(codec.dtype))
}

/// Decodes one element in the order that the upstream text describes, with the cast to `dtype` first. Neither the
/// upstream library nor [`decode_element`] does this (scale_offset.legacy.decode.type).
///
/// # Errors
/// The same as for [`encode_element`].
pub fn decode_element_cast_first(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Rejection> {
    let value = Exact::from_bits(&codec.astype.format(), bits);
    let cast = Reference.cast(&value, codec.dtype, rounding_into(codec.dtype))?;
    let within = FixedScaleOffset {
        astype: codec.dtype,
        ..*codec
    };
    decode_element(&within, cast)
}

/// Returns the rounding mode for a cast to a data type: truncation for integers, and nearest-even for floats.
pub(crate) fn rounding_into(data_type: DataType) -> Rounding {
    match data_type.format() {
        Format::Integer(_) => Rounding::TowardsZero,
        _ => Rounding::NearestEven,
    }
}

/// Applies both steps to a value, starting in a format. An operation on two integers stays in the array's own
/// data type (scale_offset.legacy.integers). Any other operation is computed in a float format, to which the
/// parameter is rounded from binary64 (scale_offset.legacy.literals).
fn stepped(
    by: &dyn FixedScaling,
    mut value: Exact,
    mut format: Format,
    steps: [Step; 2],
) -> Result<Exact, Rejection> {
    for (parameter, operation) in steps {
        let parameter = match (format, by.integer(parameter)) {
            (Format::Integer(_), Some(integer)) => Exact::integer(integer),
            _ => {
                format = by.floats(format);
                value = stored(&value, &format);
                parameter_in(&format, parameter)
            }
        };
        value = by.result(&operation(&value, &parameter), &format)?;
    }
    Ok(value)
}

/// Returns a result as it is stored in a format. An integer is reduced modulo 2^N. A float is rounded to
/// nearest-even, and becomes infinite if it is out of range.
fn stored(value: &Exact, format: &Format) -> Exact {
    let bits = match (round(value, format, Rounding::NearestEven), format) {
        (Rounded::Bits(bits), _) => bits,
        (Rounded::OutOfRange { rounded, .. }, Format::Integer(format)) => wrap(format, &rounded),
        (Rounded::OutOfRange { above, .. }, _) => clamp(format, above),
        // This does not occur: integers are combined only with integers, and every float format here has NaN and
        // infinities.
        (Rounded::NotANumber | Rounded::NotFinite, _) => return value.clone(),
    };
    Exact::from_bits(format, bits)
}

/// Returns the value of a parameter for an operation in a format. An integer is unchanged in an integer format.
/// In all other cases, the parameter is rounded from binary64 (scale_offset.legacy.literals).
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

/// Rounds a value to an integer. NaN and infinities remain unchanged.
#[must_use]
pub fn to_integer(value: &Exact, rounding: Rounding) -> Exact {
    const WIDE: IntegerFormat = IntegerFormat {
        bits: 64,
        signed: true,
    };
    let wide = Format::Integer(WIDE);
    match round(value, &wide, rounding) {
        // A value that rounds to zero keeps its sign.
        Rounded::Bits(0) => Exact::Zero {
            negative: value.is_negative(),
        },
        Rounded::Bits(bits) => Exact::from_bits(&wide, bits),
        // A value that does not fit into 64 bits has been rounded as well.
        Rounded::OutOfRange { rounded, .. } => rounded,
        Rounded::NotANumber | Rounded::NotFinite => value.clone(),
    }
}
