//! `cf`: packs values according to the attributes of the CF conventions (spec/cf.md).

use std::cmp::Ordering;

use exactum_exact::{Exact, Rounded, clamp, round};
use exactum_model::{Array, Cf, Format, Reason, Rejection, Rounding, Scalar};

use crate::Reference;

/// A parameter and the operation that applies it. If the parameter is absent, the step is skipped
/// (cf.decode.absent).
pub type Step = (Option<u64>, fn(&Exact, &Exact) -> Exact);

/// The decisions that the codec makes. Each method implements its clause. Overriding a method runs the codec with
/// one decision that is deliberately wrong.
pub trait Packing {
    /// Returns the steps of unpacking: first the product, then the sum (cf.decode, cf.decode.order).
    fn unpacking(&self, codec: &Cf) -> [Step; 2] {
        let (scale, offset) = (codec.scale_factor, codec.add_offset);
        [(scale, Exact::multiply), (offset, Exact::add)]
    }

    /// Returns the steps of packing: first the difference, then the quotient (cf.encode).
    fn packing(&self, codec: &Cf) -> [Step; 2] {
        let (scale, offset) = (codec.scale_factor, codec.add_offset);
        [(offset, Exact::subtract), (scale, Exact::divide)]
    }

    /// Rounds a number to the unpacked type, which happens after each step (cf.decode.steps,
    /// cf.encode.steps).
    fn stored(&self, codec: &Cf, value: &Exact) -> Exact {
        let format = codec.unpacked.format();
        Exact::from_bits(&format, bits_of(value, &format))
    }

    /// Returns whether a code is missing, because it is listed (cf.missing.fill, cf.missing.value) or not
    /// valid (cf.missing.range). The check applies to the code, not to the unpacked value (cf.missing.packed).
    fn is_missing(&self, codec: &Cf, code: u64) -> bool {
        let exact = Exact::from_bits(&codec.counted.format(), code);
        let (least, greatest) = codec.valid;
        let compare = |bound: i64| exact.compare(&Exact::integer(bound.into()));
        codec.missing.contains(&code)
            || compare(least) == Some(Ordering::Less)
            || compare(greatest) == Some(Ordering::Greater)
    }

    /// Returns the value of a missing code, which is NaN (cf.missing.nan).
    fn missing(&self, codec: &Cf, _code: u64) -> u64 {
        let format = codec.unpacked.format();
        let nan = format.float().and_then(|float| float.nan_bits());
        nan.unwrap_or_default()
    }

    /// Rounds a quotient to its code, which is the nearest integer, with ties to even (cf.encode.round).
    fn code(&self, quotient: &Exact, counted: &Format) -> Rounded {
        round(quotient, counted, Rounding::NearestEven)
    }

    /// Returns the code of a quotient outside the range of the packed type. There is none (cf.encode.range).
    fn beyond(&self, _codec: &Cf, _quotient: &Exact) -> Option<u64> {
        None
    }

    /// Returns the code of NaN, which is the first missing code, if there is one (cf.encode.nan).
    fn nan(&self, codec: &Cf) -> Option<u64> {
        codec.missing.first().copied()
    }

    /// Returns the code of an infinity. There is none (cf.encode.infinity).
    fn infinity(&self, _codec: &Cf) -> Option<u64> {
        None
    }
}

impl Packing for Reference {}

/// Packs every value.
///
/// # Errors
/// If the data type of the input is not the unpacked one, or if a value has no code. The rejection carries the
/// index of the first such value.
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

/// Unpacks one code (cf.decode).
///
/// # Errors
/// Never, because every code has a value.
pub fn decode_element(codec: &Cf, bits: u64) -> Result<u64, Rejection> {
    decode_element_with(&Reference, codec, bits)
}

/// Does the same as [`decode_element`], with the given decisions.
///
/// # Errors
/// The same as for [`decode_element`].
pub fn decode_element_with(by: &dyn Packing, codec: &Cf, bits: u64) -> Result<u64, Rejection> {
    let format = codec.unpacked.format();
    if format.float().is_none() {
        // cf.missing.integer: there is nothing to compute, and integers have no NaN.
        return Ok(bits);
    }
    if by.is_missing(codec, bits) {
        return Ok(by.missing(codec, bits));
    }
    let code = Exact::from_bits(&codec.counted.format(), bits);
    let value = stepped(by, codec, by.stored(codec, &code), by.unpacking(codec));
    Ok(bits_of(&value, &format))
}

/// Packs one value (cf.encode).
///
/// # Errors
/// If the value is NaN and there is no missing code (cf.encode.nan), if it is an infinity (cf.encode.infinity),
/// if its quotient is outside the range of the packed type (cf.encode.range), or if its code is a missing code
/// (cf.encode.reserved).
pub fn encode_element(codec: &Cf, bits: u64) -> Result<u64, Rejection> {
    encode_element_with(&Reference, codec, bits)
}

/// Does the same as [`encode_element`], with the given decisions.
///
/// # Errors
/// The same as for [`encode_element`].
pub fn encode_element_with(by: &dyn Packing, codec: &Cf, bits: u64) -> Result<u64, Rejection> {
    let format = codec.unpacked.format();
    if format.float().is_none() {
        return Ok(bits);
    }
    let value = Exact::from_bits(&format, bits);
    let (code, reason, clause, what) = match value {
        Exact::Nan => (
            by.nan(codec),
            Reason::NotANumber,
            "cf.encode.nan",
            "has no code: there is neither _FillValue nor missing_value",
        ),
        Exact::Infinite { .. } => (
            by.infinity(codec),
            Reason::NotFinite,
            "cf.encode.infinity",
            "has no code",
        ),
        Exact::Zero { .. } | Exact::Finite(_) => {
            let quotient = stepped(by, codec, value, by.packing(codec));
            match by.code(&quotient, &codec.counted.format()) {
                Rounded::Bits(code) => (
                    (!by.is_missing(codec, code)).then_some(code),
                    Reason::OutOfRange,
                    "cf.encode.reserved",
                    "would be packed as a code for missing values",
                ),
                _ => (
                    by.beyond(codec, &quotient),
                    Reason::OutOfRange,
                    "cf.encode.range",
                    "has no code in the packed type",
                ),
            }
        }
    };
    code.ok_or_else(|| {
        let value = exactum_exact::canonical(&Scalar::new(codec.unpacked, bits.into()));
        Rejection::new(reason, clause, format!("{value} {what}"))
    })
}

/// Applies both steps to a number.
fn stepped(by: &dyn Packing, codec: &Cf, start: Exact, steps: [Step; 2]) -> Exact {
    let format = codec.unpacked.format();
    steps.into_iter().fold(start, |value, step| match step {
        (Some(bits), operation) => {
            by.stored(codec, &operation(&value, &Exact::from_bits(&format, bits)))
        }
        (None, _) => value,
    })
}

/// Returns the bits of the nearest value of a format. An overflow gives an infinity.
fn bits_of(value: &Exact, format: &Format) -> u64 {
    match round(value, format, Rounding::NearestEven) {
        Rounded::Bits(bits) => bits,
        Rounded::OutOfRange { above, .. } => clamp(format, above),
        Rounded::NotANumber | Rounded::NotFinite => 0,
    }
}
