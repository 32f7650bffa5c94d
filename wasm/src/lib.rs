//! Exactum as a WebAssembly module: a string goes in, a string comes out, and nothing leaves the page.
//!
//! The host requests a buffer with [`input`], writes a JSON request into it, calls [`call`], and reads the JSON answer
//! from [`output`]. The bytes of a chunk are passed beside the JSON, in the buffer that [`chunk`] allocates.
//! `npm/exactum.js` does all of this.

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

/// The largest request in bytes, which is the limit for a line of the protocol.
const MAX_REQUEST: usize = exactum_conformance::MAX_LINE;

/// The largest chunk in bytes: a 32-bit address space holds two such chunks, with room to spare.
const MAX_CHUNK: usize = 1 << 30;

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static CHUNK: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Allocates a buffer for a request of `length` bytes and returns its address, or 0 if the request is too long.
#[allow(unsafe_code, reason = "exported names must not be mangled")]
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

/// Allocates a buffer for a chunk of `length` bytes and returns its address, or 0 if the chunk is too long.
#[allow(unsafe_code, reason = "exported names must not be mangled")]
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

/// Returns the address of the chunk that the last [`call`] produced.
#[allow(unsafe_code, reason = "exported names must not be mangled")]
#[unsafe(no_mangle)]
pub extern "C" fn converted() -> *const u8 {
    CHUNK.with_borrow(|chunk| chunk.as_ptr())
}

/// Answers the request in the buffer that [`input`] allocated, and returns the length of the answer in bytes.
#[allow(unsafe_code, reason = "exported names must not be mangled")]
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    let answer = INPUT.with_borrow(|input| respond(input));
    OUTPUT.with_borrow_mut(|output| {
        *output = answer.into_bytes();
        output.len()
    })
}

/// Returns the address of the answer to the last [`call`].
#[allow(unsafe_code, reason = "exported names must not be mangled")]
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Answers a request, which is a JSON object whose member `call` names the function. The answer is a JSON object; it
/// has the member `error` if the request cannot be carried out.
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

/// Converts the chunk and replaces it by the result. The answer contains the length of the result in bytes.
fn convert(request: &Value) -> Result<Value, String> {
    let (mut answer, bytes) = codec::convert(request, CHUNK.take())?;
    answer["length"] = bytes.len().into();
    CHUNK.set(bytes);
    Ok(answer)
}
