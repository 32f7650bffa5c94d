//! The path of a request to a wrong implementation. No other file knows the judge's interface.

use std::sync::Arc;

use exactum_conformance::model::sds::{
    DataSet, External, Lowered, Output, Plan, PlanRequest, Profile, Scaling, SdsType,
};
use exactum_conformance::model::{
    Array, ArrayCodec, ArrayToBytes, Chain, Direction, Rejection, Resolution, with_codecs,
};
use exactum_conformance::{
    Answer, Call, Codec, Codecs, Converted, Document, DownsampleCall, Failure, Fault, Hello,
    Implementation, InProcess, Outcome, Request, SdsCall, SdsCodec, Stored, Success,
    parse_fill_value,
};
use exactum_reference::chain::{Steps, decode_with, elements, encode_with, resolve_with};

use exactum_reference::downsample::{read, read_texts};

use crate::{NONE, Overrides, SdsAsked, SdsFaults};

/// An implementation: the reference with overrides.
#[derive(Clone)]
pub struct Mutated {
    name: &'static str,
    overrides: Overrides,
}

impl Mutated {
    /// Returns the reference with overrides.
    #[must_use]
    pub fn new(name: &'static str, overrides: Overrides) -> Self {
        Self { name, overrides }
    }

    /// Returns the reference itself.
    #[must_use]
    pub fn right() -> Self {
        Self::new("reference", NONE)
    }

    /// Returns the differences from the reference.
    #[must_use]
    pub fn overrides(&self) -> &Overrides {
        &self.overrides
    }

    /// Returns the whole implementation, including any misreading of documents.
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
        Hello::offering_everything(self.name, env!("CARGO_PKG_VERSION"), "rust")
    }

    fn call(&self, call: &Call) -> Outcome {
        let overrides = &self.overrides;
        Ok(match call {
            Call::Parse(data_type, json) => match &overrides.parse {
                Some(parse) => parse(*data_type, json)?.into(),
                None => parse_fill_value(*data_type, json)?.into(),
            },
            Call::Format(scalar) => {
                let wrong = overrides.format.and_then(|format| format(scalar));
                Success::Json(wrong.unwrap_or_else(|| exactum_exact::canonical(scalar)))
            }
            Call::Encode(Codec::Chain(chain), chunk) => self.encode_chunk(chain, chunk)?.into(),
            Call::Decode(Codec::Chain(chain), Stored::Bytes { bytes, .. }) => {
                self.decode_chunk(chain, bytes)?.into()
            }
            Call::Encode(codec, input) => match in_chain(codec) {
                Some(InChain::Elements(codec)) => {
                    elements(overrides, &codec, Direction::Encode, input)?.into()
                }
                Some(InChain::Bytes(codec)) => overrides.to_bytes(&codec, input)?.into(),
                None => call.not_offered()?,
            },
            Call::Decode(codec, stored) => match (in_chain(codec), stored) {
                (Some(InChain::Elements(codec)), Stored::Array(input)) => {
                    elements(overrides, &codec, Direction::Decode, input)?.into()
                }
                (Some(InChain::Bytes(codec)), Stored::Bytes { shape, bytes }) => {
                    overrides.to_array(&codec, shape, bytes)?.into()
                }
                _ => call.not_offered()?,
            },
            Call::Downsample(call) => self.view(call)?,
            Call::Sds(call) => self.data_sets(call)?,
            Call::Resolve(chain) => self.resolve(chain)?.into(),
            Call::Validate(document) => self.validate(document)?,
            call => call.not_offered()?,
        })
    }
}

impl SdsCodec for SdsFaults {
    fn convert(&self, input: &DataSet, target: SdsType, profile: Profile) -> Converted {
        self.converted(&SdsAsked::Convert(input, target, profile))
    }

    fn read(
        &self,
        input: &DataSet,
        cast: Option<SdsType>,
        external: Option<External>,
        profile: Profile,
    ) -> Converted {
        self.converted(&SdsAsked::Read(input, cast, external, profile))
    }

    fn write(
        &self,
        input: &DataSet,
        cast: Option<SdsType>,
        output: &Output,
        profile: Profile,
    ) -> Converted {
        self.converted(&SdsAsked::Write(input, cast, *output, profile))
    }

