//! Calls zarrs with its own zfp without an adapter, as the example `call` of `conformance/peers` calls zarrs.

#![allow(
    clippy::expect_used,
    reason = "a request that is not covered ends the program"
)]

#[path = "../../peers/examples/call/lines.rs"]
mod lines;
#[path = "../../peers/examples/call/zarrs.rs"]
mod zarrs;

fn main() {
    lines::serve(|request| {
        zarrs::call(request, |store| {
            ::zarrs::array::Array::open(store, "/").map_err(|error| error.to_string())
        })
    });
}
