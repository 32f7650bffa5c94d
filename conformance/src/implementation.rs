//! What can be judged.

use exactum_model::{
    Array, Bytes, CastValue, Chain, DataType, PackBits, Rejection, Resolution, Scalar, ScaleOffset,
};

use crate::hello::Hello;
use crate::protocol::{Answer, Request};
use crate::verdict::Verdict;

/// An answer that is not a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The input is bad, and the implementation says so by name.
    Reject(Rejection),
    /// The implementation does not offer this, in words.
    Unsupported(String),
    /// The adapter itself failed, in words.
    Error(String),
}

impl From<Rejection> for Fault {
    fn from(rejection: Rejection) -> Self {
        Fault::Reject(rejection)
    }
}

/// A result or a [`Fault`].
pub type Outcome<T> = Result<T, Fault>;

fn unsupported<T>(operation: &str) -> Outcome<T> {
    Err(Fault::Unsupported(format!("{operation} is not offered")))
}

/// Typed operations of an implementation in this process. Documents are resolved once, at the
/// edge, by `exactum-metadata`. A method answers [`Fault::Unsupported`] unless it is overridden.
pub trait Codecs: Send + Sync {
    /// Who this is and what it offers.
    fn hello(&self) -> Hello;

    /// `fill_value.parse`: the scalar that JSON text stands for.
    ///
    /// # Errors
    /// See [`Fault`].
    fn fill_value_parse(&self, data_type: DataType, json: &str) -> Outcome<Scalar> {
        let _ = (data_type, json);
        unsupported("fill_value.parse")
    }

    /// `fill_value.format`: the canonical JSON text of a scalar.
    ///
    /// # Errors
    /// See [`Fault`].
    fn fill_value_format(&self, scalar: &Scalar) -> Outcome<String> {
        let _ = scalar;
        unsupported("fill_value.format")
    }

    /// `bytes.encode`.
    ///
    /// # Errors
    /// See [`Fault`].
    fn bytes_encode(&self, codec: &Bytes, input: &Array) -> Outcome<Vec<u8>> {
        let _ = (codec, input);
        unsupported("bytes.encode")
    }

    /// `bytes.decode`: the array of this shape.
    ///
    /// # Errors
    /// See [`Fault`].
    fn bytes_decode(&self, codec: &Bytes, shape: &[u64], bytes: &[u8]) -> Outcome<Array> {
        let _ = (codec, shape, bytes);
        unsupported("bytes.decode")
    }

    /// `packbits.encode`.
    ///
    /// # Errors
    /// See [`Fault`].
    fn packbits_encode(&self, codec: &PackBits, input: &Array) -> Outcome<Vec<u8>> {
        let _ = (codec, input);
        unsupported("packbits.encode")
    }

    /// `packbits.decode`: the array of this shape.
    ///
    /// # Errors
    /// See [`Fault`].
    fn packbits_decode(&self, codec: &PackBits, shape: &[u64], bytes: &[u8]) -> Outcome<Array> {
        let _ = (codec, shape, bytes);
        unsupported("packbits.decode")
    }

    /// `cast_value.encode`.
    ///
    /// # Errors
    /// See [`Fault`].
    fn cast_value_encode(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
        let _ = (codec, input);
        unsupported("cast_value.encode")
    }

    /// `cast_value.decode`.
    ///
    /// # Errors
    /// See [`Fault`].
    fn cast_value_decode(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
        let _ = (codec, input);
        unsupported("cast_value.decode")
    }

    /// `scale_offset.encode`.
    ///
    /// # Errors
    /// See [`Fault`].
    fn scale_offset_encode(&self, codec: &ScaleOffset, input: &Array) -> Outcome<Array> {
        let _ = (codec, input);
        unsupported("scale_offset.encode")
    }

    /// `scale_offset.decode`.
    ///
    /// # Errors
    /// See [`Fault`].
    fn scale_offset_decode(&self, codec: &ScaleOffset, input: &Array) -> Outcome<Array> {
        let _ = (codec, input);
        unsupported("scale_offset.decode")
    }

    /// `chain.resolve`: what stands between the codecs, and what becomes of the fill value.
    ///
    /// # Errors
    /// See [`Fault`].
    fn chain_resolve(&self, chain: &Chain) -> Outcome<Resolution> {
        let _ = chain;
        unsupported("chain.resolve")
    }

    /// `chain.encode`: the bytes of one chunk.
    ///
    /// # Errors
    /// See [`Fault`].
    fn chain_encode(&self, chain: &Chain, chunk: &Array) -> Outcome<Vec<u8>> {
        let _ = (chain, chunk);
        unsupported("chain.encode")
    }

    /// `chain.decode`: the chunk of its bytes.
    ///
    /// # Errors
    /// See [`Fault`].
    fn chain_decode(&self, chain: &Chain, bytes: &[u8]) -> Outcome<Array> {
        let _ = (chain, bytes);
        unsupported("chain.decode")
    }

    /// `metadata.validate`: whether a document of this kind is valid. Unless overridden,
    /// `exactum-metadata` reads it and [`chain_resolve`](Self::chain_resolve) has the last word.
    ///
    /// # Errors
    /// See [`Fault`].
    fn metadata_validate(&self, kind: &str, document: &str) -> Outcome<()> {
        crate::in_process::validate(self, kind, document)
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The implementation died or panicked, in words.
    Crash(String),
    /// The implementation took too long, in words.
    Timeout(String),
    /// What came back is not an answer of the protocol, in words.
    Protocol(String),
    /// The request was not sent, in words: the implementation does not come up, or has failed too
    /// often.
    NotRun(String),
}

impl Failure {
    /// The verdict that it is.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self {
            Failure::Crash(_) => Verdict::Crash,
            Failure::Timeout(_) => Verdict::Timeout,
            Failure::Protocol(_) => Verdict::Protocol,
            Failure::NotRun(_) => Verdict::NotRun,
        }
    }

    /// What happened, in words.
    #[must_use]
    pub fn words(&self) -> &str {
        let (Failure::Crash(words)
        | Failure::Timeout(words)
        | Failure::Protocol(words)
        | Failure::NotRun(words)) = self;
        words
    }

    /// The same failure with words added.
    #[must_use]
    pub(crate) fn and(mut self, more: &str) -> Self {
        let (Failure::Crash(words)
        | Failure::Timeout(words)
        | Failure::Protocol(words)
        | Failure::NotRun(words)) = &mut self;
        words.push_str(more);
        self
    }
}

/// A fault that was not the answer to a call: it did not repeat, or it showed only afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// The case that it is put down to.
    pub case: String,
    /// What happened.
    pub failure: Failure,
    /// Whether it happened again when the request was sent alone: then it is the case's verdict.
    pub repeated: bool,
}

/// What the runner judges: a whole request in, an answer out.
pub trait Implementation: Send {
    /// Who this is and what it offers.
    ///
    /// # Errors
    /// When it does not come up.
    fn hello(&mut self) -> Result<Hello, Failure>;

    /// Answers one request.
    ///
    /// # Errors
    /// When there is no answer.
    fn call(&mut self, request: &Request) -> Result<Answer, Failure>;

    /// Tells which case the calls that follow belong to.
    fn begin(&mut self, case: &str) {
        let _ = case;
    }

    /// Tells that no call follows, and takes what happened beside the answers.
    fn finish(&mut self) -> Vec<Incident> {
        Vec::new()
    }
}
