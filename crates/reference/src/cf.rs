//! `cf`: packing by the attributes of the CF conventions (spec/cf.md).

use std::cmp::Ordering;

use exactum_exact::{Exact, Rounded, clamp, round};
use exactum_model::{Array, Cf, Format, Reason, Rejection, Rounding, Scalar};

/// Packs every value.
///
/// # Errors
/// The first value that has no code, by its index; or another data type than the unpacked one.
pub fn encode(codec: &Cf, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.unpacked, "cf.decode.type")?;
    crate::map_elements(input, codec.packed, |bits| encode_element(codec, bits))
}

/// Unpacks every code.
///
/// # Errors
/// If the data type of the input is not the packed one.
pub fn decode(codec: &Cf, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.packed, "cf.document.data_type")?;
    crate::map_elements(input, codec.unpacked, |bits| decode_element(codec, bits))
}

/// Unpacks one code (cf.decode): first the product, then the sum, each rounded in the unpacked type
/// (cf.decode.steps).
///
/// # Errors
/// None; every code has a value.
pub fn decode_element(codec: &Cf, bits: u64) -> Result<u64, Rejection> {
    let format = codec.unpacked.format();
    let Some(float) = format.float() else {
        // cf.missing.integer: there is nothing to compute, and no NaN.
        return Ok(bits);
    };
    // cf.missing.packed: the code is looked at, not the value.
    if is_missing(codec, bits) {
        return Ok(float.nan_bits().unwrap_or_default());
    }
    let code = Exact::from_bits(&codec.counted.format(), bits);
    let value = stored(&code, &format);
    let product = step(&value, codec.scale_factor, &format, Exact::multiply);
    let sum = step(&product, codec.add_offset, &format, Exact::add);
    Ok(bits_of(&sum, &format))
}

/// Packs one value (cf.encode): first the difference, then the quotient, each rounded in the
/// unpacked type (cf.encode.steps), then the nearest integer, ties to even (cf.encode.round).
///
/// # Errors
/// A NaN where no code is missing (cf.encode.nan), an infinity (cf.encode.infinity), what has no
/// code (cf.encode.range), or one that is missing (cf.encode.reserved).
pub fn encode_element(codec: &Cf, bits: u64) -> Result<u64, Rejection> {
    let format = codec.unpacked.format();
    if format.float().is_none() {
        return Ok(bits);
    }
    let reject = |reason, clause, what: &str| {
        let value = exactum_exact::canonical(&Scalar::new(codec.unpacked, bits.into()));
        Err(Rejection::new(reason, clause, format!("{value} {what}")))
    };
    let value = Exact::from_bits(&format, bits);
    match value {
        Exact::Nan => {
            return match codec.missing.first() {
                Some(&code) => Ok(code),
                None => reject(
                    Reason::NotANumber,
                    "cf.encode.nan",
                    "has no code: there is neither _FillValue nor missing_value",
                ),
            };
        }
        Exact::Infinite { .. } => {
            return reject(Reason::NotFinite, "cf.encode.infinity", "has no code");
        }
        Exact::Zero { .. } | Exact::Finite(_) => {}
    }
    let difference = step(&value, codec.add_offset, &format, Exact::subtract);
    let quotient = step(&difference, codec.scale_factor, &format, Exact::divide);
    match round(&quotient, &codec.counted.format(), Rounding::NearestEven) {
        Rounded::Bits(code) if is_missing(codec, code) => reject(
            Reason::OutOfRange,
            "cf.encode.reserved",
            "would be packed as a code that is missing",
        ),
        Rounded::Bits(code) => Ok(code),
        _ => reject(
            Reason::OutOfRange,
            "cf.encode.range",
            "has no code in the packed type",
        ),
    }
}

/// Returns whether a code is missing: one of the list (cf.missing.fill, cf.missing.value), or not valid
/// (cf.missing.range).
fn is_missing(codec: &Cf, bits: u64) -> bool {
    let code = Exact::from_bits(&codec.counted.format(), bits);
    let (least, greatest) = codec.valid;
    let compare = |bound: i64| code.compare(&Exact::integer(bound.into()));
    codec.missing.contains(&bits)
        || compare(least) == Some(Ordering::Less)
        || compare(greatest) == Some(Ordering::Greater)
}

/// One operation, rounded; an absent parameter skips it (cf.decode.absent).
fn step(
    value: &Exact,
    parameter: Option<u64>,
    format: &Format,
    operation: fn(&Exact, &Exact) -> Exact,
) -> Exact {
    match parameter {
        Some(bits) => stored(&operation(value, &Exact::from_bits(format, bits)), format),
        None => value.clone(),
    }
}

/// The nearest value of a float type.
fn stored(value: &Exact, format: &Format) -> Exact {
    Exact::from_bits(format, bits_of(value, format))
}

/// The bits of the nearest value; what overflows is infinite.
fn bits_of(value: &Exact, format: &Format) -> u64 {
    match round(value, format, Rounding::NearestEven) {
        Rounded::Bits(bits) => bits,
        Rounded::OutOfRange { above, .. } => clamp(format, above),
        Rounded::NotANumber | Rounded::NotFinite => 0,
    }
}
