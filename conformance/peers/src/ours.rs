//! Exactum's own implementations.

use exactum_conformance::model::sds::{
    DataSet, External, Lowered, Output, Plan, PlanRequest, Profile, Scaling, SdsType,
};
use exactum_conformance::model::{Rejection, with_codecs};
use exactum_conformance::{
    Call, Codec, Codecs, Converted, Hello, Outcome, SdsCodec, Stored, Success, parse_fill_value,
};

/// The two directions of a codec are the functions `encode` and `decode` in the module named after it.
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

/// Exactum's own crates have the same functions. Fill values are handled by the same code in all of them.
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
                    Call::Sds(call) => call.answer(self),
                    call => with_codecs!(codecs [$of call]),
                }
            }
        }

        impl SdsCodec for $implementation {
            fn convert(&self, input: &DataSet, target: SdsType, profile: Profile) -> Converted {
                $of::sds::convert(input, target, profile)
            }

            fn read(
                &self,
                input: &DataSet,
                cast: Option<SdsType>,
                external: Option<External>,
                profile: Profile,
            ) -> Converted {
                $of::sds::read(input, cast, external, profile)
            }

            fn write(
                &self,
                input: &DataSet,
                cast: Option<SdsType>,
                output: &Output,
                profile: Profile,
            ) -> Converted {
                $of::sds::write(input, cast, output, profile)
            }

            fn lower(&self, scaling: Scaling) -> Result<Lowered, Rejection> {
                $of::sds::lower(scaling)
            }

            fn missing(&self, input: &DataSet) -> Result<Vec<bool>, Rejection> {
                $of::sds::missing(input)
            }

            fn plan(&self, request: &PlanRequest) -> Result<Plan, Rejection> {
                $of::sds::plan(request)
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
