//! Mutants: implementations with one fault each.
//!
//! A mutant is the reference with one fault, together with the clause that the fault breaks. The vectors must find
//! every mutant: a clause whose mutants all survive is only cited, not covered (see [`coverage`]). Where faults were
//! observed in real implementations, the mutants have these faults.
//!
//! A mutant is a row: its name, the clauses, the fault, and a function that returns the wrong result, or `None` where
//! the reference is right. The case that shows the fault is derived (see [`coverage`]).

/// The reference with the decisions of a trait that are overridden here.
macro_rules! wrong {
    ($trait:ident: $($decision:tt)+) => {{
        #[derive(Clone, Copy)]
        struct Wrong;
        impl $trait for Wrong { $($decision)+ }
        Wrong
    }};
}

mod arithmetic;
mod bitround;
mod bytes;
mod calls;
mod cast_value;
pub mod cells;
mod cf;
mod chain;
pub mod coverage;
mod data_sets;
mod data_type;
mod documents;
mod downsample;
mod fill_value;
mod order;
mod overrides;
mod packbits;
mod scale_offset;
mod sds;
#[cfg(test)]
mod tests;
mod zfp;

use std::sync::Arc;

use exactum_conformance::Request;
use exactum_conformance::model::{Reason, Rejection, Scalar};

pub use calls::Mutated;
pub use cells::CellMutant;
pub use data_sets::{MaskPart, SdsAsked, SdsFaults, SdsPart};
pub use overrides::{
    Coder, DecodePart, ElementPart, EncodePart, EncodedPart, Fill, FillPart, NONE, Overrides,
    ParsePart, RefusePart, TextsPart, ViewPart, Wrong,
};

/// A wrong implementation.
#[derive(Clone)]
pub struct Mutant {
    /// A unique name: lower case, hyphens.
    pub name: &'static str,
    /// The clauses that the fault breaks.
    pub breaks: Vec<&'static str>,
    /// The fault, and which implementation had it or why it is plausible.
    pub fault: &'static str,
    /// The differences from the reference.
    pub overrides: Overrides,
}

/// Returns a mutant; `clauses` contains one clause or several, separated by blanks.
fn mutant(
    name: &'static str,
    clauses: &'static str,
    fault: &'static str,
    overrides: Overrides,
) -> Mutant {
    Mutant {
        name,
        breaks: clauses.split(' ').collect(),
        fault,
        overrides,
    }
}

/// Returns every mutant, by row.
#[must_use]
pub fn all() -> Vec<Mutant> {
    [
        bitround::mutants(),
        bytes::mutants(),
        packbits::mutants(),
        zfp::mutants(),
        cast_value::mutants(),
        cf::mutants(),
        scale_offset::mutants(),
        chain::mutants(),
        data_type::mutants(),
        fill_value::mutants(),
        documents::mutants(),
        downsample::mutants(),
        sds::mutants(),
    ]
    .concat()
}

/// Returns every lie that is confined to one cell.
#[must_use]
pub fn lies() -> Vec<CellMutant> {
    [
        bitround::lies(),
        cast_value::lies(),
        cf::lies(),
        scale_offset::lies(),
        zfp::lies(),
        sds::lies(),
        cells::fill_values(),
        cells::scaled_fill_values(),
        downsample::lies(),
    ]
    .concat()
}

/// Returns a mutant of the fill value.
fn fill(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    part: fn(&Fill<'_>) -> Wrong<Scalar>,
) -> Mutant {
    let overrides = Overrides {
        fill: Some(Arc::new(part)),
        ..NONE
    };
    mutant(name, clause, fault, overrides)
}

/// Returns a mutant that misreads requests.
fn misread(
    name: &'static str,
    clause: &'static str,
    fault: &'static str,
    misreads: fn(&mut Request),
) -> Mutant {
    let overrides = Overrides {
        misreads: Some(misreads),
        ..NONE
    };
    mutant(name, clause, fault, overrides)
}

impl Mutant {
    /// Returns the typed operations, for requests whose documents are read correctly.
    #[must_use]
    pub fn codecs(&self) -> Mutated {
        Mutated::new(self.name, self.overrides.clone())
    }
}

/// Returns the rejection that mutants give; it must not claim a clause.
fn some_rejection() -> Rejection {
    Rejection::new(Reason::OutOfRange, "none", "rejected by a mutant")
}

/// Returns a rejection instead of the right answer.
fn reject<T>() -> Wrong<T> {
    Some(Err(some_rejection()))
}

/// Returns a result instead of the right answer.
fn give<T>(result: T) -> Wrong<T> {
    Some(Ok(result))
}
