//! The two programs that compute anchors.

use std::fmt;

use exactum_model::{
    Array, ArrayToBytes, Chain, DataType, Downsample, Placed, Reason, Rejection, Resolution,
    Scalar, Texts,
};
use exactum_reference::chain::Steps;
use exactum_reference::{self as reference, Reference};
use exactum_vectors::Request;
use serde_json::Value;

use crate::oracle;
use crate::vectors::builder;
use crate::vectors::opinions::{Direction, Elementwise};

/// The error type of both programs.
#[derive(Debug)]
pub(super) struct EngineFault {
    /// The clause, if the program names one.
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

/// A program that computes anchors.
#[derive(Clone, Copy)]
pub(super) enum Engine {
    Reference,
    Oracle,
}

/// Both programs.
pub(super) const ENGINES: [Engine; 2] = [Engine::Reference, Engine::Oracle];

impl Engine {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Oracle => "second oracle",
        }
    }

    /// Parses the JSON text of a scalar.
    pub(super) fn parse(self, data_type: DataType, json: &str) -> Result<Scalar, EngineFault> {
        Ok(match self {
            Self::Reference => exactum_metadata::parse_fill_value(data_type, json)?,
            Self::Oracle => oracle::fill_value::parse(data_type, json)?,
        })
    }

    /// Sends one element through an elementwise codec.
    pub(super) fn element(
        self,
        codec: &Elementwise,
        direction: Direction,
        bits: u64,
    ) -> Result<u64, EngineFault> {
        Ok(match self {
            Self::Reference => codec.first(direction, bits)?,
            Self::Oracle => codec.second(direction, bits)?,
        })
    }

    /// Resolves the stages of a chain.
    pub(super) fn resolve(self, chain: &Chain) -> Result<Resolution, EngineFault> {
        Ok(match self {
            Self::Reference => reference::chain::resolve(chain)?,
            Self::Oracle => oracle::chain::resolve(chain)?,
        })
    }

    /// Encodes a chunk to bytes.
    pub(super) fn encode(self, chain: &Chain, chunk: &Array) -> Result<Vec<u8>, EngineFault> {
        Ok(match self {
            Self::Reference => reference::chain::encode(chain, chunk)?,
            Self::Oracle => oracle::chain::encode(chain, chunk)?,
        })
    }

    /// Decodes bytes to a chunk.
    pub(super) fn decode(self, chain: &Chain, bytes: &[u8]) -> Result<Array, EngineFault> {
        Ok(match self {
            Self::Reference => reference::chain::decode(chain, bytes)?,
            Self::Oracle => oracle::chain::decode(chain, bytes)?,
        })
    }

    /// Answers a request about data sets.
    pub(super) fn data_set(self, request: &Request) -> Result<Value, EngineFault> {
        Ok(match self {
            Self::Reference => builder::sds::answer(request)??,
            Self::Oracle => oracle::sds::answer(request)?,
        })
    }

    /// Reads the elements of a view.
    pub(super) fn view(self, view: &Downsample, source: &Placed) -> Result<Placed, EngineFault> {
        Ok(match self {
            Self::Reference => reference::downsample::read(view, source)?,
            Self::Oracle => oracle::downsample::read(view, source)?,
        })
    }

    /// Reads the elements of a view whose elements are not numbers.
    pub(super) fn texts(self, view: &Downsample, source: &Texts) -> Result<Texts, EngineFault> {
        Ok(match self {
            Self::Reference => reference::downsample::read_texts(view, source)?,
            Self::Oracle => oracle::texts::read(view, source)?,
        })
    }

    /// Encodes an array to bytes with a single codec.
    pub(super) fn to_bytes(
        self,
        codec: &ArrayToBytes,
        input: &Array,
    ) -> Result<Vec<u8>, EngineFault> {
        Ok(match self {
            Self::Reference => Reference.to_bytes(codec, input)?,
            Self::Oracle => oracle::chain::to_bytes(codec, input)?,
        })
    }

    /// Decodes bytes to an array with a single codec.
    pub(super) fn to_array(
        self,
        codec: &ArrayToBytes,
        shape: &[u64],
        bytes: &[u8],
    ) -> Result<Array, EngineFault> {
        Ok(match self {
            Self::Reference => Reference.to_array(codec, shape, bytes)?,
            Self::Oracle => oracle::chain::to_array(codec, shape, bytes)?,
        })
    }
}
