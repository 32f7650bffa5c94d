//! The two programs that compute anchors.

use std::fmt;

use exactum_model::{
    Array, Bytes, Chain, DataType, Downsample, PackBits, Placed, Reason, Rejection, Resolution,
    Scalar, Texts, Zfp,
};
use exactum_reference as reference;
use exactum_vectors::Request;
use serde_json::Value;

use crate::oracle;
use crate::vectors::builder;
use crate::vectors::opinions::{Direction, Elementwise};

/// The reason why there is no result.
#[derive(Debug)]
pub(super) struct EngineFault {
    /// The clause, where the program names one.
    pub(super) clause: Option<&'static str>,
    pub(super) message: String,
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rejected: {}", self.message)
    }
}

impl From<Rejection> for EngineFault {
    fn from(rejection: Rejection) -> Self {
        Self {
            clause: Some(rejection.clause),
            message: rejection.to_string(),
        }
    }
}

impl From<Reason> for EngineFault {
    fn from(reason: Reason) -> Self {
        Self {
            clause: None,
            message: reason.name().into(),
        }
    }
}

/// An array -> bytes codec.
pub(super) enum ToBytes {
    Bytes(Bytes),
    PackBits(PackBits),
    Zfp(Zfp),
}

/// A program that computes what anchors ask for.
pub(super) trait Engine {
    fn name(&self) -> &'static str;

    /// The scalar of a JSON text.
    fn parse(&self, data_type: DataType, json: &str) -> Result<Scalar, EngineFault>;

    /// One element through a codec that does the same to every element.
    fn element(
        &self,
        codec: &Elementwise,
        direction: Direction,
        bits: u64,
    ) -> Result<u64, EngineFault>;

    /// The stages of a chain.
    fn resolve(&self, chain: &Chain) -> Result<Resolution, EngineFault>;

    /// The bytes of a chunk.
    fn encode(&self, chain: &Chain, chunk: &Array) -> Result<Vec<u8>, EngineFault>;

    /// The chunk of some bytes.
    fn decode(&self, chain: &Chain, bytes: &[u8]) -> Result<Array, EngineFault>;

    /// The answer to a request about data sets.
    fn data_set(&self, request: &Request) -> Result<Value, EngineFault>;

    /// The elements of a view.
    fn view(&self, view: &Downsample, source: &Placed) -> Result<Placed, EngineFault>;
    /// The same, of non-numeric elements.
    fn texts(&self, view: &Downsample, source: &Texts) -> Result<Texts, EngineFault>;

    /// The bytes of an array.
    fn encode_array(&self, codec: &ToBytes, input: &Array) -> Result<Vec<u8>, EngineFault>;

    /// The array of some bytes.
    fn decode_array(
        &self,
        codec: &ToBytes,
        shape: &[u64],
        bytes: &[u8],
    ) -> Result<Array, EngineFault>;
}

/// Both programs.
pub(super) const ENGINES: &[&dyn Engine] = &[&Reference, &Oracle];

struct Reference;

impl Engine for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn parse(&self, data_type: DataType, json: &str) -> Result<Scalar, EngineFault> {
        Ok(exactum_metadata::parse_fill_value(data_type, json)?)
    }

    fn element(
        &self,
        codec: &Elementwise,
        direction: Direction,
        bits: u64,
    ) -> Result<u64, EngineFault> {
        Ok(codec.first(direction, bits)?)
    }

    fn resolve(&self, chain: &Chain) -> Result<Resolution, EngineFault> {
        Ok(reference::chain::resolve(chain)?)
    }

    fn encode(&self, chain: &Chain, chunk: &Array) -> Result<Vec<u8>, EngineFault> {
        Ok(reference::chain::encode(chain, chunk)?)
    }

    fn decode(&self, chain: &Chain, bytes: &[u8]) -> Result<Array, EngineFault> {
        Ok(reference::chain::decode(chain, bytes)?)
    }

    fn data_set(&self, request: &Request) -> Result<Value, EngineFault> {
        Ok(builder::sds::answer(request)??)
    }

    fn view(&self, view: &Downsample, source: &Placed) -> Result<Placed, EngineFault> {
        Ok(reference::downsample::read(view, source)?)
    }

    fn texts(&self, view: &Downsample, source: &Texts) -> Result<Texts, EngineFault> {
        Ok(reference::downsample::read_texts(view, source)?)
    }

    fn encode_array(&self, codec: &ToBytes, input: &Array) -> Result<Vec<u8>, EngineFault> {
        Ok(match codec {
            ToBytes::Bytes(codec) => reference::bytes::encode(codec, input)?,
            ToBytes::PackBits(codec) => reference::packbits::encode(codec, input)?,
            ToBytes::Zfp(codec) => reference::zfp::encode(codec, input)?,
        })
    }

    fn decode_array(
        &self,
        codec: &ToBytes,
        shape: &[u64],
        bytes: &[u8],
    ) -> Result<Array, EngineFault> {
        Ok(match codec {
            ToBytes::Bytes(codec) => reference::bytes::decode(codec, shape, bytes)?,
            ToBytes::PackBits(codec) => reference::packbits::decode(codec, shape, bytes)?,
            ToBytes::Zfp(codec) => reference::zfp::decode(codec, shape, bytes)?,
        })
    }
}

struct Oracle;

impl Engine for Oracle {
    fn name(&self) -> &'static str {
        "second oracle"
    }

    fn parse(&self, data_type: DataType, json: &str) -> Result<Scalar, EngineFault> {
        Ok(oracle::fill_value::parse(data_type, json)?)
    }

    fn element(
        &self,
        codec: &Elementwise,
        direction: Direction,
        bits: u64,
    ) -> Result<u64, EngineFault> {
        Ok(codec.second(direction, bits)?)
    }

    fn resolve(&self, chain: &Chain) -> Result<Resolution, EngineFault> {
        Ok(oracle::chain::resolve(chain)?)
    }

    fn encode(&self, chain: &Chain, chunk: &Array) -> Result<Vec<u8>, EngineFault> {
        Ok(oracle::chain::encode(chain, chunk)?)
    }

    fn decode(&self, chain: &Chain, bytes: &[u8]) -> Result<Array, EngineFault> {
        Ok(oracle::chain::decode(chain, bytes)?)
    }

    fn data_set(&self, request: &Request) -> Result<Value, EngineFault> {
        Ok(oracle::sds::answer(request)?)
    }

    fn view(&self, view: &Downsample, source: &Placed) -> Result<Placed, EngineFault> {
        Ok(oracle::downsample::read(view, source)?)
    }

    fn texts(&self, view: &Downsample, source: &Texts) -> Result<Texts, EngineFault> {
        Ok(oracle::texts::read(view, source)?)
    }

    fn encode_array(&self, codec: &ToBytes, input: &Array) -> Result<Vec<u8>, EngineFault> {
        Ok(match codec {
            ToBytes::Bytes(codec) => oracle::bytes::encode(codec, input)?,
            ToBytes::PackBits(codec) => oracle::packbits::encode(codec, input)?,
            ToBytes::Zfp(codec) => oracle::zfp::encode(codec, input)?,
        })
    }

    fn decode_array(
        &self,
        codec: &ToBytes,
        shape: &[u64],
        bytes: &[u8],
    ) -> Result<Array, EngineFault> {
        Ok(match codec {
            ToBytes::Bytes(codec) => oracle::bytes::decode(codec, shape, bytes)?,
            ToBytes::PackBits(codec) => oracle::packbits::decode(codec, shape, bytes)?,
            ToBytes::Zfp(codec) => oracle::zfp::decode(codec, shape, bytes)?,
        })
    }
}
