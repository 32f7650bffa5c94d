//! Converts one element by the clauses. This path is used for small data types, fill values, and elements
//! that a kernel flagged.

use exactum_model::{CastSpec, CastValue, Format, OutOfRange, Reason, Rejection};

use crate::fault::{Fault, Message};
use crate::soft::{Number, Rounded, clamp, round};

/// Encodes one element.
///
/// # Errors
/// The same as for [`cast_element`].
pub fn encode_element(codec: &CastValue, bits: u64) -> Result<u64, Rejection> {
    Ok(element(&codec.encoding(), bits)?)
}

/// Decodes one element.
///
/// # Errors
/// The same as for [`cast_element`].
pub fn decode_element(codec: &CastValue, bits: u64) -> Result<u64, Rejection> {
    Ok(element(&codec.decoding(), bits)?)
}

/// Casts one element: bits of `from` to bits of `to`.
///
/// # Errors
/// If none of the conditions of the clauses holds.
///
/// ```
/// use exactum_optimized::cast_value;
/// use exactum_optimized::model::{CastValue, DataType};
///
/// let codec = CastValue::new(DataType::Float32, DataType::Int8);
/// let bits = 2.5_f32.to_bits().into();
/// assert_eq!(cast_value::encode_element(&codec, bits)?, 2);
/// assert_eq!(cast_value::cast_element(&codec.encoding(), bits)?, 2);
/// assert_eq!(cast_value::decode_element(&codec, 2)?, 2.0_f32.to_bits().into());
/// # Ok::<(), exactum_optimized::model::Rejection>(())
/// ```
pub fn cast_element(cast: &CastSpec<'_>, bits: u64) -> Result<u64, Rejection> {
    Ok(element(cast, bits)?)
}

pub(super) fn element(cast: &CastSpec<'_>, bits: u64) -> Result<u64, Fault> {
    let (from, to) = (cast.from.format(), cast.to.format());
    // The scalar map comes before everything else (cast_value.scalar_map.first); its keys match by
    // value, the first one wins, and its output is taken as it is.
    if let Some(entry) = cast
        .map
        .iter()
        .find(|entry| from.same_value(entry.input, bits))
    {
        return Ok(entry.output);
    }
    match round(Number::from_bits(&from, bits), &to, cast.rounding) {
        Rounded::Bits(bits) => Ok(bits),
        Rounded::NotANumber => Err(Fault::new(
            Reason::NotANumber,
            "cast_value.special.nan-error",
            Message::NoNan(cast.to),
        )),
        Rounded::NotFinite => Err(Fault::new(
            Reason::NotFinite,
            "cast_value.special.infinity-error",
            Message::NoInfinity(cast.to),
        )),
        Rounded::OutOfRange { above, wrapped } => match (cast.out_of_range, to) {
            (Some(OutOfRange::Clamp), _) => Ok(clamp(&to, above)),
            (Some(OutOfRange::Wrap), Format::Integer(_)) => Ok(wrapped),
            // Wrapping into a float counts as absent (cast_value.range.wrap-into-float).
            (Some(OutOfRange::Wrap) | None, _) => Err(Fault::new(
                Reason::OutOfRange,
                "cast_value.range.error",
                Message::OutOfRange {
                    from: cast.from,
                    bits,
                    rounding: cast.rounding,
                    to: cast.to,
                },
            )),
        },
    }
}
