//! Requests and answers, a line of JSON each.

use std::io;

use serde_json::{Value, json};

/// What a library returned, as bytes, or the reason why it refused.
pub(crate) type Answer = Result<Vec<u8>, String>;

/// Answers each line of the standard input.
#[expect(clippy::print_stdout, reason = "the answers are its output")]
pub(crate) fn serve(call: impl Fn(&Value) -> Answer) {
    for line in io::stdin().lines() {
        let request = serde_json::from_str(&line.expect("a line")).expect("a request");
        let answer = match call(&request) {
            Ok(bytes) => json!({ "ok": hex::encode(bytes) }),
            Err(reason) => json!({ "reject": reason }),
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
