//! The boundary between the protocol and typed implementations in this process.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Once};

use exactum_model::{DataType, Scalar};

use crate::call::Call;
use crate::hello::Hello;
use crate::implementation::{Failure, Implementation};
use crate::operations::Verb;
use crate::protocol::{Answer, Fault, Outcome, Success};
use crate::request::Request;

/// An implementation in this process, which is called with values, never with text.
pub trait Codecs: Send + Sync {
    /// Returns the implementation's name and the operations that it offers.
    fn hello(&self) -> Hello;

    /// Answers a call. Calls that are not offered are answered with [`Call::not_offered`].
    ///
    /// # Errors
    /// See [`Fault`].
    fn call(&self, call: &Call) -> Outcome;
}

/// Makes an [`Implementation`] of [`Codecs`]: passes on the resolved request and turns a panic into a crash.
pub struct InProcess<T: Codecs + ?Sized> {
    codecs: Arc<T>,
    hello: Hello,
}

impl<T: Codecs + ?Sized> InProcess<T> {
    /// Wraps an implementation.
    pub fn new(codecs: Arc<T>) -> Self {
        let hello = codecs.hello();
        Self { codecs, hello }
    }

    fn answer(&self, request: &Request) -> Outcome {
        if request.operation()?.verb == Verb::Hello {
            return Ok(Success::Document(self.hello.to_members()));
        }
        match request.call() {
            Ok(call) => self.codecs.call(call),
            // An implementation without a parser must not be credited with this parser's rejection.
            Err(Fault::Reject(rejection)) if !self.hello.configurations => Err(Fault::Unsupported(
                format!("does not parse configurations: {rejection}"),
            )),
            Err(fault) => Err(fault.clone()),
        }
    }
}

/// Parses a fill value with `exactum-metadata`, for implementations that have no parser of their own.
///
/// # Errors
/// The rejection of the parser.
pub fn parse_fill_value(data_type: DataType, json: &str) -> Outcome<Scalar> {
    Ok(exactum_metadata::parse_fill_value(data_type, json)?)
}

impl<T: Codecs + ?Sized> Implementation for InProcess<T> {
    fn hello(&mut self) -> Result<Hello, Failure> {
        self.hello.check().map_err(Failure::Protocol)?;
        Ok(self.hello.clone())
    }

    fn call(&mut self, request: &Request) -> Result<Answer, Failure> {
        quietly(|| self.answer(request)).map(Answer::from)
    }
}

thread_local! {
    /// Whether a panic of this thread is caught as an answer.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a closure and turns its panic into a [`Failure::Crash`], without the report on stderr.
///
/// # Errors
/// [`Failure::Crash`] with the message of the panic.
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
            .unwrap_or("a panic without a message");
        Failure::Crash(message.to_owned())
    })
}
