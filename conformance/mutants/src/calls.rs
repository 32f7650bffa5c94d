//! How requests reach a wrong implementation: the one file that knows the judge's interface.

use std::sync::Arc;

use exactum_conformance::model::{
    Array, ArrayCodec, ArrayToBytes, Bytes, CastValue, Chain, DataType, Direction, PackBits,
    Resolution, Scalar, ScaleOffset,
};
use exactum_conformance::{
    Answer, Codecs, Failure, Fault, Hello, Implementation, InProcess, Outcome, Request,
    parse_fill_value, validate,
};
use exactum_reference::chain::{Steps, decode_with, elements, encode_with, resolve_with};

use crate::{NONE, Overrides};

/// All operations of the protocol.
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

/// An implementation: the reference with overrides.
#[derive(Clone)]
pub struct Mutated {
    name: &'static str,
    overrides: Overrides,
}

impl Mutated {
    /// The reference with overrides.
    #[must_use]
    pub fn new(name: &'static str, overrides: Overrides) -> Self {
        Self { name, overrides }
    }

    /// The reference itself.
    #[must_use]
    pub fn right() -> Self {
        Self::new("reference", NONE)
    }

    /// What differs from the reference.
    #[must_use]
    pub fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// The whole implementation, misread documents included.
    #[must_use]
    pub fn implementation(self) -> Box<dyn Implementation> {
        Box::new(Misreading {
            misreads: self.overrides.misreads,
            inner: InProcess::new(Arc::new(self)),
        })
    }
}

impl Codecs for Mutated {
    fn hello(&self) -> Hello {
        Hello::new(self.name, env!("CARGO_PKG_VERSION"), "rust").offering(OPERATIONS)
    }

    fn fill_value_parse(&self, data_type: DataType, json: &str) -> Outcome<Scalar> {
        match &self.overrides.parse {
            Some(parse) => parse(data_type, json),
            None => parse_fill_value(data_type, json),
        }
    }

    fn fill_value_format(&self, scalar: &Scalar) -> Outcome<String> {
        let wrong = self.overrides.format.and_then(|format| format(scalar));
        Ok(wrong.unwrap_or_else(|| exactum_exact::canonical(scalar)))
    }

    fn bytes_encode(&self, codec: &Bytes, input: &Array) -> Outcome<Vec<u8>> {
        Ok(self
            .overrides
            .to_bytes(&ArrayToBytes::Bytes(*codec), input)?)
    }

    fn bytes_decode(&self, codec: &Bytes, shape: &[u64], bytes: &[u8]) -> Outcome<Array> {
        let codec = ArrayToBytes::Bytes(*codec);
        Ok(self.overrides.to_array(&codec, shape, bytes)?)
    }

    fn packbits_encode(&self, codec: &PackBits, input: &Array) -> Outcome<Vec<u8>> {
        Ok(self
            .overrides
            .to_bytes(&ArrayToBytes::PackBits(*codec), input)?)
    }

    fn packbits_decode(&self, codec: &PackBits, shape: &[u64], bytes: &[u8]) -> Outcome<Array> {
        let codec = ArrayToBytes::PackBits(*codec);
        Ok(self.overrides.to_array(&codec, shape, bytes)?)
    }

    fn cast_value_encode(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
        let codec = ArrayCodec::CastValue(codec.clone());
        Ok(elements(&self.overrides, &codec, Direction::Encode, input)?)
    }

    fn cast_value_decode(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
        let codec = ArrayCodec::CastValue(codec.clone());
        Ok(elements(&self.overrides, &codec, Direction::Decode, input)?)
    }

    fn scale_offset_encode(&self, codec: &ScaleOffset, input: &Array) -> Outcome<Array> {
        let codec = ArrayCodec::ScaleOffset(*codec);
        Ok(elements(&self.overrides, &codec, Direction::Encode, input)?)
    }

    fn scale_offset_decode(&self, codec: &ScaleOffset, input: &Array) -> Outcome<Array> {
        let codec = ArrayCodec::ScaleOffset(*codec);
        Ok(elements(&self.overrides, &codec, Direction::Decode, input)?)
    }

    fn chain_resolve(&self, chain: &Chain) -> Outcome<Resolution> {
        let chain = self.overrides.understood(chain);
        let mut resolution = resolve_with(&self.overrides, &chain)?;
        if let Some(change) = self.overrides.resolution {
            change(&chain, &mut resolution);
        }
        Ok(resolution)
    }

    fn chain_encode(&self, chain: &Chain, chunk: &Array) -> Outcome<Vec<u8>> {
        let chain = self.overrides.understood(chain);
        let change = self
            .overrides
            .chunk
            .and_then(|change| change(&chain, chunk));
        Ok(encode_with(
            &self.overrides,
            &chain,
            change.as_ref().unwrap_or(chunk),
        )?)
    }

    fn chain_decode(&self, chain: &Chain, bytes: &[u8]) -> Outcome<Array> {
        let chain = self.overrides.understood(chain);
        Ok(match self.overrides.encoded {
            Some(change) => decode_with(&self.overrides, &chain, &change(&chain, bytes))?,
            None => decode_with(&self.overrides, &chain, bytes)?,
        })
    }

    fn metadata_validate(&self, kind: &str, document: &str) -> Outcome<()> {
        let Overrides {
            lenient, refuses, ..
        } = &self.overrides;
        match validate(self, kind, document) {
            Err(Fault::Reject(rejection)) if Some(rejection.clause) == *lenient => Ok(()),
            Ok(()) if refuses.as_ref().is_some_and(|refuses| refuses(document)) => {
                Err(crate::refusal().into())
            }
            outcome => outcome,
        }
    }
}

/// An implementation that changes what it is asked before it answers.
struct Misreading {
    misreads: Option<fn(&mut Request)>,
    inner: InProcess<Mutated>,
}

impl Implementation for Misreading {
    fn hello(&mut self) -> Result<Hello, Failure> {
        self.inner.hello()
    }

    fn call(&mut self, request: &Request) -> Result<Answer, Failure> {
        let Some(misreads) = self.misreads else {
            return self.inner.call(request);
        };
        let mut request = request.clone();
        misreads(&mut request);
        self.inner.call(&request)
    }
}
