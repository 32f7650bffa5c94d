//! Requests and answers, each one line of JSON.

use std::cell::RefCell;
use std::io;
use std::panic;
use std::path::Path;

use exactum_conformance::vectors::hex;
use serde_json::{Value, json};

/// The library's result, or the reason why it refused.
pub(crate) type Answer = Result<Value, String>;

/// Returns the bytes from a library in hexadecimal.
pub(crate) fn hexed(bytes: &[u8]) -> Value {
    Value::String(hex::encode(bytes))
}

thread_local! {
    /// The answer for the latest panic.
    static PANIC: RefCell<Value> = const { RefCell::new(Value::Null) };
}

/// Answers each line of standard input.
///
/// A panic in this program means that the request is not covered; any other panic comes from the library.
#[expect(clippy::print_stdout, reason = "the answers are its output")]
pub(crate) fn serve(call: impl Fn(&Value) -> Answer) {
    let own = Path::new(file!()).parent().expect("a folder");
    panic::set_hook(Box::new(move |panic| {
        let from = panic.location().expect("a location");
        PANIC.set(if Path::new(from.file()).starts_with(own) {
            json!({ "uncovered": true })
        } else {
            json!({ "crash": format!("panic at {from}") })
        });
    }));
    for line in io::stdin().lines() {
        let request = serde_json::from_str(&line.expect("a line")).expect("a request");
        let called = panic::catch_unwind(panic::AssertUnwindSafe(|| call(&request)));
        let answer = match called {
            Ok(Ok(returned)) => json!({ "ok": returned }),
            Ok(Err(reason)) => json!({ "reject": reason }),
            Err(_) => PANIC.take(),
        };
        println!("{answer}");
    }
}

/// Returns a member that is a text.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().expect("a text")
}

/// Returns the bytes that are given in hexadecimal.
pub(crate) fn bytes(hexadecimal: &str) -> Vec<u8> {
    hex::decode(hexadecimal).expect("bytes")
}

/// Returns the bytes of a request's elements.
pub(crate) fn input(request: &Value) -> Vec<u8> {
    bytes(text(&request["input"], "data"))
}

/// Returns the extents of a shape.
pub(crate) fn shape(value: &Value) -> Vec<u64> {
    let extents = value.as_array().expect("a shape").iter();
    extents.map(|it| it.as_u64().expect("an extent")).collect()
}
