//! The edge between the protocol and typed implementations in this process.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Once};

use exactum_metadata::{
    parse_array, parse_bytes, parse_cast_value, parse_packbits, parse_scale_offset,
};
use exactum_model::{Bytes, CastValue, Chain, DataType, PackBits, Rejection, Scalar, ScaleOffset};

use crate::hello::Hello;
use crate::implementation::{Codecs, Failure, Fault, Implementation, Outcome};
use crate::protocol::{Answer, Operation, Request, Success};

/// Makes an [`Implementation`] of typed operations: reads the request, resolves its documents
/// once, calls, and turns a panic into a crash.
pub struct InProcess<T: Codecs + ?Sized> {
    codecs: Arc<T>,
    hello: Hello,
}

/// What the documents of a request resolve to.
enum Resolved {
    Bytes(Bytes),
    PackBits(PackBits),
    CastValue(CastValue),
    ScaleOffset(ScaleOffset),
    Chain(Box<Chain>),
    Nothing,
}

impl<T: Codecs + ?Sized> InProcess<T> {
    /// Wraps an implementation.
    pub fn new(codecs: Arc<T>) -> Self {
        let hello = codecs.hello();
        Self { codecs, hello }
    }

    fn answer(&self, request: &Request) -> Result<Success, Fault> {
        let operation = request.read()?;
        let resolved = resolve(&operation).map_err(|rejection| {
            // Our parser's rejection is no merit of an implementation that has none.
            if self.hello.configurations {
                Fault::Reject(rejection)
            } else {
                Fault::Unsupported(format!("reads no configurations: {rejection}"))
            }
        })?;
        self.perform(operation, &resolved)
    }

    fn perform(&self, operation: Operation<'_>, resolved: &Resolved) -> Result<Success, Fault> {
        let codecs = &*self.codecs;
        match (operation, resolved) {
            (Operation::Hello, _) => Ok(Success::Hello(self.hello.clone())),
            (Operation::FillValueParse(data_type, json), _) => codecs
                .fill_value_parse(data_type, json)
                .map(|scalar| Success::Bits(scalar.to_bytes())),
            (Operation::FillValueFormat(scalar), _) => {
                codecs.fill_value_format(&scalar).map(Success::Json)
            }
            (Operation::BytesEncode(_, input), Resolved::Bytes(codec)) => {
                codecs.bytes_encode(codec, &input).map(Success::Bytes)
            }
            (Operation::BytesDecode(_, _, shape, bytes), Resolved::Bytes(codec)) => codecs
                .bytes_decode(codec, &shape, &bytes)
                .map(Success::Output),
            (Operation::PackbitsEncode(_, input), Resolved::PackBits(codec)) => {
                codecs.packbits_encode(codec, &input).map(Success::Bytes)
            }
            (Operation::PackbitsDecode(_, _, shape, bytes), Resolved::PackBits(codec)) => codecs
                .packbits_decode(codec, &shape, &bytes)
                .map(Success::Output),
            (Operation::CastValueEncode(_, input), Resolved::CastValue(codec)) => {
                codecs.cast_value_encode(codec, &input).map(Success::Output)
            }
            (Operation::CastValueDecode(_, _, input), Resolved::CastValue(codec)) => {
                codecs.cast_value_decode(codec, &input).map(Success::Output)
            }
            (Operation::ScaleOffsetEncode(_, input), Resolved::ScaleOffset(codec)) => codecs
                .scale_offset_encode(codec, &input)
                .map(Success::Output),
            (Operation::ScaleOffsetDecode(_, input), Resolved::ScaleOffset(codec)) => codecs
                .scale_offset_decode(codec, &input)
                .map(Success::Output),
            (Operation::ChainResolve(_), Resolved::Chain(chain)) => {
                codecs.chain_resolve(chain).map(Success::Resolution)
            }
            (Operation::ChainEncode(_, input), Resolved::Chain(chain)) => {
                codecs.chain_encode(chain, &input).map(Success::Bytes)
            }
            (Operation::ChainDecode(_, bytes), Resolved::Chain(chain)) => {
                codecs.chain_decode(chain, &bytes).map(Success::Output)
            }
            (Operation::MetadataValidate(kind, document), _) => codecs
                .metadata_validate(kind, document)
                .map(|()| Success::Valid),
            // `resolve` gives every operation what it needs.
            (_, _) => Err(Fault::Error("the documents were not resolved".into())),
        }
    }
}

