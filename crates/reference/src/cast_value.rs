//! `cast_value`: converts each element by value (spec/cast_value.md).

use exactum_exact::{Exact, Rounded, clamp, round, wrap};
use exactum_model::{Array, Cast, CastValue, Format, OutOfRange, Reason, Rejection, Scalar};

/// Casts every element of `input` from `codec.decoded` to `codec.encoded`.
///
/// # Errors
/// If the data type of the input is not the codec's, or if the clauses reject an element. The rejection carries
/// the index of the first such element.
pub fn encode(codec: &CastValue, input: &Array) -> Result<Array, Rejection> {
    cast(&codec.encoding(), input)
}

/// Casts every element of `input` from `codec.encoded` back to `codec.decoded`. The procedure is the same as for
/// encoding, with the data types swapped (cast_value.decode).
///
/// # Errors
/// The same as for [`encode`].
pub fn decode(codec: &CastValue, input: &Array) -> Result<Array, Rejection> {
    cast(&codec.decoding(), input)
}

/// Casts every element of an array.
///
/// # Errors
/// If the data type of the input is not `cast.from`, or if the clauses reject an element. The rejection carries
/// the index of the first such element.
pub fn cast(cast: &Cast<'_>, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, cast.from, "cast_value.data_type")?;
    crate::map_elements(input, cast.to, |bits| cast_element(cast, bits))
}

/// Encodes one element.
///
/// # Errors
/// The same as for [`cast_element`].
pub fn encode_element(codec: &CastValue, bits: u64) -> Result<u64, Rejection> {
    cast_element(&codec.encoding(), bits)
}

/// Decodes one element.
///
/// # Errors
/// The same as for [`cast_element`].
pub fn decode_element(codec: &CastValue, bits: u64) -> Result<u64, Rejection> {
    cast_element(&codec.decoding(), bits)
}

/// Casts one element from bits of `cast.from` to bits of `cast.to`, by trying the three conditions in order.
///
/// # Errors
/// If none of the conditions holds.
pub fn cast_element(cast: &Cast<'_>, bits: u64) -> Result<u64, Rejection> {
    // 1. The scalar map comes before everything else (cast_value.scalar_map.first).
    if let Some(output) = mapped(cast, bits) {
        return Ok(output);
    }
    // 2. and 3. A value that is exactly representable needs no rounding. Since rounding does not change such
    // a value, one call covers both conditions.
    let (from, to) = (cast.from.format(), cast.to.format());
    match round(&Exact::from_bits(&from, bits), &to, cast.rounding) {
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
            format!(
                "{} has no infinity, and clamping does not replace it",
                cast.to
            ),
        )
        .help("map it with a scalar_map entry")),
        Rounded::OutOfRange { rounded, above } => match (cast.out_of_range, to) {
            (Some(OutOfRange::Clamp), _) => Ok(clamp(&to, above)),
            (Some(OutOfRange::Wrap), Format::Integer(format)) => Ok(wrap(&format, &rounded)),
            // Wrapping into a float counts as absent (cast_value.range.wrap-into-float).
            (Some(OutOfRange::Wrap) | None, _) => Err(out_of_range(cast, bits)),
        },
    }
}

/// Returns the output of the first entry whose key has the element's value. A NaN key matches any NaN, and the
/// zeros match each other (cast_value.scalar_map.nan-key, .zero-key, .first-duplicate). The output is not looked
/// up in the map again (.one-step).
fn mapped(cast: &Cast<'_>, bits: u64) -> Option<u64> {
    let format = cast.from.format();
    cast.map
        .iter()
        .find(|entry| format.same_value(entry.input, bits))
        .map(|entry| entry.output)
}

fn out_of_range(cast: &Cast<'_>, bits: u64) -> Rejection {
    let value = exactum_exact::canonical(&Scalar::new(cast.from, bits.into()));
    Rejection::new(
        Reason::OutOfRange,
        "cast_value.range.error",
        format!(
            "{value}, rounded {}, is out of the range of {}",
            cast.rounding.name(),
            cast.to
        ),
    )
}
