//! One element by the clauses: the path of the small data types, of fill values, and of what a
//! kernel flagged.

use exactum_model::{Cast, CastValue, Format, OutOfRange, Reason, Rejection};

use crate::soft::{Number, Rounded, clamp, round};
use crate::text::describe;

/// Encodes one element.
///
/// # Errors
/// As for [`cast_element`].
pub fn encode_element(codec: &CastValue, bits: u64) -> Result<u64, Rejection> {
    cast_element(&codec.encoding(), bits)
}

/// Decodes one element.
///
/// # Errors
/// As for [`cast_element`].
pub fn decode_element(codec: &CastValue, bits: u64) -> Result<u64, Rejection> {
    cast_element(&codec.decoding(), bits)
}

/// Casts one element: bits of `from` to bits of `to`.
///
/// # Errors
/// When none of the conditions of the clauses holds.
pub fn cast_element(cast: &Cast<'_>, bits: u64) -> Result<u64, Rejection> {
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
        Rounded::NotANumber => Err(Rejection::new(
            Reason::NotANumber,
            "cast_value.special.nan-error",
            format!("{} has no NaN", cast.to),
        )
        .help("map it with a scalar_map entry")),
        Rounded::NotFinite => Err(Rejection::new(
            Reason::NotFinite,
            "cast_value.special.infinity-error",
            format!("{} has no infinity, and clamping makes none", cast.to),
        )
        .help("map it with a scalar_map entry")),
        Rounded::OutOfRange { above, wrapped } => match (cast.out_of_range, to) {
            (Some(OutOfRange::Clamp), _) => Ok(clamp(&to, above)),
            (Some(OutOfRange::Wrap), Format::Integer(_)) => Ok(wrapped),
            // Wrapping into a float counts as absent (cast_value.range.wrap-into-float).
            (Some(OutOfRange::Wrap) | None, _) => Err(Rejection::new(
                Reason::OutOfRange,
                "cast_value.range.error",
                format!(
                    "{}, rounded {}, is out of the range of {}",
                    describe(cast.from, bits),
                    cast.rounding.name(),
                    cast.to
                ),
            )),
        },
    }
}
