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

/// A request whose documents were resolved: what is asked for. It is made once a case and handed to
/// every implementation of this process.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Call {
    /// The scalar that JSON text stands for.
    Parse(DataType, String),
    /// The canonical JSON text of a scalar.
    Format(Scalar),
    /// An array through a codec, towards the store.
    Encode(Codec, Array),
    /// What a codec made, back.
    Decode(Codec, Stored),
    /// What stands between the codecs of a chain, and what becomes of the fill value.
    Resolve(Arc<Chain>),
    /// Whether a document is valid.
    Validate(Document),
    /// What is asked of views.
    Downsample(DownsampleCall),
    /// What is asked of data sets.
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

/// A document, read as its kind says.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The kind.
    pub kind: DocumentKind,
    /// The text.
    pub text: String,
    /// The chain, where it describes one, or why it is rejected.
    pub chain: Result<Option<Arc<Chain>>, Rejection>,
}

/// Calls a parser with the dimensions, where it wants them.
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
            /// Reads the configuration of the codec of a name for arrays of a data type and the given number of
            /// dimensions.
            fn parse(name: &str, text: &str, data_type: DataType, rank: usize) -> Outcome<Self> {
                Ok(match name {
                    $(stringify!($element) => Codec::$Element(exactum_metadata::$of_element(text, data_type)?),)*
                    $(stringify!($bytes) => {
                        Codec::$Bytes(parsed!($by $of_bytes(text, data_type, rank))?)
                    })*
                    _ => return Err(Fault::Error(format!("there is no codec {name:?}"))),
                })
            }

            /// The name.
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
    /// [`Fault::Error`] for what is not a request: a missing member or one of another form, an array
    /// whose length is not that of its shape. [`Fault::Reject`] for an unknown data type, an invalid
    /// configuration or chain. [`Fault::Unsupported`] for a kind of document that there is not.
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

    /// The name of the operation.
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

    /// The array that is asked about.
    #[must_use]
    pub const fn input(&self) -> Option<&Array> {
        match self {
            Call::Encode(_, input) | Call::Decode(_, Stored::Array(input)) => Some(input),
            _ => None,
        }
    }

    /// The same call of another array; the same call where it has none.
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

    /// Returns whether it is valid: `exactum-metadata` has read it, and `resolve` has the last word, which carries the
    /// fill value through the chain that it describes.
    ///
    /// # Errors
    /// The first rejection, or what `resolve` says.
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