    fn lower(&self, scaling: Scaling) -> Result<Lowered, Rejection> {
        let right = exactum_reference::sds::lower(scaling)?;
        Ok(self.lowered.map_or(right, |change| change(scaling, right)))
    }

    fn missing(&self, input: &DataSet) -> Result<Vec<bool>, Rejection> {
        let right = exactum_reference::sds::missing(input)?;
        Ok(match self.mask {
            Some(change) => change(input, right),
            None => right,
        })
    }

    fn plan(&self, request: &PlanRequest) -> Result<Plan, Rejection> {
        let right = exactum_reference::sds::plan(request);
        match &self.planned {
            Some(change) => change(request, right),
            None => right,
        }
    }
}

/// A codec in its place in a chain.
enum InChain {
    Elements(ArrayCodec),
    Bytes(ArrayToBytes),
}

macro_rules! in_chain {
    (
        [$codec:expr]
        elementwise { $($element:ident $Element:ident $_p:ident $_t:ident $_m:tt;)* }
        in_chains $_i:tt
        array_to_bytes { $($bytes:ident $Bytes:ident $_q:ident $_b:ident $_n:tt;)* }
    ) => {
        match $codec {
            $(Codec::$Element(codec) => {
                Some(InChain::Elements(ArrayCodec::$Element(codec.clone())))
            })*
            $(Codec::$Bytes(codec) => Some(InChain::Bytes(ArrayToBytes::$Bytes(codec.clone()))),)*
            _ => None,
        }
    };
}

fn in_chain(codec: &Codec) -> Option<InChain> {
    with_codecs!(in_chain[codec])
}

impl Mutated {
    fn resolve(&self, chain: &Chain) -> Result<Resolution, Rejection> {
        let chain = self.overrides.understood(chain);
        let mut resolution = resolve_with(&self.overrides, &chain)?;
        if let Some(change) = self.overrides.resolution {
            change(&chain, &mut resolution);
        }
        Ok(resolution)
    }

    fn data_sets(&self, call: &SdsCall) -> Outcome {
        let faults = &self.overrides.sds;
        let mut success = call.answer(faults)?;
        if let (SdsCall::Plan(request), Success::Document(members), Some(change)) =
            (call, &mut success, faults.codecs)
        {
            change(request, members);
        }
        Ok(success)
    }

    fn view(&self, call: &DownsampleCall) -> Outcome {
        let Overrides { view, texts, .. } = &self.overrides;
        let mut success = call.answer(
            |asked, source| {
                let part = view.as_ref().and_then(|part| part(asked, source));
                part.unwrap_or_else(|| read(asked, source))
            },
            |asked, source| {
                let part = texts.as_ref().and_then(|part| part(asked, source));
                part.unwrap_or_else(|| read_texts(asked, source))
            },
        )?;
        if let (DownsampleCall::Resolve(document), Success::Document(members), Some(change)) =
            (call, &mut success, self.overrides.resolved)
        {
            change(&document.level, document.transform.as_ref(), members);
        }
        Ok(success)
    }

    fn encode_chunk(&self, chain: &Chain, chunk: &Array) -> Result<Vec<u8>, Rejection> {
        let chain = self.overrides.understood(chain);
        let change = self
            .overrides
            .chunk
            .and_then(|change| change(&chain, chunk));
        encode_with(&self.overrides, &chain, change.as_ref().unwrap_or(chunk))
    }

    fn decode_chunk(&self, chain: &Chain, bytes: &[u8]) -> Result<Array, Rejection> {
        let chain = self.overrides.understood(chain);
        match self.overrides.encoded {
            Some(change) => decode_with(&self.overrides, &chain, &change(&chain, bytes)),
            None => decode_with(&self.overrides, &chain, bytes),
        }
    }

    fn validate(&self, document: &Document) -> Outcome {
        let Overrides {
            lenient, refuses, ..
        } = &self.overrides;
        match document.validate(|chain| Ok(self.resolve(chain)?)) {
            Err(Fault::Reject(rejection)) if Some(rejection.clause) == *lenient => {
                Ok(Success::Valid)
            }
            Ok(_)
                if refuses
                    .as_ref()
                    .is_some_and(|refuses| refuses(&document.text)) =>
            {
                Err(crate::some_rejection().into())
            }
            outcome => outcome,
        }
    }
}

/// An implementation that changes a request before it answers.
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
