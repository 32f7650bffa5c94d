//! Calls the codecs that convert each element by itself. Each codec is found by its name, which is also the
//! name of its module.

use exactum_model::Direction::{self, Decode, Encode};
use exactum_model::{ArrayCodec, Rejection, with_codecs};

use crate::arch::SimdLevel;
use crate::cast_value::{Plan, cast_planned};
use crate::fault::Fault;

/// Calls a function of the codec's module, or evaluates to `$moved` for codecs that only move elements.
macro_rules! call {
    (
        [$codec:expr, $function:ident $arguments:tt, $moved:expr]
        elementwise { $($element:ident $Element:ident $_p:ident $_t:ident $_m:tt;)* }
        in_chains { $($inner:ident $Inner:ident;)* }
        array_to_bytes $_a:tt
    ) => {
        match $codec {
            $(ArrayCodec::$Element(codec) => call!($element $function codec $arguments),)*
            $(ArrayCodec::$Inner(codec) => call!($inner $function codec $arguments),)*
            _ => $moved,
        }
    };
    ($module:ident $function:ident $codec:ident ($($argument:expr),*)) => {
        crate::$module::$function($codec, $($argument),*)
    };
}

/// Returns the plan of a codec, if it has one.
pub(super) fn plan(codec: &ArrayCodec, direction: Direction) -> Option<Plan> {
    match (codec, direction) {
        (ArrayCodec::CastValue(codec), Encode) => Plan::of(&codec.encoding()),
        (ArrayCodec::CastValue(codec), Decode) => Plan::of(&codec.decoding()),
        _ => None,
    }
}

/// Runs elements through a codec with its plan.
pub(super) fn run(
    (codec, plan): (&ArrayCodec, Option<&Plan>),
    direction: Direction,
    input: &[u8],
    output: &mut [u8],
) -> Result<(), Fault> {
    if let (ArrayCodec::CastValue(codec), Some(_)) = (codec, plan) {
        let cast = match direction {
            Encode => codec.encoding(),
            Decode => codec.decoding(),
        };
        return cast_planned(SimdLevel::best(), &cast, plan, input, output);
    }
    with_codecs!(call [codec, run(direction, input, output), Ok(())])
}

/// Passes the bits of one element through a codec.
///
/// # Errors
/// The same as for the codec.
pub(super) fn element(
    codec: &ArrayCodec,
    direction: Direction,
    bits: u64,
) -> Result<u64, Rejection> {
    match direction {
        Encode => with_codecs!(call [codec, encode_element(bits), Ok(bits)]),
        Decode => with_codecs!(call [codec, decode_element(bits), Ok(bits)]),
    }
}
