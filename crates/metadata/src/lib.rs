//! Reads and writes the documents of Zarr: converts between JSON and the types of `exactum-model`, generates JSON
//! Schemas, and reports diagnostics that point into the text.
//!
//! A document is read only once. One scan of the text ([`Document::scan`]) checks the grammar, repeated keys and depth;
//! then everything is resolved into the operations of `exactum-model`. Numbers are kept as text until their data type
//! is known. Every rejection names the violated clause, the JSON pointer, and how to fix the fault.
#![forbid(unsafe_code)]

mod array;
mod cf;
mod codec;
mod data_type;
mod description;
mod diagnostic;
pub mod document;
pub mod downsample;
mod element;
mod faults;
mod grid;
mod group;
mod json;
mod kept;
mod members;
mod modernize;
mod pipeline;
mod rules;
mod scalar;
mod scanned;
pub mod schema;
pub mod sds;
mod state;
mod words;

pub use array::{
    ARRAY_MEMBERS, Accepted, ArrayDocument, Judged, parse_array, parse_array_of_any_grid,
};
pub use cf::attributes::{Attribute, Missing, Packing, of_attributes};
pub use cf::parse_cf;
pub use codec::parsers::*;
pub use data_type::parse_data_type;
pub use diagnostic::{Diagnostic, Related, Report, Severity};
pub use group::{Consolidated, Copies, misnamed};
pub use modernize::{Modernized, Replaced, modernize};
pub use scalar::parse_fill_value;
pub use scanned::{Document, DocumentKind};
pub use words::did_you_mean;
