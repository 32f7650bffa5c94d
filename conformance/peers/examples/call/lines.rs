//! Requests and answers, a line of JSON each.

use std::cell::RefCell;
use std::io;
use std::panic;
use std::path::Path;

use serde_json::{Value, json};

/// What a library returned, or the reason why it refused.
pub(crate) type Answer = Result<Value, String>;

/// Bytes that a library returned, in hexadecimal.
pub(crate) fn hexed(bytes: &[u8]) -> Value {
    Value::String(hex::encode(bytes))
}

thread_local! {
    /// The answer that the latest panic amounts to.
    static PANIC: RefCell<Value> = const { RefCell::new(Value::Null) };
}

/// Answers each line of the standard input.
///
/// A panic of this program means that the request is not covered, and any other is a panic of the library.
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

/// A member that is a text.
pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().expect("a text")
}

/// Bytes in hexadecimal.
pub(crate) fn bytes(hexadecimal: &str) -> Vec<u8> {
    hex::decode(hexadecimal).expect("bytes")
}

/// The bytes of the elements of a request.
pub(crate) fn input(request: &Value) -> Vec<u8> {
    bytes(text(&request["input"], "data"))
}

/// The extents of a shape.
pub(crate) fn shape(value: &Value) -> Vec<u64> {
    let extents = value.as_array().expect("a shape").iter();
    extents.map(|it| it.as_u64().expect("an extent")).collect()
}
