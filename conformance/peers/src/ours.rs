//! Exactum's own implementations.

use exactum_conformance::model::with_codecs;
use exactum_conformance::{
    Call, Codec, Codecs, Hello, Outcome, SdsFunctions, Stored, Success, parse_fill_value,
};

/// A codec's directions are the functions `encode` and `decode` of the module of its name.
macro_rules! codecs {
    (
        [$of:ident $call:expr]
        elementwise { $($element:ident $Element:ident $_p:ident $_t:ident $_m:tt;)* }
        in_chains $_i:tt
        array_to_bytes { $($bytes:ident $Bytes:ident $_q:ident $_b:ident $_n:tt;)* }
    ) => {
        match $call {
            $(
                Call::Encode(Codec::$Element(codec), input) => {
                    Ok($of::$element::encode(codec, input)?.into())
                }
                Call::Decode(Codec::$Element(codec), Stored::Array(input)) => {
                    Ok($of::$element::decode(codec, input)?.into())
                }
            )*
            $(
                Call::Encode(Codec::$Bytes(codec), input) => {
                    Ok($of::$bytes::encode(codec, input)?.into())
                }
                Call::Decode(Codec::$Bytes(codec), Stored::Bytes { shape, bytes }) => {
                    Ok($of::$bytes::decode(codec, shape, bytes)?.into())
                }
            )*
            call => call.not_offered(),
        }
    };
}

/// Exactum's own crates have the same functions; fill values are the same code for all of them.
macro_rules! ours {
    ($(#[$doc:meta])* $implementation:ident, $name:literal, $of:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $implementation;

        impl Codecs for $implementation {
            fn hello(&self) -> Hello {
                Hello::offering_everything($name, env!("CARGO_PKG_VERSION"), "rust")
            }

            fn call(&self, call: &Call) -> Outcome {
                match call {
                    Call::Parse(data_type, json) => Ok(parse_fill_value(*data_type, json)?.into()),
                    Call::Format(scalar) => Ok(Success::Json(exactum_exact::canonical(scalar))),
                    Call::Resolve(chain) => Ok($of::chain::resolve(chain)?.into()),
                    Call::Validate(document) => {
                        document.validate(|chain| Ok($of::chain::resolve(chain)?))
                    }
                    Call::Encode(Codec::Chain(chain), chunk) => {
                        Ok($of::chain::encode(chain, chunk)?.into())
                    }
                    Call::Decode(Codec::Chain(chain), Stored::Bytes { bytes, .. }) => {
                        Ok($of::chain::decode(chain, bytes)?.into())
                    }
                    Call::Downsample(call) => {
                        call.answer(
                            |view, source| $of::downsample::read(view, source),
                            $of::downsample::read_texts,
                        )
                    }
                    Call::Sds(call) => call.answer(&SdsFunctions {
                        convert: $of::sds::convert,
                        read: $of::sds::read,
                        write: $of::sds::write,
                        lower: $of::sds::lower,
                        missing: $of::sds::missing,
                        plan: $of::sds::plan,
                    }),
                    call => with_codecs!(codecs [$of call]),
                }
            }
        }
    };
}

ours! {
    /// The exact reference.
    Reference, "reference", exactum_reference
}

ours! {
    /// The fast implementation.
    Optimized, "optimized", exactum_optimized
}
