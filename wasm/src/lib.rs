//! Exactum as a WebAssembly module: a string goes in, a string comes out, and nothing leaves the page.
//!
//! The host asks [`input`] for room, writes a JSON request there, calls [`call`], and reads the JSON answer
//! from [`output`]. The bytes of a chunk travel beside the JSON, in the room that [`chunk`] makes. `npm/exactum.js`
//! does all of that.

mod answer;
mod codec;
mod number;
#[path = "../../conformance/peers/src/ours.rs"]
mod ours;
mod plan;
mod try_values;
mod validate;

use std::cell::RefCell;

use serde_json::{Value, json};

/// The largest request, in bytes: what a line of the protocol may have.
const MAX_REQUEST: usize = exactum_conformance::MAX_LINE;

/// The largest chunk, in bytes: what a 32-bit address space holds twice, with room to spare.
const MAX_CHUNK: usize = 1 << 30;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static CHUNK: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a request of `length` bytes and returns its address; 0 where it is too long.
#[allow(unsafe_code, reason = "an exported name has to be unmangled")]
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    if length > MAX_REQUEST {
        return std::ptr::null_mut();
    }
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(length, 0);
        input.as_mut_ptr()
    })
}

/// Makes room for `length` bytes of a chunk and returns its address; 0 where it is too long.
#[allow(unsafe_code, reason = "an exported name has to be unmangled")]
#[unsafe(no_mangle)]
pub extern "C" fn chunk(length: usize) -> *mut u8 {
    if length > MAX_CHUNK {
        return std::ptr::null_mut();
    }
    CHUNK.with_borrow_mut(|chunk| {
        chunk.clear();
        chunk.resize(length, 0);
        chunk.as_mut_ptr()
    })
}

/// Returns the address of the bytes that the last [`call`] made of the chunk.
#[allow(unsafe_code, reason = "an exported name has to be unmangled")]
#[unsafe(no_mangle)]
pub extern "C" fn converted() -> *const u8 {
    CHUNK.with_borrow(|chunk| chunk.as_ptr())
}

/// Answers the request in the room that [`input`] made, and returns the number of bytes of the answer.
#[allow(unsafe_code, reason = "an exported name has to be unmangled")]
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    let answer = INPUT.with_borrow(|input| respond(input));
    OUTPUT.with_borrow_mut(|output| {
        *output = answer.into_bytes();
        output.len()
    })
}

/// Returns the address of the answer of the last [`call`].
#[allow(unsafe_code, reason = "an exported name has to be unmangled")]
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Answers a request: a JSON object whose member `call` names what is asked for. The answer is a JSON object;
/// it has the member `error` where the request cannot be carried out.
#[must_use]
pub fn respond(request: &[u8]) -> String {
    let answered = serde_json::from_slice::<Value>(request)
        .map_err(|error| format!("the request is not JSON: {error}"))
        .and_then(|request| {
            let text = |key: &str| request[key].as_str().unwrap_or_default();
            match text("call") {
                "validate" => Ok(validate::validate(text("document").as_bytes())),
                "plan" => plan::plan(&request),
                "recipe" => plan::recipe(&request),
                "prove" => plan::prove(&request),
                "try" => try_values::trials(&request),
                "stored" => Ok(codec::stored(&request)),
                "convert" => convert(&request),
                "answer" => answer::answer(text("implementation"), text("line")),
                other => Err(format!("unknown call {other:?}")),
            }
        });
    match answered {
        Ok(answer) => answer.to_string(),
        Err(words) => json!({ "error": words }).to_string(),
    }
}

/// Converts the chunk and replaces it by the result, whose length in bytes is part of the answer.
fn convert(request: &Value) -> Result<Value, String> {
    let (mut answer, bytes) = codec::convert(request, CHUNK.take())?;
    answer["length"] = bytes.len().into();
    CHUNK.set(bytes);
    Ok(answer)
}
