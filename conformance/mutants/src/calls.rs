//! How requests reach a wrong implementation: the one file that knows the judge's interface.

use std::sync::Arc;

use exactum_conformance::model::{
    Array, Bytes, CastValue, Chain, DataType, PackBits, Resolution, Scalar, ScaleOffset,
};
use exactum_conformance::{
    Answer, Codecs, Failure, Hello, Implementation, InProcess, Outcome, Request, parse_fill_value,
};

use crate::{Direction, Mutant, Parts, RIGHT, Witness, documents, walk};

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

impl Mutant {
    /// The typed operations, for requests whose documents are read rightly.
    #[must_use]
    pub fn codecs(&self) -> Wrong {
        Wrong { mutant: *self }
    }

    /// The whole implementation.
    #[must_use]
    pub fn implementation(&self) -> Box<dyn Implementation> {
        Box::new(Misreading {
            misreads: self.parts.misreads,
            inner: InProcess::new(Arc::new(self.codecs())),
        })
    }
}

/// The reference: an implementation with nothing wrong.
#[must_use]
pub fn right() -> Wrong {
    Wrong {
        mutant: Mutant {
            name: "reference",
            breaks: &[],
            fault: "None.",
            parts: RIGHT,
            witness: Witness::Document(""),
        },
    }
}

/// The typed operations of a [`Mutant`].
#[derive(Clone, Copy)]
pub struct Wrong {
    mutant: Mutant,
}

impl Wrong {
    fn parts(&self) -> &Parts {
        &self.mutant.parts
    }

    fn understood(&self, chain: &Chain) -> Chain {
        match self.parts().chain {
            Some(misunderstand) => misunderstand(chain),
            None => chain.clone(),
        }
    }
}

impl Codecs for Wrong {
    fn hello(&self) -> Hello {
        Hello::new(self.mutant.name, env!("CARGO_PKG_VERSION"), "rust").offering(OPERATIONS)
    }

    fn fill_value_parse(&self, data_type: DataType, json: &str) -> Outcome<Scalar> {
        match self.parts().parse {
            Some(parse) => parse(data_type, json),
            None => parse_fill_value(data_type, json),
        }
    }

    fn fill_value_format(&self, scalar: &Scalar) -> Outcome<String> {
        match self.parts().format {
            Some(format) => format(scalar),
            None => Ok(exactum_exact::canonical(scalar)),
        }
    }

    fn bytes_encode(&self, codec: &Bytes, input: &Array) -> Outcome<Vec<u8>> {
        match self.parts().bytes.encode {
            Some(encode) => Ok(encode(codec, input)?),
            None => Ok(exactum_reference::bytes::encode(codec, input)?),
        }
    }

    fn bytes_decode(&self, codec: &Bytes, shape: &[u64], bytes: &[u8]) -> Outcome<Array> {
        match self.parts().bytes.decode {
            Some(decode) => Ok(decode(codec, shape, bytes)?),
            None => Ok(exactum_reference::bytes::decode(codec, shape, bytes)?),
        }
    }

    fn packbits_encode(&self, codec: &PackBits, input: &Array) -> Outcome<Vec<u8>> {
        match self.parts().packbits.encode {
            Some(encode) => Ok(encode(codec, input)?),
            None => Ok(exactum_reference::packbits::encode(codec, input)?),
        }
    }

    fn packbits_decode(&self, codec: &PackBits, shape: &[u64], bytes: &[u8]) -> Outcome<Array> {
        match self.parts().packbits.decode {
            Some(decode) => Ok(decode(codec, shape, bytes)?),
            None => Ok(exactum_reference::packbits::decode(codec, shape, bytes)?),
        }
    }

    fn cast_value_encode(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
        Ok(walk::cast(self.parts(), codec, Direction::Encode, input)?)
    }

    fn cast_value_decode(&self, codec: &CastValue, input: &Array) -> Outcome<Array> {
        Ok(walk::cast(self.parts(), codec, Direction::Decode, input)?)
    }

    fn scale_offset_encode(&self, codec: &ScaleOffset, input: &Array) -> Outcome<Array> {
        Ok(walk::scale(self.parts(), codec, Direction::Encode, input)?)
    }

    fn scale_offset_decode(&self, codec: &ScaleOffset, input: &Array) -> Outcome<Array> {
        Ok(walk::scale(self.parts(), codec, Direction::Decode, input)?)
    }

    fn chain_resolve(&self, chain: &Chain) -> Outcome<Resolution> {
        let chain = &self.understood(chain);
        let resolution = walk::resolve(self.parts(), chain)?;
        Ok(match self.parts().resolution {
            Some(change) => change(chain, resolution),
            None => resolution,
        })
    }

    fn chain_encode(&self, chain: &Chain, chunk: &Array) -> Outcome<Vec<u8>> {
        let chain = &self.understood(chain);
        Ok(match self.parts().chunk {
            Some(change) => walk::encode(self.parts(), chain, &change(chain, chunk))?,
            None => walk::encode(self.parts(), chain, chunk)?,
        })
    }

    fn chain_decode(&self, chain: &Chain, bytes: &[u8]) -> Outcome<Array> {
        let chain = &self.understood(chain);
        Ok(match self.parts().encoded {
            Some(change) => walk::decode(self.parts(), chain, &change(chain, bytes))?,
            None => walk::decode(self.parts(), chain, bytes)?,
        })
    }

    fn metadata_validate(&self, kind: &str, document: &str) -> Outcome<()> {
        documents::validate(self, self.parts(), kind, document)
    }
}

/// An implementation that changes what it is asked before it answers.
struct Misreading {
    misreads: Option<fn(&mut Request)>,
    inner: InProcess<Wrong>,
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
