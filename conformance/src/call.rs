//! A resolved request: its members as values, with its documents read.

use std::sync::Arc;

use exactum_metadata::{Accepted, DocumentKind, parse_array};
use exactum_model::{Array, Chain, DataType, Rejection, Resolution, Scalar, with_codecs};
use serde_json::{Map, Value};

use crate::asked::Asked;
use crate::downsample::DownsampleCall;
use crate::operations::{Operation, Verb};
use crate::protocol::{Fault, Outcome, Success};
use crate::sds::SdsCall;

/// A resolved request: the requested operation with its documents read. It is made once for each case and passed to
/// every implementation in this process.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Call {
    /// Parses JSON text as a scalar.
    Parse(DataType, String),
    /// Formats a scalar as canonical JSON text.
    Format(Scalar),
    /// Encodes an array with a codec.
    Encode(Codec, Array),
    /// Decodes what a codec encoded.
    Decode(Codec, Stored),
    /// Resolves a chain: the arrays between its codecs, and the fill value after each of them.
    Resolve(Arc<Chain>),
    /// Checks whether a document is valid.
    Validate(Document),
    /// A request of the row `downsample`.
    Downsample(DownsampleCall),
    /// A request of the row `sds`.
    Sds(SdsCall),
}

/// The input of a decoder.
#[derive(Clone, Debug, PartialEq)]
pub enum Stored {
    /// The output of an array -> array codec.
    Array(Array),
    /// The output of an array -> bytes codec.
    Bytes {
        /// The shape of the array.
        shape: Vec<u64>,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

/// A document, parsed according to its kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The kind of the document.
    pub kind: DocumentKind,
    /// The text of the document.
    pub text: String,
    /// The chain that the document describes, if it describes one, or the reason for its rejection.
    pub chain: Result<Option<Arc<Chain>>, Rejection>,
}

/// Calls a parser, with the number of dimensions if the parser needs it.
macro_rules! parsed {
    (Flat $parse:ident($text:expr, $data_type:expr, $rank:expr)) => {
        exactum_metadata::$parse($text, $data_type)
    };
    (Ranked $parse:ident($text:expr, $data_type:expr, $rank:expr)) => {
        exactum_metadata::$parse($text, $data_type, $rank)
    };
}

macro_rules! codecs {
    (
        []
        elementwise { $($element:ident $Element:ident $of_element:ident $_t:ident $_m:tt;)* }
        in_chains $_i:tt
        array_to_bytes { $($bytes:ident $Bytes:ident $of_bytes:ident $by:ident $_n:tt;)* }
    ) => {
        /// A codec with its configuration, or all codecs of an array.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Codec {
            $(#[doc = concat!("`", stringify!($element), "`")] $Element(exactum_model::$Element),)*
            $(#[doc = concat!("`", stringify!($bytes), "`")] $Bytes(exactum_model::$Bytes),)*
            /// `chain`: the codecs of an array document.
            Chain(Arc<Chain>),
        }

        impl Codec {
            /// Reads the configuration of the named codec for arrays of a data type and the given number of dimensions.
            fn parse(name: &str, text: &str, data_type: DataType, rank: usize) -> Outcome<Self> {
                Ok(match name {
                    $(stringify!($element) => Codec::$Element(exactum_metadata::$of_element(text, data_type)?),)*
                    $(stringify!($bytes) => {
                        Codec::$Bytes(parsed!($by $of_bytes(text, data_type, rank))?)
                    })*
                    _ => return Err(Fault::Error(format!("there is no codec {name:?}"))),
                })
            }

            /// Returns the name.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Codec::$Element(_) => stringify!($element),)*
                    $(Codec::$Bytes(_) => stringify!($bytes),)*
                    Codec::Chain(_) => "chain",
                }
            }
        }
    };
}

with_codecs!(codecs);