fn resolve(operation: &Operation<'_>) -> Result<Resolved, Rejection> {
    Ok(match operation {
        Operation::BytesEncode(configuration, input) => {
            Resolved::Bytes(parse_bytes(configuration, input.data_type())?)
        }
        Operation::BytesDecode(configuration, data_type, ..) => {
            Resolved::Bytes(parse_bytes(configuration, *data_type)?)
        }
        Operation::PackbitsEncode(configuration, input) => {
            Resolved::PackBits(parse_packbits(configuration, input.data_type())?)
        }
        Operation::PackbitsDecode(configuration, data_type, ..) => {
            Resolved::PackBits(parse_packbits(configuration, *data_type)?)
        }
        Operation::CastValueEncode(configuration, input) => {
            Resolved::CastValue(parse_cast_value(configuration, input.data_type())?)
        }
        Operation::CastValueDecode(configuration, data_type, _) => {
            Resolved::CastValue(parse_cast_value(configuration, *data_type)?)
        }
        Operation::ScaleOffsetEncode(configuration, input)
        | Operation::ScaleOffsetDecode(configuration, input) => {
            Resolved::ScaleOffset(parse_scale_offset(configuration, input.data_type())?)
        }
        Operation::ChainResolve(metadata)
        | Operation::ChainEncode(metadata, _)
        | Operation::ChainDecode(metadata, _) => {
            Resolved::Chain(Box::new(parse_array(metadata)?.chain))
        }
        Operation::Hello
        | Operation::FillValueParse(..)
        | Operation::FillValueFormat(_)
        | Operation::MetadataValidate(..) => Resolved::Nothing,
    })
}

/// A fill value by `exactum-metadata`, for implementations that have no parser of their own.
///
/// # Errors
/// The rejection of the parser.
pub fn parse_fill_value(data_type: DataType, json: &str) -> Outcome<Scalar> {
    Ok(exactum_metadata::parse_fill_value(data_type, json)?)
}

/// Whether a document is valid: `exactum-metadata` reads it, and the implementation carries the
/// fill value through the chain that it describes.
///
/// # Errors
/// The first rejection; [`Fault::Unsupported`] for a kind of document that is not offered.
pub fn validate(codecs: &(impl Codecs + ?Sized), kind: &str, document: &str) -> Outcome<()> {
    match kind {
        "array" => {
            let document = parse_array(document)?;
            codecs.chain_resolve(&document.chain).map(drop)
        }
        other => Err(Fault::Unsupported(format!(
            "documents of kind {other:?} are not offered"
        ))),
    }
}

/// Whether the documents of a request are valid as far as `exactum-metadata` sees it.
pub(crate) fn has_valid_documents(request: &Request) -> bool {
    match request.read() {
        Ok(operation) => resolve(&operation).is_ok(),
        Err(Fault::Reject(_)) => false,
        Err(_) => true,
    }
}

impl<T: Codecs + ?Sized> Implementation for InProcess<T> {
    fn hello(&mut self) -> Result<Hello, Failure> {
        Ok(self.hello.clone())
    }

    fn call(&mut self, request: &Request) -> Result<Answer, Failure> {
        quietly(|| self.answer(request)).map(Answer::from)
    }
}

thread_local! {
    /// Whether a panic of this thread is an answer.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a closure and turns its panic into a [`Failure::Crash`], without the report on stderr.
///
/// # Errors
/// The words of the panic.
pub fn quietly<R>(call: impl FnOnce() -> R) -> Result<R, Failure> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                report(info);
            }
        }));
    });
    QUIET.set(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(call));
    QUIET.set(false);
    outcome.map_err(|payload| {
        let message = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("a panic without words");
        Failure::Crash(message.to_owned())
    })
}
