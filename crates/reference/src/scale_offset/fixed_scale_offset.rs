//! `numcodecs.fixedscaleoffset`: the predecessor of `scale_offset`, in the arithmetic of the library that
//! defined it (spec/scale_offset.md, "The legacy codec").

use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_model::{
    Array, DataType, FixedScaleOffset, FixedScaleOffsetNumber, Format, IntegerFormat, Reason,
    Rejection, Rounding,
};

use crate::Reference;

/// A parameter and what is done with it.
pub type Step = (FixedScaleOffsetNumber, fn(&Exact, &Exact) -> Exact);

/// The decisions of the codec. Every method does what its clause demands; overriding one runs the codec with a single
/// decision that is known to be wrong.
pub trait FixedScaling {
    /// The steps of encoding (scale_offset.legacy.encode).
    fn encoding(&self, codec: &FixedScaleOffset) -> [Step; 2] {
        [
            (codec.offset, Exact::subtract),
            (codec.scale, Exact::multiply),
        ]
    }

    /// The steps of decoding (scale_offset.legacy.decode).
    fn decoding(&self, codec: &FixedScaleOffset) -> [Step; 2] {
        [(codec.scale, Exact::divide), (codec.offset, Exact::add)]
    }

    /// A parameter that stays an integer beside integers (scale_offset.legacy.integers).
    fn integer(&self, parameter: FixedScaleOffsetNumber) -> Option<i128> {
        match parameter {
            FixedScaleOffsetNumber::Integer(integer) => Some(integer),
            FixedScaleOffsetNumber::Binary64(_) => None,
        }
    }

    /// The format in which floats compute: their own, and binary64 for integers
    /// (scale_offset.legacy.arithmetic).
    fn floats(&self, format: Format) -> Format {
        match format {
            Format::Integer(_) => DataType::Float64.format(),
            float => float,
        }
    }

    /// The result of a step: modulo 2^N among integers (scale_offset.legacy.integers), rounded among
    /// floats (scale_offset.legacy.arithmetic).
    ///
    /// # Errors
    /// None: every result has a value.
    fn result(&self, exact: &Exact, format: &Format) -> Result<Exact, Rejection> {
        Ok(stored(exact, format))
    }

    /// Rounds an encoded value to an integer, ties to even, whatever data type it becomes
    /// (scale_offset.legacy.round, scale_offset.legacy.round.ties).
    fn nearest(&self, value: &Exact, _astype: &Format) -> Exact {
        to_integer(value, Rounding::NearestEven)
    }

    /// Returns the rounding by which a decoded value becomes an integer, which is truncation
    /// (scale_offset.legacy.decode.cut).
    fn decoded_rounding(&self, dtype: DataType) -> Rounding {
        rounding_into(dtype)
    }

    /// The bits in another data type: an integer modulo 2^N (scale_offset.legacy.wrap), a float
    /// rounded, infinite beyond its range (scale_offset.legacy.float).
    ///
    /// # Errors
    /// If NaN or an infinity is to become an integer (scale_offset.legacy.non-finite).
    fn cast(&self, value: &Exact, to: DataType, rounding: Rounding) -> Result<u64, Rejection> {
        let format = to.format();
        let refused = |reason, what: &str| {
            Rejection::new(
                reason,
                "scale_offset.legacy.non-finite",
                format!("{what} has no {to} value"),
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

/// `(in - offset) * scale`, rounded and cast to `astype`, for every element.
///
/// # Errors
/// The first element that would be NaN or infinite before it becomes an integer, by its index; an input whose
/// data type is not `dtype`.
pub fn encode(codec: &FixedScaleOffset, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.dtype, "scale_offset.legacy.dtype")?;
    crate::map_elements(input, codec.astype, |bits| encode_element(codec, bits))
}

/// Returns `(in / scale) + offset`, cast to `dtype`, for every element.
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

/// [`encode_element`] by the given decisions.
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

/// Decodes one element (scale_offset.legacy.decode): the division is in the type of what is stored,
/// or in binary64 for integers (scale_offset.legacy.decode.type).
///
/// # Errors
/// The same as for [`encode_element`].
pub fn decode_element(codec: &FixedScaleOffset, bits: u64) -> Result<u64, Rejection> {
    decode_element_with(&Reference, codec, bits)
}

/// [`decode_element`] by the given decisions.
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

/// Decodes one element in the order of upstream's text, in which the cast to `dtype` comes first. This is not
/// what the library does, nor what [`decode_element`] returns (scale_offset.legacy.decode.type).
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

/// Returns the rounding into a data type: integers are truncated, floats rounded.
pub(crate) fn rounding_into(data_type: DataType) -> Rounding {
    match data_type.format() {
        Format::Integer(_) => Rounding::TowardsZero,
        _ => Rounding::NearestEven,
    }
}

/// A value after both steps, the first of them in a format. Two integers stay in the array's own type
/// (scale_offset.legacy.integers); everything else is a float's, in which the parameter is rounded out
/// of binary64 (scale_offset.legacy.literals).
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

/// An integer made of a value by rounding. NaN and infinities stay.
#[must_use]
pub fn to_integer(value: &Exact, rounding: Rounding) -> Exact {
    const WIDE: IntegerFormat = IntegerFormat {
        bits: 64,
        signed: true,
    };
    let wide = Format::Integer(WIDE);
    match round(value, &wide, rounding) {
        // What rounds to zero keeps its sign.
        Rounded::Bits(0) => Exact::Zero {
            negative: value.is_negative(),
        },
        Rounded::Bits(bits) => Exact::from_bits(&wide, bits),
        // This is rounded as well, with as many bits as needed.
        Rounded::OutOfRange { rounded, .. } => rounded,
        Rounded::NotANumber | Rounded::NotFinite => value.clone(),
    }
}