impl Call {
    /// Reads the members of a request and the documents among them.
    ///
    /// # Errors
    /// [`Fault::Error`] if this is not a request: a missing member or one of another form, or an array whose length
    /// does not match its shape. [`Fault::Reject`] for an unknown data type and for an invalid configuration or chain.
    /// [`Fault::Unsupported`] for an unknown kind of document.
    pub(crate) fn read(operation: &Operation, members: &Map<String, Value>) -> Outcome<Self> {
        let asked = Asked(members);
        for member in operation.asks {
            asked.check(member)?;
        }
        match operation.row {
            "downsample" => {
                let call = DownsampleCall::read(operation.verb, &asked)?;
                return Ok(Call::Downsample(call));
            }
            "sds" => return Ok(Call::Sds(SdsCall::read(operation.verb, &asked)?)),
            _ => {}
        }
        Ok(match operation.verb {
            Verb::Parse => Call::Parse(asked.data_type()?, asked.text("json")?.to_owned()),
            Verb::Format => {
                let bits = asked.hex("bits")?;
                let data_type = asked.data_type()?;
                let scalar = Scalar::from_bytes(data_type, &bits).ok_or_else(|| {
                    Fault::Error(format!(
                        "bits: {data_type} has {} bytes, not {}",
                        data_type.element_bytes(),
                        bits.len()
                    ))
                })?;
                Call::Format(scalar)
            }
            Verb::Encode => {
                let input = asked.array("input")?;
                Call::Encode(
                    asked.codec(operation, input.data_type(), input.shape().len())?,
                    input,
                )
            }
            Verb::Decode if operation.asks("input") => {
                let input = asked.array("input")?;
                let data_type = match operation.asks("data_type") {
                    true => asked.data_type()?,
                    false => input.data_type(),
                };
                let codec = asked.codec(operation, data_type, input.shape().len())?;
                Call::Decode(codec, Stored::Array(input))
            }
            Verb::Decode => {
                let bytes = asked.hex("bytes")?;
                let (codec, shape) = match operation.asks("shape") {
                    true => {
                        let shape = asked.shape("shape")?;
                        (
                            asked.codec(operation, asked.data_type()?, shape.len())?,
                            shape,
                        )
                    }
                    false => {
                        let chain = asked.chain()?;
                        let shape = chain.chunk_shape.clone();
                        (Codec::Chain(chain), shape)
                    }
                };
                Call::Decode(codec, Stored::Bytes { shape, bytes })
            }
            Verb::Resolve => Call::Resolve(asked.chain()?),
            Verb::Validate => {
                let kind = asked.text("kind")?;
                let kind = DocumentKind::named(kind).ok_or_else(|| {
                    Fault::Unsupported(format!("documents of kind {kind:?} are not offered"))
                })?;
                Call::Validate(Document::read(kind, asked.text("document")?))
            }
            verb => return Err(Fault::Error(format!("{verb:?} has no call"))),
        })
    }

    /// Returns the name of the operation.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Call::Parse(..) => "fill_value.parse".into(),
            Call::Format(_) => "fill_value.format".into(),
            Call::Encode(codec, _) => format!("{}.encode", codec.name()),
            Call::Decode(codec, _) => format!("{}.decode", codec.name()),
            Call::Resolve(_) => "chain.resolve".into(),
            Call::Validate(_) => "metadata.validate".into(),
            Call::Downsample(call) => format!("downsample.{}", call.verb()),
            Call::Sds(call) => format!("sds.{}", call.verb()),
        }
    }

    /// Returns the call's array, if it has one.
    #[must_use]
    pub const fn input(&self) -> Option<&Array> {
        match self {
            Call::Encode(_, input) | Call::Decode(_, Stored::Array(input)) => Some(input),
            _ => None,
        }
    }

    /// Returns the same call with another array, or the same call if it has none.
    #[must_use]
    pub(crate) fn of_input(&self, input: Array) -> Self {
        match self {
            Call::Encode(codec, _) => Call::Encode(codec.clone(), input),
            Call::Decode(codec, Stored::Array(_)) => {
                Call::Decode(codec.clone(), Stored::Array(input))
            }
            call => call.clone(),
        }
    }

    /// Answers a call that the implementation does not offer.
    ///
    /// # Errors
    /// Always [`Fault::Unsupported`].
    pub fn not_offered<T>(&self) -> Outcome<T> {
        Err(Fault::Unsupported(format!(
            "{} is not offered",
            self.name()
        )))
    }
}

impl Document {
    /// Reads a document.
    #[must_use]
    pub fn read(kind: DocumentKind, text: &str) -> Self {
        let read = || -> Result<Option<Arc<Chain>>, Rejection> {
            let document = exactum_metadata::Document::scan_as(text.as_bytes(), kind)?;
            match kind {
                DocumentKind::Array => {
                    let array = document.array(Accepted::Known)?.array;
                    return Ok(array.map(|array| Arc::new(array.chain)));
                }
                DocumentKind::Group => document.group().map(drop)?,
                DocumentKind::Downsample => document.view(None).map(drop)?,
                DocumentKind::Sds => document.data_sets(None).map(drop)?,
                DocumentKind::Cf => document.variable().map(drop)?,
            }
            Ok(None)
        };
        Self {
            kind,
            text: text.into(),
            chain: read(),
        }
    }

    /// Validates the document. `exactum-metadata` has already read it; `resolve` decides last, by carrying the fill
    /// value through the chain that the document describes.
    ///
    /// # Errors
    /// The rejection of the parser, or else the fault that `resolve` returns.
    pub fn validate(&self, resolve: impl FnOnce(&Chain) -> Outcome<Resolution>) -> Outcome {
        match &self.chain {
            Ok(Some(chain)) => resolve(chain).map(|_| Success::Valid),
            Ok(None) => Ok(Success::Valid),
            Err(rejection) => Err(rejection.clone().into()),
        }
    }
}

impl Asked<'_> {
    fn chain(&self) -> Outcome<Arc<Chain>> {
        Ok(Arc::new(parse_array(self.text("metadata")?)?.chain))
    }

    fn codec(&self, operation: &Operation, data_type: DataType, rank: usize) -> Outcome<Codec> {
        if operation.asks("metadata") {
            return Ok(Codec::Chain(self.chain()?));
        }
        let text = match self.0.get("configuration") {
            Some(_) => self.text("configuration")?,
            None => "{}",
        };
        Codec::parse(operation.row, text, data_type, rank)
    }
}
