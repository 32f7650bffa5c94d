//! `bitround`: rounds components to fewer bits (spec/bitround.md).

use exactum_exact::{Exact, Rounded, clamp, round};
use exactum_model::{
    Array, BitRound, DataType, Format, IntegerFormat, Reason, Rejection, Rounding,
};

/// Rounds every component.
///
/// # Errors
/// If the data type of the input is not the codec's, or if the codec keeps no bits or is for `bool`.
pub fn encode(codec: &BitRound, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.data_type, "bitround.data_types")?;
    require_valid(codec)?;
    crate::map_elements(input, codec.data_type, |bits| encode_element(codec, bits))
}

/// Returns every component unchanged (bitround.decode).
///
/// # Errors
/// If the data type of the input is not the codec's, or if the codec keeps no bits or is for `bool`.
pub fn decode(codec: &BitRound, input: &Array) -> Result<Array, Rejection> {
    crate::require_data_type(input, codec.data_type, "bitround.data_types")?;
    require_valid(codec)?;
    Ok(input.clone())
}

/// Rounds one component, which may be a part of a complex number (bitround.complex).
///
/// # Errors
/// If the codec keeps no bits or is for `bool`.
pub fn encode_element(codec: &BitRound, bits: u64) -> Result<u64, Rejection> {
    require_valid(codec)?;
    Ok(match codec.data_type.format() {
        Format::Integer(format) => integer(codec, &format, bits),
        _ => float(codec, bits),
    })
}

/// Returns one component unchanged (bitround.decode).
///
/// # Errors
/// The same as for [`encode_element`].
pub fn decode_element(codec: &BitRound, bits: u64) -> Result<u64, Rejection> {
    require_valid(codec)?;
    Ok(bits)
}

/// Requires the properties that a document guarantees for the codec (bitround.data_types, bitround.keepbits),
/// because a program may set the public fields to other values.
fn require_valid(codec: &BitRound) -> Result<(), Rejection> {
    let (reason, clause, message) = match codec {
        BitRound {
            data_type: DataType::Bool,
            ..
        } => (
            Reason::UnsupportedDataType,
            "bitround.data_types",
            "bool has no bits to round",
        ),
        BitRound { keep_bits: 0, .. } => (
            Reason::Metadata,
            "bitround.keepbits",
            "keepbits is 0, but must be at least 1",
        ),
        _ => return Ok(()),
    };
    Err(Rejection::new(reason, clause, message))
}

/// Rounds a float into the format whose mantissa consists of the kept bits (bitround.float), to nearest with
/// ties to even (bitround.float.nearest). Neighbouring values of a format are at least as far apart as its
/// subnormal values (bitround.float.subnormal), and a carry gives the next power of two (bitround.float.carry).
fn float(codec: &BitRound, bits: u64) -> u64 {
    let format = codec.data_type.format();
    let (Some(own), Some(narrow)) = (format.float(), codec.narrow()) else {
        // All bits of the mantissa are kept (bitround.float.few).
        return bits;
    };
    let value = Exact::from_bits(&format, bits);
    if matches!(value, Exact::Nan | Exact::Infinite { .. }) {
        return bits; // bitround.special.nan, bitround.special.infinity
    }
    let narrow_format = Format::Float(narrow);
    let rounded = match round(&value, &narrow_format, Rounding::NearestEven) {
        Rounded::Bits(rounded) => rounded,
        // The result is an infinity, or the largest value if the format has no infinities
        // (bitround.float.largest).
        _ => clamp(&narrow_format, !value.is_negative()),
    };
    rounded << (own.mantissa_bits - narrow.mantissa_bits)
}

/// Rounds an integer to nearest, with ties to even (bitround.integer.nearest), so that the bits after the kept
/// ones become zeros (bitround.integer). The kept bits begin with the most significant set bit. A negative
/// integer is treated as the bits of its two's complement (bitround.integer.negative).
fn integer(codec: &BitRound, format: &IntegerFormat, bits: u64) -> u64 {
    let length = u64::from(u64::BITS - bits.leading_zeros());
    let dropped = length.saturating_sub(codec.keep_bits);
    if dropped == 0 {
        return bits; // bitround.integer.few
    }
    let quantum = 1u128 << dropped;
    let kept = u128::from(bits) / quantum;
    let twice_the_rest = u128::from(bits) % quantum * 2;
    let is_up = twice_the_rest > quantum || twice_the_rest == quantum && kept % 2 == 1;
    // Rounding must not carry into the sign, or into a bit that the type does not have
    // (bitround.integer.fits).
    let is_negative = format.value(bits) < 0;
    let own_bits = format.bits - u32::from(format.signed && !is_negative);
    let up = (kept + 1) * quantum;
    let rounded = match is_up && up < 1u128 << own_bits {
        true => up,
        false => kept * quantum,
    };
    u64::try_from(rounded).unwrap_or(bits)
}
