//! Exactum's own implementations.

use exactum_conformance::model::{
    Array, Bytes, CastValue, Chain, DataType, PackBits, Resolution, Scalar, ScaleOffset,
};
use exactum_conformance::{Codecs, Hello, Outcome, parse_fill_value};

/// All operations of the protocol that ours offer.
const OPERATIONS: &[&str] = &[
    "bytes.decode",
    "bytes.encode",
    "cast_value.decode",
    "cast_value.encode",
    "chain.decode",
    "chain.encode",
    "chain.resolve",
    "fill_value.format",
    "fill_value.parse",
    "metadata.validate",
    "packbits.decode",
    "packbits.encode",
    "scale_offset.decode",
    "scale_offset.encode",
];

/// The crates of ours have the same functions; fill values are the same code for all of them.
macro_rules! ours {
    ($(#[$doc:meta])* $implementation:ident, $name:literal, $of:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $implementation;

        impl Codecs for $implementation {
            fn hello(&self) -> Hello {
                Hello::new($name, env!("CARGO_PKG_VERSION"), "rust").offering(OPERATIONS)
            }

            fn fill_value_parse(&self, data_type: DataType, json: &str) -> Outcome<Scalar> {
                parse_fill_value(data_type, json)
            }

            fn fill_value_format(&self, scalar: &Scalar) -> Outcome<String> {
                Ok(exactum_exact::canonical(scalar))
            }

            fn bytes_encode(&self, codec: &Bytes, input: &Array) -> Outcome<Vec<u8>> {
                Ok($of::bytes::encode(codec, input)?)
            }

            fn bytes_decode(&self, codec: &Bytes, shape: &[u64], bytes: &[u8]) -> Outcome<Array> {
                Ok($of::bytes::decode(codec, shape, bytes)?)
            }

            fn packbits_encode(&self, codec: &PackBits, input: &Array) -> Outcome<Vec<u8>> {
                Ok($of::packbits::encode(codec, input)?)
            }

            fn packbits_decode(
                &self,
                codec: &PackBits,
                shape: &[u64],
                bytes: &[u8],
            ) -> Outcome<Array> {
                Ok($of::packbits::decode(codec, shape, bytes)?)
            }

            fn cast_value_encode(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
                Ok($of::cast_value::encode(codec, input)?)
            }

            fn cast_value_decode(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
                Ok($of::cast_value::decode(codec, input)?)
            }

            fn scale_offset_encode(&self, codec: &ScaleOffset, input: &Array) -> Outcome<Array> {
                Ok($of::scale_offset::encode(codec, input)?)
            }

            fn scale_offset_decode(&self, codec: &ScaleOffset, input: &Array) -> Outcome<Array> {
                Ok($of::scale_offset::decode(codec, input)?)
            }

            fn chain_resolve(&self, chain: &Chain) -> Outcome<Resolution> {
                Ok($of::chain::resolve(chain)?)
            }

            fn chain_encode(&self, chain: &Chain, chunk: &Array) -> Outcome<Vec<u8>> {
                Ok($of::chain::encode(chain, chunk)?)
            }

            fn chain_decode(&self, chain: &Chain, bytes: &[u8]) -> Outcome<Array> {
                Ok($of::chain::decode(chain, bytes)?)
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
