//! Runs an operation on elements and on a fill value in the form in which zarrs holds them.

use std::borrow::Cow;

use exactum_model::Scalar;
use exactum_optimized::chain;
use zarrs::array::codec::api::InvalidBytesLengthError;
use zarrs::array::{ArrayBytes, CodecError, FillValue};

use super::Elementwise;
use crate::codec::fault::codec_error;
use crate::data_type::native;

/// A direction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Direction {
    Encode,
    Decode,
}

/// Applies an operation to elements in the form of zarrs, which is the native byte order.
pub(super) fn run<T: Elementwise>(
    operation: &T,
    direction: Direction,
    bytes: ArrayBytes<'_>,
    elements: usize,
) -> Result<ArrayBytes<'static>, CodecError> {
    let bytes = bytes.into_fixed()?;
    let (decoded, encoded) = operation.data_types();
    let (from, to) = match direction {
        Direction::Encode => (decoded, encoded),
        Direction::Decode => (encoded, decoded),
    };
    let expected = elements.saturating_mul(from.element_bytes());
    if bytes.len() != expected {
        return Err(InvalidBytesLengthError::new(bytes.len(), expected).into());
    }
    let input = native::to_little(from, bytes);
    let mut output = vec![0; elements.saturating_mul(to.element_bytes())];
    match direction {
        Direction::Encode => operation.encode_into(&input, &mut output),
        Direction::Decode => operation.decode_into(&input, &mut output),
    }
    .map_err(|rejection| codec_error(T::NAME, &rejection))?;
    native::from_little(to, &mut output);
    Ok(ArrayBytes::Fixed(Cow::Owned(output)))
}

/// The result of encoding a fill value.
pub(super) struct Filled {
    /// The fill value for the next codec.
    pub(super) encoded: FillValue,
    /// Whether decoding returns the same bits.
    pub(super) returns: bool,
}

/// Applies an operation to a fill value (chain.fill).
pub(super) fn fill<T: Elementwise>(
    operation: &T,
    fill_value: &FillValue,
) -> Result<Filled, CodecError> {
    let (decoded, encoded) = operation.data_types();
    let bytes = native::to_little(decoded, Cow::Borrowed(fill_value.as_ne_bytes()));
    let scalar = Scalar::from_bytes(decoded, &bytes)
        .ok_or_else(|| InvalidBytesLengthError::new(bytes.len(), decoded.element_bytes()))?;
    let after = chain::encode_fill_value(&operation.array_codec(), scalar)
        .map_err(|rejection| codec_error(T::NAME, &rejection))?;
    let mut back = vec![0; decoded.element_bytes()];
    let returns = operation
        .decode_into(&after.to_bytes(), &mut back)
        .is_ok_and(|()| back == *bytes);
    let mut output = after.to_bytes();
    native::from_little(encoded, &mut output);
    Ok(Filled {
        encoded: FillValue::new(output),
        returns,
    })
}
