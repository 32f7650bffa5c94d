//! Codecs that turn one element after another into one element, found by their names: the functions
//! of the modules that are called like them.

use exactum_model::Direction::{self, Decode, Encode};
use exactum_model::{Array, ArrayCodec, Rejection, with_codecs};

/// Calls one of two functions of the codec's module; codecs that move elements give `$moved`.
macro_rules! call {
    (
        [$codec:expr, $direction:expr, $encode:ident, $decode:ident $arguments:tt, $moved:expr]
        elementwise { $($element:ident $Element:ident $_p:ident $_t:ident $_m:tt;)* }
        in_chains { $($inner:ident $Inner:ident;)* }
        array_to_bytes $_a:tt
    ) => {
        match ($codec, $direction) {
            $(
                (ArrayCodec::$Element(codec), Encode) => call!($element $encode codec $arguments),
                (ArrayCodec::$Element(codec), Decode) => call!($element $decode codec $arguments),
            )*
            $(
                (ArrayCodec::$Inner(codec), Encode) => call!($inner $encode codec $arguments),
                (ArrayCodec::$Inner(codec), Decode) => call!($inner $decode codec $arguments),
            )*
            _ => $moved,
        }
    };
    ($module:ident $function:ident $codec:ident ($($argument:expr),*)) => {
        crate::$module::$function($codec, $($argument),*)
    };
}

/// An array through a codec.
///
/// # Errors
/// The codec's.
pub(super) fn array(
    codec: &ArrayCodec,
    direction: Direction,
    input: &Array,
) -> Result<Array, Rejection> {
    with_codecs!(call [codec, direction, encode, decode (input), Ok(input.clone())])
}

/// The elements of a block through a codec.
///
/// # Errors
/// The codec's.
pub(super) fn block(
    codec: &ArrayCodec,
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Rejection> {
    with_codecs!(call [codec, direction, encode_into, decode_into (input, output), Ok(())])
}

/// The bits of one element through a codec.
///
/// # Errors
/// The codec's.
pub(super) fn element(
    codec: &ArrayCodec,
    direction: Direction,
    bits: u64,
) -> Result<u64, Rejection> {
    with_codecs!(call [codec, direction, encode_element, decode_element (bits), Ok(bits)])
}
