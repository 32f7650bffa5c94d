//! The golden vectors: their format, and how they are read, written and linted.
//!
//! A vector is a request of the protocol and its expected outcome. `vectors/README.md` describes the format for
//! consumers in any language; the types here are its Rust form, and `vectors/schema` is generated from them.

mod catalogue;
mod file;
pub mod hex;
mod lint;
mod manifest;
mod render;
pub mod spec;
mod suite;
mod texts;
mod wire;

pub use catalogue::{data_types, reasons};
pub use file::{
    Case, Expect, ExpectedRejection, FORMAT, File, Group, Level, Request, VERSION, Within,
};
pub use lint::lint;
pub use manifest::{Entry, Manifest, Withdrawn};
pub use render::render;
pub use suite::{Suite, side_by_side};
pub use texts::{read_json, text_type_of, texts_from_json, texts_to_json};
pub use wire::{
    ArrayError, array_from_json, array_from_members, array_to_json, checksums, input_from_json,
    is_generated, scalar_bits_to_hex, splitmix_input, sweep_input,
};
