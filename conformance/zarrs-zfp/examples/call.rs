//! Calls zarrs with its own zfp directly, without an adapter, as the example `call` of `conformance/peers`
//! does for zarrs.
//!
//! If C reads past the end of a stream, it finds the same bytes in every run.

#![allow(
    clippy::expect_used,
    reason = "a panic means that the program does not support a request"
)]

#[path = "../src/fence.rs"]
mod fence;
#[path = "../../peers/examples/call/lines.rs"]
mod lines;
#[path = "../../peers/examples/call/zarrs.rs"]
mod zarrs;

#[global_allocator]
static HEAP: fence::Fenced = fence::Fenced;

fn main() {
    lines::serve(|request| zarrs::call(request, zarrs::open));
}
